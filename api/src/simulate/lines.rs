//! How often every rule line did its work.

use std::fmt;

use pagade_rules::play::Engine;
use pagade_rules::tables::{LineId, VerdictEntry, VerdictTable};
use serde::Serialize;

/// How often a rule line did its work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineUse {
    /// `section.id`
    pub line: String,
    /// Its clauses.
    pub clauses: Vec<String>,
    /// How often, over all games.
    pub fired: u64,
}

/// The use of every line that this table can come to.
pub(super) fn uses(rules: &Engine, fired: &[u64]) -> Vec<LineUse> {
    let used = deciding(rules).into_iter().filter_map(|id| {
        let info = rules.lines.get(usize::from(id))?;
        let fired = fired.get(usize::from(id)).copied().unwrap_or_default();
        Some(LineUse { line: info.name.clone(), clauses: info.clauses.clone(), fired })
    });
    used.collect()
}

/// The lines that can fire at this table, in the order of the rule set.
pub(super) fn deciding(rules: &Engine) -> Vec<LineId> {
    let mut known: Vec<LineId> = Vec::new();
    known.extend(rules.throws.numbers.iter().map(|line| line.line));
    known.extend(rules.moves.spend.iter().map(|line| line.line));
    known.extend(rules.moves.must.iter().map(|line| line.line));
    known.extend(answering(&rules.moves.landing));
    known.extend(answering(&rules.moves.passing));
    known.extend(rules.events.on.iter().flatten().map(|rule| rule.line));
    known.extend(rules.events.choices.iter().map(|choice| choice.line));
    known.sort_unstable();
    known.dedup();
    known
}

fn answering(table: &VerdictTable) -> impl Iterator<Item = LineId> {
    let is = |verdict: &VerdictEntry| match verdict {
        VerdictEntry::Is(_, line) => Some(*line),
        VerdictEntry::Ask(_) => None,
    };
    let otherwise = table.asked.iter().map(|asked| &asked.otherwise);
    let asked = table.asked.iter().map(|asked| asked.line);
    table.table.iter().chain(otherwise).filter_map(is).chain(asked)
}

/// Writes the lines that fired, times a game, and those that never did.
pub(super) fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[LineUse], games: u64) -> fmt::Result {
    let width = lines.iter().map(|line| line.line.len()).max().unwrap_or_default();
    writeln!(f, "rule lines that did their work, times a game:")?;
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
