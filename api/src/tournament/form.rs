//! Conversions between the stored terms of a tournament and the types of the API.

use pagade_pairing::{
    Format, History, KnockOut, Playable, Points, Seeding, TableSize, TieBreak, Tournament as Field, TournamentError,
    pair,
};
use pagade_rules::ruleset::{Options, RuleSet};

use crate::error::{Detail, ProblemPart, detail};
use crate::model::creation::WhenLate;
use crate::model::tournament as model;
use crate::model::tournament::{
    FormatKind, RegistrationWord, SeedingWord, TieBreakWord, TournamentFormat, TournamentPoints, TournamentStatusWord,
};
use crate::tournament::stored::{MOST_TABLES, TournamentStatus};
use crate::tournament::terms::{NoShow, Registration, Terms};

/// Checks terms that the schema of a request cannot check: no robot plays for late players in a tournament without
/// robots, no tie-break is given twice, and no place has more points than a higher place.
pub(crate) fn check_terms(sent: &model::CreateTournament, mistakes: &mut Vec<ProblemPart>) {
    let is_robot = |then| match then {
        WhenLate::Random | WhenLate::First => false,
        WhenLate::Runner | WhenLate::Hunter | WhenLate::Thinker | WhenLate::Learned => true,
    };
    if !sent.robots && sent.turn_timer.is_some_and(|timer| is_robot(timer.then)) {
        mistakes.push(ProblemPart::at("/turn_timer/then", detail!("this tournament takes no robots")));
    }
    let tie_breaks = sent.tie_breaks.as_deref().unwrap_or_default();
    for (at, word) in tie_breaks.iter().enumerate().filter(|(at, word)| tie_breaks[..*at].contains(word)) {
        let detail = detail!("the tie-break `{tie_break}` is listed twice", tie_break = word.word());
        mistakes.push(ProblemPart::at(format!("/tie_breaks/{at}"), detail));
    }
    for (size, points) in
        sent.points.iter().flat_map(|sent| [("two", &sent.two), ("three", &sent.three), ("four", &sent.four)])
    {
        if let Some(at) = points.windows(2).position(|pair| pair[0] < pair[1]) {
            let detail = detail!("a lower place has more points than a higher one");
            mistakes.push(ProblemPart::at(format!("/points/{size}/{}", at + 1), detail));
        }
    }
}

/// Checks that a form fits the number of entrants. Returns the misfit as the field of the request and a sentence;
/// `None` if the form fits.
pub(crate) fn misfit(field: &Field, history: &History) -> Option<(&'static str, Detail)> {
    let count = field.entrants.len();
    if count < 2 {
        return Some(not_paired(&TournamentError::TooFewEntrants { found: count, needed: 2 }));
    }
    if let Some(tables) = tables_needed(&field.format, count).filter(|tables| *tables > MOST_TABLES) {
        let detail = detail!(
            "this form needs {count} tables; a tournament has at most {most}",
            count = tables,
            most = MOST_TABLES
        );
        return Some(("/format", detail));
    }
    match &field.format {
        Format::Arena { .. } => None,
        _ => pair(field, history).err().map(|error| not_paired(&error)),
    }
}

/// The number of tables of a form; `None` if it is not known before the start.
fn tables_needed(format: &Format, entrants: usize) -> Option<usize> {
    let pairs = |count: usize| count * count.saturating_sub(1) / 2;
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    match format {
        Format::RoundRobin { table, cycles } => Some(number(*cycles) * pairs(entrants) / pairs(table.seats())),
        Format::Groups { groups, table, cycles, .. } => {
            let of_group = entrants.div_ceil(number(*groups).max(1));
            Some(number(*groups) * number(*cycles) * pairs(of_group) / pairs(table.seats()))
        }
        Format::Swiss { table, rounds, .. } => Some(number(*rounds) * entrants / table.seats()),
        Format::KnockOut(_) | Format::Arena { .. } => None,
    }
}

