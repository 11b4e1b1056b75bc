//! The arguments of `pagade serve`, and their conversion to a [`ServeConfig`].

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use pagade::config::{
    AbsenceTimes, Bounds, Oidc, PublicClient, Rates, Retention, Scoring, ServeConfig, Webhooks, is_season,
};
use pagade::ground::token::Token;
use pagade::score::awards::Awards;
use pagade::serve::LOG_TARGET;
use pagade::telemetry::Tracing;
use reqwest::Url;
use reqwest::header::HeaderName;
use tracing_subscriber::filter::{LevelFilter, Targets};

use crate::cli::ending::CommandError;

/// Maximum number of threads that answer requests; the HTTP server takes no more.
const MOST_WORKERS: usize = 512;

const EXAMPLES: &str = "\
Examples:
  pagade serve                                  on 127.0.0.1:8080, with the games in ./data
  pagade serve --listen 0.0.0.0:80 --data /var/lib/pagade
  pagade serve --store redis://games.internal:6379
  pagade serve --store 'redis+sentinel://a:26379,b:26379/games?durability=everysec&wait=1'
  pagade serve --config pagade.yaml --check     shows the settings and whether the service would start

A setting is a flag, an environment variable, or a line of a YAML file, such as `rate-client: 6000`. A flag goes before a
variable, and a variable before the file.

SIGTERM and SIGINT stop the service: it finishes the requests in progress, and asks followers to connect again.

Exit codes: 0 stopped by a signal, or --check found no errors; 2 the service cannot start.";

