//! The events of a step, made from the report of the engine.

use pagade_rules::play::{Action, Engine, Happening, HappeningKind, ReportLine, Reported, StateChange, StepReport};
use pagade_rules::units::Pips;

use crate::game::event::{ChoiceIndex, CounterChange, Event, MarkChange};
use crate::model::event_kind::EventKind;

/// Makes the events of a step from the report of the engine. `action` is the action of the step; `None` if the step is
/// a throw. Changes of hidden counters and marks are left out, as views leave them out.
pub(crate) fn events(engine: &Engine, action: Option<&Action>, report: &StepReport) -> Vec<Event> {
    report.lines.iter().filter_map(|line| event(engine, action, line)).collect()
}

fn event(engine: &Engine, action: Option<&Action>, line: &ReportLine) -> Option<Event> {
    let event = match line.reported {
        Reported::Happening(happening) => happened(engine, action, line, &happening),
        Reported::Change(StateChange::Counter { seat, index, value }) => {
            let declared = if seat.is_some() { &engine.counters.seat } else { &engine.counters.game };
            if declared.get(usize::from(index))?.hidden {
                return None;
            }
            Event { seat, counter: Some(CounterChange { index, value }), ..Event::of_game(EventKind::CounterChanged) }
        }
        Reported::Change(StateChange::Mark { seat, pawn, index, is_set }) => {
            if engine.counters.marks.get(usize::from(index))?.hidden {
                return None;
            }
            let mark = Some(MarkChange { index, is_set });
            Event { pawn: Some(pawn), mark, ..Event::of_seat(EventKind::MarkChanged, seat) }
        }
        Reported::Change(StateChange::PutBack { seat, pawn, from, to }) => {
            Event { pawn: Some(pawn), places: Some((from, to)), ..Event::of_seat(EventKind::PutBack, seat) }
        }
    };
    Some(Event { cause: line.cause, ..event })
}

fn happened(engine: &Engine, action: Option<&Action>, line: &ReportLine, happening: &Happening) -> Event {
    let Happening { kind, seat, pawn, from, to, number } = *happening;
    let event = Event { pawn, places: pawn.map(|_| (from, to)), ..Event::of_seat(EventKind::Play(kind), seat) };
    match kind {
        // The `number` of a throw is the sum of its faces, which the event leaves out. The `number` of a choice is the
        // index of the choice.
        HappeningKind::Thrown => event,
        HappeningKind::Chosen => Event { choice: Some(ChoiceIndex(number)), ..event },
        HappeningKind::Moved => {
            // A move that is not caused by the spend line of the action is a jump: its path has only its last place.
            let spend = action.and_then(|action| engine.moves.spend.get(usize::from(action.line)));
            let walks = spend.filter(|spend| line.cause.is_some_and(|cause| cause.line == spend.line));
            let path = walks.map_or_else(|| vec![to], |spend| engine.walked(spend.route, from, to, Pips(number)));
            Event { path, number: (number > 0).then_some(number), ..event }
        }
        _ => Event { number: (number > 0).then_some(number), ..event },
    }
}
