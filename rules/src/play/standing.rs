//! Facts for conditions about standing pawns: pawns on places and squares, pairs, groups and marks.

use super::context::Context;
use super::evaluator::Evaluator;
use super::state::State;
use crate::tables::{Crowd, Places};
use crate::units::{PathPlace, PawnIndex, Seat, SquareId};

impl Evaluator {
    pub(crate) fn pawns_in(&self, state: &State, seat: Seat, places: Places) -> i32 {
        let pawns = &state.at[seat.index()][..self.pawns.count as usize];
        pawns.iter().filter(|&&at| at.is_in(places)).count() as i32
    }

    pub(super) fn pairs_in(&self, state: &State, seat: Seat, places: Places) -> i32 {
        let pawns = &state.at[seat.index()][..self.pawns.count as usize];
        let mut once = 0u128;
        let mut twice = 0u128;
        for &at in pawns {
            let bit = at.alone() & places;
            twice |= once & bit;
            once |= bit;
        }
        twice.count_ones() as i32
    }

    pub(super) fn stands_in_pair(&self, state: &State, seat: Seat, pawn: PawnIndex) -> bool {
        let pawns = &state.at[seat.index()][..self.pawns.count as usize];
        let place = pawns[pawn.index() % pawns.len()];
        place.is_in(self.board.pairing) && self.own_on(state, seat, place) > 1
    }

    /// Whether any pawn of the other seat on the square of `context.to` has a mark. Unless the other seat is a friend,
    /// the pawns of all enemies count, too. Own pawns never count: where nobody else stands, the other seat is the own.
    pub(super) fn is_marked_there(&self, state: &State, context: &Context, bit: u8) -> bool {
        let square = self.square(context.own, context.to);
        let is_friend = |seat: Seat| seat == context.own || self.seating.is_friend(context.own, seat);
        let is_met = |seat: Seat| {
            seat != context.own && (seat == context.other || !is_friend(context.other) && !is_friend(seat))
        };
        self.seating.colours.iter().any(|&seat| is_met(seat) && self.is_marked_on(state, seat, square, bit))
    }

    /// Whether one of the own pawns on the square of `to` has a mark.
    pub(super) fn is_own_marked_there(&self, state: &State, context: &Context, bit: u8) -> bool {
        self.is_marked_on(state, context.own, self.square(context.own, context.to), bit)
    }

    /// Whether a pawn of a seat on a square has a mark.
    fn is_marked_on(&self, state: &State, seat: Seat, square: Option<SquareId>, bit: u8) -> bool {
        let pawns = state.at[seat.index()].iter().zip(&state.marks[seat.index()]).take(self.pawns.count as usize);
        let mut there = pawns.filter(|&(&at, _)| self.square(seat, at) == square);
        square.is_some() && there.any(|(_, marks)| marks >> bit & 1 == 1)
    }

    pub(super) fn own_on(&self, state: &State, seat: Seat, place: PathPlace) -> u8 {
        state.count_on(self.square(seat, place), seat)
    }

    pub(super) fn pawns_on(&self, state: &State, seat: Seat, place: PathPlace) -> u8 {
        let square = self.square(seat, place);
        self.seating.colours.iter().map(|&colour| state.count_on(square, colour)).sum()
    }

    /// Number of a colour's pawns on a place. It is 1 where pairs do not count.
    pub(super) fn group_at(&self, state: &State, seat: Seat, place: PathPlace) -> u8 {
        if !place.is_in(self.board.pairing) {
            return 1;
        }
        state.at[seat.index()][..self.pawns.count as usize].iter().filter(|&&at| at == place).count() as u8
    }

    /// Size of the largest group of one enemy colour on the square of a place.
    pub(super) fn group_faced(&self, state: &State, seat: Seat, place: PathPlace) -> u8 {
        let square = self.square(seat, place);
        let largest = |other: Seat| {
            let pawns = state.at[other.index()][..self.pawns.count as usize].iter();
            let there = pawns.filter(|&&at| self.square(other, at) == square);
            there.map(|&at| self.group_at(state, other, at)).max().unwrap_or(0)
        };
        if square.is_some() { self.enemies_of(seat).map(largest).max().unwrap_or(0) } else { 0 }
    }

    /// Number of pawns on the square of a computed place. It is 0 where there is no such square.
    pub(super) fn count_at(&self, state: &State, seat: Seat, crowd: Crowd, place: i32) -> i32 {
        let Some(place) = u8::try_from(place).ok().map(PathPlace).filter(|place| *place < self.board.home()) else {
            return 0;
        };
        if self.square(seat, place).is_none() {
            return 0;
        }
        i32::from(match crowd {
            Crowd::Own => self.own_on(state, seat, place),
            Crowd::Enemies => self.enemies_on(state, seat, place),
            Crowd::All => self.pawns_on(state, seat, place),
        })
    }

    /// The colours that are neither the seat nor its friends.
    fn enemies_of(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        self.seating.colours.iter().copied().filter(move |&other| other != seat && !self.seating.is_friend(seat, other))
    }

    pub(super) fn enemies_on(&self, state: &State, seat: Seat, place: PathPlace) -> u8 {
        let square = self.square(seat, place);
        self.enemies_of(seat).map(|enemy| state.count_on(square, enemy)).sum()
    }
}

/// Whether the other seat has a pawn with this mark on the place that the player names in a choice.
pub(super) fn is_marked_where_named(state: &State, context: &Context, bit: u8) -> bool {
    let mut pawns = state.at[context.other.index()].iter().zip(&state.marks[context.other.index()]);
    pawns.any(|(&at, marks)| at == context.argument && marks >> bit & 1 == 1)
}
