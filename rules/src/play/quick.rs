//! The short way to the legal actions of plain rule sets: one throw of two dice, spent by die, sum or pair.
//!
//! Sets of actions are bits, looked up for all pawns at once. Which rule sets are plain is read off their
//! tables; the answers equal those of [`super::legal`], and a test compares them.

use super::candidates::Stage;
use super::program::Ask;
use super::state::{Action, ActionKind, Banked, MAX_SEATS, NOWHERE, Place, Seat, State, WALL};
use super::watch::Quiet;
use crate::tables::{Answer, Duty, Mover, Op, Program, Reunite, Route, Rules, Verdict, Whose, With};

/// Distinct actions, a bit each: `8 * way + pawn`.
pub(crate) type Bits = u32;

/// Ways to spend two dice.
const FIRST: u32 = 0;
const SECOND: u32 = 1;
const SUM: u32 = 2;
const JOINT: u32 = 3;

/// No spending line.
const NONE: u8 = 255;

/// Verdicts as bytes.
const REFUSED: u8 = 0;
const CUTS: u8 = 2;

/// Tables of a plain rule set.
#[derive(Debug)]
pub(crate) struct Quick {
    /// By gate, colour and place before turning at the gate: class in the high byte, square in the low one.
    cell: Box<[[[u16; 256]; MAX_SEATS]; 2]>,
    /// By mover, then class and what stands there: refused, allowed, cuts.
    verdict: [Vec<u8>; 2],
    /// The spending line by kind (die, sum, doublet) and place.
    line: [[u8; 128]; 3],
    /// Lines with a condition that is asked once a decision.
    asked: Vec<(u8, Program)>,
    /// Lines that come first, a bit each.
    must: u32,
    gate: GateTest,
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
        let turn = &rules.turn;
        let plain_turn =
            turn.once_per_throw && !turn.may_pass && matches!(turn.reunite, Reunite::Free | Reunite::Throw);
        let plain_dice = matches!(rules.dice, crate::tables::Dice::Faces { count: 2, .. }) && rules.numbers.is_empty();
        let plain_tables = rules.passing.is_empty && rules.landing.asked.is_empty() && rules.must.len() <= 1;
        let plain_must = rules.must.iter().all(|must| must.open.is_none() && must.when.is_none());
        let plain_lines = rules.spend.len() <= 32
            && rules.spend.iter().all(|line| {
                line.duty == Duty::Ordinary
                    && line.route == Route::Ahead
                    && line.steps.is_none()
                    && line.when.is_none()
                    && line.exactly == 0
                    && (line.mover == Mover::Pair) == (line.with == With::Doublet)
            });
        if !(plain_turn && plain_dice && plain_tables && plain_must && plain_lines) {
            return None;
        }
        let mut line = [[NONE; 128]; 3];
        for (index, spend) in rules.spend.iter().enumerate() {
            let kind = match spend.with {
                With::Die => 0,
                With::Sum => 1,
                With::Doublet => 2,
                With::Bonus => return None,
            };
            for place in (0..rules.board.len as usize).filter(|&place| spend.from >> place & 1 == 1) {
                if line[kind][place] != NONE {
                    return None;
                }
                line[kind][place] = index as u8;
            }
        }
        Some(Quick {
            cell: cells(rules),
            verdict: [verdicts(rules, Mover::Pawn)?, verdicts(rules, Mover::Pair)?],
            line,
            asked: rules.spend.iter().enumerate().filter_map(|(i, line)| Some((i as u8, line.open?))).collect(),
            must: rules.must.first().map_or(0, |must| must.actions),
            gate: gate_test(rules),
        })
    }
}

fn cells(rules: &Rules) -> Box<[[[u16; 256]; MAX_SEATS]; 2]> {
    let board = &rules.board;
    let mut cell = Box::new([[[u16::from(WALL); 256]; MAX_SEATS]; 2]);
    for gate in 0..2 {
        for colour in 0..MAX_SEATS {
            for target in 0..256 {
                let square = board.square[gate][colour][target];
                if square != WALL {
                    let class = board.class[colour][board.lands[gate][target] as usize & 127];
                    cell[gate][colour][target] = u16::from(class) << 8 | u16::from(square);
                }
            }
        }
    }
    cell
}

