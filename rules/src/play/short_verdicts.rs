//! The verdicts of the landing lines in short, one byte each.

use crate::tables::{Company, Verdict, VerdictEntry, VerdictTable};

/// The verdicts of the landing lines for single pawns in short: [`LANDS`], [`CAPTURES`] and [`ASKS`].
#[derive(Debug)]
pub(super) struct ShortVerdicts {
    /// The verdicts by class of place and company.
    of: Vec<u8>,
}

/// The pawn lands.
pub(super) const LANDS: u8 = 1;
/// The pawn captures where it lands.
pub(super) const CAPTURES: u8 = 1 << 1;
/// The verdict depends on a condition or on the places before.
pub(super) const ASKS: u8 = 1 << 2;

impl ShortVerdicts {
    pub(super) fn of(landing: &VerdictTable) -> ShortVerdicts {
        let short = |entry: &VerdictEntry| match entry {
            VerdictEntry::Is(Verdict::Refuse, _) => 0,
            VerdictEntry::Is(Verdict::StopBefore, _) | VerdictEntry::Ask(_) => ASKS,
            VerdictEntry::Is(answer, _) if answer.captures() => LANDS | CAPTURES,
            VerdictEntry::Is(_, _) => LANDS,
        };
        let single = usize::from(landing.classes) * Company::COUNT;
        ShortVerdicts { of: landing.table[..single].iter().map(short).collect() }
    }

    /// The verdict for a single pawn, by the class of the place and the company there.
    #[inline(always)]
    pub(super) fn at(&self, class: u8, seen: Company) -> u8 {
        self.of[usize::from(class) * Company::COUNT + seen.index()]
    }
}
