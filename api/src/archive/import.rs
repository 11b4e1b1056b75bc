//! From a file to a store.
//!
//! Each line is done as a whole or not at all, and what is there already is left as it is. So an import that broke off is
//! begun anew.

use std::io::BufRead;

use futures_util::future::try_join_all;

use super::{ArchiveError, FORMAT, Line};
use crate::store::whole::{Answered, Whole};
use crate::store::{Change, Commit, GameId, RuleText, Store, StoreError};

/// Games put in at the same time.
const AT_ONCE: usize = 64;

/// What became of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games that were put in.
    pub added: u64,
    /// Games that were there: as in the file, or further on.
    pub present: u64,
    /// Games that are there with another history; they are left as they are.
    pub refused: Vec<GameId>,
    /// Rule sets that are published there by another text; they are left as they are.
    pub refused_rule_sets: Vec<String>,
}

/// What became of a game.
enum Put {
    Added,
    Present,
    Refused(GameId),
}

/// Reads a file into a store, a few games at a time.
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
            Some(Line::RuleText { digest, bytes }) => {
                let texts = vec![RuleText { digest, bytes: bytes.0 }];
                commit(store, Change::Beside { texts, answers: Vec::new() }).await?;
            }
            Some(Line::Published { name, digest }) => {
                if !publish(store, &name, &digest).await? {
                    imported.refused_rule_sets.push(name);
                }
            }
            Some(Line::Answer(answer)) => {
                let answers = vec![Answered::try_from(answer).map_err(|reason| reader.wrong(reason.to_owned()))?];
                commit(store, Change::Beside { texts: Vec::new(), answers }).await?;
            }
            Some(Line::Game(game)) => {
                waiting.push(Whole::try_from(*game).map_err(|reason| reader.wrong(reason.to_owned()))?);
                count += 1;
                if waiting.len() == AT_ONCE {
                    imported.put(store, std::mem::take(&mut waiting)).await?;
                }
            }
            Some(Line::End { games }) => {
                imported.put(store, waiting).await?;
                let is_whole = games == count;
                let missing = || reader.wrong(format!("the file had {games} games and has {count}"));
                return if is_whole { Ok(imported) } else { Err(missing()) };
            }
            Some(Line::Store { .. }) => return Err(reader.wrong("another file begins here".to_owned())),
            None => {
                imported.put(store, waiting).await?;
                return Err(reader.wrong(format!("the file ends early, after {count} games")));
            }
        }
    }
}

impl Imported {
    async fn put(&mut self, store: &dyn Store, games: Vec<Whole>) -> Result<(), ArchiveError> {
        for put in try_join_all(games.into_iter().map(|game| put(store, game))).await? {
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
    store.commit(Commit { change, remember: None }).await
}

async fn put(store: &dyn Store, mut game: Whole) -> Result<Put, StoreError> {
    let now = store.now() / 1000;
    game.answers.retain(|answer| answer.remembered.expires > now);
    match commit(store, Change::Put(Box::new(game.clone()))).await {
        Ok(()) => Ok(Put::Added),
        Err(StoreError::Stale(_)) => match store.whole(game.id, Vec::new()).await? {
            Some(there) if there.continues(&game) => Ok(Put::Present),
            _ => Ok(Put::Refused(game.id)),
        },
        Err(error) => Err(error),
    }
}

/// Whether the rule set is published by this text now.
async fn publish(store: &dyn Store, name: &str, digest: &str) -> Result<bool, StoreError> {
    let bytes = store.rule_text(digest.to_owned()).await?;
    let bytes = bytes.ok_or_else(|| StoreError::Damaged(format!("the text of `{name}` is not in the file")))?;
    let text = RuleText { digest: digest.to_owned(), bytes };
    match commit(store, Change::RuleSet { name: name.to_owned(), text }).await {
        Ok(()) => Ok(true),
        Err(StoreError::Taken(_)) => {
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
        // What is wrong is told by its place alone: there are tokens' hashes and seeds in it.
        let read = serde_json::from_str(&text);
        read.map(Some)
            .map_err(|error| self.wrong(format!("no line of an exported store, at column {}", error.column())))
    }

    fn wrong(&self, reason: String) -> ArchiveError {
        ArchiveError::Line { line: self.line, reason }
    }
}
