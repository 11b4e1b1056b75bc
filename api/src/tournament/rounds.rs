//! The rounds of a tournament as they are stored: tables, games, results.

use pagade_pairing::{Bye, EntrantId, PlayedRound, PlayedTable, Round, SeatResult, Table};
use serde::{Deserialize, Serialize};

use crate::game::GameId;
use crate::game::planned::PlannedGame;
use crate::group::GroupId;

/// A round that was paired.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredRound {
    /// The id of the group that has the games of the round.
    pub group: GroupId,
    /// The time of the pairing, in milliseconds since 1970.
    pub paired_at: u64,
    /// The tables of the round, the first table first.
    pub tables: Vec<StoredTable>,
    /// Entrants who are present and have no table.
    pub byes: Vec<Bye>,
    /// The seed of all games of the round, if all tables get the same throws.
    pub seed: Option<String>,
    /// Whether the group was told that no more games follow.
    pub is_closed: bool,
}

/// A table of a round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredTable {
    /// The entrants in the order of play, and why they sit here.
    pub table: Table,
    /// The games of the table, the first one first.
    pub games: Vec<StoredGame>,
    /// The result, once there is one.
    pub result: Option<TableResult>,
    /// The version that the tournament got by the pairing of this table or, later, by the last result of the table.
    pub version: u64,
}

/// Games that have still to be aborted: those of a round that an arbiter has taken back, or of a table that an arbiter
/// has decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TakenBack {
    /// The group of the round.
    pub group: GroupId,
    /// The games to abort.
    pub games: Vec<GameId>,
    /// Whether these are games of one table, so that the group of the round goes on.
    #[serde(default)]
    pub is_table: bool,
}

/// A game of a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredGame {
    pub id: GameId,
    pub seats: Vec<(String, EntrantId)>,
    /// The plan of the game, until the game exists.
    pub plan: Option<Box<PlannedGame>>,
    /// How the game ended; `None` while it is not over.
    pub outcome: Option<GameOutcome>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum GameOutcome {
    /// The game has a result: one entry for each entrant of its table, in the order of the table.
    Result(Vec<SeatResult>),
    /// The game was aborted or removed, and has no result.
    Void,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TableResult {
    /// One entry for each entrant, in the order of the table.
    pub seats: Vec<SeatResult>,
    /// The origin of the result.
    pub by: ResultBy,
    /// The reason that an arbiter gave.
    pub reason: Option<String>,
    /// The time of the result, in milliseconds since 1970.
    pub at: u64,
}

/// The origin of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ResultBy {
    /// The games of the table.
    Games,
    /// The organiser or an arbiter.
    Arbiter,
}

impl StoredRound {
    /// Makes a round without games. `version` is that of the tournament with the round.
    pub(crate) fn new(round: Round, group: GroupId, now: u64, version: u64) -> Self {
        let table = |table| StoredTable { table, games: Vec::new(), result: None, version };
        let tables = round.tables.into_iter().map(table);
        Self { group, paired_at: now, tables: tables.collect(), byes: round.byes, seed: None, is_closed: false }
    }

    /// Tells whether all tables have results.
    pub(crate) fn is_over(&self) -> bool {
        self.tables.iter().all(|table| table.result.is_some())
    }

    /// Tells whether the tables get the same throws.
    pub(crate) fn has_same_dice(&self) -> bool {
        self.seed.is_some()
    }

    /// Lists the games that have still to be created.
    pub(crate) fn planned(&self) -> impl Iterator<Item = (GameId, &PlannedGame)> {
        self.games().filter_map(|game| Some((game.id, game.plan.as_deref()?)))
    }

    /// Lists the games of the round, table by table.
    pub(crate) fn games(&self) -> impl Iterator<Item = &StoredGame> {
        self.tables.iter().flat_map(|table| &table.games)
    }

    /// Returns the round as the functions of pairings read it.
    pub(crate) fn played(&self) -> PlayedRound {
        let tables = self.tables.iter().map(|table| PlayedTable {
            seats: table.table.seats.clone(),
            result: table.result.as_ref().map(|result| result.seats.clone()),
        });
        PlayedRound::new(tables.collect(), &self.byes)
    }
}

impl StoredTable {
    /// Lists the results of the games that are over, the first game first.
    pub(crate) fn results(&self) -> Vec<Vec<SeatResult>> {
        let results = self.games.iter().filter_map(|game| match &game.outcome {
            Some(GameOutcome::Result(seats)) => Some(seats.clone()),
            _ => None,
        });
        results.collect()
    }

    /// Tells whether a game of the table is planned or in play.
    pub(crate) fn is_playing(&self) -> bool {
        self.games.iter().any(|game| game.outcome.is_none())
    }
}
