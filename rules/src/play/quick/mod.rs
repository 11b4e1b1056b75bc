//! The short way for plain rule sets: one throw of two dice a turn, spent by die, sum or pair.
//!
//! What a landing would do is known of every square before anyone asks ([`words`]), and while whole turns are played it
//! is kept up to date as pawns come and go ([`sight`]); so a decision is a few look-ups a pawn, and sets of actions are
//! bits. Which rule sets are plain is read off their tables ([`plain`]); the answers equal those of [`super::legal`],
//! and tests compare them.

mod bits;
mod follow;
mod lanes;
mod moves;
mod pairs;
mod plain;
mod sight;
mod special;
mod squares;
#[cfg(test)]
pub(crate) mod tests;
mod turn;
mod words;

pub(super) use lanes::repeated;
pub(crate) use moves::Bits;
pub(crate) use sight::Sight;

use super::state::{MAX_SEATS, Place, Seat, State};
use crate::tables::{Program, Rules, With};
use plain::GateTest;
use words::Words;

/// Ways to spend two dice: the first, the second, both on one pawn, both on a pair.
const FIRST: usize = 0;
const SECOND: usize = 1;
const SUM: usize = 2;
const JOINT: usize = 3;

/// No spending line.
const NONE: u8 = 255;

/// Most spending lines differ by what they spend: a die, the sum, a doublet.
const KINDS: usize = 3;

/// Flags of a place: the actions from there by die, by sum, by pair come before all others ..
const FIRST_BY: [u8; KINDS] = [1, 1 << 1, 1 << 2];
/// .. a line from there has a condition; and one by die has ..
const ASKED: u8 = 1 << 3;
const ASKED_DIE: u8 = 1 << 4;
/// .. there is no line from there by die, or none by sum.
const UNLINED: u8 = 1 << 5;

/// Tables of a plain rule set.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By gate and colour: the square at `start` of a place plus steps.
    cells: Box<[[squares::Cells; MAX_SEATS]; 2]>,
    /// By gate and the same index: the place where it leads.
    lands: [[Place; 256]; 2],
    /// By colour: the square of every place.
    stand: [[u8; 128]; MAX_SEATS],
    /// What is added to a place to find whether it is beyond the gate, in every byte.
    beyond: u64,
    /// What every square says to every colour, by what stands there.
    words: Words,
    /// The spending line by kind and place; `NONE` where there is none.
    line: [[u8; 128]; KINDS],
    /// Lines with a condition that is asked once a decision.
    asked: Vec<(u8, Program)>,
    /// Flags of every place.
    flags: [u8; 128],
    gate: GateTest,
    /// Captures change nothing for the capturer's other pawns while its gate is open.
    steady: bool,
    /// Whole turns can be played the short way: rules answer nothing but captures.
    whole_turns: bool,
}

impl Quick {
    /// The tables, if the rule set is plain.
    pub(crate) fn of(rules: &Rules) -> Option<Quick> {
        if !plain::is_plain(rules) {
            return None;
        }
        let (line, flags) = lines(rules)?;
        let conditional = |(i, line): (usize, &crate::tables::Spend)| Some((i as u8, line.open?));
        let gate = plain::gate_test(rules);
        Some(Quick {
            cells: squares::cells(rules),
            lands: squares::lands(rules),
            stand: std::array::from_fn(|colour| std::array::from_fn(|place| rules.board.square[1][colour][place])),
            beyond: squares::beyond(rules),
            words: Words::of(rules)?,
            line,
            asked: rules.spend.iter().enumerate().filter_map(conditional).collect(),
            flags,
            gate,
            steady: plain::is_steady(rules, gate),
            whole_turns: plain::plays_whole_turns(rules),
        })
    }

    /// Whether whole turns can be played the short way.
    pub(crate) fn plays_whole_turns(&self) -> bool {
        self.whole_turns
    }
}

/// The spending line of every kind and place, and the flags of the places; `None` where two lines share a place.
fn lines(rules: &Rules) -> Option<([[u8; 128]; KINDS], [u8; 128])> {
    let mut line = [[NONE; 128]; KINDS];
    let mut flags = [0u8; 128];
    let compelling = rules.must.first().map_or(0, |must| must.actions);
    for (index, spend) in rules.spend.iter().enumerate() {
        let kind = match spend.with {
            With::Die => 0,
            With::Sum => 1,
            With::Doublet => 2,
            With::Triplet | With::Bonus => return None,
        };
        for place in (0..rules.board.len as usize).filter(|&place| spend.from >> place & 1 == 1) {
            if line[kind][place] != NONE {
                return None;
            }
            line[kind][place] = index as u8;
            flags[place] |= if compelling >> index & 1 == 1 { FIRST_BY[kind] } else { 0 };
            flags[place] |= if spend.open.is_some() { ASKED } else { 0 };
            flags[place] |= if spend.open.is_some() && kind == 0 { ASKED_DIE } else { 0 };
        }
    }
    // Home needs no line: nothing lies beyond it.
    for place in 0..rules.board.len as usize - 1 {
        flags[place] |= if line[0][place] == NONE || line[1][place] == NONE { UNLINED } else { 0 };
    }
    Some((line, flags))
}

impl Rules {
    /// Whether the gate is open for a colour.
    #[inline(always)]
    fn quick_gate(&self, quick: &Quick, state: &State, colour: Seat) -> bool {
        match quick.gate {
            GateTest::Open => true,
            GateTest::AtLeast(index, least) => state.counters[colour.index()][index as usize & 7] >= least,
            GateTest::Ask(program) => self.value(state, program, &super::program::Ask::seat(colour)) != 0,
        }
    }
}
