//! `pagade export` and `pagade import`: write all data of a store into a file, and read such a file into a store. The
//! file is a backup, or moves the data to another store.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use pagade::EVENT_PHRASES;
use pagade::archive;
use pagade::store::Store;
use pagade::store::embedded::Embedded;
use pagade::store::redis::Redis;

use super::ending::{CommandEnding, CommandError};

const EXPORT: &str = "\
Examples:
  pagade export > store.ndjson                              the store in ./data; stop the service first
  pagade export --store redis://games:6379 store.ndjson     a Redis; the service may run, see below
  pagade export --config pagade.yaml store.ndjson           the store that a settings file names
  pagade export | pagade import --store redis://games:6379  moves everything from ./data to a Redis

The file contains all acknowledged changes: games, groups, players, tables, tournaments and the bank, with their events,
tokens (as hashes), webhooks, deadlines and idempotency keys, and published rule sets. Keep the file as secret as the
store: it contains seeds of games and secrets of webhooks. Each game, player or table is read at one moment, one after
the other; later changes to it are not in the file. To miss no change, stop the service first.

Exit codes: 0 the file is complete; 2 it is not.";

const IMPORT: &str = "\
Examples:
  pagade import --data /var/lib/pagade store.ndjson
  pagade import --store redis://games:6379 < store.ndjson

A game, player or table that the store has already is not changed. So an interrupted import can be run again, and a
second import of the same file changes nothing. If the store has one with a different history, or a rule set with a
different text, the import names it and does not change it.

Exit codes: 0 the store has everything that the file has; 1 everything except what was named; 2 the file
is damaged or incomplete, or the store cannot be written: the import stopped there.";

/// Arguments that say which store to export from, or to import into.
#[derive(Debug, clap::Args)]
struct StoreArgs {
    /// Settings file, as for `pagade serve`; only its `store` and `data` are used
    #[arg(long, env = "PAGADE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address of a Redis, as for `pagade serve` [default: the embedded store]
    #[arg(long, env = "PAGADE_STORE", hide_env_values = true, value_name = "ADDRESS")]
    store: Option<String>,
    /// Directory of the embedded store
    #[arg(long, env = "PAGADE_DATA", default_value = "data", value_name = "DIR")]
    data: PathBuf,
}

/// Arguments of `pagade export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXPORT)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    location: StoreArgs,
    /// File to write [default: standard output]
    file: Option<PathBuf>,
}

/// Arguments of `pagade import`.
#[derive(Debug, clap::Args)]
#[command(after_help = IMPORT)]
pub(super) struct ImportArgs {
    #[command(flatten)]
    location: StoreArgs,
    /// File to read [default: standard input]
    file: Option<PathBuf>,
}

impl StoreArgs {
    async fn open(&self) -> Result<Box<dyn Store>, CommandError> {
        let opened = match &self.store {
            Some(address) => Redis::open(address, &EVENT_PHRASES).await.map(|store| Box::new(store) as Box<dyn Store>),
            None => Embedded::open(&self.data, &EVENT_PHRASES).map(|store| Box::new(store) as Box<dyn Store>),
        };
        opened.map_err(|error| CommandError(error.to_string()))
    }

    /// Returns the name of the store for messages. The address of a Redis may contain a password, so it is left out.
    fn name(&self) -> String {
        match &self.store {
            Some(_) => "Redis".to_owned(),
            None => format!("`{}`", self.data.display()),
        }
    }
}

/// Writes all data of the store into the file, or to standard output.
pub(super) fn export(args: &ExportArgs) -> Result<CommandEnding, CommandError> {
    if args.location.store.is_none() && !Embedded::is_in(&args.location.data) {
        return Err(CommandError(format!("there is no store in {}", args.location.name())));
    }
    let store = pagade::serve::block_on(args.location.open())?;
    let mut file: Box<dyn io::Write> = match &args.file {
        Some(path) => Box::new(BufWriter::new(create(path).map_err(|error| CommandError::file(path, error))?)),
        None => Box::new(BufWriter::new(io::stdout())),
    };
    let exported = pagade::serve::block_on(archive::export(store.as_ref(), file.as_mut()));
    let entities = exported.map_err(|error| CommandError(error.to_string()))?;
    eprintln!("exported {entities} entities (games, groups, players and others) from {}", args.location.name());
    Ok(CommandEnding::Fine)
}

/// Creates a file that only its owner can read: an export has the seeds of running games, and secrets of webhooks.
fn create(path: &Path) -> io::Result<File> {
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

/// Reads the file, or standard input, into the store. The ending is `Failed` if the store has other data under an id of
/// the file.
pub(super) fn import(args: &ImportArgs) -> Result<CommandEnding, CommandError> {
    let mut file: Box<dyn io::BufRead> = match &args.file {
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(|error| CommandError::file(path, error))?)),
        None => Box::new(BufReader::new(io::stdin())),
    };
    let store = pagade::serve::block_on(args.location.open())?;
    let imported = pagade::serve::block_on(archive::import(store.as_ref(), file.as_mut()));
    let imported = imported.map_err(|error| CommandError(error.to_string()))?;
    eprintln!(
        "imported {} entities (games, groups, players and others) into {}; {} were in the store already",
        imported.added,
        args.location.name(),
        imported.present
    );
    for id in &imported.refused {
        eprintln!("refused: {} {} has a different history in the store", id.kind, id.id);
    }
    for name in &imported.refused_names {
        eprintln!("refused: rule set {name} has a different text in the store");
    }
    Ok(CommandEnding::fine_if(imported.refused.is_empty() && imported.refused_names.is_empty()))
}
