//! Decides whether and how the fast engine plays whole turns of a plain rule set.

use crate::play::evaluator::Evaluator;
use crate::tables::{Effect, Event, Fact, Op, Program, Rule};

/// How the fast engine plays whole turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WholeTurns {
    /// No rule reads the throw, and none grants another one. The state need not hold the throw.
    OneThrow,
    /// Rules read the throw or grant another one.
    Throws,
}

/// The events that `on` lines may answer.
const ANSWERED: [Event; 3] = [Event::Throw, Event::Cut, Event::Home];

impl WholeTurns {
    /// How the fast engine can play whole turns. `None` if it cannot: the only `on` lines have to be for throws,
    /// captures and pawns that come home; they may only change counters and grant throws after the hand; and no
    /// condition may read what the fast engine does not keep.
    pub(super) fn of(rules: &Evaluator) -> Option<WholeTurns> {
        let events = &rules.events;
        let is_silent = |event: &Event| events.on[*event as usize].is_empty() || ANSWERED.contains(event);
        if !Event::all().all(|event| is_silent(&event)) || !events.choices.is_empty() || rules.tracks_newest() {
            return None;
        }
        let [at_throws, at_cuts, at_home] = ANSWERED.map(|event| read_by_lines(rules, &events.on[event as usize]));
        let opens = rules.moves.spend.iter().filter_map(|line| line.open);
        let at_decisions = rules.board.gate.into_iter().chain(opens).flat_map(|program| rules.read_by(program));
        let elsewhere: Vec<Op> = at_throws.into_iter().chain(at_home).chain(at_decisions).collect();
        let is_known = events.effects().all(counts_or_grants)
            && at_cuts.iter().all(is_same_before_move)
            && elsewhere.iter().all(is_kept);
        let has_one_throw = events.on[Event::Throw as usize].is_empty()
            && !events.effects().any(grants_throw)
            && !at_cuts.iter().chain(&elsewhere).any(reads_throw);
        is_known.then_some(if has_one_throw { WholeTurns::OneThrow } else { WholeTurns::Throws })
    }
}

/// Whether an effect changes a counter, or grants a throw after the hand.
pub(super) fn counts_or_grants(effect: &Effect) -> bool {
    matches!(effect, Effect::Set(..) | Effect::Add(..) | Effect::ThrowAfter)
}

fn grants_throw(effect: &Effect) -> bool {
    *effect == Effect::ThrowAfter
}

/// The operations whose values lines may read.
fn read_by_lines(rules: &Evaluator, lines: &[Rule]) -> Vec<Op> {
    let effects = lines.iter().flat_map(|line| &line.effects);
    let programs = lines.iter().filter_map(|line| line.when).chain(effects.flat_map(|effect| effect.programs()));
    programs.flat_map(|program: Program| rules.read_by(program)).collect()
}

/// Whether an operation reads the throw.
fn reads_throw(op: &Op) -> bool {
    matches!(op, Op::Face(_) | Op::Fact(Fact::Doublet | Fact::Total | Fact::Throws))
}

/// Whether the fast engine keeps what an operation reads. It keeps no hand, and not which pawn moved last.
fn is_kept(op: &Op) -> bool {
    let of_hand = [Fact::ThrowNumber, Fact::Owed, Fact::Argument, Fact::BonusesNow, Fact::NumbersLeft, Fact::Unplayed];
    let of_moves = [Fact::AnyMoved, Fact::LastMovedAt];
    !matches!(op, Op::Fact(fact) if of_hand.contains(fact) || of_moves.contains(fact))
}

/// Whether an operation reads the same before and after a pawn moves to the square where it captures. The fast engine
/// applies the `on` lines of a capture before the pawn moves.
pub(super) fn is_same_before_move(op: &Op) -> bool {
    let of_move = [Fact::Number, Fact::From, Fact::To, Fact::Victims, Fact::Joint];
    let of_game = [Fact::Doublet, Fact::Total, Fact::Throws, Fact::Players, Fact::SeatNumber, Fact::IsTurn];
    match op {
        Op::Fact(fact) => of_move.contains(fact) || of_game.contains(fact),
        Op::MarkThere(_) | Op::OwnMarkThere(_) | Op::MarkNamed(_) | Op::CountAt(_) => false,
        Op::Pawns(..) | Op::Pairs(..) | Op::PawnsWhere(..) => false,
        _ => true,
    }
}
