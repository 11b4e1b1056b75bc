//! Which rule sets are plain enough for the short way.

use crate::tables::{Dice, Duty, Effect, Event, Fact, Op, Program, Reunite, Route, Rules, Whose};
use crate::units::{MAX_STEP, NOWHERE};

/// The gate's condition in a form that is quickly asked.
#[derive(Debug, Clone, Copy)]
pub(super) enum GateTest {
    Open,
    AtLeast(u8, i16),
    Ask(Program),
}

pub(super) fn is_plain(rules: &Rules) -> bool {
    let turn = &rules.turn;
    let plain_reunion = matches!(turn.reunite, Reunite::Free | Reunite::Throw);
    let plain_turn = turn.once_per_throw && !turn.may_pass && plain_reunion;
    let plain_tables =
        rules.moves.passing.is_empty && rules.moves.landing.asked.is_empty() && rules.moves.must.len() <= 1;
    let plain_must = rules.moves.must.iter().all(|must| !must.in_hand && must.open.is_none() && must.when.is_none());
    let plain_lines = rules.moves.spend.iter().all(|line| {
        let always = line.duty == Duty::Ordinary && line.when.is_none() && line.exactly == 0;
        let ahead = line.route == Route::Ahead && line.steps.is_none();
        always && ahead && line.moves_as_spent()
    });
    // Else the partner's pawns may be moved in the middle of a throw.
    let one_colour = rules.finish.ends_turn || rules.finish.help.is_none();
    plain_turn && one_colour && has_plain_dice(rules) && plain_tables && plain_must && plain_lines
}

/// Two dice, each face a number that can be spent, and no sum too long for a step.
fn has_plain_dice(rules: &Rules) -> bool {
    let short = |faces: &[u8]| faces.iter().all(|&face| face > 0 && 2 * face <= MAX_STEP);
    rules.throws.numbers.is_empty() && matches!(&rules.throws.dice, Dice::Faces { count: 2, faces } if short(faces))
}

/// Rules answer nothing but captures, and those only by counting.
pub(super) fn plays_whole_turns(rules: &Rules) -> bool {
    let counts = |effect: &Effect| matches!(effect, Effect::Set(..) | Effect::Add(..));
    let answers = |event: usize| {
        let rules = &rules.events.on[event];
        rules.is_empty() || event == Event::Cut as usize && rules.iter().all(|rule| rule.effects.iter().all(counts))
    };
    (0..Event::COUNT).all(answers) && rules.events.choices.is_empty() && !rules.tracks_newest()
}

/// Captured pawns leave the board, the gate asks for a counter to have reached something, and captures only add to
/// counters.
pub(super) fn is_steady(rules: &Rules, gate: GateTest) -> bool {
    let leaves = rules.seating.players.iter().all(|&seat| rules.square(seat, rules.pawns.cut_to) >= NOWHERE);
    let adds = |effect: &Effect| match effect {
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
