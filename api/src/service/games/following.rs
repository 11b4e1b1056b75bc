//! Games as they are followed: by pages, and by streams.

use bytes::Bytes;

use crate::error::Problem;
use crate::game::entity;
use crate::game::event::EventKind;
use crate::game::stored::Game;
use crate::model::event::{EventList, EventsQuery};
use crate::service::access::Role;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::games::presence;
use crate::service::games::reading::game_id;
use crate::service::{EventStream, Service, access};
use crate::store::StoredEntity;

impl FollowedEntity for Game {
    type Role = Option<Role>;

    fn role(&self, call: &Call) -> Result<Self::Role, Problem> {
        access::may_see(self, call)
    }

    fn present_as<'e>(&'e self, role: &'e Self::Role) -> Vec<&'e str> {
        presence::seats_of(role.as_ref(), self)
    }

    fn changes_access(event: &str) -> bool {
        EventKind::parse(event).is_some_and(EventKind::changes_access)
    }

    async fn brief(service: &Service, stored: &StoredEntity) -> Result<Option<Bytes>, Problem> {
        service.games.read(stored, &service.library).await?.brief(service.store.now()).map(Some)
    }

    async fn view(service: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        service.games.read(stored, &service.library).await?.json()
    }
}

impl Service {
    /// Lists a page of the events of a game. With `wait`, an empty page waits for the first event.
    ///
    /// # Errors
    /// The game does not exist, or a parameter is out of range.
    pub(crate) async fn list_events(&self, call: &Call, id: &str, query: &EventsQuery) -> Result<EventList, Problem> {
        self.page_of_events::<Game>(call, entity(game_id(id)?), query).await
    }

    /// Opens a stream of the events of a game after `after`; without it, of a snapshot and the events from now on. With
    /// `resyncs`, a follower that falls far behind gets a snapshot instead of the events that it missed.
    ///
    /// # Errors
    /// The game does not exist, or the client has too many streams.
    pub(crate) async fn follow_game(
        &self,
        call: &Call,
        id: &str,
        after: Option<u64>,
        resyncs: bool,
    ) -> Result<EventStream<Game>, Problem> {
        self.follow(call, entity(game_id(id)?), after, resyncs).await
    }
}
