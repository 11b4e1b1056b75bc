//! Simplifications that looking ahead may use under a rule set. They are derived once from the tables.

use super::gate::stays_open;
use super::quietness::QuietMoves;
use super::relevant::{Relevant, while_spending};
use super::throw_lines::ThrowLines;
use crate::play::context::Context;
use crate::play::evaluator::Evaluator;
use crate::play::idle_lines::IdleLines;
use crate::play::jumps::{MAX_JUMPS, MAX_JUMPS_OF_A_LINE};
use crate::play::state::State;
use crate::tables::{
    Duty, Effect, Event, EventSet, Fact, Mover, Op, PawnsOf, Places, Program, Reunite, Route, Rules, Spend, Verdict,
    WaySet, Which, Whose, With,
};
use crate::units::PathPlace;

/// Maximum number of different comparisons with `throw_number`, the position in the hand of the throw that is spent. A
/// rule set with more comparisons is treated as if each throw had rules of its own.
const MOST_ASKED: usize = 4;

/// Properties of a rule set that make looking ahead shorter.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Assumptions {
    /// Comparisons with `throw_number`. Unless `tells_throws` is true, rules distinguish otherwise equal throws only
    /// by these comparisons.
    pub asks_throw: [Option<Program>; MOST_ASKED],
    /// Whether rules distinguish throws in other ways than by the comparisons of `asks_throw`.
    pub tells_throws: bool,
    /// The places that matter to spend lines that read `throw_number`. `None` if it may be read from every position.
    pub throw_lines: Option<ThrowLines>,
    /// Whether it does not matter from which throw a number comes: the rules cannot distinguish throws, and no spend
    /// line needs several numbers of one throw.
    pub has_loose_numbers: bool,
    /// Whether rules may distinguish pawns that stand together, for example by their marks.
    pub tells_pawns: bool,
    /// Whether a pair may consist of pawns on two places that share one square.
    pub pairs_across: bool,
    /// Whether rules read which pawn moved last at another time than just after its move.
    pub asks_mover: bool,
    /// Whether a spent number takes own pawns at least as many steps nearer home as it has pips. Entering pawns are an
    /// exception.
    pub walks_home: bool,
    /// Whether a pawn that enters walks at least as many places as its number has pips. False if a line puts entering
    /// pawns on a fixed or computed place.
    pub enters_by_number: bool,
    /// Whether two rules hold for a colour that has finished before: a pawn can leave home only while all pawns of the
    /// colour are home, and the turn ends when all of them are home again.
    pub home_again_ends: bool,
    /// The moves that leave the possible moves from other squares unchanged.
    pub quiet: QuietMoves,
    /// Whether rules read the number of pawns on the place where a move begins.
    pub asks_group: bool,
    /// Whether rules read the number of pawns on squares.
    pub asks_crowd: bool,
    /// Whether an open gate stays open while the hand is spent. (A gate is a place that pawns pass only under a
    /// condition.) True for a board without a gate.
    pub gate_stays: bool,
    /// The spend lines that spend all numbers of a throw at once, one bit each.
    pub sums: WaySet,
    /// Whether any compulsion covers the whole hand (`within: hand`).
    pub has_due: bool,
    /// The places from which a compulsion on the next action may require a move.
    pub compelled_from: Places,
    /// The number of further positions that a move counts as, while the engine looks ahead. It is 0 unless very many
    /// `on` lines, long conditions or jumps make moves slow.
    pub positions_of_a_move: u32,
    /// The number of further positions that a list of actions counts as, while the engine looks ahead for a compulsion
    /// over the whole hand. It is 0 unless there are very many lines or long conditions.
    pub positions_of_a_list: u32,
    /// Whether the engine looks for locked pawns: pawns only walk home, and conditions of spend lines are short.
    pub finds_locked: bool,
    /// The places from which moves depend on the count of numbers left. While no pawn stands there, that count changes
    /// no move.
    pub asks_left: Places,
}

