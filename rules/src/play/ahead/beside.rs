//! Finds out whether the second of two numbers can be spent, without playing the first one.
//!
//! A quiet move from one square to another leaves the possible moves of other pawns elsewhere unchanged. A second pawn
//! that may spend the other number now may still do so afterwards, if its way crosses neither of the two squares.

use crate::play::engine::Engine;
use crate::play::state::{Action, State};
use crate::tables::{Reunite, Route};
use crate::units::PathPlace;

impl Engine {
    /// Whether, after `action`, one of the actions that are open now can spend the other one of two numbers.
    ///
    /// `false` means only that this quick check cannot show it.
    pub(super) fn is_followed(&self, state: &State, action: &Action, open: &[Action]) -> bool {
        let home = self.board.home();
        let is_quiet = |action: &Action| !action.captures && action.to != home;
        if !self.assumptions.moves_quietly || action.spends() != 1 || !is_quiet(action) || !self.goes_onward(action) {
            return false;
        }
        let colour = self.colour(state);
        let fresh = self.turn.reunite != Reunite::Throw || {
            let throws = &state.hand.banked[..state.hand.throws as usize & 31];
            throws.iter().all(|thrown| thrown.moved == 0)
        };
        if !fresh || state.has_finished(colour) {
            return false;
        }
        let touched = [action.from, action.to].map(|place| self.square(colour, place));
        let is_apart = |other: &Action| {
            let mut way = (other.from.0 + 1..=other.to.0).map(PathPlace);
            !way.any(|place| touched.contains(&self.square(colour, place)) && place != home)
        };
        open.iter().any(|other| {
            other.pawn != action.pawn
                && self.spends_other(state, action, other)
                && self.goes_onward(other)
                && is_apart(other)
        })
    }

    /// Whether the action moves a single pawn, either onward along its path or onto the board.
    fn goes_onward(&self, action: &Action) -> bool {
        let route = self.moves.spend[action.line as usize].route;
        !action.is_joint() && action.to > action.from && matches!(route, Route::Ahead | Route::To(_))
    }

    /// Whether `other` spends one number, and not the number that `action` spends.
    fn spends_other(&self, state: &State, action: &Action, other: &Action) -> bool {
        if other.spends() != 1 {
            return false;
        }
        if action.throw != other.throw || action.numbers != other.numbers {
            return true;
        }
        // Of equal numbers in a throw, only the first is offered. Two such actions can both be played if a second equal
        // number is left.
        let Some(thrown) = state.hand.thrown(action.throw) else { return false };
        let number = thrown.numbers[action.numbers.trailing_zeros() as usize & 3];
        let left = thrown.left & !action.numbers;
        (0..4).any(|i| left >> i & 1 == 1 && thrown.numbers[i] == number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Search;
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn};
    use crate::play::{Game, Phase, Quiet};

    #[test]
    fn what_is_seen_to_follow_does_follow() {
        let mut seen = 0;
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let mut chance = Chance(5);
            let tables = (0..8).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for rules in tables.collect::<Vec<_>>() {
                let mut game = Game::new(&rules, rules.seating.players[0]);
                for _ in 0..1500 {
                    if game.is_over() {
                        break;
                    } else if game.needs_throw() {
                        let throw = rules.draw(&mut |n| chance.below(n));
                        game.throw_drawn(&throw, &mut Quiet);
                        continue;
                    }
                    let state = game.state();
                    if state.phase == Phase::Move && state.numbers_left() == 2 {
                        let open = rules.legal(state);
                        for action in open.iter().filter(|action| rules.is_followed(state, action, &open)) {
                            let mut search = Search::new(&rules, state, false, &mut [], &mut []);
                            let spent = rules.spends_with(state, action, 2, &mut search, 0);
                            assert_eq!(spent, 2, "{}: {state:?} {action:?}", rules.identity.id);
                            seen += 1;
                        }
                    }
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
            }
        }
        assert!(seen > 3000, "{seen} actions");
    }
}
