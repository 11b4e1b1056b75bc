//! The search of one hand: it tries the ways to spend the hand, and values the positions that are left.

use std::time::Instant;

use pagade_rules::play::{Action, ActionKind, Actions, Engine, Phase, Quiet, Seat, State};
use pagade_rules::units::PawnSet;

use super::features::Evaluation;
use super::view::is_voluntary;
use super::weights::Weights;

/// Greatest number of actions that are tried for one decision of a game. It bounds the time of a decision to a few
/// milliseconds.
pub(super) const MOST_TRIED: u32 = 300;

/// A search through one hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'s> {
    pub engine: &'s Engine,
    pub evaluation: &'s Evaluation,
    pub weights: &'s Weights,
    /// The seat that decides.
    pub seat: Seat,
    /// The time at which the search ends with the best action found by then. `None` in games that can be repeated.
    pub until: Option<Instant>,
}

impl Search<'_> {
    /// Chooses the action that begins the best way to spend the hand, and returns its index in `open`. Tries about
    /// `most_tried` actions at most.
    pub(super) fn choose(&self, state: &State, open: &[Action], most_tried: u32) -> usize {
        self.best(state, open, most_tried).1
    }

    /// Finds the best action. Returns the value of the position to which it leads, its index, and the number of actions
    /// tried. Shares `left`, the number of actions to try, evenly among the actions; what one action leaves is for the
    /// actions after it.
    fn best(&self, state: &State, open: &[Action], mut left: u32) -> (f32, usize, u32) {
        // If the robot could wait for a better throw, or lead pawns back, games of robots would hardly end.
        let is_wait = |action: &Action| action.kind == ActionKind::Pass || is_voluntary(self.engine, action);
        if open.iter().all(is_wait) {
            let pass = open.iter().position(|action| action.kind == ActionKind::Pass).unwrap_or_default();
            let (value, tried) = self.after(state, &open[pass], left);
            return (value, pass, tried);
        }
        let is_tried = |index: &usize| {
            let action = &open[*index];
            let is_known = |other: &Action| self.is_alike(state, other, action);
            !is_wait(action) && !open[..*index].iter().any(is_known)
        };
        let (mut best, mut tried) = ((f32::MIN, 0), 0);
        for index in (0..open.len()).filter(is_tried) {
            if tried > 0 && self.is_late() {
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

    /// The value of the position after an action and the best actions that follow it in the hand, and the number of
    /// actions tried.
    fn after(&self, state: &State, action: &Action, most_tried: u32) -> (f32, u32) {
        let (mut after, mut open) = (*state, Actions::default());
        self.engine.play_unchecked(&mut after, action, &mut open, &mut Quiet);
        let goes_on = after.decider() == self.seat && matches!(after.phase, Phase::Move | Phase::Declare);
        if goes_on && !open.is_empty() && most_tried > 1 && !self.is_late() {
            let (value, _, tried) = self.best(&after, &open, most_tried - 1);
            (value, tried + 1)
        } else {
            (self.value(state, &after), 1)
        }
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// The value of a position for the seat: the weighted sum of its features. A position is worth more than all others
    /// if the seat or its team wins by it, and less if another seat does.
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
