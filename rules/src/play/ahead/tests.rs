//! Compares looking ahead with trying every plan, and limits its cost for the longest hands.

pub(super) mod banks;
mod complete;
mod crowds;
mod exact;

use std::collections::HashMap;

use super::super::state::{Banked, Bonus};
use super::super::{Action, Actions, PASS, Phase, Quiet, State, Throw};
use crate::bundled::{self, Bundled, SETS};
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::ruleset::{Options, RuleSet};
use crate::source::Source;
use crate::tables::{Dice, Duty, Fact, Op};
use crate::units::{Due, PathPlace, Pips};

/// A small random number generator for tests: splitmix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ z >> 31) >> 32) * u64::from(n) >> 32) as u32
    }
}

fn table(text: String) -> Engine {
    let source = Source { name: "house.yaml".into(), text };
    let checked = RuleSet::check(&source, &Bundled);
    checked.ruleset.expect("it passes its check").table(&Options::new(), None).unwrap()
}

/// The bundled games with two dice in which players must spend as many numbers as possible.
fn games() -> Vec<Engine> {
    let sets = SETS.iter().filter_map(|(id, _)| bundled::ruleset(id));
    let tables = sets.map(|set| set.table(&Options::new(), None).unwrap());
    let games = tables.filter(|engine| {
        engine.turn.most && !engine.has_due() && matches!(engine.throws.dice, Dice::Faces { count: 2, .. })
    });
    games.collect()
}

/// Gives the state a hand of these throws, each of two dice.
fn bank(engine: &Engine, state: &mut State, throws: &[[u8; 2]]) {
    state.clear_turn();
    for (i, &[a, b]) in throws.iter().enumerate() {
        let throw = Throw { faces: [a, b, 0, 0], count: 2, up: None };
        state.last = throw;
        state.thrown = i as u8 + 1;
        state.hand.banked[i] = engine.numbers_of(state, &super::super::context::Context::seat(state.turn), &mut Quiet);
        state.hand.throws += 1;
    }
    state.phase = Phase::Move;
}

/// The legal actions, found by trying every plan to its end.
fn by_every_plan(engine: &Engine, state: &State) -> Vec<Action> {
    by_every_plan_known(engine, state, &mut Known::new())
}

fn by_every_plan_known(engine: &Engine, state: &State, known: &mut Known) -> Vec<Action> {
    let mut actions = Actions::default();
    let binding = engine.candidates(state, Duty::Ordinary, &mut actions);
    let last_too = actions.is_empty();
    if last_too {
        engine.candidates(state, Duty::Last, &mut actions);
    }
    let worth: Vec<u32> = actions.iter().map(|action| worth(engine, state, action, last_too, known)).collect();
    let best = worth.iter().copied().max().unwrap_or_default();
    let whole = state.hand.banked.iter().any(|thrown| thrown.flags & Banked::ALL_OR_NONE != 0);
    let best = if whole { state.numbers_left() } else { best };
    let worth = actions.iter().zip(worth).filter(|(_, worth)| *worth == best);
    let mut listed = Actions::default();
    worth.for_each(|(action, _)| listed.push(*action));
    engine.tell_apart(state, &mut listed, 0, last_too, true);
    let ordinary = listed.len();
    engine.candidates(state, Duty::Voluntary, &mut listed);
    listed.retain_from(ordinary, |action| binding.is_none_or(|binding| engine.is_left(state, binding, action)));
    if listed.len() > ordinary {
        engine.tell_apart(state, &mut listed, ordinary, last_too, false);
        if ordinary == 0 {
            listed.push(super::super::PASS);
        }
    }
    listed.to_vec()
}

/// The count of numbers that can be spent in each position that was visited, for at most `room` positions.
struct Known {
    most: HashMap<State, u32>,
    room: usize,
}

impl Known {
    fn new() -> Known {
        Known::with_room(usize::MAX)
    }

    fn with_room(room: usize) -> Known {
        Known { most: HashMap::new(), room }
    }

    /// Whether `room` positions are known. New positions are then not searched and count as 0, so that results may be
    /// too small.
    fn is_full(&self) -> bool {
        self.most.len() >= self.room
    }
}

fn worth(engine: &Engine, state: &State, action: &Action, last_too: bool, known: &mut Known) -> u32 {
    let mut next = *state;
    engine.perform(&mut next, action, &mut Quiet);
    action.spends() + most(engine, &next, last_too, known)
}

fn most(engine: &Engine, state: &State, last_too: bool, known: &mut Known) -> u32 {
    if state.ending || state.phase == Phase::Over || state.numbers_left() == 0 {
        return 0;
    }
    let key = plain_state(engine, state);
    if let Some(&most) = known.most.get(&key) {
        return most;
    }
    if known.is_full() {
        return 0;
    }
    let mut actions = Actions::default();
    engine.candidates(state, Duty::Ordinary, &mut actions);
    if actions.is_empty() && last_too {
        engine.candidates(state, Duty::Last, &mut actions);
    }
    let most = if actions.is_empty() && state.stage() == HandStage::BonusNow {
        let mut forfeited = *state;
        forfeited.hand.drop_bonuses(Due::Now);
        most(engine, &forfeited, last_too, known)
    } else {
        actions.iter().map(|action| worth(engine, state, action, last_too, known)).max().unwrap_or_default()
    };
    known.most.insert(key, most);
    most
}