impl Assumptions {
    pub(crate) fn of(
        rules: &Evaluator,
        relevant: &Relevant,
        idle_lines: &IdleLines,
        work_of_a_list: u32,
    ) -> Assumptions {
        let asks = |fact: Fact| rules.code.ops.contains(&Op::Fact(fact));
        let asks_throw = asks_throw(rules);
        let asks_crowd = rules.code.ops.iter().any(|op| matches!(op, Op::CountAt(_)));
        Assumptions {
            asks_throw: asks_throw.unwrap_or_default(),
            tells_throws: asks_throw.is_none(),
            throw_lines: ThrowLines::of(rules),
            has_loose_numbers: asks_throw == Some([None; MOST_ASKED])
                && !asks(Fact::Doublet)
                && numbers_are_loose(rules),
            tells_pawns: rules.turn.reunite != Reunite::Free
                || rules.code.ops.iter().any(|op| matches!(op, Op::Mark(_) | Op::OwnMarkThere(_)))
                || pairs_across_places(rules),
            pairs_across: pairs_across_places(rules),
            asks_mover: asks_mover(rules),
            walks_home: walks_home(rules) && rules.finish.when.is_none(),
            enters_by_number: !rules
                .moves
                .spend
                .iter()
                .any(|line| matches!(line.route, Route::To(_) | Route::Computed(_)) && PathPlace::OUT.is_in(line.from)),
            home_again_ends: !rules.seating.shares && home_again_ends(rules),
            quiet: if rules.seating.shares {
                QuietMoves::default()
            } else {
                QuietMoves::of(rules, relevant, idle_lines)
            },
            asks_group: asks(Fact::Group) || asks_crowd,
            asks_crowd,
            gate_stays: rules.board.gate.is_none_or(|gate| stays_open(rules, gate)),
            sums: lines_with(rules, With::Sum),
            has_due: rules.moves.must.iter().any(|must| must.in_hand),
            compelled_from: compelled_from(rules),
            positions_of_a_move: positions_of_a_move(rules, relevant),
            positions_of_a_list: work_of_a_list / OPERATIONS_OF_A_POSITION as u32,
            finds_locked: walks_home(rules) && conditions_of_moves(rules) <= MOST_OPERATIONS_FOR_LOCKED,
            asks_left: asks_left(rules),
        }
    }
}

