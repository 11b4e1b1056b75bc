//! The answers of the service, as far as the program reads them. Unknown fields are ignored, and unknown words of
//! events and statuses are `None`: a newer service may send more.

use std::collections::BTreeMap;

use pagade::{TableGameStatus, TournamentEventKind, TournamentStatusWord};
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

#[derive(Debug, Deserialize)]
pub(super) struct TournamentAnswer {
    pub id: String,
    #[serde(deserialize_with = "known_status")]
    pub status: Option<TournamentStatusWord>,
    pub title: Option<String>,
    pub entrants: Vec<EntrantAnswer>,
    pub rounds: Vec<RoundSummaryAnswer>,
    pub events: u64,
    pub version: u64,
    #[serde(default)]
    pub automatic: bool,
}

impl TournamentAnswer {
    /// The names of the entrants, by their numbers.
    pub(super) fn names(&self) -> BTreeMap<u32, String> {
        self.entrants.iter().map(|entrant| (entrant.number, entrant.name.clone())).collect()
    }

    /// Whether all tables of all rounds have results.
    pub(super) fn has_all_results(&self) -> bool {
        self.rounds.iter().all(|round| round.results == round.tables)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct EntrantAnswer {
    pub number: u32,
    pub name: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct RoundSummaryAnswer {
    pub round: usize,
    pub tables: usize,
    pub results: usize,
}

/// The answer to a request that creates a tournament.
#[derive(Debug, Deserialize)]
pub(super) struct CreatedAnswer {
    pub token: String,
    pub arbiter_token: String,
    #[serde(default)]
    pub invitation: Option<String>,
    pub tournament: TournamentAnswer,
}

/// The answer to a request that enters entrants.
#[derive(Debug, Deserialize)]
pub(super) struct EnteredAnswer {
    pub entrants: Vec<EntrantTokens>,
}

/// An entrant with the tokens of the members without accounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct EntrantTokens {
    pub number: u32,
    pub name: String,
    #[serde(default)]
    pub waiting: bool,
    #[serde(default)]
    pub tokens: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct RoundAnswer {
    pub round: usize,
    pub tables: Vec<TableAnswer>,
    pub byes: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TableAnswer {
    pub games: Vec<GameAnswer>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GameAnswer {
    pub id: String,
    #[serde(deserialize_with = "known_status")]
    pub status: Option<TableGameStatus>,
}

/// The answer to a request that pairs a round.
#[derive(Debug, Deserialize)]
pub(super) struct PairedAnswer {
    pub round: RoundAnswer,
}

/// A page of events.
#[derive(Debug, Deserialize)]
pub(super) struct EventsAnswer {
    pub events: Vec<EventAnswer>,
    pub next_after: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct EventAnswer {
    #[serde(deserialize_with = "known_event")]
    pub event: Option<TournamentEventKind>,
    #[serde(default)]
    pub entrant: Option<u32>,
    #[serde(default)]
    pub round: Option<usize>,
    #[serde(default)]
    pub table: Option<usize>,
    #[serde(default)]
    pub result: Vec<SeatResultAnswer>,
    #[serde(default)]
    pub reason: Option<String>,
}

/// Reads the word of an event. `None` if this program does not know the word.
fn known_event<'de, D: Deserializer<'de>>(word: D) -> Result<Option<TournamentEventKind>, D::Error> {
    Ok(TournamentEventKind::parse(&String::deserialize(word)?))
}

/// Reads the word of a status. `None` if this program does not know the word.
fn known_status<'de, D: Deserializer<'de>, T: Deserialize<'de>>(word: D) -> Result<Option<T>, D::Error> {
    let word = String::deserialize(word)?;
    Ok(T::deserialize(IntoDeserializer::<Error>::into_deserializer(word)).ok())
}

/// The result of one entrant at a table.
#[derive(Debug, Deserialize)]
pub(super) struct SeatResultAnswer {
    pub entrant: u32,
    pub place: usize,
}

/// The export of a tournament, as far as the final table needs it.
#[derive(Debug, Deserialize)]
pub(super) struct ExportAnswer {
    pub tournament: TournamentAnswer,
    pub rounds: Vec<RoundAnswer>,
    pub standings: Vec<StandingAnswer>,
}

/// The place of one entrant.
#[derive(Debug, Deserialize)]
pub(super) struct StandingAnswer {
    pub place: usize,
    pub entrant: u32,
    pub name: String,
    pub reached: u32,
    pub points: f64,
    pub tie_breaks: Vec<TieBreakAnswer>,
    #[serde(default)]
    pub decided_by: Option<String>,
    #[serde(default)]
    pub prizes: Vec<String>,
}

/// The value of a tie-break.
#[derive(Debug, Deserialize)]
pub(super) struct TieBreakAnswer {
    pub tie_break: String,
    pub value: f64,
}

/// The problem that an answer describes (RFC 9457).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProblemAnswer {
    pub status: u16,
    pub code: String,
    pub title: String,
    pub detail: String,
    pub problems: Vec<ProblemPartAnswer>,
}

/// One mistake in a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct ProblemPartAnswer {
    pub pointer: Option<String>,
    pub detail: String,
    pub help: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_newer_service_are_read_as_unknown() {
        let game = |status: &str| serde_json::from_str(&format!(r#"{{"id": "1", "status": "{status}"}}"#));
        let [planned, newer] = ["planned", "adjourned"].map(|status| game(status).unwrap());
        let [planned, newer] = [planned, newer].map(|game: GameAnswer| game.status);
        assert_eq!([planned, newer], [Some(TableGameStatus::Planned), None]);
        let event = |word: &str| serde_json::from_str(&format!(r#"{{"event": "{word}"}}"#));
        let [over, newer] = ["round_over", "round_adjourned"].map(|word| event(word).unwrap());
        let [over, newer] = [over, newer].map(|event: EventAnswer| event.event);
        assert_eq!([over, newer], [Some(TournamentEventKind::RoundOver), None]);
    }
}
