//! Playing: rules, state and throw or action in; state and what happened out.
//!
//! Pure: no chance, no clock, no allocation. A throw comes in as a value. [`Engine`] plays by one table's
//! [`Rules`](crate::tables::Rules); what conditions ask is answered by the [`evaluator`] below it, and what is known of a
//! rule set beforehand is derived once, when the engine is made.

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
mod effects;
mod engine;
pub mod evaluator;
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
