//! Decides the outcome of a competitive game for its players and the bank, at the end or at the first win, and carries
//! the purse from stage to stage.

use crate::error::{Code, Problem};
use crate::game::GameId;
use crate::game::terms::EndedBy;
use crate::model::event_kind::TableEventKind;
use crate::player::PlayerId;
use crate::score::rating::Rating;
use crate::score::settlement::{self, End, Participation, SettledPlayer};
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::purse::{Purse, PurseDecision, PurseStage};
use crate::table::result::GameResult;
use crate::table::stored::{CurrentGame, GamePlayer, PastScore, Winnings};

impl Purse {
    /// Returns the bet of a game with this result, and whether only its chips count, for the list of past games.
    pub(super) fn score(&self, result: &GameResult) -> PastScore {
        let is_at_one_address = match self.stage {
            PurseStage::Settled { is_at_one_address } => is_at_one_address,
            PurseStage::Staking | PurseStage::Staked(_) | PurseStage::Settling(_) => result.is_at_one_address,
        };
        PastScore { bet: self.bet, is_at_one_address }
    }

    /// Decides what happens to the stakes of a game that does not begin: they are returned.
    fn refunded(&self) -> PurseDecision {
        let stays = |_| SettledPlayer { side: None, is_winner: false, rank: None, part: Participation::Played };
        let members: Vec<_> = self.members.iter().map(stays).collect();
        let division = settlement::divide(End::Cancelled, self.bet, &members, &[]);
        PurseDecision { division, result: None, plays_on: false }
    }
}

impl CurrentGame {
    /// Decides the outcome of a game for its players and the bank. The game is over, or a side has won it and the
    /// others play on for the remaining ranks (`plays_on`). While they play on, only the winners have a rank (SF-90):
    /// all others have lost alike.
    ///
    /// The game counts if it was played to its end. A game that was aborted or removed does not count; nor does one
    /// whose seats were all abandoned. A player who has abandoned a seat loses the stake in any case. A player who
    /// first gives up and then leaves the table, or stays away, counts as one who has given up.
    fn decided(&self, purse: &Purse, ratings: &[Rating], result: &GameResult, plays_on: bool) -> PurseDecision {
        let counts = plays_on || !matches!(result.ended_by, None | Some(EndedBy::Abort));
        let best = result.places.iter().filter_map(|place| place.place).min();
        let member = |player: &GamePlayer| {
            let place = result.places.iter().find(|place| place.seat == player.seat);
            let (side, rank) = (place.map(|place| place.side), place.and_then(|place| place.place));
            // A game that does not count may have ended before it was told who had left the table, so the table itself
            // decides who has abandoned a seat. A player who leaves the table after the end of the game has not
            // abandoned the seat.
            let part = match place {
                Some(place) if place.is_abandoned => Participation::Abandoned,
                Some(place) if place.gave_up => Participation::GaveUp,
                _ if !counts && player.has_abandoned() => Participation::Abandoned,
                _ => Participation::Played,
            };
            SettledPlayer { side, is_winner: rank.is_some() && rank == best, rank, part }
        };
        let members: Vec<_> = self.players.iter().map(member).collect();
        let is_left_by_all = members.iter().all(|member| member.part == Participation::Abandoned);
        let end = match (counts && !is_left_by_all, result.is_at_one_address) {
            (false, _) => End::Cancelled,
            (true, true) => End::PlayedAtOneAddress,
            (true, false) => End::Played,
        };
        let division = settlement::divide(end, purse.bet, &members, ratings);
        PurseDecision { division, result: Some(result.clone()), plays_on }
    }
}

impl TableEdit {
    /// Notes that all stakes of a game are in escrow. `ratings` are those of its members. Does nothing if the game is
    /// not in play or is at a later stage.
    pub(crate) fn note_staked(&mut self, id: GameId, ratings: Vec<Rating>) {
        if let Some(purse) = self.purse_of(id)
            && matches!(purse.stage, PurseStage::Staking)
        {
            purse.stage = PurseStage::Staked(ratings);
        }
    }

    /// Decides that a game does not begin, because a stake is missing. Does nothing if the game is at a later stage.
    pub(crate) fn note_unstaked(&mut self, id: GameId) {
        if let Some(purse) = self.purse_of(id)
            && matches!(purse.stage, PurseStage::Staking)
        {
            purse.stage = PurseStage::Settling(purse.refunded());
        }
    }

    /// Decides the outcome of a game that is over, or that a side has won while the others play on. Does nothing if it
    /// is decided already.
    pub(crate) fn decide(&mut self, id: GameId, result: &GameResult, plays_on: bool) {
        let Some(current) = self.table.current.as_mut().filter(|current| current.id == id) else { return };
        let Some(purse) = &current.purse else { return };
        if let PurseStage::Staked(ratings) = &purse.stage {
            let decision = current.decided(purse, ratings, result, plays_on);
            if let Some(purse) = &mut current.purse {
                purse.stage = PurseStage::Settling(decision);
            }
        }
    }

