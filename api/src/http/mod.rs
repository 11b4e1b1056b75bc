//! All that knows actix-web below the routes: requests are read into plain values here, and answers written.

pub mod body;
pub mod call;
pub(crate) mod client;
pub mod edge;
pub mod errors;
pub mod media;
pub mod rates;
pub(crate) mod reply;
