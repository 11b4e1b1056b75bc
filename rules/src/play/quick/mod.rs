//! The short way for plain rule sets: one throw of two dice a turn, spent by die, sum or pair.
//!
//! Sets of actions are bits, looked up for all pawns at once. Which rule sets are plain is read off their
//! tables; the answers equal those of [`super::legal`], and a test compares them.

mod bits;
mod lanes;
mod moves;
#[cfg(test)]
mod tests;
mod turn;

use super::state::{MAX_SEATS, MAX_STEP, Place, Seat, State, WALL};
use crate::tables::{
    Answer, Dice, Duty, Effect, Event, Mover, Op, Program, Reunite, Route, Rules, Verdict, Whose, With,
};

/// Distinct actions, a bit each: `8 * way + pawn`.
pub(crate) type Bits = u32;

/// Ways to spend two dice: the first, the second, both on one pawn, both on a pair.
const FIRST: u32 = 0;
const SECOND: u32 = 1;
const SUM: u32 = 2;
const JOINT: u32 = 3;

/// No spending line.
const NONE: u8 = 255;

/// Verdicts as bytes: the top bit allows, the lowest one cuts too.
const REFUSED: u8 = 0;
const ALLOWED: u8 = 0x80;
const CUTS: u8 = 0x81;

/// Flags of a place: a line starts there by die, by sum ..
const BY_DIE: u8 = 1;
const BY_SUM: u8 = 1 << 1;
/// .. the actions from there by die, by sum, by pair come first ..
const FIRST_DIE: u8 = 1 << 4;
const FIRST_SUM: u8 = 1 << 5;
const FIRST_JOINT: u8 = 1 << 6;
/// .. a line from there has a condition; and one by die has.
const ASKED: u8 = 1 << 7;
const ASKED_DIE: u8 = 1 << 3;

/// Tables of a plain rule set.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By gate, colour and `start` of a place plus steps: class in the high byte, square in the low one.
    cell: Box<[[[u16; 256]; MAX_SEATS]; 2]>,
    /// By gate and the same index: the place where it leads.
    lands: [[Place; 256]; 2],
    /// Where the steps from a place are counted from: beyond the gate the way is open whatever the gate is.
    start: [u8; 128],
    /// By colour: the square of every place.
    stand: [[u8; 128]; MAX_SEATS],
    /// By mover and colour, then class and who stands there: refused, allowed, cuts.
    verdict: Box<[[[u8; 4096]; MAX_SEATS]; 2]>,
    /// The spending line by kind (die, sum, doublet) and place; `NONE` where there is none.
    line: [[u8; 128]; 3],
    /// Lines with a condition that is asked once a decision.
    asked: Vec<(u8, Program)>,
    /// Flags of every place.
    flags: [u8; 128],
    /// Every place but home has a line for a die and for a sum.
    all_lined: bool,
    gate: GateTest,
    /// What captures do cannot close the gate, so that the gate is all that they may change for other pawns.
    steady: bool,
    /// Whole turns can be played the short way: rules answer nothing but captures.
    whole_turns: bool,
}

/// The gate's condition in a form that is quickly asked.
#[derive(Debug, Clone, Copy)]
enum GateTest {
    Open,
    AtLeast(u8, i16),
    Ask(Program),
}

