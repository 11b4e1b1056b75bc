//! Arguments of `pagade serve`, and the configuration that they give.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use pagade::config::{Bounds, Keep, Rates, ServeConfig, Webhooks};
use pagade::ground::token::Token;
use pagade::telemetry::Tracing;
use tracing_subscriber::filter::Targets;

use crate::cli::ending::Unreadable;

const EXAMPLES: &str = "\
Examples:
  pagade serve                                  on 127.0.0.1:8080, games in ./data
  pagade serve --listen 0.0.0.0:80 --data /var/lib/pagade
  pagade serve --store redis://games.internal:6379
  pagade serve --store 'redis+sentinel://a:26379,b:26379/games?durability=everysec&wait=1'
  pagade serve --config pagade.yaml --check     shows the settings, their origin, and whether it would start

A setting may be a flag, an environment variable, or a key of a YAML file: the flag without dashes (`rate-client: 6000`).
A flag goes before a variable, and a variable before the file.

SIGTERM and SIGINT end the service: it finishes the requests in progress and asks followers to come back.

Exit codes: 0 ended by a signal, or would start; 2 could not start.";

/// Arguments of `pagade serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// File of settings, in YAML; its keys are the flags without dashes
    #[arg(long, env = "PAGADE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Show the settings, their origin, and whether the service would start; changes nothing
    #[arg(long)]
    pub check: bool,
    /// Print the check as JSON
    #[arg(long, requires = "check")]
    pub json: bool,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "PAGADE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Address of a Redis, which any number of processes share: redis://HOST:PORT/DB,
    /// redis+cluster://HOST:PORT,HOST:PORT or redis+sentinel://HOST:PORT,HOST:PORT/NAME; rediss instead of redis uses
    /// TLS; user and password stand before the hosts; settings after `?`: prefix=WORD, durability=always|everysec|none,
    /// wait=REPLICAS [default: the embedded store]
    #[arg(long, env = "PAGADE_STORE", hide_env_values = true, value_name = "ADDRESS")]
    pub store: Option<String>,
    /// Directory of the embedded store; created if it is missing
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// Origin whose scripts may call the service from browsers, `*` for all; may be repeated
    #[arg(long = "cors-origin", env = "PAGADE_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// Threads that answer requests; 0: one for each core
    #[arg(long, env = "PAGADE_WORKERS", default_value_t = 0, value_name = "N")]
    pub workers: usize,
    /// Seconds for requests in progress when the service stops
    #[arg(long, env = "PAGADE_GRACE", default_value_t = 20, value_name = "SECONDS")]
    pub grace: u64,
    /// Admin token, at least 32 characters: sees every game, frees seats, issues new tokens; other users of the machine
    /// can read a flag, so prefer the variable [default: none]
    #[arg(long, env = "PAGADE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    pub admin_token: Option<Token>,
    /// Requests a minute of one client address; 0: no limit
    #[arg(long, env = "PAGADE_RATE_CLIENT", default_value_t = 12_000, value_name = "N")]
    pub rate_client: u32,
    /// Requests a minute with one token; 0: no limit
    #[arg(long, env = "PAGADE_RATE_TOKEN", default_value_t = 3_000, value_name = "N")]
    pub rate_token: u32,
    /// Rule texts and records that one client may send a minute; 0: no limit
    #[arg(long, env = "PAGADE_RATE_HEAVY", default_value_t = 120, value_name = "N")]
    pub rate_heavy: u32,
    /// Games that one client may create or import an hour; 0: no limit
    #[arg(long, env = "PAGADE_RATE_CREATE", default_value_t = 6_000, value_name = "N")]
    pub rate_create: u32,
    /// Rule sets that one client may publish a day; 0: no limit
    #[arg(long, env = "PAGADE_RATE_PUBLISH", default_value_t = 200, value_name = "N")]
    pub rate_publish: u32,
    /// Games that one client may follow at a time, at one process; 0: no limit
    #[arg(long, env = "PAGADE_CLIENT_STREAMS", default_value_t = 500, value_name = "N")]
    pub client_streams: u32,
    /// Connections that one client may open to one process; more are closed; not counted behind proxies; 0: no limit
    #[arg(long, env = "PAGADE_CLIENT_CONNECTIONS", default_value_t = 1_000, value_name = "N")]
    pub client_connections: u32,
    /// Connections of the process; more wait until others are closed
    #[arg(long, env = "PAGADE_CONNECTIONS", default_value_t = 25_000, value_name = "N")]
    pub connections: usize,
    /// Seconds that a client has for sending a request, and for each pause in reading an answer
    #[arg(long, env = "PAGADE_PATIENCE", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
    /// Published rule sets in the store; at the limit, no more are accepted
    #[arg(long, env = "PAGADE_RULE_SETS", default_value_t = 10_000, value_name = "N")]
    pub rule_sets: usize,
    /// Days to keep a finished game after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_FINISHED", default_value_t = 0, value_name = "DAYS")]
    pub keep_finished: u32,
    /// Days to keep a game in which nobody plays any more; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_PLAYING", default_value_t = 0, value_name = "DAYS")]
    pub keep_playing: u32,
    /// Days to keep a game that was never started, after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_OPEN", default_value_t = 0, value_name = "DAYS")]
    pub keep_open: u32,
    /// Allow webhooks to private addresses and without TLS
    #[arg(long, env = "PAGADE_WEBHOOKS_PRIVATE")]
    pub webhooks_private: bool,
    /// No rate limits: for tests and measurements
    #[arg(long, env = "PAGADE_UNLIMITED")]
    pub unlimited: bool,
    /// Number of proxies in front of the service, each of which adds a client address to the client header; 0: clients
    /// connect directly, and the header is ignored
    #[arg(long, env = "PAGADE_TRUST_PROXY", default_value_t = 0, value_name = "N")]
    pub trust_proxy: u8,
    /// Header to which proxies add client addresses
    #[arg(long, env = "PAGADE_CLIENT_HEADER", default_value = "X-Forwarded-For", value_name = "NAME")]
    pub client_header: String,
    /// Address of a trace collector, OTLP over HTTP: http://HOST:4318 [default: OTEL_EXPORTER_OTLP_ENDPOINT, or no
    /// traces]
    #[arg(long, env = "PAGADE_OTLP", hide_env_values = true, value_name = "URL")]
    pub otlp: Option<String>,
    /// Percentage of requests to trace, of those without a `traceparent`
    #[arg(long, env = "PAGADE_OTLP_PERCENT", default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    pub otlp_percent: u8,
    /// Log level on standard error: error, warn, info, debug, or by module as in `pagade=debug`
    #[arg(long, env = "PAGADE_LOG", default_value = "warn", value_name = "FILTER")]
    pub log: String,
    /// Write the log as JSON, one object a line
    #[arg(long, env = "PAGADE_LOG_JSON")]
    pub log_json: bool,
}