/// Says why entrants cannot be paired: the field of a request that does not suit, and a sentence.
pub(crate) fn not_paired(error: &TournamentError) -> (&'static str, Detail) {
    match error {
        TournamentError::TooFewEntrants { found, needed } => {
            ("/entrants", detail!("{found} entrants, {needed} are needed", found = *found, needed = *needed))
        }
        TournamentError::TooFewInGroup { group, found, needed } => {
            let (group, found, needed) = (*group, *found, *needed);
            ("/entrants", detail!("group {group} has {found} entrants, {needed} are needed", group, found, needed))
        }
        TournamentError::NoTableInBracket { found, seats } => ("/entrants", no_table_in_bracket(*found, *seats)),
        // The reason is a phrase. Translations list it in their section `values`.
        TournamentError::Format(reason) => {
            ("/format", detail!("the entrants cannot be paired: {reason}", reason = *reason))
        }
        TournamentError::NoTable(seats) => ("/format", detail!("the rule set has no table of {seats}", seats = *seats)),
        TournamentError::MissingResult { round, table } => {
            let (round, table) = (*round, *table);
            ("/format", detail!("table {table} of round {round} has no result", round, table))
        }
        TournamentError::NoFreePlace(entrant) => {
            let entrant = *entrant;
            ("/entrants", detail!("entrant {entrant} entered late, and the schedule has no free place", entrant))
        }
        // The service makes no tournament with these errors.
        error => ("/format", detail!("the entrants cannot be paired: {reason}", reason = error.to_string())),
    }
}

/// Checks that the rule set has the full tables of a form. `help` names the tables that it has. Mistakes are
/// added to `mistakes`.
pub(crate) fn check_tables(
    sent: &TournamentFormat,
    format: &Format,
    playable: &Playable,
    team: usize,
    help: impl Fn() -> Option<Detail>,
    mistakes: &mut Vec<ProblemPart>,
) {
    let before = mistakes.len();
    let knock_out = sent.knock_out_table.unwrap_or(2);
    let needed = [(sent.table.unwrap_or(2), "table"), (knock_out, "knock_out_table")];
    let count = if sent.kind == FormatKind::Groups { 2 } else { 1 };
    for (size, field) in needed.into_iter().take(count).filter(|(size, _)| !playable.has(*size as usize)) {
        let seats = size as usize * team;
        let detail = detail!("the rule set has no table of {seats} seats with these options", seats);
        mistakes.push(ProblemPart::at(format!("/format/{field}"), detail).helped(help()));
    }
    if let Format::Groups { groups, advance, then, .. } = format
        && mistakes.len() == before
    {
        let found = *groups as usize * *advance as usize;
        if let Some(size) = then.missing_table(found, playable) {
            let part = ProblemPart::at("/format/advance", no_table_in_bracket(found, size));
            mistakes.push(part.helped(help()));
        }
    }
}

/// Says which numbers of seats can play.
pub(crate) fn tables(set: &RuleSet, options: &Options) -> Option<Detail> {
    let mut counts: Vec<usize> = set.playable_tables(options).ok()?.iter().map(|table| table.players.len()).collect();
    counts.sort_unstable();
    counts.dedup();
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    Some(detail!("it has tables of {counts} seats", counts = counts.join(", ")))
}

/// Says that a knock-out of `found` entrants cannot be played to its end, because it needs a table of `size`.
pub(crate) fn no_table_in_bracket(found: usize, size: usize) -> Detail {
    detail!(
        "a knock-out of {found} entrants needs a table for {size} of them, and the rule set has none with these options; an even number of entrants from 4 on can play",
        found,
        size
    )
}

