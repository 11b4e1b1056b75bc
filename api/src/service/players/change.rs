//! Implements the traits by which the commit loop changes players.

use crate::error::Problem;
use crate::player::edit::PlayerEdit;
use crate::player::stored::{Player, not_found};
use crate::player::{PLAYER, PlayerId, entity};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::players::access::token;
use crate::service::players::due::FIRST_CHECK;
use crate::service::schedule::DueEntity;
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};

/// The player whose webhooks have to be woken after a commit; `None` if the webhooks have no new events.
pub(crate) struct PlayerEffects(Option<PlayerId>);

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
        let effects = PlayerEffects(self.notifies_webhooks().then_some(self.id));
        let expiry = self.is_new_state.then(|| self.player.retention(service));
        let is_checked = self.player.is_deleted || !self.player.games.is_empty();
        let check = is_checked.then_some(self.player.changed_at + FIRST_CHECK);
        let mut change = EntityChange { text, ..self.into_change()? };
        if let Some(retention) = expiry {
            change.deadline = check;
            service.add_expiry(&mut change, retention);
        }
        Ok((change, effects))
    }

    fn apply(service: &Service, PlayerEffects(woken): PlayerEffects) {
        if let Some(id) = woken {
            service.wake_webhooks(entity(id));
        }
    }
}
