//! Compulsions: the first compulsion that matches an action binds. A compulsion on the next action removes the actions
//! that it does not match.

use std::slice;

use super::actions::Actions;
use super::context::Context;
use super::engine::Engine;
use super::state::{Action, State};
use crate::tables::{Must, Program, WaySet, With};
use crate::units::Pips;

/// A compulsion that binds at a decision.
#[derive(Clone, Copy)]
pub(super) struct Binding<'m> {
    pub must: &'m Must,
    /// The least number of an ordinary action that matches the compulsion; 0 if the compulsion asks for none.
    least: i32,
}

impl Engine {
    /// Applies the first compulsion on the next action, among the first `lines` compulsions, that matches any action
    /// from index `start` on. `None` if there is no such compulsion.
    pub(super) fn compel(&self, state: &State, lines: usize, start: usize, out: &mut Actions) -> Option<Binding<'_>> {
        let must = &self.moves.must[..lines];
        let (must, first) = self.compelling(state, must, &out[start..])?;
        let mut index = 0;
        out.retain_from(start, |action| {
            index += 1;
            index > first && (index == first + 1 || self.is_asked_for(state, must, action))
        });
        Some(self.binding_of(state, must, start, out))
    }

    /// Keeps the actions with the least number that a compulsion asks for, from index `start` on. All of them match the
    /// compulsion, and there is at least one.
    #[inline(always)]
    fn binding_of<'m>(&self, state: &State, must: &'m Must, start: usize, out: &mut Actions) -> Binding<'m> {
        let least = must.least.map_or(0, |least| self.keep_least(state, least, start, out));
        Binding { must, least }
    }

    #[inline(never)]
    fn keep_least(&self, state: &State, program: Program, start: usize, out: &mut Actions) -> i32 {
        let number = |action: &Action| self.value(state, program, &self.asked_of(state, action));
        let least = out[start..].iter().map(number).min().unwrap_or_default();
        out.retain_from(start, |action| number(action) == least);
        least
    }

    /// Whether a compulsion that binds leaves an action of any duty: the action matches it, and its number is not
    /// greater than the least one.
    pub(super) fn is_left(&self, state: &State, binding: Binding<'_>, action: &Action) -> bool {
        let Binding { must, least } = binding;
        let number = |program| self.value(state, program, &self.asked_of(state, action));
        self.is_asked_for(state, must, action) && must.least.is_none_or(|program| number(program) <= least)
    }

    /// The first of these compulsions on the next action that matches any of the actions, and the index of the first
    /// action that it matches.
    #[inline(always)]
    fn compelling<'m>(&self, state: &State, must: &'m [Must], actions: &[Action]) -> Option<(&'m Must, usize)> {
        let lines = actions.iter().fold(0, |lines: WaySet, action| lines | 1 << (action.line & 63));
        must.iter().filter(|must| !must.in_hand && must.actions & lines != 0).find_map(|must| {
            let first = || actions.iter().position(|action| self.is_asked_for(state, must, action));
            // Where a player has several colours, `is_asked_for` evaluates this part of the condition for each action.
            let is_open = self.seating.shares || self.holds(state, must.open, &Context::seat(self.colour(state)));
            let first = if is_open { first() } else { None };
            first.map(|first| (must, first))
        })
    }

    /// Applies the first compulsion that matches, on the next action or on the whole hand. `out` holds the ordinary
    /// actions, to which no compulsion has been applied yet.
    pub(super) fn bind(&self, state: &State, out: &mut Actions) -> Option<Binding<'_>> {
        let mut visited = 0;
        self.moves.must.iter().enumerate().find_map(|(index, must)| {
            if must.in_hand {
                let is_met = self.keep_due(state, index, out, false, &mut visited);
                return is_met.then_some(Binding { must, least: 0 });
            }
            self.compelling(state, slice::from_ref(must), out)?;
            out.retain_from(0, |action| self.is_asked_for(state, must, action));
            Some(self.binding_of(state, must, 0, out))
        })
    }

    /// Whether a compulsion matches an action.
    #[inline(always)]
    pub(super) fn is_asked_for(&self, state: &State, must: &Must, action: &Action) -> bool {
        must.actions >> action.line & 1 == 1
            && must.when.is_none_or(|when| match self.marks_asked(when) {
                [0, _] => self.holds(state, must.when, &self.asked_of(state, action)),
                [mask, values] => state.marks[action.colour.index()][action.pawn.index()] & mask == values,
            })
            && (!self.seating.shares || self.holds(state, must.open, &Context::seat(action.colour)))
    }

    /// The context for conditions about an action.
    pub(crate) fn asked_of(&self, state: &State, action: &Action) -> Context {
        Context {
            pawn: action.pawn,
            from: action.from,
            to: action.to,
            number: self.number_of(state, action),
            throw: action.throw,
            joint: action.is_joint(),
            ..Context::seat(action.colour)
        }
    }

    /// The number, sum or bonus that an action spends. For a doublet or triplet, one of its equal numbers.
    pub(crate) fn number_of(&self, state: &State, action: &Action) -> Pips {
        let Some(thrown) = state.hand.thrown(action.throw) else {
            return state.hand.bonuses.get(action.numbers as usize).map_or(Pips(0), |bonus| bonus.steps);
        };
        let sum = thrown.sum_of(action.numbers);
        match self.moves.spend.get(action.line as usize).map(|line| line.with) {
            Some(With::Doublet) => Pips(sum.0 / 2),
            Some(With::Triplet) => Pips(sum.0 / 3),
            _ => sum,
        }
    }
}
