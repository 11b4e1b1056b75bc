//! Whether a pawn that goes onward without a capture leaves all others free to do what they could.

use crate::tables::{Duty, Effect, Event, Fact, Op, Program, Rules, Whose};

/// What a pawn brings about that moves and captures nothing, stays on the board and goes onward.
const QUIET: [Event; 4] = [Event::Moved, Event::Entered, Event::PassedOwnPair, Event::PairFormed];

/// Whether quiet moves change nothing that is asked before pawns of other squares may move.
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
