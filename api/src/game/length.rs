//! How long a game may become: whoever plays on and on fills no store.

use crate::error::{Code, Problem};
use crate::game::edit::Edit;

/// Most events of a game that is played on: twenty times what the longest games come to.
pub const MOST_EVENTS: u64 = 100_000;
/// So many more where nothing is played: tokens can be taken back to the end.
const SPARE: u64 = 1_000;

impl Edit {
    /// The game may have as many events as it would have.
    ///
    /// # Errors
    /// It may not.
    pub fn check_length(&self) -> Result<(), Problem> {
        let most = if self.has_played() { MOST_EVENTS } else { MOST_EVENTS + SPARE };
        if self.game.events <= most {
            return Ok(());
        }
        Err(Problem::new(Code::GameTooLong, format!("it would have more than the {most} events that a game may have")))
    }

    /// Nobody is hurried any more: the server could not play on.
    pub fn is_nearly_full(&self) -> bool {
        self.game.events + SPARE > MOST_EVENTS
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use pagade_rules::bundled::{self, SETS};

    use super::*;
    use crate::game::GameId;
    use crate::game::stored::{Game, NewGame};
    use crate::ground::clock;
    use crate::ground::token::Token;
    use crate::model::event::EventView;
    use crate::model::game::{DiceHolder, RuleSetRef, SeedBy, TurnTimer, WhenLate};

    /// A game that was started, with so many events.
    fn started(events: u64) -> Edit {
        let rules = bundled::ruleset(SETS[0].0).unwrap().table(&BTreeMap::new(), None).unwrap();
        let new = NewGame {
            title: None,
            rule_set: RuleSetRef { id: SETS[0].0.to_owned(), version: String::new(), digest: String::new() },
            options: BTreeMap::new(),
            players: rules.seating.players.iter().map(|seat| rules.seat_name(*seat).to_owned()).collect(),
            dice: DiceHolder::Server,
            seed: "of the tests".to_owned(),
            seed_by: SeedBy::Server,
            owner: Token::new().unwrap().hash(),
            invitation: None,
            hot_seat: true,
            timer: Some(TurnTimer { seconds: 60, then: WhenLate::First }),
        };
        let mut game = Game::new(new, clock::now());
        game.events = events - 1;
        let mut edit = Edit::begin(GameId::nil(), game, Arc::new(rules));
        edit.start();
        edit
    }

    #[test]
    fn a_game_has_an_end_in_any_case() {
        let (_, known) = started(MOST_EVENTS).into_change(None).unwrap();
        let mut thrown = Edit::of(&known);
        thrown.throw(None).unwrap();
        assert_eq!(thrown.into_change(None).unwrap_err().code, Code::GameTooLong);
        let renewed = |count| {
            let mut edit = Edit::of(&known);
            (0..count).for_each(|_| edit.tell(EventView::default()));
            edit.into_change(None).is_ok()
        };
        assert!(renewed(SPARE) && !renewed(SPARE + 1));
    }

    #[test]
    fn nobody_is_hurried_where_the_server_could_not_play_on() {
        let deadline = |events| started(events).game.deadline;
        assert!(deadline(MOST_EVENTS - SPARE).is_some());
        assert_eq!(deadline(MOST_EVENTS - SPARE + 2), None);
    }
}
