//! The progress of the webhooks of an entity, and of the notices of a table. It is stored beside the entity, so that a
//! delivery does not change the version of the entity.
//!
//! A webhook receives the events of the entity in order, and its progress is the number of the last event that it got.
//! A message is a range of events. The events themselves are read from the entity when the message is sent.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::{Problem, internal};
use crate::follow::Webhook;

/// Maximum number of events in a message.
const EVENTS_A_MESSAGE: u64 = 100;
/// Maximum number of messages that were given up and are stored for each webhook. If there are more, the oldest are
/// dropped.
const MOST_GIVEN_UP: usize = 100;
/// Longest pause between two attempts to send a message.
const LONGEST_PAUSE: Duration = Duration::from_secs(12 * 60 * 60);

/// The events of a message: the numbers of the first and the last one.
pub(crate) type EventRange = (u64, u64);

/// The rules by which failed messages are sent again, and given up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RetryPolicy {
    /// The pause before the second attempt. Each later pause is four times as long as the one before.
    pub pause: Duration,
    /// Number of attempts after which a message is given up.
    pub attempts: u32,
}

/// The progress of all webhooks of an entity, and of the notices of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Deliveries {
    /// The end of the lease of the process that sends messages, in milliseconds since 1970.
    pub busy_until: u64,
    /// The progress of each webhook, by its id.
    pub hooks: BTreeMap<String, WebhookProgress>,
    /// For a table: all notices up to this number were copied into the inboxes of their players.
    #[serde(default)]
    pub notices: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WebhookProgress {
    /// Number of the last event that was delivered or given up.
    pub settled: u64,
    /// The message that failed and will be sent again; `None` if there is none.
    pub trying: Option<PendingMessage>,
    /// Whether the last message was given up. Until a message succeeds, each message gets only one attempt.
    pub failing: bool,
    /// Messages that were given up.
    #[serde(rename = "dead")]
    pub given_up: Vec<GivenUpMessage>,
    /// Messages to send again although they were given up, at the request of the owner.
    pub again: Vec<EventRange>,
}

/// A message that failed and will be sent again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingMessage {
    /// The events of the message. Every attempt sends the same events.
    pub range: EventRange,
    /// Number of attempts so far.
    pub attempts: u32,
    /// The time of the next attempt, in milliseconds since 1970.
    pub next_at: u64,
    /// The reason why the last attempt failed.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GivenUpMessage {
    pub range: EventRange,
    /// The time at which the message was given up, in milliseconds since 1970.
    pub at: u64,
    /// Number of attempts before the message was given up.
    pub attempts: u32,
    /// The reason why the last attempt failed.
    pub reason: String,
}

/// The result of sending a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeliveryResult {
    /// The receiver accepted the message.
    Delivered,
    /// The attempt failed, and another one will follow.
    Failed,
    /// The message was given up.
    GivenUp,
}

impl DeliveryResult {
    pub(crate) const ALL: [Self; 3] = [Self::Delivered, Self::Failed, Self::GivenUp];

    /// Returns the word of the result, as metrics have it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::GivenUp => "given_up",
        }
    }
}

impl Deliveries {
    /// Decodes stored deliveries. Empty bytes stand for deliveries without any progress.
    ///
    /// # Errors
    /// The bytes are damaged.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() { Ok(Self::default()) } else { serde_json::from_slice(bytes).map_err(internal) }
    }

    /// Encodes the deliveries in their stored form.
    ///
    /// # Errors
    /// The deliveries cannot be encoded, which their type makes impossible.
    pub(crate) fn write(&self) -> Result<Vec<u8>, Problem> {
        serde_json::to_vec(self).map_err(internal)
    }

    /// Returns the time of the earliest attempt that one of these webhooks needs, for an entity with this number of
    /// events. `None` if no message has to be sent.
    pub(crate) fn next_attempt(&self, hooks: &[Webhook], events: u64, now: u64) -> Option<u64> {
        hooks.iter().filter_map(|hook| self.of(hook).next_attempt(events, now)).min()
    }

    /// Returns the progress of a webhook. A new webhook begins with the first event after its registration.
    pub(crate) fn of(&self, hook: &Webhook) -> WebhookProgress {
        let fresh = || WebhookProgress { settled: hook.after, ..WebhookProgress::default() };
        self.hooks.get(&hook.id).cloned().unwrap_or_else(fresh)
    }
}

impl WebhookProgress {
    /// Returns the events of the message that is due at `now`, for an entity with this number of events.
    pub(crate) fn due(&self, events: u64, now: u64) -> Option<EventRange> {
        if let Some(again) = self.again.first() {
            return Some(*again);
        }
        match &self.trying {
            Some(trying) => (trying.next_at <= now).then_some(trying.range),
            None => (events > self.settled).then(|| (self.settled + 1, events.min(self.settled + EVENTS_A_MESSAGE))),
        }
    }

    /// Returns the time of the next attempt; `None` while there is nothing to send.
    pub(crate) fn next_attempt(&self, events: u64, now: u64) -> Option<u64> {
        match &self.trying {
            Some(trying) if self.again.is_empty() => Some(trying.next_at),
            _ => self.due(events, now).map(|_| now),
        }
    }

