//! The legal actions of plain rule sets as bits.

use super::super::program::Ask;
use super::super::state::{Action, ActionKind, NOWHERE, Phase, Place, Seat, State, WALL};
use super::super::watch::Quiet;
use super::lanes::{Step, flag, lane, pawns, repeated};
use super::{
    ASKED, ASKED_DIE, BY_DIE, BY_SUM, Bits, CUTS, FIRST, FIRST_DIE, FIRST_JOINT, FIRST_SUM, JOINT, NONE, Quick,
    REFUSED, SECOND, SUM,
};
use crate::tables::{Reunite, Rules};

/// What the pawns of a colour find at the distances of the dice: a byte a pawn.
#[derive(Clone, Copy, Default)]
struct Look {
    /// By way (first die, second die, sum): the verdict, whose top bit says that it may land.
    may: [u64; 3],
    /// By die: the square that each pawn comes to.
    squares: [u64; 2],
    /// The square that each pawn stands on.
    stands: u64,
    /// All flags of their places.
    flags: u8,
}

/// The dice and what they have been spent on.
#[derive(Clone, Copy)]
pub(super) struct Dice {
    pub numbers: [u8; 2],
    /// Bit `p`: pawn `p` was moved by this throw.
    pub moved: u8,
    /// Bit `p`: pawn `p` stood together with the pawn that was moved.
    pub parted: u8,
}

impl Dice {
    #[inline(always)]
    fn is_doublet(&self) -> bool {
        self.numbers[0] == self.numbers[1]
    }
}

/// Where an action leads.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub pawn: u8,
    pub from: Place,
    pub to: Place,
    pub square: u8,
    pub cuts: bool,
}

impl Rules {
    /// The legal actions as bits; `None`: not a situation for the short way.
    pub(crate) fn quick_moves(&self, quick: &Quick, state: &State) -> Option<Bits> {
        if state.hand.throws != 1 || state.hand.granted != 0 {
            return None;
        }
        let thrown = &state.hand.banked[0];
        let colour = self.colour(state);
        let [a, b, ..] = thrown.numbers;
        let dice = Dice { numbers: [a, b], moved: thrown.moved, parted: thrown.parted };
        Some(match (thrown.left, self.pawns) {
            (0b11, 4) if thrown.moved == 0 => self.with_both::<4>(quick, state, colour, &dice),
            (0b11, _) if thrown.moved == 0 => self.with_both::<8>(quick, state, colour, &dice),
            (0b01, _) => self.with_one::<8>(quick, state, colour, FIRST, &dice),
            (0b10, _) => self.with_one::<8>(quick, state, colour, SECOND, &dice),
            _ => return None,
        })
    }

    /// Where single pawns get; `WAYS` is 3 for both dice and their sum, 1 for one die.
    #[inline(always)]
    fn look<const N: usize, const WAYS: usize>(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        gate: bool,
        pips: [u8; WAYS],
    ) -> Look {
        let mut look = Look::default();
        let at = u64::from_le_bytes(state.at[colour.index()]);
        let verdicts = &quick.verdict[0][colour.index()];
        let cells = &quick.cell[usize::from(gate)][colour.index()];
        let stand = &quick.stand[colour.index()];
        for pawn in 0..N {
            if N > 4 && pawn >= self.pawns as usize {
                break;
            }
            let place = (lane(at, pawn) & 127) as usize;
            let flags = quick.flags[place];
            look.flags |= flags;
            look.stands |= u64::from(stand[place]) << (8 * pawn);
            let start = quick.start[place];
            for way in 0..WAYS {
                let cell = cells[start.wrapping_add(pips[way]) as usize];
                let there = state.occupied[(cell & 127) as usize];
                let verdict = verdicts[(cell & 0xf00) as usize | there as usize];
                look.may[way] |= u64::from(verdict) << (8 * pawn);
                if way < 2 {
                    look.squares[way] |= u64::from(cell & 0xff) << (8 * pawn);
                }
            }
        }
        if !quick.all_lined {
            let lined = self.lined(quick, at);
            look.may = [look.may[0] & lined[0], look.may[1] & lined[0], look.may[2] & lined[1]];
        }
        look
    }

