//! Implements the traits by which the commit loop changes groups.

use crate::error::Problem;
use crate::group::edit::GroupEdit;
use crate::group::stored::{Group, GroupStatus, not_found};
use crate::group::{GROUP, GroupId, entity};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::groups::access::token;
use crate::service::groups::due::retention_of;
use crate::service::schedule::FIRST_CHECK;
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};

/// The group whose webhooks have to be woken after a commit; `None` if the webhooks have no new events.
pub(crate) struct GroupEffects(Option<GroupId>);

impl Entity for Group {
    const KIND: Kind = GROUP;

    type Edit = GroupEdit;

    fn check_token(call: &Call) -> Result<(), Problem> {
        token(call)
    }

    fn not_found() -> Problem {
        not_found()
    }

    fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        Self::read(snapshot)
    }
}

impl EntityEdit for GroupEdit {
    type Entity = Group;

    type Effects = GroupEffects;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        Ok(Self::begin(stored.id.id, Group::read(&stored.snapshot)?, service.store.now()))
    }

    fn version_before(&self) -> u64 {
        self.version_before()
    }

    fn events(&self) -> u64 {
        self.group.events
    }

    fn entity(&mut self) -> &mut Group {
        &mut self.group
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, GroupEffects), Problem> {
        let effects = GroupEffects(self.notifies_webhooks().then_some(self.id));
        let (status, is_new_state, now) = (self.group.status, self.is_new_state, self.group.changed_at);
        let mut change = EntityChange { text, ..self.into_change()? };
        if is_new_state {
            change.deadline = (status != GroupStatus::Finished).then_some(now + FIRST_CHECK);
            service.add_expiry(&mut change, retention_of(&service.keep, status));
        }
        Ok((change, effects))
    }

    fn apply(service: &Service, GroupEffects(woken): GroupEffects) {
        if let Some(id) = woken {
            service.wake_webhooks(entity(id));
        }
    }
}
