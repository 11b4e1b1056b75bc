//! The next round as an organiser has paired it: checked against the entrants, the form and the history.
//!
//! The tables of a knock-out follow from its bracket, so there the organiser only decides on the order of the seats. In
//! the rounds of groups, a table has entrants of one group. Round robins and Swiss rounds take any tables.

use std::collections::BTreeSet;

use super::cost::Field;
use super::entrant::EntrantId;
use super::error::TournamentError;
use super::explain;
use super::facts::Facts;
use super::format::{Format, TableSize, Tournament};
use super::groups::Groups;
use super::history::{Attendance, History};
use super::next_round::pair;
use super::round::{Bye, Round, Table};
use super::why::{ByeRule, TableRule};

/// The tables and byes of a round, as an organiser names them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OwnRound {
    /// The tables, the first table first.
    pub tables: Vec<OwnTable>,
    /// Entrants who are present and have no table.
    pub byes: Vec<OwnBye>,
}

/// A table of an own round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnTable {
    /// The entrants in the order of play: the first one begins.
    pub seats: Vec<EntrantId>,
    /// The organiser's reason, for people.
    pub note: Option<String>,
}

/// A bye of an own round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnBye {
    /// The entrant.
    pub entrant: EntrantId,
    /// The organiser's reason, for people.
    pub note: Option<String>,
}

/// The reason why there is no own round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OwnError {
    /// No next round can be paired at all.
    Tournament(TournamentError),
    /// The round has mistakes. All of them are listed.
    Mistakes(Vec<OwnMistake>),
}

/// A mistake in an own round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OwnMistake {
    /// The part of the round.
    pub at: OwnPlace,
    /// The kind of the mistake.
    pub kind: OwnMistakeKind,
}

/// A part of an own round. Indexes count from 0.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OwnPlace {
    /// All tables together.
    Tables,
    /// All byes together.
    Byes,
    /// One table.
    Table(usize),
    /// One seat of a table.
    Seat(usize, usize),
    /// One bye.
    Bye(usize),
}

/// The kinds of mistakes in an own round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OwnMistakeKind {
    /// No entrant has this number.
    Unknown(EntrantId),
    /// The entrant has not entered yet, is absent in this round, has withdrawn, or still plays in an arena.
    NotPresent(EntrantId),
    /// The entrant is named a second time.
    Twice(EntrantId),
    /// A table has too few or too many seats.
    Size {
        /// The number of seats of the table.
        found: usize,
        /// The smallest number of seats in this form.
        least: usize,
        /// The largest number of seats in this form.
        most: usize,
    },
    /// The entrant is present, and has neither a table nor a bye.
    Missing(EntrantId),
    /// The entrants of the table are in different groups.
    Groups,
    /// The bracket does not bring these entrants together.
    Bracket,
    /// The entrant has no bye in the bracket.
    BracketBye(EntrantId),
    /// The bracket brings these entrants together, and no table has them. Their numbers are in rising order.
    BracketTable(Vec<EntrantId>),
}

impl From<TournamentError> for OwnError {
    fn from(error: TournamentError) -> Self {
        Self::Tournament(error)
    }
}

/// Checks an own round, and makes it the next round of the tournament; `None` if the tournament has ended. In an arena,
/// `busy` are the entrants who sit at a table without a result.
///
/// # Errors
/// [`OwnError::Tournament`] if [`pair`] cannot pair a next round either; [`OwnError::Mistakes`] with every mistake of
/// the round.
pub fn own_round(
    tournament: &Tournament,
    history: &History,
    own: &OwnRound,
    busy: &[EntrantId],
) -> Result<Option<Round>, OwnError> {
    let facts = Facts::new(tournament, history)?;
    let Some(form) = FormDemands::new(tournament, history, &facts)? else { return Ok(None) };
    let mut mistakes = Vec::new();
    let mut check = Check { facts: &facts, history, busy, named: BTreeSet::new(), mistakes: &mut mistakes };
    check.tables(own, &form);
    check.byes(own);
    check.missing(&form);
    if let Some(bracket) = &form.bracket {
        check_bracket(bracket, own, &mut mistakes);
    }
    if !mistakes.is_empty() {
        return Err(OwnError::Mistakes(mistakes));
    }
    let number = history.next_round();
    let field = Field::new(&facts, facts.present(history, number), number);
    let index = |entrant: &EntrantId| facts.index(*entrant);
    let mut round = Round::default();
    for table in &own.tables {
        let order = table.seats.iter().map(index).collect::<Result<Vec<_>, _>>()?;
        let games = form.bracket.as_ref().and_then(|planned| planned.tables.first()).map_or(1, |table| table.games);
        let rule = TableRule::Own { note: table.note.clone() };
        round.tables.push(explain::in_order(&field, &order, games, rule));
    }
    for bye in &own.byes {
        let mut given: Bye = explain::bye(&field, index(&bye.entrant)?, ByeRule::Own);
        given.why.note.clone_from(&bye.note);
        round.byes.push(given);
    }
    Ok(Some(round))
}

