//! Hands of four to ten throws: the legal actions are exactly those that begin a plan which spends the most.

use super::banks::banks;
use super::*;
use crate::play::companions::pawns_of;
use crate::play::quick::tests::{Chance as Draws, drawn};

/// Maximum number of positions that a search through every plan may visit. Hands that need more are not compared.
const MOST_KNOWN: usize = 20_000;

/// The places on which one bundled game can lock a pair.
const OF_PAIRS: [u8; 5] = [34, 35, 37, 38, 40];

/// The games that collect throws, with various options.
fn tables() -> Vec<Engine> {
    let mut draws = Draws(3);
    let sets = SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let tables = sets.flat_map(|set| {
        let options = (0..16).map(|n| if n == 0 { Options::new() } else { drawn(&set, &mut draws) });
        options.filter_map(|options| set.table(&options, None).ok()).collect::<Vec<_>>()
    });
    tables.filter(|engine| banks(engine) && engine.turn.most && !engine.turn.may_pass && !engine.has_due()).collect()
}

/// A random position with marks, counters and pairs, and a hand in which the rules have collected `throws` throws.
fn collected(engine: &Engine, chance: &mut Chance, throws: u32) -> Option<State> {
    let mut state = engine.opening(engine.seating.players[0]);
    let (turn, places) = (state.turn.index(), u32::from(engine.board.len) - 1);
    let least = [0, places / 2, places - places / 4, places - places / 7][chance.below(4) as usize];
    scatter(engine, &mut state, chance, least);
    for pawn in 0..usize::from(engine.pawns.count) {
        match chance.below(6) {
            0 => state.at[turn][pawn] = engine.board.home(),
            1 => state.at[turn][pawn] = state.at[turn][0],
            _ => {}
        }
        if chance.below(4) == 0 && !engine.counters.marks.is_empty() {
            state.marks[turn][pawn] = 1 << chance.below(engine.counters.marks.len() as u32);
        }
    }
    let is_paired = chance.below(3) == 0 && places > 40;
    if is_paired {
        let place = PathPlace(OF_PAIRS[chance.below(5) as usize]);
        state.at[turn][..2].fill(place);
        state.marks[turn][..2].fill(0);
    }
    engine.settle_position(&mut state);
    for (counter, value) in engine.counters.seat.iter().zip(&mut state.counters[turn]) {
        let (from, to) = counter.range;
        *value = if is_paired { to.min(1) } else { from + chance.below((to - from).min(1) as u32 + 1) as i16 };
    }
    state.clear_turn();
    state.phase = Phase::Throw;
    for i in 1..=throws {
        state = (0..40).find_map(|_| {
            let mut next = state;
            engine.throw(&mut next, &engine.draw(&mut |n| chance.below(n)), &mut Quiet).ok()?;
            let phase = if i < throws { Phase::Throw } else { Phase::Move };
            (next.phase == phase && next.turn == state.turn && u32::from(next.hand.throws) == i).then_some(next)
        })?;
    }
    Some(state)
}

/// The number of hands that are dealt at each table: `few`, unless the variable `HANDS` is set when the test is
/// compiled.
fn hands(few: u64) -> u64 {
    option_env!("HANDS").and_then(|count| count.parse().ok()).unwrap_or(few)
}

#[test]
fn four_to_ten_collected_throws_are_spent_as_trying_out_every_plan_would_spend_them() {
    let (mut compared, mut all, mut unsure) = (0, 0, 0);
    for engine in tables() {
        for seed in 0..hands(8) {
            let mut chance = Chance(seed);
            let throws = 4 + chance.below(7).min(chance.below(7));
            let Some(state) = collected(&engine, &mut chance, throws) else { continue };
            let found = engine.legal(&state);
            all += 1;
            unsure += usize::from(!found.is_complete());
            let mut known = Known::with_room(MOST_KNOWN);
            let tried = by_every_plan_known(&engine, &state, &mut known);
            if known.is_full() || !found.is_complete() {
                continue;
            }
            let texts = |actions: &[Action]| {
                let mut texts = engine.texts(&state, actions);
                texts.sort();
                texts
            };
            assert_eq!(
                texts(&found),
                texts(&tried),
                "{}: {state:?} {:?}",
                engine.identity.id,
                engine.hand_texts(&state)
            );
            compared += 1;
        }
    }
    println!("{compared} compared of {all}, {unsure} incomplete");
    assert!(compared > 3 && unsure * 5 < all, "{compared} compared of {all}, {unsure} incomplete");
}

#[test]
fn a_locked_pawn_never_moves_and_a_gate_that_stays_open_never_closes() {
    let (mut locked, mut open) = (0, 0);
    for engine in tables() {
        for seed in 0..hands(60) {
            let mut chance = Chance(seed);
            let Some(mut state) = collected(&engine, &mut chance, 4 + (seed % 3) as u32) else { continue };
            let colour = engine.colour(&state);
            let (pawns, before) = (engine.locked(&state, colour), state.at[colour.index()]);
            let gate = engine.assumptions.gate_stays && engine.gate_is_open(&state, colour);
            locked += usize::from(pawns != 0);
            open += usize::from(gate);
            while state.phase == Phase::Move && !state.ending && state.numbers_left() > 0 {
                let mut actions = Actions::default();
                engine.candidates(&state, Duty::Ordinary, &mut actions);
                let Some(count) = u32::try_from(actions.len()).ok().filter(|count| *count > 0) else { break };
                engine.perform(&mut state, &actions[chance.below(count) as usize], &mut Quiet);
                let stays = |pawn: crate::units::PawnIndex| state.place_of(colour, pawn) == before[pawn.index()];
                assert!(pawns_of(pawns).all(stays), "{}: {pawns:b} {state:?}", engine.identity.id);
                assert!(!gate || engine.gate_is_open(&state, colour), "{}: {state:?}", engine.identity.id);
            }
        }
    }
    assert!(locked > 5 && open > 20, "{locked} positions with locked pawns, {open} with an open gate");
}
