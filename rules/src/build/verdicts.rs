//! Look-up tables of the lines of `landing` and `passing`.

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::rulings::{MOVERS, Ruling, Table};
use crate::tables::{ConditionalVerdict, LineId, NO_LINE, Places, Verdict, VerdictEntry, VerdictTable};
use crate::units::MAX_PLACES;

/// Most conditions that one table may leave to the game.
const MAX_ASKED: usize = u16::MAX as usize;

/// Landing and passing: their lines, the class of every place, and the tables made of them.
#[derive(Debug)]
pub(crate) struct TwoTables<'d> {
    pub rulings: [Vec<Ruling<'d>>; 2],
    pub classes: [u8; 128],
    pub tables: [VerdictTable; 2],
}

impl<'d> Builder<'d> {
    /// Landing and passing, be there `teams` or not.
    pub fn two_tables(&mut self, ids: &LineNumbers, teams: bool) -> TwoTables<'d> {
        let rulings = [Table::Landing, Table::Passing].map(|table| self.rulings(table, ids));
        let classes = classes(&[&rulings[0], &rulings[1]]);
        let landing = self.verdicts(Table::Landing, &rulings[0], &classes, teams);
        let passing = self.verdicts(Table::Passing, &rulings[1], &classes, teams);
        TwoTables { rulings, classes, tables: [landing, passing] }
    }

    /// The look-up table of some lines.
    ///
    /// Begins with what holds where no line speaks and lays the lines over it, the last one first. A line whose
    /// condition is left to the game asks it, and answers as before where it does not hold.
    pub fn verdicts(&mut self, table: Table, rulings: &[Ruling<'d>], classes: &[u8; 128], teams: bool) -> VerdictTable {
        let examples = examples(classes);
        let count = examples.len();
        let mut verdicts =
            VerdictTable { classes: count as u8, table: Vec::new(), asked: Vec::new(), is_empty: rulings.is_empty() };
        if rulings.is_empty() && table == Table::Passing {
            return verdicts;
        }
        let programs: Vec<_> = rulings.iter().map(|ruling| self.asked(&ruling.when, ruling.expr)).collect();
        verdicts.table = vec![table.unspoken(); MOVERS * count * 256];
        for (ruling, program) in rulings.iter().zip(programs).rev() {
            let fits = ruling.pattern.fitting(teams);
            let fitting: Vec<usize> = (0..256).filter(|seen| fits[seen / 128] >> (seen % 128) & 1 == 1).collect();
            let mut chains = Chains::after(verdicts.asked.len());
            let rows = verdicts.table.chunks_exact_mut(256).enumerate();
            let rows =
                rows.filter(|(row, _)| ruling.by[row / count] && ruling.within >> examples[row % count] & 1 == 1);
            for (_, row) in rows {
                for &seen in &fitting {
                    let cell = &mut row[seen];
                    *cell = match program {
                        None => VerdictEntry::Is(ruling.then, ruling.line),
                        Some(when) => VerdictEntry::Ask(chains.link(
                            &mut verdicts.asked,
                            ConditionalVerdict { line: ruling.line, when, then: ruling.then, otherwise: *cell },
                        )),
                    };
                }
            }
            if verdicts.asked.len() > MAX_ASKED {
                let span = ruling.expr.map_or(self.document.rules.span, |expr| expr.span);
                let help = Some("let fewer conditions of this table wait for the game".to_owned());
                let message = "too many conditions to ask one after another".to_owned();
                self.report.error("too-many", span, message, help);
                break;
            }
        }
        // An empty square is always free.
        verdicts.table.iter_mut().step_by(256).for_each(|cell| *cell = VerdictEntry::Is(Verdict::Allow, NO_LINE));
        verdicts
    }
}

/// What one line has been asked before: the number of its question for each answer that it replaces.
struct Chains {
    /// After an answer that is known, by its line; a line always gives one answer.
    known: Vec<(LineId, u16)>,
    /// After another question, by its number.
    asked: Vec<Option<u16>>,
}

impl Chains {
    /// For a line that comes after so many questions of others.
    fn after(asked: usize) -> Chains {
        Chains { known: Vec::new(), asked: vec![None; asked] }
    }

    /// The number of a question, a new one where it has not been asked yet.
    fn link(&mut self, questions: &mut Vec<ConditionalVerdict>, question: ConditionalVerdict) -> u16 {
        let next = questions.len() as u16;
        match question.otherwise {
            VerdictEntry::Is(_, line) => match self.known.iter().find(|(known, _)| *known == line) {
                Some((_, number)) => return *number,
                None => self.known.push((line, next)),
            },
            VerdictEntry::Ask(otherwise) => match &mut self.asked[usize::from(otherwise)] {
                Some(number) => return *number,
                unasked => *unasked = Some(next),
            },
        }
        questions.push(question);
        next
    }
}

/// The class of every place: places are in one class where the same lines are restricted to them.
pub(crate) fn classes(rulings: &[&[Ruling<'_>]]) -> [u8; 128] {
    let mut sets: Vec<Places> = rulings.iter().flat_map(|lines| lines.iter().map(|line| line.within)).collect();
    sets.sort_unstable();
    sets.dedup();
    // A bit for each set that a place is in: two tables of lines, of at most 64 each.
    let mut known: Vec<u128> = Vec::new();
    let mut classes = [0; 128];
    for (place, class) in classes.iter_mut().enumerate().take(MAX_PLACES) {
        let signature = sets.iter().enumerate().fold(0, |all, (bit, set)| all | (set >> place & 1) << bit);
        let index = known.iter().position(|other| *other == signature).unwrap_or(known.len());
        if index == known.len() {
            known.push(signature);
        }
        *class = index as u8;
    }
    classes
}

/// A place of every class.
fn examples(classes: &[u8; 128]) -> Vec<usize> {
    let mut places = Vec::new();
    for (place, &class) in classes.iter().enumerate() {
        if usize::from(class) == places.len() {
            places.push(place);
        }
    }
    places
}

/// The lines that earlier ones, which always hold, leave nothing to decide, be there `teams` or not.
pub(crate) fn shadowed(rulings: &[Ruling<'_>], teams: &[bool]) -> Vec<LineId> {
    let examples = examples(&classes(&[rulings]));
    let mut deciding = vec![false; rulings.len()];
    for &teams in teams {
        for &place in &examples {
            for mover in 0..MOVERS {
                // An empty square is decided already.
                let mut decided = [1u128, 0];
                for (ruling, deciding) in rulings.iter().zip(&mut deciding) {
                    if !ruling.by[mover] || ruling.within >> place & 1 == 0 {
                        continue;
                    }
                    for (decided, fits) in decided.iter_mut().zip(ruling.pattern.fitting(teams)) {
                        *deciding |= fits & !*decided != 0;
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

/// The answer of the lines, asked one by one: what the table must agree with.
#[cfg(test)]
pub(crate) fn naive(
    rulings: &[Ruling<'_>],
    mover: usize,
    place: usize,
    seen: u8,
    teams: bool,
    mut holds: impl FnMut(LineId) -> bool,
) -> Option<(Verdict, LineId)> {
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
