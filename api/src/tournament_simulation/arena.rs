//! Plays an arena: entrants who are free play at once, as long as the arena is open.

use std::collections::{BTreeMap, HashSet};

use pagade_pairing::{EntrantId, History, SeatResult, Tournament, TournamentError, pair_free, standings};
use pagade_robots::simulate::Chance;

use super::place;
use super::plan::TournamentPlan;
use super::table::{RestartedGame, play_table, split};
use super::tally::PlayedTournament;

/// Pause between two pairings, in milliseconds, as in the service.
const PAUSE: u64 = 3_000;

/// A table at which a game is played.
struct OpenTable {
    /// The time of the end, in milliseconds since the start.
    ends: u64,
    /// The indexes of the round and the table.
    at: [usize; 2],
    result: Vec<SeatResult>,
}

/// Plays the arena until all games are over that began while it was open.
pub(super) fn play(
    plan: &TournamentPlan<'_>,
    field: &Tournament,
    chance: &mut Chance,
    games_by_seats: &mut BTreeMap<usize, RestartedGame<'_>>,
) -> Result<PlayedTournament, TournamentError> {
    let (mut history, mut played) = (History::default(), PlayedTournament::default());
    let closes = u64::from(plan.prepared.open_seconds.unwrap_or(0)) * 1000;
    let (mut open, mut now, mut last): (Vec<OpenTable>, u64, u64) = (Vec::new(), 0, closes);
    while now < closes {
        open.retain_mut(|table| {
            let is_over = table.ends <= now;
            if is_over {
                let [round, index] = table.at;
                history.rounds[round].tables[index].result = Some(std::mem::take(&mut table.result));
            }
            !is_over
        });
        let free = free(field, &history);
        if free.len() >= 2 {
            let round = pair_free(field, &history, &free)?;
            if !round.tables.is_empty() {
                history.add(&round);
                played.rounds += 1;
            }
            for (index, table) in round.tables.iter().enumerate() {
                let (number, throws) = (history.rounds.len(), split(chance));
                let games = play_table(plan, games_by_seats, table, [number, index + 1], &throws, chance)?;
                let ends = now + games.decisions * plan.milliseconds_a_decision();
                last = last.max(ends);
                played.add_table(&games);
                open.push(OpenTable { ends, at: [number - 1, index], result: games.result });
            }
        }
        // Nothing changes until the next game is over.
        let Some(next) = open.iter().map(|table| table.ends).min() else { break };
        now = next.max(now + 1).div_ceil(PAUSE) * PAUSE;
    }
    for OpenTable { at: [round, index], result, .. } in open {
        history.rounds[round].tables[index].result = Some(result);
    }
    played.lasts = Some(last);
    place::note(&mut played, &standings(field, &history)?, chance);
    Ok(played)
}

/// The entrants who do not sit at a table without a result.
fn free(field: &Tournament, history: &History) -> Vec<EntrantId> {
    let open = history.rounds.iter().flat_map(|round| &round.tables).filter(|table| table.result.is_none());
    let busy: HashSet<EntrantId> = open.flat_map(|table| table.seats.iter().copied()).collect();
    field.entrants.iter().map(|entrant| entrant.id).filter(|entrant| !busy.contains(entrant)).collect()
}
