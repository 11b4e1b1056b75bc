//! Encodes states as bytes, in the form in which the store keeps them, and decodes such bytes.
//!
//! Layout of version 1, in order. A `varint` is a number in groups of seven bits, lowest first; bit 0 is the sign.
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | version |
//! | 1 | seat to move (bits 0, 1, 7), phase (bits 2-4), whether the turn is ending (5), whether turn values follow (6)
//!   |
//! | 1 | only in the two phases in which a seat other than the seat to move makes a choice: that seat |
//! | 1 | which of the seats 0-3 have an entry (bits 0-3); which of the game's counters 0-3 are not 0 (bits 4-7) |
//! | 1 | only if the board has more than four seats: which of the seats 4-7 have an entry (bits 0-3) |
//! | 1 | only if the game has more than four counters: which of the counters 4-7 are not 0 (bits 0-3) |
//! | .. | the game's counters that are not 0, one varint each |
//! | .. | the entries of these seats, see below |
//! | 1 | number of seats in the ranking; then 1 byte for each of these seats |
//! | .. | turn values: number of throws, throws owed (2), last throw, hand, parted pairs, pawn that moved last |
//! | .. | then, if the rules can undo a turn: the state before the turn, in this same layout |
//!
//! A seat: the place of each pawn, 1 byte each; the marks of each pawn, 1 byte each, if the rules have marks; the set
//! of its pawns that arrived last on their square; the mask of its counters that are not 0; those counters, one varint
//! each. A set of pawns takes 1 byte, or 2 (the first eight pawns first) if a colour has more than eight pawns.
//!
//! A throw: number of faces (bits 0-3), whether lots were thrown (bit 4); the faces; for lots, how many lie mouth up.
//!
//! A hand: number of throws, number of bonuses; then the throws; then the bonuses. Each throw in the hand: flags (bits
//! 0-3) with the count of its numbers (bits 4-7), the numbers, the mask `left` and the sets `moved` and `parted` of
//! `Banked`. Each bonus: steps (bits 0-5) and due time (bits 6-7). Parted pairs: the set of the pawns that parted from
//! others, then for each of these pawns the set of those others.

use crate::play::state::{Banked, Bonus, Phase, Throw};
use crate::play::{Engine, State};
use crate::tables::Counter;
use crate::units::{
    Due, MAX_BANKED, MAX_BONUSES, MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, MAX_STEP, PathPlace, PawnIndex, PawnOfSeat,
    PawnSet, Pips, Seat,
};

const VERSION: u8 = 1;
const LATER_SEAT: u8 = 1 << 7;
const ENDING: u8 = 1 << 5;
const THROWN: u8 = 1 << 6;

/// The reason why bytes cannot be decoded as a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end too early.
    #[error("the bytes end in the middle of a state")]
    Short,
    /// Bytes are left over after the state.
    #[error("bytes are left over after the state")]
    Long,
    /// The bytes have the layout of another version of the program.
    #[error("this program cannot read states of version {0}")]
    Version(u8),
    /// A value is impossible under these rules.
    #[error("no state of these rules has such a {0}")]
    Impossible(&'static str),
}

impl Engine {
    /// Encodes a state as bytes.
    #[must_use]
    pub fn encode(&self, state: &State) -> Vec<u8> {
        let mut out = Vec::with_capacity(96);
        let in_turn = is_in_turn(state);
        out.push(VERSION);
        let ending = if state.ending { ENDING } else { 0 };
        let later = if state.turn.0 > 3 { LATER_SEAT } else { 0 };
        let phase = phase_number(state);
        out.push(state.turn.0 & 3 | phase << 2 | ending | if in_turn { THROWN } else { 0 } | later);
        out.extend(state.asked.map(|seat| seat.0));
        let seats: u8 = (0..MAX_SEATS).filter(|&seat| is_seated(state, seat)).fold(0, |mask, seat| mask | 1 << seat);
        let of_game = mask_of(&state.game);
        out.push(seats & 15 | of_game << 4);
        if self.has_further_seats() {
            out.push(seats >> 4);
        }
        if self.has_further_counters() {
            out.push(of_game >> 4);
        }
        put_counters(&mut out, &state.game);
        let pawns = usize::from(self.pawns.count);
        for seat in bits(seats.into()) {
            out.extend(state.at[seat][..pawns].iter().map(|place| place.0));
            if !self.counters.marks.is_empty() {
                out.extend(&state.marks[seat][..pawns]);
            }
            self.put_pawns(&mut out, state.newest[seat]);
            out.push(mask_of(&state.counters[seat]));
            put_counters(&mut out, &state.counters[seat]);
        }
        out.push(state.placed);
        out.extend(state.placed().map(|seat| seat.0));
        if in_turn {
            self.put_turn(&mut out, state);
        }
        if state.before.kept {
            let mut before = State { turn: state.turn, ..State::empty() };
            before.come_back(&state.before);
            out.extend(self.encode(&before));
        }
        out
    }

