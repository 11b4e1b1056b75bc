//! Records in the text form: header lines with `#`, then one line for each turn.
//!
//! ```text
//! # rule set: pagade 1.0.0
//! # players: red yellow
//! # option dice_use: most
//! 1. red: throw 3+4; 6-9:3; 7-11:4
//! 2. yellow: throw 1+1; 12=13:1+1
//! ```

use pagade_rules::play::HappeningKind;
use pagade_rules::record::{MalformedTurn, TurnLine, TurnStep};
use pagade_rules::tables::PASS_WORD;

use crate::error::{Problem, detail};
use crate::game::edit::Edit;
use crate::game::steps;
use crate::game::steps::Step;
use crate::game::stored::Game;
use crate::model::creation::OptionValue;
use crate::model::event_kind::EventKind;
use crate::service::records::header::{HeaderDice, RecordHeader, refuse};

/// Writes the record of a game. `edit` is the game at its opening.
///
/// # Errors
/// A stored step is not legal, which cannot happen as long as the rules of the game are the same.
pub(super) fn write(game: &Game, mut edit: Edit, steps: &[Step]) -> Result<String, Problem> {
    let mut text = format!("# rule set: {} {}\n", game.setup.rule_set.id, game.setup.rule_set.version);
    text.push_str(&format!(
        "# digest: {}\n# players: {}\n",
        game.setup.rule_set.digest,
        game.setup.players().join(" ")
    ));
    if let Some(dice) = HeaderDice::of(game) {
        text.push_str(&format!("# dice: {} {}\n", dice.scheme, dice.seed_hash));
        for (seat, contribution) in dice.contributions {
            text.push_str(&format!("# contribution {seat}: {contribution}\n"));
        }
    }
    if let Some(seed) = game.revealed_seed() {
        text.push_str(&format!("# seed: {seed}\n"));
    }
    for (name, value) in &game.setup.options {
        text.push_str(&format!("# option {name}: {value}\n"));
    }
    let mut turns = Vec::new();
    for step in steps {
        let seat = edit.engine.seat_name(edit.turn()?).to_owned();
        let throws = matches!(step, Step::Throw(_));
        let begins = throws && edit.play.as_ref().is_some_and(|play| play.state().thrown == 0);
        let written = match step {
            Step::Throw(thrown) => TurnStep::Throw(edit.engine.throw_text(thrown)),
            Step::Act(played) => TurnStep::Play(played.to_string()),
        };
        TurnLine::add(&mut turns, &seat, begins, written);
        let known_throws = edit.events.len();
        steps::repeat(&mut edit, step)?;
        let has_passed = edit.events[known_throws..]
            .iter()
            .any(|numbered| numbered.event.kind == EventKind::Play(HappeningKind::Passed));
        if throws && has_passed {
            TurnLine::add(&mut turns, &seat, false, TurnStep::Play(PASS_WORD.to_owned()));
        }
    }
    text.push_str(&turns.iter().map(TurnLine::to_string).collect::<Vec<_>>().join("\n"));
    text.push('\n');
    Ok(text)
}

/// Tells whether an action is legal in the present state.
pub(super) fn is_legal(edit: &Edit, action: &str) -> bool {
    edit.play.as_ref().is_some_and(|play| play.legal_texts(&edit.engine).iter().any(|legal| legal == action))
}

/// Reads the header lines of a record.
///
/// # Errors
/// The line with the rule set is missing, or a line has an unknown key.
pub(super) fn header(text: &str) -> Result<RecordHeader, Problem> {
    let mut header = RecordHeader::default();
    for (line, number) in text.lines().zip(1..) {
        let Some(rest) = line.strip_prefix('#') else { break };
        let (key, value) =
            rest.split_once(':').ok_or_else(|| refuse(number, detail!("a line of the head is `# key: value`")))?;
        let value = value.trim();
        match key.trim() {
            "rule set" => {
                let mut words = value.split_whitespace();
                header.ruleset = words.next().unwrap_or_default().to_owned();
                header.version = words.next().map(str::to_owned);
            }
            "digest" => header.digest = Some(value.to_owned()),
            "players" => header.players = Some(value.split_whitespace().map(str::to_owned).collect()),
            "dice" => {
                let (scheme, seed_hash) = value.split_once(' ').unwrap_or((value, ""));
                header.dice = Some(HeaderDice {
                    scheme: scheme.to_owned(),
                    seed_hash: seed_hash.trim().to_owned(),
                    ..HeaderDice::default()
                });
            }
            "seed" => header.seed = Some(value.to_owned()),
            key => match (key.split_once(' '), &mut header.dice) {
                (Some(("option", option)), _) => {
                    header.options.insert(option.trim().to_owned(), OptionValue::Word(value.to_owned()));
                }
                (Some(("contribution", seat)), Some(dice)) => {
                    dice.contributions.insert(seat.trim().to_owned(), value.to_owned());
                }
                _ => return Err(refuse(number, detail!("`{key}` is not a key of the header", key))),
            },
        }
    }
    if header.ruleset.is_empty() { Err(refuse(1, detail!("`# rule set: ID VERSION` is missing"))) } else { Ok(header) }
}

/// Plays the turns of a record in the game.
///
/// # Errors
/// A step is malformed or not legal.
pub(super) fn play(edit: &mut Edit, text: &str) -> Result<(), Problem> {
    for (line, number) in text.lines().zip(1..) {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let TurnLine { seat, steps, .. } = line.parse().map_err(|_: MalformedTurn| {
            refuse(number, detail!("a turn is written `1. seat: throw 3+4; ACTION; ACTION`"))
        })?;
        if edit.play.is_none() {
            let first = edit.player(&seat).map_err(|problem| refuse(number, problem.said()))?;
            edit.start_with(first);
        }
        let turn = edit.turn_name().map_err(|problem| refuse(number, problem.said()))?;
        if turn != seat {
            return Err(refuse(number, detail!("it is the turn of `{turn}`, not of `{seat}`", turn, seat)));
        }
        for step in steps {
            let taken = match &step {
                TurnStep::Throw(text) => edit.read_throw(text, "").and_then(|throw| edit.throw(&throw)),
                // If the engine has passed by itself, the turn is over, and the `pass` in the record is not played.
                TurnStep::Play(action) if action == PASS_WORD && !is_legal(edit, action) => Ok(()),
                TurnStep::Play(action) => edit.act(action, ""),
            };
            taken.map_err(|problem| refuse(number, problem.said()))?;
            edit.check_length()?;
        }
    }
    if edit.play.is_none() { Err(refuse(1, detail!("the record has no turn"))) } else { Ok(()) }
}
