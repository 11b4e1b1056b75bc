//! The types of requests and answers, as JSON. Requests with unknown fields are refused.
//!
//! These types are separate from those of the engine, so that a renamed type of the engine does not change the API.

pub(crate) mod bank;
pub(crate) mod creation;
pub(crate) mod dice;
pub(crate) mod ending;
pub(crate) mod event;
pub(crate) mod event_kind;
pub(crate) mod friends;
pub(crate) mod game;
pub(crate) mod game_list;
pub(crate) mod group;
pub(crate) mod layout;
pub(crate) mod leaderboard;
pub(crate) mod me;
pub(crate) mod operations;
pub(crate) mod player;
pub(crate) mod player_export;
pub(crate) mod presence;
pub(crate) mod rule_comparison;
pub(crate) mod rule_set;
pub(crate) mod scenario_run;
pub(crate) mod scoring;
pub(crate) mod simulation;
pub(crate) mod statistics;
#[cfg(test)]
mod stored_form;
pub(crate) mod table;
pub(crate) mod table_chat;
pub(crate) mod table_event;
pub(crate) mod table_list;
pub(crate) mod table_options;
pub(crate) mod ticket;
pub(crate) mod tournament;
pub(crate) mod tournament_entry;
pub(crate) mod tournament_event;
pub(crate) mod tournament_list;
pub(crate) mod tournament_round;
pub(crate) mod turn;
pub(crate) mod webhook;
pub(crate) mod written;
