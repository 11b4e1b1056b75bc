//! Landing and passing lines as they are written: whom they fit, where, and what they answer.

use super::builder::Builder;
use super::lines::Ids;
use super::pattern::Pattern;
use super::scope::Scope;
use super::term::Term;
use crate::document::{Expr, VerdictLine};
use crate::tables::{LineId, NO_LINE, Places, Verdict, VerdictEntry};

/// Most lines of one table.
const MAX_LINES: usize = 64;
/// Movers: a pawn, a pair.
pub(crate) const MOVERS: usize = 2;

/// A verdict line with the options chosen.
#[derive(Debug, Clone)]
pub(crate) struct Ruling<'d> {
    /// Its number.
    pub line: LineId,
    pub pattern: Pattern,
    /// For a single pawn, for a pair.
    pub by: [bool; MOVERS],
    pub within: Places,
    pub when: Term,
    pub expr: Option<&'d Expr>,
    pub then: Verdict,
}

/// Which of the two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Landing,
    Passing,
}

impl Table {
    fn section(self) -> &'static str {
        if self == Table::Landing { "landing" } else { "passing" }
    }

    fn answers(self) -> &'static [(&'static str, Verdict)] {
        match self {
            Table::Landing => &[
                ("cut", Verdict::Cut),
                ("cut last", Verdict::CutLast),
                ("stop before", Verdict::StopBefore),
                ("refuse", Verdict::Refuse),
                ("join", Verdict::Allow),
            ],
            Table::Passing => &[("refuse", Verdict::Refuse), ("pass", Verdict::Allow)],
        }
    }

    /// The answer for an occupied square that no line speaks of.
    pub fn unspoken(self) -> VerdictEntry {
        let answer = if self == Table::Landing { Verdict::Refuse } else { Verdict::Allow };
        VerdictEntry::Is(answer, NO_LINE)
    }
}

impl<'d> Builder<'d> {
    /// The lines of a table that exist with the options chosen.
    pub fn rulings(&mut self, table: Table, ids: &Ids) -> Vec<Ruling<'d>> {
        let lines = match table {
            Table::Landing => &self.document.landing,
            Table::Passing => &self.document.passing,
        };
        if let Some(line) = lines.get(MAX_LINES) {
            let help = Some(format!("at most {MAX_LINES}"));
            self.report.error("too-many", line.line.span, "too many lines".to_owned(), help);
        }
        let lines = lines.iter().enumerate().take(MAX_LINES);
        lines.filter_map(|(index, line)| self.ruling(table, line, ids.of(table.section(), index))).collect()
    }

    fn ruling(&mut self, table: Table, line: &'d VerdictLine, id: LineId) -> Option<Ruling<'d>> {
        let pattern = Pattern::parse(&line.pattern.value);
        if pattern.is_none() {
            let message = format!("`{}` is no pattern of pawns", line.pattern.value);
            let help = "such as `enemy`, `own pair`, `two friends`, `no own`, `pawn single`".to_owned();
            self.report.error("bad-pattern", line.pattern.span, message, Some(help));
        }
        let by = match &line.by {
            None => Some([true, true]),
            Some(by) => self.word(by, "mover", &["pawn", "pair"]).map(|mover| [mover == 0, mover == 1]),
        };
        let within = if line.within.is_empty() { Places::MAX } else { self.places(&line.within) };
        let words: Vec<&str> = table.answers().iter().map(|(word, _)| *word).collect();
        let then = self.word(&line.then, "answer of this table", &words);
        let when = self.condition(line.line.when.as_ref(), Scope::VERDICT);
        if when.known_truth() == Some(false) {
            return None;
        }
        let pattern = pattern?;
        let then = match table.answers()[then?].1 {
            Verdict::CutLast if pattern.names_partners_and_enemies() => Verdict::CutLastOfAll,
            then => then,
        };
        Some(Ruling { line: id, pattern, by: by?, within, when, expr: line.line.when.as_ref(), then })
    }
}
