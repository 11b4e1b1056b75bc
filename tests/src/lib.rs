//! What tests share: waiting, Redis servers, the service as a process, wrong clocks.

pub mod clock;
pub mod redis_groups;
pub mod redis_server;
pub mod service;
pub mod use_paths;
pub mod wait;
