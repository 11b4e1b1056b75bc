//! The service over HTTP, as its clients see it; the files follow the paths.

mod conventions;
mod events;
mod games;
mod harness;
mod openapi;
mod records;
mod rule_sets;
mod seats;
mod store;
mod turns;
