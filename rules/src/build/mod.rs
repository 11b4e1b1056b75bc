//! Makes tables of a rule set: resolves names, checks types, and replaces options by their chosen values.
//!
//! A check and a game build their tables by the same code. [`check`] builds the table of the default options, and one
//! for every other value of an option, so that problems are found before anybody plays.

mod board;
mod builder;
mod checked_tables;
mod colours;
mod comparisons;
mod counts;
mod dice;
mod effects;
mod findings;
mod fixed;
mod goals;
mod line_numbers;
mod mismatch;
mod named;
mod no_effect;
mod operators;
mod options;
mod path;
mod pattern;
mod reachable;
mod resolve;
mod rulings;
mod scope;
mod seats;
mod spend;
mod stuck;
mod table_part;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod verdicts;
mod warn;
mod ways;

use builder::Builder;
use findings::{Findings, meant};
use line_numbers::LineNumbers;
use seats::Seats;
use table_part::{Input, TablePart};
use verdicts::TwoTables;

use crate::document::{Document, StartLine};
use crate::ruleset::{Options, PlayableTable, TableProblem};
use crate::tables::{
    Board, Choice, Counter, CounterTable, Dice, Event, Events, Finish, First, Moves, Must, Numbers, Pawns, Places,
    ProgramCode, Rule, RuleSetIdentity, Rules, Seating, Spend, Throws, Turn,
};
use crate::texts::sentence;
use crate::units::{MAX_PAWNS, MAX_SEATS, PathPlace, Seat};

pub(crate) use checked_tables::check;

/// Builds a table. An option that is not given has its default. Without `players` all seats of the full table play.
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
    let parts = builder.table_parts(&ids, seats, None);
    report.absorb(std::mem::take(&mut builder.report), None);
    match (parts, report.first_error()) {
        (Some(parts), None) => Ok(parts.finish(builder, ids, digest)),
        // The check of the rule set has tried every value of every option, but not every combination of values. An
        // error here can only come from such a combination.
        (_, error) => Err(vec![TableProblem {
            code: "options-clash",
            field: "options".to_owned(),
            message: match error {
                Some(reason) => sentence!("these options do not go together: {reason}", reason = reason),
                None => sentence!("these options do not go together"),
            },
            help: None,
        }]),
    }
}

/// Lists the groups of seats that can play together. An option that is not given has its default.
pub(crate) fn playable_tables(document: &Document, chosen: &Options) -> Result<Vec<PlayableTable>, Vec<TableProblem>> {
    let values = options::choose(document, chosen)?;
    let path = path::read(document, &mut Findings::default());
    Ok(Builder::new(document, &path, values).playable_tables())
}

/// The parts of a table. The id of the rule set and the compiled programs are added at the end.
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
    /// The places where pairs count with some choice of options. The search for reachable places tries one option at a
    /// time, so it assumes that all conditions of `pairs_on` hold.
    pairing: Places,
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
            identity: RuleSetIdentity {
                id: document.rules.value.clone(),
                bases: Vec::new(), // the caller knows the files
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
                colours: seats.colours,
                player: seats.player,
                shares: seats.shares,
                friends: seats.friends,
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
            counters: CounterTable { seat, game, marks },
            code: ProgramCode { ops: builder.code, programs: builder.programs },
        }
    }
}

