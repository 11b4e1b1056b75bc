//! Finds out whether the second of two numbers can be spent, by trying the first one on a copy of the position.
//!
//! A quiet move changes the pawns, their squares and the hand, and nothing else that a condition for another move reads.
//! So it is played and taken back without its consequences.

use crate::play::engine::Engine;
use crate::play::state::{Action, State};

/// A copy of a position with two numbers left, on which actions are tried. It is made when it is first needed.
#[derive(Default)]
pub(super) struct Trial(Option<State>);

impl Engine {
    /// Whether the number that `action` leaves can be spent after it, if the hand has two numbers left, and the work of
    /// finding it out, in operations of conditions. `None` if only a search can decide it. The trial is of this state.
    pub(super) fn is_followed(&self, state: &State, action: &Action, trial: &mut Trial) -> (Option<bool>, u32) {
        if action.spends() != 1 || !self.can_be_taken_back(state, action) {
            return (None, 0);
        }
        let Some(throw) = action.throw else { return (None, 0) };
        let ahead = trial.0.get_or_insert(*state);
        let before = self.play_quietly(ahead, action.colour, action, throw);
        let (can, work) = self.can_spend_one_by(ahead);
        self.take_back(ahead, action.colour, throw, &before);
        (Some(can), work)
    }
}

#[cfg(test)]
mod tests {
    use super::super::progress::PlanSearch;
    use super::Trial;
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn};
    use crate::play::{Game, Phase, Quiet};

    #[test]
    fn what_is_seen_to_follow_or_not_does_so() {
        let mut seen = [0, 0];
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
                        let mut trial = Trial::default();
                        for action in open.iter() {
                            let Some(is_followed) = rules.is_followed(state, action, &mut trial).0 else {
                                continue;
                            };
                            let mut search = PlanSearch::new(&rules, state, false, &mut [], &mut []);
                            let spent = rules.spends_with(state, action, 2, &mut search, 0);
                            assert_eq!(spent == 2, is_followed, "{}: {state:?} {action:?}", rules.identity.id);
                            seen[usize::from(is_followed)] += 1;
                        }
                    }
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
            }
        }
        assert!(seen[0] > 200 && seen[1] > 3000, "{seen:?} actions");
    }
}
