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
pub mod conventions;
pub mod dice;
pub mod error;
pub mod metrics;
pub mod model;
pub mod openapi;
pub mod rates;
mod recent;
pub mod routes;
pub mod serve;
pub mod service;
pub mod simulate;
pub mod store;
pub mod telemetry;
pub mod tls;
pub mod webhooks;
