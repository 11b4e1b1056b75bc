//! Assumptions: properties of a rule set that allow shortcuts when looking ahead.

use super::quiet::moves_quietly;
use crate::play::context::Context;
use crate::play::evaluator::Evaluator;
use crate::play::state::State;
use crate::tables::{
    Duty, Effect, Event, Fact, Mover, Op, Places, Program, Reunite, Route, Rules, Spend, Verdict, Which, Whose, With,
};

/// Most comparisons with the throw number that are checked to find equal throws. If a rule set has more of them, all
/// throws count as different.
const MOST_ASKED: usize = 4;

/// Properties of a rule set, found once, that allow shortcuts when looking ahead.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Assumptions {
    /// The only conditions by which rules can distinguish two throws with the same numbers.
    pub asks_throw: [Option<Program>; MOST_ASKED],
    /// Whether rules can distinguish throws in other ways too.
    pub tells_throws: bool,
    /// Whether rules can distinguish pawns on the same place.
    pub tells_pawns: bool,
    /// Whether rules depend on which pawn moved last.
    pub asks_mover: bool,
    /// Whether rules depend on which pawns were separated during the turn.
    pub asks_apart: bool,
    /// Whether each number spent brings a pawn nearer home by as many steps. Entering pawns are excepted.
    pub walks_home: bool,
    /// Whether an entering pawn moves at least as many steps as its number, counted from the place off the board.
    pub enters_by_number: bool,
    /// Whether a seat that has finished brings out no pawn before all its pawns are home, and its turn then ends.
    pub home_again_ends: bool,
    /// Whether a pawn that moves ahead without a capture has no effect on the moves of pawns on other squares.
    pub moves_quietly: bool,
    /// Whether an open gate stays open while the hand is spent.
    pub gate_stays: bool,
    /// A mask of the lines that spend all numbers of a throw at once.
    pub sums: u32,
    /// The places from which the conditions of moves read how many numbers are left.
    pub asks_left: Places,
}

impl Assumptions {
    pub(crate) fn of(rules: &Evaluator) -> Assumptions {
        let asks = |fact: Fact| rules.code.ops.contains(&Op::Fact(fact));
        let sends_mover = |effect: &Effect| matches!(effect, Effect::Send(Which::LastMoved, _));
        let asks_throw = asks_throw(rules);
        Assumptions {
            asks_throw: asks_throw.unwrap_or_default(),
            tells_throws: asks_throw.is_none(),
            tells_pawns: rules.turn.reunite != Reunite::Free
                || rules.code.ops.iter().any(|op| matches!(op, Op::Mark(_)))
                || pairs_across_places(rules),
            asks_mover: asks(Fact::LastMovedAt) || effects(rules, |_| true).any(sends_mover),
            asks_apart: matches!(rules.turn.reunite, Reunite::Roll | Reunite::Turn),
            walks_home: walks_home(rules),
            enters_by_number: !rules
                .moves
                .spend
                .iter()
                .any(|line| matches!(line.route, Route::To(_)) && line.from & 1 == 1),
            home_again_ends: home_again_ends(rules),
            moves_quietly: moves_quietly(rules),
            gate_stays: rules.board.gate.is_none_or(|gate| stays_open(rules, gate)),
            sums: lines_with(rules, With::Sum),
            asks_left: asks_left(rules),
        }
    }
}

/// Whether pawns on two different places can form a pair, because these places are the same square.
fn pairs_across_places(rules: &Rules) -> bool {
    let counts = |place: &u8| rules.board.pairing >> place & 1 == 1;
    let square = |place: u8| rules.square(rules.seating.players[0], place);
    let is_shared = |place: u8| (0..place).filter(counts).any(|earlier| square(earlier) == square(place));
    rules.moves.spend.iter().any(|line| line.mover == Mover::Pair) && (0..rules.board.len).filter(counts).any(is_shared)
}

