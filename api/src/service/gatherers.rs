//! Background tasks that follow commits of games: they copy new events of games into groups and inboxes, settle tables,
//! and copy results into tournaments.
//!
//! Each group, player, table or tournament has at most one task in this process, however many of its games change.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Code, Problem};
use crate::game::GameId;
use crate::player::PLAYER;
use crate::service::Service;
use crate::store::EntityId;
use crate::table::TABLE;
use crate::tournament::{TOURNAMENT, TournamentId, entity as entity_of_tournament};

/// The longest rest of a tournament's task after its work. The task rests as long as it has worked, up to this time. So
/// results that arrive meanwhile are handled together, and other requests to a large tournament get their turn.
const LONGEST_REST: Duration = Duration::from_secs(1);
/// Pause after an error of the store.
const PAUSE: Duration = Duration::from_millis(500);
/// Number of retries after errors in a row. After one more error the task ends, and the regular check of the entity
/// does the work.
const RETRIES: u32 = 20;
/// The problem codes for a group, player or tournament that does not exist.
const GONE: [Code; 3] = [Code::GroupNotFound, Code::PlayerNotFound, Code::TournamentNotFound];

/// Changed games whose task has not handled them yet, by the group, player, table or tournament that they belong to. An
/// entity has an entry while its task runs.
#[derive(Debug, Default)]
pub(in crate::service) struct Gatherers(Mutex<HashMap<EntityId, BTreeSet<GameId>>>);

impl Service {
    /// Adds a changed game to the work of an entity's task, and starts the task if it does not run. The request need
    /// not wait for the task.
    pub(in crate::service) fn wake_gatherer(&self, id: EntityId, game: GameId) {
        if self.gatherers.add(id, game) {
            tokio::spawn(self.clone().run_gatherer(id));
        }
    }

    /// Makes the task of a tournament take the next steps, so that a request need not wait, and one run can serve many
    /// requests. The id of the changed game is nil, because no game has changed.
    pub(in crate::service) fn advance_in_background(&self, id: TournamentId) {
        self.wake_gatherer(entity_of_tournament(id), GameId::nil());
    }

    /// Runs the task of an entity until no changed game is left.
    async fn run_gatherer(self, id: EntityId) {
        let mut failures = 0;
        while let Some(games) = self.gatherers.take(id) {
            let began = Instant::now();
            match self.gather_into(id, &games).await {
                Ok(()) => {
                    failures = 0;
                    if id.kind == TOURNAMENT {
                        tokio::time::sleep(began.elapsed().min(LONGEST_REST)).await;
                    }
                }
                Err(problem) if GONE.contains(&problem.code) => {
                    tracing::debug!(entity = %id, "changes of games not copied, entity not found");
                    self.gatherers.give_up(id);
                    return;
                }
                Err(problem) if failures < RETRIES => {
                    failures += 1;
                    tracing::debug!(entity = %id, %problem, "changes of games not copied, retrying");
                    for game in games {
                        self.gatherers.add(id, game);
                    }
                    tokio::time::sleep(PAUSE).await;
                }
                Err(problem) => {
                    tracing::warn!(
                        entity = %id, %problem,
                        "changes of games not copied, retrying at the next scheduled check"
                    );
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
    /// Adds a changed game. Returns whether the task of the entity has to be started.
    fn add(&self, id: EntityId, game: GameId) -> bool {
        let mut entities = self.lock();
        let is_idle = !entities.contains_key(&id);
        entities.entry(id).or_default().insert(game);
        is_idle
    }

    /// Removes and returns the changed games of an entity. If there are none, removes the entry and returns `None`: the
    /// task has to end.
    fn take(&self, id: EntityId) -> Option<Vec<GameId>> {
        let mut entities = self.lock();
        let games = entities.get_mut(&id).map(std::mem::take).unwrap_or_default();
        if games.is_empty() {
            entities.remove(&id);
            return None;
        }
        Some(games.into_iter().collect())
    }

    /// Removes the entry of a task that ends early. The regular check of the entity does the remaining work.
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