impl Quick {
    /// The tables, if the rule set is plain.
    pub(crate) fn of(rules: &Rules) -> Option<Quick> {
        if !is_plain(rules) {
            return None;
        }
        let mut line = [[NONE; 128]; 3];
        let mut flags = [0u8; 128];
        let compelling = rules.must.first().map_or(0, |must| must.actions);
        for (index, spend) in rules.spend.iter().enumerate() {
            let (kind, mask) = match spend.with {
                With::Die => (0, BY_DIE),
                With::Sum => (1, BY_SUM),
                With::Doublet => (2, 0),
                With::Bonus => return None,
            };
            let first = [FIRST_DIE, FIRST_SUM, FIRST_JOINT][kind];
            for place in (0..rules.board.len as usize).filter(|&place| spend.from >> place & 1 == 1) {
                if line[kind][place] != NONE {
                    return None;
                }
                line[kind][place] = index as u8;
                flags[place] |= mask;
                flags[place] |= if compelling >> index & 1 == 1 { first } else { 0 };
                flags[place] |= if spend.open.is_some() { ASKED } else { 0 };
                flags[place] |= if spend.open.is_some() && kind == 0 { ASKED_DIE } else { 0 };
            }
        }
        let conditional = |(i, line): (usize, &crate::tables::Spend)| Some((i as u8, line.open?));
        let asked = rules.spend.iter().enumerate().filter_map(conditional).collect();
        let pawn = verdicts(rules, Mover::Pawn)?;
        let pair = verdicts(rules, Mover::Pair)?;
        let by_colour = |table: &[u8]| [0, 1, 2, 3].map(|colour| seen_by(table, colour));
        let gate = gate_test(rules);
        Some(Quick {
            cell: cells(rules),
            lands: lands(rules),
            start: std::array::from_fn(|place| start(rules, place) as u8),
            stand: std::array::from_fn(|colour| std::array::from_fn(|place| rules.board.square[1][colour][place])),
            verdict: Box::new([by_colour(&pawn), by_colour(&pair)]),
            line,
            asked,
            all_lined: flags[..rules.board.len as usize - 1].iter().all(|flag| flag & 3 == BY_DIE | BY_SUM),
            flags,
            gate,
            steady: is_steady(rules, gate),
            whole_turns: plays_whole_turns(rules),
        })
    }
}

fn is_plain(rules: &Rules) -> bool {
    let turn = &rules.turn;
    let plain_reunion = matches!(turn.reunite, Reunite::Free | Reunite::Throw);
    let plain_turn = turn.once_per_throw && !turn.may_pass && plain_reunion;
    let plain_dice = matches!(&rules.dice, Dice::Faces { count: 2, faces } if !faces.contains(&0));
    let plain_tables = rules.passing.is_empty && rules.landing.asked.is_empty() && rules.must.len() <= 1;
    let plain_must = rules.must.iter().all(|must| !must.in_hand && must.open.is_none() && must.when.is_none());
    let plain_lines = rules.spend.iter().all(|line| {
        let always = line.duty == Duty::Ordinary && line.when.is_none() && line.exactly == 0;
        let ahead = line.route == Route::Ahead && line.steps.is_none();
        always && ahead && (line.mover == Mover::Pair) == (line.with == With::Doublet)
    });
    // Else the partner's pawns may be moved in the middle of a throw.
    let one_colour = rules.finish.ends_turn || rules.finish.help.is_none();
    plain_turn
        && one_colour
        && plain_dice
        && rules.numbers.is_empty()
        && plain_tables
        && plain_must
        && plain_lines
        && rules.landing.classes < 15
        && !overlaps(rules)
}

/// A path with a gate so long that its steps would not fit the tables.
fn overlaps(rules: &Rules) -> bool {
    rules.board.len as usize + BEYOND + MAX_STEP as usize > 255
}

/// Rules answer nothing but captures, and those only by counting.
fn plays_whole_turns(rules: &Rules) -> bool {
    let counts = |effect: &Effect| matches!(effect, Effect::Set(..) | Effect::Add(..));
    let answers = |event: usize| {
        let rules = &rules.on[event];
        rules.is_empty() || event == Event::Cut as usize && rules.iter().all(|rule| rule.effects.iter().all(counts))
    };
    (0..Event::COUNT).all(answers) && rules.choices.is_empty() && !rules.tracks_newest
}

/// The gate asks for a counter to have reached something, and captures only add to counters.
fn is_steady(rules: &Rules, gate: GateTest) -> bool {
    let adds = |effect: &Effect| match effect {
        Effect::Add(_, _, value) => {
            let start = value.start as usize;
            let grows = |op: &Op| match op {
                Op::Push(number) => *number >= 0,
                op => matches!(op, Op::Fact(crate::tables::Fact::Victims)),
            };
            rules.code[start..start + value.len as usize].iter().all(grows)
        }
        _ => false,
    };
    !matches!(gate, GateTest::Ask(_))
        && rules.on[Event::Lost as usize].is_empty()
        && rules.on[Event::Cut as usize].iter().all(|rule| rule.effects.iter().all(adds))
}

