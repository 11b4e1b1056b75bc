//! Whether moves without a capture leave the possible moves of pawns elsewhere unchanged.

use crate::tables::{Duty, Effect, Event, Fact, Op, Program, Rules, Whose};

/// The events of a quiet move: the pawn goes onward, captures nothing and stays on the board.
const QUIET: [Event; 4] = [Event::Moved, Event::Entered, Event::PassedOwnPair, Event::PairFormed];

/// Whether a quiet move changes no value that the conditions for moves from other squares read.
pub(super) fn moves_quietly(rules: &Rules) -> bool {
    let effects = || QUIET.iter().flat_map(|event| &rules.events.on[*event as usize]).flat_map(|rule| &rule.effects);
    let counts =
        |effect: &Effect| matches!(effect, Effect::Set(..) | Effect::Add(..) | Effect::Mark(..) | Effect::MarkEach(..));
    let sets = |wanted: Whose, index: u8| {
        effects().any(|effect| match *effect {
            Effect::Set(whose, other, _) | Effect::Add(whose, other, _) => {
                other == index && (whose == Whose::Game) == (wanted == Whose::Game)
            }
            _ => false,
        })
    };
    let marks = |bit: u8| {
        effects().any(|effect| matches!(*effect, Effect::Mark(other, _) | Effect::MarkEach(other, ..) if other == bit))
    };
    let stays = |op: &Op| match *op {
        Op::Counter(whose, index) => !sets(whose, index),
        Op::Mark(bit) | Op::MarkThere(bit) | Op::MarkNamed(bit) => !marks(bit),
        Op::Pawns(_) | Op::Pairs(_) => false,
        Op::Fact(fact) => !matches!(
            fact,
            Fact::InPair | Fact::AnyMoved | Fact::LastMovedAt | Fact::NumbersLeft | Fact::BonusesNow | Fact::Owed
        ),
        _ => true,
    };
    let asks_what_stays = |program: Program| rules.ops(program).iter().all(stays);
    let lines = rules.moves.spend.iter().filter(|line| line.duty != Duty::Voluntary);
    let asked = lines.flat_map(|line| [line.open, line.when, line.steps]).flatten().chain(rules.board.gate);
    let verdicts =
        [&rules.moves.landing, &rules.moves.passing].into_iter().flat_map(|table| &table.asked).map(|asked| asked.when);
    effects().all(counts) && asked.chain(verdicts).all(asks_what_stays)
}
