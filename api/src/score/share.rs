//! The division of the pot: the stakes of all players of a game.
//!
//! The bank gets a quarter of the pot, rounded down. The winners divide the rest. The bank also gets the chips that
//! cannot be divided equally, and the share of a winner who has not played to the end.

use crate::score::settlement::{Participation, SettledPlayer};

/// The bank gets the pot divided by this number.
const BANK_SHARE: u64 = 4;

/// The chips that each member and the bank get. Their sum is the sum of all stakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shares {
    /// The chips of each member, in the order of the members.
    pub members: Vec<u64>,
    /// The chips of the bank.
    pub bank: u64,
}

impl Shares {
    fn of(members: Vec<u64>, bet: u64) -> Self {
        let pot = bet * members.len() as u64;
        let bank = pot - members.iter().sum::<u64>();
        Self { members, bank }
    }
}

/// Divides the pot of a game that was played to its end. Each member has staked `bet` chips.
pub(super) fn pot(bet: u64, members: &[SettledPlayer]) -> Shares {
    let pot = bet * members.len() as u64;
    let winners = members.iter().filter(|member| member.is_winner).count() as u64;
    let share = (pot - pot / BANK_SHARE).checked_div(winners).unwrap_or(0);
    let gets = |member: &SettledPlayer| if member.has_won() { share } else { 0 };
    Shares::of(members.iter().map(gets).collect(), bet)
}

/// Gives the stakes of a game that does not count back to its players, except those of abandoned seats.
pub(super) fn refunds(bet: u64, members: &[SettledPlayer]) -> Shares {
    Shares::of(
        members.iter().map(|member| if member.part == Participation::Abandoned { 0 } else { bet }).collect(),
        bet,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(winners: &[bool], parts: &[Participation]) -> Vec<SettledPlayer> {
        let sides = 0..u8::try_from(winners.len()).unwrap();
        let members = sides.zip(winners.iter().zip(parts));
        members.map(|(side, (is_winner, part))| SettledPlayer::new(side, *is_winner, *part)).collect()
    }

    fn shares(bet: u64, winners: &[bool]) -> (Vec<u64>, u64) {
        let shares = pot(bet, &members(winners, &vec![Participation::Played; winners.len()]));
        (shares.members, shares.bank)
    }

    #[test]
    fn the_bank_gets_a_quarter_of_the_pot() {
        assert_eq!(shares(100, &[false, true, false, false]), (vec![0, 300, 0, 0], 100));
        assert_eq!(shares(5, &[true, false]), (vec![8, 0], 2));
        assert_eq!(shares(0, &[true, false]), (vec![0, 0], 0));
    }

    #[test]
    fn a_pair_divides_its_share_and_the_odd_chip_goes_to_the_bank() {
        assert_eq!(shares(100, &[true, false, true, false]), (vec![150, 0, 150, 0], 100));
        assert_eq!(shares(3, &[true, false, true, false]), (vec![4, 0, 4, 0], 4), "9 chips are left for two");
    }

    #[test]
    fn who_does_not_play_to_the_end_gets_nothing() {
        use Participation::{Abandoned, GaveUp, Played};
        for part in [Abandoned, GaveUp] {
            let won = pot(100, &members(&[true, false, false, false], &[part, Played, Played, Played]));
            assert_eq!((won.members, won.bank), (vec![0; 4], 400));
            let pair = pot(100, &members(&[true, false, true, false], &[part, Played, Played, Played]));
            assert_eq!((pair.members, pair.bank), (vec![0, 0, 150, 0], 250), "the partner gets no more than usual");
        }
        let cancelled = refunds(100, &members(&[false; 4], &[Abandoned, GaveUp, Played, Played]));
        assert_eq!((cancelled.members, cancelled.bank), (vec![0, 100, 100, 100], 100));
        let left_by_all = refunds(100, &members(&[false; 2], &[Abandoned; 2]));
        assert_eq!((left_by_all.members, left_by_all.bank), (vec![0, 0], 200));
    }

    #[test]
    fn no_chip_is_lost_or_made() {
        // Each of up to four members has won or not, and has stopped before the end in one of two ways or not.
        let kinds = [true, false].map(|won| {
            [Participation::Played, Participation::GaveUp, Participation::Abandoned].map(|part| (won, part))
        });
        let kinds = kinds.concat();
        for (count, number) in (1..=4).flat_map(|count| (0..6_usize.pow(count)).map(move |number| (count, number))) {
            let kind = |member: u32| kinds[number / 6_usize.pow(member) % 6];
            let (winners, parts): (Vec<_>, Vec<_>) = (0..count).map(kind).unzip();
            let members = members(&winners, &parts);
            for bet in [0, 1, 2, 3, 5, 7, 100, 999_999] {
                for shares in [pot(bet, &members), refunds(bet, &members)] {
                    let all = shares.members.iter().sum::<u64>() + shares.bank;
                    assert_eq!(all, bet * members.len() as u64, "{bet} {members:?}");
                }
            }
        }
    }
}
