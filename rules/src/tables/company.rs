//! The pawns on a square, as a pawn that lands there or passes sees them.

use crate::units::{MAX_SEATS, Occupancy, Seat};

/// The pawns on a square as the moving colour sees them: its own, its partner's and the enemies'. Landing and passing
/// lines distinguish no more than this, however many seats there are.
///
/// Numbers of own pawns and of the partner's are counted up to 3, those of all enemies together up to 4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Company(
    // INVARIANT: bits 0 and 1 count the own pawns, bits 2 and 3 the partner's. Bits 4 to 6 encode the enemies: 0 or 1
    // is their number; 2, 4, 6 mean two, three, four or more enemies, and 1 more means that two of them have the same
    // colour. Bit 7 is 0.
    u8,
);

/// A set of companies, one bit each.
pub type Companies = u128;

impl Company {
    /// Number of different companies.
    pub const COUNT: usize = 128;
    /// The company of an empty square.
    pub const NOBODY: Company = Company(0);

    /// The company for the pawns on a square (`occupied`), as a colour sees them. `friends` has a bit for each seat
    /// that is no enemy: its partner, or the other colours of its player.
    #[must_use]
    pub fn of(occupied: Occupancy, colour: Seat, friends: u8) -> Company {
        let on = |seat: usize| (occupied >> (2 * seat) & 3) as u8;
        let own = on(colour.index());
        let is_friend = |seat: usize| friends >> seat & 1 == 1;
        let (mut partners, mut enemies, mut most) = (0, 0, 0);
        for seat in (0..MAX_SEATS).filter(|&seat| seat != colour.index()) {
            if is_friend(seat) {
                partners += on(seat);
            } else {
                (enemies, most) = (enemies + on(seat), on(seat).max(most));
            }
        }
        Company::new(own, partners, enemies, most > 1)
    }

    /// The company with these numbers of pawns. `has_pair` is true if two enemies have the same colour.
    #[inline(always)]
    fn new(own: u8, partners: u8, enemies: u8, has_pair: bool) -> Company {
        let code = if enemies < 2 { enemies } else { 2 * (enemies.min(4) - 1) + u8::from(has_pair) };
        Company(own.min(3) | partners.min(3) << 2 | code << 4)
    }

    /// Every value.
    pub fn all() -> impl Iterator<Item = Company> {
        (0..Company::COUNT as u8).map(Company)
    }

    /// The companies that can occur. If `teams` is false, those with a partner's pawns are left out.
    #[must_use]
    pub fn possible(teams: bool) -> Companies {
        Company::set(|company| teams || company.partners() == 0)
    }

    /// The set of the companies for which the function is true.
    pub fn set(holds: impl Fn(Company) -> bool) -> Companies {
        Company::all().filter(|company| holds(*company)).fold(0, |set, company| set | company.alone())
    }

    /// The value as an index below [`Company::COUNT`].
    #[inline(always)]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0 & 127)
    }

    /// The set that contains only this company.
    #[must_use]
    pub fn alone(self) -> Companies {
        1 << self.index()
    }

    /// Number of own pawns, up to 3.
    #[must_use]
    pub fn own(self) -> u8 {
        self.0 & 3
    }

    /// Number of the partner's pawns, up to 3.
    #[must_use]
    pub fn partners(self) -> u8 {
        self.0 >> 2 & 3
    }

    /// Number of enemies, up to 4.
    #[must_use]
    pub fn enemies(self) -> u8 {
        let code = self.0 >> 4;
        if code < 2 { code } else { code / 2 + 1 }
    }

    /// Whether an enemy or a partner's pawn is there.
    #[must_use]
    pub(crate) fn has_others(self) -> bool {
        self.enemies() + self.partners() > 0
    }

    /// Whether two or more enemies have the same colour.
    #[must_use]
    pub(crate) fn has_enemy_pair(self) -> bool {
        let code = self.0 >> 4;
        code > 1 && code & 1 == 1
    }

    /// Whether two or more pawns have the same colour.
    #[must_use]
    pub(crate) fn has_pair(self) -> bool {
        self.own() > 1 || self.partners() > 1 || self.has_enemy_pair()
    }

    /// The company of both: the pawns of two sets of seats that have no seat in common.
    #[must_use]
    pub fn and(self, other: Company) -> Company {
        let has_pair = self.has_enemy_pair() || other.has_enemy_pair();
        let (own, partners) = (self.own() | other.own(), self.partners() + other.partners());
        Company::new(own, partners, self.enemies() + other.enemies(), has_pair)
    }
}

#[cfg(test)]
mod tests {
    use super::{Companies, Company};
    use crate::units::Seat;

    /// The company of the seats 0, 1, .. with these numbers of pawns, as seat 0 sees them.
    fn seen(pawns: &[u16], partner: u8) -> Company {
        let occupied = pawns.iter().rev().fold(0, |all, pawns| all << 2 | pawns);
        Company::of(occupied, Seat(0), if partner == 0 { 0 } else { 1 << partner })
    }

    #[test]
    fn pawns_are_counted_by_side() {
        let counts = |company: Company| {
            (company.own(), company.partners(), company.enemies(), company.has_enemy_pair(), company.has_pair())
        };
        assert_eq!(counts(seen(&[2, 0, 3, 1], 0)), (2, 0, 4, true, true));
        assert_eq!(counts(seen(&[1, 1, 3, 1], 2)), (1, 3, 2, false, true));
        assert_eq!(counts(seen(&[1, 1, 1, 1, 1, 1], 3)), (1, 1, 4, false, false));
        assert_eq!(counts(seen(&[0, 0, 0, 0, 0, 0, 0, 2], 0)), (0, 0, 2, true, true));
        assert_eq!(seen(&[0; 8], 4), Company::NOBODY);
    }

    #[test]
    fn two_halves_make_the_whole() {
        for occupied in (0..=u16::MAX).step_by(7) {
            let [low, high] =
                [occupied & 0xff, occupied & 0xff00].map(|half| Company::of(half, Seat(1), 1 << 3 | 1 << 5));
            assert_eq!(low.and(high), Company::of(occupied, Seat(1), 1 << 3 | 1 << 5), "{occupied:016b}");
        }
    }

    #[test]
    fn without_teams_nobody_is_a_partner() {
        assert_eq!(Company::possible(true), Companies::MAX);
        assert_eq!(Company::possible(false).count_ones(), 32);
    }
}
