//! Writes states as text, with the places of the pawns, the counters and the hand by name, and sets up states from such
//! text.

mod marks;

pub use marks::Marked;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;

use crate::notation::UnknownSquare;
use crate::play::Engine;
use crate::play::watch::Watch;
use crate::play::{Phase, State};
use crate::tables::{Counter, First};
use crate::units::{PawnIndex, Seat};
use crate::word::Word;

/// A list of values with names, in the order in which they were given. It is serialized as a JSON or YAML object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByName<T>(pub Vec<(String, T)>);

impl<T> Default for ByName<T> {
    fn default() -> Self {
        ByName(Vec::new())
    }
}

impl<'a, T> FromIterator<(&'a str, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (&'a str, T)>>(values: I) -> Self {
        ByName(values.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }
}

impl<T> ByName<T> {
    /// Finds the value with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// The names with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = ByName<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("values by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(ByName(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// The value of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterValue {
    /// The value of a counter that is true or false.
    Truth(bool),
    /// The value of a counter that holds a number.
    Number(i64),
}

impl CounterValue {
    /// The value as a number: true is 1, false is 0.
    #[must_use]
    pub(crate) fn as_number(self) -> i64 {
        match self {
            CounterValue::Truth(truth) => i64::from(truth),
            CounterValue::Number(number) => number,
        }
    }
}

impl fmt::Display for CounterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterValue::Truth(truth) => f.write_str(truth.word()),
            CounterValue::Number(number) => write!(f, "{number}"),
        }
    }
}

impl Serialize for CounterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            CounterValue::Truth(truth) => serializer.serialize_bool(*truth),
            CounterValue::Number(number) => serializer.serialize_i64(*number),
        }
    }
}

impl<'de> Deserialize<'de> for CounterValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;
        impl Visitor<'_> for Value {
            type Value = CounterValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a truth value")
            }

            fn visit_bool<E>(self, truth: bool) -> Result<CounterValue, E> {
                Ok(CounterValue::Truth(truth))
            }

            fn visit_i64<E>(self, number: i64) -> Result<CounterValue, E> {
                Ok(CounterValue::Number(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<CounterValue, E> {
                i64::try_from(number).map(CounterValue::Number).map_err(E::custom)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<CounterValue, E> {
                match text {
                    "yes" | "true" => Ok(CounterValue::Truth(true)),
                    "no" | "false" => Ok(CounterValue::Truth(false)),
                    _ => text
                        .parse()
                        .map(CounterValue::Number)
                        .map_err(|_| E::custom(format!("`{text}` is neither a whole number nor a truth value"))),
                }
            }
        }
        deserializer.deserialize_any(Value)
    }
}

/// The name under which lists of counters by seat show the counters of the game itself.
const GAME: &str = "game";

/// A position as an author writes it, in a scenario for example. Values that are left out are those of the opening.
#[derive(Debug, Clone, Default)]
pub struct PositionSetup {
    /// The squares of the pawns, by seat.
    pub pieces: ByName<Vec<String>>,
    /// Counters by seat and name. Counters of the game are listed under `game`.
    pub counters: ByName<ByName<CounterValue>>,
    /// Marks of pawns by seat. Pawns that are not listed have none.
    pub marks: ByName<Marked>,
    /// The seat whose turn it is. `None` means the seat that begins the game.
    pub turn: Option<String>,
}

/// The parts of a [`PositionSetup`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetupPart {
    Pieces,
    Counters,
    Marks,
    Turn,
}

