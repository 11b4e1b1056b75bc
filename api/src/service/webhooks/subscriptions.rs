//! The webhooks of an entity: registers, lists and removes them, and sends messages again that were given up.

use uuid::Uuid;

use crate::error::{Code, Problem, detail, internal};
use crate::follow::Webhook;
use crate::ground::clock;
use crate::model::webhook::{
    CreateWebhook, CreatedWebhook, GivenUpView, Redeliver, Redelivered, WebhookList, WebhookState, WebhookView,
};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{EntityEdit, check_seen};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::webhooks::progress::{Deliveries, GivenUpMessage, WebhookProgress};
use crate::service::webhooks::{HookedEntity, Secret, target};
use crate::store::{Change, Commit, EntityId, StoreError, Task};

/// Maximum number of webhooks of an entity.
pub(crate) const MOST_WEBHOOKS: usize = 4;
/// Maximum number of event words that a webhook may name.
const MOST_EVENTS: usize = 32;
/// Time, in milliseconds, between scheduling the deliveries and their first run. The webhook is committed in between.
const LEAD: u64 = 30_000;
/// Maximum number of attempts to change the deliveries. An attempt fails if they have changed in the meantime.
const DELIVERY_TRIES: usize = 16;

/// An entity with the progress of its webhooks.
struct HookedState<E> {
    entity: E,
    /// The version of the deliveries.
    version: u64,
    deliveries: Deliveries,
}

impl Service {
    /// Registers a webhook.
    ///
    /// # Errors
    /// The caller is not the owner, the URL or an event is not allowed, or the entity has too many webhooks.
    pub(crate) async fn add_webhook<E: HookedEntity>(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &CreateWebhook,
    ) -> Result<Reply, Problem> {
        E::check_token(call)?;
        let id = E::named(id)?;
        let (stored, answer) = self.entity_and_reply(id, call, body).await?;
        if let Some(answer) = answer {
            return Ok(answer);
        }
        E::read(&stored.ok_or_else(E::not_found)?.snapshot)?.check_hook_owner(call)?;
        let url = target::read(&wish.url, self.sender.allows_private());
        let url = url.map_err(|reason| Problem::body("/url", reason))?;
        check_events::<E>(&wish.events)?;
        let given = wish.secret.as_deref().map(|text| Secret::read(text).ok_or_else(bad_secret)).transpose()?;
        // The task is scheduled before the commit, so that every committed webhook has a task. A task that is due
        // earlier stays as it is: the command may be refused, and other webhooks wait for their messages.
        let task = (Task::deliveries(id), self.store.now() + LEAD);
        self.store.commit(Commit::from(Change::ScheduleBy(vec![task]))).await?;
        self.change(IdempotentRequest::secret(call, body)?, id, |edit: &mut E::Edit| {
            edit.entity().check_hook_owner(call)?;
            check_seen(edit, call)?;
            if edit.entity().webhooks().len() >= MOST_WEBHOOKS {
                return Err(Problem::new(
                    Code::WebhooksFull,
                    detail!("the {kind} has {most} webhooks", kind = E::KIND.to_string(), most = MOST_WEBHOOKS),
                ));
            }
            let secret = match &given {
                Some(secret) => secret.clone(),
                None => Secret::new().map_err(internal)?,
            };
            // The webhook gets only the events after this one, which says that the webhooks have changed.
            E::note_webhooks(edit)?;
            let hook = Webhook {
                id: Uuid::now_v7().simple().to_string(),
                url: url.to_string(),
                secret: secret.reveal(),
                events: wish.events.clone(),
                after: edit.events(),
                created_at: clock::now(),
                is_of_operator: call.is_admin,
            };
            let webhook = view(&hook, &Deliveries::default().of(&hook));
            edit.entity().webhooks_mut().push(hook);
            let answer = CreatedWebhook { webhook, secret: secret.reveal() };
            let reply = Reply::new(201, &answer)?.at_version(edit.version_before() + 1);
            Ok(reply.at_location(E::webhooks_path(id.id)))
        })
        .await
    }

