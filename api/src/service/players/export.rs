//! Exports a player: everything that the service keeps about the player, as one JSON document.

use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::follow::as_written;
use crate::game::GAME;
use crate::game::stored::{tag_of_player, tag_of_watcher};
use crate::ground::clock;
use crate::model::player_export::{ExportedGame, ExportedStake, PlayerExport};
use crate::player::stored::{Player, not_found};
use crate::player::{PlayerId, entity, view};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::players::access::{own, player_id, token};
use crate::service::players::games::seat_of;
use crate::service::reply::Reply;
use crate::service::webhooks::progress::Deliveries;
use crate::service::webhooks::views;

/// Number of events or games that are read at once.
const PAGE: usize = 500;

impl Service {
    /// Exports everything that the service keeps about a player.
    ///
    /// # Errors
    /// The caller is not the player.
    pub(crate) async fn export_player(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let id = player_id(id)?;
        let (stored, (_, deliveries)) = self.store.entity_and_deliveries(entity(id)).await?;
        let player = Player::read(&stored.ok_or_else(not_found)?.snapshot)?;
        own(&player, call)?;
        let export = PlayerExport {
            exported_at: clock::at(self.store.now()),
            player: view::player(id, &player),
            statistics: view::statistics(id, &player, &self.scoring.awards),
            stakes: player
                .ledger
                .escrow
                .iter()
                .map(|stake| ExportedStake { game: stake.game, chips: stake.chips })
                .collect(),
            games: self.exported_games(id).await?,
            watched_games: self.listed(GAME, &tag_of_watcher(id)).await?,
            tables: self.exported_tables(id, &player).await?,
            tournaments: self.exported_tournaments(id).await?,
            claimed_guests: player.claims.clone(),
            events: self.exported_events(id).await?,
            friends: self.friends_of(&player).await?,
            webhooks: views(&player.webhooks, &Deliveries::read(&deliveries)?),
        };
        Reply::ok(&export)
    }

    /// Returns the games in which a player sits, newest first.
    async fn exported_games(&self, id: PlayerId) -> Result<Vec<Box<RawValue>>, Problem> {
        let (mut games, mut before) = (Vec::new(), None);
        loop {
            let listed = self.store.list(GAME, tag_of_player(id, None), before, PAGE).await?;
            for stored in &listed {
                let cached = self.games.read(stored, &self.library).await?;
                if let Some((game, own)) = seat_of(id, &cached) {
                    let game = ExportedGame { game, my_contribution: own.contribution.as_deref() };
                    games.push(to_raw_value(&game).map_err(internal)?);
                }
            }
            before = listed.last().map(|game| game.id.id);
            if listed.len() < PAGE {
                return Ok(games);
            }
        }
    }

    async fn exported_events(&self, id: PlayerId) -> Result<Vec<Box<RawValue>>, Problem> {
        let mut all = Vec::new();
        loop {
            let (_, events) = self.store.entity_and_events(entity(id), all.len() as u64, PAGE).await?;
            let is_end = events.len() < PAGE;
            all.extend(as_written(events)?);
            if is_end {
                return Ok(all);
            }
        }
    }
}
