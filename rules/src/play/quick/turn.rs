//! Plays whole turns of plain rule sets, without a hand and without lists of actions. A turn in which another throw is
//! granted is played throw by throw.

use std::ops::ControlFlow;

use super::moves::{MoveTarget, Side, Spent, WaySteps};
use super::sight::{Sees, Sight};
use super::tables::{JOINT, Quick, SUM};
use super::{PAWNS, bits, index_of};
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::lanes::with_lane;
use crate::play::state::{Phase, State, Throw};
use crate::play::watch::{Counts, Quiet};
use crate::tables::{Event, Verdict};
use crate::units::{Occupancy, PathPlace, PawnIndex, PawnOfSeat, Pips, Seat, SquareId};

impl MoveTarget {
    fn context(&self, colour: Seat, joint: bool) -> Context {
        let &MoveTarget { from, to, number, .. } = self;
        Context { pawn: PawnIndex::new(self.pawn), from, to, number, joint, ..Context::seat(colour) }
    }
}

impl Engine {
    /// Plays a throw as [`Game::play_turn`](super::super::Game::play_turn) does. The rule set must allow it
    /// ([`Quick::plays_whole_turns`]). `sight` must belong to this state, or be marked as outdated ([`Sight::forget`]).
    #[inline(always)]
    pub(crate) fn play_turn(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut Sight,
        throw: &Throw,
        choose: &mut dyn FnMut(u32) -> u32,
        counts: &mut Counts,
    ) -> u32 {
        debug_assert!(state.phase == Phase::Throw && (state.thrown == 0 || quick.keeps_throws()));
        sight.keep_up(self, quick, state);
        let [a, b, ..] = throw.faces;
        let dice = WaySteps::new(Pips(a), Pips(b));
        let colour = if state.placed > 0 { self.colour(state) } else { state.turn };
        if quick.keeps_throws() {
            (state.last, state.thrown) = (*throw, state.thrown.saturating_add(1));
            self.answer(state, Event::Throw, &Context::player(colour), counts);
        }
        let (played, moved) = match self.pawns.count {
            4 => self.spend_dice::<4>(quick, state, sight, colour, dice, choose, counts),
            _ => self.spend_dice_of_many(quick, state, sight, colour, dice, choose, counts),
        };
        if state.phase == Phase::Over {
            return played;
        }
        if quick.keeps_throws() {
            self.quick_go_on(state, colour, moved);
        } else {
            self.quick_next(state);
        }
        played
    }

    /// Runs `spend_dice` for more or fewer than four pawns. This is a separate function so that the code for four pawns
    /// stays small.
    #[expect(clippy::too_many_arguments, reason = "as `spend_dice`")]
    #[inline(never)]
    fn spend_dice_of_many(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut Sight,
        colour: Seat,
        dice: WaySteps,
        choose: &mut dyn FnMut(u32) -> u32,
        counts: &mut Counts,
    ) -> (u32, Option<u8>) {
        self.spend_dice::<8>(quick, state, sight, colour, dice, choose, counts)
    }

    #[expect(clippy::too_many_arguments, reason = "a game, a turn of it, and who decides and hears")]
    #[inline(always)]
    fn spend_dice<const N: usize>(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut Sight,
        colour: Seat,
        dice: WaySteps,
        choose: &mut dyn FnMut(u32) -> u32,
        counts: &mut Counts,
    ) -> (u32, Option<u8>) {
        let side = Side::of(self, quick, state, sight, colour);
        let open = side.with_both::<N>(dice);
        let count = bits::count_all::<N>(open);
        if count == 0 {
            counts.passes += 1;
            return (0, None);
        }
        let (way, pawn) = bits::nth_of_all::<N>(open, choose(count));
        let target = side.target(way, pawn, dice);
        if way == JOINT {
            let other = side.companion(pawn, dice.steps(JOINT));
            self.quick_joint(quick, state, sight, colour, &target, other, counts);
            return (1, Some(pawn));
        }
        let spent = self.quick_single(quick, state, sight, colour, &target, dice, counts);
        let is_home = target.to == self.board.home();
        if way == SUM || is_home && (state.phase == Phase::Over || state.ending || self.colour(state) != colour) {
            return (1, Some(pawn));
        }
        let side = Side::of(self, quick, state, sight, colour);
        let open = side.with_one::<N>(dice.steps(1 - way), spent);
        if open == 0 {
            return (1, Some(pawn));
        }
        let pawn = bits::nth(open, choose(bits::count(open)));
        let target = side.target(1 - way, pawn, dice);
        self.quick_single(quick, state, sight, colour, &target, dice, counts);
        (2, Some(pawn))
    }

