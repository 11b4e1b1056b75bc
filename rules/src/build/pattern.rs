//! Finds the companies that a pattern such as `enemy pair` fits. A company is the pawns on a square as the moving
//! colour sees them.

use std::sync::LazyLock;

use crate::document::{Many, Pattern, Who};
use crate::tables::{Companies, Company};

/// The numbers of pawns that a pattern can expect, in the order in which [`FITTING`] lists them.
const MANY: [Many; 7] =
    [Many::None, Many::Least(1), Many::Least(2), Many::Least(3), Many::Least(4), Many::Single, Many::Pair];

/// For every pattern, the companies that it fits. The indexes are the owner of the pawns and the number of pawns (as in
/// [`MANY`]).
static FITTING: LazyLock<[[Companies; 7]; 5]> = LazyLock::new(|| {
    [Who::Own, Who::Partner, Who::Friend, Who::Enemy, Who::Anyone]
        .map(|who| MANY.map(|many| Company::set(|company| Pattern { who, many }.fits(company))))
});

impl Pattern {
    /// Whether the pattern includes both enemies and partners.
    pub(crate) fn names_partners_and_enemies(self) -> bool {
        self.who == Who::Anyone
    }

    /// The companies that the pattern fits.
    pub fn fitting(self) -> Companies {
        let many = match self.many {
            Many::None => 0,
            Many::Least(least) => usize::from(least),
            Many::Single => 5,
            Many::Pair => 6,
        };
        FITTING[self.who as usize][many]
    }

    /// Whether the pattern fits the pawns on a square.
    pub fn fits(self, company: Company) -> bool {
        let (own, partners, enemies) = (company.own(), company.partners(), company.enemies());
        let (all, has_pair) = match self.who {
            Who::Own => (own, own > 1),
            Who::Partner => (partners, partners > 1),
            Who::Friend => (own + partners, own > 1 || partners > 1),
            Who::Enemy => (enemies, company.has_enemy_pair()),
            Who::Anyone => (own + partners + enemies, company.has_pair()),
        };
        match self.many {
            Many::Least(least) => all >= least,
            Many::Single => all == 1,
            Many::Pair => has_pair,
            Many::None => all == 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Seat;

    #[test]
    fn patterns_count_whom_they_name() {
        let fits = |pattern: &str, occupied, teams| {
            let company = Company::of(occupied, Seat(0), if teams { 1 << 2 } else { 0 });
            Pattern::parse(pattern).unwrap().fits(company)
        };
        let (own, next, partner) = (0b01, 0b01_00, 0b10_00_00);
        assert!(fits("own", own, false) && !fits("own", next, false));
        assert!(fits("enemy pair", partner, false) && !fits("enemy pair", partner, true));
        assert!(fits("three friends", own | partner, true) && !fits("three friends", own | partner, false));
        assert!(fits("two enemies", 0b01_00_01_00, false) && !fits("enemy pair", 0b01_00_01_00, false));
        assert!(fits("no own", next, false) && fits("pawn single", next, false));
        assert!(fits("two own", 0b10, false) && !fits("partner", partner, false));
        let three_colours = 0b01_00_01_00_01_00;
        assert!(fits("three enemies", three_colours, true) && !fits("enemy pair", three_colours, true));
        assert!(!fits("four enemies", three_colours, true) && fits("four enemies", three_colours | 0b10 << 14, true));
    }

    #[test]
    fn what_a_pattern_fits_is_kept_as_bits() {
        for text in ["own", "two partners", "three friends", "four pawns", "enemy single", "friend pair", "no enemy"] {
            let pattern = Pattern::parse(text).unwrap();
            for company in Company::all() {
                assert_eq!(pattern.fitting() & company.alone() != 0, pattern.fits(company), "{text}, {company:?}");
            }
        }
    }
}
