//! A tournament in two stages: round robins in groups, then a knock-out of the best entrants of each group.

use super::cost::Field;
use super::error::TournamentError;
use super::facts::Facts;
use super::format::{KnockOut, TableSize, Tournament};
use super::history::{Attendance, History};
use super::knock_out::{self, Bracket};
use super::mates::{self, Qualifier};
use super::round::Round;
use super::round_robin::Schedule;
use super::standings::rank::rank;

/// The settings of groups, as in [`Format::Groups`](super::Format::Groups).
pub(super) struct Groups<'g> {
    groups: usize,
    table: TableSize,
    cycles: u32,
    advance: usize,
    then: &'g KnockOut,
}

impl<'g> Groups<'g> {
    /// Checks the settings.
    ///
    /// # Errors
    /// [`TournamentError::Format`] if a number is 0, or if only one entrant in all would go on.
    pub(super) fn new(
        groups: u32,
        table: TableSize,
        cycles: u32,
        advance: u32,
        then: &'g KnockOut,
    ) -> Result<Self, TournamentError> {
        if groups == 0 || cycles == 0 || advance == 0 {
            return Err(TournamentError::Format("groups, cycles and the number who go on have to be 1 or more"));
        }
        if groups == 1 && advance == 1 {
            return Err(TournamentError::Format("one group of which one goes on leaves nobody for the knock-out"));
        }
        then.check()?;
        let count = |number| usize::try_from(number).unwrap_or(usize::MAX);
        Ok(Self { groups: count(groups), table, cycles, advance: count(advance), then })
    }

    /// Deals the entrants out to the groups row by row, every second row backwards. With three groups and nine
    /// entrants, the groups are 1 6 7, 2 5 8 and 3 4 9.
    fn deal(&self, numbered: &[usize]) -> Result<Vec<Vec<usize>>, TournamentError> {
        if numbered.len() < self.groups {
            return Err(TournamentError::TooFewEntrants { found: numbered.len(), needed: self.groups });
        }
        let mut groups = vec![Vec::new(); self.groups];
        for (row, entrants) in numbered.chunks(self.groups).enumerate() {
            for (at, index) in entrants.iter().enumerate() {
                groups[if row % 2 == 0 { at } else { self.groups - 1 - at }].push(*index);
            }
        }
        Ok(groups)
    }

    /// Makes the schedules of all groups. Also returns the number of rounds until the last schedule has ended.
    fn schedules(
        &self,
        facts: &Facts<'_>,
        history: &History,
        groups: &[Vec<usize>],
    ) -> Result<(Vec<Schedule>, usize), TournamentError> {
        let schedule = |(number, group): (usize, &Vec<usize>)| {
            let needed = self.advance.max(self.table.seats());
            let found = group.iter().filter(|index| history.entered(facts.entrants[**index].id) <= 1).count();
            if found < needed {
                return Err(TournamentError::TooFewInGroup { group: number, found, needed });
            }
            Schedule::new(history, facts, group, self.table, self.cycles, Some(number))
        };
        let schedules: Vec<Schedule> = (1..).zip(groups).map(schedule).collect::<Result<_, _>>()?;
        let rounds = schedules.iter().map(Schedule::rounds).max().unwrap_or(0);
        Ok((schedules, rounds))
    }

    /// Returns the number of each entrant's group, by index; `None` if the next round belongs to the knock-out.
    ///
    /// # Errors
    /// The errors of [`Groups::pair`].
    pub(super) fn of_entrants(
        &self,
        facts: &Facts<'_>,
        history: &History,
        numbered: &[usize],
    ) -> Result<Option<Vec<usize>>, TournamentError> {
        let groups = self.deal(&in_order_of_entry(facts, history, numbered))?;
        let (_, rounds) = self.schedules(facts, history, &groups)?;
        let mut numbers = vec![0; facts.entrants.len()];
        for (number, group) in (1..).zip(&groups) {
            group.iter().for_each(|index| numbers[*index] = number);
        }
        Ok((history.next_round() <= rounds).then_some(numbers))
    }

