//! What a client may ask for: requests in a window of time, streams and connections at a time.

mod bucket;
mod client;
mod meter;
mod slots;

pub use bucket::{Level, Quota};
pub use meter::{Caller, Connected, Meter, Policy, Refused, Standing};
pub use slots::Slot;
