//! Reasons for refusing a throw or an action.

/// The reason why a throw or an action is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game does not wait for a throw.
    #[error("no throw is due: an action must be played first")]
    NoThrowDue,
    /// The game waits for a throw, not an action.
    #[error("a throw is due before any action")]
    ThrowDue,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The action is not legal.
    #[error("the action is not legal in this position")]
    NotLegal,
    /// The throw is impossible with these dice.
    #[error("these dice do not give this throw")]
    NoSuchThrow,
}
