//! The length of games of a rule set, measured by games of robots at the first request for it.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use pagade_robots::simulate::{Plan, Robots, play_part};
use pagade_rules::ruleset::{Options, RuleSet};
use tokio::time::timeout;

use crate::model::rule_set::GameLength;
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;

/// Number of games that are played.
const GAMES: u64 = 20;
/// Longest processor time for these games.
const PROCESSOR_TIME: Duration = Duration::from_millis(200);
/// Number of throws and actions between two checks of the processor time.
const LOOK_AFTER: u32 = 64;
/// Longest time that an answer waits for the measurement.
const PATIENCE: Duration = Duration::from_millis(500);

impl Service {
    /// Returns how long games of a rule set last; `None` if playing them takes too long or has not ended yet.
    pub(super) async fn length_of(&self, compiled: &Arc<CompiledRuleSet>) -> Option<GameLength> {
        if let Some(measured) = compiled.length.get() {
            return *measured;
        }
        let measured = Arc::clone(compiled);
        let measuring = self.workers.work(move || *measured.length.get_or_init(|| measure(&measured.set)));
        timeout(PATIENCE, measuring).await.ok()?.ok()?
    }
}

/// Plays the games. The same rules give the same result.
fn measure(set: &RuleSet) -> Option<GameLength> {
    let options = Options::new();
    let table = set.playable_tables(&options).ok()?.into_iter().min_by_key(|table| table.players.len())?;
    let engine = set.table(&options, Some(&table.players)).ok()?;
    let plan = Plan { games: GAMES, seed: 1, threads: 1, lines: false, robots: Robots::parse("runner", &engine).ok()? };
    let (clock, mut asked) = (ThreadTime::now(), 0_u32);
    let tally = play_part(&engine, &plan, 0..GAMES, &mut || {
        asked = asked.wrapping_add(1);
        asked.is_multiple_of(LOOK_AFTER) && clock.elapsed() > PROCESSOR_TIME
    })?;
    let turns = u32::try_from(tally.length_at(0.5)).ok()?;
    (tally.stuck == 0).then_some(GameLength { players: u8::try_from(table.players.len()).ok()?, turns })
}

#[cfg(test)]
mod tests {
    use pagade_rules::bundled;

    use super::*;

    #[test]
    fn games_of_a_short_and_a_long_game_are_measured() {
        let length = |id| measure(&bundled::ruleset(id).unwrap());
        let (ur, pachisi) = (length("royal-game-of-ur").unwrap(), length("pachisi").unwrap());
        assert!(ur.players == 2 && (60..140).contains(&ur.turns), "{ur:?}");
        assert!(pachisi.players == 4 && pachisi.turns > 2 * ur.turns, "{pachisi:?}");
        assert_eq!(length("royal-game-of-ur"), Some(ur));
    }
}
