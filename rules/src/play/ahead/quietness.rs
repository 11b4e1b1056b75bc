//! The moves that may be quiet under a rule set, by the counters of the seat that moves.

use super::relevant::{Relevant, ValueSet};
use crate::play::evaluator::Evaluator;
use crate::play::idle_lines::IdleLines;
use crate::play::outcomes::Settled;
use crate::play::question::Look;
use crate::tables::{Duty, Event, Fact, Op, PawnsOf, Places, Verdict, Whose, With};
use crate::units::MAX_COUNTERS;

/// The events of a move onward that captures nothing and does not come home.
pub(super) const ONWARD: [Event; 4] = [Event::Moved, Event::Entered, Event::PassedOwnPair, Event::PairFormed];

/// Maximum number of true or false counters of the moving seat on which the stored quiet moves depend.
const MOST_KNOWN: usize = 4;

/// The moves that may be quiet. They depend on some counters of the moving seat that are true or false: many conditions
/// are decided by such a counter alone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct QuietMoves {
    /// The indices of these counters, and how many there are.
    counters: [u8; MOST_KNOWN],
    count: usize,
    /// The moves that may be quiet, by the values of `counters`, one bit each.
    moves: [Quietness; 1 << MOST_KNOWN],
}

/// The moves that may be quiet in a position.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Quietness {
    /// Whether a move onward can be quiet. It is not quiet if a line for an event of [`ONWARD`] answers it.
    pub onward: bool,
    /// Whether a move onward that captures can be quiet.
    pub cuts: bool,
    /// Whether a move onward that comes home can be quiet.
    pub home: bool,
    /// Whether a move onward of several pawns together can be quiet.
    pub joint: bool,
    /// For each event of [`ONWARD`], the lines that may change the moves of other pawns, one bit each.
    pub lines: [u64; ONWARD.len()],
    /// Those of `lines` whose condition reads values that the move may change, so that it is not evaluated before the
    /// move. Such a line counts as answering every move, unless it is idle.
    pub untold: [u64; ONWARD.len()],
    /// The places from which own pawns may go onward to a place where conditions of spend lines read more than quiet
    /// moves leave unchanged. While a pawn stands on one of them, no move is quiet.
    pub unquiet: Places,
}

/// The first counters of the moving seat that are true or false, and on which looking ahead depends.
fn known_counters(rules: &Evaluator, relevant: &Relevant) -> impl Iterator<Item = u8> {
    let is_known = |index: &u8| {
        let declared = rules.counters.seat.get(usize::from(*index));
        relevant.values.counters[0] >> index & 1 == 1 && declared.is_some_and(|counter| counter.range == (0, 1))
    };
    (0..MAX_COUNTERS as u8).filter(is_known).take(MOST_KNOWN)
}

impl QuietMoves {
    pub(super) fn of(rules: &Evaluator, relevant: &Relevant, idle_lines: &IdleLines) -> QuietMoves {
        let (mut counters, mut count) = ([0; MOST_KNOWN], 0);
        for index in known_counters(rules, relevant) {
            counters[count] = index;
            count += 1;
        }
        let mut quiet = QuietMoves { counters, count, ..QuietMoves::default() };
        for index in 0..quiet.moves.len() {
            let first = index & ((1 << count) - 1);
            quiet.moves[index] = if first < index {
                quiet.moves[first]
            } else {
                Quietness::of(rules, relevant, idle_lines, &counters[..count], index)
            };
        }
        quiet
    }

    /// The moves that may be quiet while the moving seat has these counters.
    #[inline(always)]
    pub(super) fn at(&self, counters: &[i16; MAX_COUNTERS]) -> &Quietness {
        if self.count == 0 {
            return &self.moves[0];
        }
        let bit = |(bit, index): (usize, &u8)| usize::from(counters[usize::from(index & 7)] != 0) << bit;
        &self.moves[self.counters.iter().enumerate().map(bit).fold(0, |index, bit| index | bit)]
    }
}

