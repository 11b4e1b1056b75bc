//! The game engine: applies throws and actions to a state by the rules of a table.
//!
//! The engine uses no random numbers and no clock, and allocates nothing while playing; the caller passes each throw as
//! a value. An [`Engine`] plays by the [`Rules`](crate::tables::Rules) of one table. It derives its look-up tables
//! once, when it is made; the [`evaluator`] below it checks conditions.

pub mod actions;
mod ahead;
mod alike;
mod candidates;
mod chance;
mod choices;
mod code;
mod colour;
mod companions;
mod compel;
pub(crate) mod context;
mod each;
mod effects;
mod engine;
pub mod evaluator;
mod finish;
mod game;
mod landing;
mod lanes;
mod legal;
mod look;
mod occupied;
mod offers;
mod open;
mod opening;
mod perform;
mod question;
mod quick;
mod refusal;
mod spared;
mod spend_lines;
mod stage;
mod standing;
pub mod state;
mod throws;
mod turn;
pub mod watch;
mod withheld;
mod wording;

pub use actions::{Actions, PASS};
pub use engine::Engine;
pub use evaluator::Evaluator;
pub use game::Game;
pub use refusal::Refusal;
pub use state::{Action, ActionKind, Phase, State, Throw};
pub use watch::{Counts, Happening, HappeningKind, Quiet, Watch};
pub use wording::Wording;

pub use crate::units::{PathPlace, Seat};
