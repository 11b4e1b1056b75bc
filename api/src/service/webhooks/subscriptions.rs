//! The webhooks of a game: created, listed, deleted, and their dead messages sent again.

use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::game::entity;
use crate::game::setup::Webhook;
use crate::game::stored::Game;
use crate::ground::clock;
use crate::model::webhook::{
    CreateWebhook, CreatedWebhook, DeadLetter, Redeliver, Redelivered, WebhookList, WebhookState, WebhookView,
};
use crate::service::call::Call;
use crate::service::games::lobby::check_seen;
use crate::service::games::reading;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::webhooks::progress::{DeadMessage, Deliveries, WebhookProgress};
use crate::service::webhooks::{Secret, target};
use crate::service::{Service, access};
use crate::store::{EntityId, StoreError};

/// Most webhooks of a game.
pub(crate) const MOST: usize = 4;
/// Time, in milliseconds, from scheduling the deliveries to the first run: the webhook is committed by then.
const LEAD: u64 = 30_000;
/// Attempts to change the deliveries after conflicts.
const TRIES: usize = 16;

impl Service {
    /// Registers a webhook.
    ///
    /// # Errors
    /// The caller is not the owner, the URL is not allowed, or the game has too many webhooks.
    pub(crate) async fn create_webhook(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &CreateWebhook,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        let (game_id, game) = self.stored_game(id).await?;
        access::owner(&game, call)?;
        let url = target::read(&wish.url, self.sender.allows_private());
        let url = url.map_err(|reason| Problem::body("/url", reason))?;
        let given = wish.secret.as_deref().map(|text| Secret::read(text).ok_or_else(bad_secret)).transpose()?;
        // Scheduled before the commit: no committed webhook is without a task.
        self.schedule_deliveries(entity(game_id), self.store.now() + LEAD).await?;
        self.change_game(IdempotentRequest::secret(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            check_seen(edit, call)?;
            if edit.game.setup.webhooks.len() >= MOST {
                return Err(Problem::new(Code::WebhooksFull, format!("the game has {MOST} webhooks")));
            }
            let secret = match &given {
                Some(secret) => secret.clone(),
                None => Secret::new().map_err(internal)?,
            };
            let hook = Webhook {
                id: Uuid::now_v7().simple().to_string(),
                url: url.to_string(),
                secret: secret.reveal(),
                events: wish.events.clone(),
                after: edit.game.events,
                created_at: clock::now(),
            };
            let webhook = view(&hook, &Deliveries::default().of(&hook));
            let path = format!("/v1/games/{}/webhooks", edit.id);
            edit.game.setup_mut().webhooks.push(hook);
            let answer = CreatedWebhook { webhook, secret: secret.reveal() };
            Ok(Reply::new(201, &answer)?.at_version(edit.game.version).at_location(path))
        })
        .await
    }

    /// Lists the webhooks of a game with their progress.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub(crate) async fn list_webhooks(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        let (game, _, deliveries) = self.open_deliveries(call, entity(reading::game_id(id)?)).await?;
        let webhooks = game.setup.webhooks.iter().map(|hook| view(hook, &deliveries.of(hook)));
        Reply::ok(&WebhookList { webhooks: webhooks.collect() })
    }

    /// Removes a webhook.
    ///
    /// # Errors
    /// The caller is not the owner, or there is no such webhook.
    pub(crate) async fn delete_webhook(&self, call: &Call, id: &str, webhook: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(None, id, |edit| {
            access::owner(&edit.game, call)?;
            check_seen(edit, call)?;
            let removed = hook_of(&edit.game, webhook)?.id.clone();
            edit.game.setup_mut().webhooks.retain(|hook| hook.id != removed);
            Ok(Reply::done(edit.game.version))
        })
        .await
    }

    /// Sends dead messages again.
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
        let id = entity(reading::game_id(id)?);
        for _ in 0..TRIES {
            let (game, version, mut deliveries) = self.open_deliveries(call, id).await?;
            let hook = hook_of(&game, webhook)?;
            let mut progress = deliveries.of(hook);
            let messages = progress.redeliver(wish.first) as u64;
            deliveries.hooks.insert(hook.id.clone(), progress);
            match self.write_deliveries(id, version, &deliveries).await {
                Err(StoreError::Conflict(_)) => {}
                written => {
                    written?;
                    self.wake_webhooks(id);
                    return Reply::new(202, &Redelivered { messages });
                }
            }
        }
        Err(Problem::new(Code::StoreUnavailable, "messages are being delivered at this moment"))
    }

    async fn open_deliveries(&self, call: &Call, id: EntityId) -> Result<(Game, u64, Deliveries), Problem> {
        let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
        let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
        access::owner(&game, call)?;
        Ok((game, version, Deliveries::read(&bytes)?))
    }
}

fn hook_of<'g>(game: &'g Game, webhook: &str) -> Result<&'g Webhook, Problem> {
    let hook = game.setup.webhooks.iter().find(|hook| hook.id.eq_ignore_ascii_case(webhook));
    hook.ok_or_else(|| Problem::new(Code::WebhookNotFound, format!("the game has no webhook `{webhook}`")))
}

fn view(hook: &Webhook, progress: &WebhookProgress) -> WebhookView {
    let trying = progress.trying.as_ref();
    WebhookView {
        id: hook.id.clone(),
        url: hook.url.clone(),
        events: hook.events.clone(),
        created_at: hook.created_at.clone(),
        state: match trying {
            _ if progress.failing => WebhookState::Failing,
            Some(_) => WebhookState::Retrying,
            None => WebhookState::Working,
        },
        settled: progress.settled,
        attempts: trying.map_or(0, |trying| trying.attempts),
        next_attempt_at: trying.map(|trying| clock::at(trying.next_at)),
        reason: trying.map(|trying| trying.reason.clone()),
        dead_letters: progress.dead.iter().map(dead_letter).collect(),
    }
}

fn dead_letter(dead: &DeadMessage) -> DeadLetter {
    DeadLetter {
        first: dead.range.0,
        last: dead.range.1,
        at: clock::at(dead.at),
        attempts: dead.attempts,
        reason: dead.reason.clone(),
    }
}

fn bad_secret() -> Problem {
    Problem::body("/secret", "a secret is `whsec_` and 24 to 64 bytes in base64")
}
