//! Foresight: how the thinker and the learned robot use more work than that of the playing level.
//!
//! At the playing level, they value the positions that a hand leaves. With a greater budget, they play on from these
//! positions: all throws of the seats that follow, each with its probability, and after each throw the actions that
//! the robot itself would choose at the playing level. The value of a position is the chance to win that is expected
//! after these turns: first after one turn more, then after two, and so on until the budget is spent.

use std::cell::Cell;

use pagade_rules::play::{Action, Actions, Engine, Phase, Quiet, Seat, State, Throw};

use super::budget::Budget;
use super::logistic::logistic;
use super::search::{MOST_TRIED, MOST_WORK, winner};
use super::thinker::Thinker;

/// Greatest number of turns that are played on.
const MOST_TURNS: u32 = 16;
/// Greatest number of throws that are played on, for each turn. Without a limit a turn may never end, because rules may
/// grant throws for ever.
const THROWS_A_TURN: u32 = 2;
/// Greatest number of actions that are tried for a decision after a throw, as in trainings.
const MOST_REPLIES: u32 = 60;

/// The search for one decision, with the work that it may do and has done.
#[derive(Debug)]
struct Foresight<'f> {
    engine: &'f Engine,
    thinker: &'f Thinker,
    /// The throws of the dice, each with its probability.
    throws: Vec<(Throw, f64)>,
    /// The seat that decides.
    seat: Seat,
    /// The greatest number of actions that are tried, and the greatest work of the engine to list actions.
    most: [u32; 2],
    /// The number of actions tried so far, and the work of the engine.
    spent: Cell<[u32; 2]>,
}

/// A position after a hand was spent.
#[derive(Debug)]
struct PlayedTurn {
    state: State,
    mover: Seat,
    /// Whether the seat that decides has won by then. `None` if nobody has.
    won: Option<bool>,
}

/// Chooses an action with a budget greater than that of the playing level, and returns its index in `open`.
pub(super) fn choose(thinker: &Thinker, engine: &Engine, state: &State, open: &[Action], budget: Budget) -> usize {
    Foresight::new(thinker, engine, state, budget).choose(state, open)
}

impl<'f> Foresight<'f> {
    fn new(thinker: &'f Thinker, engine: &'f Engine, state: &State, budget: Budget) -> Self {
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        let chance = |ways: u64| ways as f64 / total.max(1) as f64;
        Foresight {
            engine,
            thinker,
            throws: outcomes.into_iter().map(|(throw, ways)| (throw, chance(ways))).collect(),
            seat: state.decider(),
            most: [budget.of(MOST_TRIED), budget.of(MOST_WORK)],
            spent: Cell::default(),
        }
    }

    fn choose(&self, state: &State, open: &[Action]) -> usize {
        // The choice of the playing level comes first, so that it stays if nothing better is found in time.
        let first = self.reply(state, open, MOST_TRIED);
        let mut tried = self.thinker.tried(self.engine, state, open);
        let Some(index) = tried.iter().position(|index| *index == first) else { return first };
        tried[..=index].rotate_right(1);
        if tried.len() == 1 {
            return first;
        }
        let mut replies: Vec<(usize, PlayedTurn)> = Vec::new();
        for index in tried {
            let Some(spent) = self.after(state, &open[index]) else { return first };
            replies.push((index, spent));
        }
        for turns in 1..=MOST_TURNS {
            let chances = replies.iter().map_while(|(_, spent)| self.expected(spent, turns, turns * THROWS_A_TURN));
            let chances: Vec<f64> = chances.collect();
            let mut order: Vec<usize> = (0..replies.len()).collect();
            // Only chances after the same number of turns are compared. Actions for which this search had no budget
            // left stay behind the others.
            order[..chances.len()].sort_by(|one, other| chances[*other].total_cmp(&chances[*one]));
            let mut spent: Vec<_> = replies.into_iter().map(Some).collect();
            replies = order.into_iter().filter_map(|index| spent[index].take()).collect();
            if chances.len() < replies.len() {
                break;
            }
        }
        replies[0].0
    }

    /// The position after an action and the best actions that follow it in the hand. `None` if the budget is spent.
    fn after(&self, state: &State, action: &Action) -> Option<PlayedTurn> {
        let (mut after, mut open) = (*state, Actions::default());
        self.engine.play_unchecked(&mut after, action, &mut open, &mut Quiet);
        self.play_on(state, after, open, MOST_TRIED)
    }

    /// The chance to win that is expected before a throw, after this number of turns and of throws at most. `None` if
    /// the budget is spent.
    fn expected(&self, spent: &PlayedTurn, turns: u32, throws: u32) -> Option<f64> {
        if let Some(won) = spent.won {
            return Some(f64::from(u8::from(won)));
        }
        let state = &spent.state;
        let begins = state.thrown == 0;
        if state.phase != Phase::Throw || throws == 0 || begins && turns == 0 {
            return Some(self.chance(spent));
        }
        let mut expected = 0.0;
        for (throw, chance) in &self.throws {
            let (mut thrown, mut open) = (*state, Actions::default());
            if self.engine.throw_into(&mut thrown, throw, &mut open, &mut Quiet).is_ok() {
                let next = self.play_on(state, thrown, open, MOST_REPLIES)?;
                expected += chance * self.expected(&next, turns - u32::from(begins), throws - 1)?;
            }
        }
        Some(expected)
    }

