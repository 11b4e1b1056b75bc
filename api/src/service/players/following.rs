//! The events of players, in pages and in streams.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::iter;
use serde::Deserialize;

use crate::error::{Problem, internal};
use crate::follow::EventState;
use crate::game::{GAME, GameId, entity as entity_of_game};
use crate::model::event_kind::PlayerEventKind;
use crate::player::stored::Player;
use crate::player::view;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::players::access::own;
use crate::store::StoredEntity;

/// Number of games that are read at the same time to show their states in a stream.
const GAMES_AT_ONCE: usize = 32;

/// The field of a player's event that names a game.
#[derive(Deserialize)]
struct InboxEvent {
    #[serde(default)]
    game_id: Option<GameId>,
}

impl FollowedEntity for Player {
    /// Only the player and the operator of the service may follow a player.
    type Role = ();

    fn role(&self, call: &Call) -> Result<(), Problem> {
        own(self, call)
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        own(self, call)
    }

    fn present_as<'e>(&'e self, (): &'e ()) -> Vec<&'e str> {
        Vec::new()
    }

    fn changes_access(event: &str) -> bool {
        event == PlayerEventKind::TokenChanged.word()
    }

    /// Returns the present states of the games that the events are about. Of the events of one game, only the last one
    /// contains the state.
    async fn states(
        service: &Service,
        _: &StoredEntity,
        after: u64,
        events: &[Vec<u8>],
    ) -> Result<Vec<EventState>, Problem> {
        let mut last = BTreeMap::new();
        for (number, event) in (after + 1..).zip(events) {
            let InboxEvent { game_id } = serde_json::from_slice(event).map_err(internal)?;
            last.extend(game_id.map(|game| (game, number)));
        }
        let read = iter(last.into_iter().map(async |(game, event)| {
            let Some(stored) = service.store.entity(entity_of_game(game)).await? else { return Ok(None) };
            let state = service.games.read(&stored, &service.library).await?.brief(service.store.now())?;
            Ok(Some(EventState { event, kind: GAME, state }))
        }));
        let states: Vec<Result<_, Problem>> = read.buffer_unordered(GAMES_AT_ONCE).collect().await;
        states.into_iter().filter_map(Result::transpose).collect()
    }

    async fn view(_: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        let player = Self::read(&stored.snapshot)?;
        serde_json::to_vec(&view::player(stored.id.id, &player)).map(Bytes::from).map_err(internal)
    }
}
