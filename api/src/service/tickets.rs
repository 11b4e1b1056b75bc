//! Tickets: a browser's `EventSource` cannot send a token, so the address of the stream contains a ticket instead.
//!
//! A ticket opens one stream, once, within a minute, at any process. The store has the token of the ticket's owner,
//! encrypted with a key from the ticket. The store does not have the ticket itself, so it cannot decrypt the token.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::ground::clock;
use crate::ground::token::Token;
use crate::model::ticket::CreatedTicket;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::may_yet_exist;
use crate::service::events::FollowedEntity;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, EntityChange, EntityId, Kind, StoreError, StoredAnswer, StoredEntity};

/// The kind of tickets, which are stored as entities.
pub(crate) const TICKET: Kind = Kind::named("ticket");

/// Lifetime of a ticket, in milliseconds.
const LIFETIME: u64 = 60_000;

/// A ticket as it is stored.
#[derive(Serialize, Deserialize)]
struct Ticket {
    /// The kind of the entity whose stream the ticket opens; `id` is the id of the entity.
    kind: String,
    id: Uuid,
    /// The time until which the ticket can be used, in milliseconds since 1970.
    expires: u64,
    is_used: bool,
    /// Whether the owner is the operator of the service.
    is_admin: bool,
    /// The encrypted token of the owner.
    token: SealedToken,
}

/// An encrypted token, in the fields of a [`StoredAnswer`]. The key is derived from the ticket.
#[derive(Default, Serialize, Deserialize)]
struct SealedToken {
    request: [u8; 32],
    expires: u64,
    sealed: Vec<u8>,
}

impl Ticket {
    fn read(stored: &StoredEntity) -> Result<Self, Problem> {
        rmp_serde::from_slice(&stored.snapshot).map_err(internal)
    }

    /// Tells whether the ticket opens a stream of this entity at this time.
    fn opens(&self, id: EntityId, now: u64) -> bool {
        !self.is_used && now < self.expires && self.kind == id.kind.word() && self.id == id.id
    }

    /// Makes the change of the store that writes the ticket.
    fn change(&self, id: Uuid, expected: u64, now: u64) -> Result<Change, Problem> {
        Ok(Change::Entity(EntityChange {
            id: EntityId::new(TICKET, id),
            expected,
            snapshot: rmp_serde::to_vec(self).map_err(internal)?.into(),
            changed_at: now,
            is_closed: self.is_used,
            tags: None,
            events: Vec::new(),
            text: None,
            deadline: (expected == 0).then_some(self.expires),
        }))
    }
}

impl Service {
    /// Issues a ticket for a stream of an entity.
    ///
    /// # Errors
    /// The entity does not exist, or the token was not given out for this entity.
    pub(crate) async fn create_ticket<E: FollowedEntity>(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        E::check_token(call)?;
        let id = E::named(id)?;
        let stored = self.store.entity(id).await?.ok_or_else(E::not_found)?;
        E::read(&stored.snapshot)?.check_member(call)?;
        self.issue_ticket(call, id).await
    }

    async fn issue_ticket(&self, call: &Call, entity: EntityId) -> Result<Reply, Problem> {
        let (id, now) = (Uuid::now_v7(), self.store.now());
        let secret = Token::of(TICKET.word(), id)?;
        let token = call.token.as_ref().map_or("", |token| token.reveal()).as_bytes().to_vec();
        let StoredAnswer { request, expires, sealed } = seal(&secret)?.seal(&Reply::written(token.into()), now)?;
        let ticket = Ticket {
            kind: entity.kind.word().to_owned(),
            id: entity.id,
            expires: now + LIFETIME,
            is_used: false,
            is_admin: call.is_admin,
            token: SealedToken { request, expires, sealed },
        };
        self.store.commit(Commit::from(ticket.change(id, 0, now)?)).await?;
        let answer = CreatedTicket {
            url: format!("/v1/{}s/{}/events?ticket={}", entity.kind, entity.id, secret.reveal()),
            ticket: secret.reveal(),
            expires_at: clock::at(ticket.expires),
        };
        Reply::new(201, &answer)
    }

