//! Credits the bank, and shows it to the operator.

use futures_util::future::try_join_all;

use crate::bank::shards;
use crate::bank::stored::{ChipSource, Credit, Shard};
use crate::error::{Code, Problem};
use crate::model::bank::BankView;
use crate::player::entity as entity_of_player;
use crate::player::stored::Player;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::commit::too_many_conflicts;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, StoreError};
use crate::table::entity as entity_of_table;
use crate::table::purse::PurseStage;
use crate::table::stored::Table;

/// Maximum number of attempts to credit a shard. An attempt fails only if another credit was committed first.
const CREDIT_TRIES: usize = 64;
/// Number of sources that a shard remembers before it looks for sources that it may forget.
const REMEMBERED: usize = 64;
/// Number of the oldest sources that the search for sources to forget checks.
const LOOKED_AT: usize = 32;

impl Service {
    /// Credits the bank, once, with the chips of a game's pot or of a deleted player. Does nothing if the source owes
    /// nothing, or if its chips were credited before.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn credit_bank(&self, source: ChipSource) -> Result<(), Problem> {
        let id = source.shard();
        for _ in 0..CREDIT_TRIES {
            // First the shard is read, then the source: if another process credits and forgets the source meanwhile,
            // the shard has another version, and the commit below fails.
            let before = self.store.entity(id).await?;
            let mut shard = Shard::read(before.as_ref())?;
            if shard.credited.contains(&source) {
                return Ok(());
            }
            let Some(credit) = self.owed(source).await? else { return Ok(()) };
            // A list with a player is searched every time, so that the ids of removed players do not stay in the bank.
            let has_players = shard.credited.iter().any(|source| matches!(source, ChipSource::Player { .. }));
            if has_players || shard.credited.len() >= REMEMBERED {
                self.forget_settled(&mut shard).await?;
            }
            shard.credit(source, credit);
            let change = shard.into_change(id, before.as_ref(), self.store.now())?;
            match self.store.commit(Commit::from(Change::Entity(change))).await {
                Ok(()) => return Ok(()),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_many_conflicts(id.kind.word()))
    }

    /// Removes a source that no longer exists from the list of its shard.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn forget_source(&self, source: ChipSource) -> Result<(), Problem> {
        let id = source.shard();
        for _ in 0..CREDIT_TRIES {
            let before = self.store.entity(id).await?;
            let mut shard = Shard::read(before.as_ref())?;
            if !shard.credited.contains(&source) || self.owed(source).await?.is_some() {
                return Ok(());
            }
            shard.credited.retain(|known| *known != source);
            let change = shard.into_change(id, before.as_ref(), self.store.now())?;
            match self.store.commit(Commit::from(Change::Entity(change))).await {
                Ok(()) => return Ok(()),
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_many_conflicts(id.kind.word()))
    }

    /// Looks at the oldest sources in the list of a shard, and removes those that owe the bank nothing.
    async fn forget_settled(&self, shard: &mut Shard) -> Result<(), Problem> {
        let oldest: Vec<_> = shard.credited.iter().take(LOOKED_AT).copied().collect();
        let owed = try_join_all(oldest.iter().map(|source| self.owed(*source))).await?;
        let settled = oldest.into_iter().zip(owed).filter(|(_, owed)| owed.is_none());
        let settled: Vec<_> = settled.map(|(source, _)| source).collect();
        shard.credited.retain(|source| !settled.contains(source));
        Ok(())
    }

    /// Returns the chips that a source owes to the bank, also if the bank has got them already; `None` if the source
    /// owes nothing.
    async fn owed(&self, source: ChipSource) -> Result<Option<Credit>, Problem> {
        match source {
            ChipSource::Game { table, game } => {
                let Some(stored) = self.store.entity(entity_of_table(table)).await? else { return Ok(None) };
                let current = Table::read(&stored.snapshot)?.current.filter(|current| current.id == game);
                Ok(match current.and_then(|current| current.purse).map(|purse| purse.stage) {
                    Some(PurseStage::Settling(decision)) => Some(Credit { chips: decision.division.bank, issued: 0 }),
                    _ => None,
                })
            }
            ChipSource::Player { player, created_at } => {
                let Some(stored) = self.store.entity(entity_of_player(player)).await? else { return Ok(None) };
                let player = Player::read_any(&stored.snapshot)?;
                let is_it = player.is_gone() && player.created_at == created_at && player.ledger.escrow.is_empty();
                let credit = Credit { chips: player.ledger.balance, issued: player.ledger.issued };
                Ok(is_it.then_some(credit))
            }
        }
    }

    /// Shows the bank to the operator.
    ///
    /// # Errors
    /// The caller is not the operator.
    pub(crate) async fn read_bank(&self, call: &Call) -> Result<Reply, Problem> {
        if call.token.is_none() {
            return Err(Problem::new(Code::TokenMissing, "this needs the admin token"));
        }
        call.check()?;
        if !call.is_admin {
            return Err(Problem::new(Code::NotAllowed, "only the operator of the service may do this"));
        }
        let stored = try_join_all(shards().map(|id| self.store.entity(id))).await?;
        let mut bank = BankView::default();
        for stored in stored.iter().flatten() {
            let shard = Shard::read(Some(stored))?;
            bank.chips += shard.chips;
            bank.issued_to_deleted_players += shard.issued;
        }
        Reply::ok(&bank)
    }
}
