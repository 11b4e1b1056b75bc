//! Lines of the tables: numbers, spend, must, landing, passing, on, choices.

use crate::document::{ChoiceLine, EventLine, MustLine, NumbersLine, SpendLine, VerdictLine};
use crate::read::tree::Tree;
use crate::read::values::{each, effect, expression, flag, integer, line, optional, required, setting_or, text, texts};

/// All lines of a section; none where it is missing.
pub(crate) fn read<T>(root: &Tree, section: &str, read: impl Fn(&Tree) -> Option<T>) -> Option<Vec<T>> {
    let lines = root.get(section).map_or(&[][..], Tree::items);
    lines.iter().map(read).collect()
}

pub(crate) fn numbers(tree: &Tree) -> Option<NumbersLine> {
    Some(NumbersLine {
        line: line(tree, "id")?,
        numbers: required(tree, "numbers", |tree| each(tree, expression))?,
        all_or_none: flag(tree, "all_or_none")?,
    })
}

pub(crate) fn spend(tree: &Tree) -> Option<SpendLine> {
    Some(SpendLine {
        line: line(tree, "id")?,
        mover: required(tree, "move", text)?,
        from: required(tree, "from", texts)?,
        with: required(tree, "with", text)?,
        exactly: optional(tree, "exactly", integer)?,
        to: optional(tree, "to", text)?,
        route: optional(tree, "route", text)?,
        steps: optional(tree, "steps", expression)?,
        duty: optional(tree, "duty", text)?,
    })
}

pub(crate) fn must(tree: &Tree) -> Option<MustLine> {
    Some(MustLine {
        line: line(tree, "id")?,
        actions: required(tree, "actions", texts)?,
        within: setting_or(tree, "within", "moment")?,
    })
}

pub(crate) fn landing(tree: &Tree) -> Option<VerdictLine> {
    verdict(tree, "on")
}

pub(crate) fn passing(tree: &Tree) -> Option<VerdictLine> {
    verdict(tree, "over")
}

fn verdict(tree: &Tree, pattern: &str) -> Option<VerdictLine> {
    Some(VerdictLine {
        line: line(tree, "id")?,
        pattern: required(tree, pattern, text)?,
        by: optional(tree, "by", text)?,
        within: optional(tree, "in", texts)?.unwrap_or_default(),
        then: required(tree, "then", text)?,
    })
}

pub(crate) fn on(tree: &Tree) -> Option<EventLine> {
    Some(EventLine {
        line: line(tree, "id")?,
        event: required(tree, "event", text)?,
        effects: required(tree, "do", |tree| each(tree, effect))?,
    })
}

pub(crate) fn choices(tree: &Tree) -> Option<ChoiceLine> {
    Some(ChoiceLine {
        line: line(tree, "id")?,
        word: optional(tree, "word", text)?,
        ask: required(tree, "ask", text)?,
        argument: optional(tree, "argument", text)?,
        effects: required(tree, "do", |tree| each(tree, effect))?,
    })
}
