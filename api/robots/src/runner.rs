//! The runner: it moves the pawn that is nearest home.

use std::cmp::Reverse;

use super::view::View;

/// Chooses the ordinary action that moves the pawn nearest home; if that pawn has several, the one that moves it
/// farthest. Passes if no ordinary action is legal. Returns `None` if passing is not legal either.
pub(super) fn choose(view: &View<'_>) -> Option<usize> {
    let best = view.ordinary().min_by_key(|(_, action)| Reverse((action.from, action.to)));
    best.map(|(index, _)| index).or_else(|| view.pass())
}