    /// Decodes a state and checks every value, so that the bytes may come from an untrusted source.
    ///
    /// # Errors
    /// The bytes are not a valid state of these rules.
    pub fn decode(&self, bytes: &[u8]) -> Result<State, DecodeError> {
        let mut bytes = Bytes(bytes);
        let version = bytes.next()?;
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let mut state = State::empty();
        let head = bytes.next()?;
        state.turn = Seat(head & 3 | if head & LATER_SEAT != 0 { 4 } else { 0 });
        let is_asked;
        (state.phase, is_asked) = phase(head >> 2 & 7)?;
        state.ending = head & ENDING != 0;
        check(self.seating.players.contains(&state.turn), "turn")?;
        if is_asked {
            let seat = Seat(bytes.next()?);
            let may_be = self.asks_others() && seat != state.turn;
            check(may_be && self.seating.players.contains(&seat), "seat that is asked")?;
            state.asked = Some(seat);
        }
        let masks = bytes.next()?;
        let further_seats = if self.has_further_seats() { bytes.next()? } else { 0 };
        check(further_seats < 16, "seat")?;
        let further = if self.has_further_counters() { bytes.next()? } else { 0 };
        check(further < 16, "counter")?;
        take_counters(&mut bytes, masks >> 4 | further << 4, &self.counters.game, &mut state.game)?;
        for seat in bits((masks & 15 | further_seats << 4).into()) {
            check(self.seating.colours.contains(&Seat(seat as u8)), "seat")?;
            self.take_seat(&mut bytes, seat, &mut state)?;
        }
        let placed = bytes.next()?;
        check(usize::from(placed) <= self.seating.players.len(), "ranking")?;
        for rank in 0..usize::from(placed) {
            let seat = Seat(bytes.next()?);
            let new = !state.ranking[..rank].contains(&seat);
            check(new && self.seating.players.contains(&seat), "ranking")?;
            state.ranking[rank] = seat;
        }
        if head & THROWN != 0 {
            self.take_turn(&mut bytes, &mut state)?;
        }
        if self.undoes_turns && state.thrown > 0 {
            // The state before the turn is encoded without a throw. Because this is checked, the call of `decode` below
            // cannot call itself again.
            check(bytes.0.get(1).is_some_and(|head| head & THROWN == 0), "turn before")?;
            let before = self.decode(bytes.0)?;
            check(before.turn == state.turn, "turn before")?;
            state.before = before.kept();
            bytes.0 = &[];
        }
        check(bytes.0.is_empty(), "").map_err(|_| DecodeError::Long)?;
        // `settle_position` adds finished seats to the ranking. It runs after all places are decoded, and must find no
        // finished seat that the decoded ranking lacks.
        state.placed = placed;
        self.settle_position(&mut state);
        check(state.placed == placed, "ranking")?;
        Ok(state)
    }

    /// Whether the game has more than four counters, so that their mask takes a second byte.
    fn has_further_counters(&self) -> bool {
        self.counters.game.len() > 4
    }

    /// Whether the board has more than four seats, so that their mask takes a second byte.
    fn has_further_seats(&self) -> bool {
        self.seating.seats.len() > 4
    }

    fn take_seat(&self, bytes: &mut Bytes<'_>, seat: usize, state: &mut State) -> Result<(), DecodeError> {
        let pawns = usize::from(self.pawns.count);
        for pawn in 0..pawns {
            let place = PathPlace(bytes.next()?);
            check(place <= self.board.home(), "place")?;
            state.at[seat][pawn] = place;
        }
        if !self.counters.marks.is_empty() {
            for pawn in 0..pawns {
                let marks = bytes.next()?;
                check(u32::from(marks) < 1 << self.counters.marks.len(), "mark")?;
                state.marks[seat][pawn] = marks;
            }
        }
        state.newest[seat] = self.take_pawns(bytes)?;
        let mask = bytes.next()?;
        take_counters(bytes, mask, &self.counters.seat, &mut state.counters[seat])
    }

