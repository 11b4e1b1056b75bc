//! The duty to spend most: which actions begin a plan that spends as many numbers as any plan.
//!
//! A plan is looked for, not every order of plans: an action needs one plan that spends as many numbers as could be
//! spent at the very best ([`bound`]), which has to fit into the steps that are left ([`fits`]); positions that were found
//! wanting are kept in a table of fixed size ([`memo`]).

mod alike;
mod assumptions;
mod beside;
mod bound;
mod due;
mod fits;
mod memo;
mod most;
mod quiet;
mod search;
#[cfg(test)]
mod tests;

pub(crate) use assumptions::Assumptions;
