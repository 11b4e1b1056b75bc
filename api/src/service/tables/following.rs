//! The events of tables, in pages and in streams.

use bytes::Bytes;

use crate::error::{Code, Problem, internal};
use crate::model::event_kind::TableEventKind;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::events::FollowedEntity;
use crate::service::tables::access::{may_see, token};
use crate::store::StoredEntity;
use crate::table::stored::Table;
use crate::table::view;

impl FollowedEntity for Table {
    /// A stream only checks whether the follower may see the table. A player who sits down or begins to watch keeps
    /// this right, so the role has no value.
    type Role = ();

    fn role(&self, call: &Call) -> Result<(), Problem> {
        may_see(self, call).map(drop)
    }

    fn check_member(&self, call: &Call) -> Result<(), Problem> {
        token(call)?;
        match may_see(self, call)? {
            Some(_) => Ok(()),
            None => Err(Problem::new(Code::TokenUnknown, "the token was not given out for this table")),
        }
    }

    fn present_as<'e>(&'e self, (): &'e ()) -> Vec<&'e str> {
        Vec::new()
    }

    fn changes_access(event: &str) -> bool {
        TableEventKind::parse(event).is_some_and(TableEventKind::changes_access)
    }

    async fn brief(_: &Service, stored: &StoredEntity) -> Result<Option<Bytes>, Problem> {
        view_of(stored).map(Some)
    }

    async fn view(_: &Service, stored: &StoredEntity) -> Result<Bytes, Problem> {
        view_of(stored)
    }
}

fn view_of(stored: &StoredEntity) -> Result<Bytes, Problem> {
    let table = Table::read(&stored.snapshot)?;
    serde_json::to_vec(&view::table(stored.id.id, &table)).map(Bytes::from).map_err(internal)
}
