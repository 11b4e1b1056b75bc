//! Tests of the rule language and the engine. Each file tests one subject.

mod common;

mod allocations;
mod clauses;
mod comparison;
mod dead_rules;
mod encoding;
mod forms;
mod generated;
mod hostile;
mod laws;
mod layout;
mod limits;
mod many;
mod notation;
mod perft;
mod picture;
mod readable;
mod reading;
mod records;
mod reference;
mod rejected;
mod robust;
mod scenario;
mod semantics;
mod tables;
mod texts;
mod there;
mod why_not;
mod words;
