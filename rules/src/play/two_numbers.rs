//! The legal actions by the two numbers of a throw that are left, found with the tables of one number.

use super::actions::Actions;
use super::engine::Engine;
use super::landing::{Landing, Road};
use super::one_number::OnlyPart;
use super::reach::{JOINT, OTHER, SECOND};
use super::state::{Action, ActionForm, ActionKind, State};
use crate::tables::{Places, WaySet};
use crate::units::{MAX_PAWNS, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// The move of each pawn by one number: its spend line and its landing.
type MoveOfEach = [Option<(u8, Landing)>; MAX_PAWNS];

impl Engine {
    /// Adds the legal actions by the two numbers of a throw that are left, without a pass. Returns false, and adds
    /// nothing, if other numbers or bonuses are left, or if the tables do not decide.
    #[inline(always)]
    pub(super) fn two_numbers_into(&self, state: &State, out: &mut Actions) -> bool {
        let hand = &state.hand;
        let thrown = &hand.banked[0];
        if hand.granted != 0 || hand.throws != 1 || thrown.count_left() != 2 || self.quick.is_some() {
            return false;
        }
        let left = thrown.left & 15;
        let first = left & left.wrapping_neg();
        let parts = [first, left ^ first].map(|numbers| {
            let size = thrown.numbers[numbers.trailing_zeros() as usize & 3];
            OnlyPart { size, throw: Some(ThrowIndex::new(0)), numbers }
        });
        if parts.iter().any(|part| !self.reach.holds(false, part.size)) || state.must_spend_all() {
            return false;
        }
        let is_found = self.two_numbers_by(state, parts, out);
        if !is_found {
            out.clear();
        }
        is_found
    }

    #[inline(never)]
    fn two_numbers_by(&self, state: &State, parts: [OnlyPart; 2], out: &mut Actions) -> bool {
        let colour = self.colour(state);
        let road = Road { gate: self.gate_is_open(state, colour), barred: self.bars != 0 };
        let row = |part: OnlyPart| self.reach.row(false, part.size, road.gate, colour);
        let [Some(first), Some(second)] = parts.map(row) else { return false };
        let (at, count) = (&state.at[colour.index()], usize::from(self.pawns.count).min(MAX_PAWNS));
        let (_, begun) = self.spend_lines.beginning(self.pawns.count, at);
        let sizes = parts.map(|part| part.size);
        let flags = at[..count].iter().fold(0, |flags, place| {
            flags | first.first[place.index() & 127].flags | second.first[place.index() & 127].flags
        });
        if flags & (OTHER | SECOND) != 0
            || begun & self.spend_lines.of_both(sizes) != 0
            || self.may_reunite(state, parts[0].throw)
        {
            return false;
        }
        let Some(hidden) = self.hidden_twins(state, colour, flags, true) else { return false };
        let moved = if self.turn.once_per_throw { state.hand.banked[0].moved } else { 0 };
        let mut moves: [MoveOfEach; 2] = [[None; MAX_PAWNS]; 2];
        let mut lines: WaySet = 0;
        for (index, row) in [first, second].into_iter().enumerate() {
            for pawn in 0..count {
                let reach = &row.first[at[pawn].index() & 127];
                if reach.flags & !JOINT == 0 || moved >> pawn & 1 == 1 {
                    continue;
                }
                let landing =
                    self.reached_by(state, colour, PawnIndex::new(pawn as u8), row, reach, parts[index], road);
                if let Some(landing) = landing {
                    let line = row.lines[usize::from(reach.rank) & 3];
                    moves[index][pawn] = Some((line, landing));
                    lines |= 1 << line;
                }
            }
        }
        if self.has_due() && self.may_meet_a_compulsion(begun, sizes, &moves) {
            return false;
        }
        self.list_moves(state, colour, parts, &moves, lines, hidden, out);
        if !self.moves.must.is_empty() && !out.is_empty() {
            self.compel(state, self.moves.must.len(), 0, out);
        }
        if self.turn.most {
            let mut sure = 0;
            for (index, action) in out.iter().enumerate().take(64) {
                sure |= u64::from(self.is_followed_by_one_of(state, action, parts, &moves)) << index;
            }
            self.keep_longest_of_two(state, out, sure);
        }
        true
    }

    /// Lists the moves in the order of lines, numbers and pawns. Of two equal numbers, only the first is listed.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "the moves, and what they are made of")]
    fn list_moves(
        &self,
        state: &State,
        colour: Seat,
        parts: [OnlyPart; 2],
        moves: &[MoveOfEach; 2],
        mut lines: WaySet,
        hidden: PawnSet,
        out: &mut Actions,
    ) {
        let distinct = if parts[0].size == parts[1].size { 1 } else { 2 };
        while lines != 0 {
            let index = lines.trailing_zeros() as u8;
            lines &= lines - 1;
            for (part, moves) in parts.iter().zip(moves).take(distinct) {
                for (pawn, found) in moves.iter().enumerate().take(usize::from(self.pawns.count)) {
                    let Some((line, Landing { to, answer })) = *found else { continue };
                    if line != index || hidden >> pawn & 1 == 1 {
                        continue;
                    }
                    let pawn = PawnIndex::new(pawn as u8);
                    out.push(Action {
                        line,
                        kind: ActionKind::Move,
                        colour,
                        pawn,
                        other: None,
                        from: state.place_of(colour, pawn),
                        to,
                        throw: part.throw,
                        numbers: part.numbers,
                        captures: answer.captures(),
                        form: ActionForm::PLAIN,
                    });
                }
            }
        }
    }

    /// Whether an action may meet a compulsion over the whole hand, now or after one of the moves.
    #[inline(never)]
    fn may_meet_a_compulsion(&self, begun: WaySet, [one, other]: [Pips; 2], moves: &[MoveOfEach; 2]) -> bool {
        let reached = moves.iter().flatten().flatten().fold(0, |all: Places, (_, landing)| all | landing.to.alone());
        let both = Pips(one.0.saturating_add(other.0));
        let able = [one, other, both].iter().fold(0, |lines, &size| lines | self.spend_lines.by_number(size));
        self.moves.must.iter().filter(|must| must.in_hand).any(|must| {
            let from = |index: usize| self.moves.spend[index].from;
            let lines = (0..self.moves.spend.len()).filter(|index| must.actions >> index & 1 == 1);
            begun & must.actions & able != 0 || lines.map(from).fold(0, |all, from| all | from) & reached != 0
        })
    }

    #[inline(always)]
    fn is_followed_by_one_of(
        &self,
        state: &State,
        action: &Action,
        parts: [OnlyPart; 2],
        moves: &[MoveOfEach; 2],
    ) -> bool {
        let others = &moves[usize::from(action.numbers == parts[0].numbers)];
        let others = others.iter().enumerate().filter_map(|(pawn, found)| {
            let (line, Landing { to, .. }) = (*found)?;
            let pawn = PawnIndex::new(pawn as u8);
            Some((pawn, line, [state.place_of(action.colour, pawn), to]))
        });
        self.is_surely_followed(state, action, others)
    }
}
