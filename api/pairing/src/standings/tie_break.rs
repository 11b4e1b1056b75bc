//! The values of tie-breaks, with the rounds that they come from.

use serde::{Deserialize, Serialize};

use super::ledger::{EntrantRound, FinishedRounds};
use crate::entrant::EntrantId;
use crate::facts::Facts;
use crate::format::TieBreak;
use crate::score::Score;

/// The value of a tie-break for one entrant, and the parts that the rounds add to it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// The tie-break.
    pub tie_break: TieBreak,
    /// The value of the tie-break; a higher value is better.
    pub value: Score,
    /// The parts that the rounds add to the value, one for each round.
    pub parts: Vec<TieBreakPart>,
}

/// The part of a tie-break's value that one round adds.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TieBreakPart {
    /// The number of the round, the first is 1.
    pub round: usize,
    /// The opponents who count. If there are none, `Buchholz` counts the entrant's own points instead.
    pub opponents: Vec<EntrantId>,
    /// The value that the round adds.
    pub value: Score,
    /// Whether the round is left out of the sum.
    pub is_cut: bool,
}

/// Computes the value of a tie-break for an entrant. `equals` are the entrants whom no earlier tie-break has separated,
/// this entrant among them.
pub(super) fn evaluate(
    tie_break: TieBreak,
    ledger: &FinishedRounds,
    facts: &Facts<'_>,
    index: usize,
    equals: &[usize],
) -> Explained {
    let mut parts: Vec<TieBreakPart> = match tie_break {
        TieBreak::Lots => Vec::new(),
        TieBreak::DirectMeeting if !all_have_met(ledger, equals) => Vec::new(),
        TieBreak::DirectMeeting => {
            let among = |line: &EntrantRound| line.opponents.iter().any(|(other, _)| equals.contains(other));
            let lines = ledger.lines[index].iter().filter(|line| among(line));
            lines.map(|line| part(tie_break, ledger, facts, index, line, equals)).collect()
        }
        _ => ledger.lines[index].iter().map(|line| part(tie_break, ledger, facts, index, line, equals)).collect(),
    };
    // A round that the entrant missed adds nothing, and so adds least.
    if tie_break == TieBreak::BuchholzCut1
        && !ledger.missed_some[index]
        && let Some(least) = parts.iter_mut().min_by_key(|part| part.value)
    {
        least.is_cut = true;
    }
    let value = match tie_break {
        // One point for each entrant with a larger random number.
        TieBreak::Lots => facts.lots.iter().filter(|lot| **lot > facts.lots[index]).map(|_| Score::points(1)).sum(),
        _ => parts.iter().filter(|part| !part.is_cut).map(|part| part.value).sum(),
    };
    Explained { tie_break, value, parts }
}

/// Whether each two of some entrants have met.
fn all_have_met(ledger: &FinishedRounds, equals: &[usize]) -> bool {
    // An entrant meets at most three others in a round. In a larger group, some two entrants cannot have met, so no
    // search is needed.
    let most = 3 * ledger.lines.iter().map(Vec::len).max().unwrap_or(0);
    let has_met = |a: &usize, b: &usize| {
        ledger.lines[*a].iter().any(|line| line.opponents.iter().any(|(opponent, _)| opponent == b))
    };
    equals.len() <= most + 1 && equals.iter().all(|a| equals.iter().all(|b| a == b || has_met(a, b)))
}

/// Computes the part that one round adds to a tie-break of an entrant.
fn part(
    tie_break: TieBreak,
    ledger: &FinishedRounds,
    facts: &Facts<'_>,
    index: usize,
    line: &EntrantRound,
    equals: &[usize],
) -> TieBreakPart {
    let counts = |other: usize| tie_break != TieBreak::DirectMeeting || equals.contains(&other);
    let opponents: Vec<(usize, i64)> = line.opponents.iter().copied().filter(|(other, _)| counts(*other)).collect();
    let count = i64::try_from(opponents.len().max(1)).expect("a table has at most four seats");
    let value = match tie_break {
        TieBreak::Buchholz | TieBreak::BuchholzCut1 if opponents.is_empty() => ledger.points[index],
        TieBreak::Buchholz | TieBreak::BuchholzCut1 => {
            opponents.iter().map(|(other, _)| ledger.points[*other]).sum::<Score>().shared(count)
        }
        TieBreak::SonnebornBerger => {
            let taken = |(other, halves): &(usize, i64)| Score::from_parts(ledger.points[*other].parts() * halves);
            opponents.iter().map(taken).sum::<Score>().shared(2 * count)
        }
        TieBreak::DirectMeeting => opponents.iter().map(|(_, halves)| Score::points(*halves)).sum::<Score>().shared(2),
        TieBreak::Wins => Score::points(i64::from(line.is_won)),
        TieBreak::ScoreDifference => line.difference,
        TieBreak::Lots => Score::ZERO,
    };
    let named = opponents.iter().map(|(other, _)| facts.entrants[*other].id);
    TieBreakPart { round: line.round, opponents: named.collect(), value, is_cut: false }
}
