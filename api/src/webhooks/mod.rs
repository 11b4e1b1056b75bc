//! Messages to addresses that players name: signed as Standard Webhooks describes it, and sent to public places only.

pub mod send;
pub mod sign;
pub mod target;

pub use send::Sender;
pub use sign::Secret;
