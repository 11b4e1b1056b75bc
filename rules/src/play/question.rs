//! Programs compiled to chains of questions, for speed.
//!
//! A question compares one value with a range or a set; its answer leads to the next question or to the result. A
//! condition of several parts often ends after the first question, and no stack is needed.

use crate::tables::{Counter, Fact, Op, PawnsOf, Places, Program, Rules, Whose};
use crate::units::PathPlace;

/// Numbers below this one are indexes in `Questions::list`. The number `RESULT + n` stands for entry `n` of
/// `Questions::results`.
pub(crate) const RESULT: u32 = 1 << 31;

/// The questions of all programs.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    /// The ranges of the seats' counters, and those of the game's counters.
    ranges: [Vec<(i16, i16)>; 2],
    /// For each index of the code, the first question (or the result) of the program that starts there.
    pub first: Vec<u32>,
    pub list: Vec<Question>,
    pub results: Vec<Look>,
    /// The sets of places that looks and tests use.
    pub sets: Vec<PlaceSet>,
    /// The calculations that looks use.
    pub amounts: Vec<Amount>,
}

/// A calculation or comparison with two values. For [`Op::CountAt`], the first is the place and the second has no
/// meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    pub op: Op,
    pub first: Look,
    pub second: Look,
}

/// A question: whether a value of the state or the context passes a test. The [`Look`] says which value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub look: Look,
    /// Whether the value depends on the pawn of the context.
    pub of_pawn: bool,
    pub test: Test,
    /// The next question, or the result, if the value passes the test (`yes`) and if it does not (`no`).
    pub yes: u32,
    pub no: u32,
    /// If the chain from here only asks for marks of the pawn, and is true for one combination of them: a mask of these
    /// marks, and their values. Otherwise 0.
    pub marks: [u8; 2],
}

/// A test of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Test {
    /// The value is in this range, both ends included.
    Within(i32, i32),
    /// The value is a place in this set, given by its index in `Questions::sets`.
    In(u32),
}

/// A set of places in two 64-bit words. Testing one bit is faster than in a `u128`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceSet([u64; 2]);

impl PlaceSet {
    /// Whether the set contains a place, which must be below 128.
    #[inline(always)]
    pub(super) fn has(&self, place: PathPlace) -> bool {
        self.0[usize::from(place.0 >> 6 & 1)] >> (place.0 & 63) & 1 == 1
    }

    pub(super) fn places(&self) -> Places {
        Places::from(self.0[0]) | Places::from(self.0[1]) << 64
    }
}

impl From<Places> for PlaceSet {
    fn from(places: Places) -> PlaceSet {
        PlaceSet([places as u64, (places >> 64) as u64])
    }
}

/// A look: one value read from the state or the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Known(i16),
    Fact(Fact),
    Counter(Whose, u8),
    Mark(u8),
    MarkThere(u8),
    OwnMarkThere(u8),
    MarkNamed(u8),
    Face(u8),
    Pawns(PawnsOf, u32),
    Pairs(PawnsOf, u32),
    PawnsWhere(PawnsOf, Program),
    /// A calculation, by its index in `Questions::amounts`.
    Amount(u32),
    /// The value to which a chain of questions leads. The number is the index of the first question; see [`RESULT`].
    Chain(u32),
}

impl Look {
    /// Whether the value may depend on the pawn of the context or on its places.
    fn is_of_pawn(self, amounts: &[Amount]) -> bool {
        match self {
            Look::Known(_) | Look::Counter(..) | Look::Face(_) | Look::Pawns(..) | Look::Pairs(..) => false,
            Look::Amount(index) => {
                let Amount { first, second, .. } = amounts[index as usize];
                first.is_of_pawn(amounts) || second.is_of_pawn(amounts)
            }
            Look::Fact(fact) => !matches!(
                fact,
                Fact::Doublet
                    | Fact::Total
                    | Fact::Number
                    | Fact::ThrowNumber
                    | Fact::Throws
                    | Fact::Owed
                    | Fact::Victims
                    | Fact::Players
                    | Fact::SeatNumber
                    | Fact::LastMovedAt
                    | Fact::Argument
            ),
            _ => true,
        }
    }
}

/// A program as an expression tree.
enum ProgramNode {
    Known(i16),
    Ask(Op),
    One(Op, Box<ProgramNode>),
    Two(Op, Box<[ProgramNode; 2]>),
    Pick(Box<[ProgramNode; 3]>),
}

