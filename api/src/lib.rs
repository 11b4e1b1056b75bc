//! The Pagade service: board games of the Pachisi family over HTTP. The rules of every game are a YAML file.
//!
//! Calls go one way, `routes -> service -> store`: a handler reads the request and calls one use case, and a command on
//! one entity is one commit to the store. The table of all error codes is in `error/code.rs`.
//!
//! ```no_run
//! # async fn example() -> Result<(), pagade::serve::ServeError> {
//! let config = pagade::config::ServeConfig::default();
//! pagade::serve::serve(config, |addresses| println!("listening at {addresses:?}")).await
//! # }
//! ```

pub(crate) mod app;
pub mod archive;
pub(crate) mod bank;
pub mod config;
pub(crate) mod error;
pub(crate) mod follow;
pub(crate) mod game;
pub mod ground;
pub(crate) mod group;
pub(crate) mod http;
pub(crate) mod identity;
pub(crate) mod limits;
pub(crate) mod metrics;
pub(crate) mod model;
pub mod openapi;
pub(crate) mod player;
pub(crate) mod routes;
pub(crate) mod rule_sets;
pub mod score;
pub mod serve;
pub(crate) mod service;
pub mod store;
pub(crate) mod table;
pub mod telemetry;
pub(crate) mod tournament;
pub mod tournament_file;
pub mod tournament_simulation;

pub use error::Code as ProblemCode;
pub use game::GAME;
pub use game::dice::seed_hash;
pub use game::phrases::EVENT_PHRASES;
pub use metrics::MEDIA_TYPE as METRICS_MEDIA_TYPE;
pub use model::event_kind::TournamentEventKind;
pub use model::tournament::TournamentStatusWord;
pub use model::tournament_round::TableGameStatus;
pub use service::webhooks::Secret as WebhookSecret;
pub use service::{RecordHeader, Unproven, VerifiedRecord, verify};
