//! The groups and players whose games have new events in this process, and the tables whose games are over. One task for
//! each of them copies the events or settles the table, however many games change.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::{Code, Problem};
use crate::game::GameId;
use crate::player::PLAYER;
use crate::service::Service;
use crate::store::EntityId;
use crate::table::TABLE;
use crate::tournament::TOURNAMENT;

/// Pause after an error of the store.
const PAUSE: Duration = Duration::from_millis(500);
/// Number of errors in a row after which the task ends. The regular check of the group or player then makes the copies.
const TRIES: u32 = 20;
/// The problems of a group, player or tournament that does not exist.
const GONE: [Code; 3] = [Code::GroupNotFound, Code::PlayerNotFound, Code::TournamentNotFound];

/// Games with events that are not copied yet, by the group or player that gets the copies. A group or player has an
/// entry while its task runs.
#[derive(Debug, Default)]
pub(in crate::service) struct Gatherers(Mutex<HashMap<EntityId, BTreeSet<GameId>>>);

impl Service {
    /// Copies the new events of a game into a group or an inbox in a task of its own, so that the request need not
    /// wait.
    pub(in crate::service) fn wake_gatherer(&self, id: EntityId, game: GameId) {
        if self.gatherers.add(id, game) {
            tokio::spawn(self.clone().run_gatherer(id));
        }
    }

    /// Copies new events until there are none.
    async fn run_gatherer(self, id: EntityId) {
        let mut failures = 0;
        while let Some(games) = self.gatherers.take(id) {
            match self.gather_into(id, &games).await {
                Ok(()) => failures = 0,
                Err(problem) if GONE.contains(&problem.code) => {
                    tracing::debug!(entity = %id, "events not copied, nobody is there to get them");
                    self.gatherers.give_up(id);
                    return;
                }
                Err(problem) if failures < TRIES => {
                    failures += 1;
                    tracing::debug!(entity = %id, %problem, "events not copied, retrying");
                    for game in games {
                        self.gatherers.add(id, game);
                    }
                    tokio::time::sleep(PAUSE).await;
                }
                Err(problem) => {
                    tracing::warn!(entity = %id, %problem, "events not copied, left to the next check");
                    self.gatherers.give_up(id);
                    return;
                }
            }
        }
    }

    async fn gather_into(&self, id: EntityId, games: &[GameId]) -> Result<(), Problem> {
        match id.kind {
            PLAYER => self.gather_inbox(id.id, games).await,
            TABLE => self.settle_table(id.id).await,
            TOURNAMENT => self.gather_results(id.id, games).await,
            _ => self.gather(id.id, games).await,
        }
    }
}

impl Gatherers {
    /// Notes that a game has new events. Returns whether a task has to be started for the copies.
    fn add(&self, id: EntityId, game: GameId) -> bool {
        let mut entities = self.lock();
        let is_idle = !entities.contains_key(&id);
        entities.entry(id).or_default().insert(game);
        is_idle
    }

    /// Returns the games with new events, and clears the list. Returns `None` if there are none: the entry is removed,
    /// and the task has to end.
    fn take(&self, id: EntityId) -> Option<Vec<GameId>> {
        let mut entities = self.lock();
        let games = entities.get_mut(&id).map(std::mem::take).unwrap_or_default();
        if games.is_empty() {
            entities.remove(&id);
            return None;
        }
        Some(games.into_iter().collect())
    }

    /// Ends the task. The regular check of the group or player will copy the missing events.
    fn give_up(&self, id: EntityId) {
        self.lock().remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<EntityId, BTreeSet<GameId>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_group_has_one_task_for_all_its_games() {
        let (gatherers, group) = (Gatherers::default(), EntityId::new(PLAYER, Uuid::now_v7()));
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(gatherers.add(group, one) && !gatherers.add(group, other) && !gatherers.add(group, one));
        assert_eq!(gatherers.take(group), Some(vec![one, other]));
        assert!(!gatherers.add(group, one), "the task goes on");
        assert_eq!(gatherers.take(group), Some(vec![one]));
        assert_eq!(gatherers.take(group), None);
        assert!(gatherers.add(group, one), "a new task is needed");
    }
}
