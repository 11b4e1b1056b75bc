//! The tables that a check builds: one with the default options, then one for every other value of every option and one
//! for every line of `players`.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::findings::Findings;
use super::fixed::{self, Comparisons};
use super::line_numbers::LineNumbers;
use super::path::Path;
use super::reachable::{Reachable, Way};
use super::table_part::Input;
use super::{TableParts, options, verdicts, warn};
use crate::document::{DiceSection, Document, Expr, Node, PlayersLine, PlayersSeats};
use crate::ruleset::OptionValue;
use crate::source::Report;
use crate::tables::{LineId, Places};
use crate::units::Seat;

/// Maximum number of combinations of options with which one condition is tried.
const MAX_COMBINATIONS: usize = 64;
/// Maximum number of tables that one check builds for values of options. Problems of a further table are reported only
/// when that table is made.
const MAX_CHECKED_TABLES: usize = 256;

/// The results of all tables that a check has built.
#[derive(Debug, Default)]
pub(crate) struct CheckedTables {
    /// Whether the document is whole. If parts of it were left out or have errors, its tables are searched for errors
    /// only, not for warnings.
    pub is_whole: bool,
    /// Lines of `landing` and `passing` that decide at least one case of at least one table.
    pub deciding: BTreeSet<LineId>,
    /// Lines of `landing` and `passing` that decide nothing in at least one table, because earlier lines decide every
    /// case.
    pub shadowed: BTreeSet<LineId>,
    /// Ways to spend that can be used in at least one table.
    pub useful: BTreeSet<Way>,
    /// Ways to spend that cannot be used in at least one table. A warning names those that no table can use: those
    /// that are not in `useful`.
    pub idle: BTreeSet<Way>,
    /// Lines of `spend` that can begin somewhere in at least one table: they move pawns, or pairs where pairs count.
    pub joining: BTreeSet<LineId>,
    /// Places that pawns can reach in at least one table: bit `n` stands for place `n`.
    pub reached: Places,
    /// Places from which numbers can bring a pawn home in at least one table.
    pub homeward: Places,
    /// Places of the table of the default options where pawns are stuck. No table has numbers that bring them home.
    pub stuck: Places,
    /// The comparisons of all tables.
    pub comparisons: Comparisons,
    /// The inputs that any part of any table has used.
    pub inputs: BTreeSet<Input>,
}

/// Reports the problems of a document.
pub(crate) fn check(document: &Document, report: &mut Report) {
    let mut findings = Findings::default();
    super::options::check(document, &mut findings);
    let path = match document.board.path.as_slice() {
        // If the path is left out, nothing is known of it. The rest of the document is checked without a path.
        [] if report.is_partial() => Path::default(),
        _ => super::path::read(document, &mut findings),
    };
    let refused = super::named::check(document, &mut findings);
    if refused.is_empty() {
        run(document, &path, !report.is_partial(), &mut findings);
    } else {
        // Tables are built without the terms that cannot be compiled, such as one that uses itself.
        refused.iter().for_each(|name| report.refuse(name));
        let mut rest = document.clone();
        rest.terms.retain(|term| !refused.contains(term.name.value.as_str()));
        run(&rest, &path, false, &mut findings);
    }
    findings.pour(report);
}

