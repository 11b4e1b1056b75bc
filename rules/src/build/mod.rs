//! Makes tables of a rule set: names resolved, types proven, options folded in.
//!
//! A check and a game build their tables by the same code. [`check`] builds the table of the default options, and one
//! for every other value of an option, so that problems are found before anybody plays.

mod board;
mod bounds;
mod builder;
mod dice;
mod effects;
mod findings;
mod line_numbers;
mod named;
mod options;
mod path;
mod pattern;
mod reachable;
mod resolve;
mod rulings;
mod scope;
mod seats;
mod spend;
mod table_part;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod trials;
mod verdicts;
mod warn;

use builder::Builder;
use findings::Findings;
use line_numbers::LineNumbers;
use seats::Seats;
use table_part::{Input, TablePart};
use verdicts::TwoTables;

use crate::document::{Document, StartLine};
use crate::ruleset::{Options, TableProblem};
use crate::tables::{
    Board, Choice, Code, Counter, Counters, Dice, Event, Events, Finish, First, Identity, Moves, Must, Numbers, Pawns,
    Rule, Rules, Seating, Spend, Throws, Turn,
};
use crate::units::{MAX_PAWNS, PathPlace, Seat};

pub(crate) use trials::check;

/// Builds the table with these options (defaults for the rest) and these seats (`None`: the full table).
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
    let ids = LineNumbers::new(document);
    let parts = builder.parts(&ids, seats, None);
    report.absorb(std::mem::take(&mut builder.report), None);
    match (parts, report.first_error()) {
        (Some(parts), None) => Ok(parts.finish(builder, ids, digest)),
        // The check has tried every value of every option by itself. Only a combination of values can fail here.
        (_, error) => Err(vec![TableProblem {
            code: "options-clash",
            field: "options".to_owned(),
            message: error.unwrap_or("these options do not go together").to_owned(),
            help: None,
        }]),
    }
}

/// The parts of a table, without the id of the rule set and the programs.
#[derive(Debug)]
pub(crate) struct TableParts<'d> {
    tags: TablePart<()>,
    players: Vec<Seat>,
    teams: TablePart<bool>,
    seats: TablePart<Seats>,
    verdicts: TablePart<TwoTables<'d>>,
    spend: TablePart<(Vec<Spend>, Vec<Must>)>,
    counters: TablePart<[Vec<Counter>; 3]>,
    first: TablePart<First>,
    dice: TablePart<Dice>,
    numbers: TablePart<Vec<Numbers>>,
    turn: TablePart<Turn>,
    finish: TablePart<Finish>,
    on: TablePart<[Vec<Rule>; Event::COUNT]>,
    choices: TablePart<Vec<Choice>>,
    pawns: TablePart<Pawns>,
    board: TablePart<Board>,
}

impl TableParts<'_> {
    fn finish(self, builder: Builder<'_>, ids: LineNumbers, digest: &str) -> Rules {
        let document = builder.document;
        let named = document.options.iter().zip(&builder.options);
        let (seats, verdicts) = (self.seats.take(), self.verdicts.take());
        let [landing, passing] = verdicts.tables;
        let (spend, must) = self.spend.take();
        let [seat, game, marks] = self.counters.take();
        let options = named.map(|(option, value)| (option.name.value.clone(), value.clone())).collect();
        Rules {
            identity: Identity {
                id: document.rules.value.clone(),
                version: document.version.value.clone(),
                digest: digest.to_owned(),
                options,
            },
            lines: ids.infos,
            seating: Seating {
                seats: builder.seat_infos(),
                players: self.players,
                next: seats.next,
                right: seats.right,
                partner: seats.partner,
                teams: self.teams.take(),
                first: self.first.take(),
            },
            board: self.board.take(),
            pawns: self.pawns.take(),
            throws: Throws { dice: self.dice.take(), numbers: self.numbers.take() },
            turn: self.turn.take(),
            moves: Moves { spend, must, landing, passing },
            events: Events { on: self.on.take(), choices: self.choices.take() },
            finish: self.finish.take(),
            counters: Counters { seat, game, marks },
            code: Code { ops: builder.code, programs: builder.programs },
        }
    }
}

impl<'d> Builder<'d> {
    /// Builds all parts and reports their problems. Parts of `before` that have the same inputs are reused.
    ///
    /// `None`: the path has errors, so no board can be built.
    pub(crate) fn parts(
        &mut self,
        ids: &LineNumbers,
        players: Vec<Seat>,
        mut before: Option<&TableParts<'d>>,
    ) -> Option<TableParts<'d>> {
        self.players = Some(players.len() as u8);
        if before.is_some_and(|before| before.players != players) {
            self.changed.insert(Input::Players);
        }
        let tags = self.part(before.map(|before| &before.tags), Self::read_tags);
        // Every list of places may name a tag, so other tags mean that all parts are built anew.
        before = before.filter(|before| before.tags.is(&tags));
        let teams = self.part(before.map(|before| &before.teams), Self::teams);
        let seats = self.part(before.map(|before| &before.seats), |builder| {
            builder.lean_on(&teams);
            builder.seats(&players, *teams)
        });
        let verdicts = self.part(before.map(|before| &before.verdicts), |builder| {
            builder.lean_on(&teams);
            builder.two_tables(ids, *teams)
        });
        let spend = self.part(before.map(|before| &before.spend), |builder| {
            let (spend, kept) = builder.spend(ids);
            (spend, builder.must(ids, &kept))
        });
        let counters = self.part(before.map(|before| &before.counters), Self::counters);
        let first = self.part(before.map(|before| &before.first), |builder| builder.first(&players));
        let dice = self.part(before.map(|before| &before.dice), Self::dice);
        let numbers = self.part(before.map(|before| &before.numbers), |builder| builder.numbers(ids));
        let turn = self.part(before.map(|before| &before.turn), Self::turn);
        let finish = self.part(before.map(|before| &before.finish), Self::finish);
        let on = self.part(before.map(|before| &before.on), |builder| builder.on(ids));
        let choices = self.part(before.map(|before| &before.choices), |builder| builder.choices(ids));
        let pawns = self.part(before.map(|before| &before.pawns), Self::pawns);
        if !self.path.sound {
            return None;
        }
        let board = self.part(before.map(|before| &before.board), |builder| {
            builder.lean_on(&verdicts);
            builder.board(&verdicts.classes)
        });
        Some(TableParts {
            tags,
            players,
            teams,
            seats,
            verdicts,
            spend,
            counters,
            first,
            dice,
            numbers,
            turn,
            finish,
            on,
            choices,
            pawns,
            board,
        })
    }

    fn pawns(&mut self) -> Pawns {
        let part = &self.document.pawns;
        let each = part.each.value;
        let mut start = None;
        for StartLine { pawns: labels, when, .. } in &part.start {
            let mut places = [PathPlace::OUT; MAX_PAWNS];
            for (place, label) in places.iter_mut().zip(labels) {
                *place = self.place(label);
            }
            // A line with a condition may have another number of labels: an option may change the number of pawns.
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
        let cut_to = part.cut_to.as_ref().map_or(PathPlace::OUT, |label| self.place(label));
        let (count, start) = start.unwrap_or((each, [PathPlace::OUT; MAX_PAWNS]));
        Pawns { count, start, cut_to }
    }
}
