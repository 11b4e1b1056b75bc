//! Expectimax: a robot that looks several throws ahead and compares how far the pawns have come.
//!
//! This is the agent "expectimax" of RoyalUr-Analysis, for any rule set: it expects every player to choose by the same
//! value. Its depth counts throws, with that of the present decision as the first.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use pagade_rules::play::{Action, Actions, Engine, Phase, Quiet, Seat, State};

use super::search::winner;
use super::unasked::Unasked;

/// Greatest depth, in throws. One throw more multiplies the time by the number of throws and of actions.
pub(crate) const MOST_DEPTH: u8 = 8;

/// Looks ahead at one table.
#[derive(Debug, Clone)]
pub struct Deep {
    depth: u8,
    /// The throws of the dice, each with its probability.
    throws: Vec<(pagade_rules::play::Throw, f64)>,
    unasked: Unasked,
}

/// Positions before a throw that were met in one decision, encoded, with the leads that can be expected there. Many
/// ways lead to the same position.
#[derive(Debug)]
struct MetPositions {
    /// The positions, by the number of throws to look ahead.
    by_depth: [HashMap<Vec<u8>, Leads, FixedState>; MOST_DEPTH as usize + 1],
    /// Greatest number of positions for each number of throws.
    most: usize,
}

/// Greatest number of positions that are kept for each number of throws: at most 200 MB in all.
const MOST_MET: usize = 1 << 18;

impl MetPositions {
    fn new(most: usize) -> MetPositions {
        MetPositions { by_depth: Default::default(), most }
    }
}

impl Deep {
    /// Prepares a robot of this depth for the dice of a table.
    pub fn new(engine: &Engine, depth: u8) -> Deep {
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        let chance = |ways: u64| ways as f64 / total.max(1) as f64;
        let throws = outcomes.into_iter().map(|(throw, ways)| (throw, chance(ways))).collect();
        Deep { depth, throws, unasked: Unasked::new(engine) }
    }

    /// Chooses the action with the best expectation, and returns its index in `open`.
    pub(super) fn choose(&self, engine: &Engine, state: &State, open: &[Action]) -> usize {
        self.best(engine, state, open, self.depth, &mut MetPositions::new(MOST_MET)).map_or(0, |(_, index)| index)
    }

    /// Finds the best action for the seat that decides. Returns the leads of all seats after this action, and its
    /// index. Of equal actions, that of the pawn that has come least far is the best, as in RoyalUr-Analysis. `None` if
    /// there is no action.
    fn best(
        &self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        depth: u8,
        positions: &mut MetPositions,
    ) -> Option<(Leads, usize)> {
        let seat = state.decider();
        let mut best: Option<(Leads, usize)> = None;
        for (index, action) in open.iter().enumerate() {
            let (mut after, mut next) = (*state, Actions::default());
            engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            let leads = self.leads(engine, state, &after, &next, depth, positions);
            let is_better = best.as_ref().is_none_or(|(most, index_of_best)| {
                let (lead, known_lead) = (leads[seat.index()], most[seat.index()]);
                lead > known_lead || lead == known_lead && action.from < open[*index_of_best].from
            });
            if is_better {
                best = Some((leads, index));
            }
        }
        best
    }

    /// The leads that all seats can expect after an action or a throw. `open` are the actions that follow.
    fn leads(
        &self,
        engine: &Engine,
        before: &State,
        state: &State,
        open: &[Action],
        depth: u8,
        positions: &mut MetPositions,
    ) -> Leads {
        let decided = winner(engine, before, state).is_some();
        if !decided && !open.is_empty() && matches!(state.phase, Phase::Choose | Phase::Move | Phase::Declare) {
            return self
                .best(engine, state, open, depth, positions)
                .map_or_else(|| leads(engine, state), |(leads, _)| leads);
        }
        if decided || state.phase != Phase::Throw || depth <= 1 {
            return leads(engine, state);
        }
        let key = self.key(engine, state);
        if let Some(leads) = positions.by_depth[usize::from(depth)].get(&key) {
            return *leads;
        }
        let expected = self.expected(engine, state, depth, positions);
        if positions.by_depth[usize::from(depth)].len() < positions.most {
            positions.by_depth[usize::from(depth)].insert(key, expected);
        }
        expected
    }