    /// Records the result of an attempt to send a message. `spread` is a random number from 0 to 1, which varies the
    /// next pause.
    pub(crate) fn record(
        &mut self,
        range: EventRange,
        result: Result<(), String>,
        now: u64,
        retries: RetryPolicy,
        spread: f64,
    ) -> DeliveryResult {
        if self.again.first() == Some(&range) {
            self.again.remove(0);
            return match result {
                Ok(()) => DeliveryResult::Delivered,
                Err(reason) => self.give_up(GivenUpMessage { range, at: now, attempts: 1, reason }),
            };
        }
        let attempts = self.trying.take().map_or(0, |trying| trying.attempts) + 1;
        match result {
            Ok(()) => {
                (self.settled, self.failing) = (range.1, false);
                DeliveryResult::Delivered
            }
            Err(reason) if self.failing || attempts >= retries.attempts => {
                (self.settled, self.failing) = (range.1, true);
                self.give_up(GivenUpMessage { range, at: now, attempts, reason })
            }
            Err(reason) => {
                let pause = retries.pause.saturating_mul(4_u32.saturating_pow(attempts - 1)).min(LONGEST_PAUSE);
                // The pause is varied between 80 and 120 per cent, so that many webhooks do not send again at the same
                // moment.
                let pause = pause.mul_f64(0.8 + 0.4 * spread).as_millis() as u64;
                self.trying = Some(PendingMessage { range, attempts, next_at: now + pause, reason });
                DeliveryResult::Failed
            }
        }
    }

    fn give_up(&mut self, message: GivenUpMessage) -> DeliveryResult {
        self.given_up.push(message);
        let forgotten = self.given_up.len().saturating_sub(MOST_GIVEN_UP);
        self.given_up.drain(..forgotten);
        DeliveryResult::GivenUp
    }

    /// Moves messages that were given up to the queue of messages to send again: all of them, or the one whose first
    /// event has the number `first`. Returns how many messages were moved.
    pub(crate) fn redeliver(&mut self, first: Option<u64>) -> usize {
        let wanted = |message: &GivenUpMessage| first.is_none_or(|first| message.range.0 == first);
        let before = self.again.len();
        self.again.extend(self.given_up.iter().filter(|message| wanted(message)).map(|message| message.range));
        self.given_up.retain(|message| !wanted(message));
        self.again.len() - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRIES: RetryPolicy = RetryPolicy { pause: Duration::from_secs(5), attempts: 3 };

    fn fails(progress: &mut WebhookProgress, range: EventRange, now: u64) -> DeliveryResult {
        progress.record(range, Err("it was answered 500".to_owned()), now, RETRIES, 0.5)
    }

    #[test]
    fn messages_are_taken_in_order_and_in_batches() {
        let mut progress = WebhookProgress { settled: 3, ..WebhookProgress::default() };
        assert_eq!((progress.due(3, 0), progress.next_attempt(3, 0)), (None, None));
        assert_eq!((progress.due(250, 0), progress.next_attempt(250, 7)), (Some((4, 103)), Some(7)));
        assert_eq!(progress.record((4, 103), Ok(()), 0, RETRIES, 0.5), DeliveryResult::Delivered);
        assert_eq!(progress.due(250, 0), Some((104, 203)));
    }

    #[test]
    fn what_is_not_taken_is_tried_again_with_longer_pauses_and_then_given_up() {
        let mut progress = WebhookProgress::default();
        assert_eq!(fails(&mut progress, (1, 2), 1_000), DeliveryResult::Failed);
        assert_eq!((progress.due(9, 5_999), progress.due(9, 6_000)), (None, Some((1, 2))), "the same events");
        assert_eq!(progress.next_attempt(9, 2_000), Some(6_000));
        assert_eq!(fails(&mut progress, (1, 2), 6_000), DeliveryResult::Failed);
        assert_eq!(progress.next_attempt(9, 6_000), Some(26_000));
        assert_eq!(fails(&mut progress, (1, 2), 26_000), DeliveryResult::GivenUp);
        assert_eq!((progress.settled, progress.given_up[0].attempts), (2, 3));
        assert_eq!(fails(&mut progress, (3, 9), 26_001), DeliveryResult::GivenUp, "each is tried once now");
        progress.record((10, 10), Ok(()), 26_002, RETRIES, 0.5);
        assert_eq!(fails(&mut progress, (11, 11), 26_003), DeliveryResult::Failed, "as before");
        assert_eq!(progress.redeliver(Some(3)), 1);
        assert_eq!((progress.due(11, 26_004), progress.given_up.len()), (Some((3, 9)), 1));
        assert_eq!(progress.record((3, 9), Ok(()), 26_004, RETRIES, 0.5), DeliveryResult::Delivered);
        assert_eq!(progress.redeliver(None), 1);
        assert_eq!(fails(&mut progress, (1, 2), 26_005), DeliveryResult::GivenUp, "back where it was");
        assert_eq!((progress.given_up.len(), progress.trying.as_ref().map(|trying| trying.attempts)), (1, Some(1)));
    }
}
