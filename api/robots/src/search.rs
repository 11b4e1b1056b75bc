//! The search of one hand: it tries the ways to spend the hand, and values the positions that are left.

use std::cell::Cell;
use std::time::Instant;

use pagade_rules::play::{Action, ActionKind, Actions, Engine, Phase, Quiet, Seat, State};
use pagade_rules::units::PawnSet;

use super::features::Evaluation;
use super::view::is_voluntary;
use super::weights::Weights;

/// Greatest number of actions that are tried for one decision of a game. With [`MOST_WORK`], it bounds the time of a
/// decision to a few milliseconds.
pub(super) const MOST_TRIED: u32 = 300;

/// Greatest work of the engine to list the legal actions after those that are tried ([`Actions::work`]). Only hands of
/// several throws, which must be spent as far as possible, need more.
pub(super) const MOST_WORK: u32 = 1_000;

/// A search through one hand.
#[derive(Debug)]
pub(super) struct HandSearch<'s> {
    engine: &'s Engine,
    evaluation: &'s Evaluation,
    weights: &'s Weights,
    /// The seat that decides.
    seat: Seat,
    /// The time at which the search ends with the best action found by then. `None` in games that can be repeated.
    until: Option<Instant>,
    /// The number of actions tried so far.
    tried: Cell<u32>,
    /// The work of the engine to list legal actions so far.
    work: Cell<u32>,
    /// The work at which the search ends with the best action found by then.
    most_work: Cell<u32>,
    /// Whether actions that waste numbers of the hand are left out after the first one.
    looks_ahead: Cell<bool>,
}

impl<'s> HandSearch<'s> {
    pub(super) fn new(
        engine: &'s Engine,
        (evaluation, weights): (&'s Evaluation, &'s Weights),
        seat: Seat,
        until: Option<Instant>,
    ) -> Self {
        let (tried, work, most_work) = (Cell::new(0), Cell::new(0), Cell::new(MOST_WORK));
        HandSearch { engine, evaluation, weights, seat, until, tried, work, most_work, looks_ahead: Cell::new(true) }
    }

    /// Chooses the action that begins the best way to spend the hand, and returns its index in `open`. Tries about
    /// `most_tried` actions at most; if listing the actions that follow is too much work, tries as many again without
    /// looking ahead.
    pub(super) fn choose(&self, state: &State, open: &[Action], most_tried: u32) -> usize {
        let (_, found, _) = self.best(state, open, most_tried);
        if !self.is_worn_out() || self.is_late() {
            return found;
        }
        // The first search has used up its work: it has tried some actions to the end of the hand, and others hardly.
        // The second search does not look ahead, so it can try all actions alike, but some of its ways to spend the
        // hand waste numbers.
        self.looks_ahead.set(false);
        self.most_work.set(self.work.get() + MOST_WORK);
        self.best(state, open, most_tried).1
    }

    /// Finds the best action. Returns the value of the position to which it leads, its index, and the number of actions
    /// tried. Shares `left`, the number of actions to try, evenly among the actions; tries that one action does not
    /// need go to the actions after it.
    fn best(&self, state: &State, open: &[Action], mut left: u32) -> (f32, usize, u32) {
        if open.iter().all(|action| self.is_wait(action)) {
            let pass = open.iter().position(|action| action.kind == ActionKind::Pass).unwrap_or_default();
            let (value, tried) = self.after(state, &open[pass], left);
            return (value, pass, tried);
        }
        let (mut best, mut tried) = ((f32::MIN, 0), 0);
        for index in self.worth_trying(state, open) {
            if tried > 0 && self.is_over() {
                break;
            }
            let share = left / (open.len() - index) as u32;
            let (value, used) = self.after(state, &open[index], share);
            (left, tried) = (left.saturating_sub(used), tried + used);
            if value > best.0 {
                best = (value, index);
            }
        }
        (best.0, best.1, tried)
    }

    /// Lists the indices of the actions that are tried: neither passes nor voluntary actions, and of several actions
    /// with the same effect only the first.
    pub(super) fn worth_trying(&self, state: &State, open: &[Action]) -> impl Iterator<Item = usize> {
        (0..open.len()).filter(|index| {
            let action = &open[*index];
            let is_known = |other: &Action| self.is_alike(state, other, action);
            !self.is_wait(action) && !open[..*index].iter().any(is_known)
        })
    }

    /// Whether an action passes, or is voluntary. If the robot could wait for a better throw, or lead pawns back, games
    /// of robots would hardly end.
    fn is_wait(&self, action: &Action) -> bool {
        action.kind == ActionKind::Pass || is_voluntary(self.engine, action)
    }

    /// The number of actions tried so far, and the work of the engine to list actions.
    pub(super) fn effort(&self) -> [u32; 2] {
        [self.tried.get(), self.work.get()]
    }

