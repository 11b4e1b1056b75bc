//! The places to which effects and spend lines bring pawns.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{Goal, Jumper, Which};
use crate::units::{PathPlace, PawnIndex, Seat};

impl Engine {
    /// The place with a computed number. `None` if no place on the board or home has this number, or if the pawn stands
    /// there already.
    #[inline(always)]
    pub(super) fn on_path(&self, place: i32, stands: PathPlace) -> Option<PathPlace> {
        let place = u8::try_from(place).ok().map(PathPlace)?;
        (place > PathPlace::OUT && place <= self.board.home() && place != stands).then_some(place)
    }

    /// The place to which a goal brings a pawn that stands on a place. `None` if it leads nowhere.
    pub(super) fn goal(&self, state: &State, goal: Goal, stands: PathPlace, context: &Context) -> Option<PathPlace> {
        match goal {
            Goal::Place(place) => Some(place),
            Goal::Computed(program) => self.on_path(self.value(state, program, context), stands),
            Goal::By(steps) => self.on_path(self.value(state, steps, context).saturating_add(stands.0.into()), stands),
        }
    }

    /// The place on which an effect puts a pawn without a landing. Unlike a goal of moves, it may be off the board.
    pub(super) fn send_goal(
        &self,
        state: &State,
        goal: Goal,
        stands: PathPlace,
        context: &Context,
    ) -> Option<PathPlace> {
        let leads_off = |program| stands > PathPlace::OUT && self.value(state, program, context) == 0;
        match goal {
            Goal::Computed(program) if leads_off(program) => Some(PathPlace::OUT),
            goal => self.goal(state, goal, stands, context),
        }
    }

    /// The pawn that an effect applies to, with its seat. `None` if there is none.
    pub(super) fn which(&self, state: &State, which: Which, context: &Context) -> Option<(Seat, PawnIndex)> {
        match which {
            Which::This => Some((context.own, context.pawn)),
            Which::LastMoved => state.last_moved.map(|last| (last.seat(), last.pawn())),
            Which::Argument => {
                let pawns = &state.at[context.other.index()][..self.pawns.count as usize];
                pawns
                    .iter()
                    .position(|&at| at == context.argument)
                    .map(|pawn| (context.other, PawnIndex::new(pawn as u8)))
            }
            Which::Nearest => {
                let place = |&(seat, pawn): &(Seat, PawnIndex)| state.place_of(seat, pawn);
                let is_on_board = |pawn: &_| place(pawn) > PathPlace::OUT && place(pawn) < self.board.home();
                // Of several pawns on one place, the first one is chosen.
                let colours = self.colours_about(context).into_iter().rev();
                let pawns = |seat| PawnIndex::all(self.pawns.count).rev().map(move |pawn| (seat, pawn));
                colours.flat_map(pawns).filter(is_on_board).max_by_key(place)
            }
        }
    }

    /// The own pawn that jumps, with its seat. `None` if there is none.
    pub(super) fn jumper(&self, state: &State, jumper: Jumper, context: &Context) -> Option<(Seat, PawnIndex)> {
        match jumper {
            Jumper::On(from) => {
                let pawns = |seat| PawnIndex::all(self.pawns.count).map(move |pawn| (seat, pawn));
                let mut pawns = self.colours_about(context).into_iter().flat_map(pawns);
                pawns.find(|&(seat, pawn)| state.place_of(seat, pawn) == from)
            }
            Jumper::Which(which) => self.which(state, which, context).filter(|&(seat, _)| self.is_about(context, seat)),
        }
    }
}
