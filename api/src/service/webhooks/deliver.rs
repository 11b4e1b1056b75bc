//! Delivers events to webhooks.
//!
//! What is due stands in the queue of the turn timers, under an id of its own beside that of the game. It is entered
//! before there is a webhook, entered again after every commit that tells something, and stands there until the game is
//! over and everything was delivered; so a process that dies costs some seconds. Whoever takes it writes that it does,
//! so that two never deliver at a time; a message is sent twice only where a process dies, or loses the store, after it
//! was taken. It carries the same id then.

use futures_util::future::join_all;

use crate::error::Problem;
use crate::game::event::{StoredEvent, as_written};
use crate::game::setup::Webhook;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::ground::clock;
use crate::model::webhook::{WebhookData, WebhookMessage};
use crate::service::schedule::deadlines::{NEVER, NOT_YET, created};
use crate::service::webhooks::Secret;
use crate::service::webhooks::progress::{Deliveries, Outcome, Range};
use crate::service::{Service, access};
use crate::store::{Change, Commit, EntityId, StoreError, Task};

/// How long whoever delivers is believed to, in milliseconds: longer than any message takes.
const BUSY: u64 = 30_000;
/// When it is looked again where somebody else delivers, in milliseconds.
const SOON: u64 = 1_000;
/// How often a game is looked at, told or not, in milliseconds.
const STANDING: u64 = 20_000;
/// How often it is tried to write what became of messages.
const TRIES: usize = 8;

/// A message that was sent.
struct Sent<'h> {
    hook: &'h Webhook,
    range: Range,
    result: Result<(), String>,
}

impl Service {
    /// What a game has told is to be delivered: soon, and by whichever process.
    pub(crate) fn wake_webhooks(&self, game: EntityId) {
        let look = self.queue(game, self.store.now());
        tokio::spawn(async move {
            if let Err(error) = look.await {
                tracing::debug!(entity = %game, %error, "webhooks are told some seconds late");
            }
        });
    }

    /// Enters the deliveries of a game in the queue.
    pub(crate) fn queue(&self, game: EntityId, at: u64) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let store = std::sync::Arc::clone(&self.store);
        async move {
            let change = Change::Schedule { task: Task::deliveries(game), at: Some(at) };
            store.commit(Commit::from(change)).await
        }
    }

    /// Delivers what is due of a game, and enters when it is to be looked at next.
    pub(crate) async fn deliver(self, game: EntityId) {
        let delivered = async {
            let at = self.deliver_what_is_due(game).await?;
            let change = Change::Schedule { task: Task::deliveries(game), at };
            Ok::<_, Problem>(self.store.commit(Commit::from(change)).await?)
        };
        if let Err(problem) = delivered.await {
            tracing::warn!(entity = %game, %problem, "webhooks were not told: it is tried again");
        }
    }

    /// When the game is to be looked at next.
    async fn deliver_what_is_due(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
        let Some(stored) = stored else { return Ok((now < created(id) + NEVER).then_some(now + NOT_YET)) };
        let (game, mut deliveries) = (Game::read(&stored.snapshot)?, Deliveries::read(&bytes)?);
        if deliveries.busy_until > now {
            return Ok(Some(now + SOON));
        }
        let due =
            game.setup.webhooks.iter().filter_map(|hook| Some((hook, deliveries.of(hook).due(game.events, now)?)));
        let due: Vec<_> = due.collect();
        if due.is_empty() {
            return Ok(next(&game, &deliveries, now));
        }
        deliveries.busy_until = now + BUSY;
        match self.write_deliveries(id, version, &deliveries).await {
            Err(StoreError::Conflict(_)) => return Ok(Some(now + SOON)),
            claimed => claimed?,
        }
        let sent = due
            .into_iter()
            .map(|(hook, range)| async move { Sent { hook, range, result: self.send(id, hook, range).await } });
        self.note(id, &join_all(sent).await).await
    }

    /// Writes what became of messages; when the game is to be looked at next.
    async fn note(&self, id: EntityId, sent: &[Sent<'_>]) -> Result<Option<u64>, Problem> {
        for _ in 0..TRIES {
            let now = self.store.now();
            let (stored, (version, bytes)) = self.store.entity_and_deliveries(id).await?;
            let game = Game::read(&stored.ok_or_else(access::not_found)?.snapshot)?;
            let mut deliveries = Deliveries::read(&bytes)?;
            deliveries.busy_until = 0;
            let mut outcomes = Vec::new();
            for Sent { hook, range, result } in sent {
                let mut progress = deliveries.of(hook);
                outcomes.push(progress.note(*range, result.clone(), now, self.retries, spread()));
                deliveries.hooks.insert(hook.id.clone(), progress);
            }
            // Those of webhooks that were removed meanwhile.
            deliveries.hooks.retain(|id, _| game.setup.webhooks.iter().any(|hook| hook.id == *id));
            match self.write_deliveries(id, version, &deliveries).await {
                Err(StoreError::Conflict(_)) => {}
                written => {
                    written?;
                    outcomes.into_iter().for_each(|outcome| self.metrics.count_delivery(word(outcome)));
                    return Ok(next(&game, &deliveries, now));
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

    /// Sends a message, unless the webhook wants none of its events.
    async fn send(&self, game: EntityId, hook: &Webhook, (first, last): Range) -> Result<(), String> {
        let count = usize::try_from(last + 1 - first).unwrap_or(usize::MAX);
        let (_, events) =
            self.store.entity_and_events(game, first - 1, count).await.map_err(|error| error.to_string())?;
        let (mut wanted, mut newest) = (Vec::new(), None);
        for event in events {
            let StoredEvent { event: word, at, .. } =
                StoredEvent::read(&event).map_err(|problem| problem.to_string())?;
            if hook.events.is_empty() || hook.events.iter().any(|wanted| *wanted == word) {
                newest = Some(at.into_owned());
                wanted.push(event);
            }
        }
        let Some(timestamp) = newest else { return Ok(()) };
        let events = as_written(wanted).map_err(|problem| problem.to_string())?;
        let message = WebhookMessage {
            kind: "game.events".to_owned(),
            timestamp,
            data: WebhookData { game: game.id.to_string(), webhook: hook.id.clone(), events },
        };
        let body = serde_json::to_string(&message).map_err(|error| error.to_string())?;
        let secret = Secret::read(&hook.secret).ok_or("its secret cannot be read")?;
        let (id, time) = (format!("msg_{}_{first}", hook.id), clock::seconds());
        let signature = secret.sign(&id, time, &body);
        let headers = [("webhook-id", id), ("webhook-timestamp", time.to_string()), ("webhook-signature", signature)];
        self.sender.send(&hook.url, &headers, body).await
    }
}

fn next(game: &Game, deliveries: &Deliveries, now: u64) -> Option<u64> {
    let due = game.setup.webhooks.iter().filter_map(|hook| deliveries.of(hook).next(game.events, now)).min();
    let stands = !game.setup.webhooks.is_empty() && game.status != Status::Finished;
    due.into_iter().chain(stands.then_some(now + STANDING)).min()
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Delivered => "delivered",
        Outcome::Failed => "failed",
        Outcome::Dead => "dead",
    }
}

/// A number below 1; without chance, the middle.
fn spread() -> f64 {
    getrandom::u32().map_or(0.5, |number| f64::from(number) / (f64::from(u32::MAX) + 1.0))
}