/// The demands of the tournament's form on its next round.
struct FormDemands {
    /// The smallest and the largest number of seats of a table.
    sizes: [usize; 2],
    /// The entrants who need a table or a bye.
    needed: Vec<EntrantId>,
    /// The group of each entrant, by index, in the rounds of groups.
    groups: Option<Vec<usize>>,
    /// The round of the bracket, in a knock-out.
    bracket: Option<Round>,
}

impl FormDemands {
    /// Returns the demands of the form; `None` if the tournament has ended.
    fn new(tournament: &Tournament, history: &History, facts: &Facts<'_>) -> Result<Option<Self>, TournamentError> {
        let present = || facts.present(history, history.next_round()).into_iter().map(|index| facts.entrants[index].id);
        let of_sizes = |sizes: [usize; 2]| Self { sizes, needed: present().collect(), groups: None, bracket: None };
        match &tournament.format {
            Format::Swiss { table, smaller_tables, rounds } => {
                history.check_results(history.rounds.len())?;
                let is_over = usize::try_from(*rounds).is_ok_and(|rounds| history.rounds.len() >= rounds);
                Ok((!is_over).then(|| of_sizes(sizes(facts, *table, *smaller_tables, present().count()))))
            }
            Format::Arena { table, smaller_tables } => {
                let form = of_sizes(sizes(facts, *table, *smaller_tables, present().count()));
                // Free entrants who are not named in the own round go on waiting.
                Ok(Some(Self { needed: Vec::new(), ..form }))
            }
            Format::RoundRobin { table, .. } => Ok(pair(tournament, history)?.map(|_| of_sizes([2, table.seats()]))),
            Format::KnockOut(_) => Ok(pair(tournament, history)?.map(Self::of_bracket)),
            Format::Groups { groups, table, cycles, advance, then } => {
                let Some(planned) = pair(tournament, history)? else { return Ok(None) };
                let numbered = facts.seeded(tournament.seeding, (0..facts.entrants.len()).collect());
                let settings = Groups::new(*groups, *table, *cycles, *advance, then)?;
                let Some(groups) = settings.of_entrants(facts, history, &numbered)? else {
                    return Ok(Some(Self::of_bracket(planned)));
                };
                // The schedules of small groups end early. Their entrants need no table and no bye.
                let needed = entrants_of(&planned);
                Ok(Some(Self { sizes: [2, table.seats()], needed, groups: Some(groups), bracket: None }))
            }
        }
    }

    fn of_bracket(planned: Round) -> Self {
        Self { sizes: [2, 4], needed: entrants_of(&planned), groups: None, bracket: Some(planned) }
    }
}

/// The smallest and the largest number of seats of a table. If fewer entrants are present than the smallest table has
/// seats, tables from two seats on are allowed.
fn sizes(facts: &Facts<'_>, size: TableSize, smaller_tables: bool, present: usize) -> [usize; 2] {
    let least = size.smallest(smaller_tables, facts.playable);
    [if present < least { 2 } else { least }, size.seats()]
}

fn entrants_of(round: &Round) -> Vec<EntrantId> {
    let seated = round.tables.iter().flat_map(|table| table.seats.iter().copied());
    seated.chain(round.byes.iter().map(|bye| bye.entrant)).collect()
}

/// The check of an own round.
struct Check<'c> {
    facts: &'c Facts<'c>,
    history: &'c History,
    busy: &'c [EntrantId],
    /// The entrants who were named so far.
    named: BTreeSet<EntrantId>,
    mistakes: &'c mut Vec<OwnMistake>,
}

