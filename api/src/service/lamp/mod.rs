//! A made-up kind of entity. Tests with it show that the code that serves games serves every kind.
//!
//! A lamp that was lit burns for some time; then the schedule puts it out. The keeper of a lamp may do everything, and
//! a holder of its key may look at it. A broken lamp is a closed entity.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::follow::Webhook;
use crate::ground::clock;
use crate::ground::token::TokenHash;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit, NOT_YET};
use crate::service::events::FollowedEntity;
use crate::service::schedule::{DueEntity, StateRetention};
use crate::service::webhooks::HookedEntity;
use crate::store::{EntityChange, EntityId, Kind, SharedText, StoredEntity};

pub(super) mod tests;

pub(super) const LAMP: Kind = Kind::named("lamp");

/// All words of a lamp's events.
const WORDS: [&str; 5] = ["made", "lit", "went_out", "lock_changed", "broken"];

/// The state of a lamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Light {
    Dark,
    /// The lamp burns until this time, in milliseconds since 1970.
    Burning(u64),
    Broken,
}

/// A lamp as it is stored, as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Lamp {
    pub version: u64,
    pub events: u64,
    pub light: Light,
    pub keeper: TokenHash,
    pub key: TokenHash,
    pub webhooks: Vec<Webhook>,
}

/// The role that a caller's token has for a lamp.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LampRole {
    Keeper,
    Holder,
}

/// A lamp while a command changes it.
pub(super) struct LampEdit {
    id: EntityId,
    pub lamp: Lamp,
    before: Lamp,
    events: Vec<Vec<u8>>,
    now: u64,
}

impl Lamp {
    pub(super) fn new(keeper: TokenHash, key: TokenHash) -> Self {
        Self { version: 0, events: 0, light: Light::Dark, keeper, key, webhooks: Vec::new() }
    }
}

impl LampEdit {
    pub(super) fn begin(id: EntityId, before: Lamp, now: u64) -> Self {
        let lamp = Lamp { version: before.version + 1, ..before.clone() };
        Self { id, lamp, before, events: Vec::new(), now }
    }

    pub(super) fn add(&mut self, event: &str) {
        self.lamp.events += 1;
        let event = json!({"id": self.lamp.events, "event": event, "at": clock::at(self.now)});
        self.events.push(event.to_string().into_bytes());
    }

    pub(super) fn light_for(&mut self, milliseconds: u64) {
        self.lamp.light = Light::Burning(self.now + milliseconds);
        self.add("lit");
    }
}

impl Entity for Lamp {
    const KIND: Kind = LAMP;

    type Edit = LampEdit;

    fn check_token(_: &Call) -> Result<(), Problem> {
        Ok(())
    }

    fn not_found() -> Problem {
        Problem::new(Code::RouteNotFound, "there is no such lamp")
    }

    fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        serde_json::from_slice(snapshot).map_err(internal)
    }
}

impl EntityEdit for LampEdit {
    type Entity = Lamp;

    /// The entity whose webhooks have new events; `None` if there are none.
    type Effects = Option<EntityId>;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        Ok(Self::begin(stored.id, Lamp::read(&stored.snapshot)?, service.store.now()))
    }

    fn version_before(&self) -> u64 {
        self.before.version
    }

    fn events(&self) -> u64 {
        self.lamp.events
    }

    fn entity(&mut self) -> &mut Lamp {
        &mut self.lamp
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, Self::Effects), Problem> {
        let Self { id, lamp, before, events, now } = self;
        let wakes = (!events.is_empty() && !lamp.webhooks.is_empty()).then_some(id);
        let is_new = before.version == 0 || before.light != lamp.light;
        let mut change = EntityChange {
            id,
            expected: before.version,
            snapshot: serde_json::to_vec(&lamp).map_err(internal)?.into(),
            changed_at: now,
            is_closed: lamp.light == Light::Broken,
            tags: (before.version == 0).then(|| vec!["lamps".to_owned()]),
            events,
            text,
            deadline: match lamp.light {
                Light::Burning(until) if is_new => Some(until),
                _ => None,
            },
        };
        if is_new {
            service.add_expiry(&mut change, lamp.retention(service));
        }
        Ok((change, wakes))
    }

    fn apply(service: &Service, wakes: Self::Effects) {
        if let Some(id) = wakes {
            service.wake_webhooks(id);
        }
    }
}

impl FollowedEntity for Lamp {
    type Role = LampRole;

    fn role(&self, call: &Call) -> Result<LampRole, Problem> {
        match call.token.as_ref().map(|token| token.hash()) {
            Some(token) if token == self.keeper => Ok(LampRole::Keeper),
            Some(token) if token == self.key => Ok(LampRole::Holder),
            _ => Err(Self::not_found()),
        }
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        self.role(call).map(drop)
    }

    fn present_as<'e>(&'e self, role: &'e LampRole) -> Vec<&'e str> {
        if *role == LampRole::Keeper { vec!["keeper"] } else { Vec::new() }
    }

    fn changes_access(event: &str) -> bool {
        event == "lock_changed"
    }

    async fn brief(_: &Service, stored: &StoredEntity) -> Result<Option<Bytes>, Problem> {
        let lamp = Self::read(&stored.snapshot)?;
        serde_json::to_vec(&lamp.light).map(|light| Some(light.into())).map_err(internal)
    }

    async fn view(_: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        let lamp = Self::read(&stored.snapshot)?;
        serde_json::to_vec(&json!({"burns": matches!(lamp.light, Light::Burning(_))}))
            .map(Bytes::from)
            .map_err(internal)
    }
}

impl HookedEntity for Lamp {
    fn has_event(word: &str) -> bool {
        WORDS.contains(&word)
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.webhooks
    }

    fn note_webhooks(_: &mut LampEdit) -> Result<(), Problem> {
        Ok(())
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        match self.role(call)? {
            LampRole::Keeper => Ok(()),
            LampRole::Holder => Err(Problem::new(Code::NotAllowed, "only the keeper may do this")),
        }
    }

    fn webhooks_path(id: Uuid) -> String {
        format!("/lamps/{id}/webhooks")
    }
}

impl DueEntity for Lamp {
    fn due_at(&self, now: u64) -> Option<u64> {
        match self.light {
            // A commit in progress may light the lamp, so the lamp is checked again soon.
            Light::Dark => Some(now + NOT_YET),
            Light::Burning(until) => Some(until),
            Light::Broken => None,
        }
    }

    async fn run_due(_: &Service, edit: &mut LampEdit) -> Result<(), Problem> {
        edit.lamp.light = Light::Dark;
        edit.add("went_out");
        Ok(())
    }

    /// A broken lamp is kept as long as a finished game, any other lamp for ever.
    fn retention(&self, service: &Service) -> StateRetention {
        let finished = Self::shortest_retention(service);
        if self.light == Light::Broken {
            StateRetention { present: finished, later: None }
        } else {
            StateRetention { present: None, later: finished }
        }
    }

    fn shortest_retention(service: &Service) -> Option<u64> {
        service.keep.finished.and_then(|kept| u64::try_from(kept.as_millis()).ok())
    }

    fn count_expired(&self, metrics: &Metrics) {
        metrics.count_game("lamp", "expired");
    }
}
