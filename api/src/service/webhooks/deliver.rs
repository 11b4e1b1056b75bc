//! Delivers events to webhooks.
//!
//! An entity with webhooks has a task in the schedule. The task is added before the first webhook, and runs after every
//! commit with events. The task stays while a message is pending, and while an entity that is not closed has a webhook.
//! So if a process dies, messages are delayed only by seconds.
//!
//! The process that runs the task writes a lease into the deliveries of the entity, so that no other process sends at
//! the same time. A receiver may get a message twice: if its answer is late or lost, or if the process dies or loses
//! the store before it has written the result. Both copies have the same id.

use std::sync::Arc;

use futures_util::future::join_all;

use crate::error::Problem;
use crate::follow::{EventHead, Webhook, as_written};
use crate::ground::clock;
use crate::model::webhook::{WebhookData, WebhookMessage};
use crate::service::Service;
use crate::service::entity;
use crate::service::webhooks::progress::{Deliveries, DeliveryResult, EventRange};
use crate::service::webhooks::{HookedEntity, Secret};
use crate::store::{Change, Commit, EntityId, LeasedTask, StoreError, StoredEntity, Task};

/// Length, in milliseconds, of the lease under which one process sends the messages of an entity. The lease is longer
/// than any message takes. When it has ended, another process may send.
const SENDER_LEASE: u64 = 30_000;
/// Pause, in milliseconds, before the task runs again if another process is sending at the moment.
const SOON: u64 = 1_000;
/// Longest pause between two runs of the task of an entity that is not closed, in milliseconds.
const RECHECK: u64 = 20_000;
/// Maximum number of attempts to write the results of messages. An attempt fails if the deliveries have changed.
const RESULT_TRIES: usize = 8;

/// A message that was sent, and the result.
struct SentMessage<'h> {
    hook: &'h Webhook,
    range: EventRange,
    result: Result<(), String>,
}

impl SentMessage<'_> {
    /// Logs that the message is not sent again. The reason does not contain the address of the webhook.
    fn log_given_up(&self, id: EntityId) {
        let Self { hook, range: (first, last), result } = self;
        let reason = result.as_ref().err().map(String::as_str).unwrap_or_default();
        tracing::info!(entity = %id, webhook = %hook.id, first, last, reason, "webhook message given up");
    }
}

impl Service {
    /// Makes the deliveries of an entity due at once. Any process may take the task.
    pub(crate) fn wake_webhooks(&self, id: EntityId) {
        let store = Arc::clone(&self.store);
        let change = Change::ScheduleBy(vec![(Task::deliveries(id), store.now())]);
        tokio::spawn(async move {
            if let Err(error) = store.commit(Commit::from(change)).await {
                tracing::debug!(entity = %id, %error, "webhook wake-up failed, deliveries wait for the schedule");
            }
        });
    }

    /// Sends the due messages of an entity, and schedules its next deliveries.
    pub(in crate::service) async fn deliver<E: HookedEntity>(self, leased: LeasedTask) {
        let id = leased.task.id;
        let delivered = async {
            let at = self.deliver_due::<E>(id).await?;
            let change = Change::EndLease { leased, at };
            Ok::<_, Problem>(self.store.commit(Commit::from(change)).await?)
        };
        if let Err(problem) = delivered.await {
            tracing::warn!(entity = %id, %problem, "webhook delivery failed, retrying");
        }
    }

    /// Sends the due messages of an entity. Returns the time of its next deliveries.
    async fn deliver_due<E: HookedEntity>(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
        let Some(stored) = stored else { return Ok(entity::may_yet_exist(id, now)) };
        let (entity, mut deliveries) = (E::read(&stored.snapshot)?, Deliveries::read(&bytes)?);
        if deliveries.busy_until > now {
            return Ok(Some(now + SOON));
        }
        let hooks = entity.webhooks();
        let due = hooks.iter().filter_map(|hook| Some((hook, deliveries.of(hook).due(stored.events, now)?)));
        let due: Vec<_> = due.collect();
        if due.is_empty() {
            return Ok(next_task(&stored, hooks, &deliveries, now));
        }
        deliveries.busy_until = now + SENDER_LEASE;
        match self.write_deliveries(id, version, &deliveries).await {
            Err(StoreError::Conflict(_)) => return Ok(Some(now + SOON)),
            claimed => claimed?,
        }
        let sent = due
            .into_iter()
            .map(|(hook, range)| async move { SentMessage { hook, range, result: self.send(id, hook, range).await } });
        self.record_results::<E>(id, &join_all(sent).await).await
    }

