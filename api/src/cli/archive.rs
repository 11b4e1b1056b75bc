//! `pagade export` and `pagade import`: a whole store as a file, from one kind of store to the other.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;

use pagade::archive;
use pagade::store::Store;
use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;

use super::ending::{Ending, Unreadable};

const EXPORT: &str = "\
Examples:
  pagade export > games.ndjson                              what is in ./data; the service must be stopped
  pagade export --store redis://games:6379 games.ndjson     while the service runs; see below
  pagade export --config pagade.yaml games.ndjson           the store of the service with these settings
  pagade export | pagade import --store redis://games:6379

Everything that was acknowledged is in the file: games with their records, events, tokens (as hashes), webhooks, deadlines
and idempotency keys, and published rule sets. Keep it as secret as the store: seeds of games and secrets of webhooks are
in it. Each game is read as it is at one moment; what happens later in games that were read already is not in the file, so
stop the service first where nothing may be missing.

Exit codes: 0 all was written; 2 it was not.";

const IMPORT: &str = "\
Examples:
  pagade import --data /var/lib/pagade games.ndjson
  pagade import --store redis://games:6379 < games.ndjson

Games that are there already are left as they are, so an import that broke off is run again, and done twice nothing
happens twice. A game that is there with another history is named, and left as it is.

Exit codes: 0 all is there; 1 but for what is named; 2 the file is not whole, or the store cannot be written: what came
before is there.";

/// Which store.
#[derive(Debug, clap::Args)]
struct Place {
    /// File of settings, as for `pagade serve`: of them `store` and `data` apply
    #[arg(long, env = "PAGADE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Redis, as for `pagade serve` [default: the embedded store]
    #[arg(long, env = "PAGADE_STORE", hide_env_values = true, value_name = "ADDRESS")]
    store: Option<String>,
    /// Directory of the embedded store
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    data: PathBuf,
}

/// Arguments of `pagade export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPORT)]
pub struct ExportArgs {
    #[command(flatten)]
    place: Place,
    /// Where to write to [default: standard output]
    file: Option<PathBuf>,
}

/// Arguments of `pagade import`.
#[derive(Debug, clap::Args)]
#[command(after_help = IMPORT)]
pub struct ImportArgs {
    #[command(flatten)]
    place: Place,
    /// What to read [default: standard input]
    file: Option<PathBuf>,
}

impl Place {
    async fn open(&self) -> Result<Box<dyn Store>, Unreadable> {
        let opened = match &self.store {
            Some(address) => Redis::open(address).await.map(|store| Box::new(store) as Box<dyn Store>),
            None => Embedded::open(&self.data).map(|store| Box::new(store) as Box<dyn Store>),
        };
        opened.map_err(|error| Unreadable(error.to_string()))
    }

    fn name(&self) -> String {
        match &self.store {
            Some(_) => "Redis".to_owned(),
            None => format!("`{}`", self.data.display()),
        }
    }
}

/// Writes a store into a file.
pub fn export(args: &ExportArgs) -> Result<Ending, Unreadable> {
    if args.place.store.is_none() && !Embedded::is_in(&args.place.data) {
        return Err(Unreadable(format!("{} has no games", args.place.name())));
    }
    let store = pagade::serve::block_on(args.place.open())?;
    let mut file: Box<dyn io::Write> = match &args.file {
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| Unreadable::file(path, error))?)),
        None => Box::new(BufWriter::new(io::stdout())),
    };
    let exported = pagade::serve::block_on(archive::export(store.as_ref(), file.as_mut()));
    let games = exported.map_err(|error| Unreadable(error.to_string()))?;
    eprintln!("{games} games of {}", args.place.name());
    Ok(Ending::Fine)
}

/// Reads a file into a store.
pub fn import(args: &ImportArgs) -> Result<Ending, Unreadable> {
    let mut file: Box<dyn io::BufRead> = match &args.file {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(|error| Unreadable::file(path, error))?)),
        None => Box::new(BufReader::new(io::stdin())),
    };
    let store = pagade::serve::block_on(args.place.open())?;
    let imported = pagade::serve::block_on(archive::import(store.as_ref(), file.as_mut()));
    let imported = imported.map_err(|error| Unreadable(error.to_string()))?;
    eprintln!("{} games into {}, {} were there", imported.added, args.place.name(), imported.present);
    for id in &imported.refused {
        eprintln!("refused: {} {} is there with another history", id.kind, id.id);
    }
    for name in &imported.refused_names {
        eprintln!("refused: rule set {name} is published there by another text");
    }
    Ok(Ending::fine_if(imported.refused.is_empty() && imported.refused_names.is_empty()))
}
