//! The moves that may be quiet under a rule set.

use super::relevant::Relevant;
use crate::play::evaluator::Evaluator;
use crate::tables::{Event, EventSet, Fact, Op, Verdict};

/// The events of a move onward that captures nothing and does not come home.
pub(super) const ONWARD: [Event; 4] = [Event::Moved, Event::Entered, Event::PassedOwnPair, Event::PairFormed];

/// The moves that may be quiet under a rule set.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Quietness {
    /// Whether a move onward can be quiet. It is not quiet if a line for an event of `asked` answers it.
    pub onward: bool,
    /// Whether a move onward that captures can be quiet.
    pub cuts: bool,
    /// Whether a move onward that comes home can be quiet.
    pub home: bool,
    /// Whether a move onward of several pawns together can be quiet.
    pub joint: bool,
    /// The events with lines that may change the moves of other pawns. A move is quiet if no such line answers it.
    pub asked: EventSet,
}

impl Quietness {
    pub(super) fn of(rules: &Evaluator, relevant: &Relevant) -> Quietness {
        let answered = |events: &[Event]| events.iter().any(|event| relevant.events & event.alone() != 0);
        let asked = ONWARD.iter().fold(0, |all, event| all | event.alone()) & relevant.events;
        let onward = rules.finish.when.is_none()
            && !rules.moves.landing.can_answer(Verdict::Swap)
            && !rules.moves.passing.can_answer(Verdict::Cut)
            && relevant.all_read(stays_known)
            && ONWARD.iter().all(|&event| are_told(rules, relevant, event));
        let off_board = rules.seating.players.iter().all(|&seat| rules.square(seat, rules.pawns.cut_to).is_none());
        let asks_enemies = |op: &Op| matches!(op, Op::OtherPawns(_) | Op::OtherPairs(_) | Op::OtherPawnsWhere(_));
        Quietness {
            onward,
            cuts: onward
                && off_board
                && !answered(&[Event::Cut, Event::Lost])
                && relevant.all_read(|op| !asks_enemies(op)),
            home: onward && !answered(&[Event::Home]),
            // An `on` line could apply to one of the pawns and not to the other.
            joint: onward && asked == 0 && !answered(&[Event::PairMoved]),
            asked,
        }
    }
}

/// Whether the value that an operation reads stays the same when own pawns elsewhere go onward.
fn stays_known(op: &Op) -> bool {
    match *op {
        Op::Pawns(_) | Op::Pairs(_) | Op::CountAt(_) | Op::PawnsWhere(_) | Op::OtherPawnsWhere(_) => false,
        Op::Fact(fact) => !matches!(
            fact,
            Fact::InPair | Fact::AnyMoved | Fact::LastMovedAt | Fact::NumbersLeft | Fact::BonusesNow | Fact::Owed
        ),
        _ => true,
    }
}

/// Whether every line that matters for an event has a condition, and the condition can be evaluated before the move.
fn are_told(rules: &Evaluator, relevant: &Relevant, event: Event) -> bool {
    let is_told = |op: &Op| match *op {
        Op::Push(_) | Op::Counter(..) | Op::Mark(_) | Op::Face(_) => true,
        Op::Fact(fact) => matches!(
            fact,
            Fact::From | Fact::To | Fact::Number | Fact::Total | Fact::Throws | Fact::Players | Fact::ThrowNumber
        ),
        Op::In(_) | Op::Half | Op::Not | Op::Pick | Op::AndThen(_) | Op::OrElse(_) => true,
        Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => true,
        _ => false,
    };
    let lines = rules.events.on[event as usize].iter().enumerate().filter(|(index, _)| relevant.has(event, *index));
    lines.into_iter().all(|(_, line)| line.when.is_some_and(|when| rules.ops(when).iter().all(is_told)))
}
