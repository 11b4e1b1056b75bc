//! The scheduler: takes tasks whose deadline has come, and plays turns that are late.
//!
//! The store gives each task to one process at a time, under a lease. A late turn is an ordinary commit: it happens once
//! even if two processes play it, and not at all if the player was faster.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::error::Problem;
use crate::game::GAME;
use crate::game::edit::Edit;
use crate::game::stored::Game;
use crate::game::terms::{Status, TurnTimer};
use crate::service::Service;
use crate::service::commit::EntityEdit;
use crate::service::schedule::expiry;
use crate::store::{Change, Commit, Duty, EntityId, StoreError, StoredEntity, Task};
use crate::telemetry;

/// Pause between two requests for due tasks, unless more tasks wait.
const TICK: Duration = Duration::from_millis(500);
/// Most tasks that the store gives at a time.
const BATCH: usize = 64;
/// Tasks that run at the same time.
const CONCURRENT_TASKS: usize = 8;
/// Attempts to handle a game whose players commit at the same time.
const TRIES: usize = 8;
/// Pause before a game is checked again that does not exist yet or has not started, in milliseconds.
pub(crate) const NOT_YET: u64 = 10_000;
/// Age, in milliseconds, from which an id without a game is given up: no commit to create it can still be on its way.
pub(crate) const NEVER: u64 = 3_600_000;

impl Service {
    /// Runs due tasks until the service closes.
    pub(crate) async fn run_schedule(self) {
        let (mut closing, mut was_available) = (self.closing.clone(), true);
        while !*closing.borrow() {
            let due = self.store.due(BATCH).await;
            if let (Err(error), true) = (&due, was_available) {
                tracing::warn!(%error, "schedule not read, deadlines wait for the store");
            }
            was_available = due.is_ok();
            let due = due.unwrap_or_default();
            telemetry::log_repeated_failures();
            let is_all = due.len() < BATCH;
            iter(due).for_each_concurrent(CONCURRENT_TASKS, |task| self.run_task(task)).await;
            if is_all {
                // An error means that the sender is gone, and with it the server: the same as closing.
                let closed = tokio::time::timeout(TICK, closing.wait_for(|closing| *closing)).await;
                if closed.is_ok() {
                    return;
                }
            }
        }
    }

    /// Runs a task. A task that fails stays in the schedule, and is given out again when its lease ends.
    async fn run_task(&self, task: Task) {
        let Task { id, duty } = task;
        if id.kind != GAME {
            // A newer replica on the same store may know the kind.
            tracing::warn!(entity = %id, ?duty, "task of an unknown kind of entity, left in the schedule");
            return;
        }
        match duty {
            // Deliveries and the scan of all games may take long: they run beside the deadlines.
            Duty::Deliveries => drop(tokio::spawn(self.clone().deliver(id))),
            Duty::Entity if id == expiry::ALL => drop(tokio::spawn(self.clone().schedule_all_games())),
            Duty::Entity => {
                let checked = async {
                    let at = self.check_game(id).await?;
                    Ok::<_, Problem>(self.store.commit(Commit::from(Change::Schedule { task, at })).await?)
                };
                if let Err(problem) = checked.await {
                    tracing::warn!(entity = %id, %problem, "deadline missed, retrying");
                }
            }
        }
    }

    /// Removes an expired game, or plays a late turn. Returns the next deadline of the game.
    async fn check_game(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        for _ in 0..TRIES {
            let now = self.store.now();
            let Some(stored) = self.store.entity(id).await? else {
                return Ok((now < created(id) + NEVER).then_some(now + NOT_YET));
            };
            let game = Game::read(&stored.snapshot)?;
            if self.expires(game.status, stored.changed_at).is_some_and(|expires| expires <= now) {
                return self.remove(&stored, &game).await;
            }
            let expires = self.may_expire(game.status, stored.changed_at, now);
            let sooner = |at: u64| Ok(Some(expires.map_or(at, |expires| expires.min(at))));
            match (game.status, game.setup.timer, game.deadline) {
                // The commit that starts the game may be on its way.
                (Status::Open, Some(timer), _) => return sooner(now + timer.milliseconds().max(NOT_YET)),
                (Status::Playing, Some(timer), Some(deadline)) if deadline <= now => {
                    match self.play_late_turn(&stored, timer).await {
                        Ok((status, next)) => {
                            self.metrics.record_delay(Duration::from_millis(now - deadline));
                            return Ok(next.into_iter().chain(self.may_expire(status, now, now)).min());
                        }
                        Err(StoreError::Conflict(_)) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                (Status::Playing, Some(_), Some(deadline)) => return sooner(deadline),
                _ => return Ok(expires),
            }
        }
        // Every attempt lost to a commit of a player: check the game again at once.
        Ok(Some(self.store.now()))
    }

    /// Plays a late turn to its end. Returns the status of the game after it, and the deadline of the next turn.
    async fn play_late_turn(
        &self,
        stored: &StoredEntity,
        timer: TurnTimer,
    ) -> Result<(Status, Option<u64>), StoreError> {
        let played = async {
            let mut edit = Edit::open(self, stored).await?;
            edit.play_late(timer)?;
            let next = (edit.game.status, edit.game.deadline);
            Ok::<_, Problem>((edit.finish(self, None)?, next))
        };
        let ((change, effects), next) = played.await.map_err(|problem| StoreError::Damaged(problem.to_string()))?;
        self.store.commit(Commit::from(change)).await?;
        Edit::apply(self, effects);
        tracing::debug!(entity = %stored.id, version = stored.version + 1, "late turn played by the server");
        Ok(next)
    }
}

/// When an entity was created, in milliseconds since 1970: read from its UUIDv7.
pub(crate) fn created(id: EntityId) -> u64 {
    let (seconds, nanoseconds) = id.id.get_timestamp().map_or((0, 0), |timestamp| timestamp.to_unix());
    seconds * 1000 + u64::from(nanoseconds) / 1_000_000
}
