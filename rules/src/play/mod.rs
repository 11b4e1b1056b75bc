//! Playing: rule set, state and throw or action in; state and events out.
//!
//! Pure: no chance, no clock, no allocation. A throw comes in as a value.

pub mod actions;
pub(crate) mod ahead;
mod candidates;
mod chance;
mod companions;
mod draw;
mod effects;
mod game;
mod landing;
mod legal;
pub(crate) mod lines;
mod occupied;
mod perform;
pub(crate) mod program;
pub(crate) mod quick;
pub mod state;
mod turn;
pub mod watch;
mod withheld;

pub use actions::{Actions, PASS};
pub use game::Game;
pub use state::{Action, ActionKind, Phase, Place, Seat, State, Throw};
pub use turn::Refusal;
pub use watch::{Counts, Happening, HappeningKind, Quiet, Watch};