/// Arguments of `pagade serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Settings file in YAML; its keys are the flags without dashes
    #[arg(long, env = "PAGADE_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Show each setting with its origin, and whether the service would start; change nothing
    #[arg(long)]
    pub check: bool,
    /// Print the result of --check as JSON
    #[arg(long, requires = "check")]
    pub json: bool,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "PAGADE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Address of a Redis, which several processes can share: redis://HOST:PORT/DB,
    /// redis+cluster://HOST:PORT,HOST:PORT or redis+sentinel://HOST:PORT,HOST:PORT/NAME; rediss instead of redis uses
    /// TLS; USER:PASSWORD@ goes before the hosts; after `?` come prefix=WORD, durability=always|everysec|none and
    /// wait=REPLICAS, joined by `&` [default: the embedded store]
    #[arg(long, env = "PAGADE_STORE", hide_env_values = true, value_name = "ADDRESS")]
    pub store: Option<String>,
    /// Directory of the embedded store; created if it is missing
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// Web origin whose scripts may call the service (CORS), `*` for all; may be repeated
    #[arg(long = "cors-origin", env = "PAGADE_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN", value_parser = origin)]
    pub cors_origins: Vec<String>,
    /// Threads that answer requests; 0: one for each core
    #[arg(long, env = "PAGADE_WORKERS", default_value_t = 0, value_name = "N", value_parser = workers)]
    pub workers: usize,
    /// Seconds that requests in progress have to finish when the service stops
    #[arg(long, env = "PAGADE_GRACE", default_value_t = 20, value_name = "SECONDS")]
    pub grace: u64,
    /// Admin token, at least 32 characters: its holder sees every game, frees seats and issues new tokens; set it by
    /// the variable, because other users of the machine can read flags [default: none]
    #[arg(long, env = "PAGADE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    pub admin_token: Option<Token>,
    /// URL of an identity provider (OpenID Connect), whose tokens (JWT) name registered players; its keys are read from
    /// there [default: none]
    #[arg(long, env = "PAGADE_OIDC_ISSUER", value_name = "URL")]
    pub oidc_issuer: Option<String>,
    /// Audience that tokens of the identity provider must have: the name of this service there [default: none]
    #[arg(long, env = "PAGADE_OIDC_AUDIENCE", value_name = "NAME")]
    pub oidc_audience: Option<String>,
    /// Id of a public client (without a secret) of the identity provider, as which the page signs people in [default:
    /// none, the page offers no sign-in]
    #[arg(long, env = "PAGADE_OIDC_CLIENT", value_name = "ID")]
    pub oidc_client: Option<String>,
    /// Scopes that the page asks for when it signs people in; with `offline_access` it can renew a sign-in that expires
    #[arg(long, env = "PAGADE_OIDC_SCOPE", default_value = "openid profile", value_name = "SCOPES")]
    pub oidc_scope: String,
    /// Requests a minute of one client address; 0: no limit
    #[arg(long, env = "PAGADE_RATE_CLIENT", default_value_t = 12_000, value_name = "N")]
    pub rate_client: u32,
    /// Requests a minute with one token; 0: no limit
    #[arg(long, env = "PAGADE_RATE_TOKEN", default_value_t = 3_000, value_name = "N")]
    pub rate_token: u32,
    /// Rule texts, scenarios, simulations and records that one client may send a minute; 0: no limit
    #[arg(long, env = "PAGADE_RATE_HEAVY", default_value_t = 600, value_name = "N")]
    pub rate_heavy: u32,
    /// Games, groups, players, tables and tournaments that one client may create or import an hour; 0: no limit
    #[arg(long, env = "PAGADE_RATE_CREATE", default_value_t = 6_000, value_name = "N")]
    pub rate_create: u32,
    /// Rule sets that one client may publish a day; 0: no limit
    #[arg(long, env = "PAGADE_RATE_PUBLISH", default_value_t = 200, value_name = "N")]
    pub rate_publish: u32,
    /// Invitations to tables, requests to be friends and votes at tables that one player may send an hour; 0: no limit
    #[arg(long, env = "PAGADE_RATE_INVITE", default_value_t = 120, value_name = "N")]
    pub rate_invite: u32,
    /// Streams and long polls that one client may have open at a time, for each process; 0: no limit
    #[arg(long, env = "PAGADE_CLIENT_STREAMS", default_value_t = 500, value_name = "N")]
    pub client_streams: u32,
    /// Simulations that one client may have waiting or running at a time, for each process; 0: no limit
    #[arg(long, env = "PAGADE_CLIENT_SIMULATIONS", default_value_t = 4, value_name = "N")]
    pub client_simulations: u32,
    /// Connections of one client address at a time, for each process; further ones are closed; 0: no limit; ignored
    /// behind proxies
    #[arg(long, env = "PAGADE_CLIENT_CONNECTIONS", default_value_t = 1_000, value_name = "N")]
    pub client_connections: u32,
    /// Connections of the process at a time; further ones wait until one is closed
    #[arg(long, env = "PAGADE_CONNECTIONS", default_value_t = 25_000, value_name = "N")]
    pub connections: usize,
    /// Seconds that a client has to send a request; also the longest pause while it reads an answer
    #[arg(long, env = "PAGADE_PATIENCE", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: u64,
    /// Largest number of published rule sets in the store; at the limit, no new ones are accepted
    #[arg(long, env = "PAGADE_RULE_SETS", default_value_t = 10_000, value_name = "N")]
    pub rule_sets: usize,
    /// Seconds without a connection after which the stand-in robot of a game plays for an absent player
    #[arg(long, env = "PAGADE_ABSENT_AFTER", default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub absent_after: u32,
    /// Seconds during which an absent player may come back; after that the stand-in robot plays the game to its end
    #[arg(long, env = "PAGADE_RETURN_WITHIN", default_value_t = 300, value_name = "SECONDS")]
    pub return_within: u32,
    /// Days to keep a finished game after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_FINISHED", default_value_t = 0, value_name = "DAYS")]
    pub keep_finished: u32,
    /// Days to keep a game in play after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_PLAYING", default_value_t = 0, value_name = "DAYS")]
    pub keep_playing: u32,
    /// Days to keep a game that has not started, after its last change; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_OPEN", default_value_t = 0, value_name = "DAYS")]
    pub keep_open: u32,
    /// Days to keep a player after the last change, such as a game that began; 0: for ever
    #[arg(long, env = "PAGADE_KEEP_PLAYERS", default_value_t = 0, value_name = "DAYS")]
    pub keep_players: u32,
    /// Chips that a new registered player gets
    #[arg(long, env = "PAGADE_CHIPS", default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub chips: u64,
    /// Name of the present season, 1 to 40 lower-case letters, digits and hyphens; competitive games that begin while
    /// it is set count for the leaderboards of the season, too [default: none]
    #[arg(long, env = "PAGADE_SEASON", value_name = "NAME")]
    pub season: Option<String>,
    /// YAML file with levels and badges, of the form of api/data/awards.yaml [default: the bundled one]
    #[arg(long, env = "PAGADE_AWARDS", value_name = "FILE")]
    pub awards: Option<PathBuf>,
    /// Allow webhooks with private addresses, and without TLS
    #[arg(long, env = "PAGADE_WEBHOOKS_PRIVATE")]
    pub webhooks_private: bool,
    /// Switch off all rate limits, for tests and measurements
    #[arg(long, env = "PAGADE_UNLIMITED")]
    pub unlimited: bool,
    /// Number of proxies in front of the service, each of which adds an address to the client header; 0: clients
    /// connect directly, and the header is ignored
    #[arg(long, env = "PAGADE_TRUST_PROXY", default_value_t = 0, value_name = "N")]
    pub trust_proxy: u8,
    /// Header to which proxies add client addresses
    #[arg(long, env = "PAGADE_CLIENT_HEADER", default_value = "X-Forwarded-For", value_name = "NAME", value_parser = header_name)]
    pub client_header: String,
    /// Address of a trace collector (OTLP over HTTP), such as http://HOST:4318
    /// [default: OTEL_EXPORTER_OTLP_ENDPOINT, or no traces]
    #[arg(long, env = "PAGADE_OTLP", hide_env_values = true, value_name = "URL")]
    pub otlp: Option<String>,
    /// Percentage of the requests without a `traceparent` header that are traced
    #[arg(long, env = "PAGADE_OTLP_PERCENT", default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    pub otlp_percent: u8,
    /// Level of the log on standard error: error, warn, info or debug; for one module as in `pagade=debug`
    #[arg(long, env = "PAGADE_LOG", default_value = "warn", value_name = "FILTER")]
    pub log: String,
    /// Write the log as JSON, one object a line
    #[arg(long, env = "PAGADE_LOG_JSON")]
    pub log_json: bool,
}

