//! Programs compiled to chains of questions, for speed.
//!
//! A question compares one value with a range or a set; its answer leads to the next question or to the result. A
//! condition of several parts often ends after the first question, and no stack is needed.

use crate::tables::{Counter, Fact, Op, Places, Program, Rules, Whose};
use crate::units::PathPlace;

/// Indexes of questions are below this number. Larger numbers stand for results.
pub(crate) const RESULT: u32 = 1 << 31;

/// The questions of all programs.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    /// The ranges of the seats' counters, and those of the game's counters.
    ranges: [Vec<(i16, i16)>; 2],
    /// The first question, or the result, of the program that starts at each index of the code.
    pub first: Vec<u32>,
    pub list: Vec<Question>,
    pub results: Vec<Look>,
    /// The sets of places that looks and tests use.
    pub sets: Vec<Set>,
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
pub(crate) struct Set([u64; 2]);

impl Set {
    /// Whether the set contains a place, which must be below 128.
    #[inline(always)]
    pub(super) fn has(&self, place: PathPlace) -> bool {
        self.0[usize::from(place.0 >> 6 & 1)] >> (place.0 & 63) & 1 == 1
    }

    pub(super) fn places(&self) -> Places {
        Places::from(self.0[0]) | Places::from(self.0[1]) << 64
    }
}

impl From<Places> for Set {
    fn from(places: Places) -> Set {
        Set([places as u64, (places >> 64) as u64])
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
    MarkNamed(u8),
    Face(u8),
    Pawns(u32),
    OtherPawns(u32),
    Pairs(u32),
    OtherPairs(u32),
    /// A part of a program that must run operation by operation.
    Part(Program),
}

impl Look {
    /// Whether the value may depend on the pawn of the context or on its places.
    pub(super) fn is_of_pawn(self) -> bool {
        match self {
            Look::Known(_) | Look::Counter(..) | Look::Face(_) | Look::Pawns(_) | Look::Pairs(_) => false,
            Look::OtherPawns(_) | Look::OtherPairs(_) => false,
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
                    | Fact::LastMovedAt
                    | Fact::Argument
            ),
            _ => true,
        }
    }
}

/// A program as an expression tree.
struct Tree {
    node: Node,
    /// The stretch of code from which the tree was made.
    part: Program,
}

enum Node {
    Known(i16),
    Ask(Op),
    One(Op, Box<Tree>),
    Two(Op, Box<[Tree; 2]>),
    Pick(Box<[Tree; 3]>),
}

impl Tree {
    /// The tree of a program. `None` if the program is empty.
    fn of(code: &[Op], program: Program) -> Option<Tree> {
        let mut stack: Vec<Tree> = Vec::new();
        for at in program.start..program.start + u32::from(program.len) {
            let op = code[at as usize];
            let (node, start) = match op {
                Op::AndThen(_) | Op::OrElse(_) => continue,
                Op::Push(number) => (Node::Known(number), at),
                Op::In(_) | Op::Half | Op::Not => {
                    let inner = stack.pop()?;
                    let start = inner.part.start;
                    (Node::One(op, Box::new(inner)), start)
                }
                Op::Pick => {
                    let (other, then, condition) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    let start = condition.part.start;
                    (Node::Pick(Box::new([condition, then, other])), start)
                }
                Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => {
                    let (second, first) = (stack.pop()?, stack.pop()?);
                    let start = first.part.start;
                    (Node::Two(op, Box::new([first, second])), start)
                }
                _ => (Node::Ask(op), at),
            };
            stack.push(Tree { node, part: Program { start, len: (at + 1 - start) as u16 } });
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
            if let Some(tree) = Tree::of(&code.ops, *program) {
                questions.first[program.start as usize] = questions.value(&tree);
            }
        }
        questions
    }

    /// Compiles an expression to questions that lead to its value. Returns the index of the first question, or the
    /// number of the result if no question is needed (see [`RESULT`]).
    fn value(&mut self, tree: &Tree) -> u32 {
        match &tree.node {
            Node::Pick(parts) => {
                let (then, other) = (self.value(&parts[1]), self.value(&parts[2]));
                self.truth(&parts[0], then, other)
            }
            Node::One(Op::Not | Op::In(_), _) | Node::Two(Op::And | Op::Or | Op::Eq | Op::Lt | Op::Le, _) => {
                self.truth(tree, RESULT | 1, RESULT)
            }
            _ => {
                let look = self.look(tree);
                RESULT | place_of(&mut self.results, look)
            }
        }
    }

