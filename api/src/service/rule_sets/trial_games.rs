//! The trial of a rule set: games that are played before it is published. Slow rules would delay all requests, so the
//! decisions in these games are timed. One game has the defaults of all options. Every other game sets one option; of a
//! range of numbers, only the lowest and the highest are tried.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use pagade_rules::document::OptionKind;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

use crate::error::{Problem, detail, internal};
use crate::game::GameId;
use crate::game::edit::Edit;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::Status;
use crate::ground::clock;
use crate::ground::token::Token;
use crate::rule_sets::workers::too_much;

/// Longest time that a decision may take, including the search for the legal actions.
pub(in crate::service) const DECISION: Duration = Duration::from_millis(250);
/// Longest time for the whole trial.
const TRIAL_TIME: Duration = Duration::from_secs(1);
/// Maximum number of decisions in each game of the trial.
const DECISIONS: usize = 200;

/// Plays some games, through the same code as the service. Throws and actions are the same in every trial of a rule
/// set.
///
/// # Errors
/// 422 if a decision takes longer than `most`.
pub(in crate::service) fn play(set: &RuleSet, most: Duration) -> Result<(), Problem> {
    let began = Instant::now();
    let tables = tables(set);
    let (count, mut end) = (u32::try_from(tables.len()).unwrap_or(u32::MAX), Duration::ZERO);
    for (game, options) in tables.into_iter().enumerate() {
        end += TRIAL_TIME / count;
        // No engine exists for options that contradict each other, so no game can have these options.
        let Ok(engine) = set.table(&options, None) else { continue };
        let engine = Arc::new(engine);
        let new = NewGame { seed: game.to_string(), ..NewGame::hot_seat(set, &engine, Token::new()?.hash()) };
        let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), Arc::clone(&engine));
        edit.start();
        for number in 0..DECISIONS {
            if edit.game.status != Status::Playing || began.elapsed() > end {
                break;
            }
            let time = ThreadTime::now();
            decide(&mut edit, number)?;
            let took = time.elapsed();
            if took > most {
                let (took, most) = (milliseconds(took), milliseconds(most));
                let detail =
                    detail!("a decision by these rules took {took} milliseconds, {most} are allowed", took, most);
                return Err(too_much(detail));
            }
        }
    }
    Ok(())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Lists the options of the games: the defaults, then each value of each option, or both ends of its range.
fn tables(set: &RuleSet) -> Vec<Options> {
    let mut tables = vec![Options::new()];
    for line in &set.document().options {
        let values = match &line.kind {
            OptionKind::OneOf { words, .. } => words.iter().map(|word| OptionValue::Word(word.value.clone())).collect(),
            OptionKind::Truth { .. } => vec![OptionValue::Truth(true), OptionValue::Truth(false)],
            OptionKind::Range { from, to, .. } => [from, to].map(|end| OptionValue::Number(end.value)).into(),
        };
        tables.extend(values.into_iter().map(|value| Options::from([(line.name.value.clone(), value)])));
    }
    tables
}

fn decide(edit: &mut Edit, number: usize) -> Result<(), Problem> {
    let legal = edit.play.as_ref().map(|play| play.legal_texts(&edit.engine)).unwrap_or_default();
    match legal.get(number.wrapping_mul(7919) % legal.len().max(1)).cloned() {
        None => {
            let throw = edit.next_throw(None)?;
            edit.throw(&throw)
        }
        Some(action) => edit.act(&action, "").map_err(internal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn a_rule_set_with_slow_decisions_is_not_taken() {
        for id in ["pagade", "chopat", "parchesi-us"] {
            let set = pagade_rules::bundled::ruleset(id).unwrap();
            assert_eq!(play(&set, DECISION), Ok(()), "{id}");
        }
        let set = pagade_rules::bundled::ruleset(pagade_rules::bundled::SETS[0].0).unwrap();
        assert_eq!(play(&set, Duration::ZERO).unwrap_err().code, Code::TooMuchWork);
    }
}
