//! Whole turns of plain rule sets, without a hand and without lists.

use super::super::perform::tell;
use super::super::program::Ask;
use super::super::state::{NOWHERE, Phase, Seat, State, Throw};
use super::super::watch::{HappeningKind, Watch};
use super::moves::{Dice, Target};
use super::{JOINT, Quick, SUM, bits};
use crate::tables::{Answer, Event, Rules};

impl Rules {
    /// Plays a whole turn, where the rules are plain enough: every decision is `choose(number of open actions)`.
    ///
    /// `None`: they are not, and nothing was done. Otherwise how many actions were played; the state is the one
    /// that throwing and playing would have led to. Rule lines are not told.
    #[inline(always)]
    pub fn play_turn(
        &self,
        state: &mut State,
        throw: &Throw,
        choose: &mut impl FnMut(u32) -> u32,
        watch: &mut impl Watch,
    ) -> Option<u32> {
        let quick = self.quick.as_ref().filter(|quick| quick.whole_turns)?;
        debug_assert!(state.phase == Phase::Throw && state.thrown == 0);
        let [a, b, ..] = throw.faces;
        let dice = Dice { numbers: [a, b], moved: 0, parted: 0 };
        let colour = self.colour(state);
        tell(watch, HappeningKind::Thrown, state.turn, 255, 0, 0, a + b);
        let played = match self.pawns {
            4 => self.spend_dice::<4>(quick, state, colour, &dice, choose, watch),
            _ => self.spend_dice_of_many(quick, state, colour, &dice, choose, watch),
        };
        if state.phase != Phase::Over {
            self.quick_next(state, watch);
        }
        Some(played)
    }

    /// As `spend_dice`, apart from it: the code for four pawns stays small.
    #[inline(never)]
    fn spend_dice_of_many(
        &self,
        quick: &Quick,
        state: &mut State,
        colour: Seat,
        dice: &Dice,
        choose: &mut impl FnMut(u32) -> u32,
        watch: &mut impl Watch,
    ) -> u32 {
        self.spend_dice::<8>(quick, state, colour, dice, choose, watch)
    }

    #[inline(always)]
    fn spend_dice<const N: usize>(
        &self,
        quick: &Quick,
        state: &mut State,
        colour: Seat,
        dice: &Dice,
        choose: &mut impl FnMut(u32) -> u32,
        watch: &mut impl Watch,
    ) -> u32 {
        let open = self.with_both::<N>(quick, state, colour, dice);
        if open == 0 {
            tell(watch, HappeningKind::Passed, state.turn, 255, 0, 0, 2);
            return 0;
        }
        let bit = bits::nth(open, choose(bits::count(open)));
        let target = self.quick_target(quick, state, colour, bit, dice);
        let way = bit >> 3;
        if way == JOINT {
            self.quick_joint(state, colour, &target, watch);
            return 1;
        }
        let after = self.quick_single(quick, state, colour, &target, dice, watch);
        if way == SUM || state.phase == Phase::Over || state.ending || self.colour(state) != colour {
            return 1;
        }
        let open = self.with_one::<N>(quick, state, colour, 1 - way, &after);
        if open == 0 {
            tell(watch, HappeningKind::DiceDropped, state.turn, 255, 0, 0, 1);
            return 1;
        }
        let bit = bits::nth(open, choose(bits::count(open)));
        let target = self.quick_target(quick, state, colour, bit, &after);
        self.quick_single(quick, state, colour, &target, &after, watch);
        2
    }

    /// Moves one pawn.
    #[inline(always)]
    pub(super) fn quick_single(
        &self,
        quick: &Quick,
        state: &mut State,
        colour: Seat,
        target: &Target,
        dice: &Dice,
        watch: &mut impl Watch,
    ) -> Dice {
        if target.cuts {
            self.quick_cut(state, colour, target, false, watch);
        }
        let shift = 2 * (colour.0 & 3);
        let from = quick.stand[colour.index()][target.from as usize & 127];
        // Written as one word: it is read as one soon after.
        let lane = 8 * u32::from(target.pawn & 7);
        let at = u64::from_le_bytes(state.at[colour.index()]) & !(0xff << lane) | u64::from(target.to) << lane;
        state.at[colour.index()] = at.to_le_bytes();
        let mut after = Dice { moved: dice.moved | 1 << target.pawn, ..*dice };
        if from < NOWHERE {
            let there = state.occupied[from as usize & 127];
            let own = there >> shift & 3;
            let doublet = dice.numbers[0] == dice.numbers[1];
            if own < 3 {
                state.occupied[from as usize & 127] = there - (1 << shift);
            } else {
                self.leave(state, colour, from);
            }
            if doublet && own > 1 && self.board.pairing >> target.from & 1 == 1 {
                after.parted = self.left_on(state, colour, from, target.pawn);
            }
        }
        if target.square < NOWHERE {
            let here = &mut state.occupied[target.square as usize & 127];
            *here += u8::from(*here >> shift & 3 < 3) << shift;
            if *here >> shift & 3 == 2 && self.board.pairing >> target.to & 1 == 1 {
                tell(watch, HappeningKind::PairFormed, colour, target.pawn, target.from, target.to, 0);
            }
        }
        tell(watch, HappeningKind::Moved, colour, target.pawn, target.from, target.to, 0);
        if target.to == self.board.len - 1 {
            tell(watch, HappeningKind::Home, colour, target.pawn, target.from, target.to, 0);
            self.finish_if_home(state, colour, watch);
        }
        after
    }

    #[inline(never)]
    fn left_on(&self, state: &State, colour: Seat, square: u8, mover: u8) -> u8 {
        (0..self.pawns)
            .filter(|&pawn| pawn != mover && self.square(colour, state.at[colour.index()][pawn as usize]) == square)
            .fold(0, |left, pawn| left | 1 << pawn)
    }

    #[inline(never)]
    fn quick_joint(&self, state: &mut State, colour: Seat, target: &Target, watch: &mut impl Watch) {
        if target.cuts {
            self.quick_cut(state, colour, target, true, watch);
        }
        let other = self.companion(state, colour, target.pawn as usize, 0);
        for pawn in [Some(target.pawn), other].into_iter().flatten() {
            let from = state.at[colour.index()][pawn as usize];
            let ask = Ask { pawn, from, to: target.to, ..Ask::seat(colour) };
            self.put(state, &ask, watch);
        }
        self.finish_if_home(state, colour, watch);
    }

    #[cold]
    #[inline(never)]
    fn quick_cut(&self, state: &mut State, colour: Seat, target: &Target, joint: bool, watch: &mut impl Watch) {
        let mut ask = Ask { pawn: target.pawn, from: target.from, to: target.to, joint, ..Ask::seat(colour) };
        self.strike(state, &mut ask, Answer::Cut, watch);
        self.answer(state, Event::Cut, &ask, watch);
    }

    /// The next seat that plays.
    #[inline(always)]
    fn quick_next(&self, state: &mut State, watch: &mut impl Watch) {
        state.ending = false;
        state.turn = self.next[state.turn.index()];
        tell(watch, HappeningKind::Turn, state.turn, 255, 0, 0, 0);
        if state.placed > 0 {
            self.skip_idle(state);
        }
    }
}
