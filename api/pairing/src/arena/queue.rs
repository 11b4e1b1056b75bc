//! The order in which the free entrants of an arena get tables.
//!
//! 1. Those who have waited longest come first. Fewer entrants wait than a table has seats, so all of them play in the
//!    next round. Rounds during an entrant's game are no waits, so long games are no advantage.
//! 2. Of those who have waited equally long, those who have had fewest tables come first.
//! 3. If the last seats do not suffice for all who are equal so far, they go to those who have met the entrants with a
//!    seat least often, and then by lot, which is drawn anew for each round.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::cost::Field;
use crate::error::TournamentError;
use crate::facts::Facts;
use crate::history::History;
use crate::outcome;

/// The tables and waits of an entrant so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    /// The number of tables. A table to which nobody else came does not count.
    tables: u32,
    /// The number of rounds that the entrant has waited since the last table.
    waits: u32,
    /// The number of rounds that the entrant has waited in all.
    pub(super) all_waits: u32,
}

/// Counts the tables and waits of all entrants, by index.
///
/// Somebody who comes late or comes back counts from then on as having had at least as many tables as half of the
/// others. Otherwise such an entrant would play without a pause until the tables of the whole arena are made up for.
pub(super) fn shares(facts: &Facts<'_>, history: &History) -> Result<Vec<Share>, TournamentError> {
    let came = history.late_entries.iter().chain(&history.returns).map(|noted| (noted.round, noted.entrant));
    let were_absent = history.absences.iter().map(|noted| (noted.round.saturating_add(1), noted.entrant));
    let mut arrivals: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (round, entrant) in came.chain(were_absent) {
        arrivals.entry(round).or_default().push(facts.index(entrant)?);
    }
    let mut shares = vec![Share::default(); facts.entrants.len()];
    for number in 1..=history.next_round() {
        if let Some(arrived) = arrivals.get(&number) {
            let stayed = facts.present(history, number).into_iter().filter(|index| !arrived.contains(index));
            let mut of_others: Vec<u32> = stayed.map(|index| shares[index].tables).collect();
            of_others.sort_unstable();
            let half = of_others.get(of_others.len().saturating_sub(1) / 2).copied().unwrap_or(0);
            for index in arrived {
                let share = &mut shares[*index];
                (share.tables, share.waits) = (share.tables.max(half), 0);
            }
        }
        let Some(round) = history.rounds.get(number - 1) else { break };
        for table in &round.tables {
            let alone = <[usize; 1]>::try_from(outcome::came(table)).ok();
            for (seat, entrant) in table.seats.iter().enumerate() {
                let share = &mut shares[facts.index(*entrant)?];
                share.tables += u32::from(alone != Some([seat]));
                share.waits = 0;
            }
        }
        for entrant in &round.waits {
            let share = &mut shares[facts.index(*entrant)?];
            share.waits += 1;
            share.all_waits += 1;
        }
    }
    Ok(shares)
}

/// Splits the entrants of the field into those who get one of the seats, and those who wait.
pub(super) fn split(field: &Field<'_>, shares: &[Share], seats: usize) -> (Vec<usize>, Vec<usize>) {
    let turn = |index: &usize| (Reverse(shares[*index].waits), shares[*index].tables);
    let mut play = field.order.clone();
    play.sort_by_key(|index| (turn(index), field.lot(*index, *index)));
    let Some(first_without) = play.get(seats).map(turn) else { return (play, Vec::new()) };
    let rest = play.split_off(play.partition_point(|index| turn(index) <= first_without));
    let equal = play.split_off(play.partition_point(|index| turn(index) < first_without));
    let cost = |index: usize, others: &[usize]| others.iter().map(|other| field.meetings(index, *other)).sum::<u64>();
    let mut equal: Vec<(u64, usize)> = equal.into_iter().map(|index| (cost(index, &play), index)).collect();
    while play.len() < seats {
        let next = (0..equal.len()).min_by_key(|at| equal[*at].0).expect("more entrants than seats are free");
        let (_, chosen) = equal.remove(next);
        equal.iter_mut().for_each(|(met, index)| *met += field.meetings(*index, chosen));
        play.push(chosen);
    }
    (play, equal.into_iter().map(|(_, index)| index).chain(rest).collect())
}
