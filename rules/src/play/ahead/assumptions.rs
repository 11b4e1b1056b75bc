//! Simplifications that looking ahead may use under a rule set. They are derived once from the tables.

use super::gate::stays_open;
use super::quiet::moves_quietly;
use crate::play::context::Context;
use crate::play::evaluator::Evaluator;
use crate::play::state::State;
use crate::tables::{
    Duty, Effect, Event, Fact, Mover, Op, Places, Program, Reunite, Route, Rules, Spend, Verdict, WaySet, Which, Whose,
    With,
};
use crate::units::PathPlace;

/// Maximum number of different comparisons with the throw number. A rule set with more of them is treated as if it
/// distinguished every throw.
const MOST_ASKED: usize = 4;

/// Properties of a rule set that make looking ahead shorter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Assumptions {
    /// Comparisons with the throw number. By these alone, rules distinguish two throws that are otherwise equal.
    pub asks_throw: [Option<Program>; MOST_ASKED],
    /// Whether rules distinguish throws in other ways than by the comparisons of `asks_throw`.
    pub tells_throws: bool,
    /// Whether pawns that stand together may differ in more than their place.
    pub tells_pawns: bool,
    /// Whether rules depend on which pawn moved last.
    pub asks_mover: bool,
    /// Whether rules depend on which pawns parted from each other during the turn.
    pub asks_apart: bool,
    /// Whether a spent number takes own pawns at least as many steps nearer home as it has pips. Entering pawns are an
    /// exception.
    pub walks_home: bool,
    /// Whether entering pawns walk at least their number, counted from the place off the board. False if a line puts
    /// them on a fixed place.
    pub enters_by_number: bool,
    /// Whether a colour that has finished once keeps its pawns home until all of them are home again, and its turn ends
    /// then.
    pub home_again_ends: bool,
    /// Whether a pawn that goes onward without a capture leaves the possible moves from other squares unchanged.
    pub moves_quietly: bool,
    /// Whether an open gate stays open while the hand is spent.
    pub gate_stays: bool,
    /// The spend lines that spend all numbers of a throw at once, one bit each.
    pub sums: WaySet,
    /// The places from which moves depend on how many numbers are left. While no pawn stands there, that count changes
    /// no move.
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
                .any(|line| matches!(line.route, Route::To(_)) && PathPlace::OUT.is_in(line.from)),
            home_again_ends: home_again_ends(rules),
            moves_quietly: moves_quietly(rules),
            gate_stays: rules.board.gate.is_none_or(|gate| stays_open(rules, gate)),
            sums: lines_with(rules, With::Sum),
            asks_left: asks_left(rules),
        }
    }
}

/// Whether a pair may consist of pawns on two different places that share one square. An action names only one of the
/// two places.
fn pairs_across_places(rules: &Rules) -> bool {
    let counts = |place: &PathPlace| place.is_in(rules.board.pairing);
    let square = |place: PathPlace| rules.square(rules.seating.players[0], place);
    let earlier = |place: PathPlace| rules.board.places().take(place.index()).filter(counts);
    let is_shared = |place: PathPlace| earlier(place).any(|earlier| square(earlier) == square(place));
    rules.moves.spend.iter().any(|line| line.mover == Mover::Pair) && rules.board.places().filter(counts).any(is_shared)
}

fn lines_with(rules: &Rules, with: With) -> WaySet {
    let lines = rules.moves.spend.iter().enumerate().filter(|(_, line)| line.with == with);
    lines.fold(0, |lines, (index, _)| lines | 1 << index)
}

/// The places from which spend lines read how many numbers are left. All places, if any other part of the rules reads
/// it.
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

/// The effects of all `on` lines for the chosen events.
fn effects(rules: &Rules, events: impl Fn(usize) -> bool) -> impl Iterator<Item = &Effect> {
    let answering = rules.events.on.iter().enumerate().filter(move |(event, _)| events(*event));
    answering.flat_map(|(_, rules)| rules).flat_map(|rule| &rule.effects)
}