impl ProgramNode {
    /// The tree of a program. `None` if the program is empty.
    fn of(code: &[Op], program: Program) -> Option<ProgramNode> {
        let mut stack: Vec<ProgramNode> = Vec::new();
        for at in program.start..program.start + u32::from(program.len) {
            let node = match code[at as usize] {
                Op::AndThen(_) | Op::OrElse(_) => continue,
                Op::Push(number) => ProgramNode::Known(number),
                op @ (Op::In(_) | Op::CountAt(_) | Op::Half | Op::Not) => ProgramNode::One(op, Box::new(stack.pop()?)),
                Op::Pick => {
                    let (then, condition, other) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    ProgramNode::Pick(Box::new([condition, then, other]))
                }
                op @ (Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or) => {
                    let (second, first) = (stack.pop()?, stack.pop()?);
                    ProgramNode::Two(op, Box::new([first, second]))
                }
                op => ProgramNode::Ask(op),
            };
            stack.push(node);
        }
        stack.pop()
    }
}

impl Questions {
    /// Compiles all programs of a rule set.
    pub(super) fn of(rules: &Rules) -> Questions {
        let code = &rules.code;
        let ranges_of = |counters: &[Counter]| counters.iter().map(|counter| counter.range).collect();
        let ranges = [ranges_of(&rules.counters.seat), ranges_of(&rules.counters.game)];
        let mut questions = Questions { ranges, first: vec![RESULT; code.ops.len() + 1], ..Questions::default() };
        questions.results.extend([Look::Known(0), Look::Known(1)]);
        for program in &code.programs {
            if let Some(tree) = ProgramNode::of(&code.ops, *program) {
                questions.first[program.start as usize] = questions.value(&tree);
            }
        }
        questions
    }

    /// Compiles an expression to questions that lead to its value. Returns the index of the first question, or the
    /// number of the result if no question is needed (see [`RESULT`]).
    fn value(&mut self, tree: &ProgramNode) -> u32 {
        match tree {
            ProgramNode::Pick(parts) => {
                let (then, other) = (self.value(&parts[1]), self.value(&parts[2]));
                self.truth(&parts[0], then, other)
            }
            ProgramNode::One(Op::Not | Op::In(_), _)
            | ProgramNode::Two(Op::And | Op::Or | Op::Eq | Op::Lt | Op::Le, _) => self.truth(tree, RESULT | 1, RESULT),
            _ => {
                let look = self.look(tree);
                RESULT | place_of(&mut self.results, look)
            }
        }
    }

    /// Compiles a condition to questions that lead to `yes` or `no`, each a question or a result. Returns the index of
    /// the first question; `yes` or `no` if no question is needed.
    fn truth(&mut self, tree: &ProgramNode, yes: u32, no: u32) -> u32 {
        match tree {
            ProgramNode::Known(value) => {
                if *value != 0 {
                    yes
                } else {
                    no
                }
            }
            ProgramNode::One(Op::Not, inner) => self.truth(inner, no, yes),
            ProgramNode::One(Op::In(places), inner) => {
                let set = place_of(&mut self.sets, (*places).into());
                self.ask_tree(inner, Test::In(set), yes, no)
            }
            ProgramNode::Two(Op::And, parts) => {
                let second = self.truth(&parts[1], yes, no);
                self.truth(&parts[0], second, no)
            }
            ProgramNode::Two(Op::Or, parts) => {
                let second = self.truth(&parts[1], yes, no);
                self.truth(&parts[0], yes, second)
            }
            ProgramNode::Pick(parts) => {
                let (then, other) = (self.truth(&parts[1], yes, no), self.truth(&parts[2], yes, no));
                self.truth(&parts[0], then, other)
            }
            ProgramNode::Two(op, parts) => {
                let [first, second] = &**parts;
                let (asked, test) = match (op, first, second) {
                    (Op::Eq, _, &ProgramNode::Known(is)) => (first, Test::Within(is.into(), is.into())),
                    (Op::Eq, &ProgramNode::Known(is), _) => (second, Test::Within(is.into(), is.into())),
                    (Op::Lt, _, &ProgramNode::Known(most)) => (first, Test::Within(i32::MIN, i32::from(most) - 1)),
                    (Op::Le, _, &ProgramNode::Known(most)) => (first, Test::Within(i32::MIN, most.into())),
                    (Op::Lt, &ProgramNode::Known(least), _) => (second, Test::Within(i32::from(least) + 1, i32::MAX)),
                    (Op::Le, &ProgramNode::Known(least), _) => (second, Test::Within(least.into(), i32::MAX)),
                    (Op::Eq | Op::Lt | Op::Le, ..) => {
                        let comparison = self.amount(*op, first, second);
                        return self.ask_look(comparison, Test::Within(0, 0), no, yes);
                    }
                    _ => return self.ask_tree(tree, Test::Within(0, 0), no, yes),
                };
                self.ask_tree(asked, test, yes, no)
            }
            _ => self.ask_tree(tree, Test::Within(0, 0), no, yes),
        }
    }

