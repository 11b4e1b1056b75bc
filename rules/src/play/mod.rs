//! The game engine: applies throws and actions to a state by the rules of a table.
//!
//! The engine uses no random numbers and no clock, and allocates nothing while playing; the caller passes each throw as
//! a value. An [`Engine`] plays by the [`Rules`](crate::tables::Rules) of one table. It derives its look-up tables
//! once, when it is made. Its [`evaluator`] computes conditions and numbers.

pub mod actions;
mod ahead;
mod alike;
mod answers;
mod attempts;
mod by_part;
mod candidates;
mod capture;
mod chance;
mod choices;
mod code;
mod colour;
mod companies;
mod companions;
mod compel;
mod consequences;
pub(crate) mod context;
mod each;
mod effects;
mod engine;
mod equal_states;
pub mod evaluator;
mod finish;
mod game;
mod given_numbers;
mod goal;
mod guards;
mod hand;
mod homecoming;
mod idle;
mod idle_lines;
mod joint;
mod jumps;
mod landing;
mod lanes;
mod legal;
mod look;
mod next_turn;
mod occupied;
mod offers;
mod one_number;
mod open;
mod opening;
mod outcomes;
mod passing;
mod perform;
mod preview;
mod question;
mod quick;
mod reach;
mod refusal;
mod refusing_lines;
mod report;
mod retraced;
mod reunite;
mod several_numbers;
mod single;
mod spared_captures;
mod spend_lines;
mod stage;
mod standing;
pub mod state;
mod threat;
mod throws;
mod turn;
mod turning_moves;
mod verdicts;
mod walked;
pub mod watch;
mod wording;

pub use actions::{Actions, MAX_ACTIONS, PASS};
pub use attempts::{Attempt, Fate};
pub use engine::Engine;
pub use evaluator::Evaluator;
pub use game::Game;
pub use refusal::Refusal;
pub use report::{ReportLine, Reported, StepReport};
pub use state::{Action, ActionForm, ActionKind, Phase, State, Throw};
pub use watch::{Cause, Counts, Happening, HappeningKind, Quiet, StateChange, Watch};
pub use wording::Wording;

pub use crate::units::{PathPlace, Seat};
