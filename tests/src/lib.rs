//! Tests that cross crates, and the processes that they start.

pub mod clock;
pub mod redis_groups;
pub mod redis_server;
pub mod service;
pub mod use_paths;
pub mod wait;
