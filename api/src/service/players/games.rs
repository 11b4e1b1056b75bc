//! Lists the games of a player.

use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::GAME;
use crate::game::cache::CachedGame;
use crate::game::setup::GameSeat;
use crate::game::stored::tag_of_player;
use crate::group::view::listed;
use crate::model::player::{PlayerGame, PlayerGameList, PlayerGamesQuery};
use crate::player::stored::{Player, not_found};
use crate::player::{PlayerId, entity};
use crate::service::call::Call;
use crate::service::players::access::{own, player_id, token};
use crate::service::reply::Reply;
use crate::service::{Service, page};

impl Service {
    /// Lists a page of the games in which a player sits, private ones too, newest first.
    ///
    /// # Errors
    /// The caller is not the player, or a parameter is invalid.
    pub(crate) async fn list_player_games(
        &self,
        call: &Call,
        id: &str,
        query: &PlayerGamesQuery,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        let before = query.cursor.as_deref().map(page::cursor).transpose()?;
        let id = player_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        own(&Player::read(&stored.snapshot)?, call)?;
        let tag = tag_of_player(id, query.status.map(Into::into));
        let mut stored = self.store.list(GAME, tag, before, limit + 1).await?;
        let more = stored.len() > limit;
        stored.truncate(limit);
        let next = stored.last().filter(|_| more).map(|game| page::cursor_after(game.id.id));
        let mut games = Vec::with_capacity(stored.len());
        for stored in &stored {
            games.extend(game_of(id, &*self.games.read(stored, &self.library).await?)?);
        }
        let link = next.as_deref().map(|cursor| next_path(id, query, limit, cursor));
        Ok(Reply::ok(&PlayerGameList { games: &games, next_cursor: next.as_deref() })?.with_next(link))
    }
}

/// Writes a game in the list of a player; `None` if the player has left the game in the meantime.
fn game_of(player: PlayerId, cached: &CachedGame) -> Result<Option<Box<RawValue>>, Problem> {
    let Some((view, _)) = seat_of(player, cached) else { return Ok(None) };
    to_raw_value(&view).map(Some).map_err(internal)
}

/// Returns a game as its player sees it in a list, and the seat of the player; `None` if the player does not sit there.
pub(super) fn seat_of(player: PlayerId, cached: &CachedGame) -> Option<(PlayerGame<'_>, &GameSeat)> {
    let setup = &cached.game.setup;
    let own = setup.seats.iter().find(|game_seat| game_seat.player == Some(player))?;
    Some((PlayerGame { game: listed(cached), rule_set: (&setup.rule_set).into(), my_seat: &own.seat }, own))
}

fn next_path(id: PlayerId, query: &PlayerGamesQuery, limit: usize, cursor: &str) -> String {
    let status = query.status.and_then(|status| serde_json::to_value(status).ok());
    let status = status.as_ref().and_then(|word| word.as_str()).map(|word| format!("&status={word}"));
    format!("/v1/players/{id}/games?limit={limit}&cursor={cursor}{}", status.unwrap_or_default())
}
