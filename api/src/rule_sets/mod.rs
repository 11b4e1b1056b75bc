//! The library of compiled rule sets, and the worker pool that compiles them.

pub(crate) mod library;
pub(crate) mod texts;
pub(crate) mod workers;
