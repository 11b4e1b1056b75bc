//! For every square: which pawns may land on it, depending on the pawns that stand there.

use super::SEATS;
use super::squares::LandingIndex;
use crate::tables::{Company, Mover, Rules, Verdict, VerdictEntry};
use crate::units::{Occupancy, Seat, SquareId};

/// The landing flags of a square for a pawn of one colour: one flag in the lowest bit of each byte.
///
/// Shifted left by a pawn's index, the flags of eight pawns combine into one number: four sets of pawns, one byte each.
pub(super) type LandingBits = u32;

/// Landing flag: the pawn may land.
pub(super) const MAY: LandingBits = 1;
/// Landing flag: the pawn may land, and still may after another pawn of its colour left the square or landed on it.
pub(super) const SURE: LandingBits = 1 << 8;
/// Landing flag: the pawn may land now, or may after another pawn of its colour left the square or landed on it.
pub(super) const PERHAPS: LandingBits = 1 << 16;
/// Landing flag: the pawn may land and captures.
pub(super) const CUTS: LandingBits = 1 << 24;

/// Four sets of pawns, one for each landing flag.
#[derive(Clone, Copy, Default)]
pub(super) struct Sets(pub LandingBits);

impl Sets {
    /// Adds the landing flags of a pawn.
    #[inline(always)]
    pub(super) fn add(&mut self, word: LandingBits, pawn: usize) {
        self.0 |= word << pawn;
    }

    /// Keeps only the given pawns in all sets.
    #[inline(always)]
    pub(super) fn only(self, pawns: u8) -> Sets {
        Sets(self.0 & u32::from(pawns) * (MAY | SURE | PERHAPS | CUTS))
    }

    #[inline(always)]
    pub(super) fn may(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub(super) fn sure(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline(always)]
    pub(super) fn perhaps(self) -> u8 {
        (self.0 >> 16) as u8
    }

    #[inline(always)]
    pub(super) fn cuts(self) -> u8 {
        (self.0 >> 24) as u8
    }
}

/// The landing flags by mover, kind of square and pawns on the square.
#[derive(Debug)]
pub(super) struct LandingTable {
    /// The flags of a pawn of each colour: `by_kind[mover][kind][pawns on the square][colour]`. The pawns on the square
    /// are the lower byte of `State::occupied`: those of the first four seats.
    by_kind: [Vec<[[LandingBits; SEATS]; 256]>; 2],
    /// The kind of every target of a move, by [`LandingIndex`]. Targets are of one kind if the landing lines treat them
    /// alike for every colour.
    kind: [u8; 128],
}

impl LandingTable {
    /// Makes the table. `None` if a colour has places of several classes on one square, or if a landing line has a
    /// verdict that the fast engine does not support.
    pub(super) fn of(rules: &Rules) -> Option<LandingTable> {
        let mut kinds = Vec::new();
        let mut kind = [0; 128];
        for cell in LandingIndex::all() {
            let classes = classes_on(rules, cell.square())?;
            kind[cell.index()] = kinds.iter().position(|kind| *kind == classes).unwrap_or_else(|| {
                kinds.push(classes);
                kinds.len() - 1
            }) as u8;
        }
        // A place off the board has room for every pawn.
        kind[LandingIndex::of(None).index()] = kinds.len() as u8;
        let words = |mover: Mover| {
            let table = kinds.iter().map(|classes| words(rules, mover, *classes));
            table.chain([Some([[MAY | SURE | PERHAPS; SEATS]; 256])]).collect::<Option<Vec<_>>>()
        };
        Some(LandingTable { by_kind: [words(Mover::Pawn)?, words(Mover::Pair)?], kind })
    }

    /// The landing flags of a target of a move for every colour. `occupied` describes the pawns on its square.
    #[inline(always)]
    pub(super) fn of_cell(&self, mover: Mover, cell: LandingIndex, occupied: Occupancy) -> &[LandingBits; SEATS] {
        let kind = self.kind[cell.index()] as usize;
        &self.by_kind[mover as usize][kind][usize::from(occupied as u8)]
    }
}

/// The class of a square's places for each colour. Landing lines treat places of one class alike. A colour without a
/// place on the square has no class and cannot land there. The function returns `None` if a colour has places of
/// several classes on the square.
fn classes_on(rules: &Rules, square: Option<SquareId>) -> Option<[Option<u8>; SEATS]> {
    let mut classes = [None; SEATS];
    if square.is_none() {
        return Some(classes);
    }
    for (colour, class) in classes.iter_mut().enumerate() {
        let places = rules.board.places().filter(|&place| rules.square(Seat(colour as u8), place) == square);
        let mut classes_of_places = places.map(|place| rules.board.class[colour][place.index() & 127]);
        *class = classes_of_places.next();
        if classes_of_places.any(|other| Some(other) != *class) {
            return None;
        }
    }
    Some(classes)
}

fn words(rules: &Rules, mover: Mover, classes: [Option<u8>; SEATS]) -> Option<[[LandingBits; SEATS]; 256]> {
    let mut words = [[0; SEATS]; 256];
    for (colour, class) in classes.iter().enumerate() {
        let Some(class) = class else { continue };
        let row = mover as usize * rules.moves.landing.classes as usize + *class as usize;
        let partner = rules.seating.partner[colour].0.wrapping_sub(colour as u8) & 3;
        let mut answers = [Verdict::Refuse; 256];
        for (seen, answer) in answers.iter_mut().enumerate() {
            let company = Company::of(seen as Occupancy, Seat(0), if partner == 0 { 0 } else { 1 << partner });
            match rules.moves.landing.table[row * Company::COUNT + company.index()] {
                VerdictEntry::Is(verdict @ (Verdict::Refuse | Verdict::Allow | Verdict::Cut), _) => *answer = verdict,
                _ => return None,
            }
        }
        for (occupied, words) in words.iter_mut().enumerate() {
            words[colour] = word(&answers, (occupied as u8).rotate_right(2 * colour as u32), partner);
        }
    }
    Some(words)
}

/// The landing flags of a square for one colour. `answers` has the verdict for every occupation of the square. `seen`
/// is one occupation: two bits for each colour, with the own colour in the lowest bits. `partner` is the number of
/// seats from the own seat to its partner, or 0 without a partner.
fn word(answers: &[Verdict; 256], seen: u8, partner: u8) -> LandingBits {
    let may = |seen: u8| answers[seen as usize] != Verdict::Refuse;
    let own = seen & 3;
    let mut then = Vec::new();
    if own > 0 {
        then.push(seen - 1);
    }
    let joined = (own + 1).min(3);
    match answers[seen as usize] {
        Verdict::Allow => then.push(seen & !3 | joined),
        Verdict::Cut => {
            // If enemies stand beside the partner's pawns, a capture spares the partner.
            let spared = if partner == 0 { 0 } else { seen & 3 << (2 * partner) };
            then.extend([joined, joined | spared]);
        }
        _ => {}
    }
    let flag = |flag: LandingBits, holds: bool| if holds { flag } else { 0 };
    flag(MAY, may(seen))
        | flag(SURE, may(seen) && then.iter().all(|&then| may(then)))
        | flag(PERHAPS, may(seen) || then.iter().any(|&then| may(then)))
        | flag(CUTS, answers[seen as usize] == Verdict::Cut)
}
