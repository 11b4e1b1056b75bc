//! Games are removed when nothing has changed in them for as long as the operator keeps them.
//!
//! A game that is to be removed some day stands in the queue of the turn timers, so one process looks at it when its
//! time may have come; whoever looks too early enters when to look again. Games from before there was a policy are
//! entered when a process starts.

use std::time::Duration;

use crate::config::Retention;
use crate::error::Problem;
use crate::game::GAME;
use crate::game::edit::Milestones;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::ground::clock;
use crate::service::Service;
use crate::service::schedule::deadlines::created;
use crate::service::webhooks::progress::Deliveries;
use crate::store::{Change, Commit, EntityId, StoreError, StoredEntity, Task};
use uuid::Uuid;

/// Under this id it stands in the queue that all games are to be entered.
pub const ALL: EntityId = EntityId::new(GAME, Uuid::nil());

/// How long whoever enters all games has for it, in milliseconds; then another process begins anew.
const ENTERING: u64 = 600_000;
/// Games entered at a time: looked at within the same second.
const PAGE: usize = 256;
/// Games that wait for a webhook are looked at again so soon, in milliseconds.
const SOON: u64 = 1_000;

impl Retention {
    /// How long a game of this status is kept, in milliseconds.
    fn of(&self, status: Status) -> Option<u64> {
        let kept = match status {
            Status::Open => self.open,
            Status::Playing => self.playing,
            Status::Finished => self.finished,
        };
        kept.map(milliseconds)
    }

    /// How soon a game of this status may have come to another one and be due, in milliseconds.
    fn later(&self, status: Status) -> Option<u64> {
        let later = match status {
            Status::Open => [self.playing, self.finished],
            Status::Playing => [self.finished, None],
            Status::Finished => [None, None],
        };
        later.into_iter().flatten().min().map(milliseconds)
    }

    /// No game is removed sooner after its creation, in milliseconds.
    fn shortest(&self) -> Option<u64> {
        [self.open, self.playing, self.finished].into_iter().flatten().min().map(milliseconds)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Service {
    /// Lets all games be entered, by one process, where there is a policy.
    pub async fn keep_games(self) {
        let change = Change::ScheduleBy(vec![(Task::entity(ALL), self.store.now())]);
        if self.keep.shortest().is_some()
            && let Err(error) = self.store.commit(Commit::from(change)).await
        {
            tracing::warn!(%error, "games from before may be kept longer than they are to be");
        }
    }

    /// Enters all games in the queue. Those that may be due come a page a second: turn timers stand in the same queue.
    pub(crate) async fn enter_all(self) {
        let entered = async {
            let look = |at| Commit::from(Change::Schedule { task: Task::entity(ALL), at });
            let Some(shortest) = self.keep.shortest() else { return self.store.commit(look(None)).await };
            let mut at = self.store.now();
            self.store.commit(look(Some(at + ENTERING))).await?;
            let mut games = self.store.inventory().await?.entities;
            games.retain(|id| id.kind == GAME);
            for page in games.chunks(PAGE) {
                let looks =
                    page.iter().map(|id| (Task::entity(*id), at.max(created(*id).saturating_add(shortest)))).collect();
                self.store.commit(Commit::from(Change::ScheduleBy(looks))).await?;
                at += 1_000;
            }
            self.store.commit(look(None)).await
        };
        if let Err(error) = entered.await {
            tracing::warn!(%error, "not all games are entered to be removed: it is tried again");
        }
    }

    /// Has a change entered, where it makes a game that is to be removed some day.
    pub(crate) fn schedule_expiry(&self, change: &mut Change, milestones: &Milestones) {
        if let Change::Entity(change) = change
            && let Some(status) = milestones.status
        {
            let now = self.store.now();
            change.deadline = change.deadline.into_iter().chain(self.may_expire(status, now, now)).min();
        }
    }

    /// When a game is to be removed, in milliseconds since 1970.
    pub(crate) fn expires(&self, status: Status, changed: u64) -> Option<u64> {
        self.keep.of(status).map(|kept| changed.saturating_add(kept))
    }

    /// When to look whether it is. As long as there is something to look for, this is some moment: then nothing is
    /// missed, whatever happens to the game while somebody looks at it.
    pub(crate) fn may_expire(&self, status: Status, changed: u64, now: u64) -> Option<u64> {
        let later = self.keep.later(status).map(|later| now.saturating_add(later));
        self.expires(status, changed).into_iter().chain(later).min()
    }

    /// Removes a game whose time has come, once its webhooks were told everything or have given up; when to look at it
    /// again.
    pub(crate) async fn remove(&self, stored: &StoredEntity, game: &Game) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let (_, (delivered, bytes)) = self.store.entity_and_deliveries(stored.id).await?;
        let deliveries = Deliveries::read(&bytes)?;
        let due = game.setup.webhooks.iter().filter_map(|hook| deliveries.of(hook).next(game.events, now)).min();
        if due.is_some() || deliveries.busy_until > now {
            return Ok(Some(due.unwrap_or(now).max(now + SOON)));
        }
        let change = Change::Remove { id: stored.id, expected: stored.version, delivered };
        match self.store.commit(Commit::from(change)).await {
            Ok(()) => {
                let became = if game.status == Status::Playing { "abandoned" } else { "removed" };
                self.metrics.count_game(&game.setup.known_rule_set(), became);
                tracing::debug!(entity = %stored.id, "it was kept long enough");
                Ok(None)
            }
            Err(StoreError::Conflict(_)) => Ok(Some(now)),
            Err(error) => Err(error.into()),
        }
    }
}

impl Game {
    /// When it last changed, in milliseconds since 1970.
    pub fn changed(&self) -> u64 {
        clock::read(&self.updated_at)
    }
}
