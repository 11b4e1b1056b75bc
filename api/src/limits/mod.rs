//! Limits of clients and tokens: quotas of requests in a window of time, and slots for streams, simulations and
//! connections.

mod bucket;
mod client;
mod meter;
mod slots;

pub(crate) use meter::{Caller, Meter, Policy, QuotaUse};
pub(crate) use slots::Slot;
