//! Games as text: one JSON object a decision, written while playing and played again to check it.
//!
//! A line holds what a player saw (position, throw, hand, legal actions) and what was played. A throw of which nothing
//! could be played is a line with the pass. Records of other programs are read too: keys that are not known are
//! ignored, and `state`, `hand` and `events` may be missing.

mod line;
mod recorder;
mod replay;
mod turn;

pub use line::{Header, RecordLine};
pub use recorder::Recorder;
pub use replay::{Against, Replay, ReplayError};
pub use turn::{MalformedTurn, TurnLine, TurnStep};