/// The reason why a position cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No seat that plays has this name.
    #[error("no seat `{0}` plays; the players are {1}")]
    UnknownSeat(String, String),
    /// The number of pawns of a colour is wrong.
    #[error("`{seat}` has {found} pawns, {wanted} are wanted")]
    Pawns {
        /// The seat.
        seat: String,
        /// Number of pawns in the text.
        found: usize,
        /// Number of pawns that each colour has.
        wanted: u8,
    },
    /// The named square does not exist.
    #[error("{}: {}", .0, .1.message)]
    UnknownSquare(String, UnknownSquare),
    /// The named counter does not exist.
    #[error("no counter is called `{0}`; there are {1}")]
    UnknownCounter(String, String),
    /// The named mark does not exist.
    #[error("no mark of pawns is called `{0}`; there are {1}")]
    UnknownMark(String, String),
    /// The text gives a mark to a pawn on this place, but no pawn that lacks the mark stands there.
    #[error("no pawn of `{seat}` without this mark stands on `{label}`")]
    NobodyToMark {
        /// The seat.
        seat: String,
        /// The place in the text.
        label: String,
    },
    /// The name is declared, but for something else: a counter of a seat was named as a counter of the game, for
    /// example. The second value describes the declaration.
    #[error("`{0}` is {1}")]
    Elsewhere(String, &'static str),
    /// The value is outside the range of the counter.
    #[error("`{name}` goes from {from} to {to}, it cannot be {value}")]
    OutOfRange {
        /// The counter.
        name: String,
        /// Least value.
        from: i16,
        /// Greatest value.
        to: i16,
        /// The value in the text.
        value: CounterValue,
    },
    /// The counter is yes or no, and the value is a number.
    #[error("`{0}` is yes or no, it cannot be {1}")]
    NoNumber(String, CounterValue),
    /// The counter is a number, and the value is yes or no.
    #[error("`{0}` is a number, it cannot be {1}")]
    NoTruth(String, CounterValue),
}

impl Engine {
    /// The labels of the places of every colour's pawns, in the order of the pawns.
    #[must_use]
    pub fn position(&self, state: &State) -> ByName<Vec<String>> {
        let labels = |seat: &Seat| {
            let pawns = &state.at[seat.index()][..usize::from(self.pawns.count)];
            pawns.iter().map(|&place| self.label(place).to_string()).collect()
        };
        ByName(self.seating.colours.iter().map(|seat| (self.seat_name(*seat).to_string(), labels(seat))).collect())
    }

    /// Lists the counters that are not hidden, by player. Counters of the game are listed under `game`.
    ///
    /// Players without such counters are left out.
    #[must_use]
    pub fn counters_shown(&self, state: &State) -> Vec<(&str, Vec<(&str, CounterValue)>)> {
        let mut shown = Vec::with_capacity(self.seating.players.len() + 1);
        for seat in &self.seating.players {
            shown.push((self.seat_name(*seat), shown_values(&self.counters.seat, &state.counters[seat.index()])));
        }
        shown.push((GAME, shown_values(&self.counters.game, &state.game)));
        shown.retain(|(_, values)| !values.is_empty());
        shown
    }

    /// The marks of a pawn that are not hidden, in the order in which the rules declare them.
    #[must_use]
    pub fn marks_shown(&self, state: &State, seat: Seat, pawn: PawnIndex) -> Vec<&str> {
        let marks = state.marks[seat.index()][pawn.index()];
        let shown = self.counters.marks.iter().enumerate().filter(|(bit, mark)| marks >> bit & 1 == 1 && !mark.hidden);
        shown.map(|(_, mark)| mark.name.as_str()).collect()
    }

    /// Lists the numbers of the hand that are not spent, in the order of the throws, then the bonuses, such as `b20`.
    #[must_use]
    pub fn hand_texts(&self, state: &State) -> Vec<String> {
        let hand = &state.hand;
        let mut texts = Vec::new();
        for banked in hand.banked.iter().take(usize::from(hand.throws)) {
            let left = (0..banked.numbers.len()).filter(|i| banked.left >> i & 1 == 1);
            texts.extend(left.map(|i| banked.numbers[i].to_string()));
        }
        let bonuses = hand.bonuses.iter().take(usize::from(hand.granted));
        texts.extend(bonuses.map(|bonus| format!("b{}", bonus.steps)));
        texts
    }

