//! The hunter: it captures, brings pawns home, or plays as the runner.

use super::runner;
use super::view::View;

/// Chooses the ordinary action by which the enemies lose the most steps. If they lose none by any action, chooses an
/// action that brings a pawn home, and otherwise the action of the runner.
pub(super) fn choose(view: &View<'_>) -> Option<usize> {
    let mut best = None;
    for (index, action) in view.ordinary() {
        let after = view.after(action);
        let merit = (view.steps_lost(&after), view.brought_home(&after), action.from, action.to);
        if (merit.0 > 0 || merit.1 > 0) && best.is_none_or(|(most, _)| merit > most) {
            best = Some((merit, index));
        }
    }
    best.map(|(_, index)| index).or_else(|| runner::choose(view))
}