    fn take_turn(&self, bytes: &mut Bytes<'_>, state: &mut State) -> Result<(), DecodeError> {
        state.thrown = bytes.next()?;
        state.owed = [bytes.next()?, bytes.next()?];
        let head = bytes.next()?;
        let count = usize::from(head & 15);
        check(count <= MAX_NUMBERS && head >> 5 == 0, "throw")?;
        let mut faces = [0; MAX_NUMBERS];
        for face in &mut faces[..count] {
            *face = bytes.next()?;
        }
        let up = if head & 16 != 0 { Some(bytes.next()?) } else { None };
        state.last = Throw { faces, count: count as u8, up };
        check(state.last == Throw::default() || self.can_fall(&state.last), "throw")?;
        let (throws, granted) = (bytes.next()?, bytes.next()?);
        check(usize::from(throws) <= MAX_BANKED && usize::from(granted) <= MAX_BONUSES, "hand")?;
        for slot in 0..usize::from(throws) {
            state.hand.banked[slot] = self.take_banked(bytes)?;
        }
        state.hand.throws = throws;
        for slot in 0..usize::from(granted) {
            let byte = bytes.next()?;
            let bonus = Bonus { steps: Pips(byte & 63), due: due(byte >> 6)? };
            check(bonus.steps <= MAX_STEP, "bonus")?;
            state.hand.bonuses[slot] = bonus;
        }
        state.hand.granted = granted;
        for pawn in bits(self.take_pawns(bytes)?) {
            state.apart[pawn] = self.take_pawns(bytes)?;
        }
        let last_moved = bytes.next()?;
        if last_moved != PawnOfSeat::NO_PAWN {
            let (seat, pawn) = (Seat(last_moved >> 4), last_moved & 15);
            check(self.seating.colours.contains(&seat) && pawn < self.pawns.count, "mover")?;
            state.last_moved = Some(PawnOfSeat::new(seat, PawnIndex::new(pawn)));
        }
        Ok(())
    }

    fn take_banked(&self, bytes: &mut Bytes<'_>) -> Result<Banked, DecodeError> {
        let head = bytes.next()?;
        let (flags, count) = (head & 15, usize::from(head >> 4));
        check(flags <= (Banked::ALL_OR_NONE | Banked::DOUBLET) && count <= MAX_NUMBERS, "hand")?;
        let mut banked = Banked { flags, ..Banked::default() };
        for number in &mut banked.numbers[..count] {
            *number = Pips(bytes.next()?);
            check(*number <= MAX_STEP, "number")?;
        }
        banked.left = bytes.next()?;
        let real = (0..MAX_NUMBERS).all(|i| banked.left >> i & 1 == 0 || banked.numbers[i].0 > 0);
        check(banked.left < 1 << MAX_NUMBERS && real, "hand")?;
        banked.moved = self.take_pawns(bytes)?;
        banked.parted = self.take_pawns(bytes)?;
        Ok(banked)
    }

    fn take_pawns(&self, bytes: &mut Bytes<'_>) -> Result<PawnSet, DecodeError> {
        let pawns = PawnSet::from_le_bytes([bytes.next()?, if self.has_many_pawns() { bytes.next()? } else { 0 }]);
        check(u32::from(pawns) < 1 << self.pawns.count, "pawn")?;
        Ok(pawns)
    }

    /// Whether a colour has more than eight pawns, so that a set of pawns takes two bytes.
    fn has_many_pawns(&self) -> bool {
        self.pawns.count > 8
    }

    fn put_pawns(&self, out: &mut Vec<u8>, pawns: PawnSet) {
        out.extend(&pawns.to_le_bytes()[..if self.has_many_pawns() { 2 } else { 1 }]);
    }

    fn put_turn(&self, out: &mut Vec<u8>, state: &State) {
        out.push(state.thrown);
        out.extend(state.owed);
        let last = &state.last;
        out.push(last.count & 15 | u8::from(last.up.is_some()) << 4);
        out.extend(last.shown());
        out.extend(last.up);
        let hand = &state.hand;
        out.extend([hand.throws, hand.granted]);
        for banked in &hand.banked[..usize::from(hand.throws)] {
            let count = banked.numbers.iter().rposition(|number| number.0 > 0).map_or(0, |last| last + 1);
            out.push(banked.flags & 15 | (count as u8) << 4);
            out.extend(banked.numbers[..count].iter().map(|number| number.0));
            out.push(banked.left);
            self.put_pawns(out, banked.moved);
            self.put_pawns(out, banked.parted);
        }
        out.extend(
            hand.bonuses[..usize::from(hand.granted)].iter().map(|bonus| bonus.steps.0 | (bonus.due as u8) << 6),
        );
        let parted = (0..MAX_PAWNS).filter(|&pawn| state.apart[pawn] != 0).fold(0, |mask, pawn| mask | 1 << pawn);
        self.put_pawns(out, parted);
        bits(parted).for_each(|pawn| self.put_pawns(out, state.apart[pawn]));
        out.push(PawnOfSeat::to_byte(state.last_moved));
    }
}

