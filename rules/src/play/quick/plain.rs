//! Decides which rule sets are plain, so that the fast engine can play them.

use crate::tables::{
    Board, Company, Dice, Duty, Effect, Event, Events, Fact, Finish, Moves, Must, NumberSet, Op, Pawns, Program,
    Reunite, Route, Rules, Seating, Spend, Throws, Turn, Verdict, VerdictEntry, VerdictTable, Whose,
};
use crate::units::{MAX_STEP, PathPlace, Seat};

/// The condition of the gate, in a form that is fast to check.
#[derive(Debug, Clone, Copy)]
pub(super) enum GateTest {
    Open,
    AtLeast(u8, i16),
    Ask(Program),
}

/// Whether a rule set is plain: whether it has only rules that the fast engine supports, so that it finds the same
/// legal actions as the general engine.
///
/// The function names every part of the rules, so that it does not compile until a new part is added to it. A part
/// bound to `_` may have any value, because the fast engine supports all of them.
pub(super) fn is_plain(rules: &Rules) -> bool {
    let Rules {
        // The names of the rule set and its lines, and the seats.
        identity: _,
        lines: _,
        seating,
        board,
        pawns: Pawns { count: _, start: _, cut_to },
        throws,
        turn,
        moves: Moves { spend, must, landing, passing },
        // Events and help for a partner are checked by `foresees_all` and `WholeTurns::of`. Choices come before the
        // throw or after the last number, so they do not affect the legal actions.
        events: Events { on: _, choices: _ },
        finish: Finish { when, score, play_on: _, ends_turn: _, help: _, stays: _, ranks: _ },
        counters: _,
        code: _,
    } = rules;
    // The tables of the fast engine are made from squares, paths and gates.
    let Board {
        len: _,
        labels: _,
        zone: _,
        zones: _,
        tags: _,
        pairing: _,
        squares: _,
        cells: _,
        grid: _,
        square: _,
        lands: _,
        gate: _,
        gate_at: _,
        outward: _,
        class: _,
        seen: _,
    } = board;
    let has_plain_must = must.len() <= 1 && must.iter().all(is_plain_must);
    // The fast engine reads the table of landing lines, and evaluates no conditions of landing and passing lines.
    let VerdictTable { classes: _, table: _, asked, is_empty: _ } = landing;
    let VerdictTable { classes: _, table: _, asked: _, is_empty: passes_all } = passing;
    let has_plain_verdicts = *passes_all && asked.is_empty();
    has_plain_dice(throws)
        && has_plain_seats(seating)
        && is_plain_turn(turn)
        && spend.iter().all(is_plain_spend)
        && has_plain_must
        && has_plain_verdicts
        // The fast engine ends games only by pawns that come home, not by conditions or scores.
        && when.is_none()
        && score.is_none()
        && never_stand_three(rules)
        // Captures must not bring pawns home: only the seat that moves may finish.
        && *cut_to != board.home()
}

/// Whether three pawns of a colour never stand on a square that their path visits twice. With three, pairs with the same
/// text could leave pawns on different places behind. The fast engine lists only one pair of a square.
fn never_stand_three(rules: &Rules) -> bool {
    let landing = &rules.moves.landing;
    let companies = || Company::all().filter(|company| rules.seating.teams || company.partners() == 0);
    let is_refused = |joint: bool, class: u8, company: Company| {
        let row = usize::from(joint) * usize::from(landing.classes) + usize::from(class);
        matches!(landing.table[row * Company::COUNT + company.index()], VerdictEntry::Is(Verdict::Refuse, _))
    };
    let is_full = |class: u8, company: Company| {
        (company.own() < 2 || is_refused(false, class, company))
            && (company.own() < 1 || is_refused(true, class, company))
    };
    let never = |colour: Seat, place: PathPlace| {
        let square = rules.square(colour, place);
        let same = |&other: &PathPlace| other.is_in(rules.board.pairing) && rules.square(colour, other) == square;
        let class = rules.board.class[colour.index()][place.index() & 127];
        let starting = rules.pawns.start[colour.index()].iter().take(rules.pawns.count.into());
        square.is_none()
            || rules.board.places().filter(same).count() < 2
            || companies().all(|company| is_full(class, company))
                && starting.filter(|start| same(start)).count() < 3
                && rules.square(colour, rules.pawns.cut_to) != square
    };
    let pairs = rules.board.places().filter(|place| place.is_in(rules.board.pairing));
    let has_pairs = rules.moves.spend.iter().any(|line| line.mover.is_joint());
    !has_pairs || pairs.into_iter().all(|place| rules.seating.colours.iter().all(|&colour| never(colour, place)))
}

