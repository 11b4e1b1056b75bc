//! Whether another pawn can spend the other die after an action with one die.

use super::index_of;
use super::landings::{MAY, Sets};
use super::moves::{MoveTarget, Side, WaySteps};
use super::sight::{Fresh, Sees};
use super::squares::LandingIndex;
use super::tables::{FIRST, SECOND};
use crate::play::lanes::lane;
use crate::play::state::Phase;
use crate::play::watch::Counts;
use crate::tables::{Mover, Reunite};
use crate::units::{PathPlace, SquareId};

impl<S: Sees> Side<'_, S> {
    /// For each die, keeps the pawns of `open` after whose move another pawn can spend the other die. With
    /// `is_unforeseen`, the landing flags do not decide this.
    #[inline(never)]
    pub(super) fn followed(self, open: [u8; 2], sets: &[Sets; 3], is_unforeseen: bool, dice: WaySteps) -> [u8; 2] {
        let mut followed = [0; 2];
        for way in [FIRST, SECOND] {
            let mut rest = open[way];
            while rest != 0 {
                let pawn = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                let target = self.target(way, pawn, dice);
                let foreseen = if is_unforeseen { None } else { self.foresees(way, &target, sets, dice) };
                let holds = foreseen.unwrap_or_else(|| self.finds_out(way, &target, dice));
                followed[way] |= u8::from(holds) << pawn;
            }
        }
        followed
    }

    /// Whether another pawn can spend the other die, decided by the landing flags from before the action. `None` if the
    /// flags do not decide it, for example after a capture.
    fn foresees(&self, way: usize, target: &MoveTarget, sets: &[Sets; 3], dice: WaySteps) -> Option<bool> {
        let (next, steps) = (sets[1 - way], dice.steps(1 - way));
        let others = |set: u8| self.pawns().filter(move |&pawn| pawn != target.pawn as usize && set >> pawn & 1 == 1);
        let from = self.stands_on(target.pawn as usize);
        let apart = |pawn: usize| !(dice.is_doublet() && self.stands_on(pawn) == from);
        if target.cuts && !(self.gate && self.quick.steady) {
            // The capture may open the gate. A move that ends before the gate is the same with an open gate.
            let before = |pawn: usize| PathPlace(lane(self.at, pawn)).ahead(steps) <= self.engine.board.gate_at.index();
            let sure = self.quick.steady && others(next.sure()).any(|pawn| before(pawn) && apart(pawn));
            return if sure { Some(true) } else { None };
        }
        let parts = self.engine.turn.reunite == Reunite::Throw && target.from.is_in(self.engine.board.pairing);
        for pawn in others(next.perhaps()) {
            let touched = |square: &SquareId| target.square == Some(*square) || from == Some(*square);
            let may = match self.cell_ahead(pawn, steps).square().filter(touched) {
                None => next.may() >> pawn & 1 == 1,
                Some(square) => {
                    let barred = parts && target.square == Some(square) && !apart(pawn);
                    !barred && self.may_on_touched(Some(square), from, target)?
                }
            };
            if may {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether another own pawn may land, after the action, on the square where the action begins or ends. `None` if
    /// the counts of pawns before the action do not decide it: after a capture there, or with three or more own pawns
    /// there.
    fn may_on_touched(&self, square: Option<SquareId>, from: Option<SquareId>, target: &MoveTarget) -> Option<bool> {
        let shift = 2 * index_of(self.colour);
        let there = self.state.on(square);
        let own = there >> shift & 3;
        let then = match (square == target.square, square == from) {
            _ if target.cuts && square == target.square || own == 3 => return None,
            (true, false) => there + (1 << shift),
            (false, true) => there - (1 << shift),
            _ => there,
        };
        let word = self.quick.words.of_cell(Mover::Pawn, LandingIndex::of(square), then)[index_of(self.colour)];
        Some(word & MAY != 0)
    }

    /// Whether another pawn can spend the other die, found by playing the action on a copy.
    #[cold]
    #[inline(never)]
    fn finds_out(self, way: usize, target: &MoveTarget, dice: WaySteps) -> bool {
        let mut next = *self.state;
        let spent = self.engine.quick_single(
            self.quick,
            &mut next,
            &mut Fresh,
            self.colour,
            target,
            dice,
            &mut Counts::default(),
        );
        if next.phase == Phase::Over || next.ending || self.engine.colour(&next) != self.colour {
            return false;
        }
        Side::of(self.engine, self.quick, &next, &Fresh, self.colour).with_one::<8>(dice.steps(1 - way), spent) != 0
    }
}
