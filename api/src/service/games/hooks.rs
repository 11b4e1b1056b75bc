//! The webhooks of games.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::game::event::EventKind;
use crate::game::stored::Game;
use crate::game::{GameId, entity};
use crate::model::webhook::{CreateWebhook, Redeliver};
use crate::service::call::Call;
use crate::service::games::reading::game_id;
use crate::service::reply::Reply;
use crate::service::webhooks::HookedEntity;
use crate::service::{Service, access};

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

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        access::owner(self, call)
    }

    fn webhooks_path(id: GameId) -> String {
        format!("/v1/games/{id}/webhooks")
    }
}

impl Service {
    /// Registers a webhook of a game.
    ///
    /// # Errors
    /// The caller is not the owner, the URL or an event is not allowed, or the game has too many webhooks.
    pub(crate) async fn create_webhook(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &CreateWebhook,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.add_webhook::<Game>(call, body, entity(game_id(id)?), wish).await
    }

    /// Lists the webhooks of a game with their progress.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub(crate) async fn list_webhooks(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.webhooks_of::<Game>(call, entity(game_id(id)?)).await
    }

    /// Removes a webhook of a game.
    ///
    /// # Errors
    /// The caller is not the owner, or there is no such webhook.
    pub(crate) async fn delete_webhook(&self, call: &Call, id: &str, webhook: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.remove_webhook::<Game>(call, entity(game_id(id)?), webhook).await
    }

    /// Sends dead messages of a game again.
    ///
    /// # Errors
    /// The caller is not the owner, or there is no such webhook.
    pub(crate) async fn redeliver(
        &self,
        call: &Call,
        id: &str,
        webhook: &str,
        wish: &Redeliver,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.redeliver_to::<Game>(call, entity(game_id(id)?), webhook, wish).await
    }
}
