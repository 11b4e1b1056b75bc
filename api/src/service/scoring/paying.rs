//! Pays out the stakes of a game as its table has decided: to each player and to the bank, once each.

use crate::bank::stored::ChipSource;
use crate::error::{Code, Problem};
use crate::player::edit::PlayerEdit;
use crate::player::settling::ScoredGame;
use crate::player::stored::Player;
use crate::player::{PlayerId, entity as entity_of_player};
use crate::score::settlement::PlayerOutcome;
use crate::service::Service;
use crate::service::commit::too_many_conflicts;
use crate::service::reply::Reply;
use crate::service::scoring::staking::{PLAYER_TRIES, scored};
use crate::table::edit::TableEdit;
use crate::table::purse::{Purse, PurseDecision, PurseStage};
use crate::table::stored::{CurrentGame, Table, not_found};
use crate::table::{TableId, entity};

impl Service {
    /// Pays out the stakes of a game. Then ends the game at its table, unless the other players go on for the further
    /// ranks.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn pay_out(
        &self,
        id: TableId,
        table: &Table,
        current: &CurrentGame,
        purse: &Purse,
        decision: &PurseDecision,
    ) -> Result<(), Problem> {
        let game = scored(table, current, purse);
        // If the game did not begin, a slow process may still try to move a stake into escrow.
        let may_be_staked = decision.result.is_none();
        for (player, outcome) in purse.members.iter().zip(&decision.division.members) {
            self.pay_player(*player, game, outcome, may_be_staked).await?;
        }
        if decision.division.bank > 0 {
            self.credit_bank(ChipSource::Game { table: id, game: current.id }).await?;
        }
        let short = match decision.result {
            Some(_) => None,
            None => self.short_of_chips(&purse.members, purse.bet).await?.map(|(player, _)| player),
        };
        let close = |edit: &mut TableEdit| {
            let now = edit.table.current.as_ref().filter(|now| now.id == current.id);
            let stage = now.and_then(|now| now.purse.as_ref()).map(|purse| &purse.stage);
            if !matches!(stage, Some(PurseStage::Settling(_))) {
                // Another process has closed the purse: nothing is committed.
                return Err(not_found());
            }
            edit.close_purse(current.id, short).map(|()| Reply::default())
        };
        match self.change(None, entity(id), close).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }

    /// Settles a game for one player, who may be deleted. Does nothing if the game is settled already. With
    /// `may_be_staked`, another process may still try to move the stake into escrow. So this call commits the player in
    /// any case: the commit of the other process then finds another version, and moves no stake.
    async fn pay_player(
        &self,
        id: PlayerId,
        game: ScoredGame<'_>,
        outcome: &PlayerOutcome,
        may_be_staked: bool,
    ) -> Result<(), Problem> {
        for _ in 0..PLAYER_TRIES {
            let Some(stored) = self.store.entity(entity_of_player(id)).await? else { return Ok(()) };
            let mut edit = PlayerEdit::begin(id, Player::read_any(&stored.snapshot)?, self.store.now());
            let is_settled = edit.settle(game, outcome, &self.scoring.awards)?;
            if (!is_settled && !may_be_staked) || self.commit_player(edit).await? {
                return Ok(());
            }
        }
        Err(too_many_conflicts(crate::player::PLAYER.word()))
    }
}
