//! Votes, as a table stores them.

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;

/// The time in which everybody has to vote, in milliseconds.
pub(crate) const TIME: u64 = 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum VoteQuestion {
    /// To end the game in play. The game then does not count.
    End,
    /// To play the next game with the same players.
    NextGame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VoteResult {
    /// Everybody has agreed.
    Agreed,
    /// A player did not agree.
    Refused,
    /// Not everybody has voted in time.
    Expired,
    /// The question of the vote is settled: the game is over, or a game was started.
    Dropped,
}

/// An open vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Vote {
    /// The question on which the players vote.
    pub on: VoteQuestion,
    /// The player who has opened the vote.
    pub by: PlayerId,
    /// The time until which everybody has to agree, in milliseconds since 1970.
    pub deadline: u64,
    /// The players who have agreed.
    pub agreed: Vec<PlayerId>,
}

impl VoteQuestion {
    /// Returns the word of the question, as events contain it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::NextGame => "next_game",
        }
    }
}

impl VoteResult {
    /// Returns the word of the result, as events contain it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Refused => "refused",
            Self::Expired => "expired",
            Self::Dropped => "dropped",
        }
    }
}
