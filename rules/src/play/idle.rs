//! Idle `on` lines: lines that would change nothing, because every effect sets a counter or a mark to a constant that
//! is its value already.
//!
//! Most lines that reset a counter or a mark are idle most of the time. If no watcher needs the lines that fire, the
//! conditions of idle lines are not evaluated.

use super::context::Context;
use super::engine::Engine;
use super::evaluator::Evaluator;
use super::state::State;
use crate::tables::{Effect, Event, Program, Whose};
use crate::units::Seat;

/// The lines that may be idle. Only the first 64 lines of an event are considered.
#[derive(Debug)]
pub(super) struct IdleLines {
    /// For each event, these lines, one bit each.
    lines: [u64; Event::COUNT],
    /// For each event, the line with each index: its part of `checks`, as the first index and the index after the last.
    ranges: [Vec<(u32, u32)>; Event::COUNT],
    /// The checks of all lines, one for each effect.
    checks: Vec<Check>,
}

/// A check whether one effect would leave the state unchanged.
#[derive(Debug, Clone, Copy)]
enum Check {
    /// The counter has this value: owner, index of the counter, value.
    Counter(Whose, u8, i16),
    /// The mark of the pawn in question is set, or not: index of the mark, whether it is set.
    Mark(u8, bool),
    /// The marks of all own pawns as one word, one byte for each pawn: the bits to look at, and their values.
    Marks(u128, u128),
}

impl IdleLines {
    pub(super) fn of(rules: &Evaluator) -> IdleLines {
        let mut idle =
            IdleLines { lines: [0; Event::COUNT], ranges: std::array::from_fn(|_| Vec::new()), checks: Vec::new() };
        for event in Event::all().map(|event| event as usize) {
            for (index, line) in rules.events.on[event].iter().enumerate().take(64) {
                let first = idle.checks.len();
                let checks: Option<Vec<Check>> = line.effects.iter().map(|effect| Check::of(rules, effect)).collect();
                if let Some(checks) = checks {
                    idle.lines[event] |= 1 << index;
                    idle.checks.extend(checks);
                }
                idle.ranges[event].push((first as u32, idle.checks.len() as u32));
            }
        }
        idle
    }

    /// Those `on` lines for an event that only set counters and marks to constants, so that they may be idle. One bit
    /// each.
    #[inline(always)]
    pub(super) fn for_event(&self, event: Event) -> u64 {
        self.lines[event as usize]
    }
}

impl Check {
    /// The check of an effect. `None` if the effect does not set a counter or marks to a constant.
    fn of(rules: &Evaluator, effect: &Effect) -> Option<Check> {
        match *effect {
            Effect::Set(whose, index, value) => {
                let declared = if whose == Whose::Game { &rules.counters.game } else { &rules.counters.seat };
                let (least, most) = declared[usize::from(index)].range;
                let value = rules.known(value)?.clamp(least.into(), most.into());
                Some(Check::Counter(whose, index, value as i16))
            }
            Effect::Mark(bit, value) => Some(Check::Mark(bit, rules.known(value)? != 0)),
            Effect::MarkEach(bit, value, _) => {
                let pawns = usize::from(rules.pawns.count);
                let bits = u128::from_le_bytes(std::array::from_fn(|pawn| u8::from(pawn < pawns) << bit));
                Some(Check::Marks(bits, if rules.known(value)? != 0 { bits } else { 0 }))
            }
            _ => None,
        }
    }
}

impl Engine {
    /// Whether the effects of a line would leave the state unchanged. The condition of the line is not evaluated. The
    /// line, given by its event and its index there, must be one that may be idle.
    pub(super) fn is_idle(&self, state: &State, event: Event, index: usize, context: &Context) -> bool {
        let (first, end) = self.idle_lines.ranges[event as usize][index];
        let checks = &self.idle_lines.checks[first as usize..end as usize];
        checks.iter().all(|check| match *check {
            Check::Counter(whose, index, value) => self.counter(state, context, whose, index) == i32::from(value),
            Check::Mark(bit, is_set) => {
                (state.marks[context.own.index()][context.pawn.index()] >> bit & 1 == 1) == is_set
            }
            Check::Marks(bits, values) => marks(state, context.own) & bits == values,
        })
    }
}

/// The marks of a seat's pawns as one word, one byte for each pawn.
#[inline(always)]
fn marks(state: &State, seat: Seat) -> u128 {
    u128::from_le_bytes(state.marks[seat.index()])
}

impl Evaluator {
    /// The value of a program that reads nothing.
    #[inline(always)]
    fn known(&self, program: Program) -> Option<i32> {
        self.questions.known(self.questions.first[program.start as usize])
    }
}
