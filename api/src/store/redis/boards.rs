//! Boards in Redis. A board is a sorted set of ids by score, and a hash of labels, in one hash slot. One script writes
//! a line, and one script reads a page.

use uuid::Uuid;

use super::{Redis, read_as};
use crate::store::{BoardCursor, BoardLine, BoardPage, BoardPageQuery, EntityId, RankedLine, StoreError};

/// The answer of the script `board`: number of lines, lines before the page, lines with a higher score than the first
/// line; id, score and label of each line; for the line that the query asks for: score, label, and the number of lines
/// with a higher score.
type BoardAnswer = (u64, u64, u64, Vec<Vec<u8>>, Vec<Vec<u8>>);

impl Redis {
    /// Writes or removes the line of an entity on a board.
    pub(super) async fn write_line(
        &self,
        id: EntityId,
        board: &str,
        line: Option<&BoardLine>,
    ) -> Result<(), StoreError> {
        let score = line.map(|line| line.score.to_string()).unwrap_or_default();
        let label = line.map(|line| line.label.as_bytes()).unwrap_or_default();
        let arguments = [id.id.as_bytes(), score.as_bytes(), label];
        let keys = self.keys.board(id.kind, board);
        self.client.script(&self.scripts.board_line, &keys, &arguments, self.replicas).await.map(drop)
    }

    /// Reads a page of a board, and the line of one entity, in one round trip.
    pub(super) async fn read_board(&self, query: &BoardPageQuery) -> Result<BoardPage, StoreError> {
        self.settle_overdue_lists().await?;
        let (score, id) = match query.after {
            Some(BoardCursor { score, id }) => (score.to_string(), id.into_bytes().to_vec()),
            None => (String::new(), Vec::new()),
        };
        let limit = query.limit.to_string();
        let own = query.own.map(|id| id.into_bytes().to_vec()).unwrap_or_default();
        let arguments = [score.as_bytes(), &id, limit.as_bytes(), &own];
        let keys = self.keys.board(query.kind, &query.board);
        let answer: BoardAnswer = read_as(self.client.script(&self.scripts.board, &keys, &arguments, 0).await?)?;
        let (count, before, higher, lines, own) = answer;
        let lines: Option<Vec<_>> = lines.chunks_exact(3).map(|line| read_line(&line[0], &line[1], &line[2])).collect();
        let own = match (query.own, &own[..]) {
            (Some(id), [score, label, higher]) => {
                let (id, score, label) = read_line(id.as_bytes(), score, label).ok_or_else(damaged)?;
                Some(RankedLine { id, rank: number(higher).ok_or_else(damaged)? + 1, score, label })
            }
            _ => None,
        };
        Ok(BoardPage { lines: ranked(lines.ok_or_else(damaged)?, higher + 1, before), count, own })
    }
}

fn read_line(id: &[u8], score: &[u8], label: &[u8]) -> Option<(Uuid, u32, String)> {
    let score = u32::try_from(number(score)?).ok()?;
    Some((Uuid::from_slice(id).ok()?, score, String::from_utf8(label.to_vec()).ok()?))
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn damaged() -> StoreError {
    StoreError::Damaged("a board".to_owned())
}

/// Gives ranks to the lines of a page. `first` is the rank of the first line, `before` the number of lines before the
/// page.
fn ranked(lines: Vec<(Uuid, u32, String)>, first: u64, before: u64) -> Vec<RankedLine> {
    let (mut rank, mut last) = (first, None);
    let numbered = lines.into_iter().zip(before + 1..);
    let ranked = numbered.map(|((id, score, label), number)| {
        if last.is_some_and(|last| last != score) {
            rank = number;
        }
        last = Some(score);
        RankedLine { id, rank, score, label }
    });
    ranked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_a_rank() {
        let lines = [9, 7, 7, 5].map(|score| (Uuid::nil(), score, String::new())).to_vec();
        let ranks =
            |first, before| ranked(lines.clone(), first, before).iter().map(|line| line.rank).collect::<Vec<_>>();
        assert_eq!(ranks(1, 0), [1, 2, 2, 4]);
        assert_eq!(ranks(4, 5), [4, 7, 7, 9], "the first line shares its rank with lines of the page before");
    }
}