    /// The leads that all seats can expect before a throw.
    fn expected(&self, engine: &Engine, state: &State, depth: u8, positions: &mut MetPositions) -> Leads {
        let mut expected = Leads::default();
        for (throw, chance) in &self.throws {
            let (mut thrown, mut next) = (*state, Actions::default());
            if engine.throw_into(&mut thrown, throw, &mut next, &mut Quiet).is_ok() {
                let leads = self.leads(engine, state, &thrown, &next, depth - 1, positions);
                expected.iter_mut().zip(leads).for_each(|(sum, lead)| *sum += chance * lead);
            }
        }
        expected
    }

    /// The key of a position before a throw in [`MetPositions`]. Two positions have equal keys if they differ only in
    /// values that no rule reads or, where no rule tells the pawns of a seat apart, in which of these pawns stands
    /// where.
    fn key(&self, engine: &Engine, state: &State) -> Vec<u8> {
        let mut state = *state;
        self.unasked.clear(&mut state);
        if self.unasked.may_sort(&state) {
            let pawns = usize::from(engine.pawns.count);
            engine.seating.colours.iter().for_each(|seat| state.at[seat.index()][..pawns].sort_unstable());
        }
        engine.encode(&state)
    }
}

/// For each seat, its lead: the steps of its own side, minus those of all enemies.
type Leads = [f64; pagade_rules::units::MAX_SEATS];

fn leads(engine: &Engine, state: &State) -> Leads {
    let steps = |seat: Seat| -> f64 {
        state.at[seat.index()][..usize::from(engine.pawns.count)].iter().map(|place| f64::from(place.0)).sum()
    };
    let mut leads = Leads::default();
    for &seat in &engine.seating.players {
        let signed = |&colour: &Seat| match engine.seating.is_of_side(colour, seat) {
            true => steps(colour),
            false => -steps(colour),
        };
        leads[seat.index()] = engine.seating.colours.iter().map(signed).sum();
    }
    leads
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pagade_rules::bundled;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    /// Plays by chance, and compares every decision with that of a search that stores no positions.
    #[test]
    fn positions_that_are_kept_change_no_decision() {
        for (id, depth, decisions) in [("royal-game-of-ur", 4, 60), ("ludo", 3, 60), ("pagade", 2, 20)] {
            let engine = bundled::ruleset(id).unwrap().table(&BTreeMap::new(), None).unwrap();
            let deep = Deep::new(&engine, depth);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut below = |number: u32| (random.next_u64() % u64::from(number.max(1))) as u32;
            let (mut state, mut compared, mut met) = (engine.opening(engine.first_seat()), 0, 0);
            while compared < decisions && state.phase != Phase::Over {
                if state.phase == Phase::Throw {
                    let throw = engine.draw(&mut below);
                    engine.throw(&mut state, &throw, &mut Quiet).unwrap();
                    continue;
                }
                let open = engine.legal(&state);
                if open.len() > 1 {
                    let (mut positions, mut none) = (MetPositions::new(MOST_MET), MetPositions::new(0));
                    let best =
                        |positions: &mut MetPositions| deep.best(&engine, &state, &open, depth, positions).unwrap();
                    assert_eq!(best(&mut positions), best(&mut none), "{id}");
                    compared += 1;
                    met += positions.by_depth.iter().map(HashMap::len).sum::<usize>();
                }
                let action = open[below(open.len() as u32) as usize];
                engine.play(&mut state, &action, &mut Quiet).unwrap();
            }
            assert!(compared > 10 && met > 100, "{id}: {compared} decisions, {met} positions");
        }
    }
}
