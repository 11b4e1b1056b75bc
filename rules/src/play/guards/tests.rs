//! Compares the guards with the conditions themselves, in random positions of all bundled rule sets.

use super::super::context::Context;
use super::super::quick::tests::{Chance, crowd};
use crate::bundled::{Bundled, SETS};
use crate::play::engine::Engine;
use crate::play::state::State;
use crate::ruleset::{Options, RuleFiles, RuleSet};
use crate::tables::Event;
use crate::units::{PathPlace, PawnIndex, Pips};

fn tables() -> impl Iterator<Item = (&'static str, Engine)> {
    SETS.iter().map(|(id, _)| {
        let set = RuleSet::check(&Bundled.find(id).unwrap(), &Bundled).ruleset.unwrap();
        (*id, set.table(&Options::new(), None).unwrap())
    })
}

/// A random position with a throw and counters, and a random context.
fn position(engine: &Engine, chance: &mut Chance) -> (State, Context) {
    let mut state = crowd(engine, chance);
    state.last = engine.draw(&mut |n| chance.below(n));
    state.thrown = 1 + chance.below(3) as u8;
    for counter in state.game.iter_mut().chain(state.counters.iter_mut().flatten()) {
        *counter = chance.below(4) as i16;
    }
    let mut place = || PathPlace(chance.below(u32::from(engine.board.len)) as u8);
    let (from, to) = (place(), place());
    let players = &engine.seating.players;
    let own = players[chance.below(players.len() as u32) as usize];
    let other = players[chance.below(players.len() as u32) as usize];
    let pawn = PawnIndex::new(chance.below(u32::from(engine.pawns.count)) as u8);
    let (number, joint) = (Pips(chance.below(14) as u8), chance.below(2) == 1);
    (state, Context { own, other, pawn, from, to, number, joint, ..Context::seat(own) })
}

#[test]
fn a_guard_leaves_out_no_line_that_applies_and_claims_none_that_does_not() {
    let (mut left_out, mut sure) = (0, 0);
    for (id, engine) in tables() {
        let mut chance = Chance(7);
        for _ in 0..300 {
            let (state, context) = position(&engine, &mut chance);
            for event in Event::all() {
                let guard = engine.guards.at(&state, event, &context);
                for (index, line) in engine.events.on[event as usize].iter().enumerate().take(64) {
                    let holds = engine.holds(&state, line.when, &context);
                    let [may, is_sure] = [guard.may, guard.sure].map(|lines| lines >> index & 1 == 1);
                    assert!(may || !holds, "{id}: line {index} of {event:?} applies, {context:?}");
                    assert!(holds || !is_sure, "{id}: line {index} of {event:?} does not apply, {context:?}");
                    left_out += u32::from(!may);
                    sure += u32::from(is_sure && line.when.is_some());
                }
            }
        }
    }
    assert!(left_out > 10_000 && sure > 1_000, "{left_out} lines were left out, {sure} were sure");
}

#[test]
fn a_spend_line_that_is_left_out_by_place_or_number_would_not_apply() {
    let mut left_out = 0;
    for (id, engine) in tables() {
        let mut chance = Chance(11);
        for _ in 0..300 {
            let (state, context) = position(&engine, &mut chance);
            let places = [context.from; crate::units::MAX_PAWNS];
            let from = engine.spend_lines.beginning(1, &places).1;
            let by_number = engine.spend_lines.by_number(context.number);
            for (index, line) in engine.moves.spend.iter().enumerate() {
                let fits = line.exactly.has(context.number);
                let holds = fits && context.from.is_in(line.from) && engine.holds(&state, line.when, &context);
                let may = (from & by_number) >> index & 1 == 1;
                assert!(may || !holds, "{id}: spend line {index} applies, {context:?}");
                left_out += u32::from(!may && context.from.is_in(line.from) && fits);
            }
        }
    }
    assert!(left_out > 300, "conditions left out {left_out} lines");
}
