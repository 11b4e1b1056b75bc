//! Why something cannot be done in a state.

/// Why something cannot be done in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A throw where none is due.
    #[error("no throw is due: an action must be played first")]
    NoThrowDue,
    /// An action where a throw is due.
    #[error("a throw is due before any action")]
    ThrowDue,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// An action that is not among the legal ones.
    #[error("the action is not legal in this position")]
    NotLegal,
    /// Faces that the dice do not have.
    #[error("the dice cannot fall like that")]
    NoSuchThrow,
}
