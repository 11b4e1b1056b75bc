//! Background work for entities of any kind: deadlines, deliveries, expiry.

pub(crate) mod deadlines;
mod due;
mod expiry;
mod kinds;
mod near;

pub(in crate::service) use due::FIRST_CHECK;
pub(crate) use due::{DueEntity, StateRetention};
pub(crate) use kinds::{KINDS, ScheduledKind};
pub(in crate::service) use near::NearDeadline;
