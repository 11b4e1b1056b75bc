//! Numbers every line of a rule file. Statistics, traces and documentation name lines by these numbers.

use crate::document::Document;
use crate::source::Span;
use crate::tables::{LineId, LineInfo};

/// The numbers of all lines, section by section.
#[derive(Debug, Default)]
pub(crate) struct LineNumbers {
    /// The name of each section, with the number of its first line.
    sections: Vec<(&'static str, usize)>,
    /// The name, text line and clauses of every line, in the order of the numbers.
    pub infos: Vec<LineInfo>,
}

impl LineNumbers {
    pub(super) fn new(document: &Document) -> LineNumbers {
        let mut ids = LineNumbers::default();
        ids.section("options");
        for option in &document.options {
            ids.line(&option.name.value, option.span, &option.clauses);
        }
        ids.section("players");
        for (index, line) in document.players.iter().enumerate() {
            ids.line(&(index + 1).to_string(), line.span, &line.clauses);
        }
        ids.section("path");
        for zone in &document.board.path {
            ids.line(&zone.id.value, zone.span, &zone.clauses);
        }
        ids.section("tags");
        for tag in &document.board.tags {
            ids.line(&tag.id.value, tag.span, &tag.clauses);
        }
        ids.section("counters");
        for counter in document.seat_counters().iter().chain(document.game_counters()).chain(document.pawn_marks()) {
            ids.line(&counter.name.value, counter.span, &counter.clauses);
        }
        ids.section("terms");
        for term in &document.terms {
            ids.line(&term.name.value, term.span, &term.clauses);
        }
        macro_rules! tables {
            ($($name:literal $section:ident),*) => {$(
                ids.section($name);
                for line in &document.$section {
                    ids.line(&line.id.value, line.span, &line.clauses);
                }
            )*};
        }
        tables!("numbers" numbers, "spend" spend, "must" must, "landing" landing, "passing" passing, "on" on);
        tables!("choices" choices);
        ids
    }

    fn section(&mut self, name: &'static str) {
        self.sections.push((name, self.infos.len()));
    }

    fn line(&mut self, id: &str, span: Span, clauses: &[String]) {
        let section = self.sections.last().map_or("", |(name, _)| name);
        self.infos.push(LineInfo { name: format!("{section}.{id}"), line: span.line, clauses: clauses.to_vec() });
    }

    /// The number of a line, given by its section and its index in the section.
    pub(super) fn of(&self, section: &str, index: usize) -> LineId {
        let first = self.sections.iter().find(|(name, _)| *name == section).map_or(0, |(_, first)| *first);
        LineId::new((first + index) as u16)
    }
}