/// Converts the arguments to the settings of the service.
///
/// # Errors
/// A setting has a wrong value.
pub(super) fn config(args: &Args) -> Result<ServeConfig, CommandError> {
    Ok(ServeConfig {
        listen: args.listen,
        store: args.store.clone(),
        data: args.data.clone(),
        cors_origins: args.cors_origins.clone(),
        workers: args.workers,
        grace_seconds: args.grace,
        admin: admin(args)?.map(Token::hash),
        oidc: oidc(args)?,
        rates: rates(args),
        webhooks: Webhooks { allows_private: args.webhooks_private, ..Webhooks::default() },
        retention: Retention {
            open: days(args.keep_open),
            playing: days(args.keep_playing),
            finished: days(args.keep_finished),
            players: days(args.keep_players),
        },
        absence: AbsenceTimes {
            after: Duration::from_secs(args.absent_after.into()),
            window: Duration::from_secs(args.return_within.into()),
        },
        tracing: tracing(args)?,
        scoring: scoring(args)?,
        bounds: Bounds { connections: args.connections, patience_seconds: args.patience, rule_sets: args.rule_sets },
    })
}

/// Returns the settings of competitive games.
///
/// # Errors
/// The name of the season is malformed, or the file of levels and badges cannot be read.
pub(super) fn scoring(args: &Args) -> Result<Scoring, CommandError> {
    if args.season.as_deref().is_some_and(|name| !is_season(name)) {
        return Err(CommandError("`season` must have 1 to 40 lower-case letters, digits and hyphens".to_owned()));
    }
    let awards = match &args.awards {
        None => Awards::default(),
        Some(file) => {
            let wrong = |reason: String| CommandError(format!("`awards`: `{}`: {reason}", file.display()));
            let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
            Awards::parse(&text).map_err(wrong)?
        }
    };
    Ok(Scoring { chips: args.chips, season: args.season.clone(), awards })
}

