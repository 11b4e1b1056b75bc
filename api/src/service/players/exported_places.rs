//! The tables and tournaments in the export of a player: all that is erased there when the player is deleted.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::follow::as_written;
use crate::game::erasing::without_player;
use crate::model::player_export::{ExportedTable, ExportedTournament};
use crate::model::webhook::WebhookView;
use crate::player::PlayerId;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::webhooks::progress::Deliveries;
use crate::service::webhooks::views;
use crate::store::{EntityId, Kind, StoredEntity};
use crate::table::TABLE;
use crate::table::stored::Table;
use crate::table::tags::tag_of_named;
use crate::table::view::exported;
use crate::tournament::stored::{Tournament, tag_of_player as tag_in_tournaments};
use crate::tournament::{TOURNAMENT, view as view_of_tournament};

/// Number of events, tables or tournaments that are read at once.
const PAGE: usize = 100;

impl Service {
    /// Returns the tables that name a player, newest first.
    pub(super) async fn exported_tables(&self, id: PlayerId, player: &Player) -> Result<Vec<Box<RawValue>>, Problem> {
        // Events name a claimed guest by the id that the guest had.
        let ids: Vec<_> = player.claims.iter().copied().chain([id]).collect();
        let (mut tables, mut before) = (Vec::new(), None);
        loop {
            let listed = self.page_naming(TABLE, tag_of_named(id), &mut before).await?;
            for stored in &listed {
                let (table, events) = (Table::read(&stored.snapshot)?, self.events_naming(stored.id, &ids).await?);
                let my_webhooks = self.webhooks_of_master(stored.id, &table, id).await?;
                tables.push(written(&ExportedTable { my_webhooks, events, ..exported(stored.id.id, &table, id) })?);
            }
            if listed.len() < PAGE {
                return Ok(tables);
            }
        }
    }

    /// Returns the tournaments in which a player is entered, newest first, without their events, which name entrants by
    /// number only.
    pub(super) async fn exported_tournaments(&self, id: PlayerId) -> Result<Vec<Box<RawValue>>, Problem> {
        let (mut tournaments, mut before) = (Vec::new(), None);
        loop {
            let listed = self.page_naming(TOURNAMENT, tag_in_tournaments(id), &mut before).await?;
            for stored in &listed {
                let tournament = Tournament::read(&stored.snapshot)?;
                tournaments.push(written(&ExportedTournament {
                    tournament: view_of_tournament::summary(stored.id.id, &tournament),
                    my_entries: view_of_tournament::entries_of(&tournament, id),
                })?);
            }
            if listed.len() < PAGE {
                return Ok(tournaments);
            }
        }
    }

    /// Returns the webhooks of a table that its master has registered, if this player is the master.
    async fn webhooks_of_master(
        &self,
        id: EntityId,
        table: &Table,
        player: PlayerId,
    ) -> Result<Vec<WebhookView>, Problem> {
        let own: Vec<_> = table.webhooks.iter().filter(|hook| !hook.is_of_operator).cloned().collect();
        if table.master != Some(player) || own.is_empty() {
            return Ok(Vec::new());
        }
        let (_, (_, deliveries)) = self.store.entity_and_deliveries(id).await?;
        Ok(views(&own, &Deliveries::read(&deliveries)?))
    }

    /// Returns the next page of entities with a tag, and moves `before` to its last one.
    async fn page_naming(
        &self,
        kind: Kind,
        tag: String,
        before: &mut Option<PlayerId>,
    ) -> Result<Vec<StoredEntity>, Problem> {
        let listed = self.store.list(kind, tag, *before, PAGE).await?;
        *before = listed.last().map(|stored| stored.id.id);
        Ok(listed)
    }

    /// Returns the events of a table that name one of these players, which erasing the player would rewrite.
    async fn events_naming(&self, table: EntityId, players: &[PlayerId]) -> Result<Vec<Box<RawValue>>, Problem> {
        let (mut naming, mut after) = (Vec::new(), 0);
        loop {
            let (_, events) = self.store.entity_and_events(table, after, PAGE).await?;
            let count = events.len();
            for event in events {
                let text = str::from_utf8(&event).map_err(internal)?;
                let mut is_named = false;
                for player in players {
                    is_named |= without_player(text, *player)?.is_some();
                }
                naming.extend(is_named.then_some(event));
            }
            after += count as u64;
            if count < PAGE {
                return as_written(naming);
            }
        }
    }
}

fn written(place: &impl Serialize) -> Result<Box<RawValue>, Problem> {
    to_raw_value(place).map_err(internal)
}
