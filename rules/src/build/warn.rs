//! Warnings about unused names, lines that never decide, and squares that no pawn can reach.

use super::builder::Builder;
use super::checked_tables::{CheckedTables, combinations};
use super::findings::Findings;
use super::fixed;
use super::line_numbers::LineNumbers;
use super::no_effect;
use super::options;
use super::path::Path;
use super::reachable::way;
use super::scope::Scope;
use super::table_part::Input;
use crate::document::{At, Document, EffectKind, EffectText, Expr, Node, Text, Who};
use crate::source::Span;
use crate::tables::{Company, Mover, Places, With};
use crate::units::{MAX_STEP, PathPlace};
use crate::word::Word;

/// Adds all warnings about a rule file without errors.
pub(crate) fn warn(
    document: &Document,
    path: &Path,
    ids: &LineNumbers,
    results: &CheckedTables,
    report: &mut Findings,
) {
    unread(document, results, report);
    shadowed(document, ids, results, report);
    asks_enemies(document, report);
    never_hold(document, path, report);
    fixed::warn(&results.comparisons, report);
    places(document, path, results, report);
    never_used(document, ids, results, report);
    no_effect::warn(document, report);
}

fn unread(document: &Document, results: &CheckedTables, report: &mut Findings) {
    let is_unread = |name| !results.inputs.contains(&name);
    let help = || Some("use it, or leave it out".to_owned());
    for (index, option) in document.options.iter().enumerate() {
        if is_unread(Input::Option(index)) {
            let message = format!("nothing uses the option `{}`", option.name.value);
            report.warning("option-unread", option.name.span, message, help());
        }
    }
    for (index, term) in document.terms.iter().enumerate() {
        if is_unread(Input::Term(index)) {
            let message = format!("nothing uses the term `{}`", term.name.value);
            report.warning("term-unused", term.name.span, message, help());
        }
    }
    let seat = document.seat_counters().iter().enumerate().map(|(index, line)| (Input::Counter(index), "", line));
    let game =
        document.game_counters().iter().enumerate().map(|(index, line)| (Input::GameCounter(index), "game.", line));
    let marks = document.pawn_marks().iter().enumerate().map(|(index, line)| (Input::Mark(index), "pawn.", line));
    for (name, prefix, counter) in seat.chain(game).chain(marks) {
        // Players may want to read a counter that no rule reads, such as a score, but not one that never changes.
        let why = match is_changed(document, prefix, &counter.name.value) {
            true if counter.hidden => "players do not see it",
            true => continue,
            false => "nothing changes it",
        };
        if is_unread(name) {
            let message = format!("nothing reads `{prefix}{}`, and {why}", counter.name.value);
            report.warning("counter-unread", counter.name.span, message, help());
        }
    }
}

/// Whether an effect changes a counter of seats (no prefix), a counter of the game (`game.`) or a mark (`pawn.`).
fn is_changed(document: &Document, prefix: &str, name: &str) -> bool {
    effects(document).any(|effect| match &effect.kind {
        EffectKind::Set(whose, changed, _) | EffectKind::Add(whose, changed, _) => {
            let is_of_game = whose.as_deref() == Some("game");
            prefix == if is_of_game { "game." } else { "" } && changed == name
        }
        EffectKind::Mark(changed, _) | EffectKind::MarkEach(changed, ..) => prefix == "pawn." && changed == name,
        _ => false,
    })
}

/// The effects of all lines of `on` and `choices`.
fn effects(document: &Document) -> impl Iterator<Item = &EffectText> {
    let of_on = document.on.iter().flat_map(|line| &line.effects);
    of_on.chain(document.choices.iter().flat_map(|line| &line.effects))
}

fn shadowed(document: &Document, ids: &LineNumbers, results: &CheckedTables, report: &mut Findings) {
    let landing =
        document.landing.iter().enumerate().map(|(index, line)| ("landing", index, &line.id, line.on.value, line.span));
    let passing = document
        .passing
        .iter()
        .enumerate()
        .map(|(index, line)| ("passing", index, &line.id, line.over.value, line.span));
    let has_teams = document.teams.is_some();
    for (section, index, name, pattern, span) in landing.chain(passing) {
        let id = ids.of(section, index);
        if !results.shadowed.contains(&id) || results.deciding.contains(&id) {
            continue;
        }
        let (message, help) = match pattern.fitting() & Company::possible(has_teams) {
            0 => (
                format!("nobody has a partner in this file, so `{}` never fits", name.value),
                "leave it out, or give the file `teams`",
            ),
            _ => (
                format!("earlier lines decide every case, so `{}` never decides", name.value),
                "the first line that fits decides: move it up, or leave it out",
            ),
        };
        report.warning("line-never-fits", span, message, Some(help.to_owned()));
    }
}

