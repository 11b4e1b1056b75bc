//! The places to which effects and spend lines bring pawns.

use super::context::Context;
use super::state::State;
use crate::play::engine::Engine;
use crate::tables::{Goal, Jumper, Which};
use crate::units::{PathPlace, PawnIndex, Seat};

impl Engine {
    /// The place with a computed number, for a move. `None` if no place on the board or home has this number, or if the
    /// pawn stands there already.
    #[inline(always)]
    pub(super) fn on_path(&self, place: i32, stands: PathPlace) -> Option<PathPlace> {
        self.place_from(PathPlace(1), place, stands)
    }

    /// The place to which a goal brings a pawn that jumps, and that stands on a place. `None` if it leads nowhere.
    pub(super) fn jump_goal(
        &self,
        state: &State,
        goal: Goal,
        stands: PathPlace,
        context: &Context,
    ) -> Option<PathPlace> {
        self.on_path(self.number_to(state, goal, stands, context), stands)
    }

    /// The place on which an effect puts a pawn without a landing. Unlike the goal of a jump, it may be off the board,
    /// and a label may name the place where the pawn stands: the pawn is then sent there, which changes nothing.
    pub(super) fn send_goal(
        &self,
        state: &State,
        goal: Goal,
        stands: PathPlace,
        context: &Context,
    ) -> Option<PathPlace> {
        match goal {
            Goal::Place(place) => Some(place),
            goal => self.place_from(PathPlace::OUT, self.number_to(state, goal, stands, context), stands),
        }
    }

    /// The place with a number, if it is from `first` to home and not the one where the pawn stands.
    #[inline(always)]
    fn place_from(&self, first: PathPlace, place: i32, stands: PathPlace) -> Option<PathPlace> {
        let place = u8::try_from(place).ok().map(PathPlace)?;
        (place >= first && place <= self.board.home() && place != stands).then_some(place)
    }

    /// The number to which a goal leads a pawn that stands on a place. The path may have no place with this number.
    fn number_to(&self, state: &State, goal: Goal, stands: PathPlace, context: &Context) -> i32 {
        match goal {
            Goal::Place(place) => place.0.into(),
            Goal::Computed(program) => self.value(state, program, context),
            Goal::By(steps) => self.value(state, steps, context).saturating_add(stands.0.into()),
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