/// Whether each player plays the pawns of one seat.
fn has_plain_seats(seating: &Seating) -> bool {
    let Seating {
        seats: _,
        players: _,
        colours: _,
        player: _,
        shares,
        friends: _,
        next: _,
        right: _,
        partner: _,
        teams: _,
        first: _,
    } = seating;
    !shares
}

/// Whether a throw has two dice, every face is a number that can be spent, and no sum exceeds [`MAX_STEP`].
fn has_plain_dice(throws: &Throws) -> bool {
    let Throws { dice, numbers } = throws;
    let short = |faces: &[u8]| faces.iter().all(|&face| face > 0 && 2 * face <= MAX_STEP.0);
    numbers.is_empty() && matches!(dice, Dice::Faces { count: 2, faces } if short(faces))
}

fn is_plain_turn(turn: &Turn) -> bool {
    // The fast engine supports `most` on and off. The caller counts turns for the limit `cap`.
    let &Turn { most: _, once_per_throw, reunite, may_pass, cap: _ } = turn;
    once_per_throw && !may_pass && matches!(reunite, Reunite::Free | Reunite::Throw)
}

/// Whether a spend line only moves a pawn or a pair onward by the number that is spent.
fn is_plain_spend(spend: &Spend) -> bool {
    let &Spend { line: _, mover: _, from: _, with: _, exactly, route, steps, open: _, when, duty } = spend;
    let always = duty == Duty::Ordinary && when.is_none() && exactly == NumberSet::ALL;
    always && route == Route::Ahead && steps.is_none() && spend.moves_as_spent()
}

fn is_plain_must(must: &Must) -> bool {
    let &Must { line: _, actions: _, in_hand, open, when, least } = must;
    !in_hand && open.is_none() && when.is_none() && least.is_none()
}

/// Whether a capture changes nothing for the capturing seat's other pawns once its gate is open. This holds if captured
/// pawns leave the board, the gate waits for a counter to reach a value, and captures only add to counters.
pub(super) fn is_steady(rules: &Rules, gate: GateTest) -> bool {
    let leaves = rules.seating.players.iter().all(|&seat| rules.square(seat, rules.pawns.cut_to).is_none());
    let adds = |effect: &Effect| match effect {
        Effect::ThrowAfter => true,
        Effect::Add(_, _, value) => {
            let start = value.start as usize;
            let grows = |op: &Op| match op {
                Op::Push(number) => *number >= 0,
                op => matches!(op, Op::Fact(Fact::Victims)),
            };
            rules.code.ops[start..start + value.len as usize].iter().all(grows)
        }
        _ => false,
    };
    leaves
        && !matches!(gate, GateTest::Ask(_))
        && rules.events.on[Event::Lost as usize].is_empty()
        && rules.events.on[Event::Cut as usize].iter().all(|rule| rule.effects.iter().all(adds))
}

pub(super) fn gate_test(rules: &Rules) -> GateTest {
    let Some(program) = rules.board.gate else { return GateTest::Open };
    match *rules.ops(program) {
        [Op::Push(least), Op::Counter(Whose::Own, index), Op::Le] => GateTest::AtLeast(index, least),
        [Op::Counter(Whose::Own, index), Op::Push(least), Op::Lt, Op::Not] => GateTest::AtLeast(index, least),
        _ => GateTest::Ask(program),
    }
}
