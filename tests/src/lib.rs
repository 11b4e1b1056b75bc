//! Parts that several tests share: waiting, Redis servers, the service as a process, wrong clocks, receivers of
//! webhooks, identity providers.

pub mod clock;
pub mod issuer;
pub mod receiver;
pub mod redis_groups;
pub mod redis_server;
pub mod service;
pub mod use_paths;
pub mod wait;
