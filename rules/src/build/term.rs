//! Expressions with resolved names, in which constants are already computed. (The terms of a rule file, which are
//! expressions with a name, are in [`super::named`].)

use crate::tables::{Fact, Op, PawnsOf, Whose};

/// A resolved expression. Its leaves and operators are operations of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    /// A constant: a number, a place, or truth as 1 and 0.
    Known(i64),
    /// An operation that pushes a value.
    Ask(Op),
    /// An operation on one value.
    One(Op, Box<Term>),
    /// An operation on two values.
    Two(Op, Box<Term>, Box<Term>),
    /// The second term if the first one holds, otherwise the third.
    Pick(Box<[Term; 3]>),
}

impl Term {
    /// A constant that is true or false.
    pub(super) fn truth(value: bool) -> Term {
        Term::Known(i64::from(value))
    }

    /// The truth value of a constant. `None` if the term is evaluated during play.
    pub(super) fn known_truth(&self) -> Option<bool> {
        match self {
            Term::Known(value) => Some(*value != 0),
            _ => None,
        }
    }

    /// Joins two conditions by `and`. A constant condition is computed at once.
    pub(super) fn and(self, other: Term) -> Term {
        match (self.known_truth(), other.known_truth()) {
            (Some(true), _) => other,
            (_, Some(true)) => self,
            (Some(false), _) | (_, Some(false)) => Term::truth(false),
            _ => Term::Two(Op::And, Box::new(self), Box::new(other)),
        }
    }

    /// Joins two conditions by `or`. A constant condition is computed at once.
    pub(super) fn or(self, other: Term) -> Term {
        match (self.known_truth(), other.known_truth()) {
            (Some(false), _) => other,
            (_, Some(false)) => self,
            (Some(true), _) | (_, Some(true)) => Term::truth(true),
            _ => Term::Two(Op::Or, Box::new(self), Box::new(other)),
        }
    }

    /// Negates a condition. A constant condition is computed at once.
    pub(super) fn negated(self) -> Term {
        match self {
            Term::Known(value) => Term::truth(value == 0),
            Term::One(Op::Not, inner) => *inner,
            other => Term::One(Op::Not, Box::new(other)),
        }
    }

    /// The condition that the place is in this set.
    pub(super) fn within(self, places: u128) -> Term {
        match self {
            Term::Known(place) => Term::truth((0..128).contains(&place) && places >> place & 1 == 1),
            other => Term::One(Op::In(places), Box::new(other)),
        }
    }

    /// Applies an operation to two terms. Two constants are computed at once. Division is done by [`Term::halves`]
    /// instead.
    pub(super) fn two(op: Op, a: Term, b: Term) -> Term {
        if let (Term::Known(a), Term::Known(b)) = (&a, &b) {
            let result = match op {
                Op::Add => a.saturating_add(*b),
                Op::Sub => a.saturating_sub(*b),
                Op::Mul => a.saturating_mul(*b),
                Op::Rem => a.checked_rem_euclid(*b).unwrap_or(0),
                Op::Eq => i64::from(a == b),
                Op::Lt => i64::from(a < b),
                Op::Le => i64::from(a <= b),
                _ => return Term::Two(op, Box::new(Term::Known(*a)), Box::new(Term::Known(*b))),
            };
            return Term::Known(result);
        }
        match (op, &a, &b) {
            (Op::Add | Op::Sub, _, Term::Known(0)) | (Op::Mul, _, Term::Known(1)) => a,
            (Op::Add, Term::Known(0), _) | (Op::Mul, Term::Known(1), _) => b,
            _ => Term::Two(op, Box::new(a), Box::new(b)),
        }
    }

    /// Halves the value `times` times, rounding down.
    pub(super) fn halves(self, times: u32) -> Term {
        match self {
            Term::Known(value) => Term::Known(value >> times),
            other => (0..times).fold(other, |term, _| Term::One(Op::Half, Box::new(term))),
        }
    }

    /// Chooses the second term if the condition holds, otherwise the third. A constant condition is decided at once.
    pub(super) fn pick(condition: Term, then: Term, other: Term) -> Term {
        match condition.known_truth() {
            Some(true) => then,
            Some(false) => other,
            None if then == other => then,
            None => Term::Pick(Box::new([condition, then, other])),
        }
    }

    /// Appends the operations of the term to a program. Returns the depth of stack that they need.
    pub(super) fn emit(&self, code: &mut Vec<Op>) -> usize {
        match self {
            Term::Known(value) => {
                code.push(Op::Push((*value).clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16));
                1
            }
            Term::Ask(op) => {
                code.push(*op);
                1
            }
            Term::One(op, inner) => {
                let depth = inner.emit(code);
                code.push(*op);
                depth
            }
            Term::Two(op, a, b) => {
                let first = a.emit(code);
                let after_first = code.len();
                if matches!(op, Op::And | Op::Or) {
                    code.push(*op);
                }
                let second = b.emit(code);
                code.push(*op);
                let left_out = (code.len() - after_first).saturating_sub(1) as u16;
                match op {
                    Op::And => code[after_first] = Op::AndThen(left_out),
                    Op::Or => code[after_first] = Op::OrElse(left_out),
                    _ => {}
                }
                first.max(second + 1)
            }
            Term::Pick(parts) => {
                let [condition, then, other] = &**parts;
                let depths = [other.emit(code), condition.emit(code) + 1, then.emit(code) + 2];
                code.push(Op::Pick);
                depths.into_iter().max().unwrap_or(1)
            }
        }
    }

    /// Whether every constant fits the 16 bits that an operation has for it.
    pub(super) fn fits(&self) -> bool {
        match self {
            Term::Known(value) => i16::try_from(*value).is_ok(),
            Term::Ask(_) => true,
            Term::One(_, inner) => inner.fits(),
            Term::Two(_, a, b) => a.fits() && b.fits(),
            Term::Pick(parts) => parts.iter().all(Term::fits),
        }
    }

    /// Splits a chain of `and` into its operands.
    pub(super) fn conjuncts(self) -> Vec<Term> {
        match self {
            Term::Two(Op::And, a, b) => {
                let mut parts = a.conjuncts();
                parts.extend(b.conjuncts());
                parts
            }
            other => vec![other],
        }
    }

    /// Whether the term may depend on a pawn, its move or the number that is spent, and not only on seat and game.
    pub(super) fn asks_pawn(&self) -> bool {
        match self {
            Term::Known(_) => false,
            Term::Ask(op) => match op {
                Op::Mark(_) | Op::MarkThere(_) | Op::OwnMarkThere(_) | Op::PawnsWhere(..) => true,
                Op::Pawns(PawnsOf::Other, _) | Op::Pairs(PawnsOf::Other, _) | Op::Counter(Whose::Other, _) => true,
                Op::Fact(fact) => !matches!(
                    fact,
                    Fact::Total
                        | Fact::Throws
                        | Fact::Owed
                        | Fact::Players
                        | Fact::SeatNumber
                        | Fact::Finished
                        | Fact::Helping
                        | Fact::IsTurn
                        | Fact::AnyMoved
                        | Fact::LastMovedAt
                        | Fact::BonusesNow
                ),
                _ => false,
            },
            Term::One(_, inner) => inner.asks_pawn(),
            Term::Two(_, a, b) => a.asks_pawn() || b.asks_pawn(),
            Term::Pick(parts) => parts.iter().any(Term::asks_pawn),
        }
    }
}