    /// Moves one pawn: captures, updates places and squares, and ends the moment if the pawn comes home.
    #[expect(clippy::too_many_arguments, reason = "a game, an action of it, and who hears")]
    #[inline(always)]
    pub(super) fn quick_single(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut impl Sees,
        colour: Seat,
        target: &MoveTarget,
        dice: WaySteps,
        counts: &mut Counts,
    ) -> Spent {
        if target.cuts {
            self.quick_cut(quick, state, sight, colour, target, false, counts);
        }
        let shift = 2 * index_of(colour);
        let from = quick.stand[index_of(colour)][target.from.index() & 127];
        // The places are written as one number, because the next decision reads them as one number.
        let at = with_lane(PathPlace::word(&state.at[colour.index()]) as u64, target.pawn, target.to.0);
        state.at[colour.index()][..PAWNS].copy_from_slice(&at.to_le_bytes().map(PathPlace));
        let mut spent = Spent { pawn: target.pawn, parted: 0 };
        if from.is_some() {
            let there = state.on(from);
            let own = there >> shift & 3;
            if own < 3 {
                state.occupied[SquareId::table_index(from)] = there - (1 << shift);
            } else {
                self.leave(state, colour, from);
            }
            sight.changed(quick, state, from);
            if own > 1 && dice.is_doublet() && target.from.is_in(self.board.pairing) {
                let left = self.standing_on(state, colour, from);
                spent.parted = (left & !PawnIndex::new(target.pawn).alone()) as u8;
            }
        }
        if target.square.is_some() {
            let here = &mut state.occupied[SquareId::table_index(target.square)];
            *here += Occupancy::from(*here >> shift & 3 < 3) << shift;
            sight.changed(quick, state, target.square);
        }
        if target.to == self.board.home() {
            self.quick_home(state, colour, target, None, counts);
        }
        spent
    }

    /// Applies the `on` lines for a pawn that comes home, or for both of a pair, and ends the moment.
    #[inline(never)]
    fn quick_home(
        &self,
        state: &mut State,
        colour: Seat,
        target: &MoveTarget,
        other: Option<PawnIndex>,
        counts: &mut Counts,
    ) {
        let context = target.context(colour, other.is_some());
        self.answer(state, Event::Home, &context, counts);
        if let Some(pawn) = other {
            self.answer(state, Event::Home, &Context { pawn, ..context }, counts);
        }
        let _: ControlFlow<()> = self.end_moment(state, &mut Quiet);
    }

    #[expect(clippy::too_many_arguments, reason = "as `quick_single`")]
    #[inline(never)]
    fn quick_joint(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut Sight,
        colour: Seat,
        target: &MoveTarget,
        other: Option<PawnIndex>,
        counts: &mut Counts,
    ) {
        if target.cuts {
            self.quick_cut(quick, state, sight, colour, target, true, counts);
        }
        for pawn in [Some(PawnIndex::new(target.pawn)), other].into_iter().flatten() {
            let from = state.place_of(colour, pawn);
            let context = Context { pawn, from, to: target.to, ..Context::seat(colour) };
            self.put(state, &context, &mut Quiet);
            sight.changed(quick, state, self.square(colour, from));
        }
        sight.changed(quick, state, target.square);
        if target.to == self.board.home() {
            self.quick_home(state, colour, target, other, counts);
        }
    }

    /// Captures, then applies the `on` lines of the capture. The landing flags of the square are updated later, when
    /// the capturing pawn stands there.
    #[expect(clippy::too_many_arguments, reason = "as `quick_single`")]
    #[cold]
    #[inline(never)]
    fn quick_cut(
        &self,
        quick: &Quick,
        state: &mut State,
        sight: &mut impl Sees,
        colour: Seat,
        target: &MoveTarget,
        joint: bool,
        counts: &mut Counts,
    ) {
        let mut context = target.context(colour, joint);
        self.strike(state, &mut context, Verdict::Cut, counts);
        for &seat in &self.seating.players {
            sight.changed(quick, state, self.square(seat, self.pawns.cut_to));
        }
        self.answer(state, Event::Cut, &context, counts);
    }

    /// Waits for the next throw of the turn, if one was granted. Otherwise ends the turn. `moved` is the pawn that moved
    /// last by this throw.
    #[inline(never)]
    fn quick_go_on(&self, state: &mut State, colour: Seat, moved: Option<u8>) {
        if state.ending || state.owed[1] == 0 {
            state.clear_turn();
            return self.quick_next(state);
        }
        state.owed[1] -= 1;
        if let Some(pawn) = moved {
            state.last_moved = Some(PawnOfSeat::new(colour, PawnIndex::new(pawn)));
        }
    }

    /// Gives the turn to the next seat that plays.
    #[inline(always)]
    fn quick_next(&self, state: &mut State) {
        state.ending = false;
        state.turn = self.seating.next[state.turn.index()];
        if state.placed > 0 {
            self.skip_idle(state);
        }
    }
}
