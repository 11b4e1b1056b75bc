//! Lists of legal actions. They have a fixed capacity, so that playing allocates nothing.

use std::ops::Deref;

use arrayvec::ArrayVec;

use super::state::{Action, ActionForm, ActionKind};
use crate::units::{PathPlace, PawnIndex, Seat};

/// Maximum number of legal actions in a list. The bundled rule sets stay far below this limit, and the check of a rule
/// file does not enforce it: a list without room for all actions is marked as incomplete.
pub const MAX_ACTIONS: usize = 512;

/// The action that gives up the rest of the hand.
pub const PASS: Action = Action {
    line: 0,
    kind: ActionKind::Pass,
    colour: Seat(0),
    pawn: PawnIndex::FIRST,
    other: None,
    from: PathPlace::OUT,
    to: PathPlace::OUT,
    throw: None,
    numbers: 0,
    captures: false,
    form: ActionForm::PLAIN,
};

/// A list of distinct legal actions, in the order of the spend lines.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    list: ArrayVec<Action, MAX_ACTIONS>,
    /// Whether looking ahead stopped at its limit, or the list had no room for an action.
    cut_short: bool,
    /// The work of looking ahead for all lists that this value has held, in positions tried.
    work: u32,
}

impl Deref for Actions {
    type Target = [Action];

    #[inline(always)]
    fn deref(&self) -> &[Action] {
        &self.list
    }
}

impl Actions {
    /// Whether the list holds all legal actions.
    ///
    /// `false` means that looking ahead stopped at its limit, or that there are more than [`MAX_ACTIONS`] (see "Limits"
    /// in `rules/README.md`). The listed actions are legal, but others may be missing.
    #[inline(always)]
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.cut_short
    }

    /// The work of looking ahead since this value was made, in positions tried. The sum for all states whose actions it
    /// has held. It grows with the time that looking ahead takes, but is the same on every machine.
    #[inline(always)]
    #[must_use]
    pub fn work(&self) -> u32 {
        self.work
    }

    /// Counts work of looking ahead, in positions tried.
    #[inline(always)]
    pub(crate) fn add_work(&mut self, positions: u32) {
        self.work = self.work.saturating_add(positions);
    }

    /// Marks the list as possibly incomplete, because looking ahead stopped at its limit.
    pub(crate) fn cut_short(&mut self) {
        self.cut_short = true;
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.cut_short = false;
    }

    /// Adds an action. A full list drops the action, and is marked as incomplete. Only a rule file with many spend
    /// lines, pawns and dice can fill a list.
    #[inline(always)]
    pub(crate) fn push(&mut self, action: Action) {
        if self.list.try_push(action).is_err() {
            self.cut_short = true;
        }
    }

    /// Adds an action even to a full list, which drops its last action for it and is marked as incomplete.
    pub(crate) fn push_surely(&mut self, action: Action) {
        if self.list.is_full() {
            self.list.pop();
            self.cut_short = true;
        }
        self.list.push(action);
    }

    /// Sorts the actions from `start` on; equal ones keep their order.
    pub(crate) fn sort_from(&mut self, start: usize, key: impl Fn(&Action) -> u8) {
        self.list[start..].sort_by_key(key);
    }

    /// Replaces the action at `first` and the later ones for which `is_same` is true by the actions of another list.
    /// The last actions of that list are left out if they do not fit.
    pub(crate) fn replace_alike(&mut self, first: usize, others: &[Action], is_same: impl Fn(&Action) -> bool) {
        self.retain_from(first, |action| !is_same(action));
        for (offset, action) in others.iter().enumerate() {
            if self.list.try_insert(first + offset, *action).is_err() {
                self.cut_short = true;
            }
        }
    }

    /// Moves an action of the list to the front. The others keep their order.
    pub(crate) fn move_to_front(&mut self, action: &Action) {
        if let Some(index) = self.list.iter().position(|other| other == action) {
            self.list[..=index].rotate_right(1);
        }
    }

    /// Removes the actions from `start` on for which `keep` is false.
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
