//! Idle `on` lines: lines that would change nothing, because every effect sets a counter or a mark to a constant that
//! is its value already.
//!
//! Most lines that reset a counter or a mark are idle most of the time. If no watcher needs the lines that fire, the
//! conditions of idle lines are not evaluated.

use super::context::Context;
use super::engine::Engine;
use super::evaluator::Evaluator;
use super::state::State;
use crate::tables::{Effect, Event, Program, Rule, Whose};

/// For each event, the lines that may be idle, one bit each. Only the first 64 lines of an event are considered.
#[derive(Debug)]
pub(super) struct IdleLines([u64; Event::COUNT]);

impl IdleLines {
    pub(super) fn of(rules: &Evaluator) -> IdleLines {
        let is_known = |effect: &Effect| match *effect {
            Effect::Set(_, _, value) | Effect::Mark(_, value) | Effect::MarkEach(_, value, _) => {
                rules.known(value).is_some()
            }
            _ => false,
        };
        let lines = |event: usize| rules.events.on[event].iter().enumerate().take(64);
        let of_event = |event: usize| {
            let lines = lines(event).filter(|(_, line)| line.effects.iter().all(is_known));
            lines.fold(0, |all, (index, _)| all | 1 << index)
        };
        IdleLines(std::array::from_fn(of_event))
    }

    /// Those `on` lines for an event that only set counters and marks to constants, so that they may be idle. One bit
    /// each.
    #[inline(always)]
    pub(super) fn for_event(&self, event: Event) -> u64 {
        self.0[event as usize]
    }
}

impl Engine {
    /// Whether the effects of a line would leave the state unchanged. The condition of the line is not evaluated.
    pub(super) fn is_idle(&self, state: &State, rule: &Rule, context: &Context) -> bool {
        rule.effects.iter().all(|effect| self.is_idle_effect(state, effect, context))
    }

    fn is_idle_effect(&self, state: &State, effect: &Effect, context: &Context) -> bool {
        match *effect {
            Effect::Set(whose, index, value) => self.known(value).is_some_and(|value| {
                let declared = if whose == Whose::Game { &self.counters.game } else { &self.counters.seat };
                let (least, most) = declared[index as usize].range;
                self.counter(state, context, whose, index) == value.clamp(least.into(), most.into())
            }),
            Effect::Mark(bit, value) => {
                let marks = state.marks[context.own.index()][context.pawn.index()];
                self.known(value).is_some_and(|value| (marks >> bit & 1 == 1) == (value != 0))
            }
            Effect::MarkEach(bit, value, _) => self.known(value).is_some_and(|value| {
                let marks = &state.marks[context.own.index()][..self.pawns.count as usize & 15];
                marks.iter().all(|marks| (marks >> bit & 1 == 1) == (value != 0))
            }),
            _ => false,
        }
    }
}

impl Evaluator {
    /// The value of a program that reads nothing.
    #[inline(always)]
    fn known(&self, program: Program) -> Option<i32> {
        self.questions.known(self.questions.first[program.start as usize])
    }
}
