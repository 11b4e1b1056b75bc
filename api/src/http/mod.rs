//! The code below the routes that uses actix-web: it reads requests into plain values, and writes answers.

pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod client;
pub(crate) mod edge;
pub(crate) mod errors;
pub(crate) mod json;
pub(crate) mod media;
pub(crate) mod query;
pub(crate) mod rates;
pub(crate) mod reply;
pub(crate) mod shape;
pub(crate) mod stream;
