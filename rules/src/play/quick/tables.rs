//! The tables of the fast engine for a plain rule set.

use super::landings::LandingTable;
use super::plain::{self, GateTest};
use super::squares;
use crate::play::lanes::TOPS;
use crate::tables::{Program, Rules, Spend, With};
use crate::units::{MAX_SEATS, PathPlace};

/// The ways to spend two dice: the first die, the second die, both on one pawn, both on a pair.
pub(super) const FIRST: usize = 0;
pub(super) const SECOND: usize = 1;
pub(super) const SUM: usize = 2;
pub(super) const JOINT: usize = 3;

/// Stands for no spending line.
pub(super) const NONE: u8 = 255;

/// Number of kinds of spending lines: by a die, by the sum, by a doublet.
pub(super) const KINDS: usize = 3;

/// Flags of a place: actions that begin there by die, by sum or by pair have priority over all other actions.
pub(super) const FIRST_BY: [u8; KINDS] = [1, 1 << 1, 1 << 2];
/// Flags of a place: a line that begins there has a condition; a line by die that begins there has one.
pub(super) const ASKED: u8 = 1 << 3;
pub(super) const ASKED_DIE: u8 = 1 << 4;
/// Flag of a place: no line by die begins there, or no line by sum.
pub(super) const UNLINED: u8 = 1 << 5;

/// Tables of a plain rule set.
#[derive(Debug)]
pub(crate) struct Quick {
    /// The square by gate, colour, and start index plus steps.
    pub(super) cells: Box<[[squares::Cells; MAX_SEATS]; 2]>,
    /// The place by gate, and start index plus steps.
    pub(super) lands: [[PathPlace; 256]; 2],
    /// The square by colour and place.
    pub(super) stand: [[u8; 128]; MAX_SEATS],
    /// A constant that sets the top bit of each byte whose place is past the gate, when added to the places.
    pub(super) beyond: u64,
    /// The landing bits of every square.
    pub(super) words: LandingTable,
    /// The spending line by kind and place, or `NONE`.
    pub(super) line: [[u8; 128]; KINDS],
    /// The lines with a condition that is checked once for each decision, with that condition.
    pub(super) asked: Vec<(u8, Program)>,
    /// The flags of every place.
    pub(super) flags: [u8; 128],
    pub(super) gate: GateTest,
    /// Whether captures have no effect on the moves of the capturer's other pawns while its gate is open.
    pub(super) steady: bool,
    /// Whether whole turns can be played at once, because rules answer only captures.
    pub(super) whole_turns: bool,
}

impl Quick {
    /// Makes the tables. `None` if the rule set is not plain.
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

    /// Whether whole turns can be played at once.
    pub(crate) fn plays_whole_turns(&self) -> bool {
        self.whole_turns
    }
}

/// The spending line of every kind and place, and the flags of every place. `None` if two lines of one kind share a
/// place.
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
    // Home is left out: no move begins there.
    for place in 0..rules.board.len as usize - 1 {
        flags[place] |= if line[0][place] == NONE || line[1][place] == NONE { UNLINED } else { 0 };
    }
    Some((line, flags))
}

impl Quick {
    /// The start indexes of places. Places past the gate have start indexes of their own, for which the gate does not
    /// matter.
    #[inline(always)]
    pub(super) fn starts(&self, at: u64) -> u64 {
        // Places are below 128, so that no addition carries into the next byte.
        at + ((at + self.beyond & TOPS) >> 1)
    }
}
