//! The least and the greatest value that a program can have.

use crate::tables::{Counter, Fact, Op, Whose};

/// The least and the greatest value of an operand.
pub(crate) type Bounds = (i64, i64);

/// Greatest value of a count of pawns.
const MOST_PAWNS: i64 = crate::units::MAX_PAWNS as i64;
/// Greatest value of a fact.
const MOST_FACT: i64 = u8::MAX as i64;
const TRUTH: Bounds = (0, 1);

/// The bounds of a program's value, if `number` bounds the number that is spent. `counters` are those of a seat and of
/// the game. `None` if the value can leave the range of the engine's numbers.
pub(crate) fn bounds(code: &[Op], number: Bounds, counters: [&[Counter]; 2]) -> Option<Bounds> {
    let mut stack: Vec<Bounds> = Vec::new();
    for op in code {
        let bounds = match *op {
            // `AndThen` and `OrElse` only skip an operand, which changes no bounds.
            Op::AndThen(_) | Op::OrElse(_) => continue,
            Op::Push(value) => (value.into(), value.into()),
            Op::Counter(whose, index) => {
                let counters = counters[usize::from(whose == Whose::Game)];
                let (least, most) = counters.get(usize::from(index))?.range;
                (least.into(), most.into())
            }
            Op::Fact(Fact::Number) => number,
            Op::Fact(_) => (0, MOST_FACT),
            Op::Face(_) => (0, crate::units::MAX_STEP.0.into()),
            Op::Mark(_) | Op::MarkThere(_) | Op::MarkNamed(_) => TRUTH,
            Op::Pawns(_) | Op::OtherPawns(_) | Op::Pairs(_) | Op::OtherPairs(_) => (0, MOST_PAWNS),
            Op::In(_) | Op::Not => {
                stack.pop()?;
                TRUTH
            }
            Op::Half => {
                let (least, most) = stack.pop()?;
                (least.div_euclid(2), most.div_euclid(2))
            }
            Op::Pick => {
                let (other, then, _) = (stack.pop()?, stack.pop()?, stack.pop()?);
                (then.0.min(other.0), then.1.max(other.1))
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

fn of_two(op: Op, a: Bounds, b: Bounds) -> Bounds {
    match op {
        Op::Add => (a.0 + b.0, a.1 + b.1),
        Op::Sub => (a.0 - b.1, a.1 - b.0),
        Op::Mul => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            products.into_iter().fold((i64::MAX, i64::MIN), |(least, most), one| (least.min(one), most.max(one)))
        }
        // The divisor is a fixed number above 0.
        Op::Rem => (0, b.1 - 1),
        _ => TRUTH,
    }
}

#[cfg(test)]
mod tests {
    use super::bounds;
    use crate::tables::{Fact, Op};

    #[test]
    fn bounds_hold_for_every_number() {
        let number = Op::Fact(Fact::Number);
        let cases: [(&[Op], (i64, i64)); 5] = [
            (&[Op::Push(0), number, Op::Sub], (-6, -2)),
            (&[number, Op::Half, Op::Push(3), Op::Mul], (3, 9)),
            (&[number, Op::Push(5), Op::Rem], (0, 4)),
            (&[Op::Push(1), Op::Pawns(1), Op::Lt, number, Op::Push(40), Op::Pick], (2, 40)),
            (&[Op::Face(0), Op::Push(-1), Op::Mul], (-32, 0)),
        ];
        for (code, expected) in cases {
            assert_eq!(bounds(code, (2, 6), [&[], &[]]), Some(expected), "{code:?}");
        }
        let huge = [Op::Push(i16::MAX), Op::Push(i16::MAX), Op::Mul, Op::Push(i16::MAX), Op::Mul];
        assert_eq!(bounds(&huge, (2, 6), [&[], &[]]), None);
    }
}
