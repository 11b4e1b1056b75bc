//! The file of the store. It is created as a whole, and opened again after the disk was full.
//!
//! A process may be killed while it creates the file, and half a file cannot be opened. So the file is created under a
//! temporary name, and renamed when it is complete.
//!
//! Once a write has failed, the database refuses every further commit, even when the disk has room again; reads still
//! work. So the first commit for which the disk has room opens the file again.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use redb::{Database, ReadTransaction, ReadableDatabase};
use uuid::Uuid;

use super::tables::{self, unavailable};
use crate::ground::clock;
use crate::store::StoreError;

/// Size of the page cache, in bytes. The cache grows with use, so an idle service stays small.
const CACHE: usize = 32 << 20;
/// Name of the file in the data directory. It dates from the time when games were the only kind of entity.
const NAME: &str = "games.redb";
/// Prefix of the temporary names of files that are being created.
const UNMADE: &str = "games.redb.unmade-";
/// Age at which a file that is being created counts as left behind by a process that was killed.
const ABANDONED: Duration = Duration::from_secs(60);
/// Name of a file that is written to find out whether the disk has room.
const PROBE: &str = "room.tmp";
/// Size of the file that is written to find out whether the disk has room, in bytes.
const ROOM: usize = 1 << 20;
/// Shortest time between two attempts to open the file again. An attempt may take a while after a crash.
const PAUSE: Duration = Duration::from_secs(1);

/// The file of the store, with the database that is open in it.
pub(super) struct StoreFile {
    directory: PathBuf,
    /// The open database; `None` if the file could not be opened again.
    database: RwLock<Option<Database>>,
    /// The reason why commits are refused, with the time of the last failed attempt. `None` if commits are accepted.
    refused: Mutex<Option<(Instant, String)>>,
}

/// Returns the path of the store's file in a data directory.
pub(super) fn path(directory: &Path) -> PathBuf {
    directory.join(NAME)
}

impl StoreFile {
    /// Opens the file in a directory; creates it if it is missing.
    ///
    /// # Errors
    /// The file is in use by another process, has another data format, or cannot be created.
    pub(super) fn open(directory: &Path) -> Result<Self, StoreError> {
        remove_abandoned(directory);
        let database = RwLock::new(Some(open(directory)?));
        Ok(Self { directory: directory.to_owned(), database, refused: Mutex::default() })
    }

    /// Begins a read transaction.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read(&self) -> Result<ReadTransaction, StoreError> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        database.as_ref().ok_or_else(closed)?.begin_read().map_err(unavailable)
    }

    /// Calls `work` to write to the database. If an earlier write has failed, opens the file again first.
    ///
    /// # Errors
    /// `work` fails, the disk has no room, or the file cannot be opened again.
    pub(super) fn write<T>(&self, work: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.recover()?;
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        let written = work(database.as_ref().ok_or_else(closed)?);
        if let Err(StoreError::Unavailable(reason)) = &written {
            self.refuse(Some(reason.clone()));
        }
        written
    }

    /// Checks that the store accepts commits.
    ///
    /// # Errors
    /// Commits are refused, or the file cannot be read. The message says the reason.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        match &*self.refused.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((_, reason)) => Err(StoreError::Unavailable(format!("the disk does not accept writes: {reason}"))),
            None => self.read().map(drop),
        }
    }

    fn recover(&self) -> Result<(), StoreError> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some((seen, reason)) = refused else { return Ok(()) };
        if seen.elapsed() < PAUSE {
            return Err(StoreError::Unavailable(reason));
        }
        let opened = has_room(&self.directory).map_err(unavailable).and_then(|()| self.open_again());
        match &opened {
            Ok(()) => {
                tracing::warn!("store disk has room again, writes accepted");
                self.refuse(None);
            }
            Err(error) => self.refuse(Some(error.to_string())),
        }
        opened
    }

    fn open_again(&self) -> Result<(), StoreError> {
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        // An open database holds a lock on its file, so the database is closed before the file is opened again.
        *database = None;
        *database = Some(open(&self.directory)?);
        Ok(())
    }

    fn refuse(&self, reason: Option<String>) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(reason), None) = (&reason, &*refused) {
            tracing::warn!(%reason, "store file cannot be written, writes refused");
        }
        *refused = reason.map(|reason| (Instant::now(), reason));
    }
}

