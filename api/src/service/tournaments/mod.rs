//! The use cases of tournaments.

pub(crate) mod access;
mod advancing;
mod change;
pub(crate) mod creation;
mod due;
mod entering;
mod exporting;
mod following;
mod gather;
mod handing_over;
mod hooks;
mod making;
mod pairing;
mod queries;
mod results;
mod tokens;
