//! Makes look-up tables of the lines of `landing` and `passing`.

use super::builder::Builder;
use super::line_numbers::LineNumbers;
use super::rulings::{MOVERS, Ruling, VerdictSection};
use crate::tables::{Company, ConditionalVerdict, LineId, Places, Verdict, VerdictEntry, VerdictTable};
use crate::units::MAX_PLACES;

/// Maximum number of conditions of one table that are evaluated during play.
const MAX_ASKED: usize = u16::MAX as usize;

/// The look-up tables of landing and passing, with the lines that they are made of. Places that no line distinguishes
/// have the same class, and the tables are indexed by class.
#[derive(Debug)]
pub(crate) struct TwoTables<'d> {
    pub rulings: [Vec<Ruling<'d>>; 2],
    pub classes: [u8; 128],
    pub tables: [VerdictTable; 2],
}

impl<'d> Builder<'d> {
    /// Builds the tables of landing and passing. `teams` says whether there are partners.
    pub(super) fn two_tables(&mut self, ids: &LineNumbers, teams: bool) -> TwoTables<'d> {
        let rulings = [VerdictSection::Landing, VerdictSection::Passing].map(|table| self.rulings(table, ids));
        let classes = classes(&[&rulings[0], &rulings[1]]);
        let landing = self.verdicts(VerdictSection::Landing, &rulings[0], &classes, teams);
        let passing = self.verdicts(VerdictSection::Passing, &rulings[1], &classes, teams);
        TwoTables { rulings, classes, tables: [landing, passing] }
    }

    /// Builds the look-up table of some lines.
    ///
    /// At first the table has the verdicts for squares that no line fits. Then the lines are applied, the last one
    /// first. A line with a condition adds a question, a [`ConditionalVerdict`]. If the condition fails during play,
    /// the verdict from before the line holds.
    pub(super) fn verdicts(
        &mut self,
        table: VerdictSection,
        rulings: &[Ruling<'d>],
        classes: &[u8; 128],
        teams: bool,
    ) -> VerdictTable {
        let examples = examples(classes);
        let count = examples.len();
        let mut verdicts =
            VerdictTable { classes: count as u8, table: Vec::new(), asked: Vec::new(), is_empty: rulings.is_empty() };
        if rulings.is_empty() && table == VerdictSection::Passing {
            return verdicts;
        }
        let programs: Vec<_> = rulings.iter().map(|ruling| self.asked(&ruling.when, ruling.expr)).collect();
        verdicts.table = vec![table.unspoken(); MOVERS * count * Company::COUNT];
        for (ruling, program) in rulings.iter().zip(programs).rev() {
            let fits = ruling.pattern.fitting() & Company::possible(teams);
            let fitting: Vec<Company> = Company::all().filter(|seen| fits & seen.alone() != 0).collect();
            // The questions of each verdict that the line gives: its own, and that for squares where nobody falls.
            let mut chains = [(); 2].map(|()| Chains::after(verdicts.asked.len()));
            let rows = verdicts.table.chunks_exact_mut(Company::COUNT).enumerate();
            let rows =
                rows.filter(|(row, _)| ruling.by[row / count] && ruling.within >> examples[row % count] & 1 == 1);
            for (_, row) in rows {
                for &seen in &fitting {
                    let cell = &mut row[seen.index()];
                    let then = ruling.answer(seen);
                    *cell = match program {
                        None => VerdictEntry::Is(then, Some(ruling.line)),
                        Some(when) => VerdictEntry::Ask(chains[usize::from(then == ruling.then)].link(
                            &mut verdicts.asked,
                            ConditionalVerdict { line: ruling.line, when, then, otherwise: *cell },
                        )),
                    };
                }
            }
            if verdicts.asked.len() > MAX_ASKED {
                let span = ruling.expr.map_or(self.document.rules.span, |expr| expr.span);
                let help = Some("use fewer conditions, or conditions over table options only".to_owned());
                let message = "too many conditions of this table depend on the game".to_owned();
                self.report.error("too-many", span, message, help);
                break;
            }
        }
        // Every mover may land on an empty square.
        verdicts
            .table
            .iter_mut()
            .step_by(Company::COUNT)
            .for_each(|cell| *cell = VerdictEntry::Is(Verdict::Allow, None));
        verdicts
    }
}

