//! The events of tournaments, in pages and in streams.

use bytes::Bytes;

use crate::error::{Code, Problem, internal};
use crate::model::event_kind::TournamentEventKind;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::tournaments::access::{TournamentRole, may_see};
use crate::store::StoredEntity;
use crate::tournament::stored::Tournament;
use crate::tournament::view;

impl FollowedEntity for Tournament {
    type Role = Option<TournamentRole>;

    fn role(&self, call: &Call) -> Result<Self::Role, Problem> {
        may_see(self, call)
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        match may_see(self, call)? {
            Some(_) => Ok(()),
            None => Err(Problem::new(Code::TokenUnknown, "the token was not given out for this tournament")),
        }
    }

    fn present_as<'e>(&'e self, _: &'e Self::Role) -> Vec<&'e str> {
        Vec::new()
    }

    fn changes_access(event: &str) -> bool {
        event == TournamentEventKind::TokenChanged.word()
    }

    async fn view(_: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        let tournament = Self::read(&stored.snapshot)?;
        serde_json::to_vec(&view::tournament(stored.id.id, &tournament)).map(Bytes::from).map_err(internal)
    }
}
