//! The tags of entities in the file: lists of entities, and boards.
//!
//! Beside the lines of a board, the file has the number of lines for each range of scores, so that a rank is found
//! without reading the lines before it: ranges of 1, 256, 65,536 and 16,777,216 scores.

use redb::{ReadTransaction, ReadableTable};
use uuid::Uuid;

use super::layout::{EntityValue, split_tags};
use super::tables::{BOARD_COUNTS, BOARDS, ENTITIES, IdKey, Tables, entity_of, unavailable};
use crate::store::{BoardCursor, BoardLine, BoardPage, BoardPageQuery, EntityId, Kind, RankedLine, StoreError};

/// Sizes of ranges of scores, as powers of two.
const RANGES: [u8; 4] = [0, 8, 16, 24];

/// Adds an entity to the list of a tag, or to a board.
pub(super) fn enter(tables: &mut Tables<'_>, tag: &str, key: &IdKey) -> Result<(), StoreError> {
    let Some(line) = BoardLine::of_tag(tag) else {
        tables.tags.insert((tag, key), ()).map_err(unavailable)?;
        return Ok(());
    };
    let id = entity_of(key)?;
    let board = name(id.kind, &line.board);
    let place = (board.as_str(), u32::MAX - line.score, &inverted(id.id));
    if tables.boards.insert(place, line.label.as_str()).map_err(unavailable)?.is_none() {
        count(tables, &board, line.score, 1)?;
    }
    Ok(())
}

/// Removes an entity from the list of a tag, or from a board.
pub(super) fn leave(tables: &mut Tables<'_>, tag: &str, key: &IdKey) -> Result<(), StoreError> {
    let Some(line) = BoardLine::of_tag(tag) else {
        tables.tags.remove((tag, key)).map_err(unavailable)?;
        return Ok(());
    };
    let id = entity_of(key)?;
    let board = name(id.kind, &line.board);
    let place = (board.as_str(), u32::MAX - line.score, &inverted(id.id));
    if tables.boards.remove(place).map_err(unavailable)?.is_some() {
        count(tables, &board, line.score, -1)?;
    }
    Ok(())
}

/// Adds `by`, which is 1 or -1, to the number of lines of each range that contains the score.
fn count(tables: &mut Tables<'_>, board: &str, score: u32, by: i64) -> Result<(), StoreError> {
    for range in RANGES {
        let key = (board, range, score >> range);
        let there = tables.board_counts.get(key).map_err(unavailable)?.map_or(0, |count| count.value());
        match there.saturating_add_signed(by) {
            0 => tables.board_counts.remove(key).map_err(unavailable)?,
            now => tables.board_counts.insert(key, now).map_err(unavailable)?,
        };
    }
    Ok(())
}

/// Reads a page of a board, and the line of one entity.
pub(super) fn read(read: &ReadTransaction, query: &BoardPageQuery) -> Result<BoardPage, StoreError> {
    let board = name(query.kind, &query.board);
    let boards = read.open_table(BOARDS).map_err(unavailable)?;
    let counts = read.open_table(BOARD_COUNTS).map_err(unavailable)?;
    let higher = |score: u32| higher(&counts, &board, score);
    let after = query.after.map(|BoardCursor { score, id }| (u32::MAX - score, inverted(id)));
    let first = after.as_ref().map_or((0, [0; 16]), |(score, id)| (*score, *id));
    let range = (board.as_str(), first.0, &first.1)..=(board.as_str(), u32::MAX, &[u8::MAX; 16]);
    let mut lines: Vec<RankedLine> = Vec::new();
    for entry in boards.range(range).map_err(unavailable)? {
        let (place, label) = entry.map_err(unavailable)?;
        let (_, score, id) = place.value();
        if after == Some((score, *id)) {
            continue;
        }
        if lines.len() == query.limit {
            break;
        }
        let (id, score) = (Uuid::from_bytes(inverted(Uuid::from_bytes(*id))), u32::MAX - score);
        let rank = match lines.last() {
            Some(last) if last.score == score => last.rank,
            _ => higher(score)? + 1,
        };
        lines.push(RankedLine { id, rank, score, label: label.value().to_owned() });
    }
    let own = match query.own {
        Some(id) => own(read, &query.board, EntityId::new(query.kind, id))?,
        None => None,
    };
    let own = own.map(|line| Ok::<_, StoreError>(RankedLine { rank: higher(line.score)? + 1, ..line })).transpose()?;
    Ok(BoardPage { lines, count: all(&counts, &board)?, own })
}

/// Reads the line of an entity from the tags of the entity. The rank of the line is 0: the caller has to compute it.
fn own(read: &ReadTransaction, board: &str, id: EntityId) -> Result<Option<RankedLine>, StoreError> {
    let entities = read.open_table(ENTITIES).map_err(unavailable)?;
    let Some(stored) = entities.get(&id.to_bytes()).map_err(unavailable)? else { return Ok(None) };
    let value = EntityValue::read(id, stored.value())?;
    let mut lines = split_tags(value.tags).filter_map(BoardLine::of_tag);
    let line = lines.find(|line| line.board == board);
    Ok(line.map(|line| RankedLine { id: id.id, rank: 0, score: line.score, label: line.label }))
}

type CountTable = redb::ReadOnlyTable<(&'static str, u8, u32), u64>;

/// Returns the number of lines with a higher score. Each size of range counts the ranges above that of the score, up to
/// the end of the next larger range. So each line is counted once, and at most 256 numbers are read for each size.
fn higher(counts: &CountTable, board: &str, score: u32) -> Result<u64, StoreError> {
    let mut higher = 0;
    for range in RANGES {
        let prefix = score >> range;
        let range = (board, range, prefix)..=(board, range, prefix | 0xff);
        for entry in counts.range(range).map_err(unavailable)? {
            let (key, count) = entry.map_err(unavailable)?;
            higher += if key.value().2 > prefix { count.value() } else { 0 };
        }
    }
    Ok(higher)
}

/// Returns the number of all lines of a board.
fn all(counts: &CountTable, board: &str) -> Result<u64, StoreError> {
    let largest = RANGES[RANGES.len() - 1];
    let mut all = 0;
    for entry in counts.range((board, largest, 0)..=(board, largest, u32::MAX)).map_err(unavailable)? {
        all += entry.map_err(unavailable)?.1.value();
    }
    Ok(all)
}

fn name(kind: Kind, board: &str) -> String {
    format!("{kind}/{board}")
}

/// Returns the bytes of an id inverted, so that greater ids come first, as in Redis.
fn inverted(id: Uuid) -> [u8; 16] {
    id.into_bytes().map(|byte| !byte)
}