    /// Ends a game whose stakes are paid out, unless seats play on for the remaining ranks. Does nothing if the game is
    /// not the one in play. If the game did not begin, an event names the player who is `short` of chips.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn close_purse(&mut self, id: GameId, short: Option<PlayerId>) -> Result<(), Problem> {
        let Some(current) = self.table.current.as_mut().filter(|current| current.id == id) else { return Ok(()) };
        let Some(purse) = &mut current.purse else { return Ok(()) };
        let PurseStage::Settling(decision) = purse.stage.clone() else { return Ok(()) };
        for (player, outcome) in current.players.iter_mut().zip(&decision.division.members) {
            player.won = Some(Winnings::of(outcome, purse.bet));
        }
        match &decision.result {
            Some(result) if decision.plays_on => {
                purse.stage = PurseStage::Settled { is_at_one_address: result.is_at_one_address };
                Ok(())
            }
            Some(result) => self.end_game(id, result),
            None => {
                self.table.current = None;
                self.table.games = self.table.games.saturating_sub(1);
                self.table.unstaked = Some(id);
                let reason = Some(Code::InsufficientChips);
                let fields =
                    TableEventFields { game_id: Some(id), reason, player: short, ..TableEventFields::default() };
                self.add(TableEventKind::GameDropped, fields)
            }
        }
    }

    fn purse_of(&mut self, id: GameId) -> Option<&mut Purse> {
        self.table.current.as_mut().filter(|current| current.id == id)?.purse.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::game::terms::Control;
    use crate::table::playing::tests::planned;
    use crate::table::result::PlayedSeat;

    /// A game of four whose players have these seats. `left` says by seat who has left the table.
    fn game(seats: &[String; 4], left: [bool; 4]) -> CurrentGame {
        let players = seats.iter().zip(left).map(|(seat, has_left)| GamePlayer {
            seat: seat.clone(),
            player: Some(Uuid::nil()),
            name: None,
            has_left,
            robot: None,
            control: Some(Control::Player),
            won: None,
        });
        CurrentGame {
            id: Uuid::nil(),
            planned: Box::new(planned()),
            number: 1,
            started_at: 0,
            players: players.collect(),
            can_end_amicably: true,
            is_cancelled: false,
            purse: None,
        }
    }

    /// The chips that each player and the bank get in a game of four with a bet of 100. `left` and `places` are by
    /// seat.
    fn decided(
        ended_by: Option<EndedBy>,
        places: [Option<u8>; 4],
        left: [bool; 4],
    ) -> (Vec<u64>, u64, Vec<Option<u64>>) {
        let seats = ["a", "b", "c", "d"].map(str::to_owned);
        let results = seats.iter().zip(places).zip(left).zip(0..).map(|(((seat, place), is_abandoned), side)| {
            PlayedSeat { seat: seat.clone(), side, place, gave_up: false, is_abandoned }
        });
        let result = GameResult { ended_by, places: results.collect(), ..GameResult::default() };
        let purse = Purse::new(100, None, vec![Uuid::nil(); 4]);
        let game = game(&seats, left);
        let PurseDecision { division, .. } = game.decided(&purse, &[], &result, false);
        let experience = division.members.iter().map(|outcome| outcome.score.as_ref().map(|score| score.experience));
        (division.members.iter().map(|outcome| outcome.chips).collect(), division.bank, experience.collect())
    }

    #[test]
    fn the_share_of_an_abandoned_seat_goes_to_the_bank() {
        let places = [Some(1), None, None, None];
        let rules = Some(EndedBy::Rules);
        assert_eq!(
            decided(rules, places, [false; 4]),
            (vec![300, 0, 0, 0], 100, vec![Some(40), Some(5), Some(5), Some(5)])
        );
        let left = [true, false, false, false];
        assert_eq!(decided(rules, places, left), (vec![0; 4], 400, vec![Some(0), Some(5), Some(5), Some(5)]));
    }

    #[test]
    fn a_game_that_all_have_abandoned_is_cancelled_and_its_stakes_go_to_the_bank() {
        let places = [Some(1), Some(2), Some(3), Some(4)];
        let ended = Some(EndedBy::Resignation);
        assert_eq!(decided(ended, places, [true; 4]), (vec![0; 4], 400, vec![None; 4]));
    }

    #[test]
    fn a_cancelled_or_removed_game_returns_the_stakes_of_those_who_have_stayed() {
        for ended in [Some(EndedBy::Abort), None] {
            let left = [false, true, false, false];
            assert_eq!(decided(ended, [None; 4], left), (vec![100, 0, 100, 100], 100, vec![None; 4]), "{ended:?}");
        }
    }

    #[test]
    fn who_gave_up_before_leaving_gets_the_stake_of_a_removed_game_back() {
        let mut game = game(&["a", "b", "c", "d"].map(str::to_owned), [true, true, false, false]);
        // For the seat of a player who gave up, nobody decides.
        game.players[0].control = None;
        let purse = Purse::new(100, None, vec![Uuid::nil(); 4]);
        let PurseDecision { division, .. } = game.decided(&purse, &[], &GameResult::default(), false);
        let chips: Vec<_> = division.members.iter().map(|outcome| outcome.chips).collect();
        assert_eq!((chips, division.bank), (vec![100, 0, 100, 100], 100));
    }

    #[test]
    fn those_who_are_tied_divide_the_pot() {
        let places = [Some(1), Some(1), Some(3), Some(4)];
        let (chips, bank, _) = decided(Some(EndedBy::Length), places, [false; 4]);
        assert_eq!((chips, bank), (vec![150, 150, 0, 0], 100));
    }
}
