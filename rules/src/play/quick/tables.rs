//! Tables of a plain rule set, derived once.

use super::landings::LandingTable;
use super::plain::{self, GateTest};
use super::squares;
use crate::play::lanes::TOPS;
use crate::tables::{Program, Rules, Spend, With};
use crate::units::{MAX_SEATS, PathPlace};

/// Ways to spend two dice: the first, the second, both on one pawn, both on a pair.
pub(super) const FIRST: usize = 0;
pub(super) const SECOND: usize = 1;
pub(super) const SUM: usize = 2;
pub(super) const JOINT: usize = 3;

/// No spending line.
pub(super) const NONE: u8 = 255;

/// Most spending lines differ by what they spend: a die, the sum, a doublet.
pub(super) const KINDS: usize = 3;

/// Flags of a place: the actions from there by die, by sum, by pair come before all others ..
pub(super) const FIRST_BY: [u8; KINDS] = [1, 1 << 1, 1 << 2];
/// .. a line from there has a condition; and one by die has ..
pub(super) const ASKED: u8 = 1 << 3;
pub(super) const ASKED_DIE: u8 = 1 << 4;
/// .. there is no line from there by die, or none by sum.
pub(super) const UNLINED: u8 = 1 << 5;

/// Tables of a plain rule set.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By gate and colour: the square at `start` of a place plus steps.
    pub(super) cells: Box<[[squares::Cells; MAX_SEATS]; 2]>,
    /// By gate and the same index: the place where it leads.
    pub(super) lands: [[PathPlace; 256]; 2],
    /// By colour: the square of every place.
    pub(super) stand: [[u8; 128]; MAX_SEATS],
    /// What is added to a place to find whether it is beyond the gate, in every byte.
    pub(super) beyond: u64,
    /// What every square says to every colour, by what stands there.
    pub(super) words: LandingTable,
    /// The spending line by kind and place; `NONE` where there is none.
    pub(super) line: [[u8; 128]; KINDS],
    /// Lines with a condition that is asked once a decision.
    pub(super) asked: Vec<(u8, Program)>,
    /// Flags of every place.
    pub(super) flags: [u8; 128],
    pub(super) gate: GateTest,
    /// Captures change nothing for the capturer's other pawns while its gate is open.
    pub(super) steady: bool,
    /// Whole turns can be played the short way: rules answer nothing but captures.
    pub(super) whole_turns: bool,
}

impl Quick {
    /// The tables, if the rule set is plain.
    pub(crate) fn of(rules: &Rules) -> Option<Quick> {
        if !plain::is_plain(rules) {
            return None;
        }
        let (line, flags) = lines(rules)?;
        let conditional = |(i, line): (usize, &Spend)| Some((i as u8, line.open?));
        let gate = plain::gate_test(rules);
        Some(Quick {
            cells: squares::cells(rules),
            lands: squares::lands(rules),
            stand: std::array::from_fn(|colour| std::array::from_fn(|place| rules.board.square[1][colour][place])),
            beyond: squares::beyond(rules),
            words: LandingTable::of(rules)?,
            line,
            asked: rules.moves.spend.iter().enumerate().filter_map(conditional).collect(),
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
    let compelling = rules.moves.must.first().map_or(0, |must| must.actions);
    for (index, spend) in rules.moves.spend.iter().enumerate() {
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

impl Quick {
    /// Where the steps from each place are counted from: beyond the gate the way is open whatever the gate is.
    #[inline(always)]
    pub(super) fn starts(&self, at: u64) -> u64 {
        // No sum of two bytes reaches the next: places are below 128.
        at + ((at + self.beyond & TOPS) >> 1)
    }
}