fn verdicts(rules: &Rules, mover: Mover) -> Option<Vec<u8>> {
    let classes = rules.landing.classes as usize;
    let rows = mover as usize * classes * 256..(mover as usize + 1) * classes * 256;
    rules.landing.table[rows]
        .iter()
        .map(|verdict| match verdict {
            Verdict::Is(Answer::Refuse, _) => Some(REFUSED),
            Verdict::Is(Answer::Allow, _) => Some(1),
            Verdict::Is(Answer::Cut, _) => Some(CUTS),
            _ => None,
        })
        .collect()
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

/// What four (or up to eight) pawns find at one distance.
#[derive(Clone, Copy, Default)]
struct Reach {
    may: u8,
    cuts: u8,
    squares: [u8; 8],
}

impl Rules {
    #[inline(always)]
    fn quick_gate(&self, quick: &Quick, state: &State, colour: Seat) -> bool {
        match quick.gate {
            GateTest::Open => true,
            GateTest::AtLeast(index, least) => state.counters[colour.index()][index as usize & 7] >= least,
            GateTest::Ask(program) => self.value(state, program, &Ask::seat(colour)) != 0,
        }
    }

    /// Where single pawns get by `pips`, those without a spending line of the kind left out.
    #[inline(always)]
    fn reach(&self, quick: &Quick, state: &State, colour: Seat, gate: bool, kind: usize, pips: u8) -> Reach {
        let mut reach = Reach::default();
        let at = &state.at[colour.index()];
        let turned = 2 * u32::from(colour.0 & 3);
        for pawn in 0..(self.pawns as usize).min(8) {
            let place = at[pawn];
            let open = gate || place > self.board.gate_at;
            let cell = quick.cell[usize::from(open)][colour.index()][place.wrapping_add(pips) as usize];
            let square = cell as u8;
            let seen = state.occupied[(square & 127) as usize].rotate_right(turned);
            let verdict = quick.verdict[0][(cell & 0xff00) as usize | seen as usize];
            let may = verdict != REFUSED && square != WALL && quick.line[kind][place as usize & 127] != NONE;
            reach.may |= u8::from(may) << pawn;
            reach.cuts |= u8::from(verdict == CUTS) << pawn;
            reach.squares[pawn] = square;
        }
        reach
    }

    /// The pawns that are the first of their place.
    #[inline(always)]
    fn firsts(&self, at: &[Place; 8]) -> (u8, u128) {
        let mut here = 0u128;
        let mut firsts = 0u8;
        for pawn in 0..(self.pawns as usize).min(8) {
            let bit = 1u128 << (at[pawn] & 127);
            firsts |= u8::from(here & bit == 0) << pawn;
            here |= bit;
        }
        (firsts, here)
    }

    /// The pawns whose line of a kind comes first, and those whose line is shut for this decision.
    #[inline(always)]
    fn lines_of(&self, quick: &Quick, state: &State, colour: Seat, here: u128) -> (u32, u32) {
        let mut shut = 0u32;
        for &(line, open) in &quick.asked {
            if self.spend[line as usize].from & here != 0 && self.value(state, open, &Ask::seat(colour)) == 0 {
                shut |= 1 << line;
            }
        }
        let mut compelled = 0u32;
        for (index, line) in self.spend.iter().enumerate() {
            if quick.must >> index & 1 == 1 && line.from & here != 0 {
                compelled |= 1 << index;
            }
        }
        (compelled, shut)
    }

    /// The pawns (a bit each) whose line of a kind is in a set of lines.
    #[inline(always)]
    fn pawns_by_line(&self, quick: &Quick, at: &[Place; 8], kind: usize, lines: u32) -> u8 {
        let mut pawns = 0u8;
        for pawn in 0..(self.pawns as usize).min(8) {
            let line = quick.line[kind][at[pawn] as usize & 127];
            pawns |= u8::from(line != NONE && lines >> (line & 31) & 1 == 1) << pawn;
        }
        pawns
    }

    /// The legal actions as bits; `None`: not a situation for the short way.
    #[inline(always)]
    pub(crate) fn quick_moves(&self, quick: &Quick, state: &State) -> Option<Bits> {
        if state.hand.throws != 1 || state.hand.granted != 0 {
            return None;
        }
        let thrown = &state.hand.banked[0];
        let colour = self.colour(state);
        Some(match thrown.left {
            0b11 if thrown.moved == 0 => self.both_left(quick, state, colour, thrown),
            0b01 | 0b10 => self.one_left(quick, state, colour, thrown),
            _ => return None,
        })
    }

    #[inline(always)]
    fn both_left(&self, quick: &Quick, state: &State, colour: Seat, thrown: &Banked) -> Bits {
        let at = &state.at[colour.index()];
        let [a, b, ..] = thrown.numbers;
        let doublet = a == b;
        let gate = self.quick_gate(quick, state, colour);
        let (firsts, here) = self.firsts(at);
        let mut by_a = self.reach(quick, state, colour, gate, 0, a);
        let mut by_b = if doublet { by_a } else { self.reach(quick, state, colour, gate, 0, b) };
        let mut by_sum = self.reach(quick, state, colour, gate, 1, a + b).may;
        let mut joint = if doublet { self.joint(quick, state, colour, gate, a) } else { 0 };
        let (compelled, shut) = self.lines_of(quick, state, colour, here);
        if shut != 0 {
            let shut_dice = self.pawns_by_line(quick, at, 0, shut);
            by_a.may &= !shut_dice;
            by_b.may &= !shut_dice;
            by_sum &= !self.pawns_by_line(quick, at, 1, shut);
            joint &= !self.pawns_by_line(quick, at, 2, shut);
        }
        let mut simple = true;
        if compelled != 0 {
            let first_dice = self.pawns_by_line(quick, at, 0, compelled);
            let first_sum = self.pawns_by_line(quick, at, 1, compelled);
            let first_joint = self.pawns_by_line(quick, at, 2, compelled);
            if (by_a.may | by_b.may) & first_dice | by_sum & first_sum | joint & first_joint != 0 {
                by_a.may &= first_dice;
                by_b.may &= first_dice;
                by_sum &= first_sum;
                joint &= first_joint;
                simple = false;
            }
        }
        let singles = |a: u8, b: u8| u32::from(a & firsts) | if doublet { 0 } else { u32::from(b & firsts) << 8 };
        let wholes = u32::from(by_sum & firsts) << (8 * SUM) | u32::from(joint) << (8 * JOINT);
        let single = singles(by_a.may, by_b.may);
        if !self.turn.most {
            return single | wholes;
        }
        let mut followed = 0;
        let mut rest = single;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let (this, other) = if bit < 8 { (&by_a, &by_b) } else { (&by_b, &by_a) };
            if self.is_followed(quick, state, colour, bit, this, other, simple) {
                followed |= 1 << bit;
            }
        }
        if followed | wholes != 0 { followed | wholes } else { single }
    }

    /// Whether the other die can be spent after an action with one die.
    #[expect(clippy::too_many_arguments, reason = "what the caller has looked up already")]
    #[inline(always)]
    fn is_followed(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        bit: u32,
        this: &Reach,
        other: &Reach,
        simple: bool,
    ) -> bool {
        let pawn = bit as usize & 7;
        if simple && this.cuts >> pawn & 1 == 0 {
            // Another pawn goes where this action changes nothing: then it still can.
            let to = this.squares[pawn];
            let from = self.square(colour, state.at[colour.index()][pawn]);
            let mut others = other.may & !(1 << pawn);
            while others != 0 {
                let next = others.trailing_zeros() as usize;
                others &= others - 1;
                let target = other.squares[next & 7];
                if target >= NOWHERE || target != to && target != from {
                    return true;
                }
            }
        }
        self.is_followed_closely(quick, state, bit)
    }

    #[inline(never)]
    fn is_followed_closely(&self, quick: &Quick, state: &State, bit: u32) -> bool {
        let mut next = *state;
        self.perform(&mut next, &self.quick_action(quick, state, bit), &mut Quiet);
        if next.phase == super::state::Phase::Over || next.ending || next.stage() != Stage::Numbers {
            return false;
        }
        let colour = self.colour(&next);
        self.one_left(quick, &next, colour, &next.hand.banked[0]) != 0
    }

    #[inline(always)]
    fn one_left(&self, quick: &Quick, state: &State, colour: Seat, thrown: &Banked) -> Bits {
        let at = &state.at[colour.index()];
        let way = if thrown.left & 1 == 1 { FIRST } else { SECOND };
        let gate = self.quick_gate(quick, state, colour);
        let mut may = self.reach(quick, state, colour, gate, 0, thrown.numbers[way as usize]);
        may.may &= !thrown.moved;
        if thrown.parted != 0 && self.turn.reunite == Reunite::Throw {
            self.keep_apart(state, colour, thrown, &mut may);
        }
        let (_, here) = self.firsts(at);
        let (compelled, shut) = self.lines_of(quick, state, colour, here);
        if shut != 0 {
            may.may &= !self.pawns_by_line(quick, at, 0, shut);
        }
        if compelled != 0 {
            let first = self.pawns_by_line(quick, at, 0, compelled) & may.may;
            may.may = if first != 0 { first } else { may.may };
        }
        u32::from(self.distinct(at, may.may)) << (8 * way)
    }

    /// Of the pawns in a set, the first of each place.
    #[inline(always)]
    fn distinct(&self, at: &[Place; 8], pawns: u8) -> u8 {
        let mut here = 0u128;
        let mut firsts = 0u8;
        for pawn in 0..(self.pawns as usize).min(8) {
            let bit = 1u128 << (at[pawn] & 127);
            let first = pawns >> pawn & 1 == 1 && here & bit == 0;
            firsts |= u8::from(first) << pawn;
            here |= if first { bit } else { 0 };
        }
        firsts
    }

    #[inline(never)]
    fn keep_apart(&self, state: &State, colour: Seat, thrown: &Banked, may: &mut Reach) {
        for pawn in 0..self.pawns as usize {
            let square = may.squares[pawn];
            if thrown.parted >> pawn & 1 == 0 || square >= NOWHERE {
                continue;
            }
            let meets = (0..self.pawns as usize).any(|other| {
                thrown.moved >> other & 1 == 1 && self.square(colour, state.at[colour.index()][other]) == square
            });
            if meets {
                may.may &= !(1 << pawn);
            }
        }
    }

    /// The pairs that can move together, each by the pawn that names it.
    #[inline(never)]
    fn joint(&self, quick: &Quick, state: &State, colour: Seat, gate: bool, pips: u8) -> u8 {
        let at = &state.at[colour.index()];
        let mut named = 0u8;
        let mut listed = 0u128;
        let landing = |place: Place| {
            let open = usize::from(gate || place > self.board.gate_at);
            let target = place.wrapping_add(pips) as usize;
            (quick.cell[open][colour.index()][target], self.board.lands[open][target])
        };
        for pawn in 0..self.pawns as usize {
            let place = at[pawn];
            if self.board.pairing >> place & 1 == 0 || listed >> place & 1 == 1 || quick.line[2][place as usize] == NONE
            {
                continue;
            }
            let Some(other) = self.companion(state, colour, pawn, 0) else { continue };
            let (cell, lands) = landing(place);
            let (other_cell, other_lands) = landing(at[other as usize]);
            let seen = self.seen_by(state, colour, cell as u8);
            let verdict = quick.verdict[1][(cell & 0xff00) as usize | seen as usize];
            let walls = cell as u8 == WALL || other_cell as u8 == WALL;
            if verdict != REFUSED && !walls && lands == other_lands {
                named |= 1 << pawn;
                listed |= 1 << place;
            }
        }
        named
    }

    /// The action of a bit.
    #[inline(always)]
    pub(crate) fn quick_action(&self, quick: &Quick, state: &State, bit: u32) -> Action {
        let colour = self.colour(state);
        let way = bit >> 3;
        let pawn = bit as u8 & 7;
        let from = state.at[colour.index()][pawn as usize];
        let thrown = &state.hand.banked[0];
        let [a, b, ..] = thrown.numbers;
        let (kind, steps, numbers) = match way {
            FIRST => (0, a, 0b01),
            SECOND => (0, b, 0b10),
            SUM => (1, a + b, 0b11),
            _ => (2, a, 0b11),
        };
        let open = usize::from(from > self.board.gate_at || self.quick_gate(quick, state, colour));
        let target = from.wrapping_add(steps) as usize;
        let cell = quick.cell[open][colour.index()][target];
        let seen = self.seen_by(state, colour, cell as u8);
        let mover = usize::from(way == JOINT);
        let other = if way == JOINT { self.companion(state, colour, pawn as usize, 0).unwrap_or(255) } else { 255 };
        Action {
            line: quick.line[kind][from as usize & 127],
            kind: ActionKind::Move,
            pawn,
            other,
            from,
            to: self.board.lands[open][target],
            throw: 0,
            numbers,
            captures: quick.verdict[mover][(cell & 0xff00) as usize | seen as usize] == CUTS,
        }
    }
}
