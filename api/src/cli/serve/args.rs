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
  pagade serve --config pagade.yaml --check     what would apply, where each value comes from, would it start?

Every setting may be given as a flag, as a variable of the environment, or in a file of YAML whose keys are the flags
without dashes (`rate-client: 6000`); a flag goes before a variable, and a variable before the file.

Ends on SIGTERM and SIGINT: what was begun is finished, streams are told to come back.

Exit codes: 0 it was told to end, or would start; 2 it could not start.";

/// Arguments of `pagade serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// File of settings, in YAML: their names without dashes are its keys
    #[arg(long, env = "PAGADE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Tell what applies, where each value comes from and whether it would start; nothing is changed
    #[arg(long)]
    pub check: bool,
    /// Tell it as JSON
    #[arg(long, requires = "check")]
    pub json: bool,
    /// Address and port to listen at; port 0 takes a free one
    #[arg(long, env = "PAGADE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Redis for games, shared by any number of processes: redis://HOST:PORT/DB, redis+cluster://HOST:PORT,HOST:PORT,
    /// redis+sentinel://HOST:PORT,HOST:PORT/NAME, each with TLS as rediss; user and password before the hosts; settings
    /// after `?`: prefix=WORD, durability=always|everysec|none, wait=REPLICAS [default: the embedded store]
    #[arg(long, env = "PAGADE_STORE", hide_env_values = true, value_name = "ADDRESS")]
    pub store: Option<String>,
    /// Directory for games in the embedded store; made where it is missing
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// Origin whose scripts may call from browsers, `*` for all; may be given several times
    #[arg(long = "cors-origin", env = "PAGADE_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    pub cors_origins: Vec<String>,
    /// Threads that answer; 0: as many as there are cores
    #[arg(long, env = "PAGADE_WORKERS", default_value_t = 0, value_name = "N")]
    pub workers: usize,
    /// Seconds that requests in progress are given at the end
    #[arg(long, env = "PAGADE_GRACE", default_value_t = 20, value_name = "SECONDS")]
    pub grace: u64,
    /// Token, 32 characters or more, that sees every game, frees seats and gives out new tokens; best by its variable,
    /// where other users of the machine do not see it [default: there is none]
    #[arg(long, env = "PAGADE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    pub admin_token: Option<Token>,
    /// Requests of a client, by its address, a minute; 0: as many as it likes
    #[arg(long, env = "PAGADE_RATE_CLIENT", default_value_t = 12_000, value_name = "N")]
    pub rate_client: u32,
    /// Requests with one token a minute; 0: as many as one likes
    #[arg(long, env = "PAGADE_RATE_TOKEN", default_value_t = 3_000, value_name = "N")]
    pub rate_token: u32,
    /// Rule texts to check or publish and records to import that a client sends a minute; 0: as many as it likes
    #[arg(long, env = "PAGADE_RATE_HEAVY", default_value_t = 120, value_name = "N")]
    pub rate_heavy: u32,
    /// Games that a client creates or imports an hour; 0: as many as it likes
    #[arg(long, env = "PAGADE_RATE_CREATE", default_value_t = 6_000, value_name = "N")]
    pub rate_create: u32,
    /// Rule sets that a client publishes a day; 0: as many as it likes
    #[arg(long, env = "PAGADE_RATE_PUBLISH", default_value_t = 200, value_name = "N")]
    pub rate_publish: u32,
    /// Games that a client follows at a time, at this process; 0: as many as it likes
    #[arg(long, env = "PAGADE_CLIENT_STREAMS", default_value_t = 500, value_name = "N")]
    pub client_streams: u32,
    /// Connections of a client at a time, to this process; more are closed; not counted behind proxies; 0: as many as it
    /// likes
    #[arg(long, env = "PAGADE_CLIENT_CONNECTIONS", default_value_t = 1_000, value_name = "N")]
    pub client_connections: u32,
    /// Connections at a time; more wait until others are closed
    #[arg(long, env = "PAGADE_CONNECTIONS", default_value_t = 25_000, value_name = "N")]
    pub connections: usize,
    /// Seconds that a client may take to send a request, and may take nothing of an answer
    #[arg(long, env = "PAGADE_PATIENCE", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
    /// Rule sets that are published; then no more are taken
    #[arg(long, env = "PAGADE_RULE_SETS", default_value_t = 10_000, value_name = "N")]
    pub rule_sets: usize,
    /// Days that a finished game is kept after its last change; then it is removed; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_FINISHED", default_value_t = 0, value_name = "DAYS")]
    pub keep_finished: u32,
    /// Days that a game is kept in which nobody plays; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_PLAYING", default_value_t = 0, value_name = "DAYS")]
    pub keep_playing: u32,
    /// Days that a game is kept that was not started, after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_OPEN", default_value_t = 0, value_name = "DAYS")]
    pub keep_open: u32,
    /// Let webhooks go to addresses that are not public, and without TLS
    #[arg(long, env = "PAGADE_WEBHOOKS_PRIVATE")]
    pub webhooks_private: bool,
    /// No rates at all: for tests and measurements
    #[arg(long, env = "PAGADE_UNLIMITED")]
    pub unlimited: bool,
    /// Proxies in front of the service, each of which adds the address that it saw to the client header; 0: clients
    /// connect themselves, and the header is not read
    #[arg(long, env = "PAGADE_TRUST_PROXY", default_value_t = 0, value_name = "N")]
    pub trust_proxy: u8,
    /// The header that proxies add addresses to
    #[arg(long, env = "PAGADE_CLIENT_HEADER", default_value = "X-Forwarded-For", value_name = "NAME")]
    pub client_header: String,
    /// Collector that traces are sent to, by OTLP over HTTP: http://HOST:4318 [default: that of OTEL_EXPORTER_OTLP_ENDPOINT;
    /// without one nothing is traced]
    #[arg(long, env = "PAGADE_OTLP", hide_env_values = true, value_name = "URL")]
    pub otlp: Option<String>,
    /// How many requests in a hundred are traced that belong to no trace yet (`traceparent`)
    #[arg(long, env = "PAGADE_OTLP_PERCENT", default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    pub otlp_percent: u8,
    /// What is logged to standard error: error, warn, info, debug, or by module as in `pagade=debug`
    #[arg(long, env = "PAGADE_LOG", default_value = "warn", value_name = "FILTER")]
    pub log: String,
    /// Log as JSON, a line each
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
