//! Hashes of states, for the memories of searches within one turn.

use std::hash::{Hash, Hasher};

use super::engine::Engine;
use super::state::{Banked, Hand, State};
use crate::units::{PathPlace, Pips};

/// A hash of the values that rules can read in the rest of the turn. Values that stay the same during a turn are left
/// out: compare only hashes of states of one turn.
pub(super) fn state_hash(engine: &Engine, state: &State) -> u64 {
    let State {
        at,
        marks,
        newest,
        counters,
        game,
        occupied: _,
        barred: _,
        turn,
        phase,
        asked,
        thrown: _,
        owed,
        last: _,
        hand: Hand { banked, throws, bonuses, granted },
        apart,
        last_moved,
        ranking: _,
        placed,
        ending,
        jumps: _,
        before: _,
    } = state;
    let mut hash = Mixer(1);
    let last_moved = last_moved.filter(|_| engine.assumptions.asks_mover);
    (turn, phase, asked, owed, last_moved, placed, ending, throws, granted).hash(&mut hash);
    for seat in engine.seating.colours.iter().map(|seat| seat.index()) {
        hash.write_u128(PathPlace::word(&at[seat]));
        hash.write_u128(u128::from_le_bytes(marks[seat]));
        hash.write_u16(newest[seat]);
    }
    for seat in &engine.seating.players {
        words(&counters[seat.index()]).for_each(|word| hash.write_u64(word));
    }
    words(game).for_each(|word| hash.write_u64(word));
    for Banked { numbers, left, moved, parted, flags } in &banked[..usize::from(*throws).min(banked.len())] {
        let [a, b, c, d] = numbers.map(|Pips(pips)| pips);
        hash.write_u64(u64::from_le_bytes([a, b, c, d, *left, *flags, 0, 0]));
        hash.write_u32(u32::from(*moved) << 16 | u32::from(*parted));
    }
    bonuses[..usize::from(*granted).min(bonuses.len())].hash(&mut hash);
    if engine.turn.asks_apart() {
        apart.hash(&mut hash);
    }
    hash.finish()
}

/// A fast hash function. Its hashes are not safe from people who look for two values with the same hash.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(self.0, value);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u128(&mut self, value: u128) {
        self.0 = mix_wide(self.0, value);
    }
}

/// The counters, packed four to a word.
#[inline(always)]
pub(super) fn words(counters: &[i16]) -> impl Iterator<Item = u64> {
    let word = |four: &[i16]| four.iter().rev().fold(0, |word, &value| word << 16 | u64::from(value as u16));
    counters.chunks_exact(4).map(word)
}

/// Mixes both halves of a number into a hash.
#[inline(always)]
pub(super) fn mix_wide(key: u64, word: u128) -> u64 {
    mix(mix(key, word as u64), (word >> 64) as u64)
}

/// Mixes a number into a hash: the halves of a 128-bit product, combined.
#[inline(always)]
pub(super) fn mix(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ (product >> 64) as u64
}
