//! Tests that cross crates, and the processes that they start.

pub mod redis_server;
pub mod service;
