//! The list of legal actions: a fixed place for them, so that nothing is allocated while playing.

use std::ops::Deref;

use arrayvec::ArrayVec;

use super::state::{Action, ActionKind};

/// Most actions open at one decision. Far above what a checked rule set can offer.
pub const MAX_ACTIONS: usize = 512;

/// The pass: nothing more is spent.
pub const PASS: Action = Action {
    line: 0,
    kind: ActionKind::Pass,
    pawn: 0,
    other: Action::ALONE,
    from: 0,
    to: 0,
    throw: Action::NO_THROW,
    numbers: 0,
    captures: false,
};

/// Distinct legal actions, in the order of the spending lines.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    list: ArrayVec<Action, MAX_ACTIONS>,
    /// A look ahead that chose them met its bound.
    cut_short: bool,
}

impl Deref for Actions {
    type Target = [Action];

    #[inline(always)]
    fn deref(&self) -> &[Action] {
        &self.list
    }
}

impl Actions {
    /// Whether every plan that could matter was looked at, so that the list is exact.
    ///
    /// `false`: looking ahead met its bound (the reference, "Limits"). The actions listed may be played; others that
    /// spend as many numbers may be missing.
    #[inline(always)]
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.cut_short
    }

    /// Notes that a look ahead met its bound before it knew all about these actions.
    pub(crate) fn cut_short(&mut self) {
        self.cut_short = true;
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.cut_short = false;
    }

    /// Adds one; what does not fit is left out, which no checked rule set reaches.
    #[inline(always)]
    pub(crate) fn push(&mut self, action: Action) {
        let fits = self.list.try_push(action);
        debug_assert!(fits.is_ok(), "more actions than any checked rule set offers");
    }

    /// Sorts the actions from `start` on; equal ones keep their order.
    pub(crate) fn sort_from(&mut self, start: usize, key: impl Fn(&Action) -> u8) {
        self.list[start..].sort_by_key(key);
    }

    /// Puts an action in the place of the one at `first` and of all later ones that are the same.
    pub(crate) fn replace_alike(&mut self, first: usize, action: Action, is_same: impl Fn(&Action) -> bool) {
        self.list[first] = action;
        self.retain_from(first + 1, |other| !is_same(other));
    }

    /// Keeps the actions from `start` on for which `keep` says so.
    pub(crate) fn retain_from(&mut self, start: usize, mut keep: impl FnMut(&Action) -> bool) {
        let mut kept = start;
        for i in start..self.list.len() {
            if keep(&self.list[i]) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.list.truncate(kept);
    }
}
