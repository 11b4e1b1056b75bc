//! The rule sets that this process has compiled, and the threads that compile them.

pub(crate) mod library;
pub(crate) mod workers;