/// Builds the table of the default options, and then the other tables. If the document is not whole, problems that the
/// missing parts may have caused are not reported.
pub(crate) fn run(document: &Document, path: &Path, is_whole: bool, report: &mut Findings) {
    let ids = LineNumbers::new(document);
    let mut results = CheckedTables { is_whole, ..CheckedTables::default() };
    let defaults = options::defaults(document);
    let before = report.errors();
    let mut terms = Builder::new(document, path, defaults.clone());
    terms.players = Some(document.board.seats.len() as u8);
    terms.read_tags();
    terms.check_terms();
    report.absorb(terms.report, None);
    let mut base = Builder::new(document, path, defaults.clone());
    let parts = attempt(&mut base, None, &ids, None, &mut results);
    report.absorb(std::mem::take(&mut base.report), None);
    if !path.sound {
        return;
    }
    results.is_whole &= report.errors() == before;
    let mut attempt_beside = |values, players, note: &str| {
        let mut builder = base.beside(values);
        attempt(&mut builder, players, &ids, parts.as_ref(), &mut results);
        report.absorb(builder.report, Some(note));
    };
    let mut left = MAX_CHECKED_TABLES;
    for (index, option) in document.options.iter().enumerate() {
        for value in options::values(option).0.into_iter().filter(|value| *value != defaults[index]).take(left) {
            left -= 1;
            let note = format!("`{}` is `{}`", option.name.value, value.written());
            let mut values = defaults.clone();
            values[index] = value;
            attempt_beside(values, None, &note);
        }
    }
    for (index, line) in document.players.iter().enumerate() {
        let tried = combinations(document, line.when.iter());
        let fitting = tried.values.into_iter().find(|values| holds(document, path, values, line.when.as_ref()));
        if let Some(values) = fitting {
            attempt_beside(values, Some(line), &format!("players line {} is played", index + 1));
        }
    }
    if report.errors() == before && results.is_whole {
        // Pawns have to come home unless a condition says when a seat has finished.
        if let Some(parts) = parts.filter(|_| document.finish.when.is_none()) {
            results.stuck = parts.stuck(results.reached & !results.homeward, &base.code);
            if let Some(place) = parts.stuck_at_start(results.stuck) {
                let label = &path.labels[place.index()];
                let message = format!("a pawn that begins on `{label}` cannot come home, so its seat never finishes");
                let help = "look at `from`, `exactly`, `steps` and `when` of the lines of `spend`";
                report.error("home-out-of-reach", document.pawns.span, message, Some(help.to_owned()));
                results.stuck = 0;
            }
        }
        warn::warn(document, path, &ids, &results, report);
    }
}

/// Builds one table, with the seats of a line of `players` or with the full table.
fn attempt<'d>(
    builder: &mut Builder<'d>,
    players: Option<&PlayersLine>,
    ids: &LineNumbers,
    before: Option<&TableParts<'d>>,
    results: &mut CheckedTables,
) -> Option<TableParts<'d>> {
    let document = builder.document;
    let seats = match players {
        Some(line) => match &line.seats {
            PlayersSeats::Colours(colours) => Some(builder.first_of_each(colours)),
            PlayersSeats::These(names) => {
                let index_of = |name: &str| document.board.seats.iter().position(|seat| seat.value == name);
                let mut seats: Vec<Seat> =
                    names.iter().filter_map(|name| index_of(&name.value)).map(|index| Seat(index as u8)).collect();
                seats.sort();
                Some(seats)
            }
            PlayersSeats::Any(any) => Some((0..any.value).map(Seat).collect()),
        },
        None => builder.choose_seats(None).ok(),
    };
    if seats.is_none() {
        let span = document.players.last().map_or(document.board.span, |line| line.span);
        let help = Some("write one line whose `when` is true with every choice of options".to_owned());
        builder.report.error("nobody-plays", span, "with some options, no line of `players` applies".to_owned(), help);
    }
    let fallback = || (0..document.board.seats.len().min(4) as u8).map(Seat).collect();
    let parts = builder.table_parts(ids, seats.unwrap_or_else(fallback), before);
    if let (Some(parts), 0, true) = (&parts, builder.report.errors(), results.is_whole) {
        results.look(builder, parts, before);
    }
    results.inputs.append(&mut builder.inputs);
    fixed::add_all(&mut results.comparisons, std::mem::take(&mut builder.comparisons));
    parts
}

impl CheckedTables {
    /// Adds the results of a table without errors. A part that is shared with the table `before` adds nothing new.
    fn look(&mut self, builder: &mut Builder<'_>, parts: &TableParts<'_>, before: Option<&TableParts<'_>>) {
        let document = builder.document;
        if before.is_none_or(|before| !before.verdicts.is(&parts.verdicts)) {
            let has_colours = |line: &PlayersLine| matches!(line.seats, PlayersSeats::Colours(_));
            let has_friends = document.teams.is_some() || document.players.iter().any(has_colours);
            let teams: &[bool] = if has_friends { &[false, true] } else { &[false] };
            for rulings in &parts.verdicts.rulings {
                let hidden = verdicts::shadowed(rulings, teams);
                self.deciding.extend(rulings.iter().map(|ruling| ruling.line).filter(|line| !hidden.contains(line)));
                self.shadowed.extend(hidden);
            }
        }
        if before.is_none_or(|before| !before.reaches_like(parts)) {
            let reach = Reachable::of(parts, &builder.code);
            let ends_at_home = document.finish.when.is_none();
            if ends_at_home && reach.places >> (parts.board.len - 1) & 1 == 0 {
                report_unreachable_home(builder, parts, &reach);
            }
            self.reached |= reach.places;
            self.homeward |= reach.homeward;
            self.useful.extend(reach.useful);
            self.idle.extend(reach.idle);
            self.joining.extend(reach.joining);
        }
    }
}

