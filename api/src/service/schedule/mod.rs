//! Background work: late turns, deliveries, expiry.

pub(crate) mod deadlines;
pub(crate) mod expiry;
