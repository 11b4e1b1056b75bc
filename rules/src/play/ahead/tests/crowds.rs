//! Crowded positions of all games: the legal actions by one throw are those that begin a plan which spends the most.

use super::*;
use crate::build::tests::ruleset;
use crate::play::quick::tests::{Chance as Draws, crowd, drawn};

/// The number of positions at each table: `few`, unless the variable `CROWDS` is set when the test is compiled.
fn positions(few: u64) -> u64 {
    option_env!("CROWDS").and_then(|count| count.parse().ok()).unwrap_or(few)
}

/// A small crowded board.
const SMALL: &str = include_str!("../../quick/plain.yaml");

/// Changes of the small board: what can open or close the gate between two numbers.
const VARIANTS: [(&str, &str); 8] = [
    ("", ""),
    ("open_when: cuts >= needed", "open_when: pawns(inner) + cuts > 1"),
    ("open_when: cuts >= needed", "open_when: 'pawns(14, 15) > 1'"),
    ("event: cut, do: [cuts += victims]", "event: cut, when: pawns(inner) > 0, do: [cuts += 1]"),
    ("event: cut, do: [cuts += victims]", "event: home, do: [cuts += 1, throw after]"),
    ("event: cut, do: [cuts += victims]", "event: moved, when: number = 5, do: [cuts += 1]"),
    ("event: cut, do: [cuts += victims]", "event: pair_formed, do: [cuts = 2]"),
    ("event: cut, do: [cuts += victims]", "event: left, do: [cuts += 2]"),
];

#[test]
fn crowded_pawns_spend_one_throw_as_trying_out_every_plan_would_spend_it() {
    let mut draws = Draws(positions(5));
    // On a small board, it matters more often which pawn moves first.
    let small = VARIANTS.iter().map(|(text, instead)| ruleset(&SMALL.replacen(text, instead, 1)));
    let bundled = SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)).map(|set| (set, 6, 1));
    let mut restricted = 0;
    for (set, tables, times) in bundled.chain(small.map(|set| (set, 12, 5))) {
        let tables = (0..tables).filter_map(|_| set.table(&drawn(&set, &mut draws), None).ok());
        let tables = tables.filter(|engine| engine.turn.most && !engine.turn.may_pass && !engine.has_due());
        for engine in tables.collect::<Vec<_>>() {
            for _ in 0..times * positions(300) {
                restricted += compare(&engine, thrown(&engine, &mut draws).into_iter());
            }
        }
    }
    assert!(restricted > 300, "{restricted} positions in which some action would waste a number");
}

/// The positions of a turn with random counters and marks of the seat whose turn it is. Its pawns stand together, before
/// the gate or at home, and pairs of other seats on many of the places that they could reach.
fn thrown(engine: &Engine, chance: &mut Draws) -> Vec<State> {
    let (mut state, mut states) = (crowd(engine, chance), Vec::new());
    let (seat, turn) = (state.turn, state.turn.index());
    let throw = engine.draw(&mut |n| chance.below(n));
    for pawn in 1..usize::from(engine.pawns.count) {
        state.at[turn][pawn] = match chance.below(5) {
            0 => state.at[turn][0],
            1 | 2 => engine.board.home(),
            3 => PathPlace(engine.board.gate_at.0.saturating_sub(chance.below(6) as u8)),
            _ => state.at[turn][pawn],
        };
    }
    let others = engine.seating.colours.iter().filter(|other| **other != seat);
    for (&other, pawn) in others.zip([0, 1, 1, 2, 3, 3, 2]) {
        let face = usize::from(throw.faces[chance.below(2) as usize]);
        let from = state.at[turn][pawn.min(usize::from(engine.pawns.count) - 1)].index();
        let reached = engine.board.lands[chance.below(2) as usize][from + face & 255];
        if let Some(place) = reached.and_then(|place| engine.board.seen_as(seat, other, place)) {
            state.at[other.index()][..2].fill(place);
        }
    }
    engine.settle_position(&mut state);
    for (counter, value) in engine.counters.seat.iter().zip(&mut state.counters[turn]) {
        let (from, to) = counter.range;
        *value = from + chance.below((to - from).min(2) as u32 + 1) as i16;
    }
    if !engine.counters.marks.is_empty() && chance.below(2) == 0 {
        let pawns = usize::from(engine.pawns.count);
        state.marks[turn][..pawns].fill_with(|| 1 << chance.below(engine.counters.marks.len() as u32));
    }
    if state.phase != Phase::Throw || state.placed > 0 {
        return states;
    }
    engine.throw(&mut state, &throw, &mut Quiet).expect("a throw is due");
    while state.phase == Phase::Move && state.turn.index() == turn && states.len() < 4 {
        // Before a bonus that is taken at once, nothing is looked ahead for.
        if engine.is_judged(&state) {
            states.push(state);
        }
        let open = engine.legal(&state);
        let action = open[chance.below(open.len() as u32) as usize];
        engine.play(&mut state, &action, &mut Quiet).expect("a listed action is legal");
    }
    states
}
