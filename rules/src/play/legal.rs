//! The legal actions: candidates, restricted by compulsions and by the duty to spend most.

use super::actions::Actions;
use super::stage::Stage;
use super::state::{Banked, Phase, State};
use crate::play::engine::Engine;
use crate::tables::Duty;
use crate::units::Seat;

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

    pub(crate) fn moves_into(&self, state: &State, out: &mut Actions) {
        let quick = self.quick.as_ref();
        let Some((quick, mut bits)) = quick.and_then(|quick| Some((quick, self.quick_moves(quick, state)?))) else {
            return self.slow_moves_into(state, out);
        };
        while bits != 0 {
            out.push(self.quick_action(quick, state, bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }

    /// The legal actions by the general method, which works for every rule set.
    pub(crate) fn slow_moves_into(&self, state: &State, out: &mut Actions) {
        let colour = self.colour(state);
        let compelled = self.ordinary_into(state, colour, out);
        let last_too = out.is_empty() && self.has_duty(Duty::Last);
        if last_too {
            self.candidates(state, colour, Duty::Last, out);
            self.keep_best(state, out, true);
        }
        self.tell_apart(state, out, 0, last_too, (last_too || self.is_judged(state)) && self.must_spend_most(state));
        let pressing = out.len();
        if !compelled && self.has_duty(Duty::Voluntary) {
            self.candidates(state, colour, Duty::Voluntary, out);
            self.tell_apart(state, out, pressing, last_too, false);
        }
        self.pass_beside(pressing, out);
    }

    /// Adds the legal actions of a position as [`Engine::slow_moves_into`] does, but lists all actions with the same
    /// plain text. Without `looks_ahead`, actions that waste numbers are listed too.
    pub(super) fn repeated_moves_into(&self, state: &State, looks_ahead: bool, out: &mut Actions) {
        let colour = self.colour(state);
        let compelled = if looks_ahead {
            self.ordinary_into(state, colour, out)
        } else {
            self.candidates(state, colour, Duty::Ordinary, out)
        };
        if out.is_empty() && self.has_duty(Duty::Last) {
            self.candidates(state, colour, Duty::Last, out);
            if looks_ahead {
                self.keep_best(state, out, true);
            }
        }
        let pressing = out.len();
        if !compelled && self.has_duty(Duty::Voluntary) {
            self.candidates(state, colour, Duty::Voluntary, out);
        }
        self.pass_beside(pressing, out);
    }

    /// Adds `pass` to a list that is not empty: if all actions are voluntary, or if the rules allow a pass beside any
    /// action (`may_pass`). `pressing` is the count of actions that are not voluntary.
    fn pass_beside(&self, pressing: usize, out: &mut Actions) {
        if out.len() > pressing && pressing == 0 || self.turn.may_pass && !out.is_empty() {
            self.add_pass(out);
        }
    }

    pub(crate) fn has_duty(&self, duty: Duty) -> bool {
        self.spend_lines.of_duty(duty, false) | self.spend_lines.of_duty(duty, true) != 0
    }

    /// Adds the legal ordinary actions. Returns whether a compulsion on the next action applied.
    fn ordinary_into(&self, state: &State, colour: Seat, out: &mut Actions) -> bool {
        let compelled = self.candidates(state, colour, Duty::Ordinary, out);
        if self.is_judged(state) {
            self.keep_best(state, out, false);
        }
        compelled
    }

    /// Whether looking ahead removes ordinary actions that waste numbers.
    fn is_judged(&self, state: &State) -> bool {
        state.stage() == Stage::Numbers || state.must_spend_all()
    }

    /// Whether players must spend as many numbers of this hand as possible.
    pub(crate) fn must_spend_most(&self, state: &State) -> bool {
        self.turn.most || state.must_spend_all()
    }
}

impl State {
    /// Whether the hand holds a throw of which all or none must be spent.
    pub(crate) fn must_spend_all(&self) -> bool {
        self.hand.banked[..self.hand.throws as usize & 31].iter().any(|thrown| thrown.flags & Banked::ALL_OR_NONE != 0)
    }
}