/// Warns of lines about own pawns whose conditions read marks by `there.`, which are marks of enemies. A line is meant
/// so if its condition also counts the enemies on the square.
fn asks_enemies(document: &Document, report: &mut Findings) {
    let landing = document.landing.iter().map(|line| (line.on.value, &line.when));
    let passing = document.passing.iter().map(|line| (line.over.value, &line.when));
    for (pattern, when) in landing.chain(passing) {
        let Some(when) = when.as_ref().filter(|_| pattern.who == Who::Own) else { continue };
        let mut asked = Vec::new();
        names_in(document, when, when.span, &mut asked);
        if asked.iter().any(|(whose, name, _)| whose.is_none() && COUNTS_OF_ENEMIES.contains(name)) {
            continue;
        }
        if let Some((_, mark, span)) = asked.iter().find(|(whose, ..)| *whose == Some("there")) {
            let message = format!("`there.{mark}` asks the enemies on the square, and this line is about own pawns");
            let help = format!(
                "`own_there.{mark}` asks the own pawns; `enemies_there > 0 and there.{mark}` means enemies beside them"
            );
            report.warning("asks-enemies", *span, message, Some(help));
        }
    }
}

/// The names by which a condition asks how many enemies are on the square.
const COUNTS_OF_ENEMIES: [&str; 3] = ["enemies_there", "pawns_there", "group_there"];

/// Lists the names of an expression and of the terms that it uses: qualifier, name, and where the expression has it.
fn names_in<'d>(
    document: &'d Document,
    expr: &'d Expr,
    within: Span,
    found: &mut Vec<(Option<&'d str>, &'d str, Span)>,
) {
    match &expr.node {
        Node::Name(whose, name) => {
            let term = document.terms.iter().find(|term| whose.is_none() && term.name.value == *name);
            match term {
                Some(term) => names_in(document, &term.value, within, found),
                None => {
                    let span =
                        if expr.span.file == within.file && expr.span.line == within.line { expr.span } else { within };
                    found.push((whose.as_deref(), name, span));
                }
            }
        }
        Node::Unary(_, inner) | Node::Count(_, inner) | Node::Chosen(_, _, inner) | Node::In(inner, _) => {
            names_in(document, inner, within, found);
        }
        Node::Binary(_, a, b) => [a, b].into_iter().for_each(|part| names_in(document, part, within, found)),
        Node::If(a, b, c) => [a, b, c].into_iter().for_each(|part| names_in(document, part, within, found)),
        Node::Number(_) | Node::Truth(_) | Node::Call(..) => {}
    }
}

/// Warns of lines whose condition is false with every choice of options.
fn never_hold(document: &Document, path: &Path, report: &mut Findings) {
    let landing = document.landing.iter().map(|line| (&line.id, &line.when, Scope::VERDICT));
    let passing = document.passing.iter().map(|line| (&line.id, &line.when, Scope::VERDICT));
    let spend = document.spend.iter().map(|line| (&line.id, &line.when, Scope::SPEND));
    let must = document.must.iter().map(|line| (&line.id, &line.when, Scope::SPEND));
    let numbers = document.numbers.iter().map(|line| (&line.id, &line.when, Scope::NUMBERS));
    for (id, when, scope) in landing.chain(passing).chain(spend).chain(must).chain(numbers) {
        let Some(when) = when else { continue };
        if never(document, path, when, scope) {
            warn_never(id, when, report);
        }
    }
}

fn never(document: &Document, path: &Path, when: &Expr, scope: Scope) -> bool {
    let fails = |values| {
        let mut builder = Builder::new(document, path, values);
        builder.players = Some(document.board.seats.len() as u8);
        let (_, term) = builder.resolve(when, scope);
        builder.report.errors() == 0 && term.known_truth() == Some(false)
    };
    // The defaults are tried first. Most conditions hold with them, which saves trying the other combinations.
    fails(options::defaults(document)) && {
        let tried = combinations(document, [when]);
        tried.all && tried.values.into_iter().all(fails)
    }
}

fn warn_never(id: &Text, when: &Expr, report: &mut Findings) {
    let message = format!("`{}` never holds, whatever the options", id.value);
    report.warning("never-holds", when.span, message, Some("mend the condition, or leave the line out".to_owned()));
}

