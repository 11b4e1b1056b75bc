//! Statistics of rule lines: how often each of them fired.

use std::fmt;

use pagade_rules::play::Engine;
use pagade_rules::tables::{LineId, VerdictEntry, VerdictTable};
use serde::Serialize;

/// How often one rule line fired.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineUse {
    /// Name of the line, as `section.id`.
    pub line: String,
    /// Ids of the clauses that the rule line implements.
    pub clauses: Vec<String>,
    /// How often the rule line fired, in all games together.
    pub fired: u64,
}

/// Lists the rule lines that can fire at this table, with how often each of them fired. `fired` has the counts, by line
/// number.
pub(super) fn uses(engine: &Engine, fired: &[u64]) -> Vec<LineUse> {
    let used = lines_that_can_fire(engine).into_iter().map(|id| {
        let info = &engine.lines[id.index()];
        let fired = fired.get(id.index()).copied().unwrap_or_default();
        LineUse { line: info.name.clone(), clauses: info.clauses.clone(), fired }
    });
    used.collect()
}

/// Lists the rule lines that can fire at this table, in the order of the rule set.
pub(super) fn lines_that_can_fire(engine: &Engine) -> Vec<LineId> {
    let mut lines: Vec<LineId> = Vec::new();
    lines.extend(engine.throws.numbers.iter().map(|line| line.line));
    lines.extend(engine.moves.spend.iter().map(|line| line.line));
    lines.extend(engine.moves.must.iter().map(|line| line.line));
    lines.extend(lines_of_verdicts(&engine.moves.landing));
    lines.extend(lines_of_verdicts(&engine.moves.passing));
    lines.extend(engine.events.on.iter().flatten().map(|rule| rule.line));
    lines.extend(engine.events.choices.iter().map(|choice| choice.line));
    lines.sort_unstable();
    lines.dedup();
    lines
}

fn lines_of_verdicts(table: &VerdictTable) -> impl Iterator<Item = LineId> {
    let line_of = |verdict: &VerdictEntry| match verdict {
        VerdictEntry::Is(_, line) => *line,
        VerdictEntry::Ask(_) => None,
    };
    let otherwise = table.asked.iter().map(|asked| &asked.otherwise);
    let asked = table.asked.iter().map(|asked| asked.line);
    table.table.iter().chain(otherwise).filter_map(line_of).chain(asked)
}

/// Writes how often each rule line fired in a game on average, and the names of the lines that never fired.
pub(super) fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[LineUse], games: u64) -> fmt::Result {
    let width = lines.iter().map(|line| line.line.len()).max().unwrap_or_default();
    writeln!(f, "rule lines that fired, times a game:")?;
    for LineUse { line, clauses, fired } in lines.iter().filter(|line| line.fired > 0) {
        let often = *fired as f64 / games.max(1) as f64;
        writeln!(f, "  {line:<width$} {often:>12.4}  {}", clauses.join(" "))?;
    }
    let never: Vec<&str> = lines.iter().filter(|line| line.fired == 0).map(|line| line.line.as_str()).collect();
    if !never.is_empty() {
        writeln!(f, "rule lines that never fired: {}", never.join(", "))?;
    }
    Ok(())
}
