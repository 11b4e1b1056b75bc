//! `pagade serve`: the HTTP service.

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::path::PathBuf;

use pagade::config::ServeConfig;
use pagade::serve::serve;
use tracing_subscriber::EnvFilter;

use super::ending::{Ending, Unreadable};

const EXAMPLES: &str = "\
Examples:
  pagade serve
  pagade serve --listen 0.0.0.0:8080 --data /var/lib/pagade --log warn
  PAGADE_LISTEN=127.0.0.1:9000 pagade serve

The service stops on SIGTERM or Ctrl-C, after it has finished what it has begun.

Exit codes: 0 stopped when told to; 2 it cannot start (the address is taken, the data cannot be opened).";

/// Arguments of `pagade serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Address and port to listen at; port 0 takes a free one
    #[arg(long, env = "PAGADE_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Folder of the games; made where it is missing
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    data: PathBuf,
    /// An origin whose pages may call the service from a browser (`*`: any); may be given several times
    #[arg(long = "cors-origin", env = "PAGADE_CORS_ORIGINS", value_delimiter = ',', value_name = "ORIGIN")]
    cors_origins: Vec<String>,
    /// Threads that answer [default: one a processor]
    #[arg(long, env = "PAGADE_WORKERS", value_name = "N")]
    workers: Option<usize>,
    /// Seconds that requests in progress are given when the service stops
    #[arg(long, env = "PAGADE_GRACE_SECONDS", default_value_t = 20, value_name = "SECONDS")]
    grace_seconds: u64,
    /// What is logged: error, warn, info, debug, trace, or a filter by module
    #[arg(long, env = "PAGADE_LOG", default_value = "warn", value_name = "FILTER")]
    log: String,
    /// How it is logged
    #[arg(long, env = "PAGADE_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    log_format: LogFormat,
}

/// Forms of the log.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

/// Serves until it is told to stop.
pub fn run(args: &Args) -> Result<Ending, Unreadable> {
    start_log(args)?;
    let config = ServeConfig {
        listen: args.listen,
        data: args.data.clone(),
        cors_origins: args.cors_origins.clone(),
        workers: args.workers.unwrap_or_default(),
        grace_seconds: args.grace_seconds,
    };
    let ended = actix_web::rt::System::new().block_on(serve(config, |addresses| greet(args, addresses)));
    ended.map(|()| Ending::Fine).map_err(|error| Unreadable(error.to_string()))
}

/// The log goes to standard error; standard output is for answers.
fn start_log(args: &Args) -> Result<(), Unreadable> {
    let filter = EnvFilter::try_new(&args.log).map_err(|error| Unreadable(format!("--log {}: {error}", args.log)))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

/// Says where the service is, and what to try first.
fn greet(args: &Args, addresses: &[SocketAddr]) {
    let address = addresses.first().unwrap_or(&args.listen);
    println!("Pagade listens at http://{address}; games are kept in {}", args.data.display());
    println!("Documentation:    http://{address}/docs/");
    println!("Try:              curl -s http://{address}/v1/rule-sets");
    println!("A game:           curl -s http://{address}/v1/games -H 'Content-Type: application/json' \\");
    println!("                    -d '{{\"rule_set\": \"pagade\", \"hot_seat\": true}}'");
    println!("Ctrl-C stops it.");
}
