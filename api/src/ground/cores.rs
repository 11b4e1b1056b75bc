//! The number of processor cores.

use std::num::NonZero;
use std::thread::available_parallelism;

/// Returns the number of cores that this process may use; 1 if it is unknown.
pub fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
