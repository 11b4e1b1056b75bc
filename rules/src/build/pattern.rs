//! The occupations of a square that a pattern fits.

use std::sync::LazyLock;

use crate::document::{Many, Pattern, Who};

/// The counts that a pattern may ask for, in the order of [`FITTING`].
const MANY: [Many; 7] =
    [Many::None, Many::Least(1), Many::Least(2), Many::Least(3), Many::Least(4), Many::Single, Many::Pair];

/// For every pattern, without and with teams: the occupations of a square that the pattern fits, one bit each.
static FITTING: LazyLock<[[[[u128; 2]; 2]; 7]; 5]> = LazyLock::new(|| {
    [Who::Own, Who::Partner, Who::Friend, Who::Enemy, Who::Anyone].map(|who| {
        MANY.map(|many| {
            [false, true].map(|teams| {
                let fits = |seen: u8| u128::from(Pattern { who, many }.fits(seen, teams));
                [0, 128].map(|first| (0..128).fold(0, |all, bit| all | fits(first + bit) << bit))
            })
        })
    })
});

impl Pattern {
    /// Whether the pattern includes both enemies and partners.
    pub fn names_partners_and_enemies(self) -> bool {
        self.who == Who::Anyone
    }

    /// The occupations that the pattern fits: a bit for each.
    pub fn fitting(self, teams: bool) -> [u128; 2] {
        let many = match self.many {
            Many::None => 0,
            Many::Least(least) => usize::from(least),
            Many::Single => 5,
            Many::Pair => 6,
        };
        FITTING[self.who as usize][many][usize::from(teams)]
    }

    /// Whether the pattern fits an occupation: the number of pawns in two bits for each seat (3 means three or more),
    /// the mover's colour in the lowest bits.
    pub fn fits(self, occupied: u8, teams: bool) -> bool {
        let (mut all, mut most) = (0, 0);
        for seat in 0..4 {
            let counted = match (self.who, seat) {
                (Who::Anyone, _) | (Who::Own | Who::Friend, 0) => true,
                (Who::Partner | Who::Friend, 2) => teams,
                (Who::Enemy, 2) => !teams,
                (Who::Enemy, 1 | 3) => true,
                _ => false,
            };
            let pawns = if counted { occupied >> (2 * seat) & 3 } else { 0 };
            all += pawns;
            most = most.max(pawns);
        }
        match self.many {
            Many::Least(least) => all >= least,
            Many::Single => all == 1,
            Many::Pair => most >= 2,
            Many::None => all == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_count_whom_they_name() {
        let fits = |pattern: &str, occupied, teams| Pattern::parse(pattern).unwrap().fits(occupied, teams);
        let (own, next, partner) = (0b01, 0b01_00, 0b10_00_00);
        assert!(fits("own", own, false) && !fits("own", next, false));
        assert!(fits("enemy pair", partner, false) && !fits("enemy pair", partner, true));
        assert!(fits("three friends", own | partner, true) && !fits("three friends", own | partner, false));
        assert!(fits("two enemies", 0b01_00_01_00, false) && !fits("enemy pair", 0b01_00_01_00, false));
        assert!(fits("no own", next, false) && fits("pawn single", next, false));
        assert!(fits("two own", 0b10, false) && !fits("partner", partner, false));
    }

    #[test]
    fn what_a_pattern_fits_is_kept_as_bits() {
        for text in ["own", "two partners", "three friends", "four pawns", "enemy single", "friend pair", "no enemy"] {
            let pattern = Pattern::parse(text).unwrap();
            for (teams, seen) in [false, true].into_iter().flat_map(|teams| (0..=255u8).map(move |seen| (teams, seen)))
            {
                let bits = pattern.fitting(teams)[usize::from(seen / 128)];
                assert_eq!(bits >> (seen % 128) & 1 == 1, pattern.fits(seen, teams), "{text}, {teams}, {seen:08b}");
            }
        }
    }
}
