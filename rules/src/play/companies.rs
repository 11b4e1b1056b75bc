//! A look-up table of the companies that each colour sees.

use crate::tables::{Company, Seating};
use crate::units::{MAX_SEATS, Occupancy, Seat};

/// For each colour, the company that it sees for every combination of pawns of four seats.
#[derive(Debug)]
pub(super) struct CompanyTable {
    /// Index: the colour, then the byte with the pawns of seats 0 to 3.
    first: [[Company; 256]; MAX_SEATS],
    /// Index: the colour, then the byte with the pawns of seats 4 to 7.
    last: [[Company; 256]; MAX_SEATS],
}

impl CompanyTable {
    pub(super) fn of(seating: &Seating) -> CompanyTable {
        let table = |shift: u32| {
            std::array::from_fn(|colour| {
                let friends = seating.friends[colour];
                std::array::from_fn(|byte| Company::of((byte as Occupancy) << shift, Seat(colour as u8), friends))
            })
        };
        CompanyTable { first: table(0), last: table(8) }
    }

    /// The company for the pawns on a square, as a colour sees them.
    #[inline(always)]
    pub(super) fn seen_by(&self, colour: Seat, occupied: Occupancy) -> Company {
        let [first, last] = occupied.to_le_bytes();
        let company = self.first[colour.index()][usize::from(first)];
        if last == 0 { company } else { company.and(self.last[colour.index()][usize::from(last)]) }
    }
}
