//! From a store to a file.

use std::io::Write;

use futures_util::stream::{StreamExt, TryStreamExt, iter};

use super::{Answer, ArchiveError, Bytes, FORMAT, Line};
use crate::store::{AnswerOwner, CopiedAnswer, Store};

/// Entities read at the same time.
const AHEAD: usize = 16;

/// Writes everything that was acknowledged; how many entities. A change after an entity was read is not in the file.
///
/// Memory is taken for the names of all entities, and for a few entities.
///
/// # Errors
/// The store cannot be read, or the file not be written.
pub async fn export(store: &dyn Store, file: &mut (impl Write + ?Sized)) -> Result<u64, ArchiveError> {
    let inventory = store.inventory().await?;
    write(file, &Line::Store { format: FORMAT, program: env!("CARGO_PKG_VERSION").to_owned() })?;
    for digest in inventory.texts {
        if let Some(bytes) = store.text(digest.clone()).await? {
            write(file, &Line::Text { digest, bytes: Bytes(bytes) })?;
        }
    }
    for (name, digest) in store.published().await? {
        write(file, &Line::Published { name, digest })?;
    }
    for key in inventory.published_answers {
        if let Some(answer) = store.answer(AnswerOwner::Published, key).await? {
            write(file, &Line::Answer(Answer::from(CopiedAnswer { key, answer, is_creation: false })))?;
        }
    }
    let mut answers = inventory.answers;
    let copies = inventory.entities.into_iter().map(|id| store.copy(id, answers.remove(&id).unwrap_or_default()));
    let mut copies = iter(copies).buffered(AHEAD);
    let mut count = 0;
    while let Some(copy) = copies.try_next().await? {
        // The entity may have been removed since.
        if let Some(copy) = copy {
            write(file, &Line::Entity(Box::new(copy.into())))?;
            count += 1;
        }
    }
    write(file, &Line::End { entities: count })?;
    file.flush()?;
    Ok(count)
}

fn write(file: &mut (impl Write + ?Sized), line: &Line) -> Result<(), ArchiveError> {
    serde_json::to_writer(&mut *file, line).map_err(std::io::Error::from)?;
    Ok(file.write_all(b"\n")?)
}