fn lines_with(rules: &Rules, with: With) -> u32 {
    let lines = rules.moves.spend.iter().enumerate().filter(|(_, line)| line.with == with);
    lines.fold(0, |lines, (index, _)| lines | 1 << index)
}

/// The places from which lines read how many numbers are left. All places, if any other rule reads it.
fn asks_left(rules: &Rules) -> Places {
    let asking = |code: &[Op]| code.iter().filter(|op| matches!(op, Op::Fact(Fact::NumbersLeft))).count();
    let mut found = 0;
    let mut places = 0;
    for line in &rules.moves.spend {
        let asked: usize = [line.when, line.open].into_iter().flatten().map(|program| asking(rules.ops(program))).sum();
        found += asked;
        places |= if asked > 0 { line.from } else { 0 };
    }
    if found == asking(&rules.code.ops) { places } else { Places::MAX }
}

/// The effects of all rules that answer the events for which `events` is true.
fn effects(rules: &Rules, events: impl Fn(usize) -> bool) -> impl Iterator<Item = &Effect> {
    let answering = rules.events.on.iter().enumerate().filter(move |(event, _)| events(*event));
    answering.flat_map(|(_, rules)| rules).flat_map(|rule| &rule.effects)
}

/// Whether an event can occur while the hand is spent.
fn while_spending(event: usize) -> bool {
    let before_or_after = [Event::TurnStart, Event::Throw, Event::Spent, Event::TurnEnd, Event::AnyTurnEnd];
    !before_or_after.iter().any(|&other| other as usize == event)
}

/// The comparisons that read the throw number. `None` if one of them also reads values that change during the turn.
fn asks_throw(rules: &Rules) -> Option<[Option<Program>; MOST_ASKED]> {
    let mut asks = [None; MOST_ASKED];
    let mut known = 0;
    for at in (0..rules.code.ops.len()).filter(|&at| rules.code.ops[at] == Op::Fact(Fact::ThrowNumber)) {
        let comparison = comparison_with(rules, at)?;
        if !asks.contains(&Some(comparison)) {
            *asks.get_mut(known)? = Some(comparison);
            known += 1;
        }
    }
    Some(asks)
}

/// The comparison that contains an operation.
fn comparison_with(rules: &Rules, at: usize) -> Option<Program> {
    let end = (at..rules.code.ops.len()).find(|&end| matches!(rules.code.ops[end], Op::Eq | Op::Lt | Op::Le))?;
    let mut wanted = 1;
    let mut start = end + 1;
    while wanted > 0 {
        start = start.checked_sub(1)?;
        wanted += match rules.code.ops[start] {
            Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le => 1,
            Op::Half => 0,
            op if stays(rules, op) => -1,
            _ => return None,
        };
    }
    (start <= at).then_some(Program { start: start as u32, len: (end + 1 - start) as u16 })
}

/// Whether the value of an operation stays the same while the hand is spent.
fn stays(rules: &Rules, op: Op) -> bool {
    let changes = |index: u8, of_game: bool| {
        let sets = |whose: Whose, other: u8| other == index && (whose == Whose::Game) == of_game;
        effects(rules, while_spending).any(|effect| match *effect {
            Effect::Set(whose, other, _) | Effect::Add(whose, other, _) => sets(whose, other),
            _ => false,
        })
    };
    match op {
        Op::Push(_) | Op::Face(_) | Op::Fact(Fact::ThrowNumber | Fact::Throws | Fact::Total | Fact::Players) => true,
        Op::Counter(whose @ (Whose::Game | Whose::Turn), index) => !changes(index, whose == Whose::Game),
        _ => false,
    }
}