    /// The seat that begins the game: the seat that the rules name, if it plays, otherwise the first player.
    #[must_use]
    pub fn first_seat(&self) -> Seat {
        match self.seating.first {
            First::Seat(seat) if self.seating.players.contains(&seat) => seat,
            _ => self.seating.players[0],
        }
    }

    /// Sets up a position at the beginning of a turn.
    ///
    /// # Errors
    /// A seat, square, counter or mark does not exist, a value is out of range, a colour has the wrong number of pawns,
    /// or a mark is given for a place without a pawn.
    pub fn set_up(&self, setup: &PositionSetup, watch: &mut dyn Watch) -> Result<State, SetupError> {
        self.set_up_by_part(setup, watch).map_err(|(_, error)| error)
    }

    /// Sets up a position, as [`Engine::set_up`]. An error says in which part of the text it is.
    pub(crate) fn set_up_by_part(
        &self,
        setup: &PositionSetup,
        mut watch: &mut dyn Watch,
    ) -> Result<State, (SetupPart, SetupError)> {
        let turn = setup.turn.as_ref().map_or(Ok(self.first_seat()), |name| self.player(name));
        let mut state = self.laid_out(turn.map_err(|error| (SetupPart::Turn, error))?);
        for (name, squares) in setup.pieces.iter() {
            self.set_pieces(&mut state, name, squares).map_err(|error| (SetupPart::Pieces, error))?;
        }
        for (name, values) in setup.counters.iter() {
            self.set_counters(&mut state, name, values).map_err(|error| (SetupPart::Counters, error))?;
        }
        for (name, marks) in setup.marks.iter() {
            self.set_marks(&mut state, name, marks).map_err(|error| (SetupPart::Marks, error))?;
        }
        self.settle_position(&mut state);
        state.phase = Phase::Throw;
        // `start_turn` breaks off when a rule for the beginning of a turn ends the game. That is a valid position, too.
        let _: ControlFlow<()> = self.start_turn(&mut state, &mut watch);
        Ok(state)
    }

    /// Finds the seat with this name, if it plays.
    ///
    /// # Errors
    /// No seat that plays has this name.
    pub fn player(&self, name: &str) -> Result<Seat, SetupError> {
        let seat = self.seat_named(name).filter(|seat| self.seating.players.contains(seat));
        seat.ok_or_else(|| {
            let names: Vec<&str> = self.seating.players.iter().map(|seat| self.seat_name(*seat)).collect();
            SetupError::UnknownSeat(name.to_string(), names.join(", "))
        })
    }

    /// Finds the seat with this name, if it has pawns on the board.
    ///
    /// # Errors
    /// No seat that has pawns has this name.
    pub(crate) fn colour_named(&self, name: &str) -> Result<Seat, SetupError> {
        let seat = self.seat_named(name).filter(|seat| self.seating.colours.contains(seat));
        seat.ok_or_else(|| {
            let names: Vec<&str> = self.seating.colours.iter().map(|seat| self.seat_name(*seat)).collect();
            SetupError::UnknownSeat(name.to_string(), names.join(", "))
        })
    }

    /// Returns the value of a counter, hidden or not. `seat` is the name of a seat, or `game` for the counters of the
    /// game.
    ///
    /// # Errors
    /// The seat does not play, or the counter does not exist.
    pub fn counter_value(&self, state: &State, seat: &str, name: &str) -> Result<CounterValue, SetupError> {
        let of_game = seat == GAME;
        let values: &[i16] = if of_game { &state.game } else { &state.counters[self.player(seat)?.index()] };
        let index = self.counter_named(of_game, name)?;
        Ok(value_of(&self.declared(of_game)[index], values[index]))
    }

