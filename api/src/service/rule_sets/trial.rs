//! The trial of a rule set: games played before it is published. A slow rule set would delay all requests, so its
//! decisions are timed, with the defaults of all options and with every other value of each.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use pagade_rules::document::OptionKind;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::game::edit::Edit;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::Status;
use crate::ground::clock;
use crate::ground::token::Token;
use crate::rule_sets::workers::too_much;

/// Longest time for a decision, including the list of legal actions after it.
pub(super) const DECISION: Duration = Duration::from_millis(250);
/// Time for the whole trial.
const TRIAL_TIME: Duration = Duration::from_secs(1);
/// Maximum number of decisions in each game of the trial.
const DECISIONS: usize = 200;

/// Plays some games by chance, through the same code as the service.
///
/// # Errors
/// 422 if a decision takes longer than `most`.
pub(super) fn play(set: &RuleSet, most: Duration) -> Result<(), Problem> {
    let began = Instant::now();
    let tables = tables(set);
    let (count, mut end) = (u32::try_from(tables.len()).unwrap_or(u32::MAX), Duration::ZERO);
    for (game, options) in tables.into_iter().enumerate() {
        end += TRIAL_TIME / count;
        // Contradicting options make no table: games with them cannot be created.
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
                let detail = format!(
                    "a decision in it took {} milliseconds, {} are allowed",
                    took.as_millis(),
                    most.as_millis()
                );
                return Err(too_much(&detail));
            }
        }
    }
    Ok(())
}

/// The options of each game: the defaults, then every other value of one option.
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
