//! The events of groups, in pages and in streams.

use std::collections::HashMap;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::iter;
use serde::Deserialize;
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::follow::EventState;
use crate::game::GAME;
use crate::game::entity as entity_of_game;
use crate::group::stored::Group;
use crate::group::view;
use crate::model::event_kind::GroupEventKind;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::groups::access::{GroupRole, may_see};
use crate::store::StoredEntity;

/// Number of games that are read at the same time to show their states in a stream.
const GAMES_AT_ONCE: usize = 32;

/// The fields of a group's event that contain the id of a game and the number of one of its events.
#[derive(Deserialize)]
struct CopiedEvent {
    #[serde(default)]
    game_id: Option<Uuid>,
    #[serde(default)]
    game_event: Option<Numbered>,
}

#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

impl FollowedEntity for Group {
    type Role = Option<GroupRole>;

    fn role(&self, call: &Call) -> Result<Self::Role, Problem> {
        may_see(self, call)
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        match may_see(self, call)? {
            Some(_) => Ok(()),
            None => Err(Problem::new(Code::TokenUnknown, "the token was not given out for this group")),
        }
    }

    fn present_as<'e>(&'e self, _: &'e Self::Role) -> Vec<&'e str> {
        Vec::new()
    }

    /// Only events about tokens of the group change access, because tokens of its games have no role in the group.
    fn changes_access(event: &str) -> bool {
        event == GroupEventKind::TokenChanged.word()
    }

    /// Returns states of games. Among these events, the last one of each game gets the state of the game, unless the
    /// game has newer events.
    async fn states(
        service: &Service,
        _: &StoredEntity,
        after: u64,
        events: &[Vec<u8>],
    ) -> Result<Vec<EventState>, Problem> {
        let mut last = HashMap::new();
        for (number, event) in (after + 1..).zip(events) {
            let CopiedEvent { game_id, game_event } = serde_json::from_slice(event).map_err(internal)?;
            last.extend(game_id.zip(game_event).map(|(game, event)| (game, (number, event.id))));
        }
        let read = iter(last.into_iter().map(async |(game, (number, newest))| {
            let Some(stored) = service.store.entity(entity_of_game(game)).await? else { return Ok(None) };
            if stored.events != newest {
                // A later event of the game will be copied in a moment, and will have the state.
                return Ok(None);
            }
            let brief = service.games.read(&stored, &service.library).await?.brief(service.store.now())?;
            Ok(Some(EventState { event: number, kind: GAME, state: brief }))
        }));
        let states: Vec<Result<_, Problem>> = read.buffer_unordered(GAMES_AT_ONCE).collect().await;
        states.into_iter().filter_map(Result::transpose).collect()
    }

    async fn view(_: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        let group = Self::read(&stored.snapshot)?;
        serde_json::to_vec(&view::group(stored.id.id, &group)).map(Bytes::from).map_err(internal)
    }
}
