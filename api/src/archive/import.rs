//! Import: reads an archive into a store.
//!
//! An import never changes an entity that the store has already. So an import that was interrupted can be run again
//! from the beginning of the file.

use std::io::BufRead;

use futures_util::future::try_join_all;

use super::{ArchiveError, ArchiveLine, FORMAT};
use crate::store::{Change, Commit, CopiedAnswer, EntityCopy, EntityId, SharedText, Store, StoreError};

/// Number of entities that are written to the store at the same time.
const ENTITIES_AT_ONCE: usize = 64;

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Number of entities that the import created.
    pub added: u64,
    /// Number of entities that the store had already, at the version of the file or a later one.
    pub present: u64,
    /// Entities that the store has with a history that does not continue the one in the file. The import did not change
    /// them.
    pub refused: Vec<EntityId>,
    /// Names of rule sets that the store has with a different text. The import did not change them.
    pub refused_names: Vec<String>,
}

/// The result of the import of one entity.
enum EntityImport {
    Added,
    Present,
    Refused(EntityId),
}

/// Reads an archive into a store.
///
/// # Errors
/// The store cannot be written; or the file has another layout, a malformed line, or no last line. Data of earlier
/// lines may then be in the store already.
pub async fn import(store: &dyn Store, file: &mut (impl BufRead + ?Sized)) -> Result<Imported, ArchiveError> {
    let mut reader = ArchiveReader { file, line: 0 };
    match reader.next()? {
        Some(ArchiveLine::Store { format: FORMAT, .. }) => {}
        Some(ArchiveLine::Store { format, .. }) => {
            return Err(reader.wrong(format!("the file has layout {format}, this program reads layout {FORMAT}")));
        }
        _ => return Err(reader.wrong("the first line is not that of an exported store".to_owned())),
    }
    let (mut imported, mut batch, mut count) = (Imported::default(), Vec::new(), 0);
    loop {
        match reader.next()? {
            Some(ArchiveLine::Text { digest, bytes }) => {
                let texts = vec![SharedText { digest, bytes: bytes.0 }];
                commit(store, Change::Shared { texts, answers: Vec::new() }).await?;
            }
            Some(ArchiveLine::Published { name, digest }) => {
                if !publish(store, &name, &digest).await? {
                    imported.refused_names.push(name);
                }
            }
            Some(ArchiveLine::Answer(answer)) => {
                let answers = vec![CopiedAnswer::try_from(answer).map_err(|reason| reader.wrong(reason.to_owned()))?];
                commit(store, Change::Shared { texts: Vec::new(), answers }).await?;
            }
            Some(ArchiveLine::Entity(entity)) => {
                batch.push(EntityCopy::try_from(*entity).map_err(|reason| reader.wrong(reason.to_owned()))?);
                count += 1;
                if batch.len() == ENTITIES_AT_ONCE {
                    imported.add(store, std::mem::take(&mut batch)).await?;
                }
            }
            Some(ArchiveLine::End { entities }) => {
                imported.add(store, batch).await?;
                if entities == count {
                    return Ok(imported);
                }
                return Err(
                    reader.wrong(format!("the file had {entities} entities when it was written, and has {count}"))
                );
            }
            Some(ArchiveLine::Store { .. }) => return Err(reader.wrong("a second archive begins here".to_owned())),
            None => {
                imported.add(store, batch).await?;
                return Err(reader.wrong(format!("the file ends early, after {count} entities")));
            }
        }
    }
}

impl Imported {
    async fn add(&mut self, store: &dyn Store, copies: Vec<EntityCopy>) -> Result<(), ArchiveError> {
        for result in try_join_all(copies.into_iter().map(|copy| import_entity(store, copy))).await? {
            match result {
                EntityImport::Added => self.added += 1,
                EntityImport::Present => self.present += 1,
                EntityImport::Refused(id) => self.refused.push(id),
            }
        }
        Ok(())
    }
}

async fn commit(store: &dyn Store, change: Change) -> Result<(), StoreError> {
    store.commit(Commit::from(change)).await
}

async fn import_entity(store: &dyn Store, mut copy: EntityCopy) -> Result<EntityImport, StoreError> {
    let now = store.now() / 1000;
    copy.answers.retain(|copied| copied.answer.expires > now);
    match commit(store, Change::Import(Box::new(copy.clone()))).await {
        Ok(()) => Ok(EntityImport::Added),
        Err(StoreError::Conflict(_)) => match store.copy(copy.id, Vec::new()).await? {
            Some(present) if present.continues(&copy) => Ok(EntityImport::Present),
            _ => Ok(EntityImport::Refused(copy.id)),
        },
        Err(error) => Err(error),
    }
}

/// Publishes a text of the store as a rule set with this name. Returns false if the name has another text already.
async fn publish(store: &dyn Store, name: &str, digest: &str) -> Result<bool, StoreError> {
    let bytes = store.text(digest.to_owned()).await?;
    let bytes =
        bytes.ok_or_else(|| StoreError::Damaged(format!("the text of rule set `{name}` is not in the file")))?;
    let text = SharedText { digest: digest.to_owned(), bytes };
    match commit(store, Change::Publish { name: name.to_owned(), text }).await {
        Ok(()) => Ok(true),
        Err(StoreError::NameTaken(_)) => {
            Ok(store.published().await?.iter().any(|(published, text)| published == name && text == digest))
        }
        Err(error) => Err(error),
    }
}

struct ArchiveReader<'f, F: ?Sized> {
    file: &'f mut F,
    line: u64,
}

impl<F: BufRead + ?Sized> ArchiveReader<'_, F> {
    fn next(&mut self) -> Result<Option<ArchiveLine>, ArchiveError> {
        let mut text = String::new();
        self.line += 1;
        if self.file.read_line(&mut text)? == 0 {
            return Ok(None);
        }
        // The error names the column only, and does not quote the line, because the line contains secrets.
        let read = serde_json::from_str(&text);
        read.map(Some).map_err(|error| {
            self.wrong(format!("this is not a line of an exported store, see column {}", error.column()))
        })
    }

    fn wrong(&self, reason: String) -> ArchiveError {
        ArchiveError::Line { line: self.line, reason }
    }
}
