//! Events as JSON: as they are stored and sent, and as a replay reads them.
//!
//! An event is stored as the text that clients get, so that answers and streams pass it on unchanged, and so that a
//! client reads an old event as it was first told. The service itself reads few of its fields, by their names:
//! [`StoredEvent`] and [`EventHead`](crate::follow::event::EventHead) are the types of these. So the order of the fields
//! is free, and no field may get another name: a test compares the text with `model/stored_events.txt`.

use std::borrow::Cow;

use pagade_rules::play::{Cause, Engine, PathPlace, Seat};
use pagade_rules::tables::Counter;
use pagade_rules::units::PawnIndex;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::event::{ChoiceIndex, CounterChange, Event, EventReason, NumberedEvent};
use crate::ground::clock;
use crate::model::creation::OptionValue;
use crate::model::event::EventView;
use crate::model::written::PawnId;

impl NumberedEvent {
    /// Writes the event as it is stored and sent. `at` is the time of the commit.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn write(&self, engine: &Engine, at: &str) -> Result<Box<RawValue>, Problem> {
        let Self { id, version, step, event } = self;
        let label = |place: PathPlace| engine.label(place);
        let seat = event.seat.map(|seat| engine.seat_name(seat));
        let (with, by) = companions(engine, event);
        let info = event.cause.map(|cause| &engine.lines[cause.line.index()]);
        let counter = event
            .counter
            .and_then(|CounterChange { index, value }| Some((declared(engine, event.seat, index)?, value)));
        let mark = event.mark.and_then(|mark| engine.counters.marks.get(usize::from(mark.index)));
        let choice = event.choice.and_then(|ChoiceIndex(index)| engine.events.choices.get(usize::from(index)));
        let more = event.more.as_deref();
        let view = EventView {
            id: id.unwrap_or(0),
            event: event.kind.word(),
            at,
            version: *version,
            step: *step,
            seat,
            name: more.and_then(|more| more.name.as_deref()),
            contribution: more.and_then(|more| more.contribution.as_deref()),
            player: more.and_then(|more| more.player),
            robot: more.and_then(|more| more.robot).map(Into::into),
            control: more.and_then(|more| more.control).map(Into::into),
            until: more.and_then(|more| more.until).map(clock::at),
            pawn: seat.zip(event.pawn).map(|(seat, pawn)| PawnId { seat, pawn }),
            from: event.places.map(|(from, _)| label(from)),
            to: event.places.map(|(_, to)| label(to)),
            path: event.path.iter().map(|&place| label(place)).collect(),
            with,
            number: event.number,
            throw: event.throw.as_ref().map(|throw| engine.throw_text(throw)),
            counter: counter.map(|(counter, _)| counter.name.as_str()),
            value: counter.map(|(counter, value)| match counter.truth {
                true => OptionValue::Truth(value != 0),
                false => OptionValue::Number(value.into()),
            }),
            mark: mark.map(|mark| mark.name.as_str()),
            set: event.mark.map(|mark| mark.is_set),
            choice: choice.map(|choice| choice.word.as_str()),
            action: event.action.as_deref(),
            reason: event.reason.map(EventReason::word),
            by,
            rule: info.map(|line| line.name.as_str()),
            clauses: info.map(|line| line.clauses.as_slice()).unwrap_or_default(),
            because: event.cause.and_then(|cause| cause.event).map(|event| event.word()),
            pawns: more.and_then(|more| more.pawns.as_deref()),
            counters: more.and_then(|more| more.counters.as_deref()),
            roll_off: more.and_then(|more| more.roll_off.as_deref()),
            ranking: more.and_then(|more| more.ranking.as_deref()),
            next: more.and_then(|more| more.next.as_deref()),
        };
        to_raw_value(&view).map_err(internal)
    }
}

/// The declaration of a counter of a seat, or of the game.
fn declared(engine: &Engine, seat: Option<Seat>, index: u8) -> Option<&Counter> {
    let declared = if seat.is_some() { &engine.counters.seat } else { &engine.counters.game };
    declared.get(usize::from(index))
}

/// Returns the pawns of the cause of an event, as the fields `with` and `by`. If the event's own pawn is one of them,
/// the others are `with`: the event happens to all of them. Otherwise, all are `by`: they brought the event about.
fn companions<'e>(engine: &'e Engine, event: &Event) -> (Vec<PawnId<'e>>, Vec<PawnId<'e>>) {
    let Some(Cause { seat, pawns, .. }) = event.cause else { return (Vec::new(), Vec::new()) };
    let id = |pawn| PawnId { seat: engine.seat_name(seat), pawn };
    let of_cause = PawnIndex::all(engine.pawns.count).filter(|pawn| pawn.is_in(pawns));
    match event.pawn.filter(|pawn| event.seat == Some(seat) && pawn.is_in(pawns)) {
        Some(own) => (of_cause.filter(|pawn| *pawn != own).map(id).collect(), Vec::new()),
        None => (Vec::new(), of_cause.map(id).collect()),
    }
}

/// The fields of a stored event that a replay reads.
#[derive(Debug, Deserialize)]
pub(crate) struct StoredEvent<'e> {
    #[serde(borrow, default)]
    pub throw: Option<Cow<'e, str>>,
    #[serde(borrow, default)]
    pub action: Option<Cow<'e, str>>,
}

impl<'e> StoredEvent<'e> {
    /// Reads the bytes of a stored event.
    ///
    /// # Errors
    /// The bytes are not a stored event.
    pub(crate) fn read(bytes: &'e [u8]) -> Result<Self, Problem> {
        serde_json::from_slice(bytes).map_err(internal)
    }
}
