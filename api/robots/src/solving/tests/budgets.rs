//! The thinker with greater budgets against perfect play: how much of the chance to win its decisions lose.

use pagade_rules::play::{Action, Actions, Engine, Game, Quiet, State};

use super::{Solution, solved, ur};
use crate::{Brain, Budget, RobotKind};

/// The chance that an action keeps, if both play as well as possible after it.
fn kept(engine: &Engine, solution: &Solution, state: &State, action: &Action) -> f64 {
    let (mut after, mut open) = (*state, Actions::default());
    engine.play_unchecked(&mut after, action, &mut open, &mut Quiet);
    solution.value(engine, state, &after, &open)
}

#[test]
fn a_thinker_with_a_greater_budget_loses_less_of_its_chance_to_win() {
    let engine = ur(3);
    let solution = solved(&engine);
    let thinker = Brain::new(RobotKind::Thinker, &engine);
    let budgets = [1, 8, 64].map(|multiple| Budget::times(multiple).unwrap());
    let mut seed = 3_u64;
    let mut below = move |n: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % u64::from(n)) as u32
    };
    let (mut lost, mut decisions) = ([0.0; 3], 0);
    let mut game = Game::new(&engine, engine.first_seat());
    while decisions < 1_000 {
        if game.is_over() {
            game.restart(engine.first_seat());
        }
        if game.needs_throw() {
            game.throw_drawn(&engine.draw(&mut below), &mut Quiet);
            continue;
        }
        let (state, open) = (*game.state(), engine.legal(game.state()));
        let best = kept(&engine, &solution, &state, &open[solution.choose(&engine, &state, &open)]);
        if open.len() > 1 {
            decisions += 1;
            for (lost, budget) in lost.iter_mut().zip(budgets) {
                let choose = || thinker.choose_within(&engine, &state, &open, budget, &mut |_| 0);
                let index = choose();
                assert_eq!(index, choose(), "the same position and budget give the same action");
                *lost += best - kept(&engine, &solution, &state, &open[index]);
            }
        }
        // The positions are those of games by chance, so that they are the same for all budgets.
        let index = below(open.len() as u32) as usize;
        game.play_nth(index, &mut Quiet);
    }
    let lost = lost.map(|sum| 100.0 * sum / f64::from(decisions));
    println!("of 100 games, a decision loses with budgets 1, 8, 64: {lost:?}");
    assert!(lost[0] > 1.2 * lost[1] && lost[1] > 1.2 * lost[2], "{lost:?}");
}
