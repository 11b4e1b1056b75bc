//! Tests of solving: values of a small game against an independent computation, files, and perfect play.

mod budgets;
mod by_hand;
mod files;
mod ways;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Engine, Game, Quiet};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use self::by_hand::ByHand;
use super::*;
use crate::{Brain, RobotKind};

const SETTINGS: SolveSettings =
    SolveSettings { threads: 2, memory: 1 << 30, tolerance: 1e-12, mirror: true, in_parts: true };

/// The Royal Game of Ur with few pieces, where white begins, and with these lines added.
fn ur_with(pieces: usize, lines: &str) -> Engine {
    let out = vec!["out"; pieces].join(", ");
    let head = "rules: ur-small\nversion: 1.0.0\ntitle: Small\nextends: royal-game-of-ur\n";
    let text = format!(
        "{head}remove: {{options: [pieces]}}\npawns: {{each: {pieces}, start: [{{pawns: [{out}]}}]}}\n\
         turn: {{first: white}}\n{lines}"
    );
    let checked = RuleSet::check(&Source { name: "small".to_owned(), text }, &Bundled);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
    set.table(&Options::new(), None).unwrap()
}

fn ur(pieces: usize) -> Engine {
    ur_with(pieces, "")
}

fn solved_with(engine: &Engine, settings: &SolveSettings) -> Solution {
    let mut solution = Solution::find(engine, settings, &mut |_| true).unwrap();
    solution.solve(engine, settings, &mut |_, _| true).unwrap();
    solution
}

fn solved(engine: &Engine) -> Solution {
    solved_with(engine, &SETTINGS)
}

#[test]
fn values_of_a_small_game_are_those_of_an_independent_solver() {
    for pieces in [1, 2] {
        let engine = ur(pieces);
        let (solution, by_hand) = (solved(&engine), ByHand::solved(pieces as u32));
        let [(_, chance)] = solution.chances_to_begin(&engine)[..] else { panic!("white begins") };
        let expected = by_hand.values[&(0, 0, 0, 0)];
        assert!((chance - expected).abs() < 1e-9, "{pieces} pieces: {chance}, by hand {expected}");
        // All positions of some games are compared, not only the first one.
        let mut compared = 0;
        walk(&engine, 40, |game| {
            let state = game.state();
            if !game.needs_throw() {
                return;
            }
            let side = |seat: usize| {
                let places = &state.at[seat][..pieces];
                let squares = places.iter().filter(|place| (1..15).contains(&place.0));
                let home = places.iter().filter(|place| place.0 == 15).count() as u32;
                (squares.fold(0_u16, |bits, place| bits | 1 << place.0), home)
            };
            let turn = state.turn.index();
            let ((own, home), (other, far)) = (side(turn), side(1 - turn));
            let found = solution.chance_in(&engine, state).expect("the position was found");
            let expected = by_hand.values[&(own, other, home, far)];
            assert!((found - expected).abs() < 1e-9, "{found}, by hand {expected}: {state:?}");
            compared += 1;
        });
        assert!(compared > 200, "{compared} positions");
    }
}

/// Plays games by chance, and calls `seen` before every throw and action.
fn walk(engine: &Engine, games: u64, mut seen: impl FnMut(&Game<'_>)) {
    let mut seed = 3_u64;
    let mut below = move |n: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(n)) as u32
    };
    for _ in 0..games {
        let mut game = Game::new(engine, engine.first_seat());
        while !game.is_over() {
            seen(&game);
            if game.needs_throw() {
                let throw = engine.draw(&mut below);
                game.throw_drawn(&throw, &mut Quiet);
            } else {
                let index = below(game.open() as u32) as usize;
                game.play_nth(index, &mut Quiet);
            }
        }
    }
}

#[test]
fn perfect_play_wins_as_often_against_itself_as_its_values_say_and_more_often_against_the_hunter() {
    let engine = ur(2);
    let solution = solved(&engine);
    let [(_, expected)] = solution.chances_to_begin(&engine)[..] else { panic!("white begins") };
    let mut seed = 17_u64;
    let mut below = move |n: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(n)) as u32
    };
    let hunter = Brain::new(RobotKind::Hunter, &engine);
    let mut wins_of_first = |second_hunts: bool| {
        let games = 2_000;
        let mut wins = 0;
        for _ in 0..games {
            let mut game = Game::new(&engine, engine.first_seat());
            while !game.is_over() {
                if game.needs_throw() {
                    let throw = engine.draw(&mut below);
                    game.throw_drawn(&throw, &mut Quiet);
                    continue;
                }
                let open: Vec<_> = (0..game.open()).map(|index| game.action(index)).collect();
                let index = if second_hunts && game.state().turn.0 == 1 {
                    hunter.choose(&engine, game.state(), &open, &mut below)
                } else {
                    solution.choose(&engine, game.state(), &open)
                };
                game.play_nth(index, &mut Quiet);
            }
            wins += u32::from(game.state().placed().next().is_some_and(|seat| seat.0 == 0));
        }
        f64::from(wins) / f64::from(games)
    };
    let (mirror, hunted) = (wins_of_first(false), wins_of_first(true));
    assert!((mirror - expected).abs() < 0.045, "{mirror}, expected {expected}: four standard errors");
    assert!(hunted > expected + 0.03, "{hunted} against the hunter, {expected} against itself");
}