/// Reads the format of a request. `playable` are the tables that the rule set has. Mistakes are added to `mistakes`;
/// the result is `None` if there are any.
pub(crate) fn format(sent: &TournamentFormat, playable: &Playable, mistakes: &mut Vec<ProblemPart>) -> Option<Format> {
    let before = mistakes.len();
    let TournamentFormat {
        kind, table, rounds, cycles, groups, advance, knock_out_table, best_of, third_place, ..
    } = sent;
    let is = |kinds: &[FormatKind]| kinds.contains(kind);
    let (is_swiss, is_groups, is_arena) =
        (is(&[FormatKind::Swiss]), is(&[FormatKind::Groups]), is(&[FormatKind::Arena]));
    let is_knock_out = is(&[FormatKind::KnockOut, FormatKind::Groups]);
    let mut field = |name: &str, is_there: bool, is_known: bool, is_needed: bool| {
        let mut refuse = |detail: Detail| mistakes.push(ProblemPart::at(format!("/format/{name}"), detail));
        if is_there && !is_known {
            refuse(detail!("this form of tournament has no `{name}`", name));
        } else if is_needed && !is_there {
            refuse(detail!("this form of tournament needs `{name}`", name));
        }
    };
    field("rounds", rounds.is_some(), is_swiss, is_swiss);
    field("cycles", cycles.is_some(), is(&[FormatKind::RoundRobin, FormatKind::Groups]), false);
    field("smaller_tables", sent.smaller_tables.is_some(), is_swiss || is_arena, false);
    field("groups", groups.is_some(), is_groups, is_groups);
    field("advance", advance.is_some(), is_groups, is_groups);
    field("knock_out_table", knock_out_table.is_some(), is_groups, false);
    field("seconds", sent.seconds.is_some(), is_arena, is_arena);
    let (duels, at) = match kind {
        FormatKind::Groups => (knock_out_table.unwrap_or(2), "/format/knock_out_table"),
        _ => (table.unwrap_or(2), "/format/table"),
    };
    field("best_of", best_of.is_some(), is_knock_out && duels == 2, false);
    field("third_place", third_place.is_some(), is_knock_out && duels == 2, false);
    if is_knock_out && duels == 3 {
        mistakes.push(ProblemPart::at(at, detail!("a knock-out has tables of two or of four")));
    }
    if best_of.is_some_and(|games| games % 2 == 0) {
        mistakes.push(ProblemPart::at("/format/best_of", detail!("the number of games of a series has to be odd")));
    }
    if (*groups, *advance) == (Some(1), Some(1)) {
        let detail = detail!("one group of which one goes on leaves nobody for the knock-out");
        mistakes.push(ProblemPart::at("/format/advance", detail));
    }
    if mistakes.len() > before {
        return None;
    }
    let (table, cycles) = (size(table.unwrap_or(2)), cycles.unwrap_or(1));
    // By default an arena of four has no tables of two: two entrants are free more often than three, so nearly all
    // tables would have two.
    let most_fewer = if is_arena { 1 } else { 2 };
    let has_smaller = playable.smaller(table).is_some_and(|smaller| smaller + most_fewer >= table.seats());
    let smaller_tables = sent.smaller_tables.unwrap_or(has_smaller);
    let knock_out = match duels {
        2 => KnockOut::Duels { best_of: best_of.unwrap_or(1), third_place: third_place.unwrap_or(false) },
        _ => KnockOut::Fours,
    };
    Some(match kind {
        FormatKind::RoundRobin => Format::RoundRobin { table, cycles },
        FormatKind::Swiss => Format::Swiss { table, smaller_tables, rounds: rounds.unwrap_or(1) },
        FormatKind::KnockOut => Format::KnockOut(knock_out),
        FormatKind::Groups => Format::Groups {
            groups: groups.unwrap_or(1),
            table,
            cycles,
            advance: advance.unwrap_or(1),
            then: knock_out,
        },
        FormatKind::Arena => Format::Arena { table, smaller_tables },
    })
}

/// Returns the numbers of entrants that can sit at a table: at a full one first, then at smaller ones.
pub(crate) fn table_sizes(sent: &TournamentFormat) -> Vec<u32> {
    let largest =
        sent.table.unwrap_or(2).max(sent.knock_out_table.filter(|_| sent.kind == FormatKind::Groups).unwrap_or(2));
    (2..=largest).rev().collect()
}

fn size(seats: u32) -> TableSize {
    match seats {
        2 => TableSize::Two,
        3 => TableSize::Three,
        _ => TableSize::Four,
    }
}

fn seats(size: TableSize) -> Option<u32> {
    u32::try_from(size.seats()).ok()
}

/// Returns the format of a tournament, for an answer.
pub(crate) fn shown(terms: &Terms) -> TournamentFormat {
    let none = TournamentFormat {
        kind: FormatKind::RoundRobin,
        table: None,
        rounds: None,
        cycles: None,
        smaller_tables: None,
        groups: None,
        advance: None,
        knock_out_table: None,
        best_of: None,
        third_place: None,
        seconds: None,
    };
    let series = |form: &KnockOut| match form {
        KnockOut::Duels { best_of, third_place } => (Some(2), Some(*best_of), Some(*third_place)),
        KnockOut::Fours => (Some(4), None, None),
    };
    match &terms.format {
        Format::RoundRobin { table, cycles } => {
            TournamentFormat { table: seats(*table), cycles: Some(*cycles), ..none }
        }
        Format::Swiss { table, smaller_tables, rounds } => TournamentFormat {
            kind: FormatKind::Swiss,
            table: seats(*table),
            smaller_tables: Some(*smaller_tables),
            rounds: Some(*rounds),
            ..none
        },
        Format::KnockOut(form) => {
            let (table, best_of, third_place) = series(form);
            TournamentFormat { kind: FormatKind::KnockOut, table, best_of, third_place, ..none }
        }
        Format::Groups { groups, table, cycles, advance, then } => {
            let (knock_out_table, best_of, third_place) = series(then);
            TournamentFormat {
                kind: FormatKind::Groups,
                table: seats(*table),
                cycles: Some(*cycles),
                groups: Some(*groups),
                advance: Some(*advance),
                knock_out_table,
                best_of,
                third_place,
                ..none
            }
        }
        Format::Arena { table, smaller_tables } => TournamentFormat {
            kind: FormatKind::Arena,
            table: seats(*table),
            smaller_tables: Some(*smaller_tables),
            seconds: terms.open_seconds,
            ..none
        },
    }
}

