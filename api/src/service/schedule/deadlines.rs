//! Deadlines: decisions that come too late are made by the server.
//!
//! The store knows which games are due; every process asks it, each game is given to one of them. Whatever happens then
//! is a commit like any other, so that it happens once even where two processes come to it, and not at all where the
//! player was faster after all.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::stored::Game;
use crate::game::terms::{Status, WhenLate};
use crate::service::Service;
use crate::service::commit::EntityEdit;
use crate::service::games::turns::MOST_ACTIONS;
use crate::service::schedule::expiry;
use crate::store::{Change, Commit, Duty, EntityId, StoreError, StoredEntity, Task};
use crate::telemetry;

/// How often it is asked what is due.
const TICK: Duration = Duration::from_millis(500);
/// Games taken at a time.
const BATCH: usize = 64;
/// Games looked at at the same time.
const AT_ONCE: usize = 8;
/// How often a game is looked at again because a player was faster.
const TRIES: usize = 8;
/// How soon a game is looked at again that has not started yet, or is not there: in milliseconds.
pub const NOT_YET: u64 = 10_000;
/// When a game that is not there will never be, in milliseconds.
pub const NEVER: u64 = 3_600_000;

impl Service {
    /// Does what is due, until the service closes.
    pub async fn keep_time(self) {
        let (mut closing, mut is_known) = (self.closing.clone(), true);
        while !*closing.borrow() {
            let due = self.store.due(BATCH).await;
            if let (Err(error), true) = (&due, is_known) {
                tracing::warn!(%error, "it is not known which games are due, until the store is back");
            }
            is_known = due.is_ok();
            let due = due.unwrap_or_default();
            telemetry::log_repeated_failures();
            let is_all = due.len() < BATCH;
            iter(due).for_each_concurrent(AT_ONCE, |task| self.look_at(task)).await;
            if is_all {
                // An error means that whoever would close the service is gone.
                let closed = tokio::time::timeout(TICK, closing.wait_for(|closing| *closing)).await;
                if closed.is_ok() {
                    return;
                }
            }
        }
    }

    /// Looks at a game that is due. What fails is tried again, here or elsewhere, when the lease is over.
    async fn look_at(&self, task: Task) {
        let id = task.id;
        if task.duty == Duty::Deliveries {
            // Messages may take long; deadlines do not wait for them.
            tokio::spawn(self.clone().deliver(id));
            return;
        }
        if id == expiry::ALL {
            tokio::spawn(self.clone().enter_all());
            return;
        }
        let looked = async {
            let at = self.do_what_is_due(id).await?;
            Ok::<_, Problem>(self.store.commit(Commit::from(Change::Schedule { task, at })).await?)
        };
        if let Err(problem) = looked.await {
            tracing::warn!(entity = %id, %problem, "a deadline was not kept: it is tried again");
        }
    }

    /// When the game is to be looked at next.
    async fn do_what_is_due(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        for _ in 0..TRIES {
            let now = self.store.now();
            let Some(stored) = self.store.entity(id).await? else {
                return Ok((now < created(id) + NEVER).then_some(now + NOT_YET));
            };
            let game = Game::read(&stored.snapshot)?;
            if self.expires(game.status, game.changed()).is_some_and(|expires| expires <= now) {
                return self.remove(&stored, &game).await;
            }
            let expires = self.may_expire(game.status, game.changed(), now);
            let sooner = |at: u64| Ok(Some(expires.map_or(at, |expires| expires.min(at))));
            match (game.status, game.setup.timer, game.deadline) {
                // The commit that starts it may be on its way.
                (Status::Open, Some(timer), _) => return sooner(now + timer.milliseconds().max(NOT_YET)),
                (Status::Playing, Some(timer), Some(deadline)) if deadline <= now => {
                    match self.play_late(&stored, timer.then).await {
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
        // It is a lively game.
        Ok(Some(self.store.now()))
    }

    /// Plays the turn to its end; how the game stands then, and the deadline of the next one.
    async fn play_late(&self, stored: &StoredEntity, then: WhenLate) -> Result<(Status, Option<u64>), StoreError> {
        let played = async {
            let mut edit = Edit::open(self, stored).await?;
            play_to_the_end_of_the_turn(&mut edit, then)?;
            let next = (edit.game.status, edit.game.deadline);
            Ok::<_, Problem>((edit.finish(self, None)?, next))
        };
        let ((change, effects), next) = played.await.map_err(|problem| StoreError::Damaged(problem.to_string()))?;
        self.store.commit(Commit::from(change)).await?;
        Edit::apply(self, effects);
        tracing::debug!(entity = %stored.id, version = stored.version + 1, "time was over");
        Ok(next)
    }
}

/// Plays a late turn to its end.
fn play_to_the_end_of_the_turn(edit: &mut Edit, then: WhenLate) -> Result<(), Problem> {
    let seat = edit.turn()?;
    edit.add(Event::of_seat(EventKind::TimeOver, seat));
    for _ in 0..MOST_ACTIONS {
        let play = edit.playing()?;
        if play.awaits_throw() {
            let throw = edit.next_throw(None)?;
            edit.throw(&throw)?;
        } else {
            let legal = play.legal_texts(&edit.rules);
            let choice = match then {
                WhenLate::First => 0,
                WhenLate::Random => below(legal.len())?,
            };
            let action = legal.get(choice).cloned().ok_or_else(|| internal("nothing is legal"))?;
            edit.act(&action, "")?;
        }
        if edit.game.status != Status::Playing || edit.turn()? != seat {
            break;
        }
    }
    Ok(())
}

/// A number below `count`. It decides no throw, and is in the record.
fn below(count: usize) -> Result<usize, Problem> {
    let random = getrandom::u64().map_err(internal)?;
    // Of 2^64 numbers, some 20 remainders more: nobody will ever see it.
    Ok((random % count.max(1) as u64) as usize)
}

/// When a game was created, in milliseconds since 1970: its id tells.
pub fn created(id: EntityId) -> u64 {
    let (seconds, nanoseconds) = id.id.get_timestamp().map_or((0, 0), |timestamp| timestamp.to_unix());
    seconds * 1000 + u64::from(nanoseconds) / 1_000_000
}
