//! The next round of a tournament.

use super::error::TournamentError;
use super::facts::Facts;
use super::format::{Format, Tournament};
use super::groups::Groups;
use super::history::History;
use super::knock_out::Bracket;
use super::round::Round;
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
    tournament.format.check_boards(&tournament.playable)?;
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
            let is_over = usize::try_from(*rounds).is_ok_and(|rounds| history.rounds.len() >= rounds);
            Ok((!is_over).then(|| swiss::pair(&facts, history, *table, *smaller_tables)))
        }
        Format::KnockOut(form) => {
            form.check()?;
            if let Some(late) = history.late_entries.first() {
                return Err(TournamentError::NoFreePlace(late.entrant));
            }
            form.check_boards(numbered.len(), facts.playable)?;
            Ok(Bracket::new(&facts, history, form, &numbered, 1)?.pair())
        }
        Format::Groups { groups, table, cycles, advance, then } => {
            let settings = Groups::new(*groups, *table, *cycles, *advance, then)?;
            settings.pair(tournament, &facts, history, &numbered)
        }
        Format::Arena { .. } => Err(TournamentError::Format("an arena pairs who is free")),
    }
}