/// The questions that a line with a condition adds for one verdict: one for each different verdict that it replaces.
struct Chains {
    /// The questions that replace a fixed verdict, by that verdict and its line.
    fixed: Vec<((Verdict, Option<LineId>), u16)>,
    /// The questions that replace another question, by the number of that question.
    asked: Vec<Option<u16>>,
}

impl Chains {
    /// Begins the list of a line's questions. Other lines have already added `asked` questions.
    fn after(asked: usize) -> Chains {
        Chains { fixed: Vec::new(), asked: vec![None; asked] }
    }

    /// Finds an equal question and returns its number, or adds the question.
    fn link(&mut self, questions: &mut Vec<ConditionalVerdict>, question: ConditionalVerdict) -> u16 {
        let next = questions.len() as u16;
        match question.otherwise {
            VerdictEntry::Is(then, line) => match self.fixed.iter().find(|(fixed, _)| *fixed == (then, line)) {
                Some((_, number)) => return *number,
                None => self.fixed.push(((then, line), next)),
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

/// Numbers the places so that all places to which the same lines apply have the same number, their class.
pub(crate) fn classes(rulings: &[&[Ruling<'_>]]) -> [u8; 128] {
    let mut sets: Vec<Places> = rulings.iter().flat_map(|lines| lines.iter().map(|line| line.within)).collect();
    sets.sort_unstable();
    sets.dedup();
    // For every class, the sets that include its places, one bit for each set. There are at most 128 sets, because both
    // tables together have at most 128 lines.
    let mut signatures: Vec<u128> = Vec::new();
    let mut classes = [0; 128];
    for (place, class) in classes.iter_mut().enumerate().take(MAX_PLACES) {
        let signature = sets.iter().enumerate().fold(0, |all, (bit, set)| all | (set >> place & 1) << bit);
        let index = signatures.iter().position(|other| *other == signature).unwrap_or(signatures.len());
        if index == signatures.len() {
            signatures.push(signature);
        }
        *class = index as u8;
    }
    classes
}

/// Returns one place of every class.
fn examples(classes: &[u8; 128]) -> Vec<usize> {
    let mut places = Vec::new();
    for (place, &class) in classes.iter().enumerate() {
        if usize::from(class) == places.len() {
            places.push(place);
        }
    }
    places
}

/// Lists the lines that never decide, because earlier lines without conditions decide every case. `teams` says which
/// cases are checked: those without partners (`false`), those with partners (`true`), or both.
pub(crate) fn shadowed(rulings: &[Ruling<'_>], teams: &[bool]) -> Vec<LineId> {
    let examples = examples(&classes(&[rulings]));
    let mut deciding = vec![false; rulings.len()];
    for &teams in teams {
        for &place in &examples {
            for mover in 0..MOVERS {
                // The empty square counts as decided, because its verdict needs no line.
                let mut decided = Company::NOBODY.alone() | !Company::possible(teams);
                for (ruling, deciding) in rulings.iter().zip(&mut deciding) {
                    if !ruling.by[mover] || ruling.within >> place & 1 == 0 {
                        continue;
                    }
                    let fits = ruling.pattern.fitting();
                    *deciding |= fits & !decided != 0;
                    if ruling.when.known_truth() == Some(true) {
                        decided |= fits;
                    }
                }
            }
        }
    }
    rulings.iter().zip(deciding).filter(|(_, deciding)| !deciding).map(|(ruling, _)| ruling.line).collect()
}

/// Finds a verdict by trying the lines one by one. Tests compare the look-up tables with it.
#[cfg(test)]
pub(crate) fn naive(
    rulings: &[Ruling<'_>],
    mover: usize,
    place: usize,
    seen: Company,
    mut holds: impl FnMut(LineId) -> bool,
) -> Option<(Verdict, LineId)> {
    rulings
        .iter()
        .find(|ruling| {
            ruling.by[mover]
                && ruling.within >> place & 1 == 1
                && ruling.pattern.fits(seen)
                && (ruling.when.known_truth() == Some(true) || holds(ruling.line))
        })
        .map(|ruling| (ruling.answer(seen), ruling.line))
}
