//! Plays a tournament round by round.

use std::collections::BTreeMap;

use pagade_pairing::{History, Tournament, TournamentError, pair, standings};
use pagade_robots::simulate::Chance;

use super::place;
use super::plan::TournamentPlan;
use super::table::{RestartedGame, play_table, split};
use super::tally::PlayedTournament;

/// Plays all rounds. All tables of a round play at the same time, so a round takes as long as its longest table.
pub(super) fn play(
    plan: &TournamentPlan<'_>,
    field: &Tournament,
    chance: &mut Chance,
    games_by_seats: &mut BTreeMap<usize, RestartedGame<'_>>,
) -> Result<PlayedTournament, TournamentError> {
    let (mut history, mut played) = (History::default(), PlayedTournament::default());
    let pause = u64::try_from(plan.prepared.pause.as_millis()).unwrap_or(u64::MAX);
    while let Some(round) = pair(field, &history)? {
        history.add(&round);
        let same = split(chance);
        let (mut longest, number) = (0, history.rounds.len());
        for (index, table) in round.tables.iter().enumerate() {
            let throws = if plan.prepared.has_same_dice { same.clone() } else { split(chance) };
            let games = play_table(plan, games_by_seats, table, [number, index + 1], &throws, chance)?;
            longest = longest.max(games.decisions);
            played.add_table(&games);
            history.rounds[number - 1].tables[index].result = Some(games.result);
        }
        played.rounds += 1;
        played.decisions_in_row += longest;
        played.pauses += pause;
    }
    // No pause follows the last round.
    played.pauses = played.pauses.saturating_sub(pause);
    place::note(&mut played, &standings(field, &history)?, chance);
    Ok(played)
}
