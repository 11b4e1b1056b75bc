//! Standings: a function of the results, with every tie-break explained.

mod ledger;
pub(super) mod rank;
mod tie_break;

use serde::{Deserialize, Serialize};

pub use self::tie_break::{Explained, TieBreakPart};
use super::entrant::EntrantId;
use super::error::TournamentError;
use super::facts::Facts;
use super::format::{Format, TieBreak, Tournament};
use super::groups::Groups;
use super::history::History;
use super::knock_out::Bracket;
use super::score::Score;

/// The place of one entrant, with its reasons.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The entrant.
    pub entrant: EntrantId,
    /// The place, the first is 1. Entrants whom nothing separates share a place.
    pub place: usize,
    /// How far the entrant came in a knock-out; a larger number is better, and comes before the points. 0 in all other
    /// formats.
    pub reached: u32,
    /// The points of the entrant so far.
    pub points: Score,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<Explained>,
    /// The tie-break that separates the entrant from the one above. `None` if the points or the knock-out separate
    /// them, or if they share a place.
    pub decided_by: Option<TieBreak>,
}

/// Orders all entrants of the list by the results so far. Tables without a result do not count yet.
///
/// # Errors
/// If entrants, format or history contradict each other, or a knock-out lacks the result of a round before the last.
pub fn standings(tournament: &Tournament, history: &History) -> Result<Vec<Standing>, TournamentError> {
    let facts = Facts::new(tournament, history)?;
    let all = facts.seeded(tournament.seeding, (0..facts.entrants.len()).collect());
    let reached = reached(tournament, history, &facts, &all)?;
    let ranked = rank::ranked(tournament, &facts, history, &all, history.rounds.len(), &reached);
    let standing = |ranked: rank::Ranked| Standing {
        entrant: facts.entrants[ranked.index].id,
        place: ranked.place,
        reached: reached[ranked.index],
        points: ranked.points,
        tie_breaks: ranked.tie_breaks,
        decided_by: ranked.decided_by,
    };
    Ok(ranked.into_iter().map(standing).collect())
}

/// Checks that the results so far lead to standings, without computing any tie-breaks. A tournament of a thousand
/// entrants does this after every result.
///
/// # Errors
/// The errors of [`standings`].
pub fn check_standings(tournament: &Tournament, history: &History) -> Result<(), TournamentError> {
    let facts = Facts::new(tournament, history)?;
    let all = facts.seeded(tournament.seeding, (0..facts.entrants.len()).collect());
    reached(tournament, history, &facts, &all).map(drop)
}

/// Returns how far each entrant came in a knock-out, by index.
fn reached(
    tournament: &Tournament,
    history: &History,
    facts: &Facts<'_>,
    all: &[usize],
) -> Result<Vec<u32>, TournamentError> {
    match &tournament.format {
        Format::KnockOut(form) => Ok(Bracket::new(facts, &history.finished(), form, all, 1)?.reached),
        Format::Groups { groups, table, cycles, advance, then } => {
            let settings = Groups::new(*groups, *table, *cycles, *advance, then)?;
            settings.reached(tournament, facts, &history.finished(), all)
        }
        Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Arena { .. } => Ok(vec![0; facts.entrants.len()]),
    }
}
