//! Landing and passing lines, made into tables that are answered by look-up.

use std::collections::HashMap;

use super::builder::Builder;
use super::lines::Ids;
use super::pattern::Pattern;
use super::scope::Scope;
use super::term::Term;
use crate::document::{Expr, VerdictLine};
use crate::play::state::MAX_PLACES;
use crate::tables::{Answer, Asked, LineId, NO_LINE, Places, Verdict, Verdicts};

/// Most lines of one table.
const MAX_LINES: usize = 64;
/// Movers: a pawn, a pair.
const MOVERS: usize = 2;

/// A verdict line with the options chosen.
#[derive(Debug, Clone)]
pub(crate) struct Ruling<'d> {
    /// Its number.
    pub line: LineId,
    pattern: Pattern,
    /// For a single pawn, for a pair.
    by: [bool; MOVERS],
    within: Places,
    when: Term,
    expr: Option<&'d Expr>,
    then: Answer,
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

    fn answers(self) -> &'static [(&'static str, Answer)] {
        match self {
            Table::Landing => &[
                ("cut", Answer::Cut),
                ("cut last", Answer::CutLast),
                ("stop before", Answer::StopBefore),
                ("refuse", Answer::Refuse),
                ("join", Answer::Allow),
            ],
            Table::Passing => &[("refuse", Answer::Refuse), ("pass", Answer::Allow)],
        }
    }

    /// The answer for an occupied square that no line speaks of.
    fn unspoken(self) -> Verdict {
        let answer = if self == Table::Landing { Answer::Refuse } else { Answer::Allow };
        Verdict::Is(answer, NO_LINE)
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
            Answer::CutLast if pattern.names_partners_and_enemies() => Answer::CutLastOfAll,
            then => then,
        };
        Some(Ruling { line: id, pattern, by: by?, within, when, expr: line.line.when.as_ref(), then })
    }

    /// The look-up table of some lines.
    pub fn verdicts(&mut self, table: Table, rulings: &[Ruling<'d>], classes: &[u8; 128], teams: bool) -> Verdicts {
        let count = usize::from(classes.iter().copied().max().unwrap_or(0)) + 1;
        let mut verdicts =
            Verdicts { classes: count as u8, table: Vec::new(), asked: Vec::new(), is_empty: rulings.is_empty() };
        if rulings.is_empty() && table == Table::Passing {
            return verdicts;
        }
        let fits: Vec<[bool; 256]> =
            rulings.iter().map(|ruling| std::array::from_fn(|seen| ruling.pattern.fits(seen as u8, teams))).collect();
        let programs: Vec<_> = rulings.iter().map(|ruling| self.asked(&ruling.when, ruling.expr)).collect();
        let mut chains: HashMap<(usize, VerdictKey), u16> = HashMap::new();
        verdicts.table.reserve(MOVERS * count * 256);

        for mover in 0..MOVERS {
            for class in 0..count {
                let place = classes.iter().position(|&other| usize::from(other) == class).unwrap_or(0);
                let mut row = [table.unspoken(); 256];
                for (index, ruling) in rulings.iter().enumerate().rev() {
                    if !ruling.by[mover] || ruling.within >> place & 1 == 0 {
                        continue;
                    }
                    for seen in (1..256).filter(|&seen| fits[index][seen]) {
                        row[seen] = match programs[index] {
                            None => Verdict::Is(ruling.then, ruling.line),
                            Some(when) => {
                                let otherwise = row[seen];
                                let next = verdicts.asked.len() as u16;
                                let asked = *chains.entry((index, key(otherwise))).or_insert_with(|| {
                                    verdicts.asked.push(Asked {
                                        line: ruling.line,
                                        when,
                                        then: ruling.then,
                                        otherwise,
                                    });
                                    next
                                });
                                Verdict::Ask(asked)
                            }
                        };
                    }
                }
                row[0] = Verdict::Is(Answer::Allow, NO_LINE);
                verdicts.table.extend(row);
            }
        }
        if verdicts.asked.len() > usize::from(u16::MAX) {
            let span = rulings.last().and_then(|ruling| ruling.expr).map_or(self.document.rules.span, |expr| expr.span);
            let help = Some("let fewer conditions of this table wait for the game".to_owned());
            self.report.error("too-many", span, "too many conditions to ask one after another".to_owned(), help);
        }
        verdicts
    }
}