impl Check<'_> {
    fn tables(&mut self, own: &OwnRound, form: &FormDemands) {
        let [least, most] = form.sizes;
        for (at, table) in own.tables.iter().enumerate() {
            let found = table.seats.len();
            if found < least || found > most {
                self.refuse(OwnPlace::Table(at), OwnMistakeKind::Size { found, least, most });
            }
            for (seat, entrant) in table.seats.iter().enumerate() {
                self.entrant(OwnPlace::Seat(at, seat), *entrant);
            }
            if let Some(groups) = &form.groups {
                let indices = table.seats.iter().filter_map(|entrant| self.facts.index(*entrant).ok());
                if indices.map(|index| groups[index]).collect::<BTreeSet<_>>().len() > 1 {
                    self.refuse(OwnPlace::Table(at), OwnMistakeKind::Groups);
                }
            }
        }
    }

    fn byes(&mut self, own: &OwnRound) {
        for (at, bye) in own.byes.iter().enumerate() {
            self.entrant(OwnPlace::Bye(at), bye.entrant);
        }
    }

    /// Checks that an entrant is known and present, and was not named before.
    fn entrant(&mut self, at: OwnPlace, entrant: EntrantId) {
        if self.facts.index(entrant).is_err() {
            return self.refuse(at, OwnMistakeKind::Unknown(entrant));
        }
        if !self.named.insert(entrant) {
            return self.refuse(at, OwnMistakeKind::Twice(entrant));
        }
        let presence = self.history.presence(entrant, self.history.next_round());
        if presence != Attendance::Present || self.busy.contains(&entrant) {
            self.refuse(at, OwnMistakeKind::NotPresent(entrant));
        }
    }

    fn missing(&mut self, form: &FormDemands) {
        let missing: Vec<EntrantId> = form.needed.iter().filter(|id| !self.named.contains(id)).copied().collect();
        for entrant in missing {
            self.refuse(OwnPlace::Byes, OwnMistakeKind::Missing(entrant));
        }
    }

    fn refuse(&mut self, at: OwnPlace, kind: OwnMistakeKind) {
        self.mistakes.push(OwnMistake { at, kind });
    }
}

/// Checks that the last round of a knock-out still follows from the results before it, which may have been corrected.
/// The rounds before the last one are checked by [`standings()`](super::standings()).
///
/// # Errors
/// [`TournamentError::ForeignRound`] if the bracket brings other entrants together.
pub fn check_last_round(tournament: &Tournament, history: &History) -> Result<(), TournamentError> {
    if !matches!(tournament.format, Format::KnockOut(_) | Format::Groups { .. }) {
        return Ok(());
    }
    let mut before = history.clone();
    let Some(last) = before.rounds.pop() else { return Ok(()) };
    let Ok(Some(planned)) = pair(tournament, &before) else { return Ok(()) };
    let is_bracket = |table: &Table| matches!(table.why.rule, TableRule::Bracket { .. } | TableRule::ThirdPlace);
    let sorted = |seats: &[EntrantId]| seats.iter().copied().collect::<BTreeSet<_>>();
    let found: BTreeSet<_> = last.tables.iter().map(|table| sorted(&table.seats)).collect();
    let follows = planned.tables.iter().all(|table| !is_bracket(table) || found.contains(&sorted(&table.seats)));
    if follows { Ok(()) } else { Err(TournamentError::ForeignRound(history.rounds.len())) }
}

/// Checks that an own round has the tables and byes of the bracket.
fn check_bracket(planned: &Round, own: &OwnRound, mistakes: &mut Vec<OwnMistake>) {
    let key = |seats: &[EntrantId]| seats.iter().copied().collect::<BTreeSet<_>>();
    let mut open: BTreeSet<BTreeSet<EntrantId>> = planned.tables.iter().map(|table| key(&table.seats)).collect();
    for (at, table) in own.tables.iter().enumerate() {
        if !open.remove(&key(&table.seats)) {
            mistakes.push(OwnMistake { at: OwnPlace::Table(at), kind: OwnMistakeKind::Bracket });
        }
    }
    for entrants in open {
        let kind = OwnMistakeKind::BracketTable(entrants.into_iter().collect());
        mistakes.push(OwnMistake { at: OwnPlace::Tables, kind });
    }
    for (at, bye) in own.byes.iter().enumerate() {
        if planned.byes.iter().all(|planned| planned.entrant != bye.entrant) {
            let kind = OwnMistakeKind::BracketBye(bye.entrant);
            mistakes.push(OwnMistake { at: OwnPlace::Bye(at), kind });
        }
    }
}
