//! Background work for entities of any kind: deadlines, deliveries, expiry.

pub(crate) mod deadlines;
mod due;
mod expiry;
mod kinds;

pub(crate) use due::{DueEntity, StateRetention};
pub(crate) use kinds::{KINDS, ScheduledKind};
