//! Tests that joint moves are found for every two pawns of a square, in any order of the pawns.

use std::collections::BTreeSet;

use super::super::context::Context;
use super::super::quick::tests::{Chance, crowd, drawn};
use super::super::{Actions, Phase, Quiet, State};
use crate::bundled;
use crate::play::engine::Engine;
use crate::tables::{Duty, Mover};
use crate::units::{PathPlace, PawnIndex, ThrowIndex};

/// A joint move: the index of its spend line, the places where it begins and ends, the throw and its numbers.
type Joint = (u8, PathPlace, PathPlace, Option<ThrowIndex>, u8);

const DUTIES: [Duty; 3] = [Duty::Ordinary, Duty::Last, Duty::Voluntary];

/// The joint moves of two pawns that the engine lists.
fn found(engine: &Engine, state: &State) -> BTreeSet<Joint> {
    let colour = engine.colour(state);
    let decision = engine.decision(state, colour);
    let throws = engine.distinct_throws(state);
    let mut actions = Actions::default();
    for (duty, line) in DUTIES.into_iter().flat_map(|duty| (0..engine.moves.spend.len()).map(move |line| (duty, line)))
    {
        engine.candidates_by(state, &decision, duty, line, throws, &mut actions);
    }
    let pairs = actions.iter().filter(|action| engine.moves.spend[action.line as usize].mover == Mover::Pair);
    pairs.map(|action| (action.line, action.from, action.to, action.throw, action.numbers)).collect()
}

/// The joint moves of two pawns, found by trying every two pawns in both orders.
fn of_any_two(engine: &Engine, state: &State) -> BTreeSet<Joint> {
    let colour = engine.colour(state);
    let gate = engine.gate_is_open(state, colour);
    let mut joint = BTreeSet::new();
    for (index, line) in engine.moves.spend.iter().enumerate() {
        if line.mover != Mover::Pair || !engine.holds(state, line.open, &Context::seat(colour)) {
            continue;
        }
        engine.offers(state, line, state.stage(), engine.distinct_throws(state), |offer| {
            let moved = state.hand.thrown(offer.throw).unwrap().moved;
            let pawns = PawnIndex::all(engine.pawns.count);
            for (one, other) in pawns.clone().flat_map(|one| pawns.clone().map(move |other| (one, other))) {
                let place = |pawn| state.place_of(colour, pawn);
                let together = engine.square(colour, place(one)) == engine.square(colour, place(other));
                let counts = [one, other].iter().all(|&pawn| place(pawn).is_in(engine.board.pairing));
                let free = !engine.turn.once_per_throw || moved & (one.alone() | other.alone()) == 0;
                let named = place(one) <= place(other) && place(one).is_in(line.from);
                if one == other || !together || !counts || !free || !named {
                    continue;
                }
                let ends = [one, other].map(|pawn| {
                    let (throw, number) = (offer.throw, offer.number);
                    let mut context =
                        Context { pawn, from: place(pawn), number, throw, joint: true, ..Context::seat(colour) };
                    let first = Context { pawn: one, from: place(one), ..context };
                    let steps = line.steps.map_or(i32::from(number.0), |steps| engine.value(state, steps, &first));
                    let steps = super::steps_within(steps)?;
                    let landing = engine.landing(state, line, steps, &mut context, gate)?;
                    engine.holds(state, line.when, &context).then_some(landing.to)
                });
                if let [Some(to), Some(also)] = ends
                    && to == also
                {
                    joint.insert((index as u8, place(one), to, offer.throw, offer.numbers));
                }
            }
        });
    }
    joint
}

/// A crowded position with random counters and marks, after one or two doublets.
fn dealt(engine: &Engine, chance: &mut Chance) -> Option<State> {
    let mut state = crowd(engine, chance);
    for _ in 0..=chance.below(2) {
        let face = chance.below(1 << 20);
        let throw = engine.draw(&mut |n| face % n);
        if state.phase == Phase::Throw {
            engine.throw(&mut state, &throw, &mut Quiet).ok()?;
        }
    }
    for counter in 0..engine.counters.seat.len() {
        let (from, to) = engine.counters.seat[counter].range;
        state.counters[state.turn.index()][counter] = from + chance.below((to - from).min(1) as u32 + 1) as i16;
    }
    for pawn in 0..engine.pawns.count as usize {
        state.marks[state.turn.index()][pawn] = chance.below(256) as u8 & chance.below(256) as u8;
    }
    (state.phase == Phase::Move).then_some(state)
}

#[test]
fn any_two_pawns_of_a_square_are_found_whatever_their_order() {
    let (mut compared, mut crowded) = (0, 0);
    for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
        let mut chance = Chance(11);
        let tables: Vec<_> = (0..12).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok()).collect();
        for engine in tables.iter().filter(|engine| engine.moves.spend.iter().any(|line| line.mover == Mover::Pair)) {
            for state in (0..400).filter_map(|_| dealt(engine, &mut chance)) {
                let any_two = of_any_two(engine, &state);
                assert_eq!(found(engine, &state), any_two, "{}: {state:?}", engine.identity.id);
                compared += usize::from(!any_two.is_empty());
                let colour = engine.colour(&state);
                let more = |pawn| engine.companions(&state, colour, pawn, 0).count_ones() > 1;
                crowded += usize::from(!any_two.is_empty() && PawnIndex::all(engine.pawns.count).any(more));
            }
        }
    }
    assert!(compared > 1000 && crowded > 300, "{compared} positions with pairs, {crowded} with more than one choice");
}
