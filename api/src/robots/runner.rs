//! The runner: it moves the pawn that is nearest home.

use std::cmp::Reverse;

use super::view::View;

/// Chooses the ordinary action of the pawn that is nearest home, and of its actions the one that goes farthest. If none
/// is legal, passes. `None` if passing is not legal either.
pub(super) fn choose(view: &View<'_>) -> Option<usize> {
    let best = view.ordinary().min_by_key(|(_, action)| Reverse((action.from, action.to)));
    best.map(|(index, _)| index).or_else(|| view.pass())
}