/// Whether an event can happen while the hand is spent.
pub(super) fn while_spending(event: usize) -> bool {
    let before_or_after = [Event::TurnStart, Event::Throw, Event::Spent, Event::TurnEnd, Event::AnyTurnEnd];
    !before_or_after.iter().any(|&other| other as usize == event)
}

/// The comparisons with the throw number, if all their other operands stay the same while the hand is spent. `None` if
/// some operand may change, or if there are too many comparisons.
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

/// The comparison that contains the operation at index `at`.
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

/// Whether the value that an operation pushes stays the same while the hand is spent.
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

/// Whether spent numbers walk pawns towards home, and no effect moves pawns in another way.
fn walks_home(rules: &Rules) -> bool {
    let home = rules.board.home();
    let by_number = |steps: Option<Program>| match steps.map(|program| rules.ops(program)) {
        None | Some([Op::Fact(Fact::Number), Op::Push(0..), Op::Add]) => true,
        Some(_) => false,
    };
    let walks = |line: &Spend| match line.route {
        Route::Ahead => by_number(line.steps) && line.moves_as_spent(),
        Route::To(_) => line.from == PathPlace::OUT.alone() && line.mover == Mover::Pawn,
        Route::Bounce | Route::Lap => false,
        // A seat with all pawns home may bring one out again, but not in the same turn.
        Route::Outward | Route::Recoil => line.from == home.alone() && rules.finish.ends_turn,
    };
    let counted = |line: &&Spend| line.duty == Duty::Ordinary && line.with != With::Bonus;
    let bonuses_walk = |line: &Spend| line.with != With::Bonus || line.route == Route::Ahead;
    // If the turn goes on after a seat finishes, the same hand may move its partner's pawns next.
    (rules.finish.ends_turn || !rules.seating.teams || rules.finish.help.is_none())
        && rules.moves.spend.iter().filter(counted).all(walks)
        && rules.moves.spend.iter().all(bonuses_walk)
        && !effects(rules, while_spending).any(Effect::moves_pawns)
        && !rules.moves.landing.can_answer(Verdict::StopBefore)
}

/// Whether a finished seat's pawns stay home until all of them are home, and the turn ends then. Only conditions that
/// count pawns at home are understood; any other condition gives false.
fn home_again_ends(rules: &Evaluator) -> bool {
    let home = rules.board.home();
    let of_home = |op: &Op| match *op {
        Op::Pawns(places) => places == home.alone(),
        Op::Push(_) | Op::Fact(Fact::Finished) => true,
        Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or | Op::Not | Op::AndThen(_) | Op::OrElse(_) => true,
        _ => false,
    };
    let seat = rules.seating.players[0];
    let holds = |when: Program, at_home: u8| {
        let mut state = State::empty();
        let pawns = state.at[seat.index()].iter_mut().take(rules.pawns.count.into());
        pawns.enumerate().for_each(|(pawn, place)| *place = if pawn < at_home.into() { home } else { PathPlace(1) });
        (state.ranking[0], state.placed) = (seat, 1);
        rules.value_by_code(&state, when, &Context::seat(seat)) != 0
    };
    let asked = |when: Option<Program>| when.filter(|program| rules.ops(*program).iter().all(of_home));
    let waits =
        |when: Option<Program>| asked(when).is_some_and(|when| (0..rules.pawns.count).all(|pawns| !holds(when, pawns)));
    let leaving = rules.moves.spend.iter().filter(|line| line.duty == Duty::Ordinary && home.is_in(line.from));
    let mut ending =
        rules.events.on[Event::Home as usize].iter().filter(|rule| rule.effects.contains(&Effect::EndTurn));
    leaving.into_iter().all(|line| waits(line.open) || waits(line.when))
        && ending.any(|rule| rule.when.is_none() || asked(rule.when).is_some_and(|when| holds(when, rules.pawns.count)))
}
