//! Finds the occupations of a square that a pattern fits. An occupation is the number of pawns of each colour there.

use std::sync::LazyLock;

use crate::document::{Many, Pattern, Who};

/// The numbers of pawns that a pattern can expect, in the order in which [`FITTING`] lists them.
const MANY: [Many; 7] =
    [Many::None, Many::Least(1), Many::Least(2), Many::Least(3), Many::Least(4), Many::Single, Many::Pair];

/// For every pattern, the set of occupations that it fits: one bit for each of the 256 occupations, in two numbers of
/// 128 bits. The indexes are the owner of the pawns, the number of pawns (as in [`MANY`]), and 0 for a game without
/// teams or 1 for a game with teams.
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

    /// The set of occupations that the pattern fits. Each of the 256 bits stands for one occupation.
    pub fn fitting(self, teams: bool) -> [u128; 2] {
        let many = match self.many {
            Many::None => 0,
            Many::Least(least) => usize::from(least),
            Many::Single => 5,
            Many::Pair => 6,
        };
        FITTING[self.who as usize][many][usize::from(teams)]
    }

    /// Whether the pattern fits an occupation. The occupation has two bits for each seat with the number of its pawns
    /// (3 means three or more); the lowest two bits are those of the mover's colour.
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
