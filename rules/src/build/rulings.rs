//! The lines of `landing` and `passing` whose conditions can hold with the chosen options.

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::scope::Scope;
use super::term::Term;
use crate::document::{Arrival, At, Expr, Pattern, Text};
use crate::tables::{Company, LineId, Places, Verdict, VerdictEntry};

/// The number of kinds of movers: a pawn, and a pair.
pub(crate) const MOVERS: usize = 2;

/// A line of `landing` or `passing`. In its condition the options are replaced by their values.
#[derive(Debug, Clone)]
pub(crate) struct Ruling<'d> {
    pub line: LineId,
    pub pattern: Pattern,
    /// Whether the line is for a single pawn, and whether it is for a pair.
    pub by: [bool; MOVERS],
    pub within: Places,
    pub when: Term,
    pub expr: Option<&'d Expr>,
    pub then: Verdict,
}

impl Ruling<'_> {
    /// The verdict of the line for a square with these pawns. Where only own pawns stand, `cut` captures nobody: the
    /// pawn lands beside them, or passes them.
    pub(super) fn answer(&self, seen: Company) -> Verdict {
        if self.then.captures() && !seen.has_others() { Verdict::Allow } else { self.then }
    }
}

/// The two tables whose lines give verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VerdictSection {
    Landing,
    Passing,
}

impl VerdictSection {
    fn section(self) -> &'static str {
        if self == VerdictSection::Landing { "landing" } else { "passing" }
    }

    /// The verdict for an occupied square that no line fits.
    pub(super) fn unspoken(self) -> VerdictEntry {
        let answer = if self == VerdictSection::Landing { Verdict::Refuse } else { Verdict::Allow };
        VerdictEntry::Is(answer, None)
    }
}

/// A line of either table, as it is written: pattern, `by`, `in`, `when`, verdict.
type WrittenRuling<'d> = (Pattern, &'d Option<At<Arrival>>, &'d [Text], &'d Option<Expr>, Verdict);

impl<'d> Builder<'d> {
    /// Lists the lines of a table whose conditions can hold with the chosen options.
    pub(super) fn rulings(&mut self, table: VerdictSection, ids: &LineNumbers) -> Vec<Ruling<'d>> {
        let document = self.document;
        let lines: Vec<_> = match table {
            VerdictSection::Landing => {
                let lines = document.landing.iter();
                lines
                    .map(|line| (line.on.value, &line.by, line.within.as_slice(), &line.when, line.then.value.0))
                    .collect()
            }
            VerdictSection::Passing => {
                let lines = document.passing.iter();
                lines
                    .map(|line| (line.over.value, &line.by, line.within.as_slice(), &line.when, line.then.value.0))
                    .collect()
            }
        };
        let lines = lines.into_iter().enumerate();
        lines.filter_map(|(index, line)| self.ruling(line, ids.of(table.section(), index))).collect()
    }

    fn ruling(&mut self, (pattern, by, within, when, then): WrittenRuling<'d>, line: LineId) -> Option<Ruling<'d>> {
        let by = match by.as_ref().map(|by| by.value) {
            None => [true, true],
            Some(Arrival::Pawn) => [true, false],
            Some(Arrival::Pair) => [false, true],
        };
        let within = if within.is_empty() { Places::MAX } else { self.places(within) };
        let expr = when.as_ref();
        let when = self.condition(expr, Scope::VERDICT);
        let then = match then {
            Verdict::CutLast if pattern.names_partners_and_enemies() => Verdict::CutLastOfAll,
            then => then,
        };
        let exists = when.known_truth() != Some(false);
        exists.then_some(Ruling { line, pattern, by, within, when, expr, then })
    }
}
