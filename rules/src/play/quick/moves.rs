//! The legal actions of plain rule sets as bits.

use super::super::program::Ask;
use super::super::state::{Action, ActionKind, NOWHERE, Phase, Place, Seat, State, WALL};
use super::super::watch::Quiet;
use super::{Bits, CUTS, FIRST, JOINT, NONE, Quick, REFUSED, SECOND, SUM};
use crate::tables::{Reunite, Rules};

/// What the pawns of a colour find at one distance.
#[derive(Clone, Copy, Default)]
struct Reach {
    may: u8,
    cuts: u8,
    squares: [u8; 8],
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

    /// Where single pawns get by `pips`; `kind` is 0 for a die, 1 for a sum.
    #[inline(always)]
    fn reach<const N: usize>(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        gate: bool,
        kind: usize,
        pips: u8,
    ) -> Reach {
        let mut reach = Reach::default();
        let at = &state.at[colour.index()];
        let shut = &quick.cell[usize::from(gate)][colour.index()];
        let open = &quick.cell[1][colour.index()];
        let verdicts = &quick.verdict[0][colour.index()][..];
        for pawn in 0..N {
            if N > 4 && pawn >= self.pawns as usize {
                break;
            }
            let place = at[pawn];
            let cells = if place > self.board.gate_at { open } else { shut };
            let cell = cells[place.wrapping_add(pips) as usize];
            let square = cell as u8;
            let there = state.occupied[(square & 127) as usize];
            let verdict = verdicts[(cell & 0xff00) as usize | there as usize];
            let may = verdict != REFUSED && quick.line[kind][place as usize & 127] != NONE;
            reach.may |= u8::from(may) << pawn;
            reach.cuts |= u8::from(verdict == CUTS) << pawn;
            reach.squares[pawn] = square;
        }
        reach
    }

    /// The pawns that are the first of their place, and all places.
    #[inline(always)]
    fn firsts<const N: usize>(&self, at: &[Place; 8]) -> (u8, u128) {
        let mut here = 0u128;
        let mut firsts = 0u8;
        for (pawn, &place) in at.iter().enumerate().take(N.min(self.pawns as usize)) {
            let bit = 1u128 << (place & 127);
            firsts |= u8::from(here & bit == 0) << pawn;
            here |= bit;
        }
        (firsts, here)
    }

    /// The pawns that stand on places of a set.
    #[inline(always)]
    fn standing_on(&self, at: &[Place; 8], places: u128) -> u8 {
        let mut pawns = 0;
        for (pawn, &place) in at.iter().enumerate().take(self.pawns as usize) {
            pawns |= ((places >> (place & 127) & 1) as u8) << pawn;
        }
        pawns
    }