/// Whether ordinary and last actions move ahead by the numbers that they spend, and nothing else moves pawns.
fn walks_home(rules: &Rules) -> bool {
    let home = rules.board.len - 1;
    let by_number = |steps: Option<Program>| match steps.map(|program| rules.ops(program)) {
        None | Some([Op::Fact(Fact::Number), Op::Push(0..), Op::Add]) => true,
        Some(_) => false,
    };
    let walks = |line: &Spend| match line.route {
        Route::Ahead => by_number(line.steps) && line.moves_as_spent(),
        Route::To(_) => line.from == 1 && line.mover == Mover::Pawn,
        Route::Bounce | Route::Lap => false,
        // A seat with all pawns home may bring one out again, but not in the same turn.
        Route::Outward | Route::Recoil => line.from == 1 << home && rules.finish.ends_turn,
    };
    let moves =
        |effect: &Effect| matches!(effect, Effect::Send(..) | Effect::Jump(..) | Effect::Pounce(_) | Effect::UndoTurn);
    let counted = |line: &&Spend| line.duty == Duty::Ordinary && line.with != With::Bonus;
    let bonuses_walk = |line: &Spend| line.with != With::Bonus || line.route == Route::Ahead;
    // If the turn went on after finishing, the seat might move its partner's pawns next.
    (rules.finish.ends_turn || !rules.seating.teams || rules.finish.help.is_none())
        && rules.moves.spend.iter().filter(counted).all(walks)
        && rules.moves.spend.iter().all(bonuses_walk)
        && !effects(rules, while_spending).any(moves)
        && !rules.moves.landing.can_answer(Verdict::StopBefore)
}

/// Whether the rules keep the pawns of a finished seat at home, and end its turn when the last of them is home again.
fn home_again_ends(rules: &Evaluator) -> bool {
    let home = rules.board.len - 1;
    let of_home = |op: &Op| match *op {
        Op::Pawns(places) => places == 1 << home,
        Op::Push(_) | Op::Fact(Fact::Finished) => true,
        Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or | Op::Not | Op::AndThen(_) | Op::OrElse(_) => true,
        _ => false,
    };
    let seat = rules.seating.players[0];
    let holds = |when: Program, at_home: u8| {
        let mut state = State::empty();
        let pawns = state.at[seat.index()].iter_mut().take(rules.pawns.count.into());
        pawns.enumerate().for_each(|(pawn, place)| *place = if pawn < at_home.into() { home } else { 1 });
        (state.ranking[0], state.placed) = (seat.0, 1);
        rules.value_by_code(&state, when, &Context::seat(seat)) != 0
    };
    let asked = |when: Option<Program>| when.filter(|program| rules.ops(*program).iter().all(of_home));
    let waits =
        |when: Option<Program>| asked(when).is_some_and(|when| (0..rules.pawns.count).all(|pawns| !holds(when, pawns)));
    let leaving = rules.moves.spend.iter().filter(|line| line.duty == Duty::Ordinary && line.from >> home & 1 == 1);
    let mut ending =
        rules.events.on[Event::Home as usize].iter().filter(|rule| rule.effects.contains(&Effect::EndTurn));
    leaving.into_iter().all(|line| waits(line.open) || waits(line.when))
        && ending.any(|rule| rule.when.is_none() || asked(rule.when).is_some_and(|when| holds(when, rules.pawns.count)))
}

/// Whether a gate's condition, once true, stays true until the hand is spent.
fn stays_open(rules: &Rules, gate: Program) -> bool {
    let counter = match *rules.ops(gate) {
        [Op::Push(_), Op::Counter(Whose::Own, index), Op::Le | Op::Lt] => index,
        [Op::Counter(Whose::Own, index), Op::Push(_), Op::Lt, Op::Not] => index,
        _ => return false,
    };
    effects(rules, while_spending).all(|effect| match *effect {
        Effect::Set(whose, index, _) => index != counter || whose == Whose::Game,
        Effect::Add(whose, index, value) => {
            let grows = |op: &Op| matches!(op, Op::Push(0..) | Op::Fact(Fact::Victims));
            index != counter || whose == Whose::Game || rules.ops(value).iter().all(grows)
        }
        _ => true,
    })
}
