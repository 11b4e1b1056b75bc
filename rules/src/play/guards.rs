//! Guards of `on` lines: the lines for an event that may apply, and those that surely do, by a value that is at hand:
//! the throw, the place where a move ends, or the number that it spends. The engine evaluates only the conditions that
//! the guards leave open.

use super::context::Context;
use super::evaluator::Evaluator;
use super::question::Look;
use super::state::{State, Throw};
use crate::tables::{Event, Fact, Op, Rule};

#[cfg(test)]
mod tests;

/// The guards of all events.
#[derive(Debug)]
pub(super) struct Guards {
    events: [EventGuards; Event::COUNT],
}

/// The lines for an event that may apply if a throw, place or number is known. The first 64 lines have one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guard {
    /// The lines that may apply.
    pub may: u64,
    /// The lines whose condition is surely true.
    pub sure: u64,
}

/// The guards of an event. A list has an entry for each value, or a single entry if the value makes no difference.
#[derive(Debug)]
struct EventGuards {
    /// The guards by throw or place. For a throw, the index is its total, and [`VALUES`] more for a doublet. For other
    /// events, it is the place where the move ends, and [`VALUES`] more for a joint move.
    by_key: Vec<Guard>,
    /// The guards by the number that the move spends.
    by_number: Vec<Guard>,
}

/// Number of values of a place or number.
pub(super) const VALUES: usize = 256;

impl Guards {
    pub(super) fn of(rules: &Evaluator) -> Guards {
        let events = std::array::from_fn(|event| {
            let lines = &rules.events.on[event][..];
            let by_key = if event == Event::Throw as usize {
                guards(rules, lines, 2 * VALUES, &|fact, key| match fact {
                    Fact::Total => Some(key % VALUES),
                    Fact::Doublet => Some(key / VALUES),
                    _ => None,
                })
            } else {
                guards(rules, lines, 2 * VALUES, &|fact, key| match fact {
                    Fact::To => Some(key % VALUES),
                    Fact::Joint => Some(key / VALUES),
                    _ => None,
                })
            };
            let by_number = guards(rules, lines, VALUES, &|fact, key| (fact == Fact::Number).then_some(key));
            EventGuards { by_key, by_number }
        });
        Guards { events }
    }

    #[inline(always)]
    pub(super) fn at(&self, state: &State, event: Event, context: &Context) -> Guard {
        let EventGuards { by_key, by_number } = &self.events[event as usize];
        let key = match (by_key.len(), event) {
            (1, _) => 0,
            (_, Event::Throw) => throw_key(&state.last),
            _ => context.to.index() + VALUES * usize::from(context.joint),
        };
        let number = if by_number.len() == 1 { 0 } else { context.number.index() };
        let (one, other) = (by_key[key], by_number[number]);
        Guard { may: one.may & other.may, sure: one.sure | other.sure }
    }
}

pub(super) fn throw_key(throw: &Throw) -> usize {
    usize::from(throw.total()) + VALUES * usize::from(throw.is_doublet())
}

/// The guards of some lines for each key below `count`. `known` returns the value of a fact for a key.
fn guards(
    rules: &Evaluator,
    lines: &[Rule],
    count: usize,
    known: &impl Fn(Fact, usize) -> Option<usize>,
) -> Vec<Guard> {
    let mut guards = vec![Guard { may: 0, sure: 0 }];
    for (index, line) in lines.iter().enumerate().take(64) {
        let outcomes = |key: usize| {
            let value_of = |look: Look| match look {
                Look::Fact(fact) => known(fact, key).map(|value| value as i32),
                _ => None,
            };
            line.when.map_or([false, true], |when| rules.outcomes_under(when, &value_of))
        };
        let is_known = |op: &Op| matches!(*op, Op::Fact(fact) if known(fact, 0).is_some());
        let depends = line.when.is_some_and(|when| rules.read_by(when).iter().any(is_known));
        if depends && guards.len() == 1 {
            guards = vec![guards[0]; count];
        }
        let same = outcomes(0);
        for (key, guard) in guards.iter_mut().enumerate() {
            let [can_fail, can_hold] = if depends { outcomes(key) } else { same };
            guard.may |= u64::from(can_hold) << index;
            guard.sure |= u64::from(!can_fail) << index;
        }
    }
    guards
}