/// The state without the values that no rule reads: the pawns that spent throws have moved, the pawns that parted, the
/// pawn that moved last, and the order of the throws.
fn plain_state(engine: &Engine, state: &State) -> State {
    let mut plain = *state;
    let throws = usize::from(plain.hand.throws);
    for thrown in plain.hand.banked[..throws].iter_mut().filter(|thrown| thrown.left == 0) {
        *thrown = Banked::default();
    }
    if !engine.code.ops.contains(&Op::Fact(Fact::ThrowNumber)) {
        let key = |thrown: &Banked| (thrown.numbers, thrown.left, thrown.moved, thrown.parted, thrown.flags);
        plain.hand.banked[..throws].sort_unstable_by_key(key);
    }
    if !engine.turn.asks_apart() {
        plain.apart = Default::default();
    }
    if !engine.assumptions.asks_mover {
        plain.last_moved = None;
    }
    plain
}

/// Puts the pawns of all seats on random places. The pawns of the seat to move stand on the place `least` or later.
fn scatter(engine: &Engine, state: &mut State, chance: &mut Chance, least: u32) {
    let places = u32::from(engine.board.len) - 1;
    for &seat in &engine.seating.players {
        for pawn in 0..engine.pawns.count as usize {
            let first = if seat == state.turn { least } else { 0 };
            state.at[seat.index()][pawn] = PathPlace((first + chance.below(places - first)) as u8);
        }
    }
    engine.settle_position(state);
}

/// A random position with random counters and a hand of this many throws. With `near`, two pawns of the seat to move
/// are near home and its other pawns are home.
fn dealt(engine: &Engine, chance: &mut Chance, near: bool, throws: u32) -> State {
    let Dice::Faces { faces: dice, .. } = &engine.throws.dice else { panic!("dice with faces") };
    let mut state = engine.opening(engine.seating.players[0]);
    let places = u32::from(engine.board.len) - 1;
    let far = [0, places / 2, places - places / 4];
    let least = if near { places - places / 7 } else { far[chance.below(3) as usize] };
    scatter(engine, &mut state, chance, least);
    if near {
        state.at[state.turn.index()][2..engine.pawns.count as usize].fill(engine.board.home());
        engine.settle_position(&mut state);
    }
    for counter in 0..engine.counters.seat.len() {
        let (from, to) = engine.counters.seat[counter].range;
        let value = from + chance.below((to - from).min(1) as u32 + 1) as i16;
        state.counters[state.turn.index()][counter] = value;
    }
    let mut die = || dice[chance.below(dice.len() as u32) as usize];
    let throws: Vec<[u8; 2]> = (0..throws).map(|_| [die(), die()]).collect();
    bank(engine, &mut state, &throws);
    state
}

/// Compares looking ahead with trying every plan. Returns the number of positions in which some action is illegal
/// because it would waste a number.
fn compare(engine: &Engine, states: impl Iterator<Item = State>) -> usize {
    let mut restricted = 0;
    for state in states {
        let found = engine.legal(&state);
        if !found.is_complete() {
            continue;
        }
        let (mut found, mut tried) = (found.to_vec(), by_every_plan(engine, &state));
        if engine.quick.is_some() {
            // Such a list has an order of its own.
            let order = |action: &Action| (action.numbers, action.pawn, action.line);
            found.sort_by_key(order);
            tried.sort_by_key(order);
        }
        assert_eq!(found, tried, "{}: {state:?}", engine.identity.id);
        let mut any = Actions::default();
        engine.candidates(&state, Duty::Ordinary, &mut any);
        let kept =
            tried.iter().filter(|action| engine.moves.spend[action.line as usize].duty == Duty::Ordinary).count();
        restricted += usize::from(kept < any.len());
    }
    restricted
}

fn short_hands(engine: &Engine, positions: u64) -> impl Iterator<Item = State> {
    let throws = |seed: u64| 1 + seed % 2 + u64::from(seed % 40 == 1);
    (0..positions).map(move |seed| dealt(engine, &mut Chance(seed), false, throws(seed) as u32))
}

/// A rule set with bonuses and throws for captures, actions of every duty, conditions on `throw_number`, and locked
/// pawns.
const HOUSE: &str = r#"
rules: house
version: 1.0.0
title: A house with much going on
sources: Written for this test
board:
  grid: 5 x 5
  seats: [south, east]
  turned: half
  path:
    - {zone: out,   squares: out, off_board: yes}
    - {zone: ring,  squares: 0..15, walk: "from 2,4 E2 N4 W4 S4 E1"}
    - {zone: inner, squares: 16..23, walk: "N3 E2 S2 W1"}
    - {zone: home,  squares: home}
  pairs_on: ring
  gate: {after: 15, open_when: cuts > 0, closed: lap, lap_to: 0}
