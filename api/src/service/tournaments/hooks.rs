//! The webhooks of tournaments.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::model::event_kind::TournamentEventKind;
use crate::service::call::Call;
use crate::service::tournaments::access::organiser;
use crate::service::webhooks::HookedEntity;
use crate::tournament::TournamentId;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
use crate::tournament::stored::Tournament;

impl HookedEntity for Tournament {
    fn has_event(word: &str) -> bool {
        TournamentEventKind::parse(word).is_some()
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.webhooks
    }

    fn note_webhooks(edit: &mut TournamentEdit) -> Result<(), Problem> {
        edit.add(TournamentEventKind::WebhooksChanged, EventSubjects::default())
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        organiser(self, call)
    }

    fn webhooks_path(id: TournamentId) -> String {
        format!("/v1/tournaments/{id}/webhooks")
    }
}