/// How to serve.
///
/// # Errors
/// A setting makes no sense.
pub fn config(args: &Args) -> Result<ServeConfig, Unreadable> {
    Ok(ServeConfig {
        listen: args.listen,
        store: args.store.clone(),
        data: args.data.clone(),
        cors_origins: args.cors_origins.clone(),
        workers: args.workers,
        grace_seconds: args.grace,
        admin: admin(args)?.map(Token::hash),
        rates: rates(args),
        webhooks: Webhooks { allows_private: args.webhooks_private, ..Webhooks::default() },
        keep: Keep { open: days(args.keep_open), playing: days(args.keep_playing), finished: days(args.keep_finished) },
        tracing: tracing(args)?,
        bounds: Bounds { connections: args.connections, patience_seconds: args.patience, rule_sets: args.rule_sets },
    })
}

fn days(days: u32) -> Option<Duration> {
    (days > 0).then(|| Duration::from_secs(u64::from(days) * 24 * 60 * 60))
}

/// With what the environment says that all programs with traces read.
pub fn tracing(args: &Args) -> Result<Option<Tracing>, Unreadable> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(endpoint) = args.otlp.clone().or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT")) else { return Ok(None) };
    if !["http://", "https://"].iter().any(|scheme| endpoint.starts_with(scheme)) {
        return Err(Unreadable("`otlp` is an address that begins with `http://` or `https://`".to_owned()));
    }
    let headers = variable("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
    let headers = headers.split(',').filter_map(|header| header.split_once('='));
    Ok(Some(Tracing {
        endpoint,
        headers: headers.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect(),
        service: variable("OTEL_SERVICE_NAME").unwrap_or_else(|| "pagade".to_owned()),
        percent: args.otlp_percent,
    }))
}

/// Checked here: an error of the command line would show it.
pub fn admin(args: &Args) -> Result<Option<&Token>, Unreadable> {
    let is_long = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
    match &args.admin_token {
        Some(token) if !is_long(token.reveal()) => {
            Err(Unreadable("`admin-token` has 32 printable characters or more".to_owned()))
        }
        token => Ok(token.as_ref()),
    }
}

fn token(text: &str) -> Result<Token, Infallible> {
    Ok(Token::sent(text))
}

fn rates(args: &Args) -> Rates {
    let asked = |rate: u32| if args.unlimited { 0 } else { rate };
    Rates {
        client: asked(args.rate_client),
        token: asked(args.rate_token),
        heavy: asked(args.rate_heavy),
        create: asked(args.rate_create),
        publish: asked(args.rate_publish),
        streams: asked(args.client_streams),
        connections: asked(args.client_connections),
        proxies: args.trust_proxy,
        client_header: args.client_header.clone(),
    }
}

/// What is logged.
///
/// # Errors
/// It is no filter.
pub fn filter(args: &Args) -> Result<Targets, Unreadable> {
    args.log.parse().map_err(|error| Unreadable(format!("`log`: `{}` is no filter: {error}", args.log)))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_defaults_are_those_of_the_service() {
        let Line { args } = Line::parse_from(["serve"]);
        assert_eq!(config(&args).unwrap(), ServeConfig::default());
    }

    #[test]
    fn a_short_admin_token_is_refused_and_not_shown() {
        let Line { args } = Line::parse_from(["serve", "--admin-token", "s3cret"]);
        let Unreadable(message) = config(&args).unwrap_err();
        assert!(message.contains("admin-token") && !message.contains("s3cret"), "{message}");
    }
}
