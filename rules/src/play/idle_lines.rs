//! The `on` lines that may be idle, because they only set counters or marks to constants.

use super::evaluator::Evaluator;
use crate::tables::{Effect, Event, Program, Rule, Whose};
use crate::units::{MAX_COUNTERS, MAX_GAME_COUNTERS};

/// The lines that may be idle. Only the first 64 lines of an event are considered.
#[derive(Debug)]
pub(super) struct IdleLines {
    /// For each event, the lines that may be idle, one bit each.
    lines: [u64; Event::COUNT],
    /// For each event, the constants that each of its lines sets. The list ends with the last line that may be idle.
    pub(super) constants: [Vec<[Constants; OWNERS]>; Event::COUNT],
}

/// Maximum number of owners whose counters or marks an idle line sets. Lines with more of them are never idle.
const OWNERS: usize = 2;

/// The constants to which the effects of a line set counters or marks of one owner.
#[derive(Debug, Clone, Copy)]
pub(super) enum Constants {
    /// The line sets nothing more.
    None,
    /// The counters of an owner: a mask of the compared bits, and their values.
    Counters(Whose, [i16; MAX_COUNTERS], [i16; MAX_COUNTERS]),
    /// The marks of the pawn in question: a mask of the compared bits, and their values.
    Mark(u8, u8),
    /// The marks of all own pawns as one word, one byte for each pawn: a mask of the compared bits, and their values.
    Marks(u128, u128),
}

// The counters of a seat and those of the game are compared in the same way.
const _: () = assert!(MAX_COUNTERS == MAX_GAME_COUNTERS);

impl IdleLines {
    pub(super) fn of(rules: &Evaluator) -> IdleLines {
        let mut idle = IdleLines { lines: [0; Event::COUNT], constants: std::array::from_fn(|_| Vec::new()) };
        for event in Event::all().map(|event| event as usize) {
            for (index, line) in rules.events.on[event].iter().enumerate().take(64) {
                if let Some(constants) = Constants::of(rules, line) {
                    idle.lines[event] |= 1 << index;
                    idle.constants[event].resize(index, [Constants::None; OWNERS]);
                    idle.constants[event].push(constants);
                }
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

    /// Whether a line sets marks of the pawn in question.
    #[inline(always)]
    pub(super) fn is_of_pawn(&self, event: Event, index: usize) -> bool {
        self.constants[event as usize][index].iter().any(|constants| matches!(constants, Constants::Mark(..)))
    }
}

impl Constants {
    /// The constants that a line sets, for each owner. `None` if it has an effect that does something else, or if it
    /// has too many owners.
    fn of(rules: &Evaluator, line: &Rule) -> Option<[Constants; OWNERS]> {
        let mut all = [Constants::None; OWNERS];
        for effect in &line.effects {
            let next = Constants::of_effect(rules, effect)?;
            let (owner, both) = all.iter_mut().find_map(|owner| owner.and(next).map(|both| (owner, both)))?;
            *owner = both;
        }
        Some(all)
    }

    fn of_effect(rules: &Evaluator, effect: &Effect) -> Option<Constants> {
        match *effect {
            Effect::Set(whose, index, value) => {
                let declared = if whose == Whose::Game { &rules.counters.game } else { &rules.counters.seat };
                let (least, most) = declared[usize::from(index)].range;
                let value = rules.constant(value)?.clamp(least.into(), most.into()) as i16;
                let only = |bits: i16| std::array::from_fn(|other| if other == usize::from(index) { bits } else { 0 });
                Some(Constants::Counters(whose, only(-1), only(value)))
            }
            Effect::Mark(bit, value) => {
                let on = u8::from(rules.constant(value)? != 0);
                Some(Constants::Mark(1 << bit, on << bit))
            }
            Effect::MarkEach(bit, value, _) => {
                let pawns = usize::from(rules.pawns.count);
                let bits = u128::from_le_bytes(std::array::from_fn(|pawn| u8::from(pawn < pawns) << bit));
                Some(Constants::Marks(bits, if rules.constant(value)? != 0 { bits } else { 0 }))
            }
            _ => None,
        }
    }

    /// The constants that two effects set, one after the other. `None` if the owners differ, or if both effects set the
    /// same counter or mark.
    fn and(self, later: Constants) -> Option<Constants> {
        match (self, later) {
            (Constants::None, later) => Some(later),
            (Constants::Counters(whose, bits, values), Constants::Counters(other, more, further)) => {
                let is_apart = whose == other && (0..MAX_COUNTERS).all(|index| bits[index] & more[index] == 0);
                let both = |one: [i16; MAX_COUNTERS], two: [i16; MAX_COUNTERS]| {
                    std::array::from_fn(|index| one[index] | two[index])
                };
                is_apart.then(|| Constants::Counters(whose, both(bits, more), both(values, further)))
            }
            (Constants::Mark(bits, values), Constants::Mark(more, further)) => {
                (bits & more == 0).then_some(Constants::Mark(bits | more, values | further))
            }
            (Constants::Marks(bits, values), Constants::Marks(more, further)) => {
                (bits & more == 0).then_some(Constants::Marks(bits | more, values | further))
            }
            _ => None,
        }
    }
}

impl Evaluator {
    /// The value of a program that reads nothing.
    #[inline(always)]
    fn constant(&self, program: Program) -> Option<i32> {
        self.questions.constant(self.questions.first[program.start as usize])
    }
}
