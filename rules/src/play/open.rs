//! Containers for the legal actions of a state.

use super::actions::Actions;
use super::engine::Engine;
use super::state::{Action, State};

/// A container for the legal actions of a state: a list, or bits where a [`Game`](super::Game) plays a plain rule set.
pub(crate) trait OpenActions {
    fn clear(&mut self);
    fn is_empty(&self) -> bool;
    /// Finds the legal actions that spend part of the hand.
    fn find_moves(&mut self, engine: &Engine, state: &State);
    /// Finds the legal choices.
    fn find_choices(&mut self, engine: &Engine, state: &State);
}

impl OpenActions for Actions {
    fn clear(&mut self) {
        Actions::clear(self);
    }

    fn is_empty(&self) -> bool {
        <[Action]>::is_empty(self)
    }

    fn find_moves(&mut self, engine: &Engine, state: &State) {
        self.clear();
        engine.moves_into(state, self);
    }

    fn find_choices(&mut self, engine: &Engine, state: &State) {
        self.clear();
        engine.choices_into(state, self);
    }
}

/// A list of all actions that fit the hand, found without looking ahead. It is empty if no action is legal.
pub(super) struct Fitting<'a>(pub &'a mut Actions);

impl OpenActions for Fitting<'_> {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find_moves(&mut self, engine: &Engine, state: &State) {
        self.clear();
        // Only looking ahead finds out whether all numbers of a throw can be spent: if not, none of its actions is
        // legal.
        if state.must_spend_all() {
            engine.moves_into(state, self.0);
        } else {
            engine.repeated_moves_into(state, false, self.0);
        }
    }

    fn find_choices(&mut self, engine: &Engine, state: &State) {
        self.0.find_choices(engine, state);
    }
}

#[cfg(test)]
mod tests {
    use super::super::quick::tests::{Chance, drawn, walk};
    use super::super::state::ActionForm;
    use super::super::watch::Quiet;
    use super::*;
    use crate::bundled;

    #[test]
    fn an_action_leads_to_the_same_position_whether_the_next_actions_are_looked_ahead_for_or_not() {
        let (mut chance, mut wasteful) = (Chance(3), 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let tables = (0..4).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                let is_in = |list: &Actions, action: &Action| {
                    let plain = |action: &Action| Action { form: ActionForm::PLAIN, ..*action };
                    list.iter().any(|other| plain(other) == plain(action))
                };
                walk(&engine, &mut chance, 150, |state| {
                    for action in engine.legal(state).iter() {
                        let (mut exact, mut fitting) = (*state, *state);
                        let (mut legal, mut fit) = (Actions::default(), Actions::default());
                        engine.play_unchecked(&mut exact, action, &mut legal, &mut Quiet);
                        engine.play_fitting(&mut fitting, action, &mut fit, &mut Quiet);
                        assert_eq!(exact, fitting, "{}: {state:?} {action:?}", engine.identity.id);
                        assert!(legal.iter().all(|action| is_in(&fit, action)), "{}: {exact:?}", engine.identity.id);
                        assert_eq!(legal.is_empty(), fit.is_empty(), "{}: {exact:?}", engine.identity.id);
                        wasteful += usize::from(legal.len() < fit.len());
                    }
                });
            }
        }
        assert!(wasteful > 100, "in {wasteful} positions only, looking ahead has removed an action");
    }
}