    /// Where a spending line starts for a die, and for a sum.
    #[inline(never)]
    fn lined(&self, quick: &Quick, at: u64) -> [u64; 2] {
        [BY_DIE, BY_SUM].map(|by| {
            let starts = |pawn: usize| u8::from(quick.flags[(lane(at, pawn) & 127) as usize] & by != 0);
            (0..self.pawns as usize).fold(0, |lined, pawn| lined | flag(starts(pawn), pawn))
        })
    }

    /// Of the pawns in a set, those that are the first of their place.
    #[inline(never)]
    fn firsts(&self, at: &[Place; 8], of: u8) -> u8 {
        let first = |&pawn: &usize| (0..pawn).all(|earlier| of >> earlier & 1 == 0 || at[earlier] != at[pawn]);
        let listed = (0..self.pawns as usize).filter(|pawn| of >> pawn & 1 == 1).filter(first);
        listed.fold(0, |firsts, pawn| firsts | 1 << pawn)
    }

    /// The pawns on places with a flag.
    #[inline(always)]
    fn flagged(&self, quick: &Quick, at: &[Place; 8], flag: u8) -> u8 {
        let mut pawns = 0;
        for (pawn, &place) in at.iter().enumerate().take(self.pawns as usize) {
            pawns |= u8::from(quick.flags[(place & 127) as usize] & flag != 0) << pawn;
        }
        pawns
    }

    /// The pawns whose line of each kind is shut for this decision.
    #[cold]
    #[inline(never)]
    fn shut(&self, quick: &Quick, state: &State, colour: Seat) -> [u8; 3] {
        let mut shut = [0u8; 3];
        for &(line, open) in &quick.asked {
            if self.value(state, open, &Ask::seat(colour)) == 0 {
                for (kind, pawns) in shut.iter_mut().enumerate() {
                    for (pawn, &place) in state.at[colour.index()].iter().enumerate().take(self.pawns as usize) {
                        *pawns |= u8::from(quick.line[kind][place as usize & 127] == line) << pawn;
                    }
                }
            }
        }
        shut
    }