    /// The value of the position after an action and the best actions that follow it in the hand, and the number of
    /// actions tried.
    fn after(&self, state: &State, action: &Action, most_tried: u32) -> (f32, u32) {
        let (mut after, mut open) = (*state, Actions::default());
        // Nothing is tried after the last action, so the engine need not look ahead for it.
        if most_tried > 1 && self.looks_ahead.get() {
            self.engine.play_unchecked(&mut after, action, &mut open, &mut Quiet);
        } else {
            self.engine.play_fitting(&mut after, action, &mut open, &mut Quiet);
        }
        self.tried.update(|tried| tried + 1);
        self.work.update(|work| work.saturating_add(open.work()));
        let goes_on = after.decider() == self.seat && matches!(after.phase, Phase::Move | Phase::Declare);
        if goes_on && !open.is_empty() && most_tried > 1 && !self.is_over() {
            let (value, _, tried) = self.best(&after, &open, most_tried - 1);
            (value, tried + 1)
        } else {
            (self.value(state, &after), 1)
        }
    }

    /// Whether the search has to end with the best action found so far.
    fn is_over(&self) -> bool {
        self.is_worn_out() || self.is_late()
    }

    fn is_worn_out(&self) -> bool {
        self.work.get() > self.most_work.get()
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The value of a position for the seat: the weighted sum of its features. A position in which the seat or its team
    /// has won is worth more than all others, and one in which another seat has won is worth less than all others.
    fn value(&self, before: &State, after: &State) -> f32 {
        match winner(self.engine, before, after) {
            Some(winner) if winner == self.seat || winner == self.engine.seating.partner[self.seat.index()] => f32::MAX,
            Some(_) => f32::MIN / 2.0,
            None => self.evaluation.value(self.engine, after, self.seat, self.weights),
        }
    }

    /// Whether two actions move single pawns that differ in nothing, so that both lead to positions of one value.
    fn is_alike(&self, state: &State, one: &Action, other: &Action) -> bool {
        let parts = |action: &Action| {
            (
                (action.kind, action.line, action.colour),
                (action.from, action.to, action.throw, action.numbers, action.captures),
            )
        };
        let is_alone = one.kind == ActionKind::Move && !one.is_joint() && !other.is_joint();
        if !is_alone || parts(one) != parts(other) || self.evaluation.tracks_newest {
            return false;
        }
        let colour = one.colour.index();
        let of_pawn = |action: &Action| {
            let pawn = action.pawn.index();
            (state.marks[colour][pawn], state.apart[pawn])
        };
        let hand = &state.hand.banked[..usize::from(state.hand.throws)];
        let (one_bit, other_bit) = (one.pawn.alone(), other.pawn.alone());
        let is_equal = |pawns: PawnSet| (pawns & one_bit != 0) == (pawns & other_bit != 0);
        of_pawn(one) == of_pawn(other) && hand.iter().all(|throw| is_equal(throw.moved) && is_equal(throw.parted))
    }
}

/// The seat that wins the game between two states: the first of the ranking, as soon as there is one. A game of teams
/// has to be over.
pub fn winner(engine: &Engine, before: &State, after: &State) -> Option<Seat> {
    let is_over = after.phase == Phase::Over;
    if engine.seating.teams && engine.finish.score.is_none() {
        return engine.winner(after);
    }
    let is_decided = is_over || !engine.seating.teams && after.placed > before.placed;
    after.placed().next().filter(|_| is_decided && before.placed == 0)
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;
    use pagade_rules::play::Game;
    use pagade_rules::ruleset::Options;

    use super::*;
    use crate::learned::weights;

    /// Work, and not time, is measured: it is the same on every machine. One list of legal actions, the last one before
    /// the search ends, may take more than the rest.
    #[test]
    fn the_engine_does_not_work_long_for_a_decision_however_many_throws_the_hand_has() {
        let set = bundled::ruleset("chopat").unwrap();
        let tables = set.playable_tables(&Options::new()).unwrap();
        let four = tables.iter().find(|table| table.players.len() == 4).unwrap();
        let engine = set.table(&Options::new(), Some(&four.players)).unwrap();
        let (evaluation, weights) = (Evaluation::new(&engine), weights(&engine));
        let (mut seed, mut game, mut works) = (5_u64, Game::new(&engine, engine.first_seat()), Vec::new());
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(n)) as u32
        };
        while works.len() < 3_000 {
            if game.is_over() {
                game.restart(engine.first_seat());
            } else if game.needs_throw() {
                game.throw_drawn(&engine.draw(&mut below), &mut Quiet);
            } else {
                let (state, open) = (*game.state(), engine.legal(game.state()));
                let search = HandSearch::new(&engine, (&evaluation, &weights), state.decider(), None);
                let index = if open.len() == 1 { 0 } else { search.choose(&state, &open, MOST_TRIED) };
                works.push(search.work.get());
                game.play_nth(index, &mut Quiet);
            }
        }
        works.sort_unstable();
        let (usual, most) = (works[works.len() * 98 / 100], works[works.len() - 1]);
        assert!(usual < MOST_WORK, "{usual}");
        assert!((MOST_WORK..5 * MOST_WORK).contains(&most), "{most}");
    }
}
