//! Reads groups, and lists the games of a group.

use futures_util::StreamExt;
use futures_util::stream::iter;
use serde_json::value::RawValue;

use crate::error::Problem;
use crate::game::GameId;
use crate::game::entity as entity_of_game;
use crate::game::terms::Status;
use crate::group::stored::{Group, MemberState, not_found};
use crate::group::{GroupId, entity, view};
use crate::model::group::{GroupGameList, GroupGamesQuery};
use crate::service::call::Call;
use crate::service::groups::access::{group_id, may_see};
use crate::service::groups::members::MOST_GAMES;
use crate::service::reply::Reply;
use crate::service::{Service, page};

/// Number of games on a page if the client names no other number.
const DEFAULT: u32 = 100;
/// Number of games that are read at the same time.
const GAMES_AT_ONCE: usize = 32;

impl Service {
    /// Reads a group.
    ///
    /// # Errors
    /// The group does not exist.
    pub(crate) async fn read_group(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let (id, group) = self.visible_group(call, id).await?;
        if call.has_seen(group.version) {
            return Ok(Reply::not_modified(group.version));
        }
        Ok(Reply::ok(&view::group(id, &group))?.at_version(group.version))
    }

    /// Lists a page of the games of a group, with seats, names, turn and result.
    ///
    /// # Errors
    /// The group does not exist, or a parameter is invalid.
    pub(crate) async fn list_group_games(
        &self,
        call: &Call,
        id: &str,
        query: &GroupGamesQuery,
    ) -> Result<Reply, Problem> {
        let limit = page::limit(query.limit, MOST_GAMES, DEFAULT)?;
        let after = query.cursor.as_deref().map(page::cursor).transpose()?;
        let wanted: Option<Status> = query.status.map(Into::into);
        let (id, group) = self.visible_group(call, id).await?;
        let start = match after {
            None => 0,
            // Nothing is listed after a game that the group does not have.
            Some(after) => {
                let at = group.members.iter().position(|member| member.id == after);
                at.map_or(group.members.len(), |at| at + 1)
            }
        };
        // The group stores which games are finished, and a finished game stays finished. Other games are read for their
        // status.
        let may_be_wanted = |standing: &MemberState| match (wanted, standing) {
            (_, MemberState::Removed | MemberState::Planned(_)) => false,
            (Some(wanted), MemberState::Created(Status::Finished)) => wanted == Status::Finished,
            _ => true,
        };
        let members = group.members.iter().skip(start).filter(|member| may_be_wanted(&member.standing));
        let mut read = iter(members.map(|member| self.listed_game(member.id, wanted))).buffered(GAMES_AT_ONCE);
        let (mut games, mut ids): (Vec<Box<RawValue>>, Vec<GameId>) = (Vec::new(), Vec::new());
        while games.len() <= limit {
            let Some(listed) = read.next().await else { break };
            if let Some((id, listed)) = listed? {
                ids.push(id);
                games.push(listed);
            }
        }
        let last = if games.len() > limit { Some(page::cursor_after(ids[limit - 1])) } else { None };
        games.truncate(limit);
        let next = last.as_deref().map(|cursor| next_path(id, query, limit, cursor));
        Ok(Reply::ok(&GroupGameList { games: &games, next_cursor: last.as_deref() })?.with_next(next))
    }

    /// Returns a game in the list of its group; `None` if it was removed, or has another status than `wanted`.
    async fn listed_game(
        &self,
        id: GameId,
        wanted: Option<Status>,
    ) -> Result<Option<(GameId, Box<RawValue>)>, Problem> {
        let Some(stored) = self.store.entity(entity_of_game(id)).await? else { return Ok(None) };
        let cached = self.games.read(&stored, &self.library).await?;
        if wanted.is_some_and(|wanted| wanted != cached.game.status) {
            return Ok(None);
        }
        Ok(Some((id, view::game(&cached)?)))
    }

    /// Reads a group that the caller may see.
    async fn visible_group(&self, call: &Call, id: &str) -> Result<(GroupId, Group), Problem> {
        let id = group_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let group = Group::read(&stored.snapshot)?;
        may_see(&group, call)?;
        Ok((id, group))
    }
}

fn next_path(id: GroupId, query: &GroupGamesQuery, limit: usize, cursor: &str) -> String {
    let status = query.status.and_then(|status| serde_json::to_value(status).ok());
    let status = status.as_ref().and_then(|word| word.as_str()).map(|word| format!("&status={word}"));
    format!("/v1/groups/{id}/games?limit={limit}&cursor={cursor}{}", status.unwrap_or_default())
}