    /// Plays on until a throw is due or the game is decided, from a state and the actions that are legal there. `None`
    /// if the budget is spent.
    fn play_on(&self, before: &State, mut state: State, mut open: Actions, most_tried: u32) -> Option<PlayedTurn> {
        let (mut before, mover) = (*before, before.turn);
        loop {
            if !self.spend([1, open.work()]) {
                return None;
            }
            let winner = winner(self.engine, &before, &state);
            let decides = matches!(state.phase, Phase::Choose | Phase::Move | Phase::Declare) && !open.is_empty();
            if winner.is_some() || !decides {
                let won = winner.map(|winner| self.is_own(winner));
                return Some(PlayedTurn { state, mover, won });
            }
            let index = if open.len() == 1 { 0 } else { self.reply(&state, &open, most_tried) };
            let action = open[index];
            (before, open) = (state, Actions::default());
            self.engine.play_unchecked(&mut state, &action, &mut open, &mut Quiet);
        }
    }

    /// Chooses as the robot does at the playing level, and returns the index in `open`. Counts the work.
    fn reply(&self, state: &State, open: &[Action], most_tried: u32) -> usize {
        let (index, work) = self.thinker.choose_counted(self.engine, state, open, most_tried);
        self.spend(work);
        index
    }

    /// Counts work. Returns false if the budget is spent.
    fn spend(&self, more: [u32; 2]) -> bool {
        let [tried, work] = self.spent.get();
        let spent = [tried.saturating_add(more[0]), work.saturating_add(more[1])];
        self.spent.set(spent);
        spent[0] < self.most[0] && spent[1] < self.most[1]
    }

    /// The chance that the deciding seat wins. With two sides, it follows from the value of the position for the seat
    /// that has just moved, because values estimate positions after a turn of the seat. With more sides, that value
    /// does not say which of the others wins, so the value for the deciding seat is used.
    fn chance(&self, spent: &PlayedTurn) -> f64 {
        let of = |seat| logistic(f64::from(self.thinker.value(self.engine, &spent.state, seat)));
        let seating = &self.engine.seating;
        let is_duel = seating.teams || seating.players.len() == 2;
        match self.is_own(spent.mover) {
            true if is_duel => of(spent.mover),
            false if is_duel => 1.0 - of(spent.mover),
            _ => of(self.seat),
        }
    }

    /// Whether a player is the seat that decides, or its partner.
    fn is_own(&self, player: Seat) -> bool {
        player == self.seat || player == self.engine.seating.partner[self.seat.index()]
    }
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::play::Game;
    use pagade_rules::ruleset::Options;

    use super::*;
    use crate::{Brain, RobotKind};

    /// Plays games by chance, and calls `check` with each decision until there were `most` of them.
    fn decisions(id: &str, players: usize, most: u32, mut check: impl FnMut(&Engine, &State, &[Action])) {
        let set = bundled::ruleset(id).unwrap();
        let tables = set.playable_tables(&Options::new()).unwrap();
        let seats = tables.iter().find(|table| table.players.len() == players).unwrap();
        let engine = set.table(&Options::new(), Some(&seats.players)).unwrap();
        let (mut seed, mut game, mut left) = (5_u64, Game::new(&engine, engine.first_seat()), most);
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(n)) as u32
        };
        while left > 0 {
            if game.is_over() {
                game.restart(engine.first_seat());
            } else if game.needs_throw() {
                game.throw_drawn(&engine.draw(&mut below), &mut Quiet);
            } else {
                let (state, open) = (*game.state(), engine.legal(game.state()));
                if open.len() > 1 {
                    check(&engine, &state, &open);
                    left -= 1;
                }
                game.play_nth(below(open.len() as u32) as usize, &mut Quiet);
            }
        }
    }

    #[test]
    fn the_budget_of_the_playing_level_changes_no_decision_and_a_greater_one_some() {
        let mut other = 0;
        for (id, players) in [("royal-game-of-ur", 2), ("ludo", 4), ("ludo-partners", 4), ("pagade", 2)] {
            decisions(id, players, 60, |engine, state, open| {
                for kind in RobotKind::ALL {
                    let brain = Brain::new(kind, engine);
                    let plain = brain.choose(engine, state, open, &mut |n| n - 1);
                    let within = |budget| brain.choose_within(engine, state, open, budget, &mut |n| n - 1);
                    assert_eq!(within(Budget::PLAYING), plain, "{id} {kind}");
                    let greater = within(Budget::times(4).unwrap());
                    assert!(kind.searches() || greater == plain, "{id} {kind}");
                    other += u32::from(greater != plain);
                }
            });
        }
        assert!(other > 10, "{other} decisions differ");
    }

    /// A search for one reply is not broken off, so the work may exceed the budget by that of one or two replies.
    #[test]
    fn the_work_stays_within_the_budget() {
        for (id, players) in [("chopat", 4), ("pagade", 4), ("royal-game-of-ur", 2)] {
            decisions(id, players, 20, |engine, state, open| {
                let thinker = Thinker::new(engine, &crate::Weights::BY_HAND);
                let budget = Budget::times(8).unwrap();
                let foresight = Foresight::new(&thinker, engine, state, budget);
                foresight.choose(state, open);
                let [tried, work] = foresight.spent.get();
                assert!(tried < budget.of(MOST_TRIED) + 2 * MOST_TRIED, "{id}: {tried} actions tried");
                assert!(work < budget.of(MOST_WORK) + 10 * MOST_WORK, "{id}: work of {work}");
            });
        }
    }
}
