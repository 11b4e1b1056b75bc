//! The tables with which the fast engine plays a rule set. They are made once, and only for a plain rule set: one whose
//! rules the fast engine supports without exception ([`plain`] checks this).

use super::foresight::foresees_all;
use super::landings::LandingTable;
use super::plain::{self, GateTest};
use super::squares;
use super::whole_turns::{WholeTurns, is_same_before_move};
use super::{PAWNS, SEATS, SQUARES};
use crate::play::evaluator::Evaluator;
use crate::play::lanes::TOPS;
use crate::tables::{Event, Program, Rules, Spend, With};
use crate::units::{PathPlace, SquareId};

/// The ways to spend two dice: the first die, the second die, both on one pawn, both on a pair.
pub(super) const FIRST: usize = 0;
pub(super) const SECOND: usize = 1;
pub(super) const SUM: usize = 2;
pub(super) const JOINT: usize = 3;

/// The kinds of spend lines: by one die, by the sum, by a doublet.
pub(super) const KINDS: usize = 3;

/// Flags of a place, by kind of spend line: a compulsion puts actions from this place before all others.
pub(super) const FIRST_BY: [u8; KINDS] = [1, 1 << 1, 1 << 2];
/// Flag of a place: some spend line from there has a condition.
pub(super) const ASKED: u8 = 1 << 3;
/// Flag of a place: a spend line from there by die has a condition.
pub(super) const ASKED_DIE: u8 = 1 << 4;
/// Flag of a place: there is no spend line from there by die, or none by sum.
pub(super) const UNLINED: u8 = 1 << 5;

/// For each kind of spend line, the line that starts on each place.
type LineByPlace = [[Option<u8>; 128]; KINDS];

#[derive(Debug)]
pub(crate) struct Quick {
    /// The target that a pawn reaches: `cells[gate][colour][start + steps]`, with `gate` 0 closed and 1 open. For the
    /// start of a pawn, see [`Quick::starts`].
    pub(super) cells: Box<[[squares::Cells; SEATS]; 2]>,
    /// The place that a pawn reaches: `lands[gate][start + steps]`.
    pub(super) lands: [[PathPlace; 256]; 2],
    /// The square of every place, by colour.
    pub(super) stand: [[Option<SquareId>; 128]; SEATS],
    /// A number whose bytes, added to places, set the top bit for places beyond the gate.
    pub(super) beyond: u64,
    /// The landing flags of every square.
    pub(super) words: LandingTable,
    /// The spend line by kind and place.
    pub(super) line: LineByPlace,
    /// The spend lines with a condition that is evaluated once for a decision.
    pub(super) asked: Vec<(u8, Program)>,
    /// The flags of every place.
    pub(super) flags: [u8; 128],
    pub(super) gate: GateTest,
    /// Whether a move may open or close the gate, because its condition reads where pawns stand.
    pub(super) gate_turns: bool,
    /// Whether a capture changes nothing for the capturing seat's other pawns while its gate is open.
    pub(super) steady: bool,
    /// How the fast engine plays whole turns. `None` if it cannot.
    pub(super) whole_turns: Option<WholeTurns>,
}

impl Quick {
    /// Makes the tables. `None` if the rule set is not plain. `matters` tells, for an event and the index of an `on` line
    /// for it, whether the line can change which numbers can be spent.
    pub(crate) fn of(rules: &Evaluator, matters: &impl Fn(Event, usize) -> bool) -> Option<Quick> {
        if !is_small(rules) || !plain::is_plain(rules) || !foresees_all(rules, matters) {
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
            gate_turns: rules.board.gate.is_some_and(|gate| !rules.read_by(gate).iter().all(is_same_before_move)),
            steady: plain::is_steady(rules, gate),
            whole_turns: WholeTurns::of(rules),
        })
    }

    pub(crate) fn plays_whole_turns(&self) -> bool {
        self.whole_turns.is_some()
    }

    /// Whether a turn may have several throws, or a rule reads the throw.
    #[inline(always)]
    pub(super) fn keeps_throws(&self) -> bool {
        self.whole_turns == Some(WholeTurns::Throws)
    }
}

/// Whether the seats, pawns and squares fit into the tables of the fast engine.
fn is_small(rules: &Rules) -> bool {
    rules.seating.seats.len() <= SEATS
        && usize::from(rules.pawns.count) <= PAWNS
        && usize::from(rules.board.squares) <= SQUARES
}

/// The spend lines by kind and place, and the flags of the places. `None` if two lines of one kind start on the same
/// place.
fn lines(rules: &Rules) -> Option<(LineByPlace, [u8; 128])> {
    let mut line: LineByPlace = [[None; 128]; KINDS];
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
            if line[kind][place].is_some() {
                return None;
            }
            line[kind][place] = Some(index as u8);
            flags[place] |= if compelling >> index & 1 == 1 { FIRST_BY[kind] } else { 0 };
            flags[place] |= if spend.open.is_some() { ASKED } else { 0 };
            flags[place] |= if spend.open.is_some() && kind == 0 { ASKED_DIE } else { 0 };
        }
    }
    // Home is left out: no move begins there.
    for place in 0..rules.board.len as usize - 1 {
        flags[place] |= if line[0][place].is_none() || line[1][place].is_none() { UNLINED } else { 0 };
    }
    Some((line, flags))
}

impl Quick {
    /// The start of every pawn, one byte each: the index in `cells` and `lands` to which the steps of a move are added.
    /// `at` has the places of the pawns.
    ///
    /// Up to the gate, the start is the place. Beyond the gate, it is the place plus 64: these entries are apart,
    /// because a pawn that has passed the gate moves in the same way whether the gate is open or closed.
    #[inline(always)]
    pub(super) fn starts(&self, at: u64) -> u64 {
        // No carry crosses into the next byte, because places are below 128.
        at + ((at + self.beyond & TOPS) >> 1)
    }
}
