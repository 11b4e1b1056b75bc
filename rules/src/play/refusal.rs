//! Reasons for refusing a throw or an action.

/// The reason why a throw or an action is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// An action or a choice is due, not a throw.
    #[error("no throw is due: an action must be played first")]
    NoThrowDue,
    /// A throw is due, not an action.
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