fn days(days: u32) -> Option<Duration> {
    (days > 0).then(|| Duration::from_secs(u64::from(days) * 24 * 60 * 60))
}

/// Returns the settings of traces; `None` if there is no collector.
///
/// The headers of the collector and the name of the service come from the standard environment variables of
/// OpenTelemetry. The address of the collector comes from there, too, if `--otlp` is not set.
pub(super) fn tracing(args: &Args) -> Result<Option<Tracing>, CommandError> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(endpoint) = args.otlp.clone().or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT")) else { return Ok(None) };
    if !["http://", "https://"].iter().any(|scheme| endpoint.starts_with(scheme)) {
        return Err(CommandError("`otlp` must begin with `http://` or `https://`".to_owned()));
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

/// Returns the identity provider; `None` if there is none.
///
/// # Errors
/// A setting of the provider is missing or empty, or its address is no URL.
pub(super) fn oidc(args: &Args) -> Result<Option<Oidc>, CommandError> {
    let wrong = |reason: &str| Err(CommandError(reason.to_owned()));
    let (issuer, audience) = match (&args.oidc_issuer, &args.oidc_audience) {
        (None, None) if args.oidc_client.is_some() => {
            return wrong("`oidc-client` needs `oidc-issuer` and `oidc-audience`");
        }
        (None, None) => return Ok(None),
        (Some(issuer), Some(audience)) => (issuer, audience),
        _ => return wrong("`oidc-issuer` and `oidc-audience` go together: one of them is missing"),
    };
    if !["http://", "https://"].iter().any(|scheme| issuer.starts_with(scheme)) {
        return wrong("`oidc-issuer` must begin with `http://` or `https://`");
    }
    if audience.trim().is_empty() {
        return wrong("`oidc-audience` must not be empty");
    }
    let client = match &args.oidc_client {
        None => None,
        Some(id) if id.trim().is_empty() => return wrong("`oidc-client` must not be empty"),
        Some(_) if !args.oidc_scope.split_whitespace().any(|scope| scope == "openid") => {
            return wrong("`oidc-scope` must contain `openid`");
        }
        Some(id) => Some(PublicClient { id: id.clone(), scope: args.oidc_scope.clone() }),
    };
    let provider = Oidc { client, ..Oidc::new(issuer, audience) };
    if provider.client.is_some() && provider.origin().is_none() {
        return wrong("`oidc-issuer` is not a URL");
    }
    Ok(Some(provider))
}

/// Checks the admin token. The command line parser must not check it, because its errors would print the token.
pub(super) fn admin(args: &Args) -> Result<Option<&Token>, CommandError> {
    let is_long = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_graphic());
    match &args.admin_token {
        Some(token) if !is_long(token.reveal()) => {
            Err(CommandError("`admin-token` must have at least 32 printable characters".to_owned()))
        }
        token => Ok(token.as_ref()),
    }
}

fn token(text: &str) -> Result<Token, Infallible> {
    Ok(Token::sent(text))
}

/// Reads the number of threads.
fn workers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_WORKERS);
    number.ok_or_else(|| format!("0 to {MOST_WORKERS} threads are allowed"))
}

/// Reads a web origin as browsers send it (RFC 6454): without a path, and without the usual port.
fn origin(text: &str) -> Result<String, String> {
    if text == "*" {
        return Ok(text.to_owned());
    }
    let url = Url::parse(text).map_err(|_| "an origin is written as in https://app.example".to_owned())?;
    match url.origin().ascii_serialization() {
        origin if origin == text => Ok(origin),
        origin if origin == "null" => {
            Err("this address has no origin; one is written as in https://app.example".to_owned())
        }
        origin => Err(format!("browsers send this origin as {origin}")),
    }
}

