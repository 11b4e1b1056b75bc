//! Leaderboards: registered players by their experience in one rule set, of all times or of a season.

use uuid::Uuid;

use crate::config::is_season;
use crate::error::{Code, Problem, detail};
use crate::model::leaderboard::{Leaderboard, LeaderboardLine, LeaderboardQuery};
use crate::player::PLAYER;
use crate::player::stored::leaderboard;
use crate::service::call::Call;
use crate::service::reply::Reply;
use crate::service::rule_sets::problems::no_rule_set;
use crate::service::{Service, page};
use crate::store::{BoardCursor, BoardPageQuery, RankedLine};

/// Number of bytes that a cursor encodes: 4 of the score, 16 of the id.
const CURSOR: usize = 20;

impl Service {
    /// Reads a page of the leaderboard of a rule set, and the line of the caller.
    ///
    /// # Errors
    /// The rule set does not exist, or a parameter is invalid.
    pub(crate) async fn read_leaderboard(
        &self,
        call: &Call,
        rule_set: &str,
        query: &LeaderboardQuery,
    ) -> Result<Reply, Problem> {
        call.check()?;
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        let season = query.season.as_deref();
        if season.is_some_and(|season| !is_season(season)) {
            let detail = detail!("it has 1 to {most} lower-case letters, digits and hyphens", most = 40);
            return Err(page::parameter("season", detail));
        }
        let asked = BoardPageQuery {
            kind: PLAYER,
            board: leaderboard(rule_set, season),
            after: query.cursor.as_deref().map(cursor).transpose()?,
            limit: limit + 1,
            own: call.player.as_ref().map(|player| player.id),
        };
        let mut read = self.store.board(asked).await?;
        if read.count == 0 && self.library.find(rule_set, None).await?.is_none() {
            return Err(Problem::new(Code::RuleSetNotFound, no_rule_set(rule_set, None)));
        }
        let more = read.lines.len() > limit;
        read.lines.truncate(limit);
        let next = read.lines.last().filter(|_| more).map(cursor_after);
        let link = next.as_deref().map(|cursor| {
            let season = season.map(|season| format!("&season={season}")).unwrap_or_default();
            format!("/v1/leaderboards/{rule_set}?limit={limit}&cursor={cursor}{season}")
        });
        let answer = Leaderboard {
            rule_set,
            season,
            players: read.count,
            lines: read.lines.iter().map(line).collect(),
            mine: read.own.as_ref().map(line),
            next_cursor: next.as_deref(),
        };
        Ok(Reply::ok(&answer)?.with_next(link))
    }
}

fn line(line: &RankedLine) -> LeaderboardLine<'_> {
    LeaderboardLine { rank: line.rank, player: line.id, name: &line.label, experience: line.score }
}

/// Makes the cursor of the page that begins after a line.
fn cursor_after(line: &RankedLine) -> String {
    const_hex::encode([&line.score.to_be_bytes()[..], line.id.as_bytes()].concat())
}

/// Reads a cursor, which a client has from an earlier page.
///
/// # Errors
/// 400 if the text is not a cursor.
fn cursor(text: &str) -> Result<BoardCursor, Problem> {
    let read = || {
        let bytes: [u8; CURSOR] = const_hex::decode_to_array(text).ok()?;
        let (score, id) = bytes.split_first_chunk()?;
        Some(BoardCursor { score: u32::from_be_bytes(*score), id: Uuid::from_slice(id).ok()? })
    };
    read().ok_or_else(|| page::parameter("cursor", detail!("the cursor must be the `next_cursor` of an earlier page")))
}
