//! The events of a tournament. The word of every kind of event is defined here.

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::model::tournament::SeatResultView;
use crate::model::tournament_event::TournamentEventView;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TournamentEventKind {
    /// The tournament was created.
    Created,
    /// An entrant has a place.
    Entered,
    /// An entrant waits for a place.
    Waiting,
    /// An entrant has left.
    Withdrawn,
    /// An entrant is not paired in a round.
    Absent,
    /// An entrant who had left is back.
    Returned,
    /// The tournament has started.
    Started,
    /// A round was paired.
    RoundPaired,
    /// A game of a table was created.
    GameCreated,
    /// A game ended without a result.
    GameVoid,
    /// A table has its result.
    Result,
    /// The result of a table was changed.
    ResultCorrected,
    /// All tables of a round have results.
    RoundOver,
    /// A round was taken back, because a result that it was paired from was wrong.
    RoundTakenBack,
    /// No round follows.
    Over,
    /// A token of the tournament was renewed.
    TokenChanged,
    /// A webhook was registered or removed.
    WebhooksChanged,
}

impl TournamentEventKind {
    const ALL: [Self; 17] = [
        Self::Created,
        Self::Entered,
        Self::Waiting,
        Self::Withdrawn,
        Self::Absent,
        Self::Returned,
        Self::Started,
        Self::RoundPaired,
        Self::GameCreated,
        Self::GameVoid,
        Self::Result,
        Self::ResultCorrected,
        Self::RoundOver,
        Self::RoundTakenBack,
        Self::Over,
        Self::TokenChanged,
        Self::WebhooksChanged,
    ];

    /// Returns the word of this kind of event.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "tournament_created",
            Self::Entered => "entrant_entered",
            Self::Waiting => "entrant_waiting",
            Self::Withdrawn => "entrant_withdrawn",
            Self::Absent => "entrant_absent",
            Self::Returned => "entrant_returned",
            Self::Started => "tournament_started",
            Self::RoundPaired => "round_paired",
            Self::GameCreated => "table_game_created",
            Self::GameVoid => "table_game_void",
            Self::Result => "table_result",
            Self::ResultCorrected => "table_result_corrected",
            Self::RoundOver => "round_over",
            Self::RoundTakenBack => "round_taken_back",
            Self::Over => "tournament_over",
            Self::TokenChanged => "tournament_token_changed",
            Self::WebhooksChanged => "tournament_webhooks_changed",
        }
    }

    /// Returns the kind of event with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tournament_event::TOURNAMENT_EVENT_WORDS;

    #[test]
    fn the_description_explains_every_word_and_no_other() {
        let words = TournamentEventKind::ALL.map(TournamentEventKind::word);
        let explained: Vec<_> = TOURNAMENT_EVENT_WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(words.as_slice(), explained);
        assert!(words.iter().all(|word| TournamentEventKind::parse(word).is_some()));
    }
}
