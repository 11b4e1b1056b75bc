//! The parts of a table. Each part records the inputs from which it was built; another table with the same inputs
//! reuses the part.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::rc::Rc;

use super::builder::Builder;

/// An input that a part of a table may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Input {
    /// The seats that play.
    Players,
    /// An option, by its index.
    Option(usize),
    /// A counter of a seat, by its index.
    Counter(usize),
    /// A counter of the game, by its index.
    GameCounter(usize),
    /// A mark of a pawn, by its index.
    Mark(usize),
    /// A term, by its index. All tables have the same terms; they are recorded here to find terms that nothing uses.
    Term(usize),
}

/// A part of a table, with the inputs from which it was built.
#[derive(Debug, Clone)]
pub(crate) struct TablePart<T> {
    made: Rc<T>,
    inputs: Rc<BTreeSet<Input>>,
}

impl<T> TablePart<T> {
    /// Whether both are the same part, shared by two tables.
    pub(super) fn is(&self, other: &TablePart<T>) -> bool {
        Rc::ptr_eq(&self.made, &other.made)
    }

    /// Takes the value out of a part. No other table may share the part.
    pub(super) fn take(self) -> T {
        Rc::into_inner(self.made).expect("only the tables of a check share parts")
    }
}

impl<T> Deref for TablePart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

impl Builder<'_> {
    /// Builds a part. If none of the inputs of the part `before` has changed, that part is reused instead.
    pub(super) fn part<T>(&mut self, before: Option<&TablePart<T>>, make: impl FnOnce(&mut Self) -> T) -> TablePart<T> {
        if let Some(part) = before.filter(|part| self.changed.is_disjoint(&part.inputs)) {
            return TablePart { made: Rc::clone(&part.made), inputs: Rc::clone(&part.inputs) };
        }
        let others = std::mem::take(&mut self.inputs);
        let made = Rc::new(make(self));
        let inputs = Rc::new(std::mem::replace(&mut self.inputs, others));
        self.inputs.extend(inputs.iter());
        TablePart { made, inputs }
    }

    /// Records that the part which is being built depends on another part.
    pub(super) fn lean_on<T>(&mut self, part: &TablePart<T>) {
        self.inputs.extend(part.inputs.iter());
    }
}
