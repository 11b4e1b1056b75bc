//! Export: writes all data of a store into a file, the archive.

use std::io::Write;

use futures_util::stream::{StreamExt, TryStreamExt, iter};

use super::{ArchiveError, ArchiveLine, ArchivedAnswer, Base64, FORMAT};
use crate::store::{AnswerOwner, CopiedAnswer, Store};

/// Number of entities that are read from the store at the same time.
const READ_AHEAD: usize = 16;

/// Writes all data of a store into a file, and returns the number of entities.
///
/// The file has all changes that were acknowledged before the export began. Later changes may be missing. Memory holds
/// the ids of all entities, and a few entities at a time.
///
/// # Errors
/// The store cannot be read, or the file cannot be written.
pub async fn export(store: &dyn Store, file: &mut (impl Write + ?Sized)) -> Result<u64, ArchiveError> {
    let inventory = store.inventory().await?;
    write(file, &ArchiveLine::Store { format: FORMAT, program: env!("CARGO_PKG_VERSION").to_owned() })?;
    for digest in inventory.texts {
        if let Some(bytes) = store.text(digest.clone()).await? {
            write(file, &ArchiveLine::Text { digest, bytes: Base64(bytes) })?;
        }
    }
    for (name, digest) in store.published().await? {
        write(file, &ArchiveLine::Published { name, digest })?;
    }
    for key in inventory.published_answers {
        if let Some(answer) = store.answer(AnswerOwner::Published, key).await? {
            write(file, &ArchiveLine::Answer(ArchivedAnswer::from(CopiedAnswer { key, answer, is_creation: false })))?;
        }
    }
    let mut answers = inventory.answers;
    let copies = inventory.entities.into_iter().map(|id| store.copy(id, answers.remove(&id).unwrap_or_default()));
    let mut copies = iter(copies).buffered(READ_AHEAD);
    let mut count = 0;
    while let Some(copy) = copies.try_next().await? {
        // The copy is `None` if the entity was removed after the list of ids was read.
        if let Some(copy) = copy {
            write(file, &ArchiveLine::Entity(Box::new(copy.into())))?;
            count += 1;
        }
    }
    write(file, &ArchiveLine::End { entities: count })?;
    file.flush()?;
    Ok(count)
}

fn write(file: &mut (impl Write + ?Sized), line: &ArchiveLine) -> Result<(), ArchiveError> {
    serde_json::to_writer(&mut *file, line).map_err(std::io::Error::from)?;
    Ok(file.write_all(b"\n")?)
}
