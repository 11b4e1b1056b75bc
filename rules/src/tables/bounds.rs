//! Computes the least and the greatest value that a compiled expression can have.

use super::{Counter, Fact, Op, PawnsOf, Whose};
use crate::units::MAX_SEATS;

/// The least and the greatest value of an operand.
pub(crate) type OperandBounds = (i64, i64);

/// Greatest value of a count of pawns.
const MOST_PAWNS: i64 = crate::units::MAX_PAWNS as i64;
/// Greatest value of a fact. Facts are values that the engine provides, such as the number of throws.
const MOST_FACT: i64 = u8::MAX as i64;
const TRUTH: OperandBounds = (0, 1);

/// The known bounds of the values that a program reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownBounds<'c> {
    /// The number that is spent.
    pub number: OperandBounds,
    /// The place `from`.
    pub from: OperandBounds,
    /// The place `to`.
    pub to: OperandBounds,
    /// The counters of a seat, and those of the game.
    pub counters: [&'c [Counter]; 2],
}

impl KnownBounds<'_> {
    /// Nothing is known but the counters.
    pub(crate) fn nothing<'c>(counters: [&'c [Counter]; 2]) -> KnownBounds<'c> {
        KnownBounds { number: (0, MOST_FACT), from: (0, MOST_FACT), to: (0, MOST_FACT), counters }
    }
}

/// Computes the bounds of a program's value. Returns `None` if the value can leave the range of the engine's numbers.
pub(crate) fn bounds(code: &[Op], given: &KnownBounds<'_>) -> Option<OperandBounds> {
    let mut stack: Vec<OperandBounds> = Vec::new();
    for op in code {
        let bounds = match *op {
            // `AndThen` and `OrElse` only skip an operand, which changes no bounds.
            Op::AndThen(_) | Op::OrElse(_) => continue,
            Op::Push(value) => (value.into(), value.into()),
            Op::Counter(whose, index) => {
                let counters = given.counters[usize::from(whose == Whose::Game)];
                let (least, most) = counters.get(usize::from(index))?.range;
                (least.into(), most.into())
            }
            Op::Fact(Fact::Number) => given.number,
            Op::Fact(Fact::From) => given.from,
            Op::Fact(Fact::To) => given.to,
            Op::Fact(_) => (0, MOST_FACT),
            Op::Face(_) => (0, crate::units::MAX_STEP.0.into()),
            Op::Mark(_) | Op::MarkThere(_) | Op::OwnMarkThere(_) | Op::MarkNamed(_) => TRUTH,
            Op::Pawns(counted, _) | Op::Pairs(counted, _) | Op::PawnsWhere(counted, _) => {
                (0, if counted == PawnsOf::Enemies { MAX_SEATS as i64 * MOST_PAWNS } else { MOST_PAWNS })
            }
            Op::In(places) => {
                let (least, most) = stack.pop()?;
                let is_in = |place: i64| (0..128).contains(&place) && places >> place & 1 == 1;
                if least == most { truth(is_in(least)) } else { TRUTH }
            }
            Op::Not => {
                let (least, most) = stack.pop()?;
                (1 - most.clamp(0, 1), 1 - least.clamp(0, 1))
            }
            Op::CountAt(_) => {
                stack.pop()?;
                (0, MOST_FACT)
            }
            Op::Half => {
                let (least, most) = stack.pop()?;
                (least.div_euclid(2), most.div_euclid(2))
            }
            Op::Pick => {
                let (then, condition, other) = (stack.pop()?, stack.pop()?, stack.pop()?);
                match condition {
                    (1, 1) => then,
                    (0, 0) => other,
                    _ => (then.0.min(other.0), then.1.max(other.1)),
                }
            }
            Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                of_two(*op, a, b)
            }
        };
        let is_whole = |value: i64| i32::try_from(value).is_ok();
        stack.push(Some(bounds).filter(|(least, most)| is_whole(*least) && is_whole(*most))?);
    }
    stack.pop()
}

fn of_two(op: Op, a: OperandBounds, b: OperandBounds) -> OperandBounds {
    match op {
        Op::Add => (a.0 + b.0, a.1 + b.1),
        Op::Sub => (a.0 - b.1, a.1 - b.0),
        Op::Mul => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            products.into_iter().fold((i64::MAX, i64::MIN), |(least, most), one| (least.min(one), most.max(one)))
        }
        // The divisor is a fixed number above 0.
        Op::Rem if a.0 == a.1 && b.0 == b.1 && b.0 > 0 => (a.0.rem_euclid(b.0), a.0.rem_euclid(b.0)),
        Op::Rem => (0, b.1 - 1),
        Op::Eq if a.0 == a.1 && a == b => truth(true),
        Op::Eq if a.1 < b.0 || b.1 < a.0 => truth(false),
        Op::Lt if a.1 < b.0 => truth(true),
        Op::Lt if a.0 >= b.1 => truth(false),
        Op::Le if a.1 <= b.0 => truth(true),
        Op::Le if a.0 > b.1 => truth(false),
        Op::And => (a.0.min(b.0), a.1.min(b.1)),
        Op::Or => (a.0.max(b.0), a.1.max(b.1)),
        _ => TRUTH,
    }
}

fn truth(value: bool) -> OperandBounds {
    (i64::from(value), i64::from(value))
}

#[cfg(test)]
mod tests {
    use super::{KnownBounds, PawnsOf, bounds};
    use crate::tables::{Fact, Op};

    #[test]
    fn bounds_hold_for_every_number() {
        let number = Op::Fact(Fact::Number);
        let given = KnownBounds { number: (2, 6), from: (9, 9), ..KnownBounds::nothing([&[], &[]]) };
        let cases: [(&[Op], (i64, i64)); 8] = [
            (&[Op::Push(0), number, Op::Sub], (-6, -2)),
            (&[number, Op::Half, Op::Push(3), Op::Mul], (3, 9)),
            (&[number, Op::Push(5), Op::Rem], (0, 4)),
            (&[Op::Push(40), Op::Push(1), Op::Pawns(PawnsOf::Own, 1), Op::Lt, number, Op::Pick], (2, 40)),
            (&[Op::Face(0), Op::Push(-1), Op::Mul], (-32, 0)),
            (&[Op::Push(40), Op::Fact(Fact::From), Op::In(1 << 9), number, Op::Pick], (2, 6)),
            (&[Op::Fact(Fact::From), Op::Push(7), Op::Rem, number, Op::Lt], (0, 1)),
            (&[number, Op::Push(7), Op::Lt, Op::Fact(Fact::To), Op::In(1), Op::And, Op::Not], (0, 1)),
        ];
        for (code, expected) in cases {
            assert_eq!(bounds(code, &given), Some(expected), "{code:?}");
        }
        let huge = [Op::Push(i16::MAX), Op::Push(i16::MAX), Op::Mul, Op::Push(i16::MAX), Op::Mul];
        assert_eq!(bounds(&huge, &given), None);
    }
}