/// Whether every number of the hand is spent by itself, and moves the same pawns whatever numbers of its throw are
/// spent.
fn numbers_are_loose(rules: &Rules) -> bool {
    !rules.turn.once_per_throw
        && rules.turn.reunite != Reunite::Throw
        && rules.moves.spend.iter().all(|line| matches!(line.with, With::Die | With::Bonus))
        && !rules.throws.numbers.iter().any(|line| line.all_or_none)
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

/// The operations of `on` lines that a move may run without counting as further positions.
const FREE_OPERATIONS: usize = 512;

/// The further operations of `on` lines and of lists of actions that count as one more position.
const OPERATIONS_OF_A_POSITION: usize = 256;

/// An effect that moves a pawn takes as long as this many operations.
const OPERATIONS_OF_AN_EFFECT: usize = 16;

/// Maximum number of operations in the conditions of spend lines, counted once for each pawn, with which the engine
/// looks for locked pawns.
const MOST_OPERATIONS_FOR_LOCKED: usize = 4096;

/// Computes [`Assumptions::positions_of_a_move`].
fn positions_of_a_move(rules: &Evaluator, relevant: &Relevant) -> u32 {
    let lines = Event::all().filter(|event| relevant.events & event.alone() != 0).flat_map(|event| {
        let lines = rules.events.on[event as usize].iter().enumerate();
        lines.filter(move |(index, _)| relevant.has(event, *index)).map(|(_, line)| line)
    });
    let (mut operations, mut moves, mut repeated) = (0, 0, 1);
    for line in lines {
        operations += 4 + line.when.map_or(0, |when| rules.operations_of(when));
        for effect in &line.effects {
            let of_each = matches!(effect, Effect::MarkEach(..) | Effect::SendEach(..) | Effect::JumpEach(..));
            let pawns = if of_each { usize::from(rules.pawns.count) } else { 1 };
            operations += pawns * effect.programs().map(|program| rules.operations_of(program)).sum::<usize>();
            moves += if effect.moves_pawns() { pawns * OPERATIONS_OF_AN_EFFECT } else { 0 };
            // A jump raises the events of a move again, and jumps of several pawns cause more jumps.
            let jumps = match effect {
                Effect::JumpEach(..) => 8 * usize::from(MAX_JUMPS_OF_A_LINE),
                Effect::Jump(..) | Effect::Pounce(_) | Effect::CutBehind => usize::from(MAX_JUMPS),
                _ => 1,
            };
            repeated = jumps.max(repeated);
        }
    }
    let beyond = |operations: usize| (repeated * operations).saturating_sub(FREE_OPERATIONS);
    ((beyond(operations) + beyond(moves)) / OPERATIONS_OF_A_POSITION) as u32
}

/// The number of operations in the conditions of all spend lines, counted once for each pawn.
fn conditions_of_moves(rules: &Rules) -> usize {
    let conditions = rules.moves.spend.iter().flat_map(|line| [line.open, line.when]).flatten();
    usize::from(rules.pawns.count) * conditions.map(|program| rules.operations_of(program)).sum::<usize>()
}

/// The places from which a compulsion on the next action may require a move.
fn compelled_from(rules: &Rules) -> Places {
    let compelling = rules.moves.must.iter().filter(|must| !must.in_hand).fold(0, |all, must| all | must.actions);
    let lines = rules.moves.spend.iter().enumerate().filter(|(index, _)| compelling >> index & 1 == 1);
    lines.fold(0, |places, (_, line)| places | line.from)
}

fn lines_with(rules: &Rules, with: With) -> WaySet {
    let lines = rules.moves.spend.iter().enumerate().filter(|(_, line)| line.with == with);
    lines.fold(0, |lines, (index, _)| lines | 1 << index)
}

/// The places from which spend lines read the count of numbers left. All places, if any other part of the rules reads
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

/// The events that come after a move. Their lines read the pawn of this very move as the one that moved last.
const AFTER_A_MOVE: EventSet = Event::Moved.alone()
    | Event::Entered.alone()
    | Event::Left.alone()
    | Event::PassedOwnPair.alone()
    | Event::PairMoved.alone()
    | Event::PairFormed.alone()
    | Event::Home.alone();

/// Computes [`Assumptions::asks_mover`].
fn asks_mover(rules: &Rules) -> bool {
    let asking = |code: &[Op]| code.iter().filter(|op| matches!(op, Op::Fact(Fact::LastMovedAt))).count();
    let sends_mover = |effect: &&Effect| matches!(effect, Effect::Send(Which::LastMoved, _));
    let events = rules.events.on.iter().enumerate().filter(|(event, _)| AFTER_A_MOVE >> event & 1 == 1);
    let lines: Vec<_> = events.flat_map(|(_, lines)| lines).collect();
    let programs = lines
        .iter()
        .flat_map(|line| line.when.into_iter().chain(line.effects.iter().flat_map(|effect| effect.programs())));
    let asked: usize = programs.map(|program| asking(rules.ops(program))).sum();
    let sent = lines.iter().flat_map(|line| &line.effects).filter(sends_mover).count();
    asked < asking(&rules.code.ops) || sent < rules.events.effects().filter(sends_mover).count()
}

/// The comparisons with `throw_number`, if all their other operands stay the same while the hand is spent. `None` if
/// some operand may change, or if there are too many comparisons.
fn asks_throw(rules: &Rules) -> Option<[Option<Program>; MOST_ASKED]> {
    let mut asks = [None; MOST_ASKED];
    let mut count = 0;
    for at in (0..rules.code.ops.len()).filter(|&at| rules.code.ops[at] == Op::Fact(Fact::ThrowNumber)) {
        let comparison = comparison_with(rules, at)?;
        if !asks.contains(&Some(comparison)) {
            *asks.get_mut(count)? = Some(comparison);
            count += 1;
        }
    }
    Some(asks)
}

/// The comparison that contains the operation at index `at`. `None` if a value that it compares may change while the
/// hand is spent.
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

/// Whether, while the hand is spent, numbers move pawns only along the path towards home, and no effect moves a pawn.
fn walks_home(rules: &Evaluator) -> bool {
    let home = rules.board.home();
    let by_number = |steps: Option<Program>| match steps.map(|program| rules.ops(program)) {
        None | Some([Op::Fact(Fact::Number), Op::Push(0..), Op::Add]) => true,
        Some(_) => false,
    };
    let walks = |line: &Spend| match line.route {
        Route::Ahead => by_number(line.steps) && line.moves_as_spent(),
        Route::To(_) => line.from == PathPlace::OUT.alone() && line.mover == Mover::Pawn,
        Route::Bounce(_) | Route::Back | Route::Lap | Route::Computed(_) | Route::Along(_) | Route::Stay => false,
        // If pawns leave home only while all pawns of their seat are home, and the turn ends when the last pawn comes
        // home, then a pawn leaves home in a later turn, with another hand.
        Route::Outward | Route::Recoil => {
            line.from == home.alone() && rules.finish.ends_turn && waits_for_all_home(rules, line)
        }
    };
    let counted = |line: &&Spend| line.duty == Duty::Ordinary && line.with != With::Bonus;
    let bonuses_walk = |line: &Spend| line.with != With::Bonus || line.route == Route::Ahead;
    // If the turn goes on after a seat finishes, the same hand may move its partner's pawns next.
    // If a player has several colours, pawns of another colour may move by the numbers.
    (rules.finish.ends_turn || !rules.seating.teams || rules.finish.help.is_none())
        && !rules.seating.shares
        && rules.moves.spend.iter().filter(counted).all(walks)
        && rules.moves.spend.iter().all(bonuses_walk)
        && !effects(rules, while_spending).any(Effect::moves_pawns)
        && !rules.moves.landing.can_answer(Verdict::StopBefore)
}

/// Computes [`Assumptions::home_again_ends`].
fn home_again_ends(rules: &Evaluator) -> bool {
    let mut leaving =
        rules.moves.spend.iter().filter(|line| line.duty == Duty::Ordinary && rules.board.home().is_in(line.from));
    let mut ending =
        rules.events.on[Event::Home as usize].iter().filter(|rule| rule.effects.contains(&Effect::EndTurn));
    let all = rules.pawns.count;
    leaving.all(|line| waits_for_all_home(rules, line))
        && ending.any(|rule| rule.when.is_none_or(|when| holds_at_home(rules, when, all) == Some(true)))
}

/// Whether a condition of the spend line is false until all pawns of the seat are home.
fn waits_for_all_home(rules: &Evaluator, line: &Spend) -> bool {
    let waits = |when: Program| (0..rules.pawns.count).all(|pawns| holds_at_home(rules, when, pawns) == Some(false));
    [line.open, line.when].into_iter().flatten().any(waits)
}

/// Whether a condition holds for a seat that has finished once and has this many pawns at home. Only conditions that
/// count pawns at home are understood; `None` for any other condition.
fn holds_at_home(rules: &Evaluator, when: Program, at_home: u8) -> Option<bool> {
    let home = rules.board.home();
    let of_home = |op: &Op| match *op {
        Op::Pawns(PawnsOf::Own, places) => places == home.alone(),
        Op::Push(_) | Op::Fact(Fact::Finished) => true,
        Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or | Op::Not | Op::AndThen(_) | Op::OrElse(_) => true,
        _ => false,
    };
    rules.ops(when).iter().all(of_home).then(|| {
        let seat = rules.seating.players[0];
        let mut state = State::empty();
        let pawns = state.at[seat.index()].iter_mut().take(rules.pawns.count.into());
        pawns.enumerate().for_each(|(pawn, place)| *place = if pawn < at_home.into() { home } else { PathPlace(1) });
        (state.ranking[0], state.placed) = (seat, 1);
        rules.value_by_code(&state, when, &Context::seat(seat)) != 0
    })
}
