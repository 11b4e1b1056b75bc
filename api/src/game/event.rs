//! The events of a game. The word of every kind of event is defined here.

use pagade_robots::RobotKind;
use pagade_rules::play::{Cause, HappeningKind, PathPlace, Seat, Throw};
use pagade_rules::units::PawnIndex;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::game::setup::SeatRecord;
use crate::game::terms::{Agreement, Control, Ending};

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
    /// A decision was late: the server plays for the seat, or the seat forfeits.
    TimeOver,
    /// A token was renewed or revoked.
    TokenChanged,
    /// A webhook was registered or removed.
    WebhooksChanged,
    /// The table has changed who may watch the game, or its time limit; or the tournament has shown the game to
    /// everybody.
    TermsChanged,
    /// A player resigned.
    Resigned,
    /// A player was late too often.
    Forfeited,
    /// A player agrees to end or to abort the game, or withdraws the agreement.
    Agreed,
    /// Somebody else decides for a seat from now on: its player, a robot, or the server.
    ControlChanged,
    /// A registered player has claimed the guest who plays a seat.
    SeatClaimed,
    /// The value of a counter has changed.
    CounterChanged,
    /// A pawn has got or lost a mark.
    MarkChanged,
    /// A turn was taken back: a pawn is again where it was before the turn.
    PutBack,
    /// A happening that the engine reports about a throw or an action.
    Play(HappeningKind),
}

impl EventKind {
    /// The kinds of events that are not happenings of the engine.
    const OTHERS: [Self; 16] = [
        Self::Created,
        Self::Joined,
        Self::LeftSeat,
        Self::Started,
        Self::TimeOver,
        Self::TokenChanged,
        Self::WebhooksChanged,
        Self::TermsChanged,
        Self::Resigned,
        Self::Forfeited,
        Self::Agreed,
        Self::ControlChanged,
        Self::SeatClaimed,
        Self::CounterChanged,
        Self::MarkChanged,
        Self::PutBack,
    ];

    /// Returns the word of this kind of event, as in lists of events and in webhook messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Joined => "joined",
            Self::LeftSeat => "left_seat",
            Self::Started => "started",
            Self::TimeOver => "time_over",
            Self::TokenChanged => "token_changed",
            Self::WebhooksChanged => "webhooks_changed",
            Self::TermsChanged => "terms_changed",
            Self::Resigned => "resigned",
            Self::Forfeited => "forfeited",
            Self::Agreed => "agreed",
            Self::ControlChanged => "control_changed",
            Self::SeatClaimed => "seat_claimed",
            Self::CounterChanged => "counter_changed",
            Self::MarkChanged => "mark_changed",
            Self::PutBack => "put_back",
            Self::Play(happening) => happening.word(),
        }
    }

    /// Returns the kind of event with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let all = Self::OTHERS.into_iter().chain(HappeningKind::ALL.map(Self::Play));
        all.into_iter().find(|kind| kind.word() == word)
    }

    /// Returns the word of the milestone if this kind of event is one. Metrics count games by these words.
    pub(crate) fn milestone(self) -> Option<&'static str> {
        match self {
            Self::Created => Some("created"),
            Self::Started => Some("started"),
            Self::Play(HappeningKind::GameOver) => Some("finished"),
            _ => None,
        }
    }

    /// Tells whether an event of this kind is the end of the game.
    pub(crate) fn is_game_over(self) -> bool {
        self == Self::Play(HappeningKind::GameOver)
    }

    /// Tells whether the seat of an event of this kind has to decide from now on.
    pub(crate) fn makes_due(self) -> bool {
        matches!(self, Self::Play(HappeningKind::Turn | HappeningKind::Asked))
    }

    /// Tells whether an event of this kind may end the access of a token to the game.
    pub(crate) fn changes_access(self) -> bool {
        matches!(self, Self::TokenChanged | Self::TermsChanged | Self::LeftSeat | Self::SeatClaimed)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub kind: EventKind,
    /// The seat concerned: of the pawn, of the counter, of the turn, or the seat that was joined.
    pub(super) seat: Option<Seat>,
    pub(super) pawn: Option<PawnIndex>,
    /// The places where the pawn was before the event, and is after it.
    pub(super) places: Option<(PathPlace, PathPlace)>,
    /// The places that the pawn walked over.
    pub(super) path: Vec<PathPlace>,
    /// The number that was spent, the bonus that was granted, the count of throws granted or numbers lost, or the rank
    /// that was reached.
    pub(super) number: Option<u8>,
    /// The index of a counter, and its value.
    pub(super) counter: Option<(u8, i16)>,
    /// The index of a mark, and whether the pawn has it.
    pub(super) mark: Option<(u8, bool)>,
    /// The index of a choice.
    pub(super) choice: Option<u8>,
    /// The rule line that caused the event, and the pawns that moved together, captured, or brought the event about.
    pub(super) cause: Option<Cause>,
    pub throw: Option<Throw>,
    /// The action, as text in the form that the engine writes.
    pub action: Option<String>,
    /// The reason why the game ended, or the proposal that a player agrees to.
    pub(super) reason: Option<&'static str>,
    /// Fields that only few events have.
    pub(super) more: Option<Box<MoreOfEvent>>,
}

