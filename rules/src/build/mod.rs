//! Makes tables of a rule set: names resolved, types proven, options folded in.
//!
//! The same way leads through a check and to a game: [`check`] builds the table with the default options, and once more
//! for every other value of an option, so that what is wrong is found before anybody plays.

mod board;
mod builder;
mod dice;
mod effects;
mod findings;
mod lines;
mod options;
mod path;
mod pattern;
mod resolve;
mod rulings;
mod scope;
mod seats;
mod spend;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod trials;
mod verdicts;
mod walk;
mod warn;

use builder::Builder;
use findings::Findings;
use lines::Ids;
use rulings::{Ruling, Table};

use crate::document::Document;
use crate::play::ahead::Ahead;
use crate::play::lines::Lines;
use crate::play::state::{MAX_PAWNS, Place, Seat};
use crate::ruleset::{Options, TableProblem};
use crate::source::Report;
use crate::tables::{Answer, Identity, Questions, Rules};

/// Reports everything that is wrong with a rule file that reads well.
pub(crate) fn check(document: &Document, report: &mut Report) {
    let mut findings = Findings::default();
    options::check(document, &mut findings);
    let path = path::read(document, &mut findings);
    trials::run(document, &path, &mut findings);
    findings.pour(report);
}

/// The table with these options (defaults for the rest) and these seats (`None`: the full table).
pub(crate) fn table(
    document: &Document,
    digest: &str,
    chosen: &Options,
    players: Option<&[String]>,
) -> Result<Rules, Vec<TableProblem>> {
    let values = options::choose(document, chosen)?;
    let mut report = Findings::default();
    let path = path::read(document, &mut report);
    let mut builder = Builder::new(document, &path, values);
    let seats = builder.choose_seats(players)?;
    let ids = Ids::new(document);
    let (parts, _) = builder.parts(&ids, seats);
    report.absorb(std::mem::take(&mut builder.report), None);
    match (parts, report.first_error()) {
        (Some(parts), None) => Ok(parts.finish(builder, ids, digest)),
        // A check tries every option by itself; what only several together break is found here.
        (_, error) => Err(vec![TableProblem {
            code: "options-clash",
            field: "options".to_owned(),
            message: error.unwrap_or("these options do not go together").to_owned(),
            help: None,
        }]),
    }
}

/// A table but for its head and its code.
pub(crate) struct Parts {
    rules: Rules,
}

impl Parts {
    fn finish(self, builder: Builder<'_>, ids: Ids, digest: &str) -> Rules {
        let document = builder.document;
        let named = document.options.iter().zip(&builder.options);
        Rules {
            identity: Identity {
                id: document.rules.value.clone(),
                version: document.version.value.clone(),
                digest: digest.to_owned(),
            },
            options: named.map(|(option, value)| (option.name.value.clone(), options::text(value))).collect(),
            lines: ids.infos,
            code: builder.code,
            programs: builder.programs,
            ..self.rules
        }
        .finished()
    }
}

impl<'d> Builder<'d> {
    /// Builds everything, reporting what is wrong; the landing and passing lines beside it for the warnings.
    ///
    /// `None` where there is no board to build on.
    pub(crate) fn parts(&mut self, ids: &Ids, players: Vec<Seat>) -> (Option<Parts>, [Vec<Ruling<'d>>; 2]) {
        self.players = Some(players.len() as u8);
        self.read_tags();
        let seats = self.seats(players);
        let landings = self.rulings(Table::Landing, ids);
        let passings = self.rulings(Table::Passing, ids);
        let classes = verdicts::classes(&[&landings, &passings]);
        let landing = self.verdicts(Table::Landing, &landings, &classes, seats.teams);
        let passing = self.verdicts(Table::Passing, &passings, &classes, seats.teams);
        let (spend, kept) = self.spend(ids);
        let must = self.must(ids, &kept);
        let [counters, game_counters, marks] = self.counters();
        let first = self.first(&seats.players);
        let (dice, numbers, turn, finish) = (self.dice(), self.numbers(ids), self.turn(), self.finish());
        let (on, choices) = (self.on(ids), self.choices(ids));
        let (pawns, start, cut_to) = self.pawns();
        if !self.path.sound {
            return (None, [landings, passings]);
        }
        let tracks_newest = landing.can_answer(Answer::CutLast) || landing.can_answer(Answer::CutLastOfAll);
        let rules = Rules {
            identity: Identity { id: String::new(), version: String::new(), digest: String::new() },
            options: Vec::new(),
            lines: Vec::new(),
            seats: self.seat_infos(),
            players: seats.players,
            next: seats.next,
            right: seats.right,
            partner: seats.partner,
            teams: seats.teams,
            first,
            board: self.board(&classes),
            pawns,
            start,
            dice,
            numbers,
            turn,
            spend,
            must,
            landing,
            passing,
            on,
            choices,
            finish,
            counters,
            game_counters,
            marks,
            cut_to,
            tracks_newest,
            undoes: false,
            code: Vec::new(),
            programs: Vec::new(),
            questions: Questions::default(),
            begin: Lines::default(),
            ahead: Ahead::default(),
            quick: None,
        };
        (Some(Parts { rules }), [landings, passings])
    }

    /// How many pawns each colour has, where they stand when the game begins, and where captured ones go.
    fn pawns(&mut self) -> (u8, [Place; MAX_PAWNS], Place) {
        let part = &self.document.pawns;
        let each = part.each.value;
        if !(1..=MAX_PAWNS as u8).contains(&each) {
            let message = format!("{each} pawns a colour");
            self.report.error("pawn-count", part.each.span, message, Some(format!("from 1 to {MAX_PAWNS}")));
        }
        let mut start = None;
        for (labels, when) in &part.start {
            let mut places = [0; MAX_PAWNS];
            for (place, label) in places.iter_mut().zip(labels) {
                *place = self.place(label);
            }
            // A line with a condition may set up a game of more or fewer pawns.
            let fits = labels.len() == each as usize || when.is_some() && (1..=MAX_PAWNS).contains(&labels.len());
            if !fits {
                let span = labels.first().map_or(part.span, |label| label.span);
                let message = format!("{} squares to begin on for {each} pawns", labels.len());
                self.report.error("pawn-count", span, message, Some("one square a pawn".to_owned()));
            }
            if self.decided(when.as_ref()) && start.is_none() {
                start = Some((labels.len() as u8, places));
            }
        }
        if start.is_none() {
            let help = Some("let the last line of `start` have no `when`".to_owned());
            self.report.error("no-start", part.span, "nothing says where the pawns begin".to_owned(), help);
        }
        let cut_to = part.cut_to.as_ref().map_or(0, |label| self.place(label));
        let (count, start) = start.unwrap_or((each, [0; MAX_PAWNS]));
        (count, start, cut_to)
    }
}