    /// Changes the request for a stream that has a ticket into a request of the caller to whom the ticket was issued.
    ///
    /// # Errors
    /// 401 if the ticket does not open a stream of this entity.
    pub(crate) async fn admit(&self, call: &mut Call, id: EntityId, ticket: Option<&str>) -> Result<(), Problem> {
        match ticket {
            None => Ok(()),
            Some(ticket) => Box::pin(self.use_ticket(call, id, ticket)).await,
        }
    }

    async fn use_ticket(&self, call: &mut Call, entity: EntityId, text: &str) -> Result<(), Problem> {
        let secret = Token::sent(text);
        let named = secret.entity().filter(|(kind, _)| *kind == TICKET.word());
        let (_, id) = named.ok_or_else(unknown)?;
        let now = self.store.now();
        let stored = self.store.entity(EntityId::new(TICKET, id)).await?.ok_or_else(unknown)?;
        let mut ticket = Ticket::read(&stored)?;
        if !ticket.opens(entity, now) {
            return Err(unknown());
        }
        let SealedToken { request, expires, sealed } = std::mem::take(&mut ticket.token);
        // With a right id but a wrong secret, the token cannot be decrypted. The ticket can still be used then.
        let opened = seal(&secret)?.open(StoredAnswer { request, expires, sealed }).map_err(|_| unknown())?;
        let token = String::from_utf8(opened.body.to_vec()).map_err(internal)?;
        let used = Ticket { is_used: true, ..ticket };
        match self.store.commit(Commit::from(used.change(id, stored.version, now)?)).await {
            Ok(()) => {
                let token = Token::opened(token);
                call.player = self.player_of(&token).await?;
                call.token = Some(token);
                call.is_admin = used.is_admin;
                Ok(())
            }
            // Another request has used the ticket in the meantime.
            Err(StoreError::Conflict(_)) => Err(unknown()),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a ticket if it has expired. Returns the time of the next check.
    pub(in crate::service) async fn check_ticket(&self, id: EntityId) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        let Some(stored) = self.store.entity(id).await? else { return Ok(may_yet_exist(id, now)) };
        let expires = Ticket::read(&stored)?.expires;
        if now < expires {
            return Ok(Some(expires));
        }
        match self.store.commit(Commit::from(Change::Remove { id, expected: stored.version, delivered: 0 })).await {
            Ok(()) => Ok(None),
            Err(StoreError::Conflict(_)) => Ok(Some(now)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the encryption whose key is computed from the ticket, so that only the ticket can decrypt.
fn seal(ticket: &Token) -> Result<IdempotentRequest, Problem> {
    let call = Call { target: "ticket".to_owned(), key: Some(ticket.reveal().to_owned()), ..Call::default() };
    IdempotentRequest::of(&call, b"")?.ok_or_else(|| internal("a ticket without a key"))
}

fn unknown() -> Problem {
    Problem::new(Code::TicketUnknown, "the ticket was used, is older than a minute, or is for something else")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GAME;
    use crate::group::GROUP;

    #[test]
    fn a_ticket_opens_its_own_stream_once_within_its_time() {
        let id = EntityId::new(GAME, Uuid::now_v7());
        let ticket = |is_used| Ticket {
            kind: "game".to_owned(),
            id: id.id,
            expires: 100,
            is_used,
            is_admin: false,
            token: SealedToken::default(),
        };
        assert!(ticket(false).opens(id, 99));
        assert!(!ticket(false).opens(id, 100), "it is too old");
        assert!(!ticket(true).opens(id, 99), "it was used");
        assert!(!ticket(false).opens(EntityId::new(GROUP, id.id), 99));
        assert!(!ticket(false).opens(EntityId::new(GAME, Uuid::now_v7()), 99));
    }
}
