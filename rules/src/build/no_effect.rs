//! Warns of parts of a rule file that mean nothing, because the part that they belong to is missing.
//!
//! Only the file that is checked is looked at. A variant may take away what its base needs, and the rest does no harm.

use super::findings::Findings;
use crate::document::{Arrival, At, Document, EffectKind, StartLine};
use crate::source::Span;
use crate::tables::{Argument, Event, Mover, Route, With};
use crate::word::Word;

/// Adds a warning for each part that means nothing.
pub(super) fn warn(document: &Document, report: &mut Findings) {
    let mut warn = |span: Span, message: String, help: &str| {
        if span.file == 0 {
            report.warning("no-effect", span, message, Some(help.to_owned()));
        }
    };
    if document.board.pairs_on.is_empty() {
        let help = "name the places where two pawns are a pair: `pairs_on` in `board`";
        for (span, part) in of_pairs(document) {
            warn(span, format!("{part} means nothing: without `pairs_on` there are no pairs"), help);
        }
    }
    if !document.spend.iter().any(|line| line.with.iter().any(|with| with.value == With::Bonus)) {
        let of_on = document.on.iter().flat_map(|line| &line.effects);
        let effects = of_on.chain(document.choices.iter().flat_map(|line| &line.effects));
        for effect in effects.filter(|effect| matches!(effect.kind, EffectKind::Bonus { .. })) {
            let help = "give `spend` a line `with: bonus`, or leave the bonus out";
            warn(effect.span, "no line of `spend` spends this bonus".to_owned(), help);
        }
    }
    let is_stay = |route: &At<Route>| route.value == Route::Stay;
    if !document.spend.iter().any(|line| line.route.as_ref().is_some_and(is_stay)) {
        for event in events(document).filter(|event| event.value == Event::Stayed) {
            let message =
                format!("the event `{}` never comes: no line of `spend` lets a pawn stay", event.value.word());
            warn(event.span, message, "give `spend` a line with `route: stay`, or leave the event out");
        }
    }
    if let (Some(help), None) = (&document.finish.help, &document.teams) {
        let message = "without `teams` nobody has a partner to help".to_owned();
        warn(help.span, message, "add `teams: {opposite: yes}`, or leave `help` out");
    }
    let seats = document.board.seats.len();
    if let Some(rank) = document.finish.ranks.get(seats) {
        let message = format!("there are {} names of ranks for {seats} seats", document.finish.ranks.len());
        warn(rank.span, message, "leave the names out from here on");
    }
    all_home(document, report);
}

/// The parts that are about pairs and groups, with the text that names each part.
fn of_pairs(document: &Document) -> Vec<(Span, String)> {
    let mut parts = Vec::new();
    let movers = document.spend.iter().flat_map(|line| &line.movers);
    for mover in movers.filter(|mover| mover.value != Mover::Pawn) {
        parts.push((mover.span, format!("`move: {}`", mover.value.word())));
    }
    let landing = document.landing.iter().filter_map(|line| line.by.as_ref());
    let by = landing.chain(document.passing.iter().filter_map(|line| line.by.as_ref()));
    let has_pounce = || {
        let mut effects = document.choices.iter().flat_map(|line| &line.effects);
        effects.any(|effect| matches!(effect.kind, EffectKind::Pounce { .. }))
    };
    // Two pawns that pounce land as a pair, also where pairs do not count.
    for by in by.filter(|by| by.value == Arrival::Pair && !has_pounce()) {
        parts.push((by.span, format!("`by: {}`", by.value.word())));
    }
    for event in events(document) {
        if matches!(event.value, Event::PairFormed | Event::PairMoved | Event::PassedOwnPair) {
            parts.push((event.span, format!("the event `{}`", event.value.word())));
        }
    }
    let arguments = document.choices.iter().filter_map(|line| line.argument.as_ref());
    for argument in arguments.filter(|argument| matches!(argument.value, Argument::OwnPair | Argument::TurnPair)) {
        parts.push((argument.span, format!("`argument: {}`", argument.value.word())));
    }
    parts
}

fn events(document: &Document) -> impl Iterator<Item = &At<Event>> {
    document.on.iter().flat_map(|line| &line.events)
}

/// Warns if all pawns of a seat begin at home, so that the seat has finished before its first throw.
fn all_home(document: &Document, report: &mut Findings) {
    let Some(home) = document.board.path.last().filter(|_| document.finish.when.is_none()) else { return };
    let names_home = |label: &str| {
        label == home.id.value || home.squares.iter().flat_map(|item| &item.value).any(|known| known == label)
    };
    for StartLine { pawns, .. } in &document.pawns.start {
        if let Some(first) = pawns.first().filter(|_| pawns.iter().all(|pawn| names_home(pawn.value.trim()))) {
            let message = "all pawns begin at home, so the seat has finished before the game begins".to_owned();
            let help = Some("let one of them begin before home".to_owned());
            report.warning("all-home", first.span, message, help);
        }
    }
}
