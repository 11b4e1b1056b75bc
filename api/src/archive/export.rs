//! From a store to a file.

use std::io::Write;

use futures_util::stream::{StreamExt, TryStreamExt, iter};

use super::{Answer, ArchiveError, Bytes, FORMAT, Line};
use crate::store::whole::Answered;
use crate::store::{Place, Store};

/// Games read at the same time.
const AHEAD: usize = 16;

/// Writes everything that was acknowledged; how many games. What changes meanwhile in games that were read is not in it.
///
/// Memory is taken for the names of all games, and for a few games.
///
/// # Errors
/// The store cannot be read, or the file not be written.
pub async fn export(store: &dyn Store, file: &mut (impl Write + ?Sized)) -> Result<u64, ArchiveError> {
    let inventory = store.inventory().await?;
    write(file, &Line::Store { format: FORMAT, program: env!("CARGO_PKG_VERSION").to_owned() })?;
    for digest in inventory.texts {
        if let Some(bytes) = store.rule_text(digest.clone()).await? {
            write(file, &Line::RuleText { digest, bytes: Bytes(bytes) })?;
        }
    }
    for (name, digest) in store.published().await? {
        write(file, &Line::Published { name, digest })?;
    }
    for key in inventory.rule_set_answers {
        if let Some(remembered) = store.remembered(Place::RuleSets, key).await? {
            write(file, &Line::Answer(Answer::from(Answered { key, remembered, is_creation: false })))?;
        }
    }
    let mut answers = inventory.answers;
    let games = inventory.games.into_iter().map(|id| store.whole(id, answers.remove(&id).unwrap_or_default()));
    let mut games = iter(games).buffered(AHEAD);
    let mut count = 0;
    while let Some(game) = games.try_next().await? {
        // It may have been removed since.
        if let Some(game) = game {
            write(file, &Line::Game(Box::new(game.into())))?;
            count += 1;
        }
    }
    write(file, &Line::End { games: count })?;
    file.flush()?;
    Ok(count)
}

fn write(file: &mut (impl Write + ?Sized), line: &Line) -> Result<(), ArchiveError> {
    serde_json::to_writer(&mut *file, line).map_err(std::io::Error::from)?;
    Ok(file.write_all(b"\n")?)
}
