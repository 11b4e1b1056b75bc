//! Parts of a table, each with the names that it was made by: a table beside it takes over what it would make the same.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::rc::Rc;

use super::builder::Builder;

/// Something that a part of a table may ask for while it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Name {
    /// The seats that play.
    Players,
    /// An option, by index, as the ones below.
    Option(usize),
    /// A counter of a seat.
    Counter(usize),
    /// A counter of the game.
    GameCounter(usize),
    /// A mark of a pawn.
    Mark(usize),
}

/// A part of a table.
#[derive(Debug, Clone)]
pub(crate) struct Part<T> {
    made: Rc<T>,
    names: Rc<BTreeSet<Name>>,
}

impl<T> Part<T> {
    /// Whether the one was taken over from the other.
    pub fn is(&self, other: &Part<T>) -> bool {
        Rc::ptr_eq(&self.made, &other.made)
    }

    /// What was made, of a part that no other table took over.
    pub fn take(self) -> T {
        Rc::into_inner(self.made).expect("only the tables of a check share parts")
    }
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.made
    }
}

impl Builder<'_> {
    /// Makes a part, or takes over the one from `before` where nothing that it asked for has changed.
    pub fn part<T>(&mut self, before: Option<&Part<T>>, make: impl FnOnce(&mut Self) -> T) -> Part<T> {
        if let Some(part) = before.filter(|part| self.changed.is_disjoint(&part.names)) {
            return Part { made: Rc::clone(&part.made), names: Rc::clone(&part.names) };
        }
        let others = std::mem::take(&mut self.read);
        let made = Rc::new(make(self));
        let names = Rc::new(std::mem::replace(&mut self.read, others));
        self.read.extend(names.iter());
        Part { made, names }
    }

    /// Notes that what is made depends on another part.
    pub fn lean_on<T>(&mut self, part: &Part<T>) {
        self.read.extend(part.names.iter());
    }
}