    /// The legal actions while neither die is spent.
    #[inline(always)]
    pub(super) fn with_both<const N: usize>(&self, quick: &Quick, state: &State, colour: Seat, dice: &Dice) -> Bits {
        let at = &state.at[colour.index()];
        let [a, b] = dice.numbers;
        let doublet = dice.is_doublet();
        let gate = self.quick_gate(quick, state, colour);
        let look = self.look::<N, 3>(quick, state, colour, gate, [a, b, a + b]);
        let mut may = look.may.map(pawns);
        let mut joint = if doublet { self.joint(quick, state, colour, gate, a) } else { 0 };
        if look.flags & ASKED != 0 {
            let shut = self.shut(quick, state, colour);
            may = [may[0] & !shut[0], may[1] & !shut[0], may[2] & !shut[1]];
            joint &= !shut[2];
        }
        let free = may;
        let mut waiting = 0;
        if look.flags & (FIRST_DIE | FIRST_SUM | FIRST_JOINT) != 0 {
            let [die, sum, pair] = [FIRST_DIE, FIRST_SUM, FIRST_JOINT].map(|flag| self.flagged(quick, at, flag));
            if (may[0] | may[1]) & die | may[2] & sum | joint & pair != 0 {
                may = [may[0] & die, may[1] & die, may[2] & sum];
                joint &= pair;
                waiting = die;
            }
        }
        let firsts = !repeated::<N>(u64::from_le_bytes(*at));
        let second = if doublet { 0 } else { u32::from(may[1] & firsts) << 8 };
        let single = u32::from(may[0] & firsts) | second;
        let wholes = u32::from(may[2] & firsts) << (8 * SUM) | u32::from(joint) << (8 * JOINT);
        if !self.turn.most {
            return single | wholes;
        }
        let mut followed = 0;
        if waiting == 0 {
            for way in 0..2 {
                let step = Step {
                    stands: look.stands,
                    to: look.squares[way],
                    others_to: look.squares[1 - way],
                    others_may: look.may[1 - way],
                };
                followed |= u32::from(step.leaves_a_step::<N>() & !cutting(look.may[way])) << (8 * way);
            }
            followed &= if look.flags & ASKED == 0 { single } else { 0 };
        }
        let mut rest = single & !followed;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let next = 1 - (bit >> 3) as usize;
            let others = if waiting == 0 { free[next] } else { self.next_in_line(free[next], waiting, bit & 7) };
            let sure = self.is_surely_followed(quick, state, colour, gate, bit, &look, others, dice.numbers[next]);
            if sure || self.is_followed(quick, state, colour, bit, dice) {
                followed |= 1 << bit;
            }
        }
        if followed | wholes != 0 { followed | wholes } else { single }
    }

    /// Who may take the other die while pawns that come first are waiting.
    #[inline(always)]
    fn next_in_line(&self, may: u8, waiting: u8, pawn: u32) -> u8 {
        let still = waiting & !(1 << pawn);
        if still != 0 { may & still } else { may }
    }

    /// As [`surely_followed`] for one action, which may capture.
    #[expect(clippy::too_many_arguments, reason = "what the caller has looked up already")]
    #[inline(never)]
    fn is_surely_followed(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        gate: bool,
        bit: u32,
        look: &Look,
        others: u8,
        pips: u8,
    ) -> bool {
        let (pawn, way) = (bit as usize & 7, (bit >> 3) as usize & 1);
        let cuts = cutting(look.may[way]) >> pawn & 1 == 1;
        if cuts && !quick.steady {
            return false;
        }
        let to = lane(look.squares[way], pawn);
        let at = &state.at[colour.index()];
        let from = lane(look.stands, pawn);
        (0..self.pawns as usize & 15).any(|next| {
            let target = lane(look.squares[1 - way], next & 7);
            let apart = target >= NOWHERE || target != to && target != from;
            let same_way = !cuts || gate || at[next & 7].wrapping_add(pips) <= self.board.gate_at;
            next != pawn && others >> next & 1 == 1 && apart && same_way
        })
    }

    /// Whether the other die can be spent after an action with one die: plays it on a copy.
    #[cold]
    #[inline(never)]
    fn is_followed(&self, quick: &Quick, state: &State, colour: Seat, bit: u32, dice: &Dice) -> bool {
        let mut next = *state;
        let way = bit >> 3;
        let target = self.quick_target(quick, state, colour, bit, dice);
        let after = self.quick_single(quick, &mut next, colour, &target, dice, &mut Quiet);
        if next.phase == Phase::Over || next.ending || self.colour(&next) != colour {
            return false;
        }
        self.with_one::<8>(quick, &next, colour, 1 - way, &after) != 0
    }

    /// The legal actions of the die that is left.
    #[inline(always)]
    pub(super) fn with_one<const N: usize>(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        way: u32,
        dice: &Dice,
    ) -> Bits {
        let at = &state.at[colour.index()];
        let gate = self.quick_gate(quick, state, colour);
        let look = self.look::<N, 1>(quick, state, colour, gate, [dice.numbers[way as usize & 1]]);
        let mut may = pawns(look.may[0]) & !dice.moved;
        if dice.parted != 0 && self.turn.reunite == Reunite::Throw {
            may &= !self.kept_apart(state, colour, dice, &look);
        }
        if look.flags & ASKED_DIE != 0 {
            may &= !self.shut(quick, state, colour)[0];
        }
        if look.flags & FIRST_DIE != 0 {
            let first = self.flagged(quick, at, FIRST_DIE) & may;
            may = if first != 0 { first } else { may };
        }
        let lanes = u64::from_le_bytes(*at);
        let distinct = if repeated::<N>(lanes) == 0 { may } else { self.firsts(at, may) };
        u32::from(distinct) << (8 * way)
    }

    /// The pawns that would meet again, with this throw, the pawn they stood together with.
    #[inline(never)]
    fn kept_apart(&self, state: &State, colour: Seat, dice: &Dice, look: &Look) -> u8 {
        let at = &state.at[colour.index()];
        let mut apart = 0;
        for pawn in 0..(self.pawns as usize).min(8) {
            let square = lane(look.squares[0], pawn);
            let meets = |other: usize| dice.moved >> other & 1 == 1 && self.square(colour, at[other]) == square;
            if dice.parted >> pawn & 1 == 1 && square < NOWHERE && (0..self.pawns as usize).any(meets) {
                apart |= 1 << pawn;
            }
        }
        apart
    }

    /// The pairs that can move together, each by the pawn that names it.
    #[inline(always)]
    fn joint(&self, quick: &Quick, state: &State, colour: Seat, gate: bool, pips: u8) -> u8 {
        let at = &state.at[colour.index()];
        let shift = 2 * (colour.0 & 3);
        let paired = |&place: &Place| state.occupied[self.square(colour, place) as usize & 127] >> shift & 3 > 1;
        if !at[..self.pawns as usize & 15].iter().any(paired) {
            return 0;
        }
        let mut named = 0u8;
        let mut listed = 0u128;
        let landing = |place: Place| {
            let target = quick.start[place as usize & 127].wrapping_add(pips) as usize;
            (quick.cell[usize::from(gate)][colour.index()][target], quick.lands[usize::from(gate)][target])
        };
        for pawn in 0..self.pawns as usize {
            let place = at[pawn];
            let lined = quick.line[2][place as usize & 127] != NONE;
            if self.board.pairing >> place & 1 == 0 || listed >> place & 1 == 1 || !lined {
                continue;
            }
            let Some(other) = self.companion(state, colour, pawn, 0) else { continue };
            let (cell, lands) = landing(place);
            let (other_cell, other_lands) = landing(at[other as usize]);
            let there = state.occupied[(cell & 127) as usize];
            let verdict = quick.verdict[1][colour.index()][(cell & 0xf00) as usize | there as usize];
            if verdict != REFUSED && other_cell as u8 != WALL && lands == other_lands {
                named |= 1 << pawn;
                listed |= 1 << place;
            }
        }
        named
    }

    /// Where the action of a bit leads.
    #[inline(always)]
    pub(super) fn quick_target(&self, quick: &Quick, state: &State, colour: Seat, bit: u32, dice: &Dice) -> Target {
        let way = bit >> 3;
        let pawn = bit as u8 & 7;
        let from = state.at[colour.index()][pawn as usize];
        let [a, b] = dice.numbers;
        let steps = [a, b, a + b, a][way as usize & 3];
        let open = usize::from(self.quick_gate(quick, state, colour));
        let target = quick.start[from as usize & 127].wrapping_add(steps) as usize;
        let cell = quick.cell[open][colour.index()][target];
        let there = state.occupied[(cell & 127) as usize];
        let verdict =
            quick.verdict[usize::from(way == JOINT)][colour.index()][(cell & 0xf00) as usize | there as usize];
        Target { pawn, from, to: quick.lands[open][target], square: cell as u8, cuts: verdict == CUTS }
    }

    /// The action of a bit.
    pub(crate) fn quick_action(&self, quick: &Quick, state: &State, bit: u32) -> Action {
        let colour = self.colour(state);
        let [a, b, ..] = state.hand.banked[0].numbers;
        let dice = Dice { numbers: [a, b], moved: 0, parted: 0 };
        let target = self.quick_target(quick, state, colour, bit, &dice);
        let way = bit >> 3;
        let kind = [0, 0, 1, 2][way as usize & 3];
        let other = if way == JOINT { self.companion(state, colour, target.pawn as usize, 0) } else { None };
        Action {
            line: quick.line[kind][target.from as usize & 127],
            kind: ActionKind::Move,
            pawn: target.pawn,
            other: other.unwrap_or(255),
            from: target.from,
            to: target.to,
            throw: 0,
            numbers: [0b01, 0b10, 0b11, 0b11][way as usize & 3],
            captures: target.cuts,
        }
    }
}

/// The pawns whose landing captures, by their verdicts.
#[inline(always)]
fn cutting(verdicts: u64) -> u8 {
    pawns(verdicts << 7)
}
