//! The laws of a single step. They hold in every state.

use std::collections::HashSet;

use crate::common::Chance;
use pagade_rules::notation::WrittenAction;
use pagade_rules::play::{Action, Engine, Happening, HappeningKind, PASS, Phase, Quiet, Refusal, State};
use pagade_rules::position::{ByName, PositionSetup};
use pagade_rules::tables::{Counter, Event};
use pagade_rules::units::{MAX_PAWNS, MAX_SEATS, PathPlace, PawnIndex, Seat, SquareId, ThrowIndex};

/// The number of illegal actions that are tried in each state.
const TRIES: u32 = 6;

/// Checks all laws in a state. `open` are its legal actions, as the last step returned them.
pub(crate) fn check(engine: &Engine, state: &State, open: &[Action], chance: &mut Chance) {
    squares_know_who_stands_there(engine, state);
    something_is_open_where_a_decision_is_due(engine, state, open);
    only_what_is_due_can_be_done(engine, state, chance);
    what_is_listed_can_be_played(engine, state, open);
    what_is_not_listed_is_refused(engine, state, open, chance);
    texts_read_as_they_were_printed(engine, state, open);
    bytes_are_the_state_again(engine, state);
    positions_can_be_set_up(engine, state);
}

fn squares_know_who_stands_there(engine: &Engine, state: &State) {
    let places = |seat: Seat| &state.at[seat.index()][..usize::from(engine.pawns.count)];
    for square in (0..engine.board.squares).map(SquareId::new) {
        let mut counted = 0;
        for &seat in &engine.seating.colours {
            let here = places(seat).iter().filter(|&&place| engine.square(seat, place) == Some(square)).count();
            counted |= (here.min(3) as u16) << (2 * seat.0);
        }
        assert_eq!(counted, state.on(Some(square)), "{square:?}");
    }
    for &seat in &engine.seating.colours {
        let beyond = places(seat).iter().find(|&&place| place > engine.board.home());
        assert_eq!(beyond, None, "{seat:?} has a pawn beyond home");
    }
    assert_eq!(state.on(None), 0);
    let mut settled = *state;
    engine.settle_position(&mut settled);
    assert!(settled == *state, "nothing derived is out of date");
}

fn something_is_open_where_a_decision_is_due(engine: &Engine, state: &State, open: &[Action]) {
    let is_due = matches!(state.phase, Phase::Choose | Phase::Move | Phase::Declare);
    assert_eq!(!open.is_empty(), is_due, "{:?}", state.phase);
    assert_eq!(*engine.legal(state), *open, "a step leaves what is legal");
    let texts = engine.legal_texts(state);
    let distinct: HashSet<&String> = texts.iter().collect();
    assert_eq!(distinct.len(), texts.len(), "{texts:?}");
}

fn only_what_is_due_can_be_done(engine: &Engine, state: &State, chance: &mut Chance) {
    let mut after = *state;
    let throw = engine.draw(&mut |n| chance.below(n));
    let refused = match state.phase {
        Phase::Throw => (Ok(()), Err(Refusal::ThrowDue)),
        Phase::Over => (Err(Refusal::Over), Err(Refusal::Over)),
        Phase::Choose | Phase::Move | Phase::Declare => (Err(Refusal::NoThrowDue), Err(Refusal::NotLegal)),
    };
    if state.phase != Phase::Throw {
        assert_eq!(engine.throw(&mut after, &throw, &mut Quiet), refused.0);
    }
    if !engine.legal(state).contains(&PASS) {
        assert_eq!(engine.play(&mut after, &PASS, &mut Quiet), refused.1);
    }
    assert!(after == *state, "a refusal changes nothing");
}

fn what_is_listed_can_be_played(engine: &Engine, state: &State, open: &[Action]) {
    for action in open {
        let (mut after, mut heard) = (*state, Vec::new());
        engine.play(&mut after, action, &mut heard).unwrap();
        // A turn that is undone is a single event, not one for each pawn, and may lead back to the same state.
        if !heard.iter().any(|told| told.kind == HappeningKind::TakenBack) {
            // A pawn that stays may be granted the bonus again that it has spent.
            let granted = heard.iter().any(|told| told.kind == HappeningKind::BonusGranted);
            let is_refunded = action.from == action.to && action.throw.is_none() && granted;
            assert!(after != *state || is_refunded, "{}", engine.action_text(state, action));
            assert_eq!(followed(state.at, &heard), after.at, "{}", engine.action_text(state, action));
        }
        let falls = |told: &Happening| matches!(told.kind, HappeningKind::Cut | HappeningKind::Sent);
        assert!(!action.captures || heard.iter().any(falls), "{} captures", engine.action_text(state, action));
    }
}

/// The places of all pawns, by colour.
type Places = [[PathPlace; MAX_PAWNS]; MAX_SEATS];

