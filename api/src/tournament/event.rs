//! The events of a tournament, as they are written.

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::model::event_kind::TournamentEventKind;
use crate::model::tournament::SeatResultView;
use crate::model::tournament_event::TournamentEventView;

/// The subjects of an event. Fields that do not apply are `None`.
#[derive(Debug, Default)]
pub(crate) struct EventSubjects<'a> {
    /// The number of an entrant.
    pub entrant: Option<u32>,
    /// The number of a round, from 1.
    pub round: Option<usize>,
    /// The number of a table, from 1.
    pub table: Option<usize>,
    pub game: Option<GameId>,
    /// The numbers of the entrants of a table, in the order of play.
    pub entrants: Vec<u32>,
    /// The result of a table.
    pub result: Vec<SeatResultView>,
    /// The reason that an arbiter gave, or why a tournament ended before its time.
    pub reason: Option<&'a str>,
}

/// Writes an event, in the form in which it is stored and sent.
///
/// # Errors
/// The event cannot be written as JSON, which its type makes impossible.
pub(crate) fn write(
    id: u64,
    kind: TournamentEventKind,
    at: &str,
    about: EventSubjects<'_>,
) -> Result<Vec<u8>, Problem> {
    let EventSubjects { entrant, round, table, game, entrants, result, reason } = about;
    let event = kind.word();
    let view = TournamentEventView { id, event, at, entrant, round, table, game_id: game, entrants, result, reason };
    serde_json::to_vec(&view).map_err(internal)
}
