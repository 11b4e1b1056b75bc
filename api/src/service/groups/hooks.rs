//! The webhooks of groups.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::group::GroupId;
use crate::group::edit::GroupEdit;
use crate::group::stored::Group;
use crate::model::event_kind::EventKind;
use crate::model::event_kind::GroupEventKind;
use crate::service::call::Call;
use crate::service::groups::access::owner;
use crate::service::webhooks::HookedEntity;

impl HookedEntity for Group {
    fn has_event(word: &str) -> bool {
        GroupEventKind::parse(word).is_some() || EventKind::parse(word).is_some()
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.webhooks
    }

    fn note_webhooks(edit: &mut GroupEdit) -> Result<(), Problem> {
        edit.add(GroupEventKind::WebhooksChanged)
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        owner(self, call)
    }

    fn webhooks_path(id: GroupId) -> String {
        format!("/v1/groups/{id}/webhooks")
    }
}
