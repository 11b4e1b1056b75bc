//! Moves that turn round on the way home and lead out again (the routes `outward` and `recoil`).
//!
//! On some boards, the path uses the squares of one arm twice: outward at its beginning, and again homeward at its end.
//! This module calls these squares the private way. A pawn that turns round goes on from the outward place of its
//! square.

use super::context::Context;
use super::landing::{Landing, Spot};
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{LineId, Route, Spend, Verdict};
use crate::units::{PathPlace, Pips};

impl Engine {
    /// Finds the landing of a move that turns round. No own pawn may stand on a square of the private way that the move
    /// reaches or crosses.
    pub(super) fn turned_round(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        heard: &mut impl FnMut(Spot, PathPlace, Verdict, Option<LineId>),
    ) -> Option<Landing> {
        let colour = context.own;
        let start = self.board.outward[context.from.index()];
        let home = self.board.home();
        let target = PathPlace(start.0.checked_add(steps.0)?);
        if start >= context.from && context.from != home || target >= home {
            return None;
        }
        for place in (start.0 + 1..=target.0).map(PathPlace) {
            let square = self.square(colour, place);
            if !self.is_twice_walked(place) {
                break;
            }
            if state.count_on(square, colour) != 0 {
                return None;
            }
        }
        context.to = target;
        if line.route == Route::Recoil && self.is_twice_walked(target) {
            context.to = target.until(home).find(|place| self.board.outward[place.index()] == target)?;
        }
        self.verdict_on(state, line.mover, context, self.square(colour, context.to), heard)
    }

    /// Whether a place is an outward place of the private way: a later place of the path has the same square.
    fn is_twice_walked(&self, place: PathPlace) -> bool {
        let mut homeward = place.max(self.board.gate_at).until(self.board.home());
        place > PathPlace::OUT && homeward.any(|later| self.board.outward[later.index()] == place)
    }
}
