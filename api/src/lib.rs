//! Service.
pub mod conventions;
pub mod error;
pub mod store;