/// The places of all pawns after these events have moved them.
fn followed(mut at: Places, heard: &[Happening]) -> Places {
    use HappeningKind::{Cut, Moved, Sent};
    for told in heard.iter().filter(|told| matches!(told.kind, Moved | Cut | Sent)) {
        let place = &mut at[told.seat.index()][told.pawn.unwrap().index()];
        assert_eq!(*place, told.from, "{told:?}");
        *place = told.to;
    }
    at
}

fn what_is_not_listed_is_refused(engine: &Engine, state: &State, open: &[Action], chance: &mut Chance) {
    let texts = engine.legal_texts(state);
    for _ in 0..TRIES.min(TRIES * open.len() as u32) {
        let listed = &open[chance.below(open.len() as u32) as usize];
        let other = changed(listed, chance);
        let mut after = *state;
        if !open.contains(&other) {
            assert_eq!(engine.play(&mut after, &other, &mut Quiet), Err(Refusal::NotLegal), "{other:?}");
            assert!(after == *state, "a refusal changes nothing");
        }
        let text = engine.action_text(state, listed);
        let Some((way, _)) = text.split_once(':') else { continue };
        let text = format!("{way}:31");
        assert!(engine.parse_action(state, &text).is_err(), "{text} of {texts:?}");
    }
}

/// Copies an action and changes one value of it at random.
fn changed(action: &Action, chance: &mut Chance) -> Action {
    let mut other = *action;
    let by = 1 + chance.below(5) as u8;
    let pawn = |pawn: PawnIndex| PawnIndex::new((pawn.number() + by) % 8);
    match chance.below(7) {
        0 => other.pawn = pawn(other.pawn),
        1 => other.other = other.other.map_or(Some(PawnIndex::new(by)), |_| None),
        2 => other.from.0 = other.from.0.wrapping_add(by),
        3 => other.to.0 = other.to.0.wrapping_add(by),
        4 => other.throw = other.throw.map_or(Some(ThrowIndex::new(by)), |_| None),
        5 => other.numbers = other.numbers.wrapping_add(by),
        _ => other.line = other.line.wrapping_add(by),
    }
    other
}

fn texts_read_as_they_were_printed(engine: &Engine, state: &State, open: &[Action]) {
    for action in engine.one_of_each(state, open) {
        let text = engine.action_text(state, &action);
        assert_eq!(engine.parse_action(state, &text), Ok(action), "{text}");
        assert_eq!(text.parse::<WrittenAction>(), Ok(engine.written(state, &action)));
    }
    if state.thrown > 0 {
        let text = engine.throw_text(&state.last);
        assert_eq!(engine.parse_throw(&text), Ok(state.last), "{text}");
    }
}

fn bytes_are_the_state_again(engine: &Engine, state: &State) {
    assert!(engine.decode(&engine.encode(state)) == Ok(*state));
}

/// Writes the beginning of a turn as a position and sets it up again. The effects of the turn's beginning then happen a
/// second time.
fn positions_can_be_set_up(engine: &Engine, state: &State) {
    if state.thrown > 0 || state.phase == Phase::Over {
        return;
    }
    let seats = engine.seating.players.iter().map(|seat| (engine.seat_name(*seat), &engine.counters.seat));
    let counters = seats.chain([("game", &engine.counters.game)]).map(|(seat, counters)| {
        let value =
            |counter: &Counter| (counter.name.clone(), engine.counter_value(state, seat, &counter.name).unwrap());
        (seat.to_owned(), ByName(counters.iter().map(value).collect()))
    });
    let marks = engine.seating.colours.iter().map(|seat| {
        let seat = engine.seat_name(*seat);
        let marked = |mark: &Counter| (mark.name.clone(), engine.marked(state, seat, &mark.name).unwrap());
        (seat.to_owned(), ByName(engine.counters.marks.iter().map(marked).collect()))
    });
    let setup = PositionSetup {
        pieces: engine.position(state),
        counters: ByName(counters.collect()),
        marks: ByName(marks.collect()),
        turn: Some(engine.seat_name(state.turn).to_owned()),
    };
    let again = engine.set_up(&setup, &mut Quiet).unwrap();
    if !engine.events.on[Event::TurnStart as usize].is_empty() {
        return;
    }
    assert_eq!(engine.position(&again), setup.pieces);
    for (seat, marks) in setup.marks.iter() {
        for (mark, labels) in marks.iter() {
            // If several pawns stand on one place, the mark may now be on another one of them.
            let sorted = |mut labels: Vec<String>| {
                labels.sort_unstable();
                labels
            };
            assert_eq!(sorted(engine.marked(&again, seat, mark).unwrap()), sorted(labels.clone()));
        }
    }
    if state.placed == 0 {
        // If the turn began with a choice before its throw, that choice is due again after the set-up.
        let is_asked_again = (state.phase, again.phase) == (Phase::Throw, Phase::Choose);
        assert_eq!(again.turn, state.turn);
        assert!(again.phase == state.phase || is_asked_again, "{:?}", again.phase);
        assert_eq!((again.counters, again.game), (state.counters, state.game));
    }
}
