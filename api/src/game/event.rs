//! The events of a game. Every kind has its word in one place.

use std::borrow::Cow;

use pagade_rules::play::{Engine, Happening, HappeningKind, PathPlace, Seat, Throw};
use pagade_rules::units::PawnIndex;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::terms::{Agreement, Ending};
use crate::model::event::EventView;
use crate::model::written::PawnId;

/// The kinds of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// The game was created.
    Created,
    /// A seat was joined.
    Joined,
    /// A seat was left, or freed by the owner.
    LeftSeat,
    /// The game was started.
    Started,
    /// A decision was late: the server plays for the seat.
    TimeOver,
    /// A token was renewed or revoked.
    TokenChanged,
    /// A player resigned.
    Resigned,
    /// A player was late too often.
    Forfeited,
    /// A player agrees to end or to abort the game, or no longer does.
    Agreed,
    /// A report of the engine on a throw or an action.
    Play(HappeningKind),
}

impl EventKind {
    /// The kinds that the engine does not report.
    const OUTSIDE_PLAY: [Self; 9] = [
        Self::Created,
        Self::Joined,
        Self::LeftSeat,
        Self::Started,
        Self::TimeOver,
        Self::TokenChanged,
        Self::Resigned,
        Self::Forfeited,
        Self::Agreed,
    ];

    /// The word of the kind, in lists of events and in webhook messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Joined => "joined",
            Self::LeftSeat => "left_seat",
            Self::Started => "started",
            Self::TimeOver => "time_over",
            Self::TokenChanged => "token_changed",
            Self::Resigned => "resigned",
            Self::Forfeited => "forfeited",
            Self::Agreed => "agreed",
            Self::Play(happening) => happening.word(),
        }
    }

    /// The kind with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let all = Self::OUTSIDE_PLAY.into_iter().chain(HappeningKind::ALL.map(Self::Play));
        all.into_iter().find(|kind| kind.word() == word)
    }

    /// The milestone that the kind is, as metrics count games.
    pub(crate) fn milestone(self) -> Option<&'static str> {
        match self {
            Self::Created => Some("created"),
            Self::Started => Some("started"),
            Self::Play(HappeningKind::GameOver) => Some("finished"),
            _ => None,
        }
    }

    /// Whether tokens may have lost their role.
    pub(crate) fn changes_access(self) -> bool {
        matches!(self, Self::TokenChanged | Self::LeftSeat)
    }
}

/// The move of a pawn.
#[derive(Debug, Clone, Copy)]
struct PawnMove {
    pawn: PawnIndex,
    from: PathPlace,
    to: PathPlace,
}

/// An event.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// The kind of event.
    pub kind: EventKind,
    /// The seat concerned: of the pawn, of the turn, or the seat that was joined.
    seat: Option<Seat>,
    moved: Option<PawnMove>,
    /// The number spent, the bonus granted, or the rank reached.
    number: Option<u8>,
    /// The throw.
    pub throw: Option<Throw>,
    /// The action, as the engine writes it.
    pub action: Option<String>,
    /// Why the game ended, or what a player agrees to.
    reason: Option<&'static str>,
}

impl Event {
    /// An event of the whole game.
    pub(crate) fn of_game(kind: EventKind) -> Self {
        Self { kind, seat: None, moved: None, number: None, throw: None, action: None, reason: None }
    }

    /// An event of a seat.
    pub(crate) fn of_seat(kind: EventKind, seat: Seat) -> Self {
        Self { seat: Some(seat), ..Self::of_game(kind) }
    }

    /// The event of a player who agrees to something.
    pub(crate) fn of_agreement(seat: Seat, to: Agreement) -> Self {
        Self { reason: Some(to.word()), ..Self::of_seat(EventKind::Agreed, seat) }
    }

    /// The end of a game that its rules did not end.
    pub(crate) fn of_ending(ending: Ending) -> Self {
        Self { reason: Some(ending.word()), ..Self::of_game(EventKind::Play(HappeningKind::GameOver)) }
    }

    /// The event of an engine report.
    pub(crate) fn of_happening(happening: &Happening) -> Self {
        let Happening { kind, seat, pawn, from, to, number } = *happening;
        Self {
            moved: pawn.map(|pawn| PawnMove { pawn, from, to }),
            number: (number > 0 && kind != HappeningKind::Chosen).then_some(number),
            ..Self::of_seat(EventKind::Play(kind), seat)
        }
    }

    /// The event of the throw itself.
    pub(crate) fn of_throw(happening: &Happening, throw: Throw) -> Self {
        Self { number: None, throw: Some(throw), ..Self::of_happening(happening) }
    }
}

/// An event with its number in the list of the game.
#[derive(Debug, Clone)]
pub(crate) struct NumberedEvent {
    /// Number of the event, from 1 and without gaps; 0 in a trial.
    pub id: u64,
    /// Version of the game after the event.
    pub version: u64,
    /// Number of its step; 0 before the first.
    pub step: u64,
    /// The event.
    pub event: Event,
}

impl NumberedEvent {
    /// Writes the event as it is stored and sent. `at` is the time of the commit.
    ///
    /// # Errors
    /// The event cannot be written, which its type rules out.
    pub(crate) fn write(&self, engine: &Engine, at: &str) -> Result<Box<RawValue>, Problem> {
        let Self { id, version, step, event } = self;
        let seat = event.seat.map(|seat| engine.seat_name(seat));
        let label = |place: fn(PawnMove) -> PathPlace| event.moved.map(|moved| engine.label(place(moved)));
        let view = EventView {
            id: *id,
            event: event.kind.word(),
            at,
            version: *version,
            step: *step,
            seat,
            pawn: seat.zip(event.moved).map(|(seat, PawnMove { pawn, .. })| PawnId { seat, pawn }),
            from: label(|moved| moved.from),
            to: label(|moved| moved.to),
            number: event.number,
            throw: event.throw.as_ref().map(|throw| engine.throw_text(throw)),
            action: event.action.as_deref(),
            reason: event.reason,
        };
        to_raw_value(&view).map_err(internal)
    }
}

/// The fields of a stored event that a replay reads.
#[derive(Debug, Deserialize)]
pub(crate) struct StoredEvent<'e> {
    /// The throw.
    #[serde(borrow, default)]
    pub throw: Option<Cow<'e, str>>,
    /// The action.
    #[serde(borrow, default)]
    pub action: Option<Cow<'e, str>>,
}

impl<'e> StoredEvent<'e> {
    /// Reads the bytes of a stored event.
    ///
    /// # Errors
    /// The bytes are no event.
    pub(crate) fn read(bytes: &'e [u8]) -> Result<Self, Problem> {
        serde_json::from_slice(bytes).map_err(internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event_word::EVENT_WORDS;

    #[test]
    fn the_description_explains_every_word_and_no_other() {
        let all = EventKind::OUTSIDE_PLAY.into_iter().chain(HappeningKind::ALL.map(EventKind::Play));
        let mut words = all.map(EventKind::word).collect::<Vec<_>>();
        let mut explained = EVENT_WORDS.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        words.sort_unstable();
        explained.sort_unstable();
        assert_eq!(words, explained);
    }

    #[test]
    fn every_kind_is_read_from_its_word() {
        let all = EventKind::OUTSIDE_PLAY.into_iter().chain(HappeningKind::ALL.map(EventKind::Play));
        for kind in all {
            assert_eq!(EventKind::parse(kind.word()), Some(kind));
        }
        assert_eq!(EventKind::parse("gameover"), None);
    }
}
