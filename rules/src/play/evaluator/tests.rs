//! Tests that a chain of questions (`question.rs`) gives the same result as the program from which it was compiled.

use super::Context;
use crate::bundled;
use crate::play::engine::Engine;
use crate::play::question::Look;
use crate::play::quick::tests::{Chance, drawn};
use crate::play::{Game, Quiet, State};
use crate::tables::{Program, Whose};
use crate::units::{PathPlace, PawnIndex, Pips, ThrowIndex};

/// Number of steps of each game after which the results are compared.
const STEPS: usize = 400;

/// A random context for conditions. Many of these contexts cannot occur in a game.
fn decision(engine: &Engine, state: &State, chance: &mut Chance) -> Context {
    let mut below = |n: usize| chance.below(n as u32) as u8;
    let seat = |n: u8| engine.seating.players[n as usize];
    Context {
        own: seat(below(engine.seating.players.len())),
        other: seat(below(engine.seating.players.len())),
        pawn: PawnIndex::new(below(engine.pawns.count as usize)),
        from: PathPlace(below(engine.board.len as usize)),
        to: PathPlace(below(engine.board.len as usize)),
        number: Pips(below(13)),
        unplayed: below(13),
        throw: if below(2) == 0 { None } else { Some(ThrowIndex::new(below(state.hand.throws as usize + 1))) },
        victims: below(3),
        joint: below(2) == 1,
        argument: PathPlace(below(engine.board.len as usize)),
        jumps: 0,
        whole: below(2) == 1,
    }
}

#[test]
fn questions_answer_as_their_programs_do() {
    let (mut compared, mut shorter) = (0, 0);
    for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
        let mut chance = Chance(1);
        let tables = (0..6).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
        for engine in tables.collect::<Vec<_>>() {
            let mut game = Game::new(&engine, engine.seating.players[0]);
            for _ in 0..STEPS {
                if game.is_over() {
                    break;
                } else if game.needs_throw() {
                    let throw = engine.draw(&mut |n| chance.below(n));
                    game.throw_drawn(&throw, &mut Quiet);
                } else {
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
                let context = decision(&engine, game.state(), &mut chance);
                for &program in &engine.code.programs {
                    let asked = engine.value(game.state(), program, &context);
                    let code = engine.ops(program);
                    assert_eq!(asked, engine.value_by_code(game.state(), program, &context), "{code:?}: {context:?}");
                    compared += 1;
                }
                shorter += settled_questions_answer_alike(&engine, game.state(), &context);
            }
        }
    }
    assert!(compared > 100_000 && shorter > 10_000, "{compared} values, {shorter} by fewer questions");
}

/// Compares the values of all programs with those after the questions about own counters are settled. Returns for how
/// many programs the first question differs.
fn settled_questions_answer_alike(engine: &Engine, state: &State, context: &Context) -> usize {
    let known = |look: Look| match look {
        Look::Counter(Whose::Own, index) => Some(engine.counter(state, context, Whose::Own, index)),
        _ => None,
    };
    let settled = engine.settled(&known);
    let differs = |program: &&Program| {
        let first = engine.questions.first[program.start as usize];
        let later = settled.comes_to(first);
        let (value, settled) = (engine.value(state, **program, context), engine.value_from(state, later, context));
        assert_eq!(value, settled, "{:?}: {context:?}", engine.ops(**program));
        first != later
    };
    engine.code.programs.iter().filter(differs).count()
}
