//! YAML as a tree of values with their spans, and with the clause ids of the comments beside them.

pub(crate) mod clauses;
mod parser;
mod position;
pub(crate) mod tree;
mod unreadable;

pub(crate) use parser::{parse, parse_called};
