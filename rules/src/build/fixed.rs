//! Warns of comparisons in a rule file whose result is the same in every game, with all options and numbers of players.

use std::collections::BTreeMap;

use super::findings::Findings;
use crate::source::Span;

/// The comparisons of a file, by span. `None`: the comparison depends on the game.
pub(crate) type Comparisons = BTreeMap<Span, Option<Fixed>>;

/// A comparison that has the same result in every game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Whether the comparison holds.
    pub(super) holds: bool,
    /// The reason, for the warning.
    pub(super) why: String,
}

/// Adds a comparison. It becomes `None` if it was added before with another result, for example with other options.
pub(super) fn add(comparisons: &mut Comparisons, span: Span, found: Option<Fixed>) {
    let before = comparisons.entry(span).or_insert_with(|| found.clone());
    if before.as_ref().map(|fixed| fixed.holds) != found.map(|fixed| fixed.holds) {
        *before = None;
    }
}

/// Adds the comparisons of another table.
pub(super) fn add_all(comparisons: &mut Comparisons, others: Comparisons) {
    for (span, found) in others {
        add(comparisons, span, found);
    }
}

/// Warns of the comparisons that have the same result in every table.
pub(super) fn warn(comparisons: &Comparisons, report: &mut Findings) {
    for (span, Fixed { holds, why }) in comparisons.iter().filter_map(|(span, found)| Some((*span, found.as_ref()?))) {
        let (code, message) = match holds {
            true => ("always-holds", format!("this comparison always holds: {why}")),
            false => ("never-holds", format!("this comparison never holds: {why}")),
        };
        // A line whose condition is this comparison may be told already.
        if !report.has(code, span) {
            report.warning(code, span, message, Some("mend it, or leave it out".to_owned()));
        }
    }
}