fn report_unreachable_home(builder: &mut Builder<'_>, parts: &TableParts<'_>, reach: &Reachable) {
    let last = reach.places.checked_ilog2().unwrap_or_default() as usize;
    let message = match parts.board.labels.get(last).filter(|_| last > 0) {
        Some(label) => format!("no pawn can come home: `{label}` is the last place that one can reach"),
        None => "no pawn can come home: none can leave the place off the board".to_owned(),
    };
    let mut help = "look at the lines of `spend`, at the dice and at the gate".to_owned();
    let mut movers = builder.document.spend.iter().flat_map(|line| &line.movers);
    if builder.document.board.pairs_on.is_empty() && movers.any(|mover| mover.value.is_joint()) {
        help = "pairs and groups move where pairs count: name the places by `pairs_on` in `board`".to_owned();
    }
    if let DiceSection::Dice { faces, .. } = &builder.document.dice
        && let [only] = faces.as_slice()
    {
        help = format!("every face of a die is {}: `faces` lists all faces, as in [1, 2, 3, 4, 5, 6]", only.value);
    }
    // The zone where the way ends is marked.
    let zone = builder.path.zone.get(last).map_or(0, |&zone| usize::from(zone));
    let span = builder.document.board.path.get(zone).map_or(builder.document.board.span, |line| line.span);
    builder.report.error("home-out-of-reach", span, message, Some(help));
}

/// Combinations of option values with which conditions are tried.
pub(crate) struct Combinations {
    /// The combinations. Each one has a value for every option.
    pub values: Vec<Vec<OptionValue>>,
    /// Whether these are all combinations of the options that the conditions name.
    pub all: bool,
}

/// Combines the values of all options that the conditions name. Other options keep their defaults.
pub(crate) fn combinations<'e>(document: &'e Document, conditions: impl IntoIterator<Item = &'e Expr>) -> Combinations {
    let mut named = BTreeSet::new();
    for condition in conditions {
        names(document, condition, &mut named);
    }
    let mut made = Combinations { values: vec![options::defaults(document)], all: true };
    for (index, option) in document.options.iter().enumerate() {
        if !named.contains(option.name.value.as_str()) {
            continue;
        }
        let (values, whole) = options::values(option);
        if made.values.len() * values.len() > MAX_COMBINATIONS {
            made.all = false;
            break;
        }
        made.all &= whole;
        let with = |value: &OptionValue, others: &Vec<OptionValue>| {
            let mut changed = others.clone();
            changed[index] = value.clone();
            changed
        };
        made.values = made.values.iter().flat_map(|others| values.iter().map(|value| with(value, others))).collect();
    }
    made
}

/// Whether a condition that depends only on options holds.
fn holds(document: &Document, path: &Path, values: &[OptionValue], when: Option<&Expr>) -> bool {
    let mut builder = Builder::new(document, path, values.to_vec());
    when.is_none_or(|when| builder.resolve(when, super::scope::Scope::OPTIONS).1.known_truth() == Some(true))
}

/// Collects the names without qualifier in an expression and in the terms that it uses.
fn names<'e>(document: &'e Document, expr: &'e Expr, found: &mut BTreeSet<&'e str>) {
    match &expr.node {
        Node::Name(None, name) => {
            let is_new = found.insert(name);
            if let Some(term) = document.terms.iter().find(|term| is_new && term.name.value == *name) {
                names(document, &term.value, found);
            }
        }
        Node::Unary(_, inner) | Node::Count(_, inner) | Node::Chosen(_, _, inner) => names(document, inner, found),
        Node::In(inner, items) => {
            names(document, inner, found);
            found.extend(items.iter().map(|item| item.value.as_str()));
        }
        Node::Binary(_, a, b) => {
            names(document, a, found);
            names(document, b, found);
        }
        Node::If(a, b, c) => [a, b, c].into_iter().for_each(|part| names(document, part, found)),
        Node::Number(_) | Node::Truth(_) | Node::Name(Some(_), _) | Node::Call(..) => {}
    }
}