    /// Lists the webhooks of an entity with their progress.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub(crate) async fn webhooks_of<E: HookedEntity>(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        E::check_token(call)?;
        let id = E::named(id)?;
        let HookedState { entity, deliveries, .. } = self.hooked_state::<E>(call, id).await?;
        Reply::ok(&WebhookList { webhooks: views(entity.webhooks(), &deliveries) })
    }

    /// Removes a webhook.
    ///
    /// # Errors
    /// The caller is not the owner, or there is no such webhook.
    pub(crate) async fn remove_webhook<E: HookedEntity>(
        &self,
        call: &Call,
        id: &str,
        webhook: &str,
    ) -> Result<Reply, Problem> {
        E::check_token(call)?;
        let id = E::named(id)?;
        self.change(None, id, |edit: &mut E::Edit| {
            edit.entity().check_hook_owner(call)?;
            check_seen(edit, call)?;
            let removed = hook_of(edit.entity(), webhook)?.id.clone();
            edit.entity().webhooks_mut().retain(|hook| hook.id != removed);
            E::note_webhooks(edit)?;
            Ok(Reply::done(edit.version_before() + 1))
        })
        .await
    }

    /// Sends messages again that were given up.
    ///
    /// # Errors
    /// The caller is not the owner, or there is no such webhook.
    pub(crate) async fn redeliver_to<E: HookedEntity>(
        &self,
        call: &Call,
        id: &str,
        webhook: &str,
        wish: &Redeliver,
    ) -> Result<Reply, Problem> {
        E::check_token(call)?;
        let id = E::named(id)?;
        for _ in 0..DELIVERY_TRIES {
            let HookedState { entity, version, mut deliveries } = self.hooked_state::<E>(call, id).await?;
            let hook = hook_of(&entity, webhook)?;
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

    async fn hooked_state<E: HookedEntity>(&self, call: &Call, id: EntityId) -> Result<HookedState<E>, Problem> {
        let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
        let entity = E::read(&stored.ok_or_else(E::not_found)?.snapshot)?;
        entity.check_hook_owner(call)?;
        Ok(HookedState { entity, version, deliveries: Deliveries::read(&bytes)? })
    }
}

fn hook_of<'e, E: HookedEntity>(entity: &'e E, webhook: &str) -> Result<&'e Webhook, Problem> {
    let hook = entity.webhooks().iter().find(|hook| hook.id.eq_ignore_ascii_case(webhook));
    hook.ok_or_else(|| {
        Problem::new(
            Code::WebhookNotFound,
            detail!("the {kind} has no webhook `{webhook}`", kind = E::KIND.to_string(), webhook),
        )
    })
}

/// Returns webhooks with their progress, as their owner sees them: without the secrets.
pub(crate) fn views(hooks: &[Webhook], deliveries: &Deliveries) -> Vec<WebhookView> {
    hooks.iter().map(|hook| view(hook, &deliveries.of(hook))).collect()
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
        given_up: progress.given_up.iter().map(given_up).collect(),
    }
}

fn given_up(message: &GivenUpMessage) -> GivenUpView {
    GivenUpView {
        first: message.range.0,
        last: message.range.1,
        at: clock::at(message.at),
        attempts: message.attempts,
        reason: message.reason.clone(),
    }
}

fn check_events<E: HookedEntity>(events: &[String]) -> Result<(), Problem> {
    if events.len() > MOST_EVENTS {
        let (count, most) = (events.len(), MOST_EVENTS);
        return Err(Problem::body("/events", detail!("there are {count}, at most {most} are allowed", count, most)));
    }
    for (index, event) in events.iter().enumerate() {
        if !E::has_event(event) {
            let shown: String = event.chars().take(32).collect();
            return Err(Problem::body(
                &format!("/events/{index}"),
                detail!("`{event}` is not an event of a {kind}", event = shown, kind = E::KIND.to_string()),
            ));
        }
    }
    Ok(())
}

fn bad_secret() -> Problem {
    Problem::body("/secret", detail!("a secret is `whsec_` and 24 to 64 bytes in base64"))
}
