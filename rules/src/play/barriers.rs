//! The places where pawns may bar the way: kept for each colour in the state, so that a whole way is checked at once.

use super::evaluator::Evaluator;
use super::state::State;
use crate::tables::Rules;
use crate::units::{MAX_SEATS, Occupancy, PathPlace, Pips, Places, SQUARE_ENTRIES, Seat, SquareId};

/// Which pawns may bar the way, and on which places of each path.
#[derive(Debug)]
pub(super) struct Barriers {
    /// The bits of [`State::on`] that matter for passing a square. Where none of these bits is set, every pawn may pass
    /// and captures nothing. No bit is set if the verdict on passing is always `allow`.
    bits: Occupancy,
    /// For each square, by its [`SquareId::table_index`], the places of each colour's path there.
    places: Vec<[Places; MAX_SEATS]>,
}

impl Barriers {
    /// Finds the barriers. The conditions of passing lines that are the same in every position have been settled.
    pub(super) fn of(rules: &Rules) -> Barriers {
        let bits = rules.moves.passing.bars();
        let mut places = vec![[0; MAX_SEATS]; if bits == 0 { 0 } else { SQUARE_ENTRIES }];
        for &colour in rules.seating.colours.iter().filter(|_| bits != 0) {
            for place in rules.board.places() {
                let square = rules.square(colour, place);
                if square.is_some() {
                    places[SquareId::table_index(square)][colour.index()] |= place.alone();
                }
            }
        }
        Barriers { bits, places }
    }
}

impl Evaluator {
    /// Updates the places where pawns may bar the way. `square` is the [`SquareId::table_index`] of a square whose pawns
    /// have changed from `before` to `after`.
    #[inline(always)]
    pub(super) fn note_barrier(&self, state: &mut State, square: usize, before: Occupancy, after: Occupancy) {
        let bars = |pawns: Occupancy| pawns & self.barriers.bits != 0;
        if bars(before) != bars(after) {
            self.turn_barrier(state, square);
        }
    }

    /// Whether no pawn bars the way of a colour along its path. With `gate` 1, the way may lead through the gate; with 0,
    /// it may not.
    #[inline(always)]
    pub(super) fn is_clear(&self, state: &State, colour: Seat, from: PathPlace, steps: Pips, gate: usize) -> bool {
        let barred = state.barred[colour.index()];
        if barred == 0 {
            return true;
        }
        let is_lap = gate == 0 && from.ahead(steps) > self.board.gate_at.index();
        if is_lap { self.is_lap_clear(state, colour, from, steps) } else { crossed(from, steps) & barred == 0 }
    }

    #[inline(never)]
    fn is_lap_clear(&self, state: &State, colour: Seat, from: PathPlace, steps: Pips) -> bool {
        let squares = &self.board.square[0][colour.index()];
        let way = squares.get(from.index() + 1..from.ahead(steps)).unwrap_or_default();
        way.iter().all(|&square| state.on(square) & self.barriers.bits == 0)
    }

    #[inline(never)]
    fn turn_barrier(&self, state: &mut State, square: usize) {
        for (barred, here) in state.barred.iter_mut().zip(&self.barriers.places[square]) {
            *barred ^= here;
        }
    }
}

/// The places that a pawn crosses on its way along the path: those after `from`, and before the place where `steps`
/// steps end. The way must not lead past the gate for another lap.
#[inline(always)]
fn crossed(from: PathPlace, steps: Pips) -> Places {
    let ahead = (1 << (steps.0 & 127)) - 1 >> 1;
    ahead << (from.0 & 127) << 1
}

#[cfg(test)]
mod tests {
    use super::{MAX_SEATS, crossed};
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn, walk};
    use crate::units::{PathPlace, Pips};

    #[test]
    fn a_way_lies_between_its_ends() {
        assert_eq!(crossed(PathPlace(3), Pips(4)), 0b111_0000);
        assert_eq!(crossed(PathPlace(0), Pips(1)), 0);
        assert_eq!(crossed(PathPlace(100), Pips(3)), 0b11 << 101);
    }

    #[test]
    fn the_places_where_pawns_may_bar_the_way_are_those_of_the_pawns_on_the_board() {
        let (mut chance, mut barred) = (Chance(8), 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let tables = (0..3).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                walk(&engine, &mut chance, 300, |state| {
                    let mut again = *state;
                    engine.settle_position(&mut again);
                    assert_eq!(again.barred, state.barred, "{}: {state:?}", engine.identity.id);
                    barred += u32::from(state.barred != [0; MAX_SEATS]);
                });
            }
        }
        assert!(barred > 1000, "{barred} positions with barriers only");
    }
}