/// Warns of places that no pawn can reach, and of places where pawns are stuck.
fn places(document: &Document, path: &Path, results: &CheckedTables, report: &mut Findings) {
    // Where a condition says when a seat has finished, pawns need not come home.
    let spare = if document.finish.when.is_some() { path.home().alone() } else { 0 };
    let missed = !(results.reached | spare | PathPlace::OUT.alone());
    for (zone, line) in document.board.path.iter().enumerate() {
        if let Some(labels) = labels_in(path, zone, missed) {
            let help = Some("look at where pawns start and at the lines of `spend`".to_owned());
            report.warning("out-of-reach", line.span, format!("no pawn can come to {labels}"), help);
        }
        if let Some(labels) = labels_in(path, zone, results.stuck) {
            let message = format!("pawns come to {labels}, and no number brings them home from there");
            let help = Some("look at `from`, `exactly`, `steps` and `when` of the lines of `spend`".to_owned());
            report.warning("no-way-home", line.span, message, help);
        }
    }
}

/// Names the places of a zone that are in a set: the first label, and how many more there are. `None` if none is.
fn labels_in(path: &Path, zone: usize, places: Places) -> Option<String> {
    let is_in = |&place: &usize| path.zone[place] as usize == zone && places >> place & 1 == 1;
    let mut labels = (0..path.labels.len()).filter(is_in).map(|place| &path.labels[place]);
    let first = labels.next()?;
    let more = labels.count();
    Some(if more == 0 { format!("`{first}`") } else { format!("`{first}` and {more} more") })
}

/// Warns of spend lines that no throw and no bonus can use.
fn never_used(document: &Document, ids: &LineNumbers, results: &CheckedTables, report: &mut Findings) {
    for (index, line) in document.spend.iter().enumerate() {
        let ways = line.movers.iter().flat_map(|mover| line.with.iter().map(move |with| (mover, with)));
        let is_idle = |(mover, with): &(&At<Mover>, &At<With>)| {
            let way = way(ids.of("spend", index), mover.value, with.value);
            results.idle.contains(&way) && !results.useful.contains(&way)
        };
        let idle: Vec<_> = ways.filter(is_idle).collect();
        let is_granted = || effects(document).any(|effect| matches!(effect.kind, EffectKind::Bonus { .. }));
        // Without `pairs_on` another warning tells of `move` already.
        let is_joint = line.movers.iter().all(|mover| mover.value.is_joint());
        if is_joint && line.span.file == 0 && document.board.pairs_on.is_empty() {
            continue;
        }
        let may_join = !is_joint || results.joining.contains(&ids.of("spend", index));
        let (what, help) = match line.steps {
            _ if line.with.iter().all(|with| with.value == With::Bonus) && !is_granted() => (
                format!("`{}` spends a bonus, and no line grants one", line.id.value),
                "grant it by an effect `bonus STEPS` of `on` or `choices`",
            ),
            _ if !may_join => (
                format!("`{}` moves pairs or groups, and no place where it begins is in `pairs_on`", line.id.value),
                "name places in `pairs_on` of `board`, or move a `pawn`",
            ),
            Some(_) => (
                format!(
                    "`{}` moves no pawn: no throw gives 1 to {MAX_STEP} steps, or no pawn stands where `from` says",
                    line.id.value
                ),
                "look at `steps`, at the dice, at `exactly` and at `from`",
            ),
            None if line.with.iter().all(|with| with.value == With::Bonus) => (
                format!(
                    "no line grants a bonus that `{}` can spend, or no pawn stands where `from` says",
                    line.id.value
                ),
                "look at the lines that grant a bonus, at `exactly` and at `from`",
            ),
            None => (
                format!("no throw gives what `{}` spends, or no pawn stands where `from` says", line.id.value),
                "look at the dice, at `exactly` and at `from`",
            ),
        };
        if idle.len() == line.movers.len() * line.with.len() {
            report.warning("line-never-used", line.span, what, Some(help.to_owned()));
            continue;
        }
        let is_told = |mover: Mover| mover.is_joint() && line.span.file == 0 && document.board.pairs_on.is_empty();
        for (mover, with) in idle.into_iter().filter(|(mover, _)| !is_told(mover.value)) {
            let (id, word) = (&line.id.value, with.value.word());
            let giver = if with.value == With::Bonus { "line grants" } else { "throw gives" };
            let (moved, part) = match line.movers.len() {
                1 => (String::new(), format!("leave `{word}` out of `with`")),
                _ => (format!(" for a `{}`", mover.value.word()), "give it a line of its own".to_owned()),
            };
            let message = format!("`{id}` is used, but never with a `{word}`{moved}: no {giver} one that fits");
            report.warning("way-never-used", with.span, message, Some(part));
        }
    }
}
