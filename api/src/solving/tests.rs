//! Tests of solving: values of a small game against an independent computation, files, and perfect play.

use std::collections::HashMap;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Engine, Game, Quiet};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use super::*;
use crate::robots::{Brain, RobotKind};

/// The Royal Game of Ur with few pieces.
fn ur(pieces: usize) -> Engine {
    let out = vec!["out"; pieces].join(", ");
    let head = "rules: ur-small\nversion: 1.0.0\ntitle: Small\nextends: royal-game-of-ur\n";
    let text = format!(
        "{head}remove: {{options: [pieces]}}\npawns: {{each: {pieces}, start: [{{pawns: [{out}]}}]}}\n\
         turn: {{first: white}}\n"
    );
    let checked = RuleSet::check(&Source { name: "small".to_owned(), text }, &Bundled);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
    set.table(&Options::new(), None).unwrap()
}

fn solved(engine: &Engine) -> Solution {
    let graph = Graph::find(engine, 1 << 30, &mut |_, _| {}).unwrap();
    let mut values = Values::even(graph.len());
    values.iterate(&graph, 2, 1e-12, &mut |_| true);
    Solution::new(graph, values)
}

/// An independent solver of the Royal Game of Ur: the rules are written out here, and no code is shared.
///
/// A position is seen from the player to throw: the squares 1 to 14 of both as bits, and the pieces at home of both.
struct ByHand {
    pieces: u32,
    values: HashMap<(u16, u16, u32, u32), f64>,
}

impl ByHand {
    const CHANCES: [f64; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

    /// The positions after a throw, each with whether the same player throws again. A position with all pieces home is
    /// won.
    fn moves(&self, (own, other, home, far): (u16, u16, u32, u32), steps: u32) -> Vec<((u16, u16, u32, u32), bool)> {
        let mut moves = Vec::new();
        let waiting = self.pieces - own.count_ones() - home;
        for from in 0..=14 {
            let stands = if from == 0 { waiting > 0 } else { own >> from & 1 == 1 };
            let to = from + steps;
            if steps == 0 || !stands || to > 15 || to < 15 && own >> to & 1 == 1 {
                continue;
            }
            let left = if from == 0 { own } else { own & !(1 << from) };
            if to == 15 {
                moves.push(((left, other, home + 1, far), false));
                continue;
            }
            let meets = (5..=12).contains(&to) && other >> to & 1 == 1;
            if meets && to == 8 {
                continue;
            }
            let rest = if meets { other & !(1 << to) } else { other };
            moves.push(((left | 1 << to, rest, home, far), [4, 8, 14].contains(&to)));
        }
        moves
    }

    fn after(&self, ((own, other, home, far), again): ((u16, u16, u32, u32), bool)) -> f64 {
        if home == self.pieces {
            1.0
        } else if again {
            self.values.get(&(own, other, home, far)).copied().unwrap_or(0.5)
        } else {
            1.0 - self.values.get(&(other, own, far, home)).copied().unwrap_or(0.5)
        }
    }

    fn solved(pieces: u32) -> ByHand {
        let mut by_hand = ByHand { pieces, values: HashMap::from([((0, 0, 0, 0), 0.5)]) };
        let mut waiting = vec![(0, 0, 0, 0)];
        while let Some(position) = waiting.pop() {
            let (own, other, home, far) = position;
            let mut next = vec![(other, own, far, home)];
            for steps in 1..=4 {
                for ((own, other, home, far), again) in by_hand.moves(position, steps) {
                    if home < pieces {
                        next.push(if again { (own, other, home, far) } else { (other, own, far, home) });
                    }
                }
            }
            for position in next {
                if by_hand.values.insert(position, 0.5).is_none() {
                    waiting.push(position);
                }
            }
        }
        let positions: Vec<_> = by_hand.values.keys().copied().collect();
        loop {
            let mut change = 0.0_f64;
            for &position in &positions {
                let (own, other, home, far) = position;
                let mut value = 0.0;
                for (steps, chance) in (0..).zip(Self::CHANCES) {
                    let moves = by_hand.moves(position, steps).into_iter().map(|end| by_hand.after(end));
                    let best = moves.fold(f64::MIN, f64::max);
                    let stays = || by_hand.after(((own, other, home, far), false));
                    value += chance * if best == f64::MIN { stays() } else { best };
                }
                change = change.max((value - by_hand.values[&position]).abs());
                by_hand.values.insert(position, value);
            }
            if change < 1e-12 {
                return by_hand;
            }
        }
    }
}

#[test]
fn values_of_a_small_game_are_those_of_an_independent_solver() {
    for pieces in [1, 2] {
        let engine = ur(pieces);
        let (solution, by_hand) = (solved(&engine), ByHand::solved(pieces as u32));
        let [(_, chance)] = solution.chances_to_begin(&engine)[..] else { panic!("white begins") };
        let expected = by_hand.values[&(0, 0, 0, 0)];
        assert!((chance - expected).abs() < 1e-9, "{pieces} pieces: {chance}, by hand {expected}");
        // Every position of some games, not only the first.
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

#[test]
fn an_iteration_goes_on_from_a_file_and_refuses_that_of_another_table() {
    let engine = ur(1);
    let graph = Graph::find(&engine, 1 << 30, &mut |_, _| {}).unwrap();
    let mut values = Values::even(graph.len());
    values.iterate(&graph, 1, 1e-12, &mut |values| values.sweeps < 2);
    let mut file = Vec::new();
    write(&engine, &values, &mut file).unwrap();
    let mut resumed = read(&engine, graph.len(), &mut file.as_slice()).unwrap();
    assert_eq!(resumed.sweeps, 2);
    assert!(resumed.to_list().eq(values.to_list()));
    resumed.iterate(&graph, 1, 1e-12, &mut |_| true);
    values.iterate(&graph, 1, 1e-12, &mut |_| true);
    assert!(resumed.to_list().eq(values.to_list()));
    let other = ur(2);
    assert!(matches!(read(&other, 7, &mut file.as_slice()), Err(FileError::OtherTable(_))));
    assert!(matches!(read(&engine, graph.len(), &mut &b"{}\n"[..]), Err(FileError::Format)));
    file.truncate(file.len() - 1);
    assert!(matches!(read(&engine, graph.len(), &mut file.as_slice()), Err(FileError::Io(_))));
}

#[test]
fn what_is_too_large_is_refused_with_a_count() {
    let SolveError::TooLarge { positions, waiting, .. } = Graph::find(&ur(7), 1_000_000, &mut |_, _| {}).unwrap_err()
    else {
        panic!("seven pieces have millions of positions")
    };
    assert!(positions > 1_000 && waiting > 0, "{positions}, {waiting}");
    let set = pagade_rules::bundled::ruleset("ludo").unwrap();
    let four = set.table(&Options::new(), None).unwrap();
    assert_eq!(Graph::find(&four, 1 << 20, &mut |_, _| {}).unwrap_err(), SolveError::Players(4));
}
