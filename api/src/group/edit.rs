//! A group while a command changes it: its next version, and the events of the command.

use crate::error::Problem;
use crate::game::GameId;
use crate::game::planned::PlannedGame;
use crate::game::terms::Status;
use crate::ground::clock;
use crate::group::event;
use crate::group::stored::{Group, GroupStatus, MemberGame, MemberState};
use crate::group::view;
use crate::group::{GroupId, entity};
use crate::model::event_kind::GroupEventKind;
use crate::model::group::GroupView;
use crate::store::EntityChange;

/// New events and the new status of a game, to be copied into its group.
#[derive(Debug)]
pub(crate) struct GameNews {
    pub id: GameId,
    /// Number of the game's events that the group had copied already when the game was read.
    pub after: u64,
    /// The game's next events, as they are stored.
    pub events: Vec<Vec<u8>>,
    /// Number of all events of the game. It is smaller than `after` if the store has lost events of the game.
    pub all: u64,
    /// The status of the game; `None` if the game was removed.
    pub status: Option<Status>,
}

/// A group that a command changes, until it is committed as its next version.
pub(crate) struct GroupEdit {
    pub id: GroupId,
    /// The next version of the group.
    pub group: Group,
    /// Whether the group needs a new deadline, because games were added or its status has changed.
    pub is_new_state: bool,
    /// The version of the group before the command.
    version_before: u64,
    events: Vec<Vec<u8>>,
}

impl GroupEdit {
    /// Begins to change a group, or makes a new one. `now` is in milliseconds since 1970.
    pub(crate) fn begin(id: GroupId, mut group: Group, now: u64) -> Self {
        let version_before = group.version;
        group.version += 1;
        group.changed_at = now;
        Self { id, group, is_new_state: version_before == 0, version_before, events: Vec::new() }
    }

    /// Returns the version of the group before the command.
    pub(crate) fn version_before(&self) -> u64 {
        self.version_before
    }

    /// Appends an event about the group itself.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn add(&mut self, kind: GroupEventKind) -> Result<(), Problem> {
        self.group.events += 1;
        self.events.push(event::own(self.group.events, kind, &clock::at(self.group.changed_at))?);
        Ok(())
    }

    /// Adds the plans of games that have still to be created.
    pub(crate) fn plan(&mut self, games: &[(GameId, PlannedGame)]) {
        let members = games.iter().map(|(id, planned)| MemberGame {
            id: *id,
            events: 0,
            standing: MemberState::Planned(Box::new(planned.clone())),
        });
        self.group.members.extend(members);
        self.is_new_state = true;
    }

    /// Copies new events of games into the group. Events that the group has already are left out, so a caller may pass
    /// the same events twice.
    ///
    /// # Errors
    /// An event is damaged.
    pub(crate) fn take(&mut self, news: &[GameNews]) -> Result<(), Problem> {
        for GameNews { id, after, events, all, status } in news {
            let Some(member) = self.group.member_mut(*id) else { continue };
            let copied_before = member.events;
            if copied_before < *after {
                // The store has lost the version of the group that had copied events up to `after`. The next attempt
                // reads group and game again.
                continue;
            }
            if copied_before == *after && all < after && status.is_some() {
                // The store has lost events of the game that the group had copied. The next events of the game get the
                // lost numbers.
                member.events = *all;
                continue;
            }
            let last = after + events.len() as u64;
            if last >= copied_before {
                member.events = last;
                member.standing = match status {
                    None => MemberState::Removed,
                    // The status belongs to the last event of the game, so it counts only when that event is copied.
                    Some(Status::Finished) if last < *all => MemberState::Created(Status::Playing),
                    Some(status) => MemberState::Created(*status),
                };
            }
            let copied = usize::try_from(copied_before - after).unwrap_or(usize::MAX);
            for event in events.iter().skip(copied) {
                self.group.events += 1;
                self.events.push(event::copy(self.group.events, *id, event)?);
            }
        }
        self.finish_if_over()
    }

    /// Notes that no more games will be added to the group.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn complete(&mut self) -> Result<(), Problem> {
        self.group.status = GroupStatus::Complete;
        self.is_new_state = true;
        self.add(GroupEventKind::Complete)?;
        self.finish_if_over()
    }

    fn finish_if_over(&mut self) -> Result<(), Problem> {
        if self.group.status == GroupStatus::Complete && self.group.unfinished().next().is_none() {
            self.group.status = GroupStatus::Finished;
            self.is_new_state = true;
            self.add(GroupEventKind::Over)?;
        }
        Ok(())
    }

    /// Returns the view of the changed group.
    pub(crate) fn view(&self) -> GroupView<'_> {
        view::group(self.id, &self.group)
    }

    /// Tells whether webhooks have new events to deliver.
    pub(crate) fn notifies_webhooks(&self) -> bool {
        !self.group.webhooks.is_empty() && !self.events.is_empty()
    }

    /// Makes the change to commit.
    ///
    /// # Errors
    /// The group cannot be encoded, which its type makes impossible.
    pub(crate) fn into_change(self) -> Result<EntityChange, Problem> {
        Ok(EntityChange {
            id: entity(self.id),
            expected: self.version_before,
            snapshot: self.group.write()?,
            changed_at: self.group.changed_at,
            is_closed: self.group.status == GroupStatus::Finished,
            tags: None,
            events: self.events,
            text: None,
            deadline: None,
        })
    }
}