pawns: {each: 4, start: [0, 0, 4, 4], cut_to: out}
dice: {count: 2, faces: [1, 2, 3, 5]}
turn: {first: south, use_dice: most, once_per_throw: yes, reunite: REUNITE}
counters:
  seat: {cuts: {from: 0, to: 9}}
  pawn: {tired: {truth: yes}}
spend:
  - {id: in,    move: pawn, from: out, with: die, exactly: 5, to: 2}
  - {id: die,   move: pawn, from: [ring, inner], with: die, when: not pawn.tired or throw_number > 1}
  - {id: sum,   move: pawn, from: [ring, inner], with: sum}
  - {id: joint, move: pair, from: ring, with: doublet}
  - {id: bonus, move: pawn, from: [ring, inner], with: bonus}
must:
  - {id: in, actions: in}
landing:
  - {id: full,   on: two friends, then: refuse}
  - {id: house,  on: enemy pair, then: refuse}
  - {id: single, on: enemy, then: cut}
  - {id: own,    on: own, then: join}
passing:
  - {id: wall, over: enemy pair, by: pawn, in: ring, then: refuse}
on:
  - {id: cut,  event: cut, when: LIMIT, do: [cuts += victims, bonus 2 now, throw again]}
  - {id: far,  event: moved, when: number = 5, do: pawn.tired = yes}
  - {id: home, event: home, do: [bonus 3, end turn]}
finish: {play_on: no}
"#;

#[test]
fn a_small_bank_is_spent_as_trying_out_every_plan_would_spend_it() {
    for (reunite, limit) in [("free", "yes"), ("throw", "cuts < 9"), ("turn", "last_moved_at > at(5)")] {
        let engine = table(HOUSE.replace("REUNITE", reunite).replace("LIMIT", limit));
        assert!(compare(&engine, short_hands(&engine, 150)) > 3);
    }
    for engine in games() {
        compare(&engine, short_hands(&engine, 60));
    }
}

#[test]
fn pawns_that_leave_home_while_others_are_on_the_way_are_looked_ahead_for() {
    let leaving = "spend:\n  - {id: again, move: pawn, from: home, with: die, route: outward}\n";
    let house = HOUSE.replace("REUNITE", "free").replace("when: LIMIT, ", "").replace("spend:\n", leaving);
    for at_home in ["[bonus 3, end turn]", "bonus 3", "throw again"] {
        let engine = table(house.replace("[bonus 3, end turn]", at_home));
        assert!(compare(&engine, short_hands(&engine, 300)) > 3, "{at_home}");
    }
}

#[test]
fn moves_back_and_captures_in_passing_are_looked_ahead_for() {
    let house = HOUSE.replace("REUNITE", "throw").replace("LIMIT", "yes");
    let with = |spend: &str, passing: &str| {
        let house = house.replace("must:\n", &format!("{spend}must:\n"));
        table(house.replace("passing:\n", &format!("passing:\n{passing}")))
    };
    let trample = "  - {id: trample, over: enemy single, then: cut}\n";
    let back = "  - {id: back, move: pawn, from: [ring, inner], with: [die, sum], route: back}\n";
    let pairs = "  - {id: pairs, move: pair, from: ring, with: doublet, route: back, steps: number + 1}\n";
    let wall = "  - {id: wall-in, move: pawn, from: ring, with: die, route: bounce, bounce_at: 12}\n";
    let obstacle = "  - {id: turned, move: pawn, from: ring, with: die, route: bounce, bounce_at: obstacle}\n";
    for spend in ["", back, pairs, wall, obstacle] {
        for passing in ["", trample] {
            let engine = with(spend, passing);
            let hands = (0..150).map(|seed| dealt(&engine, &mut Chance(seed), false, 1 + (seed % 2) as u32));
            assert!(compare(&engine, hands) > 3, "{spend}{passing}");
        }
    }
}

#[test]
fn a_pass_captures_nobody_whatever_the_hand_is() {
    let walks = "spend:\n  - {id: walks, move: pawn, from: [out, ring], with: [die, bonus]}\n";
    let house = HOUSE.replace("REUNITE", "free").replace("LIMIT", "yes").replace("spend:\n", walks);
    let engine = table(house.replace("passing:\n", "passing:\n  - {id: trample, over: enemy single, then: cut}\n"));
    for seed in 0..40 {
        let mut state = dealt(&engine, &mut Chance(seed), false, 1);
        (state.hand.bonuses[0], state.hand.granted) = (Bonus { steps: Pips(10), due: Due::After }, 1);
        assert!(!engine.captures_any(&state, &PASS), "{state:?}");
    }
}
