//! Tests the ledger: random commands of players at tables, by processes that die between any two commits.

mod dying;
mod first_win;
mod games;
mod ledger;
mod world;