    /// Writes the results of messages to the store. Returns the time of the entity's next deliveries.
    async fn record_results<E: HookedEntity>(
        &self,
        id: EntityId,
        sent: &[SentMessage<'_>],
    ) -> Result<Option<u64>, Problem> {
        for _ in 0..RESULT_TRIES {
            let now = self.store.now();
            let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
            let stored = stored.ok_or_else(E::not_found)?;
            let entity = E::read(&stored.snapshot)?;
            let hooks = entity.webhooks();
            let mut deliveries = Deliveries::read(&bytes)?;
            deliveries.busy_until = 0;
            let mut results = Vec::new();
            for message in sent {
                let SentMessage { hook, range, result } = message;
                let mut progress = deliveries.of(hook);
                results.push((message, progress.record(*range, result.clone(), now, self.retries, spread())));
                deliveries.hooks.insert(hook.id.clone(), progress);
            }
            // The progress of webhooks that were removed in the meantime is dropped.
            deliveries.hooks.retain(|id, _| hooks.iter().any(|hook| hook.id == *id));
            match self.write_deliveries(id, version, &deliveries).await {
                Err(StoreError::Conflict(_)) => {}
                written => {
                    written?;
                    for (message, result) in results {
                        self.metrics.count_delivery(result.word());
                        if result == DeliveryResult::GivenUp {
                            message.log_given_up(id);
                        }
                    }
                    return Ok(next_task(&stored, hooks, &deliveries, now));
                }
            }
        }
        Ok(Some(self.store.now() + SOON))
    }

    pub(crate) async fn write_deliveries(
        &self,
        id: EntityId,
        expected: u64,
        deliveries: &Deliveries,
    ) -> Result<(), StoreError> {
        let value = deliveries.write().map_err(|problem| StoreError::Damaged(problem.to_string()))?;
        self.store.commit(Commit::from(Change::Deliveries { id, expected, value })).await
    }

    /// Sends a message with those events of the range whose words the webhook lists. If there are none, sends nothing,
    /// and the message counts as delivered.
    async fn send(&self, id: EntityId, hook: &Webhook, (first, last): EventRange) -> Result<(), String> {
        let count = usize::try_from(last + 1 - first).unwrap_or(usize::MAX);
        let (_, events) =
            self.store.entity_and_events(id, first - 1, count).await.map_err(|error| error.to_string())?;
        let (mut wanted, mut newest) = (Vec::new(), None);
        for event in events {
            let EventHead { event: word, at } = EventHead::read(&event).map_err(|problem| problem.to_string())?;
            if hook.events.is_empty() || hook.events.iter().any(|wanted| *wanted == word) {
                newest = Some(at.into_owned());
                wanted.push(event);
            }
        }
        let Some(timestamp) = newest else { return Ok(()) };
        let events = as_written(wanted).map_err(|problem| problem.to_string())?;
        let message = WebhookMessage {
            kind: format!("{}.events", id.kind),
            timestamp,
            data: WebhookData { entity: id, webhook: hook.id.clone(), events },
        };
        let body = serde_json::to_string(&message).map_err(|error| error.to_string())?;
        let secret = Secret::read(&hook.secret).ok_or("the secret of the webhook cannot be read")?;
        let (message, time) = (format!("msg_{}_{first}", hook.id), clock::seconds());
        let signature = secret.sign(&message, time, &body);
        let headers =
            [("webhook-id", message), ("webhook-timestamp", time.to_string()), ("webhook-signature", signature)];
        self.sender.send(&hook.url, &headers, body).await
    }
}

fn next_task(stored: &StoredEntity, hooks: &[Webhook], deliveries: &Deliveries, now: u64) -> Option<u64> {
    let due = deliveries.next_attempt(hooks, stored.events, now);
    let stays = !hooks.is_empty() && !stored.is_closed;
    due.into_iter().chain(stays.then_some(now + RECHECK)).min()
}

/// Draws a random number from 0 up to, but not including, 1. Returns 0.5 if the operating system has no random bytes.
fn spread() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / (f64::from(u32::MAX) + 1.0))
}
