//! What a look ahead may take for granted under a rule set, read off its tables once.

use crate::play::state::MAX_BANKED;
use crate::tables::{Duty, Effect, Event, Fact, Mover, Op, Program, Reunite, Route, Rules, Which, Whose, With};

/// What a look ahead knows of its rules.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ahead {
    /// Throws of the hand from this index on are told apart by what they hold only.
    pub alike_from: u8,
    /// It matters which pawn moved last.
    pub asks_mover: bool,
    /// It matters which pawns left each other during the turn.
    pub asks_apart: bool,
    /// Every number spent brings own pawns so many steps nearer home, but for those that come in.
    pub walks_home: bool,
    /// A gate that is open stays open while the hand is spent.
    pub gate_stays: bool,
}

impl Ahead {
    pub(crate) fn of(rules: &Rules) -> Ahead {
        let asks = |fact: Fact| rules.code.contains(&Op::Fact(fact));
        let sends_mover = |effect: &Effect| matches!(effect, Effect::Send(Which::LastMoved, _));
        Ahead {
            alike_from: alike_from(&rules.code),
            asks_mover: asks(Fact::LastMovedAt) || effects(rules, |_| true).any(sends_mover),
            asks_apart: matches!(rules.turn.reunite, Reunite::Roll | Reunite::Turn),
            walks_home: walks_home(rules),
            gate_stays: rules.board.gate.is_none_or(|gate| stays_open(rules, gate)),
        }
    }
}

/// The effects of rules that answer certain events.
fn effects(rules: &Rules, events: impl Fn(usize) -> bool) -> impl Iterator<Item = &Effect> {
    let answering = rules.on.iter().enumerate().filter(move |(event, _)| events(*event));
    answering.flat_map(|(_, rules)| rules).flat_map(|rule| &rule.effects)
}

/// Events that spending brings about.
fn while_spending(event: usize) -> bool {
    let before_or_after = [Event::TurnStart, Event::Throw, Event::Spent, Event::TurnEnd, Event::AnyTurnEnd];
    !before_or_after.iter().any(|&other| other as usize == event)
}

/// The throw number is compared with fixed numbers only: later throws than the greatest are alike.
fn alike_from(code: &[Op]) -> u8 {
    let asked = |op: Option<&Op>| op == Some(&Op::Fact(Fact::ThrowNumber));
    let compares = |op: Option<&Op>| matches!(op, Some(Op::Eq | Op::Lt | Op::Le));
    let mut from = 0;
    for i in (0..code.len()).filter(|&i| asked(code.get(i))) {
        let before = i.checked_sub(1).and_then(|i| code.get(i)).filter(|_| compares(code.get(i + 1)));
        let after = code.get(i + 1).filter(|_| compares(code.get(i + 2)));
        match (after, before) {
            (Some(&Op::Push(number)), _) | (_, Some(&Op::Push(number))) => from = from.max(number.clamp(0, 24) as u8),
            _ => return MAX_BANKED as u8,
        }
    }
    from
}

/// Whether ordinary and last actions go ahead by what they spend, and nothing moves pawns otherwise.
fn walks_home(rules: &Rules) -> bool {
    let home = rules.board.len - 1;
    let by_number = |steps: Option<Program>| match steps.map(|program| code(rules, program)) {
        None | Some([Op::Fact(Fact::Number), Op::Push(0..), Op::Add]) => true,
        Some(_) => false,
    };
    let walks = |line: &crate::tables::Spend| match line.route {
        Route::Ahead => by_number(line.steps) && (line.mover == Mover::Pair) == (line.with == With::Doublet),
        Route::To(_) => line.from == 1 && line.mover == Mover::Pawn,
        Route::Bounce | Route::Lap => false,
        // Who has brought all pawns home may bring one out again, but not in the same turn.
        Route::Outward | Route::Recoil => line.from == 1 << home && rules.finish.ends_turn,
    };
    let moves = |effect: &Effect| matches!(effect, Effect::Send(..) | Effect::Jump(..) | Effect::Pounce(_));
    let counted = |line: &&crate::tables::Spend| line.duty == Duty::Ordinary && line.with != With::Bonus;
    let bonuses_walk = |line: &crate::tables::Spend| line.with != With::Bonus || line.route == Route::Ahead;
    // Where the turn goes on, a partner's pawns may be moved next.
    (rules.finish.ends_turn || !rules.teams || rules.finish.help.is_none())
        && rules.spend.iter().filter(counted).all(walks)
        && rules.spend.iter().all(bonuses_walk)
        && !effects(rules, while_spending).any(moves)
}

/// Whether a gate's condition, once it holds, holds until the hand is spent.
fn stays_open(rules: &Rules, gate: Program) -> bool {
    let counter = match *code(rules, gate) {
        [Op::Push(_), Op::Counter(Whose::Own, index), Op::Le | Op::Lt] => index,
        [Op::Counter(Whose::Own, index), Op::Push(_), Op::Lt, Op::Not] => index,
        _ => return false,
    };
    effects(rules, while_spending).all(|effect| match *effect {
        Effect::Set(whose, index, _) => index != counter || whose == Whose::Game,
        Effect::Add(whose, index, value) => {
            let grows = |op: &Op| matches!(op, Op::Push(0..) | Op::Fact(Fact::Victims));
            index != counter || whose == Whose::Game || code(rules, value).iter().all(grows)
        }
        _ => true,
    })
}

fn code(rules: &Rules, program: Program) -> &[Op] {
    let start = program.start as usize;
    &rules.code[start..start + program.len as usize]
}
