//! The bound on the length of a game: an endless game must not fill the store.

use crate::error::{Code, Problem};

/// Most events of a game in play: twenty times those of the longest known games.
pub(crate) const MOST_EVENTS: u64 = 100_000;
/// Room above that bound for events outside play: tokens can still be revoked.
const SPARE: u64 = 1_000;

/// Checks that a game may have so many events. `has_played` says whether the command has thrown or played.
///
/// # Errors
/// 409 if it has too many.
pub(crate) fn check(events: u64, has_played: bool) -> Result<(), Problem> {
    let most = if has_played { MOST_EVENTS } else { MOST_EVENTS + SPARE };
    if events <= most {
        return Ok(());
    }
    Err(Problem::new(Code::GameTooLong, format!("it would have more than the {most} events that a game may have")))
}

/// Whether the game is too near its bound for a turn deadline: the server could not finish a late turn.
pub(crate) fn is_nearly_full(events: u64) -> bool {
    events + SPARE > MOST_EVENTS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use pagade_rules::bundled::{self, SETS};

    use super::*;
    use crate::game::GameId;
    use crate::game::edit::Edit;
    use crate::game::event::{Event, EventKind};
    use crate::game::stored::{Game, NewGame};
    use crate::game::terms::{TurnTimer, WhenLate};
    use crate::ground::clock;
    use crate::ground::token::Token;

    /// A game that was started, with so many events.
    fn started(events: u64) -> Edit {
        let set = bundled::ruleset(SETS[0].0).unwrap();
        let engine = set.table(&BTreeMap::new(), None).unwrap();
        let timer = Some(TurnTimer { seconds: 60, then: WhenLate::First });
        let new = NewGame { timer, ..NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash()) };
        let mut game = Game::new(new, clock::now());
        game.events = events - 1;
        let mut edit = Edit::begin(GameId::nil(), game, Arc::new(engine));
        edit.start();
        edit
    }

    #[test]
    fn a_game_has_an_end_in_any_case() {
        let (_, known) = started(MOST_EVENTS).into_change(None).unwrap();
        let mut thrown = Edit::of(&known);
        let throw = thrown.next_throw(None).unwrap();
        thrown.throw(&throw).unwrap();
        assert_eq!(thrown.into_change(None).unwrap_err().code, Code::GameTooLong);
        let renewed = |count| {
            let mut edit = Edit::of(&known);
            (0..count).for_each(|_| edit.add(Event::of_game(EventKind::TokenChanged)));
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