    /// The pawns whose line of each kind is shut for this decision.
    #[cold]
    #[inline(never)]
    fn shut(&self, quick: &Quick, state: &State, colour: Seat, here: u128) -> [u8; 3] {
        let mut shut = [0u8; 3];
        for &(line, open) in &quick.asked {
            let spend = &self.spend[line as usize];
            if spend.from & here != 0 && self.value(state, open, &Ask::seat(colour)) == 0 {
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
        let (firsts, here) = self.firsts::<N>(at);
        let mut by = [self.reach::<N>(quick, state, colour, gate, 0, a); 2];
        if !doublet {
            by[1] = self.reach::<N>(quick, state, colour, gate, 0, b);
        }
        let mut sum = self.reach::<N>(quick, state, colour, gate, 1, a + b).may;
        let mut joint = if doublet { self.joint(quick, state, colour, gate, a) } else { 0 };
        if here & quick.asked_from != 0 {
            let shut = self.shut(quick, state, colour, here);
            by[0].may &= !shut[0];
            by[1].may &= !shut[0];
            sum &= !shut[1];
            joint &= !shut[2];
        }
        let whole = by;
        let mut waiting = 0;
        if here & (quick.first[0] | quick.first[1] | quick.first[2]) != 0 {
            let [die, both, pair] = quick.first.map(|places| self.standing_on(at, places));
            if (by[0].may | by[1].may) & die | sum & both | joint & pair != 0 {
                by[0].may &= die;
                by[1].may &= die;
                sum &= both;
                joint &= pair;
                waiting = die;
            }
        }
        let second = if doublet { 0 } else { u32::from(by[1].may & firsts) << 8 };
        let single = u32::from(by[0].may & firsts) | second;
        let wholes = u32::from(sum & firsts) << (8 * SUM) | u32::from(joint) << (8 * JOINT);
        if !self.turn.most {
            return single | wholes;
        }
        let mut followed = 0;
        let mut rest = single;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let this = usize::from(bit >= 8);
            let sure = self.is_surely_followed(
                quick,
                state,
                colour,
                gate,
                bit,
                &by[this],
                &whole[1 - this],
                dice.numbers[1 - this],
                waiting,
            );
            if sure || self.is_followed(quick, state, colour, bit, dice) {
                followed |= 1 << bit;
            }
        }
        if followed | wholes != 0 { followed | wholes } else { single }
    }

    /// Whether another pawn can take the other die where this action changes nothing.
    #[expect(clippy::too_many_arguments, reason = "what the caller has looked up already")]
    #[inline(always)]
    fn is_surely_followed(
        &self,
        quick: &Quick,
        state: &State,
        colour: Seat,
        gate: bool,
        bit: u32,
        this: &Reach,
        other: &Reach,
        pips: u8,
        waiting: u8,
    ) -> bool {
        let pawn = bit as usize & 7;
        let cuts = this.cuts >> pawn & 1 == 1;
        if cuts && !quick.steady {
            return false;
        }
        let to = this.squares[pawn];
        let at = &state.at[colour.index()];
        let from = self.square(colour, at[pawn]);
        let mut others = other.may & !(1 << pawn);
        if waiting != 0 {
            let still = waiting & !(1 << pawn);
            others = if still != 0 { others & still } else { others };
        }
        while others != 0 {
            let next = others.trailing_zeros() as usize & 7;
            others &= others - 1;
            let target = other.squares[next];
            let apart = target >= NOWHERE || target != to && target != from;
            if apart && (!cuts || gate || at[next].wrapping_add(pips) <= self.board.gate_at) {
                return true;
            }
        }
        false
    }

    /// Whether the other die can be spent after an action with one die: plays it on a copy.
    #[cold]
    #[inline(never)]
    fn is_followed(&self, quick: &Quick, state: &State, colour: Seat, bit: u32, dice: &Dice) -> bool {
        let mut next = *state;
        let way = bit >> 3;
        let target = self.quick_target(quick, state, colour, bit, dice);
        let after = self.quick_single(&mut next, colour, &target, dice, &mut Quiet);
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
        let reach = self.reach::<N>(quick, state, colour, gate, 0, dice.numbers[way as usize & 1]);
        let mut may = reach.may & !dice.moved;
        if dice.parted != 0 && self.turn.reunite == Reunite::Throw {
            may &= !self.kept_apart(state, colour, dice, &reach);
        }
        let mut here = 0u128;
        for &place in &at[..N.min(self.pawns as usize)] {
            here |= 1 << (place & 127);
        }
        if here & quick.asked_from != 0 {
            may &= !self.shut(quick, state, colour, here)[0];
        }
        if here & quick.first[0] != 0 {
            let first = self.standing_on(at, quick.first[0]) & may;
            may = if first != 0 { first } else { may };
        }
        let mut listed = 0u128;
        let mut distinct = 0u8;
        for (pawn, &place) in at.iter().enumerate().take(N.min(self.pawns as usize)) {
            let bit = if may >> pawn & 1 == 1 { 1u128 << (place & 127) } else { 0 };
            distinct |= u8::from(listed & bit == 0 && bit != 0) << pawn;
            listed |= bit;
        }
        u32::from(distinct) << (8 * way)
    }

    /// The pawns that would meet again, with this throw, the pawn they stood together with.
    #[inline(never)]
    fn kept_apart(&self, state: &State, colour: Seat, dice: &Dice, reach: &Reach) -> u8 {
        let at = &state.at[colour.index()];
        let mut apart = 0;
        for pawn in 0..self.pawns as usize & 7 {
            let square = reach.squares[pawn];
            let meets = |other: usize| dice.moved >> other & 1 == 1 && self.square(colour, at[other]) == square;
            if dice.parted >> pawn & 1 == 1 && square < NOWHERE && (0..self.pawns as usize).any(meets) {
                apart |= 1 << pawn;
            }
        }
        apart
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
            let lined = quick.line[2][place as usize & 127] != NONE;
            if self.board.pairing >> place & 1 == 0 || listed >> place & 1 == 1 || !lined {
                continue;
            }
            let Some(other) = self.companion(state, colour, pawn, 0) else { continue };
            let (cell, lands) = landing(place);
            let (other_cell, other_lands) = landing(at[other as usize]);
            let there = state.occupied[(cell & 127) as usize];
            let verdict = quick.verdict[1][colour.index()][(cell & 0xff00) as usize | there as usize];
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
        let open = usize::from(from > self.board.gate_at || self.quick_gate(quick, state, colour));
        let target = from.wrapping_add(steps) as usize;
        let cell = quick.cell[open][colour.index()][target];
        let there = state.occupied[(cell & 127) as usize];
        let verdict =
            quick.verdict[usize::from(way == JOINT)][colour.index()][(cell & 0xff00) as usize | there as usize];
        Target { pawn, from, to: self.board.lands[open][target], square: cell as u8, cuts: verdict == CUTS }
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
