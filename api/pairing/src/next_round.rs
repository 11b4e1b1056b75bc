//! The next round of a tournament.

use super::error::TournamentError;
use super::facts::Facts;
use super::format::{Format, Tournament};
use super::groups::Groups;
use super::history::History;
use super::knock_out::Bracket;
use super::round::Round;
use super::score::Score;
use super::{round_robin, swiss};

/// Pairs the next round; `None` if the tournament has ended.
///
/// Round robins and the rounds of groups can be paired before the earlier rounds have results. Swiss rounds and
/// knock-outs need the results of all earlier rounds.
///
/// # Errors
/// Entrants, format and history contradict each other, a result is missing, or there are too few entrants.
pub fn pair(tournament: &Tournament, history: &History) -> Result<Option<Round>, TournamentError> {
    let facts = Facts::new(tournament, history)?;
    tournament.format.check_table_sizes(&tournament.playable)?;
    let numbered = facts.seeded(tournament.seeding, (0..facts.entrants.len()).collect());
    match &tournament.format {
        Format::RoundRobin { cycles: 0, .. } => Err(TournamentError::Format("no cycle")),
        Format::RoundRobin { table, cycles } => round_robin::pair(&facts, history, &numbered, *table, *cycles),
        Format::Swiss { table, smaller_tables, rounds } => {
            history.check_results(history.rounds.len())?;
            let needed = table.smallest(*smaller_tables, facts.playable);
            if facts.entrants.len() < needed {
                return Err(TournamentError::TooFewEntrants { found: facts.entrants.len(), needed });
            }
            let played = u32::try_from(history.rounds.len()).unwrap_or(u32::MAX);
            // Half of the points that could be won so far.
            let half = Score::points(i64::from(tournament.points.two[0]) * i64::from(played)).shared(2);
            let leaders_above = (played.saturating_add(1) == *rounds).then_some(half);
            Ok((played < *rounds).then(|| swiss::pair(&facts, history, *table, *smaller_tables, leaders_above)))
        }
        Format::KnockOut(form) => {
            form.check()?;
            if let Some(late) = history.late_entries.first() {
                return Err(TournamentError::NoFreePlace(late.entrant));
            }
            form.check_table_sizes(numbered.len(), facts.playable)?;
            Ok(Bracket::new(&facts, history, form, &numbered, 1)?.pair())
        }
        Format::Groups { groups, table, cycles, advance, then } => {
            let settings = Groups::new(*groups, *table, *cycles, *advance, then)?;
            settings.pair(tournament, &facts, history, &numbered)
        }
        Format::Arena { .. } => Err(TournamentError::Format("an arena pairs who is free")),
    }
}
