//! The hunter: it captures, wins throws, brings pawns home, or plays as the runner.

use super::runner;
use super::view::View;

/// Chooses the ordinary action by which the enemies lose the most steps. If they lose none by any action, chooses an
/// action that wins a throw, then one that brings a pawn home, and otherwise the action of the runner.
///
/// In the Royal Game of Ur, this is the agent "greedy" of RoyalUr-Analysis, except that it captures the pawn that loses
/// the most steps.
pub(super) fn choose(view: &View<'_>) -> Option<usize> {
    let mut best = None;
    for (index, action) in view.ordinary() {
        let after = view.after(action);
        let gains = (view.steps_lost(&after), view.throws_won(&after), view.brought_home(&after));
        let merit = (gains, action.from, action.to);
        if gains > (0, 0, 0) && best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, index));
        }
    }
    best.map(|(_, index)| index).or_else(|| runner::choose(view))
}
