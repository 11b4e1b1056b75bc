//! Whether a gate that is open stays open while the hand is spent.

use super::relevant::while_spending;
use crate::tables::{Effect, Event, Fact, Op, Program, Rules, Whose};

/// How a value changes while the counters that the condition of the gate reads only rise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trend {
    /// The value stays the same.
    Fixed,
    /// The value stays the same or rises. A condition that is true stays true.
    Rising,
    /// The value stays the same or falls.
    Falling,
}

impl Trend {
    /// The trend of the negated value.
    fn opposite(self) -> Trend {
        match self {
            Trend::Fixed => Trend::Fixed,
            Trend::Rising => Trend::Falling,
            Trend::Falling => Trend::Rising,
        }
    }

    /// The trend of a value that rises with each of two others, such as their sum. `None` if one of the two rises and
    /// the other one falls.
    fn and(self, other: Trend) -> Option<Trend> {
        match (self, other) {
            (Trend::Fixed, trend) | (trend, Trend::Fixed) => Some(trend),
            _ => (self == other).then_some(self),
        }
    }
}

/// Whether the condition of the gate, once true, stays true until the hand is spent. `false` if that cannot be proved.
pub(super) fn stays_open(rules: &Rules, gate: Program) -> bool {
    let code = rules.ops(gate);
    let is_rising = |op: &Op| match *op {
        Op::Counter(_, index) => only_rises(rules, index),
        _ => true,
    };
    trend(code).is_some_and(|trend| trend != Trend::Falling) && code.iter().all(is_rising)
}

/// The trend of a condition that reads only counters of the moving seat. `None` if the trend is unknown.
fn trend(code: &[Op]) -> Option<Trend> {
    let mut stack = Vec::new();
    for op in code {
        let trend = match op {
            Op::AndThen(_) | Op::OrElse(_) => continue,
            Op::Push(_) => Trend::Fixed,
            Op::Counter(Whose::Own, _) => Trend::Rising,
            Op::Not => stack.pop().map(Trend::opposite)?,
            Op::And | Op::Or | Op::Add => {
                let (second, first): (Trend, Trend) = (stack.pop()?, stack.pop()?);
                first.and(second)?
            }
            // The comparison becomes true when the second value rises or the first one falls.
            Op::Lt | Op::Le => {
                let (second, first): (Trend, Trend) = (stack.pop()?, stack.pop()?);
                first.opposite().and(second)?
            }
            _ => return None,
        };
        stack.push(trend);
    }
    stack.pop()
}

/// Whether a seat's counter never falls while that seat spends its hand.
fn only_rises(rules: &Rules, counter: u8) -> bool {
    let greatest = rules.counters.seat.get(usize::from(counter)).map_or(i16::MAX, |counter| counter.range.1);
    let rises = |op: &Op| matches!(op, Op::Push(0..) | Op::Fact(Fact::Victims));
    let lines = rules.events.on.iter().enumerate().filter(|(event, _)| while_spending(*event));
    let mut effects = lines.flat_map(|(event, lines)| {
        let lost = event == Event::Lost as usize;
        lines.iter().flat_map(|line| &line.effects).map(move |effect| (lost, effect))
    });
    effects.all(|(lost, effect)| match *effect {
        Effect::Set(whose, index, value) => {
            let is_greatest = matches!(*rules.ops(value), [Op::Push(value)] if value >= greatest);
            index != counter || !is_mover(lost, whose) || is_greatest
        }
        Effect::Add(whose, index, value) => {
            index != counter || !is_mover(lost, whose) || rules.ops(value).iter().all(rises)
        }
        Effect::UndoTurn => false,
        _ => true,
    })
}

/// Whether an effect on a counter of `whose` may change a counter of the seat that spends its hand. `lost` is true if
/// the effect belongs to the event `lost`. In that event, `own` is the seat of the captured pawn, and `other` is the
/// seat that spends its hand.
pub(super) fn is_mover(lost: bool, whose: Whose) -> bool {
    match whose {
        Whose::Game => false,
        Whose::Own => !lost,
        Whose::Other => lost,
        Whose::Partner | Whose::Turn => true,
    }
}
