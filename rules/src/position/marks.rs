//! Writes and reads marks of pawns as text: for each mark, the places of the pawns that have it.

use super::{ByName, SetupError};
use crate::notation::UnknownSquare;
use crate::play::{Engine, State};
use crate::tables::Counter;
use crate::units::{PathPlace, PawnIndex, Seat};

/// The marks of a seat's pawns: by the name of each mark, the labels of the places of the pawns that have the mark.
pub type Marked = ByName<Vec<String>>;

impl Engine {
    /// Lists the places of the seat's pawns that have this mark, as labels in the order of the pawns. The mark may be
    /// hidden.
    ///
    /// # Errors
    /// The seat does not play, or the mark does not exist.
    pub fn marked(&self, state: &State, seat: &str, mark: &str) -> Result<Vec<String>, SetupError> {
        let (_, places) = self.marked_places(state, seat, mark)?;
        Ok(places.into_iter().map(|place| self.label(place).to_string()).collect())
    }

    /// Finds a seat by its name, and lists the places of its pawns that have this mark, as [`Engine::marked`].
    pub(crate) fn marked_places(
        &self,
        state: &State,
        seat: &str,
        mark: &str,
    ) -> Result<(Seat, Vec<PathPlace>), SetupError> {
        let (seat, bit) = (self.colour_named(seat)?, self.mark_named(mark)?);
        let marked = PawnIndex::all(self.pawns.count).filter(|&pawn| has_mark(state, seat, pawn, bit));
        Ok((seat, marked.map(|pawn| state.place_of(seat, pawn)).collect()))
    }

    /// Whether the rules have marks that are not hidden.
    pub(crate) fn shows_marks(&self) -> bool {
        self.counters.marks.iter().any(|mark| !mark.hidden)
    }

    /// Lists the marks that are not hidden, by colour: for each mark, the places of the pawns that have it. Colours and
    /// marks without such pawns are left out.
    pub(crate) fn marks_by_seat(&self, state: &State) -> ByName<Marked> {
        let places = |seat: Seat, bit: usize| {
            let marked = PawnIndex::all(self.pawns.count).filter(|&pawn| has_mark(state, seat, pawn, bit as u8));
            marked.map(|pawn| self.label(state.place_of(seat, pawn)).to_string()).collect::<Vec<_>>()
        };
        let of_seat = |seat: &Seat| {
            let shown = self.counters.marks.iter().enumerate().filter(|(_, mark)| !mark.hidden);
            let marks = shown.map(|(bit, mark)| (mark.name.clone(), places(*seat, bit)));
            (self.seat_name(*seat).to_string(), ByName(marks.filter(|(_, places)| !places.is_empty()).collect()))
        };
        let seats = self.seating.colours.iter().map(of_seat);
        ByName(seats.filter(|(_, marks): &(_, Marked)| !marks.is_empty()).collect())
    }

    /// Gives marks to pawns of a seat. Each label marks one pawn that stands on this place and lacks the mark.
    pub(super) fn set_marks(&self, state: &mut State, name: &str, marks: &Marked) -> Result<(), SetupError> {
        let seat = self.colour_named(name)?;
        for (mark, labels) in marks.iter() {
            let bit = self.mark_named(mark)?;
            for label in labels {
                let place = self.place_of_pawn(label, name, seat)?;
                let stands = |pawn: &PawnIndex| {
                    let at = state.place_of(seat, *pawn);
                    at == place || label.contains('.') && self.is_same_square(seat, at, place)
                };
                let mut unmarked = PawnIndex::all(self.pawns.count).filter(|&pawn| !has_mark(state, seat, pawn, bit));
                let Some(pawn) = unmarked.find(stands) else {
                    return Err(SetupError::NobodyToMark { seat: name.to_string(), label: label.clone() });
                };
                state.marks[seat.index()][pawn.index()] |= 1 << bit;
            }
        }
        Ok(())
    }

    pub(super) fn place_of_pawn(&self, label: &str, name: &str, seat: Seat) -> Result<PathPlace, SetupError> {
        let unknown = |unknown: UnknownSquare| SetupError::UnknownSquare(name.to_string(), unknown);
        self.place(label, seat).map_err(unknown)
    }

    fn mark_named(&self, name: &str) -> Result<u8, SetupError> {
        let names_it = |counter: &Counter| counter.name == name;
        let marks = &self.counters.marks;
        marks.iter().position(names_it).map(|bit| bit as u8).ok_or_else(|| {
            let of_counters = self.counters.seat.iter().chain(&self.counters.game).any(names_it);
            let names: Vec<&str> = marks.iter().map(|mark| mark.name.as_str()).collect();
            match of_counters {
                true => SetupError::Elsewhere(name.to_string(), "a counter: list it under `state`"),
                false if names.is_empty() => SetupError::UnknownMark(name.to_string(), "no marks".to_string()),
                false => SetupError::UnknownMark(name.to_string(), names.join(", ")),
            }
        })
    }
}

fn has_mark(state: &State, seat: Seat, pawn: PawnIndex, bit: u8) -> bool {
    state.marks[seat.index()][pawn.index()] >> bit & 1 == 1
}
