//! Knock-outs. The bracket is not stored: it is computed from the rounds that were played.

use std::cmp::Reverse;

use super::cost::Field;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::KnockOut;
use super::history::{History, PlayedRound, Presence};
use super::round::Round;
use super::why::{ByeRule, TableRule};

/// The number by which [`Bracket::reached`] grows for each round from which an entrant goes on. The final adds less:
/// 3 for the first place, 2 for the second, 1 for the third.
const STAGE: u32 = 4;

/// A bracket after the rounds that were played.
pub(super) struct Bracket<'b> {
    facts: &'b Facts<'b>,
    history: &'b History,
    form: &'b KnockOut,
    /// The entrants of the next round of the bracket, table by table; `None` is an empty place.
    slots: Vec<Option<usize>>,
    /// The losers of the semi-finals, if they are to play for the third place in the next round.
    losers: Vec<usize>,
    /// How far each entrant came, by index: a larger number is better.
    pub(super) reached: Vec<u32>,
    is_over: bool,
}

/// The decision whether the entrants of one table of the bracket play in a round. Only entrants who are present are
/// listed.
enum Stage {
    /// The entrants play.
    Play(Vec<usize>),
    /// The entrants go on without a game, because too few opponents are present.
    GoOn(Vec<usize>),
}

impl<'b> Bracket<'b> {
    /// Computes the bracket of these entrants, the strongest first. Its first round is number `from` of the history.
    ///
    /// # Errors
    /// A result is missing, or the tables of a round are not those of the bracket.
    pub(super) fn new(
        facts: &'b Facts<'b>,
        history: &'b History,
        form: &'b KnockOut,
        seeds: &[usize],
        from: usize,
    ) -> Result<Self, TournamentError> {
        if seeds.len() < 2 {
            return Err(TournamentError::TooFewEntrants { found: seeds.len(), needed: 2 });
        }
        let reached = vec![0; facts.entrants.len()];
        let slots = slots(seeds, seats(form));
        let mut bracket = Bracket { facts, history, form, slots, losers: Vec::new(), reached, is_over: false };
        for number in from..history.next_round() {
            if bracket.is_over {
                return Err(TournamentError::ForeignRound(number));
            }
            bracket.advance(&history.rounds[number - 1], number)?;
        }
        Ok(bracket)
    }

    /// Pairs the next round of the bracket; `None` if the final has been played.
    pub(super) fn pair(&self) -> Option<Round> {
        if self.is_over {
            return None;
        }
        let number = self.history.next_round();
        let field = Field::new(self.facts, self.facts.present(self.history, number), number);
        let games = match self.form {
            KnockOut::Duels { best_of, .. } => *best_of,
            KnockOut::Fours => 1,
        };
        let mut round = Round::default();
        for (table, places) in (1..).zip(self.slots.chunks(seats(self.form))) {
            match self.stage(places, number) {
                Stage::Play(members) => {
                    let rule = TableRule::Bracket { of: self.slots.len(), table };
                    round.tables.push(explain::table(&field, &members, games, rule));
                }
                Stage::GoOn(members) => {
                    let is_empty = places.iter().flatten().count() == members.len();
                    let rule = if is_empty { ByeRule::EmptyPlace } else { ByeRule::OpponentsAway };
                    round.byes.extend(members.iter().map(|member| explain::bye(&field, *member, rule)));
                }
            }
        }
        match &self.present(self.losers.iter(), number)[..] {
            [] => {}
            // Only one semi-final was played, so it has the only loser, who is third without a game.
            [_] if self.losers.len() == 1 => {}
            [alone] => round.byes.push(explain::bye(&field, *alone, ByeRule::OpponentsAway)),
            losers => round.tables.push(explain::table(&field, losers, games, TableRule::ThirdPlace)),
        }
        Some(round)
    }

