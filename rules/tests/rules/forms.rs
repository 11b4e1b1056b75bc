//! Checks the list of legal actions against all continuations of a turn. Actions with the same plain text must be
//! listed separately if and only if different actions or a different position can follow them.

use std::collections::BTreeSet;

use pagade_rules::bundled;
use pagade_rules::play::{Action, ActionForm, ActionKind, Actions, Engine, Fate, Phase, Quiet, State};
use pagade_rules::ruleset::Options;
use pagade_rules::tables::Duty;

use crate::common::Chance;

/// Greatest count of unspent numbers for which all continuations are listed. Longer hands have too many.
const MOST_NUMBERS: u32 = 4;

/// Number of games of each rule set.
const GAMES: usize = 30;

#[test]
fn actions_of_one_text_are_listed_apart_exactly_where_it_matters() {
    let (mut apart, mut together) = (0, 0);
    for id in ["chopat", "chaukabara-7", "parchesi-us", "superparcheesi"] {
        let engine = bundled::ruleset(id).unwrap().table(&Options::new(), None).unwrap();
        let mut chance = Chance(17);
        for _ in 0..GAMES {
            let mut state = engine.opening(engine.first_seat());
            for _ in 0..4000 {
                if state.phase == Phase::Over {
                    break;
                }
                if state.phase == Phase::Throw {
                    let throw = engine.draw(&mut |n| chance.below(n));
                    engine.throw(&mut state, &throw, &mut Quiet).unwrap();
                    continue;
                }
                let legal = engine.legal(&state);
                let (told, alike) = compare(&engine, &state, &legal);
                apart += told;
                together += alike;
                let action = legal[engine.pick(&legal, &mut |n| chance.below(n))];
                engine.play(&mut state, &action, &mut Quiet).unwrap();
            }
        }
    }
    assert!(apart > 60 && together > 60, "{apart} actions listed apart, {together} not listed apart");
}

/// Compares all ways to play each plain text. Returns two counts of actions: those listed in addition to the plain one,
/// and those left out because they lead to the same continuations. Does nothing if the turn or the hand is too long
/// to list all continuations.
fn compare(engine: &Engine, state: &State, legal: &Actions) -> (usize, usize) {
    let left: u32 = state.hand.banked.iter().map(|thrown| thrown.left.count_ones()).sum();
    if state.phase != Phase::Move || left > MOST_NUMBERS || state.owed != [0; 2] {
        return (0, 0);
    }
    let mut ways: Vec<Action> = Vec::new();
    engine.attempts(state, legal, &mut |attempt| {
        let is_known = |known: &Action| {
            (known.throw, known.pawn, known.other, known.line, known.numbers)
                == (
                    attempt.action.throw,
                    attempt.action.pawn,
                    attempt.action.other,
                    attempt.action.line,
                    attempt.action.numbers,
                )
        };
        if matches!(attempt.fate, Fate::Legal | Fate::SpendsLess) && !ways.iter().any(is_known) {
            ways.push(attempt.action);
        }
    });
    let distinct = engine.one_of_each(state, legal);
    let (mut told, mut alike) = (0, 0);
    for text in legal.iter().map(|action| plain(engine, state, action)).collect::<BTreeSet<_>>() {
        let listed: Vec<_> = distinct.iter().filter(|action| plain(engine, state, action) == text).collect();
        let ways: Vec<_> = ways.iter().filter(|action| plain(engine, state, action) == text).collect();
        if ways.len() < 2 {
            continue;
        }
        let futures: Vec<_> = listed.iter().map(|action| continuations(engine, state, action)).collect();
        for (index, future) in futures.iter().enumerate() {
            let other = futures[..index].iter().position(|other| other == future);
            assert_eq!(other, None, "{}: {listed:?} are the same in {state:?}", engine.identity.id);
        }
        // A plan whose first action is ordinary has only ordinary actions.
        let duty = duty(engine, listed[0]);
        let is_best = |way: &&&Action| {
            duty == Duty::Voluntary || spent(engine, state, way, duty) == spent(engine, state, listed[0], duty)
        };
        for way in ways.iter().filter(is_best) {
            let future = continuations(engine, state, way);
            assert!(futures.contains(&future), "{}: {text} {way:?} is missing in {state:?}", engine.identity.id);
        }
        told += listed.len() - 1;
        alike += ways.len().saturating_sub(listed.len());
    }
    (told, alike)
}

/// The text of an action without the throw and the pawns.
fn plain(engine: &Engine, state: &State, action: &Action) -> String {
    engine.action_text(state, &Action { form: ActionForm::PLAIN, ..*action })
}

/// Every sequence of plain texts that may follow an action in this turn, each with the position at its end.
fn continuations(engine: &Engine, state: &State, action: &Action) -> BTreeSet<String> {
    let mut next = *state;
    let mut legal = Actions::default();
    engine.play_unchecked(&mut next, action, &mut legal, &mut Quiet);
    if next.phase != Phase::Move || next.turn != state.turn || next.thrown != state.thrown {
        return BTreeSet::from([described(engine, &next)]);
    }
    let each = legal.iter().flat_map(|action| {
        let text = plain(engine, &next, action);
        continuations(engine, &next, action).into_iter().map(move |end| format!("{text} {end}"))
    });
    each.collect()
}

/// The greatest count of numbers that a plan beginning with this action spends. Its later actions have the duty
/// `Ordinary` or the duty `with`.
fn spent(engine: &Engine, state: &State, action: &Action, with: Duty) -> u32 {
    let mut next = *state;
    let mut legal = Actions::default();
    engine.play_unchecked(&mut next, action, &mut legal, &mut Quiet);
    let numbers = if action.throw.is_some() { action.numbers.count_ones() } else { 0 };
    if next.phase != Phase::Move || next.turn != state.turn || next.thrown != state.thrown {
        return numbers;
    }
    let moves = legal.iter().filter(|action| action.kind == ActionKind::Move);
    let counted = moves.filter(|action| [Duty::Ordinary, with].contains(&duty(engine, action)));
    numbers + counted.map(|action| spent(engine, &next, action, with)).max().unwrap_or_default()
}

fn duty(engine: &Engine, action: &Action) -> Duty {
    engine.moves.spend[usize::from(action.line)].duty
}

/// The position as rules can read it: for each seat its pawns with their marks, in any order, and its counters.
fn described(engine: &Engine, state: &State) -> String {
    let seats = engine.seating.players.iter().map(|seat| {
        let pawns = state.at[seat.index()].iter().zip(&state.marks[seat.index()]).take(engine.pawns.count.into());
        let mut pawns: Vec<_> = pawns.map(|(place, marks)| (place.0, *marks)).collect();
        pawns.sort_unstable();
        format!("{pawns:?} {:?}", state.counters[seat.index()])
    });
    let seats: Vec<String> = seats.collect();
    format!("{seats:?} {:?} {:?} {:?}", state.game, state.turn, state.phase)
}
