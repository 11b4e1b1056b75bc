//! The regular check of a player, and the retention of players. The check adds the news of games to the inbox if the
//! process that changed a game died before it could add them, and it erases deleted players.

use crate::error::Problem;
use crate::metrics::Metrics;
use crate::player::PlayerId;
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::entity::may_yet_exist;
use crate::service::schedule::{DueEntity, FIRST_CHECK, StateRetention};
use crate::store::EntityId;
use crate::table::TABLE;
use crate::table::stored::Table;
use crate::table::tags::{PlayerRole, tag_of_player};

/// The longest pause between two checks of a player with games that are not over, in milliseconds.
const LONGEST_PAUSE: u64 = 900_000;
/// Number of tables of a player that are read to find out when the player last used one.
const LOOKED_AT: usize = 20;

impl Service {
    /// Adds the news of games that the inbox of a player does not have yet, and removes the player if the retention has
    /// passed. Erases a player who was deleted. Returns the time of the next check.
    ///
    /// Usually the process that changes a game adds the news at once. The check adds them if that process died before.
    pub(in crate::service) async fn check_player(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
        let player = Player::read_any(&stored.snapshot)?;
        if player.is_deleted {
            return self.erase_player(&stored, &player).await;
        }
        if let Some(registered) = player.claimed_by {
            return self.move_guest(id, registered).await;
        }
        let retention = player.retention(self);
        if let Some(expiry) = retention.expires(player.changed_at).filter(|at| *at <= now) {
            // Commands at a table do not change its sitters and watchers, but count as use of the service by them.
            let at_tables = self.last_change_of_tables(id.id).await?;
            let last_use = at_tables.map_or(player.changed_at, |at| at.max(player.changed_at));
            let later = last_use + expiry.saturating_sub(player.changed_at);
            return if later > now { Ok(Some(later)) } else { self.retire_player(&stored).await };
        }
        let waits = self.deliver_messages(id.id).await?.is_some();
        let games: Vec<_> = player.games.iter().map(|game| game.id).collect();
        self.gather_inbox(id.id, &games).await?;
        let quiet = now.saturating_sub(player.changed_at);
        let next = (!games.is_empty()).then(|| now + (quiet / 2).clamp(FIRST_CHECK, LONGEST_PAUSE));
        // Nothing but this check removes a player who has expired, so no player is removed before all tables have
        // erased the name.
        let expiry = retention.next_check(player.changed_at, now);
        Ok(expiry.into_iter().chain(next).chain(waits.then_some(now + FIRST_CHECK)).min())
    }

    /// Returns when a table at which a player sits or watches was last changed, in milliseconds since 1970; `None` if
    /// there is no such table.
    async fn last_change_of_tables(&self, id: PlayerId) -> Result<Option<u64>, Problem> {
        let mut latest = None;
        for role in [PlayerRole::Seated, PlayerRole::Watching] {
            for stored in self.store.list(TABLE, tag_of_player(role, id), None, LOOKED_AT).await? {
                latest = latest.max(Some(Table::read(&stored.snapshot)?.changed_at));
            }
        }
        Ok(latest)
    }
}

impl DueEntity for Player {
    /// Returns `None`, because a player has no deadlines. [`Service::check_player`] returns the time of the next check.
    fn due_at(&self, _: u64) -> Option<u64> {
        None
    }

    async fn run_due(_: &Service, _: &mut PlayerEdit) -> Result<(), Problem> {
        Ok(())
    }

    /// Keeps a player with a game that is not over or not settled. [`Service::erase_player`] removes a player who was
    /// deleted, [`Service::move_guest`] a guest who was claimed.
    fn retention(&self, service: &Service) -> StateRetention {
        if self.is_gone() {
            return StateRetention::default();
        }
        let kept = Self::shortest_retention(service);
        let is_busy = !self.games.is_empty() || !self.ledger.escrow.is_empty();
        StateRetention { present: kept.filter(|_| !is_busy), later: kept }
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        service.keep.players.map(|kept| u64::try_from(kept.as_millis()).unwrap_or(u64::MAX))
    }

    fn count_expired(&self, _: &Metrics) {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::sync::watch;

    use super::*;
    use crate::config::{Retention, ServeConfig};
    use crate::game::terms::PinnedRules;
    use crate::ground::token::Token;
    use crate::player::entity;
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::on_both_stores;
    use crate::store::{Change, Commit};
    use crate::table::edit::TableEdit;
    use crate::table::stored::TableSeat;
    use crate::table::{TableId, entity as entity_of_table};

    const HOUR: u64 = 3_600_000;

    #[test]
    fn a_player_is_kept_while_a_table_is_used_and_leaves_it_at_the_end() {
        on_both_stores(async |store| {
            let kept = Some(Duration::from_millis(HOUR));
            let retention = Retention { players: kept, ..Retention::default() };
            let (_closing, closed) = watch::channel(false);
            let config = ServeConfig { retention, ..ServeConfig::default() };
            let service = Service::new(Arc::clone(&store), &config, closed);
            let now = store.now();
            let write = async |change| store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            // Creates a table that was last changed at this time, a player who sits there, and one who watches.
            let table = async |at: u64| {
                let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
                let seats = vec![TableSeat::free("red".to_owned())];
                let (id, players) = (TableId::now_v7(), [(); 2].map(|()| PlayerId::now_v7()));
                let mut edit = TableEdit::begin(id, Table::new(None, rule_set, seats, at), at);
                edit.table.settings.competitive = false;
                edit.sit("red", players[0], None).unwrap();
                edit.watch(players[1], None).unwrap();
                write(edit.finish(&service, None).unwrap().0).await;
                for player in players {
                    let new = Player::new(None, Token::new().unwrap().hash(), now - 3 * HOUR);
                    write(PlayerEdit::begin(player, new, now - 3 * HOUR).finish(&service, None).unwrap().0).await;
                }
                (id, players)
            };
            let read = async |id| store.entity(entity(id)).await.unwrap();
            for player in table(now - HOUR / 2).await.1 {
                let next = service.check_player(entity(player)).await.unwrap();
                assert_eq!((next, read(player).await.unwrap().version), (Some(now + HOUR / 2), 1));
            }
            let (id, players) = table(now - 2 * HOUR).await;
            for player in players {
                while service.check_player(entity(player)).await.unwrap().is_some_and(|at| at <= store.now()) {}
                // For a minute, other commands may still name the player.
                assert!(Player::read_any(&read(player).await.unwrap().snapshot).unwrap().is_deleted);
            }
            let stored = store.entity(entity_of_table(id)).await.unwrap().unwrap();
            let table = Table::read(&stored.snapshot).unwrap();
            assert_eq!((table.sitters().count(), table.watchers.len(), table.is_closed), (0, 0, true));
        });
    }
}
