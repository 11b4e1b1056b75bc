//! The webhooks of players.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::model::event_kind::PlayerEventKind;
use crate::player::PlayerId;
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;
use crate::service::call::Call;
use crate::service::players::access::own;
use crate::service::webhooks::HookedEntity;

impl HookedEntity for Player {
    fn has_event(word: &str) -> bool {
        PlayerEventKind::parse(word).is_some()
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.webhooks
    }

    fn note_webhooks(edit: &mut PlayerEdit) -> Result<(), Problem> {
        edit.add(PlayerEventKind::WebhooksChanged)
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        own(self, call)
    }

    fn webhooks_path(id: PlayerId) -> String {
        format!("/v1/players/{id}/webhooks")
    }
}
