//! The seats of the board that play at a table of a given size.

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};

/// Returns the engine for this number of seats, which lie as evenly as the rule set allows. Returns `None` if the rule
/// set has no table of so many seats. These are the seats that the service takes for a tournament that names none.
pub(super) fn even(set: &RuleSet, options: &Options, seats: usize) -> Option<Engine> {
    let whole = set.table(options, None).ok()?;
    let all: Vec<&str> = whole.seating.players.iter().map(|seat| whole.seat_name(*seat)).collect();
    let count = all.len();
    if seats > count || seats == 0 {
        return None;
    }
    let evenly = (0..count).map(|from| {
        let mut even: Vec<usize> = (0..seats).map(|seat| (from + seat * count / seats) % count).collect();
        even.sort_unstable();
        even
    });
    let any = (0..1_usize << count)
        .filter(|set| set.count_ones() as usize == seats)
        .map(|set| (0..count).filter(|seat| set >> seat & 1 == 1).collect::<Vec<_>>());
    let named = evenly.chain(any).map(|board| board.into_iter().map(|seat| all[seat].to_owned()).collect::<Vec<_>>());
    named.into_iter().find_map(|board| set.table(options, Some(&board)).ok())
}
