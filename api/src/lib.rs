//! The service: games of the cross-shaped board over HTTP, by rules that are data.
//!
//! `routes -> service -> store`: a handler reads the request and calls one use case; a use case hands the store one
//! commit. What all operations do alike is in [`conventions`], what can go wrong in one table in [`error`].
//!
//! ```no_run
//! # async fn example() -> Result<(), pagade::serve::ServeError> {
//! let config = pagade::config::ServeConfig::default();
//! pagade::serve::serve(config, |addresses| println!("listening at {addresses:?}")).await
//! # }
//! ```

pub mod app;
pub mod archive;
pub mod config;
pub mod error;
pub(crate) mod follow;
pub mod game;
pub mod ground;
pub mod http;
pub mod limits;
pub mod metrics;
pub mod model;
pub mod openapi;
pub mod routes;
pub(crate) mod rule_sets;
pub mod serve;
pub mod service;
pub mod simulate;
pub mod store;
pub mod telemetry;