/// Reads the name of a header.
fn header_name(text: &str) -> Result<String, String> {
    let name = HeaderName::try_from(text).map(|_| text.to_owned());
    name.map_err(|_| "this is not the name of a header, such as X-Forwarded-For".to_owned())
}

fn rates(args: &Args) -> Rates {
    // On the command line, 0 stands for no limit.
    let rate = |rate: u32| Some(rate).filter(|rate| *rate > 0 && !args.unlimited);
    Rates {
        client: rate(args.rate_client),
        token: rate(args.rate_token),
        heavy: rate(args.rate_heavy),
        create: rate(args.rate_create),
        publish: rate(args.rate_publish),
        invite: rate(args.rate_invite),
        streams: rate(args.client_streams),
        simulations: rate(args.client_simulations),
        connections: rate(args.client_connections),
        proxies: args.trust_proxy,
        client_header: args.client_header.clone(),
    }
}

/// Parses the log filter.
///
/// # Errors
/// The text is not a log filter.
pub(super) fn filter(args: &Args) -> Result<Targets, CommandError> {
    let filter = args.log.parse::<Targets>();
    let filter = filter.map_err(|error| CommandError(format!("`log`: `{}` is not a log filter: {error}", args.log)))?;
    // The HTTP library logs an error for every connection with malformed HTTP, so that anyone could fill the log. These
    // log lines are off unless the filter names the library.
    let names_it = filter.iter().any(|(target, _)| target.starts_with(LOG_TARGET));
    Ok(if names_it { filter } else { filter.with_target(LOG_TARGET, LevelFilter::OFF) })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCommand {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_defaults_are_those_of_the_service() {
        let TestCommand { args } = TestCommand::parse_from(["serve"]);
        assert_eq!(config(&args).unwrap(), ServeConfig::default());
    }

    #[test]
    fn an_identity_provider_has_a_url_and_an_audience() {
        let read = |more: &[&str]| config(&TestCommand::parse_from([&["serve"], more].concat()).args);
        let issuer = "https://accounts.example";
        let expected = Oidc::new(issuer, "pagade");
        let both = ["--oidc-issuer", issuer, "--oidc-audience", "pagade"];
        assert_eq!(read(&both).unwrap().oidc.as_ref(), Some(&expected));
        let with = |more: &[&'static str]| [&both, more].concat();
        let client = PublicClient { id: "page".to_owned(), scope: "openid profile".to_owned() };
        let offered = Oidc { client: Some(client), ..expected };
        assert_eq!(read(&with(&["--oidc-client", "page"])).unwrap().oidc, Some(offered));
        for (wrong, reason) in [
            (&both[..2], "go together"),
            (&both[2..], "go together"),
            (&["--oidc-issuer", "accounts.example", "--oidc-audience", "pagade"], "`https://`"),
            (&["--oidc-issuer", issuer, "--oidc-audience", " "], "must not be empty"),
            (&["--oidc-client", "page"], "needs `oidc-issuer`"),
            (&with(&["--oidc-client", " "]), "`oidc-client` must not be empty"),
            (&with(&["--oidc-client", "page", "--oidc-scope", "profile"]), "contain `openid`"),
            (&["--oidc-issuer", "https://", "--oidc-audience", "a", "--oidc-client", "page"], "not a URL"),
        ] {
            let CommandError(message) = read(wrong).unwrap_err();
            assert!(message.contains(reason), "{message}");
        }
    }

    #[test]
    fn a_short_admin_token_is_refused_and_not_shown() {
        let TestCommand { args } = TestCommand::parse_from(["serve", "--admin-token", "s3cret"]);
        let CommandError(message) = config(&args).unwrap_err();
        assert!(message.contains("admin-token") && !message.contains("s3cret"), "{message}");
    }
}
