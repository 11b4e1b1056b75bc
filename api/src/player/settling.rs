//! The part of a player in competitive games: the stake before a game, and the outcome after it.

use crate::error::Problem;
use crate::game::GameId;
use crate::model::event_kind::PlayerEventKind;
use crate::player::edit::PlayerEdit;
use crate::player::event::LedgerNews;
use crate::score::awards::Awards;
use crate::score::rating::Rating;
use crate::score::settlement::PlayerOutcome;

/// A competitive game, as far as a player is concerned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoredGame<'g> {
    pub id: GameId,
    /// The id of the rule set.
    pub rule_set: &'g str,
    /// The season in which the game began.
    pub season: Option<&'g str>,
}

impl PlayerEdit {
    /// Gives a new player the chips of the service.
    pub(crate) fn issue(&mut self, chips: u64) {
        self.player.ledger.issue(chips);
    }

    /// Moves the stake of a game into escrow, and notes the game for the inbox. Returns the rating of the player in the
    /// rule set. Moves nothing if the stake is in escrow already.
    ///
    /// # Errors
    /// The player has fewer chips than the stake.
    pub(crate) fn stake(&mut self, game: ScoredGame<'_>, chips: u64) -> Result<Rating, Problem> {
        if self.player.ledger.stake(game.id, chips)? {
            // A player with too many games gets no news of this one in the inbox, but finds it through the table.
            let _ = self.note_game(game.id, None);
            if chips > 0 {
                let balance = self.player.ledger.balance;
                let news = LedgerNews { chips: Some(-signed(chips)), balance, ..LedgerNews::default() };
                self.add_of_ledger(PlayerEventKind::ChipsStaked, game.id, &news)?;
            }
        }
        Ok(self.player.career.rating(game.rule_set))
    }

    /// Settles a game: its stake leaves the escrow, and the outcome is added to balance and career. Returns whether it
    /// was settled: `false`, and nothing is changed, if the game is not in escrow.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn settle(
        &mut self,
        game: ScoredGame<'_>,
        outcome: &PlayerOutcome,
        awards: &Awards,
    ) -> Result<bool, Problem> {
        let player = &mut self.player;
        let Some(stake) = player.ledger.settle(game.id, outcome.chips) else { return Ok(false) };
        let mut news = LedgerNews { balance: player.ledger.balance, ..LedgerNews::default() };
        if stake > 0 || outcome.chips > 0 {
            news.chips = Some(signed(outcome.chips));
        }
        if let Some(score) = &outcome.score {
            news.badges = player.career.add(score, game.rule_set, game.season, awards, player.changed_at);
            news.experience = Some(score.experience);
        }
        if !player.is_deleted {
            self.add_of_ledger(PlayerEventKind::GameSettled, game.id, &news)?;
        }
        Ok(true)
    }
}

fn signed(chips: u64) -> i64 {
    i64::try_from(chips).unwrap_or(i64::MAX)
}