impl Quietness {
    /// The moves that may be quiet while these counters of the moving seat have these `values`, one bit each.
    fn of(rules: &Evaluator, relevant: &Relevant, idle_lines: &IdleLines, counters: &[u8], values: usize) -> Quietness {
        let value_of = |look: Look| match look {
            Look::Counter(Whose::Own, index) => {
                let bit = counters.iter().position(|&counter| counter == index)?;
                Some((values >> bit & 1) as i32)
            }
            // A seat that has finished makes no quiet move.
            Look::Fact(Fact::Finished) => Some(0),
            _ => None,
        };
        let settled = rules.settled(&value_of);
        let mut found = Quietness::default();
        let mut read = ValueSet::default();
        counters.iter().for_each(|&index| read.add(Op::Counter(Whose::Own, index)));
        let mut ops = Vec::new();
        // Quiet plans use no other spend lines.
        for line in rules.moves.spend.iter().filter(|line| line.duty == Duty::Ordinary && line.with != With::Bonus) {
            let asked = [line.open, line.when, line.steps, line.route.program()].into_iter().flatten();
            let reads: Vec<Op> = asked.flat_map(|program| rules.read_after(&settled, program)).collect();
            if reads.iter().all(stays_known) {
                ops.extend(reads);
            } else {
                found.unquiet |= Places::MAX.checked_shr(line.from.leading_zeros()).unwrap_or_default();
            }
        }
        let tables = [&rules.moves.landing, &rules.moves.passing];
        let verdicts = tables.into_iter().flat_map(|table| &table.asked).map(|asked| asked.when);
        let must = rules.moves.must.iter().flat_map(|must| [must.open, must.when, must.least]).flatten();
        let asked = verdicts.chain(must).chain(rules.board.gate);
        asked.for_each(|program| ops.extend(rules.read_after(&settled, program)));
        // Whether a player helps a partner depends on the counters and pawns of that player, who has finished.
        let help = rules.finish.help.filter(|_| rules.seating.teams);
        ops.extend(help.into_iter().flat_map(|program| rules.read_by(program)));
        ops.iter().for_each(|op| read.add(*op));
        found.onward = rules.finish.when.is_none()
            && !rules.moves.landing.can_answer(Verdict::Swap)
            && !rules.moves.passing.can_answer(Verdict::Cut)
            && ops.iter().all(stays_known)
            && found.add_lines(rules, idle_lines, &mut read, &settled);
        let answered = |events: &[Event]| events.iter().any(|event| relevant.events & event.alone() != 0);
        let off_board = rules.seating.players.iter().all(|&seat| rules.square(seat, rules.pawns.cut_to).is_none());
        let asks_enemies = |op: &Op| match *op {
            Op::Pawns(counted, _) | Op::Pairs(counted, _) | Op::PawnsWhere(counted, _) => counted != PawnsOf::Own,
            _ => false,
        };
        Quietness {
            cuts: found.onward && off_board && !answered(&[Event::Cut, Event::Lost]) && !ops.iter().any(asks_enemies),
            home: found.onward && !answered(&[Event::Home]),
            // An `on` line could apply to one of the pawns and not to the other.
            joint: found.onward && found.lines == [0; ONWARD.len()] && !answered(&[Event::PairMoved]),
            ..found
        }
    }

    /// Adds the lines for the events of a move onward that can change values of `read`, and adds the values that the
    /// conditions of these lines read. False if such a line may answer any move.
    fn add_lines(&mut self, rules: &Evaluator, idle_lines: &IdleLines, read: &mut ValueSet, settled: &Settled) -> bool {
        let before = self.lines;
        for (&event, (lines, untold)) in ONWARD.iter().zip(self.lines.iter_mut().zip(&mut self.untold)) {
            let rules_of_event = &rules.events.on[event as usize];
            if rules_of_event.len() > 64 {
                return false;
            }
            for (index, line) in rules_of_event.iter().enumerate() {
                let changes = || line.effects.iter().any(|effect| read.are_changed_by(rules, effect));
                if *lines >> index & 1 == 1 || rules.is_never_after(settled, line.when) || !changes() {
                    continue;
                }
                *lines |= 1 << index;
                let reads = line.when.map(|when| rules.read_after(settled, when));
                match reads.filter(|reads| reads.iter().all(is_told)) {
                    Some(reads) => reads.into_iter().for_each(|op| read.add(op)),
                    None if idle_lines.for_event(event) >> index & 1 == 1 => *untold |= 1 << index,
                    None => return false,
                }
            }
        }
        before == self.lines || self.add_lines(rules, idle_lines, read, settled)
    }
}

/// Whether the value that an operation reads stays the same when own pawns elsewhere go onward.
fn stays_known(op: &Op) -> bool {
    match *op {
        Op::Pawns(PawnsOf::Own, _) | Op::Pairs(PawnsOf::Own, _) => false,
        Op::CountAt(_) | Op::OwnMarkThere(_) | Op::PawnsWhere(..) => false,
        Op::Fact(fact) => !matches!(
            fact,
            Fact::InPair | Fact::AnyMoved | Fact::LastMovedAt | Fact::NumbersLeft | Fact::BonusesNow | Fact::Owed
        ),
        _ => true,
    }
}

/// Whether an operation of the condition of a line reads the same before the move as after it.
fn is_told(op: &Op) -> bool {
    match *op {
        Op::Push(_) | Op::Counter(..) | Op::Mark(_) | Op::Face(_) => true,
        Op::Fact(fact) => matches!(
            fact,
            Fact::From | Fact::To | Fact::Number | Fact::Total | Fact::Throws | Fact::Players | Fact::ThrowNumber
        ),
        Op::Half | Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Quietness, known_counters};
    use crate::bundled::{self, SETS};
    use crate::ruleset::Options;
    use crate::units::MAX_COUNTERS;

    #[test]
    fn quiet_moves_are_stored_for_every_combination_of_counters() {
        let sets = SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)?.table(&Options::new(), None).ok());
        let mut differ = 0;
        // Where a player has several colours, no move is quiet.
        for engine in sets.filter(|engine| !engine.seating.shares) {
            let indices: Vec<u8> = known_counters(&engine, &engine.relevant).collect();
            for values in 0..1 << indices.len() {
                let mut counters = [0; MAX_COUNTERS];
                for (bit, &index) in indices.iter().enumerate() {
                    counters[usize::from(index)] = (values >> bit & 1) as i16;
                }
                let of = |values| Quietness::of(&engine, &engine.relevant, &engine.idle_lines, &indices, values);
                let stored = engine.assumptions.quiet.at(&counters);
                assert_eq!(*stored, of(values), "{}: {counters:?}", engine.identity.id);
                differ += u32::from(of(values) != of(0));
            }
        }
        assert!(differ > 0, "no counter makes a difference");
    }
}
