//! The events of games, in pages and in streams.

use bytes::Bytes;

use crate::error::Problem;
use crate::game::stored::Game;
use crate::model::event_kind::EventKind;
use crate::service::access::Role;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::games::presence;
use crate::service::{Service, access};
use crate::store::StoredEntity;

impl FollowedEntity for Game {
    type Role = Option<Role>;

    fn role(&self, call: &Call) -> Result<Self::Role, Problem> {
        access::may_see(self, call)
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        access::member(self, call).map(drop)
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
