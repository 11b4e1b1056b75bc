//! Records: the history of a game as NDJSON, one JSON object for each decision. A record is written during play, and
//! replayed to check it.
//!
//! A line has the position, throw, hand and legal actions before a decision, and the action that was played. A throw
//! without a legal action is recorded as a line with the action `pass`. Records of other programs can be read, too:
//! unknown keys are ignored, and `state`, `hand` and `events` may be missing.

mod line;
mod recorder;
mod replay;
mod turn;

pub use line::{Header, RecordLine};
pub use recorder::Recorder;
pub use replay::{Against, Replay, ReplayCause, ReplayError};
pub use turn::{MalformedTurn, TurnLine, TurnStep};