impl Verdicts {
    /// Whether this answer may come, be it only where the conditions before it do not hold.
    pub(crate) fn can_answer(&self, answer: Answer) -> bool {
        let is_it = |verdict: &Verdict| matches!(verdict, Verdict::Is(known, _) if *known == answer);
        self.table.iter().any(is_it) || self.asked.iter().any(|asked| asked.then == answer || is_it(&asked.otherwise))
    }
}

type VerdictKey = (bool, u16);

/// A verdict as a key: a line always gives one answer.
fn key(verdict: Verdict) -> VerdictKey {
    match verdict {
        Verdict::Is(_, line) => (false, line),
        Verdict::Ask(asked) => (true, asked),
    }
}

/// Parts the places by the lines that are restricted to some of them: the class of every place.
pub(crate) fn classes(rulings: &[&[Ruling<'_>]]) -> [u8; 128] {
    let mut sets: Vec<Places> = rulings.iter().flat_map(|lines| lines.iter().map(|line| line.within)).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut known: Vec<Vec<bool>> = Vec::new();
    let mut classes = [0; 128];
    for (place, class) in classes.iter_mut().enumerate().take(MAX_PLACES) {
        let signature: Vec<bool> = sets.iter().map(|set| set >> place & 1 == 1).collect();
        *class = match known.iter().position(|other| *other == signature) {
            Some(index) => index as u8,
            None => {
                known.push(signature);
                (known.len() - 1) as u8
            }
        };
    }
    classes
}

/// The lines that earlier ones, which always hold, leave nothing to decide, be there `teams` or not.
pub(crate) fn shadowed(rulings: &[Ruling<'_>], teams: &[bool]) -> Vec<LineId> {
    let classes = classes(&[rulings]);
    let count = classes.iter().copied().max().unwrap_or(0);
    let mut deciding = vec![false; rulings.len()];
    for &teams in teams {
        let fits: Vec<[u128; 2]> = rulings.iter().map(|ruling| fitting(ruling.pattern, teams)).collect();
        for class in 0..=count {
            let place = classes.iter().position(|&other| other == class).unwrap_or(0);
            for mover in 0..MOVERS {
                // An empty square is decided already.
                let mut decided = [1u128, 0];
                for (index, ruling) in rulings.iter().enumerate() {
                    if !ruling.by[mover] || ruling.within >> place & 1 == 0 {
                        continue;
                    }
                    for (decided, fits) in decided.iter_mut().zip(fits[index]) {
                        deciding[index] |= fits & !*decided != 0;
                        if ruling.when.known_truth() == Some(true) {
                            *decided |= fits;
                        }
                    }
                }
            }
        }
    }
    rulings.iter().zip(deciding).filter(|(_, deciding)| !deciding).map(|(ruling, _)| ruling.line).collect()
}

/// What a pattern fits, a bit for each way a square can be occupied.
fn fitting(pattern: Pattern, teams: bool) -> [u128; 2] {
    [0, 128].map(|first| (0..128u8).fold(0, |all, bit| all | u128::from(pattern.fits(first + bit, teams)) << bit))
}

/// The answer of the lines, asked one by one: what the table must agree with.
#[cfg(test)]
pub(crate) fn naive(
    rulings: &[Ruling<'_>],
    mover: usize,
    place: usize,
    seen: u8,
    teams: bool,
    mut holds: impl FnMut(LineId) -> bool,
) -> Option<(Answer, LineId)> {
    rulings
        .iter()
        .find(|ruling| {
            ruling.by[mover]
                && ruling.within >> place & 1 == 1
                && ruling.pattern.fits(seen, teams)
                && (ruling.when.known_truth() == Some(true) || holds(ruling.line))
        })
        .map(|ruling| (ruling.then, ruling.line))
}
