//! A cache of parts of a game's JSON. Most throws and actions leave these parts unchanged from version to version.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pagade_rules::play::{PathPlace, Seat, State};
use pagade_rules::units::{MAX_COUNTERS, MAX_GAME_COUNTERS, MAX_PAWNS, MAX_SEATS};
use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::model::written::WrittenJson;

/// The cached parts of the last view of a game.
#[derive(Debug, Default)]
pub(crate) struct ViewCache(Mutex<CachedParts>);

/// The cached parts. Each is stored with the values that it was written from: places, marks or counters.
#[derive(Debug, Default)]
pub(crate) struct CachedParts {
    seats: [Option<(SeatOf, WrittenJson)>; MAX_SEATS],
    position: Option<(PawnPlaces, WrittenJson)>,
    counters: Option<(CounterValues, WrittenJson)>,
}

/// The places and marks of the pawns of each colour of one player.
type SeatOf = Vec<([PathPlace; MAX_PAWNS], [u8; MAX_PAWNS])>;
/// The place of each pawn, by seat and then by its index in the seat.
type PawnPlaces = [[PathPlace; MAX_PAWNS]; MAX_SEATS];
/// The counters of the seats, and those of the game.
type CounterValues = ([[i16; MAX_COUNTERS]; MAX_SEATS], [i16; MAX_GAME_COUNTERS]);

/// A clone has an empty cache, because a game is cloned to be changed.
impl Clone for ViewCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ViewCache {
    /// Locks the cache for one view of the game.
    pub(crate) fn lock(&self) -> MutexGuard<'_, CachedParts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CachedParts {
    /// Returns the JSON of a seat with its pawns, from the cache or made now. `colours` are those of the player.
    pub(crate) fn seat<T: Serialize>(
        &mut self,
        state: &State,
        seat: Seat,
        colours: impl Iterator<Item = Seat>,
        make: impl FnOnce() -> T,
    ) -> WrittenJson {
        let pawns = colours.map(|colour| (state.at[colour.index()], state.marks[colour.index()])).collect();
        cached(&mut self.seats[seat.index()], pawns, make)
    }

    /// Returns the JSON with the places of all pawns, from the cache or made now.
    pub(crate) fn position<T: Serialize>(&mut self, state: &State, make: impl FnOnce() -> T) -> WrittenJson {
        cached(&mut self.position, state.at, make)
    }

    /// Returns the JSON of the counters, from the cache or made now.
    pub(crate) fn counters<T: Serialize>(&mut self, state: &State, make: impl FnOnce() -> T) -> WrittenJson {
        cached(&mut self.counters, (state.counters, state.game), make)
    }
}

fn cached<K: PartialEq, T: Serialize>(
    entry: &mut Option<(K, WrittenJson)>,
    key: K,
    make: impl FnOnce() -> T,
) -> WrittenJson {
    match entry {
        Some((made_of, part)) if *made_of == key => part.clone(),
        _ => {
            // The parts consist of names, words and numbers, which can always be written as JSON.
            let part = WrittenJson::from(to_raw_value(&make()).unwrap_or_default());
            entry.insert((key, part)).1.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_written_when_what_it_is_made_of_changes() {
        let text = |part: &WrittenJson| serde_json::to_string(part).unwrap();
        let mut entry = None;
        assert_eq!(text(&cached(&mut entry, 1, || "one")), r#""one""#);
        assert_eq!(text(&cached(&mut entry, 1, || -> &str { panic!("it is there") })), r#""one""#);
        assert_eq!(text(&cached(&mut entry, 2, || "two")), r#""two""#);
        assert_eq!(text(&cached(&mut entry, 1, || "one again")), r#""one again""#);
    }

    #[test]
    fn another_game_has_no_parts_yet() {
        let parts = ViewCache::default();
        let state = State::empty();
        parts.lock().position(&state, || "here");
        let other = parts.clone();
        assert_eq!(serde_json::to_string(&other.lock().position(&state, || "there")).unwrap(), r#""there""#);
    }
}
