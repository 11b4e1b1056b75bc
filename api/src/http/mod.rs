//! The code between actix-web and the routes: it reads requests into values without actix types, and writes answers.

pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod client;
pub(crate) mod compression;
pub(crate) mod connection;
pub(crate) mod edge;
pub(crate) mod errors;
mod head_timer;
pub(crate) mod json;
pub(crate) mod language;
pub(crate) mod lasting;
pub(crate) mod media;
pub(crate) mod policies;
mod quality;
pub(crate) mod query;
pub(crate) mod rates;
pub(crate) mod reply;
pub(crate) mod shape;
pub(crate) mod stream;
