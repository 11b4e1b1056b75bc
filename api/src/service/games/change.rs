//! Implements the traits by which the commit loop changes games.

use std::sync::Arc;

use crate::error::Problem;
use crate::game::cache::CachedGame;
use crate::game::edit::{Edit, Milestones};
use crate::game::event::EventKind;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::game::{GAME, GameId, entity};
use crate::group::entity as entity_of_group;
use crate::player::{PlayerId, entity as entity_of_player};
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::games::due::retention_of;
use crate::service::games::queries::game_id;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::{Service, access};
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};
use crate::table::entity as entity_of_table;
use crate::tournament::entity as entity_of_tournament;

/// The work to do after the commit of a changed game.
pub(crate) struct GameEffects {
    cached: Arc<CachedGame>,
    milestones: Milestones,
    /// The players whose inboxes have news.
    players: Vec<PlayerId>,
    /// Whether the table of the game has to learn that a seat got another control, or that a side has won.
    concerns_table: bool,
}

impl Entity for Game {
    const KIND: Kind = GAME;

    type Edit = Edit;

    fn check_token(call: &Call) -> Result<(), Problem> {
        access::token(call).map(drop)
    }

    fn not_found() -> Problem {
        access::not_found()
    }

    fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        Self::read(snapshot)
    }
}

impl EntityEdit for Edit {
    type Entity = Game;

    type Effects = GameEffects;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        let cached = service.games.read(stored, &service.library).await?;
        Ok(Self::of(&cached, service.store.now()))
    }

    fn version_before(&self) -> u64 {
        self.version_before()
    }

    fn events(&self) -> u64 {
        self.game.events
    }

    fn entity(&mut self) -> &mut Game {
        &mut self.game
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, GameEffects), Problem> {
        let (milestones, players) = (self.milestones(), self.players_with_news());
        let mut events = self.events.iter().map(|numbered| &numbered.event);
        let changes_control = [EventKind::ControlChanged, EventKind::Resigned, EventKind::Forfeited];
        let concerns_table = events.any(|event| changes_control.contains(&event.kind) || event.has_ranking());
        let (mut change, cached) = self.into_change(text)?;
        if let Some(status) = milestones.status {
            service.add_expiry(&mut change, retention_of(&service.keep, status));
        }
        Ok((change, GameEffects { cached: Arc::new(cached), milestones, players, concerns_table }))
    }

    /// Counts the game's milestones in the metrics, caches the game, and starts the tasks of its webhooks, group,
    /// table, tournament and players. A robot without a pause plays at once.
    fn apply(service: &Service, effects: GameEffects) {
        if let Some(deadline) = effects.cached.game.deadline {
            service.wake_schedule(deadline);
        }
        effects.milestones.count(&service.metrics);
        if effects.milestones.notifies_webhooks {
            service.wake_webhooks(entity(effects.cached.id));
        }
        let setup = &effects.cached.game.setup;
        let group = setup.group.map(entity_of_group);
        // A table needs only some events of its game: the end, new ranks, changes of control, and seats that give up. A
        // tournament needs only the end.
        let is_over = effects.milestones.status == Some(Status::Finished);
        let table = setup.table.filter(|_| is_over || effects.concerns_table).map(entity_of_table);
        let players = effects.players.into_iter().map(entity_of_player);
        let tournament = setup.tournament.filter(|_| is_over).map(entity_of_tournament);
        for followed in group.into_iter().chain(table).chain(players).chain(tournament) {
            service.wake_gatherer(followed, effects.cached.id);
        }
        service.games.keep(effects.cached);
    }
}

impl Service {
    /// Changes the game whose id is in the path of the request, only once even if the request is sent again.
    pub(in crate::service) async fn change_game<F>(
        &self,
        idempotency: Option<IdempotentRequest>,
        id: &str,
        work: F,
    ) -> Result<Reply, Problem>
    where
        F: Fn(&mut Edit) -> Result<Reply, Problem>,
    {
        self.change(idempotency, entity(game_id(id)?), work).await
    }

    /// Creates a game by `work`, only once even if the request is sent again. `work` gets the id of the new game.
    pub(in crate::service) async fn create_once<F>(
        &self,
        idempotency: Option<IdempotentRequest>,
        work: F,
    ) -> Result<Reply, Problem>
    where
        F: AsyncFn(GameId) -> Result<(Edit, Option<SharedText>, Reply), Problem>,
    {
        self.create(idempotency, work).await
    }
}
