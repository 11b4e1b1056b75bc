//! Makes tables an entity that the commit loop can change.

use crate::error::{Code, Problem};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::{Entity, EntityEdit};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::schedule::{DueEntity, FIRST_CHECK};
use crate::service::tables::access::{note_address, table_id, token};
use crate::store::{EntityChange, Kind, SharedText, StoredEntity};
use crate::table::edit::TableEdit;
use crate::table::stored::{Table, not_found};
use crate::table::{TABLE, TableId, entity};

/// The work to do after the commit of a changed table.
pub(crate) struct TableEffects {
    id: TableId,
    notifies_webhooks: bool,
    has_notices: bool,
    has_old_visitors: bool,
}

impl Entity for Table {
    const KIND: Kind = TABLE;

    type Edit = TableEdit;

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

impl EntityEdit for TableEdit {
    type Entity = Table;

    type Effects = TableEffects;

    async fn open(service: &Service, stored: &StoredEntity) -> Result<Self, Problem> {
        let mut edit = Self::begin(stored.id.id, Table::read(&stored.snapshot)?, service.store.now());
        edit.expire_vote()?;
        Ok(edit)
    }

    fn version_before(&self) -> u64 {
        self.version_before()
    }

    fn events(&self) -> u64 {
        self.table.events
    }

    fn entity(&mut self) -> &mut Table {
        &mut self.table
    }

    fn finish(self, service: &Service, text: Option<SharedText>) -> Result<(EntityChange, TableEffects), Problem> {
        let (id, has_notices) = (self.id, self.has_notices());
        let table = &self.table;
        let has_old_visitors = !table.old_visitors().is_empty();
        let effects = TableEffects { id, has_notices, has_old_visitors, notifies_webhooks: self.notifies_webhooks() };
        let needs_check = has_notices || has_old_visitors || table.current.is_some() || table.wants_game;
        let check = needs_check.then_some(table.changed_at + FIRST_CHECK);
        let deadline = table.vote.as_ref().map(|vote| vote.deadline).into_iter().chain(check).min();
        let expiry = self.is_new_state.then(|| table.retention(service));
        let mut change = EntityChange { text, deadline, ..self.into_change()? };
        if let Some(retention) = expiry {
            service.add_expiry(&mut change, retention);
        }
        Ok((change, effects))
    }

    /// Wakes the webhooks, copies new notices into inboxes, and forgets old visitors.
    fn apply(service: &Service, effects: TableEffects) {
        if effects.notifies_webhooks {
            service.wake_webhooks(entity(effects.id));
        }
        if effects.has_notices {
            let service = service.clone();
            tokio::spawn(async move {
                if let Err(problem) = service.copy_notices(effects.id).await {
                    tracing::warn!(
                        table = %effects.id, %problem,
                        "notices not copied to inboxes, retrying at the next scheduled check"
                    );
                }
            });
        }
        if effects.has_old_visitors {
            let service = service.clone();
            tokio::spawn(async move {
                if let Err(problem) = service.forget_old_visitors(effects.id).await {
                    tracing::warn!(
                        table = %effects.id, %problem,
                        "ids of former visitors not erased from the table, retrying at the next scheduled check"
                    );
                }
            });
        }
    }
}

impl Service {
    /// Changes the table whose id is in the path of the request, only once even if the request is sent again. Then
    /// brings the game of the table in line with the table.
    pub(in crate::service) async fn change_table<F>(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        work: F,
    ) -> Result<Reply, Problem>
    where
        F: Fn(&mut TableEdit) -> Result<Reply, Problem>,
    {
        token(call)?;
        let id = table_id(id)?;
        let work = |edit: &mut TableEdit| {
            let reply = work(edit)?;
            note_address(&mut edit.table, edit.id, call);
            Ok(reply)
        };
        let reply = self.change(IdempotentRequest::of(call, body)?, entity(id), work).await?;
        self.settle_or_leave(id).await;
        Ok(reply)
    }

    /// Notes the network address of a request that does not change the table. The game of the table then compares this
    /// address with those of the other players.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn note_address_at(&self, call: &Call, id: TableId) -> Result<(), Problem> {
        let note = |edit: &mut TableEdit| {
            // Without a new address, nothing is committed.
            if note_address(&mut edit.table, id, call) { Ok(Reply::default()) } else { Err(not_found()) }
        };
        match self.change(None, entity(id), note).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => self.settle_table(id).await,
        }
    }
}
