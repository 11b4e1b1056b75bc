//! Long hands: their legal actions, and the number of positions that the search tries.

use std::cell::RefCell;

use super::super::memo::MemoEntry;
use super::super::progress::{LONG, MOST_TRIED_ALIKE, PlanSearch, most_tried};
use super::super::room_to_home;
use super::*;
use crate::play::quick::tests::{Chance as Draws, drawn};
use crate::tables::{Effect, Event};

thread_local! {
    /// For each search, the number of positions tried.
    static TRIED: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Records the number of positions that a search has tried.
pub(in super::super) fn note(tried: u32) {
    TRIED.with_borrow_mut(|all| all.push(tried));
}

/// The result of `look`, and the number of positions that each search has tried.
pub(super) fn watched<T>(look: impl FnOnce() -> T) -> (T, Vec<u32>) {
    TRIED.take();
    let found = look();
    (found, TRIED.take())
}

/// The games with two dice, with various options and players.
fn tables() -> Vec<Engine> {
    let games = games();
    let sets = games.iter().filter_map(|engine| bundled::ruleset(&engine.identity.id));
    let mut draws = Draws(7);
    let mut tables: Vec<Engine> = sets
        .flat_map(|set| (0..4).filter_map(|_| set.table(&drawn(&set, &mut draws), None).ok()).collect::<Vec<_>>())
        .filter(|engine| engine.turn.most && !engine.turn.may_pass && !engine.has_due())
        .collect();
    tables.extend(games);
    tables
}

#[test]
fn a_long_bank_near_home_is_spent_as_trying_out_every_plan_would_spend_it() {
    let mut restricted = 0;
    for engine in tables().into_iter().filter(banks) {
        let hands = (0..24).map(|seed| dealt(&engine, &mut Chance(seed), true, 4 + seed as u32 % 2));
        let long = hands.filter(|state| state.numbers_left() > LONG);
        restricted += compare(&engine, long);
    }
    assert!(restricted > 30, "{restricted}");
}

#[test]
fn what_is_said_not_to_fit_cannot_be_spent() {
    let (mut refused, mut exact) = (0, 0);
    for engine in tables() {
        let most_throws = if banks(&engine) { 4 } else { 2 };
        for state in (0..16).map(|seed| dealt(&engine, &mut Chance(seed), seed % 4 > 0, 1 + seed as u32 % most_throws))
        {
            let can = most(&engine, &state, false, &mut Known::new());
            let left = state.numbers_left();
            assert!(
                engine.at_most(&state, left, false, engine.locked(&state, engine.colour(&state))) >= can,
                "{}: {state:?}",
                engine.identity.id
            );
            for aim in 1..=left {
                let (mut table, mut failed) = ([MemoEntry::default(); 1], [0; room_to_home::FAILED]);
                let mut search = PlanSearch::new(&engine, &state, false, &mut table, &mut failed);
                if !engine.may_fit(&state, aim, &mut search.packed, false, search.locked) {
                    assert!(can < aim, "{}: {aim} of {state:?}", engine.identity.id);
                    refused += 1;
                    exact += usize::from(can == aim - 1);
                }
            }
        }
    }
    assert!(refused > 50 && exact > 20, "{refused} refused, {exact} at the first that is too much");
}

/// A position in the middle of a random game, where the first throw of a turn is due.
fn mid_game(engine: &Engine, chance: &mut Chance) -> Option<State> {
    let mut state = engine.opening(engine.seating.players[0]);
    let mut before = chance.below(if engine.seating.players.len() == 2 { 200 } else { 700 });
    loop {
        match state.phase {
            Phase::Over => return None,
            Phase::Throw if before == 0 && state.thrown == 0 => return Some(state),
            Phase::Throw => {
                let throw = engine.draw(&mut |n| chance.below(n));
                engine.throw(&mut state, &throw, &mut Quiet).unwrap();
            }
            _ => {
                let legal = engine.legal(&state);
                let action = legal[engine.pick(&legal, &mut |n| chance.below(n))];
                engine.play(&mut state, &action, &mut Quiet).unwrap();
                before = before.saturating_sub(1);
            }
        }
    }
}

/// Whether the rules collect several throws before the first is spent.
pub(super) fn banks(engine: &Engine) -> bool {
    engine.events.on[Event::Throw as usize].iter().any(|rule| rule.effects.contains(&Effect::ThrowNow))
}

/// The test counts positions instead of time. A release build tries about one position in a microsecond.
#[test]
fn twenty_banked_doublets_are_spent_to_the_end_of_the_turn_without_trying_too_much() {
    let (mut decisions, mut given_up) = (0, 0);
    let house = table(HOUSE.replace("REUNITE", "free").replace("LIMIT", "yes"));
    for engine in tables().into_iter().chain([house]) {
        let Dice::Faces { faces, .. } = &engine.throws.dice else { panic!("dice with faces") };
        let collects = banks(&engine);
        for seed in 0..if collects { 6 } else { 1 } {
            let mut chance = Chance(seed);
            let Some(mut state) = mid_game(&engine, &mut chance) else { continue };
            let mut face = || faces[chance.below(faces.len() as u32) as usize];
            let throws: Vec<[u8; 2]> = (0..20).map(|_| [face(); 2]).collect();
            bank(&engine, &mut state, &throws);
            let turn = state.turn;
            while state.phase == Phase::Move && state.turn == turn {
                let (legal, tried) = watched(|| engine.legal(&state));
                let all: u32 = tried.iter().sum();
                assert!(all < 3 * most_tried(&state), "{}: {all} tried for {state:?}", engine.identity.id);
                let is_given_up = tried.iter().any(|&tried| tried > most_tried(&state));
                let is_sure = all <= most_tried(&state).min(MOST_TRIED_ALIKE);
                assert!(!(legal.is_complete() && is_given_up), "{}: {state:?}", engine.identity.id);
                assert!(legal.is_complete() || !is_sure, "{}: {state:?}", engine.identity.id);
                if legal.is_empty() || !collects {
                    break;
                }
                decisions += 1;
                given_up += u32::from(is_given_up);
                let action = legal[chance.below(legal.len() as u32) as usize];
                engine.play(&mut state, &action, &mut Quiet).unwrap();
            }
        }
    }
    assert!(decisions > 400 && given_up * 50 < decisions, "{given_up} of {decisions}");
}
