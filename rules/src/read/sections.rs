//! The document: head, options, players, counters, and the sections put together.

use crate::document::{At, CounterLine, Document, OptionKind, OptionLine, PlayersLine, Text};
use crate::read::tree::{Entry, Tree};
use crate::read::values::{each, expression, flag, integer, optional, required, text, texts, truth};
use crate::read::{clauses, parts, table_lines};
use crate::source::{Report, Span};

/// Builds the document of a checked tree.
pub(crate) fn document(root: &Tree, extends: Option<Text>, report: &mut Report) -> Option<Document> {
    let options = options(root, report);
    let counters = Counters::read(root, report);
    let counters = counters?;
    let mut other_clauses = Vec::new();
    clauses::others(root, "", &mut other_clauses);
    Some(Document {
        rules: required(root, "rules", text)?,
        version: required(root, "version", text)?,
        title: required(root, "title", text)?,
        titles: titles(root)?,
        region: optional(root, "region", text)?,
        period: optional(root, "period", text)?,
        sources: required(root, "sources", texts)?,
        about: optional(root, "about", text)?,
        extends,
        options: options?,
        board: required(root, "board", parts::board)?,
        pawns: required(root, "pawns", parts::pawns)?,
        players: optional(root, "players", |tree| each(tree, players))?.unwrap_or_default(),
        teams: match root.get("teams") {
            Some(teams) => Some(required(teams, "opposite", expression)?),
            None => None,
        },
        dice: required(root, "dice", parts::dice)?,
        numbers: table_lines::read(root, "numbers", table_lines::numbers)?,
        turn: required(root, "turn", parts::turn)?,
        seat_counters: counters.seat,
        game_counters: counters.game,
        pawn_marks: counters.pawn,
        spend: table_lines::read(root, "spend", table_lines::spend)?,
        must: table_lines::read(root, "must", table_lines::must)?,
        landing: table_lines::read(root, "landing", table_lines::landing)?,
        passing: table_lines::read(root, "passing", table_lines::passing)?,
        on: table_lines::read(root, "on", table_lines::on)?,
        choices: table_lines::read(root, "choices", table_lines::choices)?,
        finish: required(root, "finish", parts::finish)?,
        other_clauses,
    })
}

fn titles(root: &Tree) -> Option<Vec<(Text, Text)>> {
    let entries = root.get("titles").map_or(&[][..], Tree::entries);
    entries.iter().map(|entry| Some((key_text(entry), text(&entry.value)?))).collect()
}

fn key_text(entry: &Entry) -> Text {
    At { value: entry.key.clone(), span: entry.key_span }
}

fn players(line: &Tree) -> Option<PlayersLine> {
    let seats = match line.get("seats") {
        Some(seats) => Ok(texts(seats)?),
        None => Err(required(line, "any", integer)?),
    };
    Some(PlayersLine { seats, when: optional(line, "when", expression)?, clauses: clauses::all(line), span: line.span })
}

/// All options; every one is tried, so that each problem is reported.
fn options(root: &Tree, report: &mut Report) -> Option<Vec<OptionLine>> {
    let entries = root.get("options").map_or(&[][..], Tree::entries);
    let lines: Vec<_> = entries.iter().map(|entry| option(entry, report)).collect();
    lines.into_iter().collect()
}

fn option(entry: &Entry, report: &mut Report) -> Option<OptionLine> {
    let tree = &entry.value;
    let default = tree.get("default")?;
    let kind = if let Some(words) = optional(tree, "one_of", texts)? {
        let default = text(default)?;
        if !words.iter().any(|word| word.value == default.value) {
            let message = format!("`{}` is not one of the words to choose from", default.value);
            report.error("bad-default", default.span, message);
        }
        OptionKind::OneOf { words, default }
    } else if let Some((from, to)) = range(tree, &entry.key, report)? {
        let default = start_within(default, &from, &to, report)?;
        OptionKind::Range { from, to, default }
    } else {
        is_truth(tree, report)?;
        let Some(default) = truth(default) else {
            let message = "the default is `yes` or `no`";
            report.error("bad-default", default.span, message);
            return None;
        };
        OptionKind::Truth { default }
    };
    let mut found = clauses::all(tree);
    if let Some(named) = optional(tree, "clause", texts)? {
        found.extend(named.into_iter().map(|clause| clause.value));
        found.dedup();
    }
    Some(OptionLine {
        name: key_text(entry),
        kind,
        text: required(tree, "text", text)?,
        clauses: found,
        span: whole(entry),
    })
}

/// From the key to the end of a value on its line.
fn whole(entry: &Entry) -> Span {
    let (key, value) = (entry.key_span, entry.value.span);
    let end = value.column + value.width;
    let width = if value.line == key.line && end > key.column { end - key.column } else { key.width };
    Span { width, ..key }
}

struct Counters {
    seat: Vec<CounterLine>,
    game: Vec<CounterLine>,
    pawn: Vec<CounterLine>,
}

impl Counters {
    fn read(root: &Tree, report: &mut Report) -> Option<Self> {
        let mut of = |whose: &str| {
            let tree = root.get("counters").and_then(|tree| tree.get(whose));
            let entries = tree.map_or(&[][..], Tree::entries);
            let lines: Vec<_> = entries.iter().map(|entry| counter(entry, report)).collect();
            lines.into_iter().collect::<Option<Vec<_>>>()
        };
        let (seat, game, pawn) = (of("seat"), of("game"), of("pawn"));
        Some(Self { seat: seat?, game: game?, pawn: pawn? })
    }
}

fn counter(entry: &Entry, report: &mut Report) -> Option<CounterLine> {
    let tree = &entry.value;
    let range = range(tree, &entry.key, report)?;
    let start = match (tree.get("start"), &range) {
        (None, _) => None,
        (Some(start), Some((from, to))) => Some(start_within(start, from, to, report)?),
        (Some(start), None) => {
            let Some(truth) = truth(start) else {
                let message = format!("`{}` starts as `yes` or `no`", entry.key);
                report.error("bad-default", start.span, message);
                return None;
            };
            Some(At { value: i64::from(truth.value), span: truth.span })
        }
    };
    if range.is_none() {
        is_truth(tree, report)?;
    }
    Some(CounterLine {
        name: key_text(entry),
        range,
        start,
        hidden: flag(tree, "hidden")?,
        clauses: clauses::all(tree),
        span: whole(entry),
    })
}

/// `from` and `to`, the least first.
fn range(tree: &Tree, name: &str, report: &mut Report) -> Option<Option<(At<i64>, At<i64>)>> {
    let Some(from) = optional(tree, "from", integer)? else {
        return Some(None);
    };
    let to: At<i64> = required(tree, "to", integer)?;
    if from.value > to.value {
        let message = format!("`{name}` ends at {} before it begins at {}", to.value, from.value);
        report.error("empty-range", to.span, message);
        return None;
    }
    Some(Some((from, to)))
}

fn start_within(tree: &Tree, from: &At<i64>, to: &At<i64>, report: &mut Report) -> Option<At<i64>> {
    let number = integer(tree).filter(|number| (from.value..=to.value).contains(&number.value));
    if number.is_none() {
        let message = format!("this is a number from {} to {}", from.value, to.value);
        report.error("bad-default", tree.span, message);
    }
    number
}

/// `truth: no` declares nothing.
fn is_truth(tree: &Tree, report: &mut Report) -> Option<()> {
    let declared = required(tree, "truth", truth)?;
    if declared.value {
        return Some(());
    }
    let message = "`truth: yes` declares a truth value; `no` means nothing here";
    report.error("bad-truth", declared.span, message);
    None
}
