//! Expectimax: it looks several throws ahead, and compares how far the pawns have come.
//!
//! This is the agent "expectimax" of RoyalUr-Analysis, for any rule set: it expects every player to choose by the same
//! value. Its depth counts throws, with that of the present decision as the first.

use pagade_rules::play::{Action, Actions, Engine, Phase, Quiet, Seat, State};

use super::search::winner;

/// Greatest depth. One throw more multiplies the time by the number of throws and of actions.
pub const MOST_DEPTH: u8 = 8;

/// Looks ahead at one table.
#[derive(Debug, Clone)]
pub struct Deep {
    depth: u8,
    /// The throws of the dice, each with its probability.
    throws: Vec<(pagade_rules::play::Throw, f64)>,
}

impl Deep {
    /// Prepares for the dice of this table.
    pub fn new(engine: &Engine, depth: u8) -> Deep {
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        let chance = |ways: u64| ways as f64 / total.max(1) as f64;
        Deep { depth, throws: outcomes.into_iter().map(|(throw, ways)| (throw, chance(ways))).collect() }
    }

    /// Chooses the action with the best expectation, and returns its index in `open`.
    pub(super) fn choose(&self, engine: &Engine, state: &State, open: &[Action]) -> usize {
        self.best(engine, state, open, self.depth).map_or(0, |(_, index)| index)
    }

    /// Finds the best action for the seat whose turn it is, and returns the leads of all seats after it, and its index.
    /// Of equal actions, it is the one of the pawn that is least far, as in RoyalUr-Analysis. `None` if there is no
    /// action.
    fn best(&self, engine: &Engine, state: &State, open: &[Action], depth: u8) -> Option<(Leads, usize)> {
        let seat = state.turn;
        let mut best: Option<(Leads, usize)> = None;
        for (index, action) in open.iter().enumerate() {
            let (mut after, mut next) = (*state, Actions::default());
            engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            let leads = self.leads(engine, state, &after, &next, depth);
            let is_better = best.as_ref().is_none_or(|(most, known)| {
                let (lead, known_lead) = (leads[seat.index()], most[seat.index()]);
                lead > known_lead || lead == known_lead && action.from < open[*known].from
            });
            if is_better {
                best = Some((leads, index));
            }
        }
        best
    }

    /// The leads that all seats can expect after an action or a throw. `open` are the actions that follow.
    fn leads(&self, engine: &Engine, before: &State, state: &State, open: &[Action], depth: u8) -> Leads {
        let decided = winner(engine, before, state).is_some();
        if !decided && !open.is_empty() && matches!(state.phase, Phase::Choose | Phase::Move | Phase::Declare) {
            return self.best(engine, state, open, depth).map_or_else(|| leads(engine, state), |(leads, _)| leads);
        }
        if decided || state.phase != Phase::Throw || depth <= 1 {
            return leads(engine, state);
        }
        let mut expected = Leads::default();
        for (throw, chance) in &self.throws {
            let (mut thrown, mut next) = (*state, Actions::default());
            if engine.throw_into(&mut thrown, throw, &mut next, &mut Quiet).is_ok() {
                let leads = self.leads(engine, state, &thrown, &next, depth - 1);
                expected.iter_mut().zip(leads).for_each(|(sum, lead)| *sum += chance * lead);
            }
        }
        expected
    }
}

/// For each seat, its lead: the steps of its own side, minus those of all enemies.
type Leads = [f64; pagade_rules::units::MAX_SEATS];

fn leads(engine: &Engine, state: &State) -> Leads {
    let steps = |seat: Seat| -> f64 {
        state.at[seat.index()][..usize::from(engine.pawns.count)].iter().map(|place| f64::from(place.0)).sum()
    };
    let players = &engine.seating.players;
    let mut leads = Leads::default();
    for &seat in players {
        let partner = engine.seating.partner[seat.index()];
        let signed = |&other: &Seat| if other == seat || other == partner { steps(other) } else { -steps(other) };
        leads[seat.index()] = players.iter().map(signed).sum();
    }
    leads
}