    fn present<'e>(&self, entrants: impl Iterator<Item = &'e usize>, number: usize) -> Vec<usize> {
        let is_present =
            |index: &usize| self.history.presence(self.facts.entrants[*index].id, number) == Presence::Present;
        entrants.copied().filter(is_present).collect()
    }

    fn is_final(&self) -> bool {
        self.slots.len() == seats(self.form)
    }

    fn stage(&self, places: &[Option<usize>], number: usize) -> Stage {
        let present = self.present(places.iter().flatten(), number);
        let plays = if self.is_final() { present.len() > 1 } else { present.len() > seats(self.form) / 2 };
        if plays { Stage::Play(present) } else { Stage::GoOn(present) }
    }

    /// Reads the results of one round, and moves the bracket on to the next round.
    fn advance(&mut self, round: &PlayedRound, number: usize) -> Result<(), TournamentError> {
        let (is_final, go_on) = (self.is_final(), seats(self.form) / 2);
        let (mut next, mut losers) = (Vec::new(), Vec::new());
        for places in self.slots.clone().chunks(seats(self.form)) {
            let ranked = match self.stage(places, number) {
                Stage::Play(members) => self.ranked(round, number, &members)?,
                Stage::GoOn(members) => members,
            };
            for (place, index) in (0..).zip(&ranked) {
                if is_final {
                    self.reached[*index] += (STAGE - 1_u32).saturating_sub(place);
                } else if usize::try_from(place).is_ok_and(|place| place < go_on) {
                    self.reached[*index] += STAGE;
                } else {
                    losers.push(*index);
                }
            }
            let through = ranked.iter().copied().map(Some).chain(std::iter::repeat(None));
            next.extend(through.take(go_on));
        }
        let losers_before = std::mem::take(&mut self.losers);
        let third = match &self.present(losers_before.iter(), number)[..] {
            losers @ [_, _, ..] => self.ranked(round, number, losers)?.first().copied(),
            losers => losers.first().copied(),
        };
        if let Some(third) = third {
            // The third place counts 1; the loser of the final gets 2.
            self.reached[third] += 1;
        }
        if next.len() == 2 && matches!(self.form, KnockOut::Duels { third_place: true, .. }) {
            self.losers = losers;
        }
        self.is_over = is_final;
        self.slots = next;
        Ok(())
    }

    /// Sorts the members of a table by their places in its result. Among equal places, the higher score comes first;
    /// then the lot decides.
    fn ranked(&self, round: &PlayedRound, number: usize, members: &[usize]) -> Result<Vec<usize>, TournamentError> {
        let mut sorted: Vec<_> = members.iter().map(|index| self.facts.entrants[*index].id).collect();
        sorted.sort_unstable();
        let is_it = |seats: &[_]| {
            let mut seats = seats.to_vec();
            seats.sort_unstable();
            seats == sorted
        };
        let found = (1..).zip(&round.tables).find(|(_, table)| is_it(&table.seats));
        let (table_number, table) = found.ok_or(TournamentError::ForeignRound(number))?;
        let missing = TournamentError::MissingResult { round: number, table: table_number };
        let result = table.result.as_ref().ok_or(missing)?;
        let mut ranked = Vec::with_capacity(members.len());
        for (entrant, seat) in table.seats.iter().zip(result) {
            let index = self.facts.index(*entrant)?;
            ranked.push(((seat.place, Reverse(seat.score), self.facts.lots[index]), index));
        }
        ranked.sort_unstable();
        Ok(ranked.into_iter().map(|(_, index)| index).collect())
    }
}

fn seats(form: &KnockOut) -> usize {
    match form {
        KnockOut::Duels { .. } => 2,
        KnockOut::Fours => 4,
    }
}

/// The places of the first round, table by table. Empty places are at the tables of the strongest entrants. The
/// strongest entrants meet each other as late as possible.
fn slots(seeds: &[usize], seats: usize) -> Vec<Option<usize>> {
    let tables = (seeds.len().next_power_of_two() / seats).max(1);
    let rows = |table: usize| {
        // The seeds of each table of four, for 16 entrants: 1 8 9 16, 2 7 10 15, ..
        (0..seats).map(move |row| if row % 2 == 0 { row * tables + table } else { (row + 1) * tables - 1 - table })
    };
    bracket(tables).into_iter().flat_map(rows).map(|seed| seeds.get(seed).copied()).collect()
}

/// Returns the order of the tables in which the strongest entrants are furthest apart: 0 3 1 2 for four tables.
fn bracket(tables: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < tables {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|table| [table, last - table]).collect();
    }
    order
}