    /// Pairs the next round; `None` if the tournament has ended.
    ///
    /// # Errors
    /// There are too few entrants, a group has no place for an entrant who entered late, or a result is missing that
    /// the knock-out needs.
    pub(super) fn pair(
        &self,
        tournament: &Tournament,
        facts: &Facts<'_>,
        history: &History,
        numbered: &[usize],
    ) -> Result<Option<Round>, TournamentError> {
        let groups = self.deal(&in_order_of_entry(facts, history, numbered))?;
        let (schedules, rounds) = self.schedules(facts, history, &groups)?;
        self.then.check_table_sizes(self.groups.saturating_mul(self.advance), facts.playable)?;
        let number = history.next_round();
        if number > rounds {
            let qualified = self.qualified(tournament, facts, history, &groups, rounds)?;
            // Nobody is left to play for the first place.
            if qualified.len() < 2 {
                return Ok(None);
            }
            return Ok(Bracket::new(facts, history, self.then, &qualified, rounds + 1)?.pair());
        }
        let field = Field::new(facts, facts.present(history, number), number);
        let mut round = Round::default();
        schedules.iter().for_each(|schedule| schedule.add(&field, &mut round));
        Ok(Some(round))
    }

    /// How far each entrant came in the knock-out, by index: 0 for entrants who did not get into it.
    ///
    /// # Errors
    /// The errors of [`Groups::pair`].
    pub(super) fn reached(
        &self,
        tournament: &Tournament,
        facts: &Facts<'_>,
        history: &History,
        numbered: &[usize],
    ) -> Result<Vec<u32>, TournamentError> {
        let groups = self.deal(&in_order_of_entry(facts, history, numbered))?;
        let (_, rounds) = self.schedules(facts, history, &groups)?;
        let mut reached = vec![0; facts.entrants.len()];
        let is_waiting = history.rounds.len() == rounds && history.check_results(rounds).is_err();
        if history.rounds.len() < rounds || is_waiting {
            return Ok(reached);
        }
        let qualified = self.qualified(tournament, facts, history, &groups, rounds)?;
        // The knock-out has not begun. With one entrant left it needs no round, and is over.
        if history.rounds.len() == rounds && qualified.len() > 1 {
            return Ok(reached);
        }
        if qualified.len() > 1 {
            reached = Bracket::new(facts, history, self.then, &qualified, rounds + 1)?.reached;
        }
        qualified.iter().for_each(|index| reached[*index] += 1);
        Ok(reached)
    }

    /// The entrants who go on. Entrants who have withdrawn before the knock-out do not; the next of their group move
    /// up.
    ///
    /// They are in this order: first the winners of the groups, then the second places, and so on; among those with
    /// the same place, so that entrants of a group meet as late as possible (`mates.rs`).
    fn qualified(
        &self,
        tournament: &Tournament,
        facts: &Facts<'_>,
        history: &History,
        groups: &[Vec<usize>],
        rounds: usize,
    ) -> Result<Vec<usize>, TournamentError> {
        history.check_results(rounds)?;
        let is_there = |index: &usize| history.presence(facts.entrants[*index].id, rounds + 1) != Attendance::Away;
        let go_on = |group: &Vec<usize>| {
            let order = rank(tournament, facts, history, group, rounds).into_iter();
            order.filter(is_there).take(self.advance).collect::<Vec<usize>>()
        };
        let ranked: Vec<Vec<usize>> = groups.iter().map(go_on).collect();
        let row = |place: usize| {
            let of = |(group, order): (usize, &Vec<usize>)| Some(Qualifier { index: *order.get(place)?, group });
            ranked.iter().enumerate().filter_map(of).collect::<Vec<Qualifier>>()
        };
        let rows: Vec<Vec<Qualifier>> = (0..self.advance).map(row).collect();
        let places = knock_out::places(rows.iter().map(Vec::len).sum(), self.then, facts.playable);
        Ok(mates::seeds(rows, &places, knock_out::seats(self.then)))
    }
}

/// Puts entrants who came late behind all others, in the order in which they came. So the other entrants are dealt to
/// the same groups as before.
fn in_order_of_entry(facts: &Facts<'_>, history: &History, numbered: &[usize]) -> Vec<usize> {
    let mut ordered = numbered.to_vec();
    ordered.sort_by_key(|index| {
        let entered = history.entered(facts.entrants[*index].id);
        (entered, if entered > 1 { *index } else { 0 })
    });
    ordered
}
