//! The thinker: it tries every way to spend the whole hand, and values the positions that are left.

use pagade_rules::play::{Action, ActionKind, Actions, Engine, Phase, Quiet, Seat, State};

use super::features::{Evaluation, Features};
use super::view::is_voluntary;

/// Greatest number of actions that are tried for one decision. It bounds the time of a decision to a few milliseconds.
const MOST_TRIED: u32 = 500;

/// Chooses the action that begins the best way to spend the hand, and returns its index in `open`.
pub(super) fn choose(engine: &Engine, state: &State, open: &[Action]) -> usize {
    let evaluation = Evaluation::new(engine);
    let mut search = Search { engine, evaluation: &evaluation, seat: state.turn, left: MOST_TRIED };
    search.best(state, open).1
}

/// Weights for any rule set, made by hand. Steps count most, and pawns in danger count as partly lost. `features.rs`
/// names the features of a side in their order.
const WEIGHTS: Features = [
    10.0, 0.5, -0.5, -2.0, -6.0, 0.0, -1.0, // the own side
    -10.0, -0.5, 0.5, 2.0, 1.0, 0.0, 1.0, // the enemies
    -2.0, -0.5, 0.0, 0.0, 0.5, 0.0, 0.0, // the enemy that is ahead
    2.0, 0.0, // throws, constant
];

/// The value of a position for a seat: the weighted sum of its features. A position is worth more than all others if
/// the seat or its team wins by it, and less if another one does.
fn value(engine: &Engine, evaluation: &Evaluation, before: &State, after: &State, seat: Seat) -> f32 {
    let is_decided = after.phase == Phase::Over || !engine.seating.teams && after.placed > before.placed;
    if let Some(winner) = after.placed().next().filter(|_| is_decided && before.placed == 0) {
        let is_own = winner == seat || winner == engine.seating.partner[seat.index()];
        return if is_own { f32::MAX } else { f32::MIN / 2.0 };
    }
    let features = evaluation.features(engine, after, seat);
    WEIGHTS.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// A search through one hand.
struct Search<'s> {
    engine: &'s Engine,
    evaluation: &'s Evaluation,
    /// The seat that decides.
    seat: Seat,
    /// Number of actions that may still be tried.
    left: u32,
}

impl Search<'_> {
    /// Finds the best action, and returns the value of the position to which it leads, and its index.
    fn best(&mut self, state: &State, open: &[Action]) -> (f32, usize) {
        // If the robot could wait for a better throw, games of robots would hardly end.
        let is_wait = |action: &Action| action.kind == ActionKind::Pass || is_voluntary(self.engine, action);
        let may_wait = open.iter().all(is_wait);
        let mut best = (f32::MIN, 0);
        for (index, action) in open.iter().enumerate() {
            if !may_wait && is_wait(action) {
                continue;
            }
            let value = self.after(state, action);
            if value > best.0 {
                best = (value, index);
            }
        }
        best
    }

    /// The value of the position after an action and the best actions that follow it in the hand.
    fn after(&mut self, state: &State, action: &Action) -> f32 {
        let (mut after, mut open) = (*state, Actions::default());
        self.engine.play_unchecked(&mut after, action, &mut open, &mut Quiet);
        self.left = self.left.saturating_sub(1);
        let goes_on = after.turn == self.seat && matches!(after.phase, Phase::Move | Phase::Declare);
        if goes_on && !open.is_empty() && self.left > 0 {
            self.best(&after, &open).0
        } else {
            value(self.engine, self.evaluation, state, &after, self.seat)
        }
    }
}