/// How far beyond its own number a place past the gate is counted: out of reach of the places before it.
const BEYOND: usize = 64;

fn start(rules: &Rules, place: usize) -> usize {
    if place > rules.board.gate_at as usize && place < rules.board.len as usize { place + BEYOND } else { place }
}

/// Calls with gate, place, steps and the index of the tables for all that can be walked.
fn each_step(rules: &Rules, mut each: impl FnMut(usize, usize, usize)) {
    for gate in 0..2 {
        for place in 0..rules.board.len as usize {
            let open = usize::from(gate == 1 || place > rules.board.gate_at as usize);
            for steps in 0..=MAX_STEP as usize {
                each(gate, start(rules, place) + steps, (open << 8) + place + steps);
            }
        }
    }
}

fn lands(rules: &Rules) -> [[Place; 256]; 2] {
    let mut lands = [[0; 256]; 2];
    each_step(rules, |gate, index, walked| lands[gate][index] = rules.board.lands[walked >> 8][walked & 255]);
    lands
}

fn cells(rules: &Rules) -> Box<[[[u16; 256]; MAX_SEATS]; 2]> {
    let board = &rules.board;
    let mut cell = Box::new([[[u16::from(WALL); 256]; MAX_SEATS]; 2]);
    for colour in 0..MAX_SEATS {
        each_step(rules, |gate, index, walked| {
            let square = board.square[walked >> 8][colour][walked & 255];
            let class = match square {
                WALL => rules.landing.classes, // a row of its own, all refused
                _ => board.class[colour][board.lands[walked >> 8][walked & 255] as usize & 127],
            };
            cell[gate][colour][index] = u16::from(class) << 8 | u16::from(square);
        });
    }
    cell
}

/// Verdicts by class and what stands there as the mover sees it.
fn verdicts(rules: &Rules, mover: Mover) -> Option<Vec<u8>> {
    let classes = rules.landing.classes as usize;
    let rows = mover as usize * classes * 256..(mover as usize + 1) * classes * 256;
    let verdicts = rules.landing.table[rows].iter();
    let byte = |verdict: &Verdict| match verdict {
        Verdict::Is(Answer::Refuse, _) => Some(REFUSED),
        Verdict::Is(Answer::Allow, _) => Some(ALLOWED),
        Verdict::Is(Answer::Cut, _) => Some(CUTS),
        _ => None,
    };
    verdicts.map(byte).collect()
}

/// The same by what stands there as the board has it.
fn seen_by(table: &[u8], colour: u32) -> [u8; 4096] {
    let verdict = |i: usize| table.get(i & !255 | usize::from((i as u8).rotate_right(2 * colour)));
    std::array::from_fn(|i| verdict(i).copied().unwrap_or(REFUSED))
}

fn gate_test(rules: &Rules) -> GateTest {
    let Some(program) = rules.board.gate else { return GateTest::Open };
    let start = program.start as usize;
    match rules.code[start..start + program.len as usize] {
        [Op::Push(least), Op::Counter(Whose::Own, index), Op::Le] => GateTest::AtLeast(index, least),
        [Op::Counter(Whose::Own, index), Op::Push(least), Op::Lt, Op::Not] => GateTest::AtLeast(index, least),
        _ => GateTest::Ask(program),
    }
}

impl Rules {
    #[inline(always)]
    fn quick_gate(&self, quick: &Quick, state: &State, colour: Seat) -> bool {
        match quick.gate {
            GateTest::Open => true,
            GateTest::AtLeast(index, least) => state.counters[colour.index()][index as usize & 7] >= least,
            GateTest::Ask(program) => self.value(state, program, &super::program::Ask::seat(colour)) != 0,
        }
    }
}