fn open(directory: &Path) -> Result<Database, StoreError> {
    let file = path(directory);
    if !file.exists() {
        make(directory, &file)?;
    }
    let database = create(&file)?;
    tables::prepare(&database)?;
    Ok(database)
}

fn create(file: &Path) -> Result<Database, StoreError> {
    let opened = Database::builder().set_cache_size(CACHE).create(file);
    opened.map_err(|error| StoreError::Unavailable(format!("`{}` cannot be opened: {error}", file.display())))
}

/// Creates the file. If two processes create the file at the same moment, the file of the process that finishes first
/// is used. (On a disk without hard links, it is the file of the process that finishes last.)
fn make(directory: &Path, file: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::Unavailable(format!("`{}` cannot be made: {error}", file.display()));
    let new = directory.join(format!("{UNMADE}{}", Uuid::now_v7()));
    private(&new).map_err(failed)?;
    let prepared = create(&new).and_then(|database| tables::prepare(&database));
    if let Err(error) = prepared {
        // The disk may be full, so an unfinished file does not stay.
        let _ = fs::remove_file(&new);
        return Err(error);
    }
    let named = match fs::hard_link(&new, file) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(&new, file),
        _ => fs::remove_file(&new),
    };
    named.map_err(failed)?;
    // Without this sync, a power failure could lose the new name of the file.
    if cfg!(unix) { fs::File::open(directory).and_then(|it| it.sync_all()).map_err(failed) } else { Ok(()) }
}

/// Creates an empty file that only its owner can read: the store has the seeds of running games.
fn private(file: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file).map(drop)
}

/// Removes unfinished files of processes that were killed. A file that another process may still be creating stays.
fn remove_abandoned(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(|name| name.strip_prefix(UNMADE)).is_some_and(is_abandoned)
            && let Err(error) = fs::remove_file(entry.path())
        {
            tracing::warn!(file = %entry.path().display(), %error, "unfinished store file not removed");
        }
    }
}

/// Tells whether an unfinished file is so old that no process can still be creating it. `id` is the UUIDv7 at the end
/// of its name.
fn is_abandoned(id: &str) -> bool {
    let began = Uuid::try_parse(id).ok().and_then(|id| id.get_timestamp());
    let (seconds, _) = began.map_or((0, 0), |began| began.to_unix());
    clock::seconds() > seconds.saturating_add(ABANDONED.as_secs())
}

fn has_room(directory: &Path) -> io::Result<()> {
    let path = directory.join(PROBE);
    let written = fs::File::create(&path).and_then(|mut probe| {
        probe.write_all(&vec![1; ROOM])?;
        probe.sync_all()
    });
    let removed = fs::remove_file(&path);
    written.and(removed)
}

fn closed() -> StoreError {
    StoreError::Unavailable("the file of the store is not open".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_not_finished_is_made_again() {
        let directory = std::env::temp_dir().join(Uuid::now_v7().to_string());
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join(format!("{UNMADE}before")), b"the process was killed here").unwrap();
        for _ in 0..2 {
            StoreFile::open(&directory).unwrap();
            let names =
                fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            assert_eq!(names.collect::<Vec<_>>(), [NAME]);
            #[cfg(unix)]
            {
                let mode =
                    std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path(&directory)).unwrap().permissions());
                assert_eq!(mode & 0o777, 0o600, "it has the seeds of running games");
            }
        }
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn processes_that_create_the_file_at_the_same_moment_do_not_disturb_each_other() {
        let directory = std::env::temp_dir().join(Uuid::now_v7().to_string());
        fs::create_dir(&directory).unwrap();
        let other = directory.join(format!("{UNMADE}{}", Uuid::now_v7()));
        fs::write(&other, b"another process is creating this file").unwrap();
        StoreFile::open(&directory).unwrap();
        assert!(other.exists(), "the other process can finish its file");
        // Four threads act as processes that find no file, so that each of them creates one.
        let file = directory.join("another.redb");
        let made: Vec<_> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..4).map(|_| scope.spawn(|| make(&directory, &file))).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        assert!(made.iter().all(Result::is_ok), "{made:?}");
        fs::remove_dir_all(directory).unwrap();
    }
}
