//! Tests that cross crates.

pub mod redis_server;
