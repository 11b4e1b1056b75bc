//! The regular check of a group, which finishes the work of processes that died; and the retention of groups.

use std::time::Duration;

use crate::config::Retention;
use crate::error::Problem;
use crate::group::edit::GroupEdit;
use crate::group::stored::{Group, GroupStatus};
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::entity::may_yet_exist;
use crate::service::schedule::{DueEntity, FIRST_CHECK, StateRetention};
use crate::store::EntityId;

/// The longest pause between two checks of a group that is not over, in milliseconds.
const LONGEST_PAUSE: u64 = 300_000;

impl Service {
    /// Copies the events of games that a group does not have yet, creates its games that do not exist yet, and removes
    /// the group if it has expired. Returns the time of the next check.
    ///
    /// Usually the process that changes a game copies its events at once. The check copies them if that process died
    /// before. It runs every ten seconds while a group changes often, every few minutes while it does not change, and
    /// ends when the group is over.
    pub(in crate::service) async fn check_group(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
        let group = Group::read(&stored.snapshot)?;
        let mut next = None;
        if group.status != GroupStatus::Finished {
            let unfinished: Vec<_> = group.unfinished().map(|member| member.id).collect();
            self.gather(id.id, &unfinished).await?;
            next = Some(now + pause_after(now.saturating_sub(group.changed_at)));
        }
        let expiry = self.check::<Group>(id).await?;
        Ok(expiry.into_iter().chain(next).min())
    }
}

/// Returns the pause before the next check of a group that has not changed for the time `quiet`: half of that time.
fn pause_after(quiet: u64) -> u64 {
    (quiet / 2).clamp(FIRST_CHECK, LONGEST_PAUSE)
}

impl DueEntity for Group {
    /// Returns `None`, because a group has no deadlines. [`Service::check_group`] returns the time of the next check.
    fn due_at(&self, _: u64) -> Option<u64> {
        None
    }

    async fn run_due(_: &Service, _: &mut GroupEdit) -> Result<(), Problem> {
        Ok(())
    }

    fn retention(&self, service: &Service) -> StateRetention {
        retention_of(&service.keep, self.status)
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        service.keep.finished.map(milliseconds)
    }

    fn count_expired(&self, _: &Metrics) {}
}

/// Returns how long a group with this status is kept. A group that is over is kept as long as a game that is over; any
/// other group is kept as long as the games that are kept longest.
pub(super) fn retention_of(keep: &Retention, status: GroupStatus) -> StateRetention {
    let finished = keep.finished.map(milliseconds);
    if status == GroupStatus::Finished {
        return StateRetention { present: finished, later: None };
    }
    let longest = [keep.open, keep.playing, keep.finished].into_iter().collect::<Option<Vec<_>>>();
    let longest = longest.and_then(|kept| kept.into_iter().max());
    StateRetention { present: longest.map(milliseconds), later: finished }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_group_is_checked_less_often() {
        assert_eq!([0, 60_000, 86_400_000].map(pause_after), [FIRST_CHECK, 30_000, LONGEST_PAUSE]);
    }

    #[test]
    fn a_group_is_kept_as_long_as_any_of_its_games() {
        let day = |days: u64| Some(Duration::from_secs(days * 86_400));
        let keep = Retention { open: day(30), playing: day(7), finished: day(2), ..Retention::default() };
        let kept = |status| retention_of(&keep, status).present.map(|kept| kept / 86_400_000);
        assert_eq!(kept(GroupStatus::Open), Some(30));
        assert_eq!(kept(GroupStatus::Finished), Some(2));
        let keep = Retention { playing: None, ..keep };
        assert_eq!(retention_of(&keep, GroupStatus::Complete).present, None);
    }
}
