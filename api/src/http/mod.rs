//! All code below the routes that knows actix-web: it reads requests into plain values, and writes answers.

pub mod body;
pub mod call;
pub(crate) mod client;
pub mod edge;
pub mod errors;
pub mod media;
pub mod rates;
pub(crate) mod reply;
