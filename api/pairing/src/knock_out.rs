//! Knock-outs. The bracket is not stored: it is computed from the rounds that were played.

use std::cmp::Reverse;

use super::cost::Field;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::KnockOut;
use super::history::{Attendance, History, PlayedRound};
use super::playable::Playable;
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
    /// How often each entrant went on without a game, by index.
    byes: Vec<u32>,
    is_over: bool,
}

/// The decision whether the entrants of one table of the bracket play in a round. Only entrants who are present are
/// listed.
enum MatchStage {
    /// The members play. An entrant who is `through` goes on without a game, because the members cannot all play at one
    /// table.
    Play { members: Vec<usize>, through: Option<usize> },
    /// The entrants go on without a game, because too few opponents are present, or the rule set has no table so small.
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
        let slots = slots(seeds, seats(form), facts.playable);
        let (losers, byes) = (Vec::new(), reached.clone());
        let mut bracket = Bracket { facts, history, form, slots, losers, reached, byes, is_over: false };
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
                MatchStage::Play { members, through } => {
                    let rule = TableRule::Bracket { of: self.slots.len(), table };
                    round.tables.push(explain::table(&field, &members, games, rule));
                    let is_empty = places.iter().flatten().count() == members.len() + 1;
                    round.byes.extend(through.map(|member| explain::bye(&field, member, bye_rule(is_empty))));
                }
                MatchStage::GoOn(members) => {
                    let is_empty = places.iter().flatten().count() == members.len();
                    round.byes.extend(members.iter().map(|member| explain::bye(&field, *member, bye_rule(is_empty))));
                }
            }
        }
        match &self.present(self.losers.iter(), number)[..] {
            [] => {}
            // Only one semi-final was played, so its loser is third without a game.
            [_] if self.losers.len() == 1 => {}
            [alone] => round.byes.push(explain::bye(&field, *alone, ByeRule::OpponentsAway)),
            losers => round.tables.push(explain::table(&field, losers, games, TableRule::ThirdPlace)),
        }
        Some(round)
    }

    fn present<'e>(&self, entrants: impl Iterator<Item = &'e usize>, number: usize) -> Vec<usize> {
        let is_present =
            |index: &usize| self.history.presence(self.facts.entrants[*index].id, number) == Attendance::Present;
        entrants.copied().filter(is_present).collect()
    }

    /// Tells whether only one table is left.
    fn is_last(&self) -> bool {
        self.slots.len() == seats(self.form)
    }

    fn stage(&self, places: &[Option<usize>], number: usize) -> MatchStage {
        let present = self.present(places.iter().flatten(), number);
        let plays = if self.is_last() { present.len() > 1 } else { present.len() > seats(self.form) / 2 };
        let playable = self.facts.playable;
        if plays && playable.has(present.len()) {
            return MatchStage::Play { members: present, through: None };
        }
        if plays && present.len() == 3 && playable.has(2) {
            // Entrants are in the order of their seeds, or of their places in the round before. Of those with the
            // fewest byes, the first goes on without a game.
            let through = present.iter().copied().min_by_key(|index| self.byes[*index]);
            let members = present.into_iter().filter(|index| Some(*index) != through).collect();
            return MatchStage::Play { members, through };
        }
        MatchStage::GoOn(present)
    }

    /// Reads the results of one round, and moves the bracket on to the next round.
    fn advance(&mut self, round: &PlayedRound, number: usize) -> Result<(), TournamentError> {
        let (mut is_final, go_on) = (self.is_last(), seats(self.form) / 2);
        let (mut next, mut losers) = (Vec::new(), Vec::new());
        for places in self.slots.clone().chunks(seats(self.form)) {
            let ranked = match self.stage(places, number) {
                MatchStage::Play { members, through } => {
                    // With an entrant who is through, this round is not the final: the final follows, with this
                    // entrant.
                    is_final &= through.is_none();
                    let ranked = self.ranked(round, number, &members)?;
                    through.iter().for_each(|index| self.byes[*index] += 1);
                    through.into_iter().chain(ranked).collect()
                }
                MatchStage::GoOn(members) => {
                    members.iter().for_each(|index| self.byes[*index] += 1);
                    members
                }
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
        if self.is_last() && !is_final {
            next.resize(seats(self.form), None);
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

/// The number of places at a table of the bracket.
pub(super) fn seats(form: &KnockOut) -> usize {
    match form {
        KnockOut::Duels { .. } => 2,
        KnockOut::Fours => 4,
    }
}

fn bye_rule(is_empty: bool) -> ByeRule {
    if is_empty { ByeRule::EmptyPlace } else { ByeRule::OpponentsAway }
}

/// The place of each of so many seeds in the first round of the bracket.
pub(super) fn places(seeds: usize, form: &KnockOut, playable: &Playable) -> Vec<usize> {
    let numbers: Vec<usize> = (0..seeds).collect();
    let mut places = numbers.clone();
    // One entrant has no bracket.
    if seeds > 1 {
        let taken = slots(&numbers, seats(form), playable).into_iter().enumerate();
        taken.filter_map(|(place, seed)| Some((place, seed?))).for_each(|(place, seed)| places[seed] = place);
    }
    places
}

/// The places of the first round, table by table. Empty places are at the tables of the strongest entrants. The
/// strongest entrants meet each other as late as possible.
fn slots(seeds: &[usize], seats: usize, playable: &Playable) -> Vec<Option<usize>> {
    let tables = (seeds.len().next_power_of_two() / seats).max(1);
    if seats == 4 && !playable.has(3) {
        return slots_without_threes(seeds, tables);
    }
    let rows = |table: usize| {
        // The seeds of each table of four, for 16 entrants: 1 8 9 16, 2 7 10 15, ..
        (0..seats).map(move |row| if row % 2 == 0 { row * tables + table } else { (row + 1) * tables - 1 - table })
    };
    bracket(tables).into_iter().flat_map(rows).map(|seed| seeds.get(seed).copied()).collect()
}

/// The places of the first round at tables of four, of which as few as possible have three entrants: none, or one if
/// the number of entrants is odd. The strongest entrants have tables of two, and go on without a game. If there is a
/// table of three, its strongest entrant goes on without a game, too.
fn slots_without_threes(seeds: &[usize], tables: usize) -> Vec<Option<usize>> {
    let empty = 4 * tables - seeds.len();
    let (twos, has_three) = (empty / 2, empty % 2 == 1);
    let mut seated = vec![Vec::new(); tables];
    let (strong, rest) = seeds.split_at(2 * twos);
    let turn = |row: usize, step: usize, count: usize| if row.is_multiple_of(2) { step } else { count - 1 - step };
    for (place, seed) in strong.iter().enumerate() {
        seated[turn(place / twos, place % twos, twos)].push(*seed);
    }
    let others = tables - twos;
    let places = (0..4).flat_map(|row| (0..others).map(move |step| (row, turn(row, step, others))));
    let places = places.filter(|(row, table)| !has_three || (*row, *table) != (3, 0));
    for ((_, table), seed) in places.zip(rest) {
        seated[twos + table].push(*seed);
    }
    let padded = |table: usize| {
        let members = seated[table].iter().copied().map(Some);
        members.chain(std::iter::repeat(None)).take(4).collect::<Vec<_>>()
    };
    bracket(tables).into_iter().flat_map(padded).collect()
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
