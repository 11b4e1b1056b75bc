//! Implements the traits by which the commit loop changes players.

use crate::error::Problem;
use crate::player::edit::PlayerEdit;
use crate::player::stored::{Player, not_found};
use crate::player::{PLAYER, PlayerId, entity};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::players::access::token;
use crate::service::players::erasing::FIRST_SEARCH;
use crate::service::schedule::{DueEntity, FIRST_CHECK};
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};

/// The work to do after the commit of a changed player.
pub(crate) struct PlayerEffects {
    id: PlayerId,
    notifies_webhooks: bool,
    /// Whether there are messages for other players.
    has_messages: bool,
}

impl Entity for Player {
    const KIND: Kind = PLAYER;

    type Edit = PlayerEdit;

    fn check_token(call: &Call) -> Result<(), Problem> {
        token(call)
    }

    fn not_found() -> Problem {
        not_found()
    }

    fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        Self::read(snapshot)
    }
}

impl EntityEdit for PlayerEdit {
    type Entity = Player;

    type Effects = PlayerEffects;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        Ok(Self::begin(stored.id.id, Player::read(&stored.snapshot)?, service.store.now()))
    }

    fn version_before(&self) -> u64 {
        self.version_before()
    }

    fn events(&self) -> u64 {
        self.player.events
    }

    fn entity(&mut self) -> &mut Player {
        &mut self.player
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, PlayerEffects), Problem> {
        let has_messages = !self.player.circle.outbox.is_empty();
        let effects = PlayerEffects { id: self.id, notifies_webhooks: self.notifies_webhooks(), has_messages };
        let expiry = self.is_new_state.then(|| self.player.retention(service));
        let pause = match &self.player {
            player if player.is_gone() => Some(FIRST_SEARCH),
            player => (has_messages || !player.games.is_empty()).then_some(FIRST_CHECK),
        };
        let check = pause.map(|pause| self.player.changed_at + pause);
        let mut change = EntityChange { text, ..self.into_change()? };
        if let Some(retention) = expiry {
            change.deadline = check;
            service.add_expiry(&mut change, retention);
        }
        Ok((change, effects))
    }

    /// Wakes the webhooks, and delivers messages to other players.
    fn apply(service: &Service, effects: PlayerEffects) {
        let PlayerEffects { id, notifies_webhooks, has_messages } = effects;
        if notifies_webhooks {
            service.wake_webhooks(entity(id));
        }
        if has_messages {
            let service = service.clone();
            tokio::spawn(async move {
                if let Err(problem) = service.deliver_messages(id).await {
                    tracing::warn!(
                        player = %id, %problem,
                        "messages to other players not delivered, retrying at the next scheduled check"
                    );
                }
            });
        }
    }
}