/// Reads the points of a request.
pub(crate) fn points(sent: Option<&TournamentPoints>) -> Points {
    let Some(sent) = sent else { return Points::default() };
    let at = |list: &[u16], place: usize| u32::from(list.get(place).copied().unwrap_or(0));
    Points {
        two: [0, 1].map(|place| at(&sent.two, place)),
        three: [0, 1, 2].map(|place| at(&sent.three, place)),
        four: [0, 1, 2, 3].map(|place| at(&sent.four, place)),
        bye: sent.bye.into(),
        absent: sent.absent.into(),
        no_show: sent.no_show.into(),
    }
}

/// Returns the points of a tournament, for an answer.
pub(crate) fn shown_points(points: &Points) -> TournamentPoints {
    let list = |points: &[u32]| points.iter().map(|points| u16::try_from(*points).unwrap_or(u16::MAX)).collect();
    let one = |points: u32| u16::try_from(points).unwrap_or(u16::MAX);
    TournamentPoints {
        two: list(&points.two),
        three: list(&points.three),
        four: list(&points.four),
        bye: one(points.bye),
        absent: one(points.absent),
        no_show: one(points.no_show),
    }
}

impl From<model::NoShow> for NoShow {
    fn from(model::NoShow { seconds, withdraw_after }: model::NoShow) -> Self {
        Self { seconds, withdraw_after }
    }
}

impl From<NoShow> for model::NoShow {
    fn from(NoShow { seconds, withdraw_after }: NoShow) -> Self {
        Self { seconds, withdraw_after }
    }
}

impl From<TieBreakWord> for TieBreak {
    fn from(word: TieBreakWord) -> Self {
        match word {
            TieBreakWord::Buchholz => Self::Buchholz,
            TieBreakWord::BuchholzCut1 => Self::BuchholzCut1,
            TieBreakWord::SonnebornBerger => Self::SonnebornBerger,
            TieBreakWord::DirectMeeting => Self::DirectMeeting,
            TieBreakWord::Wins => Self::Wins,
            TieBreakWord::ScoreDifference => Self::ScoreDifference,
            TieBreakWord::Lots => Self::Lots,
        }
    }
}

impl From<TieBreak> for TieBreakWord {
    fn from(tie_break: TieBreak) -> Self {
        match tie_break {
            TieBreak::Buchholz => Self::Buchholz,
            TieBreak::BuchholzCut1 => Self::BuchholzCut1,
            TieBreak::SonnebornBerger => Self::SonnebornBerger,
            TieBreak::DirectMeeting => Self::DirectMeeting,
            TieBreak::Wins => Self::Wins,
            TieBreak::ScoreDifference => Self::ScoreDifference,
            TieBreak::Lots => Self::Lots,
        }
    }
}

impl From<SeedingWord> for Seeding {
    fn from(word: SeedingWord) -> Self {
        match word {
            SeedingWord::Lots => Self::Lots,
            SeedingWord::AsListed => Self::AsListed,
        }
    }
}

impl From<Seeding> for SeedingWord {
    fn from(seeding: Seeding) -> Self {
        match seeding {
            Seeding::Lots => Self::Lots,
            Seeding::AsListed => Self::AsListed,
        }
    }
}

impl From<RegistrationWord> for Registration {
    fn from(word: RegistrationWord) -> Self {
        match word {
            RegistrationWord::Open => Self::Open,
            RegistrationWord::Invited => Self::Invited,
            RegistrationWord::List => Self::List,
        }
    }
}

impl From<Registration> for RegistrationWord {
    fn from(registration: Registration) -> Self {
        match registration {
            Registration::Open => Self::Open,
            Registration::Invited => Self::Invited,
            Registration::List => Self::List,
        }
    }
}

impl From<TournamentStatus> for TournamentStatusWord {
    fn from(status: TournamentStatus) -> Self {
        match status {
            TournamentStatus::Open => Self::Open,
            TournamentStatus::Running => Self::Running,
            TournamentStatus::Finished => Self::Finished,
        }
    }
}

impl From<TournamentStatusWord> for TournamentStatus {
    fn from(status: TournamentStatusWord) -> Self {
        match status {
            TournamentStatusWord::Open => Self::Open,
            TournamentStatusWord::Running => Self::Running,
            TournamentStatusWord::Finished => Self::Finished,
        }
    }
}
