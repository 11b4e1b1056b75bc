//! The list of legal actions: a fixed place for them, so that nothing is allocated while playing.

use std::ops::Deref;

use super::state::{Action, ActionKind};

/// Most actions open at one decision. Far above what a checked rule set can offer.
pub const MAX_ACTIONS: usize = 256;

const NO_ACTION: Action = Action {
    line: 0,
    kind: ActionKind::Pass,
    pawn: 0,
    other: 255,
    from: 0,
    to: 0,
    throw: 255,
    numbers: 0,
    captures: false,
};

/// The pass: nothing more is spent.
pub const PASS: Action = NO_ACTION;

/// Distinct legal actions, in the order of the spending lines.
#[derive(Clone)]
pub struct Actions {
    list: [Action; MAX_ACTIONS],
    len: usize,
}

impl Default for Actions {
    fn default() -> Self {
        Actions { list: [NO_ACTION; MAX_ACTIONS], len: 0 }
    }
}

impl std::fmt::Debug for Actions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Deref for Actions {
    type Target = [Action];

    #[inline(always)]
    fn deref(&self) -> &[Action] {
        &self.list[..self.len]
    }
}

impl Actions {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds one; what does not fit is left out, which no checked rule set reaches.
    #[inline(always)]
    pub(crate) fn push(&mut self, action: Action) {
        if self.len < MAX_ACTIONS {
            self.list[self.len] = action;
            self.len += 1;
        }
    }

    /// Keeps the actions from `start` on for which `keep` says so.
    pub(crate) fn retain_from(&mut self, start: usize, mut keep: impl FnMut(&Action) -> bool) {
        let mut kept = start;
        for i in start..self.len {
            if keep(&self.list[i]) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.len = kept;
    }
}
