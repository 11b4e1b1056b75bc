//! What the service does of its own accord when its time has come: late decisions, deliveries, expiry.

pub(crate) mod deadlines;
pub(crate) mod expiry;
