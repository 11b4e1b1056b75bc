//! From a file to a store.
//!
//! Each line is one commit, and an entity that exists is left as it is. So an import that broke off is repeated from the
//! beginning.

use std::io::BufRead;

use futures_util::future::try_join_all;

use super::{ArchiveError, FORMAT, Line};
use crate::store::{Change, Commit, CopiedAnswer, EntityCopy, EntityId, SharedText, Store, StoreError};

/// Entities put in at the same time.
const AT_ONCE: usize = 64;

/// What became of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Entities that were put in.
    pub added: u64,
    /// Entities that existed, as in the file or at a later version.
    pub present: u64,
    /// Entities that exist with another history, and are left as they are.
    pub refused: Vec<EntityId>,
    /// Names that have another text in the store, and are left as they are.
    pub refused_names: Vec<String>,
}

/// What became of an entity.
enum Put {
    Added,
    Present,
    Refused(EntityId),
}

/// Reads a file into a store, a few entities at a time.
///
/// # Errors
/// The store cannot be written; or the file is of another layout, makes no sense or ends early: what came before that
/// is in the store.
pub async fn import(store: &dyn Store, file: &mut (impl BufRead + ?Sized)) -> Result<Imported, ArchiveError> {
    let mut reader = Reader { file, line: 0 };
    match reader.next()? {
        Some(Line::Store { format: FORMAT, .. }) => {}
        Some(Line::Store { format, .. }) => {
            return Err(reader.wrong(format!("the file has layout {format}, this program reads {FORMAT}")));
        }
        _ => return Err(reader.wrong("this is no exported store".to_owned())),
    }
    let (mut imported, mut waiting, mut count) = (Imported::default(), Vec::new(), 0);
    loop {
        match reader.next()? {
            Some(Line::Text { digest, bytes }) => {
                let texts = vec![SharedText { digest, bytes: bytes.0 }];
                commit(store, Change::Shared { texts, answers: Vec::new() }).await?;
            }
            Some(Line::Published { name, digest }) => {
                if !publish(store, &name, &digest).await? {
                    imported.refused_names.push(name);
                }
            }
            Some(Line::Answer(answer)) => {
                let answers = vec![CopiedAnswer::try_from(answer).map_err(|reason| reader.wrong(reason.to_owned()))?];
                commit(store, Change::Shared { texts: Vec::new(), answers }).await?;
            }
            Some(Line::Entity(entity)) => {
                waiting.push(EntityCopy::try_from(*entity).map_err(|reason| reader.wrong(reason.to_owned()))?);
                count += 1;
                if waiting.len() == AT_ONCE {
                    imported.put(store, std::mem::take(&mut waiting)).await?;
                }
            }
            Some(Line::End { entities }) => {
                imported.put(store, waiting).await?;
                let is_whole = entities == count;
                let missing = || reader.wrong(format!("the file had {entities} entities and has {count}"));
                return if is_whole { Ok(imported) } else { Err(missing()) };
            }
            Some(Line::Store { .. }) => return Err(reader.wrong("another file begins here".to_owned())),
            None => {
                imported.put(store, waiting).await?;
                return Err(reader.wrong(format!("the file ends early, after {count} entities")));
            }
        }
    }
}

impl Imported {
    async fn put(&mut self, store: &dyn Store, copies: Vec<EntityCopy>) -> Result<(), ArchiveError> {
        for put in try_join_all(copies.into_iter().map(|copy| put(store, copy))).await? {
            match put {
                Put::Added => self.added += 1,
                Put::Present => self.present += 1,
                Put::Refused(id) => self.refused.push(id),
            }
        }
        Ok(())
    }
}

async fn commit(store: &dyn Store, change: Change) -> Result<(), StoreError> {
    store.commit(Commit::from(change)).await
}

async fn put(store: &dyn Store, mut copy: EntityCopy) -> Result<Put, StoreError> {
    let now = store.now() / 1000;
    copy.answers.retain(|copied| copied.answer.expires > now);
    match commit(store, Change::Import(Box::new(copy.clone()))).await {
        Ok(()) => Ok(Put::Added),
        Err(StoreError::Conflict(_)) => match store.copy(copy.id, Vec::new()).await? {
            Some(there) if there.continues(&copy) => Ok(Put::Present),
            _ => Ok(Put::Refused(copy.id)),
        },
        Err(error) => Err(error),
    }
}

/// Publishes a text; whether the name has this text now.
async fn publish(store: &dyn Store, name: &str, digest: &str) -> Result<bool, StoreError> {
    let bytes = store.text(digest.to_owned()).await?;
    let bytes = bytes.ok_or_else(|| StoreError::Damaged(format!("the text of `{name}` is not in the file")))?;
    let text = SharedText { digest: digest.to_owned(), bytes };
    match commit(store, Change::Publish { name: name.to_owned(), text }).await {
        Ok(()) => Ok(true),
        Err(StoreError::NameTaken(_)) => {
            Ok(store.published().await?.iter().any(|(there, by)| there == name && by == digest))
        }
        Err(error) => Err(error),
    }
}

struct Reader<'f, F: ?Sized> {
    file: &'f mut F,
    line: u64,
}

impl<F: BufRead + ?Sized> Reader<'_, F> {
    fn next(&mut self) -> Result<Option<Line>, ArchiveError> {
        let mut text = String::new();
        self.line += 1;
        if self.file.read_line(&mut text)? == 0 {
            return Ok(None);
        }
        // The error gives the column alone: the line has secrets in it.
        let read = serde_json::from_str(&text);
        read.map(Some)
            .map_err(|error| self.wrong(format!("no line of an exported store, at column {}", error.column())))
    }

    fn wrong(&self, reason: String) -> ArchiveError {
        ArchiveError::Line { line: self.line, reason }
    }
}
