//! The regular check of a table, which finishes the work of processes that died; its votes that are not finished in
//! time; and the retention of tables.

use std::time::Duration;

use crate::error::Problem;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::may_yet_exist;
use crate::service::schedule::{DueEntity, FIRST_CHECK, StateRetention};
use crate::store::EntityId;
use crate::table::edit::TableEdit;
use crate::table::stored::Table;

/// The longest pause between two checks of a table with a game in play, in milliseconds.
const LONGEST_PAUSE: u64 = 60_000;

impl Service {
    /// Brings the game of a table in line with the table, copies notices into inboxes, forgets old visitors, closes a
    /// vote that is late, and removes the table if it has expired. Returns the time of the next check.
    ///
    /// Usually the process that changes a table or its game does this at once. The check is for processes that died
    /// before they did so.
    pub(in crate::service) async fn check_table(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
        let quiet = now.saturating_sub(stored.changed_at);
        self.settle_table(id.id).await?;
        self.copy_notices(id.id).await?;
        self.forget_old_visitors(id.id).await?;
        let due = self.check::<Table>(id).await?;
        let Some(stored) = self.store.entity(id).await? else { return Ok(due) };
        let has_game = Table::read(&stored.snapshot)?.current.is_some();
        let next = has_game.then(|| now + (quiet / 2).clamp(FIRST_CHECK, LONGEST_PAUSE));
        Ok(due.into_iter().chain(next).min())
    }
}

impl DueEntity for Table {
    fn due_at(&self, _: u64) -> Option<u64> {
        self.vote.as_ref().map(|vote| vote.deadline)
    }

    /// Closes a vote that is late. [`TableEdit::expire_vote`] has done this when the change of the table began.
    async fn run_due(_: &Service, edit: &mut TableEdit) -> Result<(), Problem> {
        edit.expire_vote()
    }

    /// A closed table is kept as long as a game that is over; any other table as long as the games that are kept
    /// longest.
    fn retention(&self, service: &Service) -> StateRetention {
        let keep = &service.keep;
        let finished = keep.finished.map(milliseconds);
        if self.current.is_some() {
            // A game in play may have stakes. The table is kept until they are paid out.
            return StateRetention { present: None, later: finished };
        }
        if self.is_closed {
            return StateRetention { present: finished, later: None };
        }
        let longest = [keep.open, keep.playing, keep.finished].into_iter().collect::<Option<Vec<_>>>();
        let longest = longest.and_then(|kept| kept.into_iter().max());
        StateRetention { present: longest.map(milliseconds), later: finished }
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        service.keep.finished.map(milliseconds)
    }

    fn count_expired(&self, _: &Metrics) {}
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::KINDS;
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::{on_both_stores, until};
    use crate::service::tables::settling::tests::{player_of, process, read, table};
    use crate::store::{Change, Commit};
    use crate::table::entity;
    use crate::table::vote::VoteQuestion;

    /// Time, in milliseconds, in which everybody may vote.
    const VOTING: u64 = 60_000;

    #[test]
    fn a_vote_ends_by_the_clock_alone() {
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            let (id, asha, ravi) = table(&service).await;
            service.start_table_game(&asha, b"", &id.to_string()).await.unwrap();
            // The vote was opened almost a minute ago.
            let opened = store.now() - VOTING + 1_500;
            let mut edit = TableEdit::begin(id, read(&service, id).await, opened);
            edit.open_vote(VoteQuestion::End, player_of(&ravi)).unwrap();
            let (change, _) = edit.finish(&service, None).unwrap();
            assert!(change.deadline.is_some_and(|at| at <= opened + VOTING));
            store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            let running = tokio::spawn(service.clone().run_schedule(KINDS));
            until("the vote is closed", async || read(&service, id).await.vote.is_none()).await;
            assert!(store.now() >= opened + VOTING);
            let (_, events) = store.entity_and_events(entity(id), 0, 99).await.unwrap();
            let closed = events.iter().rev().map(|event| String::from_utf8_lossy(event).into_owned());
            let closed = closed.into_iter().find(|event| event.contains("vote_closed")).unwrap();
            assert!(closed.contains("expired"), "{closed}");
            assert!(read(&service, id).await.current.is_some_and(|current| !current.is_cancelled));
            running.abort();
        });
    }
}
