//! The legal actions: candidates, restricted by compulsions and by the duty to spend most.

use super::actions::Actions;
use super::compel::Binding;
use super::one_number::OneNumber;
use super::quick::is_quick_hand;
use super::stage::HandStage;
use super::state::{Banked, Phase, State};
use crate::play::engine::Engine;
use crate::tables::{Duty, WaySet};

impl Engine {
    /// Every legal action of a state, each once.
    ///
    /// Empty while a throw is due, and when the game is over.
    pub fn legal(&self, state: &State) -> Actions {
        let mut actions = Actions::default();
        self.legal_into(state, &mut actions);
        actions
    }

    /// Writes the actions that [`Engine::legal`] returns into a list that the caller can reuse.
    pub fn legal_into(&self, state: &State, out: &mut Actions) {
        out.clear();
        match state.phase {
            Phase::Choose | Phase::Declare => self.choices_into(state, out),
            Phase::Move => self.moves_into(state, out),
            Phase::Throw | Phase::Over => {}
        }
    }

    /// Adds the legal actions that spend a part of the hand. First tries the fast search for a single number, then the
    /// one for two numbers, and then the search that works for every hand.
    pub(crate) fn moves_into(&self, state: &State, out: &mut Actions) {
        let mut found = OneNumber::default();
        if self.quick.is_none() && self.one_number(state, &mut found) {
            self.one_number_into(state, &found, out);
            self.pass_beside(out.len(), out);
        } else {
            self.moves_of_several_into(state, out);
        }
    }

    /// Adds the legal actions by the fast search for two numbers of a throw. If it does not apply, adds them by the
    /// search that works for every hand.
    pub(super) fn moves_of_several_into(&self, state: &State, out: &mut Actions) {
        if self.several_numbers_into(state, out) {
            self.pass_beside(out.len(), out);
        } else {
            self.moves_of_any_hand_into(state, out);
        }
    }

    /// Adds the legal actions by the search that works for every hand.
    pub(super) fn moves_of_any_hand_into(&self, state: &State, out: &mut Actions) {
        let binding = self.ordinary_into(state, out);
        let last_too = out.is_empty() && self.has_duty(Duty::Last);
        if last_too {
            self.candidates(state, Duty::Last, out);
            self.keep_last_resorts(state, out);
        }
        if out.len() > 1 {
            let is_most = (last_too || self.is_judged(state)) && self.must_spend_most(state);
            self.tell_apart(state, out, 0, last_too, is_most);
        }
        let pressing = out.len();
        if self.has_duty(Duty::Voluntary) {
            self.voluntary_into(state, binding, out);
            self.tell_apart(state, out, pressing, last_too, false);
        }
        self.pass_beside(pressing, out);
        // The fast engine lists actions by numbers and pawns, not by spend lines. This list gets the same order.
        if self.quick.is_some() && is_quick_hand(state) {
            out.sort_from(0, |action| match action.numbers {
                _ if action.is_joint() => 3 << 3 | action.pawn.number(),
                numbers => (numbers & 3).wrapping_sub(1) << 3 | action.pawn.number(),
            });
        }
    }

    /// Adds the legal actions of a position. Of actions with the same plain text, all are listed, also those that are
    /// interchangeable. Without `looks_ahead`, actions that waste numbers are listed too.
    pub(super) fn repeated_moves_into(&self, state: &State, looks_ahead: bool, out: &mut Actions) {
        let binding =
            if looks_ahead { self.ordinary_into(state, out) } else { self.candidates(state, Duty::Ordinary, out) };
        if out.is_empty() && self.has_duty(Duty::Last) {
            self.candidates(state, Duty::Last, out);
            if looks_ahead {
                self.keep_last_resorts(state, out);
            }
        }
        let pressing = out.len();
        if self.has_duty(Duty::Voluntary) {
            self.voluntary_into(state, binding, out);
        }
        self.pass_beside(pressing, out);
    }

    /// Adds the legal voluntary actions. `binding` is the compulsion on the next action that binds.
    fn voluntary_into(&self, state: &State, binding: Option<Binding<'_>>, out: &mut Actions) {
        if binding.is_some_and(|binding| binding.must.actions & self.lines_of(Duty::Voluntary) == 0) {
            return;
        }
        let start = out.len();
        self.candidates(state, Duty::Voluntary, out);
        if let Some(binding) = binding {
            out.retain_from(start, |action| self.is_left(state, binding, action));
        }
    }

    /// Adds `pass` to a list that is not empty: if all actions are voluntary, or if the rules allow a pass beside any
    /// action (`may_pass`). `pressing` is the count of actions that are not voluntary.
    fn pass_beside(&self, pressing: usize, out: &mut Actions) {
        if out.len() > pressing && pressing == 0 || self.turn.may_pass && !out.is_empty() {
            self.add_pass(out);
        }
    }

    pub(crate) fn has_duty(&self, duty: Duty) -> bool {
        self.lines_of(duty) != 0
    }

    /// The spend lines of a duty, one bit each.
    fn lines_of(&self, duty: Duty) -> WaySet {
        self.spend_lines.of_duty(duty, false) | self.spend_lines.of_duty(duty, true)
    }

    /// Adds the legal ordinary actions. Returns the compulsion on the next action that binds.
    fn ordinary_into(&self, state: &State, out: &mut Actions) -> Option<Binding<'_>> {
        let binding = if self.has_due() {
            self.candidates_under(0, state, Duty::Ordinary, out);
            let binding = self.bind(state, out);
            if binding.is_some_and(|binding| binding.must.in_hand) {
                return None;
            }
            binding
        } else {
            self.candidates(state, Duty::Ordinary, out)
        };
        if self.must_spend_most(state) && self.is_judged(state) {
            self.keep_longest(state, out, false);
        }
        binding
    }

    /// Whether looking ahead removes ordinary actions that waste numbers.
    pub(super) fn is_judged(&self, state: &State) -> bool {
        state.stage() == HandStage::Numbers || state.must_spend_all()
    }

    /// Whether players must spend as many numbers of this hand as possible.
    pub(crate) fn must_spend_most(&self, state: &State) -> bool {
        self.turn.most || state.must_spend_all()
    }
}

impl State {
    /// Whether the hand holds a throw of which all or none must be spent.
    #[inline(always)]
    pub(crate) fn must_spend_all(&self) -> bool {
        // In a hand without throws, the first entry has the default flags, which are 0.
        let is_bound = |thrown: &Banked| thrown.flags & Banked::ALL_OR_NONE != 0;
        match self.hand.throws {
            0 | 1 => is_bound(&self.hand.banked[0]),
            throws => self.hand.banked[..throws as usize & 31].iter().any(is_bound),
        }
    }
}
