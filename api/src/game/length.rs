//! The limit on the length of a game, so that an endless game cannot fill the store.

use crate::error::{Code, Problem, detail};

/// Number of events at which a game in play ends: twenty times the number in the longest games that are known.
pub(crate) const MOST_EVENTS: u64 = 100_000;
/// Events that a game may have beyond [`MOST_EVENTS`]: for the command that ends the game, and for events outside play,
/// such as the revocation of a token.
const SPARE: u64 = 1_000;

/// Checks that a game may have this number of events. `has_played` says whether the command has thrown or played. The
/// turn that reaches the limit is played to its end, so such a command may add more events than others.
///
/// # Errors
/// 409 if the game has too many events.
pub(crate) fn check(events: u64, has_played: bool) -> Result<(), Problem> {
    at_most(events, if has_played { MOST_EVENTS + 2 * SPARE } else { MOST_EVENTS + SPARE })
}

/// Checks that an imported game may have this number of events.
///
/// # Errors
/// 409 if the game has too many events.
pub(crate) fn check_import(events: u64) -> Result<(), Problem> {
    at_most(events, MOST_EVENTS)
}

fn at_most(events: u64, most: u64) -> Result<(), Problem> {
    if events <= most {
        return Ok(());
    }
    Err(Problem::new(
        Code::GameTooLong,
        detail!("it would have more than the {most} events that a game may have", most),
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use pagade_rules::bundled::{self, SETS};

    use super::*;
    use crate::game::GameId;
    use crate::game::edit::Edit;
    use crate::game::event::Event;
    use crate::game::stored::{Game, NewGame};
    use crate::game::terms::{Ending, Status, TurnTimer, WhenLate};
    use crate::ground::clock;
    use crate::ground::token::Token;
    use crate::model::event_kind::EventKind;

    /// Makes a game that has started and has this number of events.
    fn started(events: u64) -> Edit {
        let set = bundled::ruleset(SETS[0].0).unwrap();
        let engine = set.table(&BTreeMap::new(), None).unwrap();
        let timer = Some(TurnTimer { seconds: 60, then: WhenLate::First, forfeit_after: None, automatic: false });
        let new = NewGame { timer, ..NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash()) };
        let mut game = Game::new(new, clock::now());
        game.events = events - 1;
        let mut edit = Edit::begin(GameId::nil(), game, Arc::new(engine));
        edit.start();
        edit
    }

    #[test]
    fn a_game_at_its_bound_ends_with_a_ranking() {
        let (_, cached) = started(MOST_EVENTS).into_change(None).unwrap();
        assert_eq!(cached.game.status, Status::Playing);
        let mut thrown = Edit::of(&cached, clock::milliseconds());
        let throw = thrown.next_throw(None).unwrap();
        thrown.throw(&throw).unwrap();
        thrown.settle().unwrap();
        let (_, cached) = thrown.into_change(None).unwrap();
        assert_eq!((cached.game.status, cached.game.setup.ending), (Status::Finished, Some(Ending::Length)));
        assert_eq!(cached.game.deadline, None);
        let view = serde_json::from_slice::<serde_json::Value>(&cached.json().unwrap()).unwrap();
        assert_eq!((&view["ended_by"], &view["awaits"]), (&"length".into(), &"nothing".into()));
        assert_eq!(view["ranking"].as_array().map(Vec::len), Some(4), "{view}");
        assert_eq!(view["ranking"][3]["place"], 1, "nobody has moved: all are tied");
    }

    #[test]
    fn the_last_turn_of_a_late_player_fits_into_the_spare_room() {
        let (_, cached) = started(MOST_EVENTS - 1).into_change(None).unwrap();
        for _ in 0..100 {
            let mut late = Edit::of(&cached, clock::milliseconds());
            late.finish_turn(WhenLate::Random).unwrap();
            late.settle().unwrap();
            assert_eq!(late.into_change(None).unwrap().1.game.status, Status::Finished);
        }
    }

    #[test]
    fn tokens_can_be_revoked_at_the_bound() {
        let (_, cached) = started(MOST_EVENTS).into_change(None).unwrap();
        let renewed = |count| {
            let mut edit = Edit::of(&cached, clock::milliseconds());
            (0..count).for_each(|_| edit.add(Event::of_game(EventKind::TokenChanged)));
            edit.into_change(None).is_ok()
        };
        assert!(renewed(SPARE) && !renewed(SPARE + 1));
    }
}
