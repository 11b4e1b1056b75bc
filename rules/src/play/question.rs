//! Programs as chains of questions, for playing: one look answers each, and the answer says which is next.
//!
//! A condition of several parts is then decided by its first looks, without a stack.

use crate::tables::{Counter, Fact, Op, Places, Program, Rules, Whose};
use crate::units::PathPlace;

/// From here on the next one is a result.
pub(crate) const RESULT: u32 = 1 << 31;

/// The questions of all programs.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    /// The ranges of the seats' counters, and of the game's.
    ranges: [Vec<(i16, i16)>; 2],
    /// By the start of a program in the code: its first question, or its result.
    pub first: Vec<u32>,
    pub list: Vec<Question>,
    pub results: Vec<Look>,
    /// Sets of places that looks name.
    pub sets: Vec<Set>,
}

/// A question: is what is seen there as it should be?
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub look: Look,
    /// What is seen may differ from pawn to pawn.
    pub of_pawn: bool,
    pub test: Test,
    /// Where it leads.
    pub yes: u32,
    pub no: u32,
}

/// What an answer is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Test {
    /// From the first to the second number.
    Within(i32, i32),
    /// A place of this set.
    In(u32),
}

/// A set of places, in two words: a bit of it is found sooner than in one long one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Set([u64; 2]);

impl Set {
    /// Whether a place below 128 is in it.
    #[inline(always)]
    pub fn has(&self, place: PathPlace) -> bool {
        self.0[usize::from(place >> 6 & 1)] >> (place & 63) & 1 == 1
    }

    pub fn places(&self) -> Places {
        Places::from(self.0[0]) | Places::from(self.0[1]) << 64
    }
}

impl From<Places> for Set {
    fn from(places: Places) -> Set {
        Set([places as u64, (places >> 64) as u64])
    }
}

/// One look at the state or the situation.
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
    /// Nothing that one look shows: a part of the program.
    Part(Program),
}

impl Look {
    /// Whether it shows something of the pawn in question, or of where it stands or goes.
    pub fn is_of_pawn(self) -> bool {
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

/// A program as a tree again.
struct Tree {
    node: Node,
    /// The stretch of code that it is.
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
    /// `None`: no program.
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
    /// The questions of a rule set's programs.
    pub fn of(rules: &Rules) -> Questions {
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

    /// Asks for a value.
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

    /// Asks whether something holds: `yes` and `no` are where it leads.
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
        // What a counter never leaves need not be asked.
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

    /// The look that shows a value.
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

/// Where something stands in a list; it is added where it does not yet.
fn place_of<T: PartialEq>(list: &mut Vec<T>, wanted: T) -> u32 {
    let known = list.iter().position(|known| *known == wanted);
    known.unwrap_or_else(|| {
        list.push(wanted);
        list.len() - 1
    }) as u32
}
