//! The ranking of the seats: by the rules, or by the progress of the pawns if a game ended before its rules ended it.

use std::cmp::Reverse;

use pagade_rules::play::{Engine, Seat, State};

use crate::game::setup::Setup;
use crate::game::terms::{Ending, Status};

/// Returns the number of sides that still play: at least one of their seats has not given up and is not among the
/// `ranked`. A side is a team, or a seat without a team.
pub(crate) fn sides_in_play(engine: &Engine, setup: &Setup, ranked: &[(u8, Seat)]) -> usize {
    let seated = setup.seats.iter().filter(|game_seat| game_seat.gave_up.is_none());
    let seats = seated.filter_map(|game_seat| engine.seat_named(&game_seat.seat));
    let in_play = seats.filter(|seat| ranked.iter().all(|(_, ranked)| ranked != seat));
    let mut sides = in_play.map(|seat| side(engine, seat));
    let mut found = sides.by_ref().collect::<Vec<_>>();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// Returns a number that is the same for all seats of a team.
fn side(engine: &Engine, seat: Seat) -> u8 {
    engine.seating.partner[seat.index()].0.min(seat.0)
}

/// Returns a number that is the same for all seats of a team; `None` if the game has no such seat.
pub(crate) fn side_named(engine: &Engine, seat: &str) -> Option<u8> {
    engine.seat_named(seat).map(|seat| side(engine, seat))
}

/// Lists the seats that have a rank, best first, each with its rank from 1. Seats that are tied share a rank. The seats
/// of a team share the rank of the team, which [`Engine::places`] lists only when the game is over.
///
/// If a game ended before its rules ended it, all seats are ranked: first the seats that finished, then those in play,
/// then those that gave up. Seats in play are ordered by how far the pawns of their side have come. Of those that gave
/// up, the side with the first seat that gave up is last. In an aborted game, no seat is ranked.
pub(crate) fn ranked(engine: &Engine, state: &State, setup: &Setup, status: Status) -> Vec<(u8, Seat)> {
    let order_out = |seat: Seat| {
        let outs = setup.seats.iter().filter(|game_seat| {
            engine.seat_named(&game_seat.seat).is_some_and(|other| side(engine, other) == side(engine, seat))
        });
        outs.map(|game_seat| game_seat.gave_up.map(|(order, _)| order)).min().flatten()
    };
    let mut ranked = Vec::new();
    let (mut rank, mut last) = (0, None);
    for (place, seat) in engine.places(state).filter(|(_, seat)| order_out(*seat).is_none()) {
        if last != Some(place) {
            (rank, last) = (u8::try_from(ranked.len() + 1).unwrap_or(u8::MAX), Some(place));
        }
        ranked.push((rank, seat));
    }
    let ends_early = setup.ending.is_some() || setup.seats.iter().any(|game_seat| game_seat.gave_up.is_some());
    if status != Status::Finished || !ends_early {
        return ranked;
    }
    if setup.ending == Some(Ending::Abort) {
        return Vec::new();
    }
    let progress = |seat: Seat| {
        let is_of_side = |colour: &&Seat| side(engine, engine.seating.player[colour.index()]) == side(engine, seat);
        let of_side = engine.seating.colours.iter().filter(is_of_side);
        let pawns = of_side.flat_map(|other| &state.at[other.index()][..usize::from(engine.pawns.count)]);
        pawns.map(|place| u32::from(place.0)).sum::<u32>()
    };
    // Seats in play come first, then those that gave up; the seat that gave up last is the best of these.
    let merit = |seat: Seat| match order_out(seat) {
        None => (true, 0, progress(seat)),
        Some(order) => (false, order, 0),
    };
    let mut others = engine.seating.players.iter().copied();
    let mut others = others.by_ref().filter(|seat| ranked.iter().all(|(_, ranked)| ranked != seat)).collect::<Vec<_>>();
    others.sort_by_key(|seat| Reverse(merit(*seat)));
    let (mut place, mut last) = (0, None);
    for (seat, number) in others.into_iter().zip(ranked.len() + 1..) {
        if last != Some(merit(seat)) {
            (place, last) = (u8::try_from(number).unwrap_or(u8::MAX), Some(merit(seat)));
        }
        ranked.push((place, seat));
    }
    ranked
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use pagade_rules::bundled;
    use pagade_rules::ruleset::{OptionValue, Options};

    use super::*;
    use crate::game::GameId;
    use crate::game::edit::Edit;
    use crate::game::stored::{Game, NewGame};
    use crate::game::terms::{GaveUp, WhenLate};
    use crate::ground::clock;
    use crate::ground::token::Token;

    /// Starts a game of two partnerships.
    pub(crate) fn partnerships(seed: u64) -> Edit {
        let options = [("mode".to_owned(), OptionValue::Word("partnership".to_owned()))].into();
        started_with("pagade", seed, options)
    }

    /// Starts a game of a bundled rule set.
    pub(crate) fn started(rule_set: &str) -> Edit {
        started_with(rule_set, 1, Options::new())
    }

    fn started_with(rule_set: &str, seed: u64, options: Options) -> Edit {
        let set = bundled::ruleset(rule_set).unwrap();
        let engine = Arc::new(set.table(&options, None).unwrap());
        let hot_seat = NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash());
        let new = NewGame { seed: seed.to_string(), options, ..hot_seat };
        let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), engine);
        edit.start();
        edit
    }

    /// Plays turns by chance until the game is over, or `is_it` accepts the position.
    pub(crate) fn play_until(edit: &mut Edit, is_it: impl Fn(&Engine, &State) -> bool) {
        while edit.game.status == Status::Playing && !is_it(&edit.engine, edit.playing().unwrap().state()) {
            edit.finish_turn(WhenLate::Random).unwrap();
            edit.events.clear();
        }
    }

    fn of(edit: &Edit) -> Vec<(u8, Seat)> {
        ranked(&edit.engine, edit.play.as_ref().unwrap().state(), &edit.game.setup, edit.game.status)
    }

    /// Whether all pawns of a seat are home.
    fn is_home(engine: &Engine, state: &State, seat: Seat) -> bool {
        state.at[seat.index()][..usize::from(engine.pawns.count)].iter().all(|place| *place == engine.board.home())
    }

    /// The seat that has finished although its team is behind the other team; `None` if there is none.
    fn first_of_the_team_behind(engine: &Engine, state: &State) -> Option<Seat> {
        let progress = |seat: Seat| state.at[seat.index()].iter().map(|place| u32::from(place.0)).sum::<u32>();
        let of_team = |seat: Seat| progress(seat) + progress(engine.seating.partner[seat.index()]);
        let first = engine.seating.players.iter().copied().find(|seat| is_home(engine, state, *seat))?;
        (of_team(first) < of_team(engine.seating.next[first.index()])).then_some(first)
    }

    #[test]
    fn the_team_whose_pawns_are_all_home_first_wins_whoever_is_home_first() {
        let mut turned = 0;
        for seed in 0..40 {
            let mut edit = partnerships(seed);
            play_until(&mut edit, |engine, state| {
                engine.seating.players.iter().any(|seat| is_home(engine, state, *seat))
            });
            assert!(of(&edit).is_empty(), "{seed}: nobody has a place before a team has finished");
            let first = edit.playing().unwrap().state().placed().next().unwrap();
            play_until(&mut edit, |_, _| false);
            let (engine, state) = (Arc::clone(&edit.engine), *edit.play.as_ref().unwrap().state());
            let winners: Vec<Seat> = engine
                .seating
                .players
                .iter()
                .copied()
                .filter(|seat| {
                    is_home(&engine, &state, *seat) && is_home(&engine, &state, engine.seating.partner[seat.index()])
                })
                .collect();
            let mut places = of(&edit);
            places.sort_by_key(|(place, seat)| (*place, seat.0));
            assert_eq!(places, winners.iter().map(|seat| (1, *seat)).collect::<Vec<_>>(), "{seed}");
            turned += u32::from(!winners.contains(&first));
        }
        assert!(turned > 2, "the other team was home first in {turned} games only");
    }

    #[test]
    fn a_game_of_teams_that_ends_early_ranks_teams_and_not_their_members() {
        let position = || {
            let behind = |edit: &mut Edit| {
                play_until(edit, |engine, state| first_of_the_team_behind(engine, state).is_some());
                edit.game.status == Status::Playing
            };
            let mut edits = (0..200).map(partnerships);
            edits.find_map(|mut edit| behind(&mut edit).then_some(edit)).unwrap()
        };
        let mut agreed = position();
        let first = first_of_the_team_behind(&agreed.engine, agreed.playing().unwrap().state()).unwrap();
        let (next, partner) = (agreed.engine.seating.next[first.index()], agreed.engine.seating.partner[first.index()]);
        let other = agreed.engine.seating.partner[next.index()];
        let sorted = |edit: &Edit| {
            let mut places = of(edit);
            places.sort_by_key(|(place, seat)| (*place, seat.0));
            places
        };
        let expected = |best: [Seat; 2], last: [Seat; 2]| {
            let mut places = [(1, best[0]), (1, best[1]), (3, last[0]), (3, last[1])];
            places.sort_by_key(|(place, seat)| (*place, seat.0));
            places.to_vec()
        };
        agreed.end(Ending::Agreement);
        assert_eq!(sorted(&agreed), expected([next, other], [first, partner]), "the pawns of both members count");
        let mut resigned = position();
        resigned.give_up(first, GaveUp::Resigned).unwrap();
        assert_eq!((resigned.game.status, of(&resigned)), (Status::Playing, vec![]), "the partner plays on");
        resigned.give_up(partner, GaveUp::Resigned).unwrap();
        assert_eq!(sorted(&resigned), expected([next, other], [first, partner]));
        let mut won = position();
        won.give_up(next, GaveUp::Resigned).unwrap();
        won.give_up(other, GaveUp::Resigned).unwrap();
        assert_eq!(sorted(&won), expected([first, partner], [next, other]));
    }
}
