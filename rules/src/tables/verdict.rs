//! Verdict tables: the result of landing on a square, or of passing it.

use super::company::Company;
use super::lines::LineId;
use super::program::Program;
use crate::units::Occupancy;

/// The verdicts for every mover, class of place and occupation of a square.
#[derive(Debug)]
pub struct VerdictTable {
    /// Number of classes. Places to which the same rule lines apply have the same class.
    pub classes: u8,
    /// The entries, indexed by `(joint * classes + class) * Company::COUNT + company`.
    pub table: Vec<VerdictEntry>,
    /// The lines whose condition must be checked during play. An entry of `table` points to the first that may apply.
    pub asked: Vec<ConditionalVerdict>,
    /// Whether the rule set has no lines for this table.
    pub is_empty: bool,
}

/// The higher one of the two bits of each colour: it is set if the colour has two pawns or more on the square.
const SEVERAL: Occupancy = 0xaaaa;

impl VerdictTable {
    /// Replaces entries whose condition is always true or always false. `truth` gives the constant value of a
    /// condition, or `None` if the condition depends on the game.
    pub(crate) fn settle(&mut self, truth: impl Fn(Program) -> Option<bool>) {
        let asked = &self.asked;
        let settled = |entry: VerdictEntry| {
            let mut entry = entry;
            while let VerdictEntry::Ask(index) = entry {
                let line = &asked[usize::from(index)];
                match truth(line.when) {
                    Some(true) => entry = VerdictEntry::Is(line.then, Some(line.line)),
                    Some(false) => entry = line.otherwise,
                    None => break,
                }
            }
            entry
        };
        self.table.iter_mut().for_each(|entry| *entry = settled(*entry));
        let otherwise: Vec<VerdictEntry> = self.asked.iter().map(|line| settled(line.otherwise)).collect();
        self.asked.iter_mut().zip(otherwise).for_each(|(line, entry)| line.otherwise = entry);
    }

    /// The bits of the pawns on a square that may bar a pawn. Where none of them is set, the verdict is always `Allow`.
    pub(crate) fn bars(&self) -> Occupancy {
        let allows = |entry: &VerdictEntry| matches!(entry, VerdictEntry::Is(Verdict::Allow, _));
        let rows = self.table.chunks(Company::COUNT).flat_map(|row| row.iter().zip(Company::all()));
        let mut others = rows.filter(|(entry, _)| !allows(entry)).map(|(_, company)| company);
        match others.next() {
            _ if self.is_empty => 0,
            None => 0,
            Some(first) if first.has_pair() && others.all(Company::has_pair) => SEVERAL,
            Some(_) => Occupancy::MAX,
        }
    }

    /// The lines that give a verdict in any position, with repetitions.
    pub(crate) fn lines(&self) -> impl Iterator<Item = LineId> {
        let given = |entry: &VerdictEntry| match entry {
            VerdictEntry::Is(_, line) => *line,
            VerdictEntry::Ask(_) => None,
        };
        let asked = self.asked.iter().flat_map(move |line| [Some(line.line), given(&line.otherwise)]);
        self.table.iter().map(given).chain(asked).flatten()
    }

    /// Whether this verdict is possible in any position.
    pub(crate) fn can_answer(&self, answer: Verdict) -> bool {
        let is_it = |verdict: &VerdictEntry| matches!(verdict, VerdictEntry::Is(known, _) if *known == answer);
        self.table.iter().any(is_it) || self.asked.iter().any(|asked| asked.then == answer || is_it(&asked.otherwise))
    }
}

/// An entry of a verdict table: a final verdict or a line with a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictEntry {
    /// A final verdict, and the rule line that gives it. The verdict on an empty square comes from no line.
    Is(Verdict, Option<LineId>),
    /// The index in `asked` of the line to check. If the condition of that line is false, its entry `otherwise`
    /// decides.
    Ask(u16),
}

/// A line of a verdict table with a condition.
#[derive(Debug)]
pub struct ConditionalVerdict {
    /// The rule line.
    pub line: LineId,
    /// The condition.
    pub when: Program,
    /// The verdict if the condition is true.
    pub then: Verdict,
    /// The entry that decides if the condition is false.
    pub otherwise: VerdictEntry,
}

/// The result of landing on a square, or of passing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// The action is not possible.
    Refuse,
    /// The pawn may land, or may pass.
    Allow,
    /// The pawn lands and captures every enemy on the square. If only partners stand there, it captures them.
    Cut,
    /// The pawn lands and captures the enemy that arrived last. If only partners stand there, it captures one of them.
    CutLast,
    /// The pawn lands and captures the pawn that arrived last, enemy or partner.
    CutLastOfAll,
    /// The pawn lands, and every enemy there goes to the square that the pawn leaves. If only partners stand there,
    /// they go.
    Swap,
    /// The pawn stops on the place before, and the verdict on that place applies. If the move does not walk ahead along
    /// the path, it is not possible.
    StopBefore,
}

impl Verdict {
    /// Whether the landing captures pawns.
    #[inline(always)]
    pub(crate) fn captures(self) -> bool {
        matches!(self, Verdict::Cut | Verdict::CutLast | Verdict::CutLastOfAll)
    }

    /// Whether the landing moves pawns that stand there.
    #[inline(always)]
    pub(crate) fn moves_others(self) -> bool {
        matches!(self, Verdict::Cut | Verdict::CutLast | Verdict::CutLastOfAll | Verdict::Swap)
    }
}
