//! A state in words: where everyone stands, the counters, the hand; and a state set up from such words.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;
use std::marker::PhantomData;

use crate::notation::UnknownSquare;
use crate::play::Engine;
use crate::play::watch::Watch;
use crate::play::{Phase, State};
use crate::tables::{Counter, First};
use crate::units::Seat;

/// Values by name in the order given: a JSON or YAML object whose order is kept.
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
    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// The names with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// There are no values.
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
    /// Of one that holds truth values.
    Truth(bool),
    /// Of one that counts.
    Number(i64),
}

impl CounterValue {
    /// The value as states hold it: truth as 1 and 0.
    #[must_use]
    pub fn as_number(self) -> i64 {
        match self {
            CounterValue::Truth(truth) => i64::from(truth),
            CounterValue::Number(number) => number,
        }
    }
}

impl fmt::Display for CounterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CounterValue::Truth(truth) => write!(f, "{truth}"),
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

/// The name under which the counters of the game stand beside those of the seats.
const GAME: &str = "game";

/// A position as written down: what is left out is as at the opening.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The squares of the pawns, by seat.
    pub pieces: ByName<Vec<String>>,
    /// Counters by seat and name; those of the game under `game`.
    pub counters: ByName<ByName<CounterValue>>,
    /// Whose turn it is; `None`: who begins.
    pub turn: Option<String>,
}

/// A position that cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No seat of this name plays.
    #[error("no seat `{0}` plays; the players are {1}")]
    UnknownSeat(String, String),
    /// A colour has another number of pawns.
    #[error("`{seat}` has {found} pawns, {wanted} are wanted")]
    Pawns {
        /// The seat.
        seat: String,
        /// Pawns written.
        found: usize,
        /// Pawns of a colour.
        wanted: u8,
    },
    /// A square that is none.
    #[error("{}: {}", .0, .1.message)]
    UnknownSquare(String, UnknownSquare),
    /// No counter of this name.
    #[error("there is no counter `{0}`; there are {1}")]
    UnknownCounter(String, String),
    /// A value beyond what the counter holds.
    #[error("`{name}` goes from {from} to {to}, it cannot be {value}")]
    OutOfRange {
        /// The counter.
        name: String,
        /// Least value.
        from: i16,
        /// Greatest value.
        to: i16,
        /// The value written.
        value: CounterValue,
    },
}

impl Engine {
    /// Where everyone stands: the labels of the pawns of every player, in the order of the pawns.
    #[must_use]
    pub fn position(&self, state: &State) -> ByName<Vec<String>> {
        let labels = |seat: &Seat| {
            let pawns = &state.at[seat.index()][..usize::from(self.pawns.count)];
            pawns.iter().map(|&place| self.label(place).to_string()).collect()
        };
        ByName(self.seating.players.iter().map(|seat| (self.seat_name(*seat).to_string(), labels(seat))).collect())
    }

    /// The counters that are shown, by player, and those of the game under `game`; players without any are left out.
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

    /// The marks that a pawn bears, but for hidden ones, in the order in which the rules declare them.
    #[must_use]
    pub fn marks_shown(&self, state: &State, seat: Seat, pawn: u8) -> Vec<&str> {
        let marks = state.marks[seat.index()].get(usize::from(pawn)).copied().unwrap_or_default();
        let shown = self.counters.marks.iter().enumerate().filter(|(bit, mark)| marks >> bit & 1 == 1 && !mark.hidden);
        shown.map(|(_, mark)| mark.name.as_str()).collect()
    }

    /// What is left to spend: the numbers of the throws in order, then bonuses as `b20`.
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

    /// Who begins, where the rules name a seat that plays; else the first player.
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
    /// A seat, square or counter that does not exist, or a colour with too many pawns or too few.
    pub fn set_up(&self, setup: &Setup, watch: &mut dyn Watch) -> Result<State, SetupError> {
        let turn = match &setup.turn {
            Some(name) => self.player(name)?,
            None => self.first_seat(),
        };
        let mut state = self.laid_out(turn);
        for (name, squares) in setup.pieces.iter() {
            let seat = self.player(name)?;
            if squares.len() != usize::from(self.pawns.count) {
                let (seat, found) = (name.to_string(), squares.len());
                return Err(SetupError::Pawns { seat, found, wanted: self.pawns.count });
            }
            for (pawn, square) in squares.iter().enumerate() {
                let place = self.place(square, seat);
                state.at[seat.index()][pawn] =
                    place.map_err(|unknown| SetupError::UnknownSquare(name.to_string(), unknown))?;
            }
        }
        for (name, values) in setup.counters.iter() {
            if name == GAME {
                set_counters(&self.counters.game, values, &mut state.game)?;
            } else {
                let seat = self.player(name)?;
                set_counters(&self.counters.seat, values, &mut state.counters[seat.index()])?;
            }
        }
        self.settle_position(&mut state);
        state.phase = Phase::Throw;
        self.start_turn(&mut state, watch);
        Ok(state)
    }

    /// The seat of this name, if it plays.
    ///
    /// # Errors
    /// No such seat plays.
    pub fn player(&self, name: &str) -> Result<Seat, SetupError> {
        let seat = self.seat_named(name).filter(|seat| self.seating.players.contains(seat));
        seat.ok_or_else(|| {
            let names: Vec<&str> = self.seating.players.iter().map(|seat| self.seat_name(*seat)).collect();
            SetupError::UnknownSeat(name.to_string(), names.join(", "))
        })
    }

    /// The value of a counter of a seat, or of the game (`game`), hidden ones included.
    ///
    /// # Errors
    /// No such seat plays, or there is no such counter.
    pub fn counter_value(&self, state: &State, seat: &str, name: &str) -> Result<CounterValue, SetupError> {
        let (counters, values): (&[Counter], &[i16]) = if seat == GAME {
            (&self.counters.game, &state.game)
        } else {
            (&self.counters.seat, &state.counters[self.player(seat)?.index()])
        };
        let index = counter_named(counters, name)?;
        Ok(value_of(&counters[index], values[index]))
    }
}

fn shown_values<'a>(counters: &'a [Counter], values: &[i16]) -> Vec<(&'a str, CounterValue)> {
    let shown = counters.iter().zip(values).filter(|(counter, _)| !counter.hidden);
    shown.map(|(counter, &value)| (counter.name.as_str(), value_of(counter, value))).collect()
}

fn value_of(counter: &Counter, value: i16) -> CounterValue {
    if counter.truth { CounterValue::Truth(value != 0) } else { CounterValue::Number(i64::from(value)) }
}

fn counter_named(counters: &[Counter], name: &str) -> Result<usize, SetupError> {
    counters.iter().position(|counter| counter.name == name).ok_or_else(|| {
        let names: Vec<&str> = counters.iter().map(|counter| counter.name.as_str()).collect();
        let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        SetupError::UnknownCounter(name.to_string(), known)
    })
}

fn set_counters(counters: &[Counter], values: &ByName<CounterValue>, into: &mut [i16]) -> Result<(), SetupError> {
    for (name, &value) in values.iter() {
        let index = counter_named(counters, name)?;
        let (from, to) = counters[index].range;
        let number = i16::try_from(value.as_number()).ok().filter(|number| (from..=to).contains(number));
        let Some(number) = number else {
            return Err(SetupError::OutOfRange { name: name.to_string(), from, to, value });
        };
        into[index] = number;
    }
    Ok(())
}
