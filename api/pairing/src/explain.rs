//! Makes the tables and byes of a round, each with its reasons.

use super::cost::Field;
use super::round::{Bye, Table};
use super::seating;
use super::why::{ByeRule, ByeWhy, Meeting, SeatWhy, TableRule, TableWhy};

/// Seats the members of a table in a balanced order.
pub(super) fn table(field: &Field<'_>, members: &[usize], games: u32, rule: TableRule) -> Table {
    in_order(field, &seating::order(field.facts, members, field.round), games, rule)
}

/// Seats the members of a table of a division. If `is_proven`, entrants of the division meet again only because no
/// division avoids it.
pub(super) fn divided(field: &Field<'_>, members: &[usize], rule: TableRule, is_proven: bool) -> Table {
    let mut table = table(field, members, 1, rule);
    table.why.may_be_avoidable = !is_proven && !table.why.meetings.is_empty();
    table
}

/// Seats the members of a table in the order of a schedule.
pub(super) fn in_order(field: &Field<'_>, order: &[usize], games: u32, rule: TableRule) -> Table {
    let facts = field.facts;
    let by_score = matches!(rule, TableRule::ScoreGroup { .. } | TableRule::Free);
    let seats = order.iter().enumerate().map(|(seat, index)| {
        let past = &facts.past[*index];
        let is_near = |other: &usize| field.is_present[*other] && facts.past[*other].score == past.score;
        let avoided = facts.all_met(*index).filter(|other| by_score && is_near(other) && !order.contains(other));
        SeatWhy {
            entrant: facts.entrants[*index].id,
            score: past.score,
            float: if by_score { field.float(*index, order) } else { None },
            avoided: avoided.map(|other| facts.entrants[other].id).collect(),
            begun: past.begun,
            played: past.played,
            in_this_seat: past.seats[seat],
        }
    });
    let mut meetings = Vec::new();
    for (at, a) in order.iter().enumerate() {
        for b in &order[at + 1..] {
            let before = facts.met(*a, *b);
            if before > 0 {
                meetings.push(Meeting { entrants: [facts.entrants[*a].id, facts.entrants[*b].id], before });
            }
        }
    }
    let why = TableWhy { rule, seats: seats.collect(), meetings, may_be_avoidable: false };
    Table { seats: order.iter().map(|index| facts.entrants[*index].id).collect(), games, why }
}

/// Makes the bye of an entrant, with its reasons.
pub(super) fn bye(field: &Field<'_>, index: usize, rule: ByeRule) -> Bye {
    let past = &field.facts.past[index];
    let why = ByeWhy { rule, score: past.score, before: past.byes, note: None };
    Bye { entrant: field.facts.entrants[index].id, why }
}

/// Makes the reasons of an entrant of an arena who waits, and has waited in this number of rounds before.
pub(super) fn wait(field: &Field<'_>, index: usize, before: u32) -> Bye {
    let mut wait = bye(field, index, ByeRule::Waits);
    wait.why.before = before;
    wait
}
