//! The order of the entrants at a table: who begins, and where the others sit.

use super::beginning;
use super::facts::{BEGINNING, Facts};
use super::lots::mix;
use super::permute::permute;

/// Orders the entrants of a table. At a table of two, `beginning.rs` says who begins. At a larger table the entrant
/// with the smallest `Past::due` begins: the one who lacks most beginnings. The others sit in the seats that they had
/// least often. Lots decide between equal orders.
pub(super) fn order(facts: &Facts<'_>, members: &[usize], round: usize) -> Vec<usize> {
    if let [a, b] = members {
        return beginning::first(facts, [*a, *b], round).to_vec();
    }
    let round = u64::try_from(round).expect("a number of a round fits into 64 bits");
    let mut best: Option<((i64, u32, u64), Vec<usize>)> = None;
    permute(&mut members.to_vec(), &mut |order| {
        let key = (facts.past[order[0]].due, used(facts, order), mix(facts.lots[order[0]], 0, round));
        if best.as_ref().is_none_or(|(least, kept)| (&key, order) < (least, &kept[..])) {
            best = Some((key, order.to_vec()));
        }
    });
    best.map_or_else(Vec::new, |(_, order)| order)
}

/// How often the entrants sat in these seats before, as a sum. The least sum spreads the seats evenly: it also gives
/// the least sum of squared visits after the round.
fn used(facts: &Facts<'_>, order: &[usize]) -> u32 {
    order.iter().enumerate().map(|(seat, index)| facts.past[*index].seats[seat]).sum()
}

/// The two costs of the beginnings at a table, if the entrant who lacks most beginnings begins: the sum of the squared
/// distances from the even share, and the number of entrants who are then more than one beginning away from it.
pub(super) fn balance(facts: &Facts<'_>, members: &[usize]) -> (u64, u64) {
    let share = BEGINNING / i64::try_from(members.len().max(1)).expect("a table has at most four seats");
    let begins = (0..members.len()).min_by_key(|member| facts.past[members[*member]].due).unwrap_or(0);
    let after = members.iter().enumerate().map(|(member, index)| {
        let due = facts.past[*index].due - share + if member == begins { BEGINNING } else { 0 };
        due.unsigned_abs()
    });
    let limit = BEGINNING.unsigned_abs();
    after.fold((0, 0), |(sum, far), due| (sum + due.min(5 * limit).pow(2), far + u64::from(due > limit)))
}