    /// Compiles a condition to questions that lead to `yes` or `no`, each a question or a result. Returns the index of
    /// the first question; `yes` or `no` if no question is needed.
    fn truth(&mut self, tree: &Tree, yes: u32, no: u32) -> u32 {
        match &tree.node {
            Node::Known(value) => {
                if *value != 0 {
                    yes
                } else {
                    no
                }
            }
            Node::One(Op::Not, inner) => self.truth(inner, no, yes),
            Node::One(Op::In(places), inner) => {
                let set = place_of(&mut self.sets, (*places).into());
                self.ask(inner, Test::In(set), yes, no)
            }
            Node::Two(Op::And, parts) => {
                let second = self.truth(&parts[1], yes, no);
                self.truth(&parts[0], second, no)
            }
            Node::Two(Op::Or, parts) => {
                let second = self.truth(&parts[1], yes, no);
                self.truth(&parts[0], yes, second)
            }
            Node::Pick(parts) => {
                let (then, other) = (self.truth(&parts[1], yes, no), self.truth(&parts[2], yes, no));
                self.truth(&parts[0], then, other)
            }
            Node::Two(op, parts) => {
                let [first, second] = &**parts;
                let (asked, test) = match (op, &first.node, &second.node) {
                    (Op::Eq, _, &Node::Known(is)) => (first, Test::Within(is.into(), is.into())),
                    (Op::Eq, &Node::Known(is), _) => (second, Test::Within(is.into(), is.into())),
                    (Op::Lt, _, &Node::Known(most)) => (first, Test::Within(i32::MIN, i32::from(most) - 1)),
                    (Op::Le, _, &Node::Known(most)) => (first, Test::Within(i32::MIN, most.into())),
                    (Op::Lt, &Node::Known(least), _) => (second, Test::Within(i32::from(least) + 1, i32::MAX)),
                    (Op::Le, &Node::Known(least), _) => (second, Test::Within(least.into(), i32::MAX)),
                    _ => return self.ask(tree, Test::Within(0, 0), no, yes),
                };
                self.ask(asked, test, yes, no)
            }
            _ => self.ask(tree, Test::Within(0, 0), no, yes),
        }
    }

    fn ask(&mut self, tree: &Tree, test: Test, yes: u32, no: u32) -> u32 {
        let look = self.look(tree);
        // The range of a counter may decide the test beforehand.
        if let (Look::Counter(whose, index), Test::Within(least, most)) = (look, test)
            && let Some(&(from, to)) = self.ranges[usize::from(whose == Whose::Game)].get(index as usize)
        {
            if least <= from.into() && i32::from(to) <= most {
                return yes;
            } else if most < from.into() || i32::from(to) < least {
                return no;
            }
        }
        self.list.push(Question { look, of_pawn: look.is_of_pawn(), test, yes, no });
        self.list.len() as u32 - 1
    }

    /// The look that reads the value of an expression.
    fn look(&mut self, tree: &Tree) -> Look {
        let mut set = |places: Places| place_of(&mut self.sets, places.into());
        match tree.node {
            Node::Known(value) => Look::Known(value),
            Node::Ask(Op::Fact(fact)) => Look::Fact(fact),
            Node::Ask(Op::Counter(whose, index)) => Look::Counter(whose, index),
            Node::Ask(Op::Mark(bit)) => Look::Mark(bit),
            Node::Ask(Op::MarkThere(bit)) => Look::MarkThere(bit),
            Node::Ask(Op::MarkNamed(bit)) => Look::MarkNamed(bit),
            Node::Ask(Op::Face(index)) => Look::Face(index),
            Node::Ask(Op::Pawns(places)) => Look::Pawns(set(places)),
            Node::Ask(Op::OtherPawns(places)) => Look::OtherPawns(set(places)),
            Node::Ask(Op::Pairs(places)) => Look::Pairs(set(places)),
            Node::Ask(Op::OtherPairs(places)) => Look::OtherPairs(set(places)),
            _ => Look::Part(tree.part),
        }
    }
}

/// The index of a value in a list. Adds the value if it is missing.
fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> u32 {
    let known = list.iter().position(|known| *known == wanted);
    known.unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    }) as u32
}
