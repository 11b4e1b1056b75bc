//! The legal actions by several numbers of one throw, found with the tables of one number.

use arrayvec::ArrayVec;

use super::actions::Actions;
use super::ahead::{MOST_STEPS, StepList};
use super::by_part::{HandPart, PawnMove};
use super::companions::pawns_of;
use super::engine::Engine;
use super::landing::Landing;
use super::reach::{JOINT, OTHER, SECOND};
use super::state::{Action, ActionForm, ActionKind, State};
use crate::tables::{Places, WaySet};
use crate::units::{MAX_NUMBERS, MAX_PAWNS, PawnSet, Pips, Seat, ThrowIndex};

/// The numbers that are left of a throw.
type HandParts = ArrayVec<HandPart, MAX_NUMBERS>;

/// The moves of all pawns by the numbers of a throw. Of equal numbers, only the first has moves.
struct MovesByNumbers {
    /// The moves, in the order of numbers and pawns.
    all: ArrayVec<Action, MOST_STEPS>,
    /// For each number of the throw and each pawn, the index of its move in `all`, if it has one.
    index: [[u8; MAX_PAWNS]; MAX_NUMBERS],
    /// The lines of the moves, one bit each.
    lines: WaySet,
    /// The pawns that are interchangeable with a pawn of a lower number, so that their moves are not listed.
    hidden: PawnSet,
}

impl Engine {
    /// Adds the legal actions by the numbers of a throw that are left, two or more, without a pass. Returns false, and
    /// adds nothing, if other numbers or bonuses are left, or if the tables do not decide.
    #[inline(always)]
    pub(super) fn several_numbers_into(&self, state: &State, out: &mut Actions) -> bool {
        let hand = &state.hand;
        let thrown = &hand.banked[0];
        if hand.granted != 0 || hand.throws != 1 || thrown.count_left() < 2 || self.quick.is_some() {
            return false;
        }
        let part = |index: usize| {
            let throw = Some(ThrowIndex::new(0));
            HandPart { size: thrown.numbers[index], throw, numbers: 1 << index }
        };
        let parts: HandParts = (0..MAX_NUMBERS).filter(|index| thrown.left >> index & 1 == 1).map(part).collect();
        if parts.len() > 2 && self.has_due() || !parts.iter().all(|part| self.reach.holds(false, part.size)) {
            return false;
        }
        self.several_numbers_by(state, &parts, out)
    }

    #[inline(never)]
    fn several_numbers_by(&self, state: &State, parts: &HandParts, out: &mut Actions) -> bool {
        let colour = self.colour(state);
        let (_, begun) = self.spend_lines.beginning(self.pawns.count, &state.at[colour.index()]);
        if begun & self.spend_lines.of_several(parts.iter().map(|part| part.size)) != 0 {
            return false;
        }
        let mut moves =
            MovesByNumbers { all: ArrayVec::new(), index: [[0; MAX_PAWNS]; MAX_NUMBERS], lines: 0, hidden: 0 };
        if self.find_moves_by(state, colour, parts, &mut moves).is_none() {
            return false;
        }
        if self.has_due() && self.may_meet_a_compulsion(begun, [parts[0].size, parts[1].size], &moves.all) {
            return false;
        }
        moves.list(out);
        if !self.moves.must.is_empty() && !out.is_empty() {
            self.compel(state, self.moves.must.len(), 0, out);
        }
        if self.must_spend_most(state) && !out.is_empty() {
            let sure = self.surely_begin(state, &moves, out, parts.len() as u32);
            self.keep_longest_but(state, out, false, sure);
        }
        true
    }

    /// Finds the moves. `None` if the tables do not decide.
    #[inline(always)]
    fn find_moves_by(&self, state: &State, colour: Seat, parts: &HandParts, moves: &mut MovesByNumbers) -> Option<()> {
        let gate = self.gate_is_open(state, colour);
        let moved = if self.turn.once_per_throw { state.hand.banked[0].moved } else { 0 };
        for (number, part) in parts.iter().enumerate() {
            if parts[..number].iter().any(|earlier| earlier.size == part.size) {
                continue;
            }
            let row = self.row_by(colour, *part, gate)?;
            let standing = self.standing(state, colour, row);
            if standing.flags & (OTHER | SECOND) != 0 {
                return None;
            }
            if standing.flags == 0 {
                continue;
            }
            let by = self.moves_by(state, colour, *part, row, gate);
            if moves.all.is_empty() || standing.flags & JOINT != 0 {
                moves.hidden = by.hidden_twins(standing.flags)?;
            }
            for pawn in pawns_of(standing.pawns & !moved) {
                let found = if by.is_plain() { by.only(pawn) } else { by.alone_or_together(pawn)? };
                let Some(PawnMove { rank, landing: Landing { to, answer }, other }) = found else { continue };
                let line = by.line(rank);
                moves.lines |= 1 << line;
                moves.index[part.numbers.trailing_zeros() as usize & 3][pawn.index()] = moves.all.len() as u8;
                let action = Action {
                    line,
                    kind: ActionKind::Move,
                    colour,
                    pawn,
                    other,
                    from: state.place_of(colour, pawn),
                    to,
                    throw: part.throw,
                    numbers: part.numbers,
                    captures: answer.captures(),
                    form: ActionForm::PLAIN,
                };
                moves.all.try_push(action).ok()?;
            }
        }
        Some(())
    }

    /// The actions of a list that surely begin a plan which spends all `left` numbers: a bit for each of the first 64.
    #[inline(always)]
    fn surely_begin(&self, state: &State, moves: &MovesByNumbers, out: &Actions, left: u32) -> u64 {
        let mut list = StepList::new();
        let Some(mut steps) = self.steps(state, &moves.all, left, &mut list) else { return 0 };
        let mut sure = 0;
        for (index, action) in out.iter().enumerate().take(64) {
            let step = moves.index[action.numbers.trailing_zeros() as usize & 3][action.pawn.index()];
            sure |= u64::from(steps.surely_begins(step.into(), left)) << index;
        }
        sure
    }

    /// Whether an action may meet a compulsion over the whole hand, now or after one of the moves.
    #[inline(never)]
    fn may_meet_a_compulsion(&self, begun: WaySet, [one, other]: [Pips; 2], moves: &[Action]) -> bool {
        let reached = moves.iter().fold(0, |all: Places, action| all | action.to.alone());
        let both = Pips(one.0.saturating_add(other.0));
        let able = [one, other, both].iter().fold(0, |lines, &size| lines | self.spend_lines.by_number(size));
        self.moves.must.iter().filter(|must| must.in_hand).any(|must| {
            let from = |index: usize| self.moves.spend[index].from;
            let lines = (0..self.moves.spend.len()).filter(|index| must.actions >> index & 1 == 1);
            begun & must.actions & able != 0 || lines.map(from).fold(0, |all, from| all | from) & reached != 0
        })
    }
}

impl MovesByNumbers {
    /// Lists the moves in the order of lines, numbers and pawns.
    #[inline(always)]
    fn list(&self, out: &mut Actions) {
        let mut lines = self.lines;
        while lines != 0 {
            let line = lines.trailing_zeros() as u8;
            lines &= lines - 1;
            let listed = self.all.iter().filter(|action| action.line == line && !action.pawn.is_in(self.hidden));
            listed.for_each(|action| out.push(*action));
        }
    }
}