impl<'d> Builder<'d> {
    /// Builds all parts of a table and reports their problems. Parts of the table `before` are reused if their inputs
    /// are the same.
    ///
    /// Returns `None` if the path has errors, because no board can be built then.
    pub(crate) fn table_parts(
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
        // Any list of places may name a tag. If the tags differ, all parts are therefore built anew.
        before = before.filter(|before| before.tags.is(&tags));
        let teams = self.part(before.map(|before| &before.teams), |builder| builder.teams(&players));
        let seats = self.part(before.map(|before| &before.seats), |builder| {
            builder.lean_on(&teams);
            builder.seats(&players, *teams)
        });
        let verdicts = self.part(before.map(|before| &before.verdicts), |builder| {
            builder.lean_on(&teams);
            builder.lean_on(&seats);
            builder.two_tables(ids, *teams || seats.shares)
        });
        let spend = self.part(before.map(|before| &before.spend), |builder| {
            let (spend, kept) = builder.spend(ids);
            (spend, builder.must(ids, &kept))
        });
        let counters = self.part(before.map(|before| &before.counters), Self::counters);
        let first = self.part(before.map(|before| &before.first), |builder| builder.first(&players));
        let dice = self.part(before.map(|before| &before.dice), Self::dice);
        let numbers = self.part(before.map(|before| &before.numbers), |builder| builder.numbers(ids));
        let turn = self.part(before.map(|before| &before.turn), |builder| {
            builder.lean_on(&seats);
            builder.turn(seats.shares)
        });
        let finish = self.part(before.map(|before| &before.finish), Self::finish);
        let on = self.part(before.map(|before| &before.on), |builder| builder.on(ids));
        let choices = self.part(before.map(|before| &before.choices), |builder| {
            builder.lean_on(&seats);
            builder.choices(ids, seats.shares)
        });
        let pawns = self.part(before.map(|before| &before.pawns), Self::pawns);
        if !self.path.sound {
            return None;
        }
        let board = self.part(before.map(|before| &before.board), |builder| {
            builder.lean_on(&verdicts);
            builder.board(&verdicts.classes)
        });
        let pairing = self.document.board.pairs_on.iter().fold(0, |all, line| all | self.places(&line.squares));
        Some(TableParts {
            pairing,
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
        let seats_of_board = &self.document.board.seats;
        let mut starts: [Option<(u8, [PathPlace; MAX_PAWNS])>; MAX_SEATS] = [None; MAX_SEATS];
        for StartLine { pawns: labels, seats, when, .. } in &part.start {
            let mut places = [PathPlace::OUT; MAX_PAWNS];
            for (place, label) in places.iter_mut().zip(labels) {
                *place = self.place(label);
            }
            // An option may change the number of pawns, so a line with a condition may have another number of labels.
            let fits = labels.len() == each as usize || when.is_some() && (1..=MAX_PAWNS).contains(&labels.len());
            if !fits {
                let span = labels.first().map_or(part.span, |label| label.span);
                let squares = if labels.len() == 1 { "square" } else { "squares" };
                let message = format!("`start` has {} {squares} for {each} pawns", labels.len());
                self.report.error("pawn-count", span, message, Some("one square a pawn".to_owned()));
            }
            for name in seats.iter().filter(|name| seats_of_board.iter().all(|seat| seat.value != name.value)) {
                let help = meant(&name.value, seats_of_board.iter().map(|seat| seat.value.as_str()));
                self.report.error("unknown-seat", name.span, format!("no seat is called `{}`", name.value), help);
            }
            let holds = self.decided(when.as_ref());
            for (start, seat) in starts.iter_mut().zip(seats_of_board) {
                let is_for = seats.is_empty() || seats.iter().any(|name| name.value == seat.value);
                if holds && is_for && start.is_none() {
                    *start = Some((labels.len() as u8, places));
                }
            }
        }
        let starts = &mut starts[..seats_of_board.len().min(MAX_SEATS)];
        let start = starts.iter().copied().find(Option::is_none).unwrap_or(starts.first().copied().flatten());
        if let Some(other) = starts.iter().flatten().find(|(count, _)| start.is_some_and(|(first, _)| first != *count))
        {
            let message = format!("one seat has {} pawns, another one {}", start.map_or(0, |first| first.0), other.0);
            let help = Some("all seats have equally many pawns".to_owned());
            self.report.error("pawn-count", part.span, message, help);
        }
        if start.is_none() {
            let help = Some("let the last line of `start` have no `when`".to_owned());
            self.report.error("no-start", part.span, "nothing says where the pawns begin".to_owned(), help);
        }
        let cut_to = part.cut_to.as_ref().map_or(PathPlace::OUT, |label| self.place(label));
        let count = start.map_or(each, |(count, _)| count);
        let mut start = [[PathPlace::OUT; MAX_PAWNS]; MAX_SEATS];
        for (places, made) in start.iter_mut().zip(starts) {
            *places = made.map_or([PathPlace::OUT; MAX_PAWNS], |(_, places)| places);
        }
        Pawns { count, start, cut_to }
    }
}