    fn ask_tree(&mut self, tree: &ProgramNode, test: Test, yes: u32, no: u32) -> u32 {
        let look = self.look(tree);
        self.ask_look(look, test, yes, no)
    }

    fn ask_look(&mut self, look: Look, test: Test, yes: u32, no: u32) -> u32 {
        // If the counter's range lies inside or outside the range of the test, the answer is known without a question.
        if let (Look::Counter(whose, index), Test::Within(least, most)) = (look, test)
            && let Some(&(from, to)) = self.ranges[usize::from(whose == Whose::Game)].get(index as usize)
        {
            if least <= from.into() && i32::from(to) <= most {
                return yes;
            } else if most < from.into() || i32::from(to) < least {
                return no;
            }
        }
        let marks = self.marks(look, test, yes, no);
        self.list.push(Question { look, of_pawn: look.is_of_pawn(&self.amounts), test, yes, no, marks });
        self.list.len() as u32 - 1
    }

    /// The [marks](Question::marks) of a question.
    fn marks(&self, look: Look, test: Test, yes: u32, no: u32) -> [u8; 2] {
        let Look::Mark(bit) = look else { return [0; 2] };
        let is_set = match (test, yes == RESULT, no == RESULT) {
            (Test::Within(0, 0), true, false) => true,
            (Test::Within(0, 0), false, true) => false,
            _ => return [0; 2],
        };
        let rest = match if is_set { no } else { yes } {
            next if next == RESULT | 1 => Some([0; 2]),
            next => self.list.get(next as usize).map(|question| question.marks).filter(|[mask, _]| *mask != 0),
        };
        let one = 1 << bit;
        rest.filter(|[mask, _]| mask & one == 0)
            .map_or([0; 2], |[mask, values]| [mask | one, values | if is_set { one } else { 0 }])
    }

    /// The look that reads the value of an expression.
    fn look(&mut self, tree: &ProgramNode) -> Look {
        let mut set = |places: Places| place_of(&mut self.sets, places.into());
        match *tree {
            ProgramNode::Known(value) => Look::Known(value),
            ProgramNode::Ask(Op::Fact(fact)) => Look::Fact(fact),
            ProgramNode::Ask(Op::Counter(whose, index)) => Look::Counter(whose, index),
            ProgramNode::Ask(Op::Mark(bit)) => Look::Mark(bit),
            ProgramNode::Ask(Op::MarkThere(bit)) => Look::MarkThere(bit),
            ProgramNode::Ask(Op::OwnMarkThere(bit)) => Look::OwnMarkThere(bit),
            ProgramNode::Ask(Op::MarkNamed(bit)) => Look::MarkNamed(bit),
            ProgramNode::Ask(Op::Face(index)) => Look::Face(index),
            ProgramNode::Ask(Op::Pawns(counted, places)) => Look::Pawns(counted, set(places)),
            ProgramNode::Ask(Op::Pairs(counted, places)) => Look::Pairs(counted, set(places)),
            ProgramNode::Ask(Op::PawnsWhere(counted, condition)) => Look::PawnsWhere(counted, condition),
            ProgramNode::Two(op @ (Op::Add | Op::Sub | Op::Mul | Op::Rem), ref parts) => {
                self.amount(op, &parts[0], &parts[1])
            }
            ProgramNode::One(Op::Half, ref part) => self.amount(Op::Half, part, &ProgramNode::Known(2)),
            ProgramNode::One(op @ Op::CountAt(_), ref place) => self.amount(op, place, &ProgramNode::Known(0)),
            _ => Look::Chain(self.value(tree)),
        }
    }

    /// The look that calculates with the values of two expressions.
    fn amount(&mut self, op: Op, first: &ProgramNode, second: &ProgramNode) -> Look {
        let amount = Amount { op, first: self.look(first), second: self.look(second) };
        Look::Amount(place_of(&mut self.amounts, amount))
    }

    /// The value of the result with number `next`, if it is a constant. `None` for other results and for questions.
    #[inline(always)]
    pub(super) fn constant(&self, next: u32) -> Option<i32> {
        if next < RESULT {
            return None;
        }
        match self.results[(next - RESULT) as usize] {
            Look::Known(value) => Some(value.into()),
            _ => None,
        }
    }
}

/// The index of a value in a list. Adds the value if it is missing.
fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> u32 {
    let index = list.iter().position(|listed| *listed == wanted);
    index.unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    }) as u32
}