/// Whether the state holds any value that only exists during a turn, such as a throw or a hand.
fn is_in_turn(state: &State) -> bool {
    let nothing = State::empty();
    state.thrown != 0
        || state.owed != nothing.owed
        || state.last != nothing.last
        || state.hand != nothing.hand
        || state.apart != nothing.apart
        || state.last_moved != nothing.last_moved
}

/// Whether any value of the seat differs from the values of an empty seat: all pawns off the board, no marks, counters
/// 0. Only such seats are encoded.
fn is_seated(state: &State, seat: usize) -> bool {
    state.at[seat] != [PathPlace::OUT; MAX_PAWNS]
        || state.marks[seat] != [0; MAX_PAWNS]
        || state.newest[seat] != 0
        || mask_of(&state.counters[seat]) != 0
}

/// The numbers that stand for the phases [`Phase::Choose`] and [`Phase::Declare`] when another seat is asked for a
/// choice.
const ASKED: [u8; 2] = [5, 6];

fn phase_number(state: &State) -> u8 {
    match state.phase {
        Phase::Choose if state.asked.is_some() => ASKED[0],
        Phase::Declare if state.asked.is_some() => ASKED[1],
        phase => phase as u8,
    }
}

/// The phase with this number, and whether another seat is asked in it.
fn phase(number: u8) -> Result<(Phase, bool), DecodeError> {
    if let Some(index) = ASKED.iter().position(|&asked| asked == number) {
        return Ok(([Phase::Choose, Phase::Declare][index], true));
    }
    let phases = [Phase::Throw, Phase::Choose, Phase::Move, Phase::Declare, Phase::Over];
    let found = phases.into_iter().find(|&phase| phase as u8 == number);
    found.map(|phase| (phase, false)).ok_or(DecodeError::Impossible("phase"))
}

fn due(number: u8) -> Result<Due, DecodeError> {
    let dues = [Due::After, Due::Last, Due::Now];
    dues.into_iter().find(|&due| due as u8 == number).ok_or(DecodeError::Impossible("bonus"))
}

fn mask_of(values: &[i16]) -> u8 {
    values.iter().enumerate().filter(|(_, value)| **value != 0).fold(0, |mask, (i, _)| mask | 1 << i)
}

fn put_counters(out: &mut Vec<u8>, values: &[i16]) {
    for &value in values.iter().filter(|value| **value != 0) {
        let mut folded = (value << 1 ^ value >> 15) as u16;
        while folded >= 128 {
            out.push(folded as u8 | 128);
            folded >>= 7;
        }
        out.push(folded as u8);
    }
}

fn take_counters(bytes: &mut Bytes<'_>, mask: u8, counters: &[Counter], values: &mut [i16]) -> Result<(), DecodeError> {
    for index in bits(mask.into()) {
        let mut folded = 0u32;
        for shift in [0, 7, 14] {
            let byte = bytes.next()?;
            folded |= u32::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
            check(shift < 14, "counter")?;
        }
        let folded = u16::try_from(folded).map_err(|_| DecodeError::Impossible("counter"))?;
        let value = (folded >> 1) as i16 ^ -((folded & 1) as i16);
        let counter = counters.get(index).ok_or(DecodeError::Impossible("counter"))?;
        check(value != 0 && (counter.range.0..=counter.range.1).contains(&value), "counter")?;
        values[index] = value;
    }
    Ok(())
}

fn bits(mask: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |bit| mask >> bit & 1 == 1)
}

fn check(holds: bool, what: &'static str) -> Result<(), DecodeError> {
    if holds { Ok(()) } else { Err(DecodeError::Impossible(what)) }
}

/// The bytes that are still to be decoded.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Result<u8, DecodeError> {
        let (&first, rest) = self.0.split_first().ok_or(DecodeError::Short)?;
        self.0 = rest;
        Ok(first)
    }
}
