//! Makes tournaments an entity that the commit loop can change.

use crate::error::Problem;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::schedule::DueEntity;
use crate::service::tournaments::access::token;
use crate::service::tournaments::due::first_check;
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};
use crate::tournament::edit::TournamentEdit;
use crate::tournament::stored::{Tournament, not_found};
use crate::tournament::{TOURNAMENT, TournamentId, entity};

/// The tournament whose webhooks have to be woken after a commit; `None` if there are no new events.
pub(crate) struct TournamentEffects(Option<TournamentId>);

impl Entity for Tournament {
    const KIND: Kind = TOURNAMENT;

    type Edit = TournamentEdit;

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

impl EntityEdit for TournamentEdit {
    type Entity = Tournament;

    type Effects = TournamentEffects;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        Ok(Self::begin(stored.id.id, service.tournaments.read(stored)?, service.store.now()))
    }

    fn version_before(&self) -> u64 {
        self.version_before()
    }

    fn events(&self) -> u64 {
        self.tournament.events
    }

    fn entity(&mut self) -> &mut Tournament {
        &mut self.tournament
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, TournamentEffects), Problem> {
        let effects = TournamentEffects(self.notifies_webhooks().then_some(self.id));
        let retention = self.is_new_state.then(|| self.tournament.retention(service));
        let check = first_check(&self.tournament);
        let id = self.id;
        let (change, tournament) = self.into_change()?;
        service.tournaments.keep(id, &tournament);
        let mut change = EntityChange { text, ..change };
        if let Some(retention) = retention {
            change.deadline = check;
            service.add_expiry(&mut change, retention);
        }
        Ok((change, effects))
    }

    fn apply(service: &Service, TournamentEffects(woken): TournamentEffects) {
        if let Some(id) = woken {
            service.wake_webhooks(entity(id));
        }
    }
}
