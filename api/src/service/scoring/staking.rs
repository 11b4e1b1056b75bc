//! Takes the stakes of a game before it begins.

use crate::error::{Code, Problem};
use crate::game::setup::GameSeat;
use crate::player::edit::PlayerEdit;
use crate::player::ledger::{others_too_few, too_few};
use crate::player::settling::ScoredGame;
use crate::player::stored::Player;
use crate::player::{PlayerId, entity as entity_of_player};
use crate::score::rating::Rating;
use crate::service::Service;
use crate::service::commit::too_many_conflicts;
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, StoreError};
use crate::table::edit::TableEdit;
use crate::table::purse::{Purse, PurseStage};
use crate::table::stored::{CurrentGame, Table, not_found};
use crate::table::{TableId, entity};

/// Maximum number of attempts to change a player. An attempt fails only if another command was committed first.
pub(super) const PLAYER_TRIES: usize = 64;

/// Returns the data of a table's game that its players need for the stake and for their careers.
pub(super) fn scored<'g>(table: &'g Table, current: &CurrentGame, purse: &'g Purse) -> ScoredGame<'g> {
    ScoredGame { id: current.id, rule_set: &table.rule_set.id, season: purse.season.as_deref() }
}

impl Service {
    /// Checks that all players have enough chips for a game, before the table plans it. `asks` is the player who wants
    /// to begin it.
    ///
    /// # Errors
    /// 409 if a player has too few chips. Only the player learns the balance.
    pub(in crate::service) async fn check_balances(
        &self,
        purse: &Purse,
        seats: &[GameSeat],
        asks: Option<PlayerId>,
    ) -> Result<(), Problem> {
        let Some((short, balance)) = self.short_of_chips(&purse.members, purse.bet).await? else { return Ok(()) };
        let seat =
            seats.iter().find(|game_seat| game_seat.player == Some(short)).map_or("", |game_seat| &game_seat.seat);
        Err(if asks == Some(short) { too_few(balance, purse.bet) } else { others_too_few(seat, purse.bet) })
    }

    /// Finds the first of these players who has fewer chips than the bet, and returns the balance, too.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn short_of_chips(
        &self,
        players: &[PlayerId],
        bet: u64,
    ) -> Result<Option<(PlayerId, u64)>, Problem> {
        for player in players {
            let stored = self.store.entity(entity_of_player(*player)).await?;
            let balance = match stored {
                Some(stored) => Player::read_any(&stored.snapshot)?.ledger.balance,
                None => 0,
            };
            if balance < bet {
                return Ok(Some((*player, balance)));
            }
        }
        Ok(None)
    }

    /// Moves the stakes of all players of a game into escrow, and then records at the table that all are staked. If a
    /// player has too few chips, records that the game does not begin.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn take_stakes(
        &self,
        id: TableId,
        table: &Table,
        current: &CurrentGame,
        purse: &Purse,
    ) -> Result<(), Problem> {
        let mut ratings = Vec::with_capacity(purse.members.len());
        for player in &purse.members {
            match self.take_stake(id, table, current, purse, *player).await {
                Ok(Some(rating)) => ratings.push(rating),
                // The table takes no stakes for this game: another process has taken all of them, or has ended the
                // game.
                Ok(None) => return Ok(()),
                Err(problem) if [Code::InsufficientChips, Code::PlayerNotFound].contains(&problem.code) => {
                    return self.note_at_table(id, current, |edit| edit.note_unstaked(current.id)).await;
                }
                Err(problem) => return Err(problem),
            }
        }
        self.note_at_table(id, current, |edit| edit.note_staked(current.id, ratings.clone())).await
    }

    /// Moves the stake of one player into escrow. Returns the player's rating; `None` if the table no longer takes
    /// stakes for the game.
    async fn take_stake(
        &self,
        id: TableId,
        table: &Table,
        current: &CurrentGame,
        purse: &Purse,
        player: PlayerId,
    ) -> Result<Option<Rating>, Problem> {
        let game = scored(table, current, purse);
        for _ in 0..PLAYER_TRIES {
            // The player is read before the table. A process that closes the table for stakes commits the player as
            // well; if it does so between the two reads, the commit below conflicts, and the attempt is repeated.
            let stored = self.store.entity(entity_of_player(player)).await?;
            let stored = stored.ok_or_else(crate::player::stored::not_found)?;
            let read = Player::read(&stored.snapshot)?;
            if read.ledger.holds(current.id) {
                return Ok(Some(read.career.rating(game.rule_set)));
            }
            if !self.takes_stakes(id, current).await? {
                return Ok(None);
            }
            let mut edit = PlayerEdit::begin(player, read, self.store.now());
            let rating = edit.stake(game, purse.bet)?;
            if self.commit_player(edit).await? {
                return Ok(Some(rating));
            }
        }
        Err(too_many_conflicts(crate::player::PLAYER.word()))
    }

    async fn takes_stakes(&self, id: TableId, current: &CurrentGame) -> Result<bool, Problem> {
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(false) };
        let now = Table::read(&stored.snapshot)?.current.filter(|now| now.id == current.id);
        Ok(now.and_then(|now| now.purse).is_some_and(|purse| matches!(purse.stage, PurseStage::Staking)))
    }

    /// Commits a changed player. Returns whether it was committed: `false` if another command came first.
    pub(super) async fn commit_player(&self, edit: PlayerEdit) -> Result<bool, Problem> {
        let (change, effects) = edit.finish(self, None)?;
        match self.store.commit(Commit::from(Change::Entity(change))).await {
            Ok(()) => {
                PlayerEdit::apply(self, effects);
                Ok(true)
            }
            Err(StoreError::Conflict(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the purse of the game in play. Commits nothing if another process has changed it already.
    pub(super) async fn note_at_table(
        &self,
        id: TableId,
        current: &CurrentGame,
        note: impl Fn(&mut TableEdit),
    ) -> Result<(), Problem> {
        let stage = |table: &Table| {
            let now = table.current.as_ref().filter(|now| now.id == current.id);
            now.and_then(|now| now.purse.as_ref()).map(|purse| std::mem::discriminant(&purse.stage))
        };
        let change = |edit: &mut TableEdit| {
            let before = stage(&edit.table);
            note(edit);
            if stage(&edit.table) == before { Err(not_found()) } else { Ok(Reply::default()) }
        };
        match self.change(None, entity(id), change).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }
}
