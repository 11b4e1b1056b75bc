//! Round robins: all entrants meet all others, by a schedule that is known before the first round.

mod berger;
mod rotation;

use super::cost::Field;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::TableSize;
use super::history::History;
use super::round::Round;
use super::why::{ByeRule, TableRule};

/// A schedule for the entrants of a tournament, or of one of its groups.
pub(super) struct Schedule {
    /// The entrants by their places. At tables of two the last place may be empty.
    places: Vec<Option<usize>>,
    size: TableSize,
    cycles: usize,
    /// The number of the group, the first is 1; `None` if the tournament has no groups.
    group: Option<usize>,
}

impl Schedule {
    /// Makes a schedule for entrants in this order. At tables of two, with an odd number of entrants, one place is
    /// empty. An entrant who entered late gets this place.
    ///
    /// # Errors
    /// There are too few entrants, or no empty place for an entrant who entered late.
    pub(super) fn new(
        history: &History,
        facts: &Facts<'_>,
        numbered: &[usize],
        size: TableSize,
        cycles: u32,
        group: Option<usize>,
    ) -> Result<Self, TournamentError> {
        let is_late = |index: &&usize| history.entered(facts.entrants[**index].id) > 1;
        let mut places: Vec<Option<usize>> =
            numbered.iter().filter(|index| !is_late(index)).map(|i| Some(*i)).collect();
        if places.len() < size.seats() {
            return Err(TournamentError::TooFewEntrants { found: places.len(), needed: size.seats() });
        }
        if size == TableSize::Two && places.len() % 2 == 1 {
            places.push(None);
        }
        for late in numbered.iter().filter(is_late) {
            match places.last_mut() {
                Some(free @ None) => *free = Some(*late),
                _ => return Err(TournamentError::NoFreePlace(facts.entrants[*late].id)),
            }
        }
        Ok(Self { places, size, cycles: usize::try_from(cycles).unwrap_or(usize::MAX), group })
    }

    /// The number of rounds of one cycle.
    fn cycle(&self) -> usize {
        match self.size {
            TableSize::Two => self.places.len() - 1,
            size => rotation::circle(self.places.len(), size.seats()),
        }
    }

    /// The number of rounds in all cycles.
    pub(super) fn rounds(&self) -> usize {
        self.cycle() * self.cycles
    }

    /// Adds the tables and byes of the field's round, unless the schedule has already ended.
    pub(super) fn add(&self, field: &Field<'_>, round: &mut Round) {
        if field.round > self.rounds() {
            return;
        }
        let (cycle, number) = ((field.round - 1) / self.cycle(), (field.round - 1) % self.cycle());
        let (cycle_number, round_number) = (cycle + 1, number + 1);
        let (tables, byes, rule) = if self.size == TableSize::Two {
            let pairs = berger::round(self.places.len(), number).into_iter().map(Vec::from).collect();
            (pairs, Vec::new(), TableRule::Berger { group: self.group, cycle: cycle_number, round: round_number })
        } else {
            let mut rounds = rotation::rounds(self.places.len(), self.size.seats());
            let places = rounds.swap_remove(number);
            let rule = TableRule::Rotation { group: self.group, cycle: cycle_number, round: round_number };
            (places.tables, places.byes, rule)
        };
        let mut left = Vec::new();
        for mut table in tables {
            // In each cycle, another entrant of the table begins.
            table.rotate_left(cycle % self.size.seats());
            left.extend(round.add(field, &self.entrants(&table), &rule));
        }
        // Entrants left over share further tables, but not tables of two: there they would meet more often than
        // scheduled.
        if self.size != TableSize::Two {
            left = round.add_left_over(field, left, &rule);
        }
        round.byes.extend(left.into_iter().map(|index| explain::bye(field, index, ByeRule::OpponentsAway)));
        let free = self.entrants(&byes).into_iter().filter(|index| field.is_present[*index]);
        round.byes.extend(free.map(|index| explain::bye(field, index, ByeRule::Schedule)));
    }

    /// The entrants at these places.
    fn entrants(&self, places: &[usize]) -> Vec<usize> {
        places.iter().filter_map(|place| self.places[*place]).collect()
    }
}

impl Round {
    /// Adds a table with as many of the entrants who are present as can play. Returns the others. An entrant without
    /// opponents in the schedule has a bye.
    fn add(&mut self, field: &Field<'_>, members: &[usize], rule: &TableRule) -> Vec<usize> {
        let present: Vec<usize> = members.iter().copied().filter(|index| field.is_present[*index]).collect();
        if let ([alone], 1) = (&present[..], members.len()) {
            self.byes.push(explain::bye(field, *alone, ByeRule::Schedule));
            return Vec::new();
        }
        let Some(seats) = field.facts.playable.largest(present.len()) else { return present };
        let (left, playing) = field.facts.seat(&present, seats);
        self.tables.push(explain::in_order(field, &playing, 1, rule.clone()));
        left
    }

    /// Adds tables with entrants whom the tables of the schedule leave over. Returns those who are still left.
    fn add_left_over(&mut self, field: &Field<'_>, mut left: Vec<usize>, rule: &TableRule) -> Vec<usize> {
        while let Some(seats) = field.facts.playable.largest(left.len()) {
            let (rest, playing) = field.facts.seat(&left, seats);
            self.tables.push(explain::table(field, &playing, 1, rule.clone()));
            left = rest;
        }
        left
    }
}

/// Pairs the next round; `None` if the schedule has ended.
///
/// # Errors
/// The errors of [`Schedule::new`].
pub(super) fn pair(
    facts: &Facts<'_>,
    history: &History,
    numbered: &[usize],
    size: TableSize,
    cycles: u32,
) -> Result<Option<Round>, TournamentError> {
    let schedule = Schedule::new(history, facts, numbered, size, cycles, None)?;
    let number = history.next_round();
    if number > schedule.rounds() {
        return Ok(None);
    }
    let field = Field::new(facts, facts.present(history, number), number);
    let mut round = Round::default();
    schedule.add(&field, &mut round);
    Ok(Some(round))
}