/// Fields that only few events have. The parts of the game's view are JSON already.
#[derive(Debug, Clone, Default)]
pub(crate) struct MoreOfEvent {
    /// The name of the player who joined.
    pub name: Option<String>,
    /// The contribution of the joining player to the dice.
    pub contribution: Option<String>,
    /// The id of the joining player.
    pub player: Option<Uuid>,
    /// The robot that plays the seat.
    pub robot: Option<RobotKind>,
    /// Who decides for the seat.
    pub control: Option<Control>,
    /// The time until which the player of the seat may come back, in milliseconds since 1970.
    pub until: Option<u64>,
    /// All pawns.
    pub pawns: Option<Box<RawValue>>,
    /// All counters.
    pub counters: Option<Box<RawValue>>,
    /// The throws that decided which seat begins.
    pub roll_off: Option<Box<RawValue>>,
    pub ranking: Option<Box<RawValue>>,
    /// The decision that the game waits for.
    pub next: Option<Box<RawValue>>,
}

impl Event {
    /// Makes an event about the whole game.
    pub(crate) fn of_game(kind: EventKind) -> Self {
        Self {
            kind,
            seat: None,
            pawn: None,
            places: None,
            path: Vec::new(),
            number: None,
            counter: None,
            mark: None,
            choice: None,
            cause: None,
            throw: None,
            action: None,
            reason: None,
            more: None,
        }
    }

    /// Makes an event about a seat.
    pub(crate) fn of_seat(kind: EventKind, seat: Seat) -> Self {
        Self { seat: Some(seat), ..Self::of_game(kind) }
    }

    /// Makes the event that a person or a robot joins a seat.
    pub(crate) fn of_joining(seat: Seat, record: &SeatRecord) -> Self {
        let SeatRecord { name, contribution, player, robot, .. } = record.clone();
        let more = MoreOfEvent { name, contribution, player, robot, ..MoreOfEvent::default() };
        Self { more: Some(Box::new(more)), ..Self::of_seat(EventKind::Joined, seat) }
    }

    /// Makes the event that `control` decides for a seat from now on. `robot` is the robot that plays, if one does. The
    /// player may come back until `until`, in milliseconds since 1970.
    pub(crate) fn of_control(
        seat: Seat,
        control: Option<Control>,
        robot: Option<RobotKind>,
        until: Option<u64>,
    ) -> Self {
        let more = MoreOfEvent { control, robot, until, ..MoreOfEvent::default() };
        Self { more: Some(Box::new(more)), ..Self::of_seat(EventKind::ControlChanged, seat) }
    }

    /// Makes the event that a registered player has claimed the guest who plays a seat.
    pub(crate) fn of_claim(seat: Seat, player: Uuid) -> Self {
        let more = MoreOfEvent { player: Some(player), ..MoreOfEvent::default() };
        Self { more: Some(Box::new(more)), ..Self::of_seat(EventKind::SeatClaimed, seat) }
    }

    /// Makes the event of a player who agrees to a proposal, or withdraws the agreement.
    pub(crate) fn of_agreement(seat: Seat, to: Agreement) -> Self {
        Self { reason: Some(to.word()), ..Self::of_seat(EventKind::Agreed, seat) }
    }

    /// Makes the last event of a game that its rules did not end.
    pub(crate) fn of_ending(ending: Ending) -> Self {
        Self { reason: Some(ending.word()), ..Self::of_game(EventKind::Play(HappeningKind::GameOver)) }
    }

    /// Tells whether the ranking has changed by the event.
    pub(crate) fn has_ranking(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.ranking.is_some())
    }

    /// Returns the fields that only few events have, to fill them in.
    pub(crate) fn more_mut(&mut self) -> &mut MoreOfEvent {
        self.more.get_or_insert_default()
    }
}

/// An event with its number in the list of the game.
#[derive(Debug, Clone)]
pub(crate) struct NumberedEvent {
    /// Number of the event, from 1, without gaps; 0 in a dry run, which is not stored.
    pub id: u64,
    /// Version of the game after the event.
    pub version: u64,
    /// Number of the step that the event belongs to; 0 before the first step.
    pub step: u64,
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event_word::event_words;

    #[test]
    fn the_description_explains_every_word_and_no_other() {
        let all = EventKind::OTHERS.into_iter().chain(HappeningKind::ALL.map(EventKind::Play));
        let mut words = all.map(EventKind::word).collect::<Vec<_>>();
        let mut explained = event_words().map(|(word, _)| word).collect::<Vec<_>>();
        words.sort_unstable();
        explained.sort_unstable();
        assert_eq!(words, explained);
    }

    #[test]
    fn every_kind_is_read_from_its_word() {
        let all = EventKind::OTHERS.into_iter().chain(HappeningKind::ALL.map(EventKind::Play));
        for kind in all {
            assert_eq!(EventKind::parse(kind.word()), Some(kind));
        }
        assert_eq!(EventKind::parse("gameover"), None);
    }
}
