//! The webhooks of games.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::game::GameId;
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::stored::Game;
use crate::model::event_kind::EventKind;
use crate::service::access;
use crate::service::call::Call;
use crate::service::webhooks::HookedEntity;

impl HookedEntity for Game {
    fn has_event(word: &str) -> bool {
        EventKind::parse(word).is_some()
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.setup.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.setup_mut().webhooks
    }

    fn note_webhooks(edit: &mut Edit) -> Result<(), Problem> {
        edit.add(Event::of_game(EventKind::WebhooksChanged));
        Ok(())
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        access::owner(self, call)
    }

    fn webhooks_path(id: GameId) -> String {
        format!("/v1/games/{id}/webhooks")
    }
}
