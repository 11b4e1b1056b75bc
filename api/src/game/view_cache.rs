//! Parts of a game on the wire that most moves leave as they are: written when they change, kept from version to version.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pagade_rules::play::{PathPlace, Seat, State};
use pagade_rules::units::{MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_PAWNS, MAX_SEATS};
use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::model::written::Part;

/// The parts of a game as they were written last.
#[derive(Debug, Default)]
pub struct Parts(Mutex<Kept>);

/// Each with what it was made of: places and marks of pawns, values of counters.
#[derive(Debug, Default)]
pub struct Kept {
    seats: [Option<(SeatOf, Part)>; MAX_SEATS],
    position: Option<(At, Part)>,
    counters: Option<(Counters, Part)>,
}

/// Places of the pawns of a seat, and their marks.
type SeatOf = ([PathPlace; MAX_PAWNS], [u8; MAX_PAWNS]);
/// Places of all pawns.
type At = [[PathPlace; MAX_PAWNS]; MAX_SEATS];
/// Counters of the seats and of the game.
type Counters = ([[i16; MAX_COUNTERS]; MAX_SEATS], [i16; MAX_GAME_COUNTERS]);

/// Another game has other parts: they are written when they are asked for.
impl Clone for Parts {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Parts {
    /// For one look at the game.
    pub fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// A seat with its pawns.
    pub fn seat<T: Serialize>(&mut self, state: &State, seat: Seat, make: impl FnOnce() -> T) -> Part {
        kept(&mut self.seats[seat.index()], (state.at[seat.index()], state.marks[seat.index()]), make)
    }

    /// The squares of all pawns.
    pub fn position<T: Serialize>(&mut self, state: &State, make: impl FnOnce() -> T) -> Part {
        kept(&mut self.position, state.at, make)
    }

    /// The counters.
    pub fn counters<T: Serialize>(&mut self, state: &State, make: impl FnOnce() -> T) -> Part {
        kept(&mut self.counters, (state.counters, state.game), make)
    }
}

fn kept<K: PartialEq, T: Serialize>(held: &mut Option<(K, Part)>, key: K, make: impl FnOnce() -> T) -> Part {
    match held {
        Some((made_of, part)) if *made_of == key => part.clone(),
        _ => {
            // Names, words and numbers can be written.
            let part = Part::from(to_raw_value(&make()).unwrap_or_default());
            held.insert((key, part)).1.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_written_when_what_it_is_made_of_changes() {
        let text = |part: &Part| serde_json::to_string(part).unwrap();
        let mut held = None;
        assert_eq!(text(&kept(&mut held, 1, || "one")), r#""one""#);
        assert_eq!(text(&kept(&mut held, 1, || -> &str { panic!("it is there") })), r#""one""#);
        assert_eq!(text(&kept(&mut held, 2, || "two")), r#""two""#);
        assert_eq!(text(&kept(&mut held, 1, || "one again")), r#""one again""#);
    }

    #[test]
    fn another_game_has_no_parts_yet() {
        let parts = Parts::default();
        let state = State::empty();
        parts.lock().position(&state, || "here");
        let other = parts.clone();
        assert_eq!(serde_json::to_string(&other.lock().position(&state, || "there")).unwrap(), r#""there""#);
    }
}
