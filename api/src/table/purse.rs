//! The purse of a competitive game: its stakes before the start, and its division at the end.
//!
//! A table and its players are several entities, which no commit can change together. So the table decides first, and
//! the players follow, in any order and by any process:
//!
//! 1. `Staking`: the stake of each player moves into escrow. When all of them have, the table goes on to `Staked`. If a
//!    player has too few chips, the table decides that the game does not begin, and goes on to `Settling`.
//! 2. `Staked`: the game is created and played. When a side has won, or the game is over, the table decides what each
//!    player gets.
//! 3. `Settling`: each player and the bank get what was decided. Then the table ends the game, unless others play on.
//! 4. `Settled`: a side has won, and the others play on for the remaining ranks. Nothing that they do changes the
//!    decision.
//!
//! A process that is late can do no harm: it reads the player before it reads the table, and commits the player at the
//! version that it has read. So it moves no stake after the table has left `Staking`, provided that every process that
//! releases stakes commits the player, even if nothing is released.

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;
use crate::score::rating::Rating;
use crate::score::settlement::Settlement;
use crate::table::result::GameResult;

/// The stakes of a competitive game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Purse {
    /// Number of chips that each player stakes.
    pub bet: u64,
    /// The season in which the game begins.
    pub season: Option<String>,
    /// The players, in the order of travel. A deleted player stays here until the game is settled.
    pub members: Vec<PlayerId>,
    /// The stage, from which follows what has to be done next.
    pub stage: PurseStage,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum PurseStage {
    /// Stakes are moved into escrow.
    Staking,
    /// All stakes are in escrow. The ratings are those of the members at this moment.
    Staked(Vec<Rating>),
    /// A side has won, the game is over, or it does not begin. Stakes are paid out as decided.
    Settling(PurseDecision),
    /// Stakes are paid out, and the seats that have not won play on for the remaining ranks.
    Settled {
        /// Whether two players had played from one network address when the first side won.
        is_at_one_address: bool,
    },
}

/// The decision about a game that is over, has a first winner, or does not begin.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PurseDecision {
    /// The outcomes of the members, and the share of the bank.
    pub division: Settlement,
    /// The result of the game, or of its winners; `None` if the game does not begin.
    pub result: Option<GameResult>,
    /// Whether the game goes on, because a side has won and the others play for the remaining ranks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plays_on: bool,
}

impl Purse {
    /// Makes the purse of a game that is about to begin.
    pub(crate) fn new(bet: u64, season: Option<String>, members: Vec<PlayerId>) -> Self {
        Self { bet, season, members, stage: PurseStage::Staking }
    }
}
