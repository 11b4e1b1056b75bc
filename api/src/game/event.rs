//! The events of a game.

use pagade_robots::RobotKind;
use pagade_rules::play::{Cause, HappeningKind, PathPlace, Seat, Throw};
use pagade_rules::units::PawnIndex;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::game::setup::GameSeat;
use crate::game::terms::{Agreement, Control, Ending};
use crate::model::event_kind::EventKind;

impl EventKind {
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
    pub(super) counter: Option<CounterChange>,
    pub(super) mark: Option<MarkChange>,
    pub(super) choice: Option<ChoiceIndex>,
    /// The rule line that caused the event, and the pawns that moved together, captured, or brought the event about.
    pub(super) cause: Option<Cause>,
    pub throw: Option<Throw>,
    /// The action, as text in the form that the engine writes.
    pub action: Option<String>,
    pub(super) reason: Option<EventReason>,
    /// Fields that only few events have.
    pub(super) more: Option<Box<MoreOfEvent>>,
}

/// What the field `reason` of an event says.
#[derive(Debug, Clone, Copy)]
pub(super) enum EventReason {
    /// The reason why the game ended.
    Ended(Ending),
    /// The proposal that a player agrees to.
    Agreed(Agreement),
}

impl EventReason {
    /// Returns the word of the reason.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ended(ending) => ending.word(),
            Self::Agreed(agreement) => agreement.word(),
        }
    }
}

/// A counter, and its new value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CounterChange {
    /// The index of the counter among those of a seat, or of the game.
    pub index: u8,
    pub value: i16,
}

/// A mark that a pawn has got or lost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarkChange {
    /// The index of the mark among those of the rule set.
    pub index: u8,
    pub is_set: bool,
}

/// The index of a choice among those of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceIndex(pub u8);

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
    pub(crate) fn of_joining(seat: Seat, record: &GameSeat) -> Self {
        let GameSeat { name, contribution, player, robot, .. } = record.clone();
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
        Self { reason: Some(EventReason::Agreed(to)), ..Self::of_seat(EventKind::Agreed, seat) }
    }

    /// Makes the last event of a game that its rules did not end.
    pub(crate) fn of_ending(ending: Ending) -> Self {
        let reason = Some(EventReason::Ended(ending));
        Self { reason, ..Self::of_game(EventKind::Play(HappeningKind::GameOver)) }
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
    /// Number of the event, from 1, without gaps; `None` in a dry run, which is not stored.
    pub id: Option<u64>,
    /// Version of the game after the event.
    pub version: u64,
    /// Number of steps of the game so far, with the step that the event belongs to.
    pub step: u64,
    pub event: Event,
}