    /// The reason why a counter never has this value: the value is a number and the counter is yes or no, or the other
    /// way round. `None` if the value is of the counter's kind, or if there is no such counter.
    pub(crate) fn unlike_value(&self, seat: &str, name: &str, value: CounterValue) -> Option<SetupError> {
        let counters = self.declared(seat == GAME);
        counters.iter().find(|counter| counter.name == name).and_then(|counter| unlike(counter, value))
    }

    /// The declared counters: those of the game if `of_game` is true, otherwise those of a seat.
    fn declared(&self, of_game: bool) -> &[Counter] {
        if of_game { &self.counters.game } else { &self.counters.seat }
    }

    fn counter_named(&self, of_game: bool, name: &str) -> Result<usize, SetupError> {
        let names_it = |counter: &Counter| counter.name == name;
        let counters = self.declared(of_game);
        counters.iter().position(names_it).ok_or_else(|| {
            let what = match of_game {
                _ if self.counters.marks.iter().any(names_it) => {
                    Some("a mark of pawns, not a counter: list it under `marks`")
                }
                true => Some("a counter of a seat").filter(|_| self.counters.seat.iter().any(names_it)),
                false => Some("a counter of the game: list it under `game`")
                    .filter(|_| self.counters.game.iter().any(names_it)),
            };
            let names: Vec<&str> = counters.iter().map(|counter| counter.name.as_str()).collect();
            match what {
                Some(what) => SetupError::Elsewhere(name.to_string(), what),
                None if names.is_empty() => SetupError::UnknownCounter(name.to_string(), "no counters".to_string()),
                None => SetupError::UnknownCounter(name.to_string(), names.join(", ")),
            }
        })
    }

    /// Puts the pawns of a seat on squares, one label for each pawn.
    fn set_pieces(&self, state: &mut State, name: &str, squares: &[String]) -> Result<(), SetupError> {
        let seat = self.colour_named(name)?;
        if squares.len() != usize::from(self.pawns.count) {
            let (seat, found) = (name.to_string(), squares.len());
            return Err(SetupError::Pawns { seat, found, wanted: self.pawns.count });
        }
        for (pawn, square) in squares.iter().enumerate() {
            state.at[seat.index()][pawn] = self.place_of_pawn(square, name, seat)?;
        }
        Ok(())
    }

    /// Gives values to counters of a seat, or of the game.
    fn set_counters(&self, state: &mut State, whose: &str, values: &ByName<CounterValue>) -> Result<(), SetupError> {
        let of_game = whose == GAME;
        let into = if of_game { &mut state.game } else { &mut state.counters[self.player(whose)?.index()] };
        for (name, &value) in values.iter() {
            let index = self.counter_named(of_game, name)?;
            let counter = &self.declared(of_game)[index];
            unlike(counter, value).map_or(Ok(()), Err)?;
            let (from, to) = counter.range;
            let number = i16::try_from(value.as_number()).ok().filter(|number| (from..=to).contains(number));
            let Some(number) = number else {
                return Err(SetupError::OutOfRange { name: name.to_string(), from, to, value });
            };
            into[index] = number;
        }
        Ok(())
    }
}

fn shown_values<'a>(counters: &'a [Counter], values: &[i16]) -> Vec<(&'a str, CounterValue)> {
    let shown = counters.iter().zip(values).filter(|(counter, _)| !counter.hidden);
    shown.map(|(counter, &value)| (counter.name.as_str(), value_of(counter, value))).collect()
}

fn unlike(counter: &Counter, value: CounterValue) -> Option<SetupError> {
    match (counter.truth, value) {
        (true, CounterValue::Number(_)) => Some(SetupError::NoNumber(counter.name.clone(), value)),
        (false, CounterValue::Truth(_)) => Some(SetupError::NoTruth(counter.name.clone(), value)),
        _ => None,
    }
}

fn value_of(counter: &Counter, value: i16) -> CounterValue {
    if counter.truth { CounterValue::Truth(value != 0) } else { CounterValue::Number(i64::from(value)) }
}
