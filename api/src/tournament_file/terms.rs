//! The terms of a tournament file, checked against its rule set as the service checks a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use serde_json::{Map, Value};

use super::boards;
use crate::error::ProblemPart;
use crate::model::tournament::CreateTournament;
use crate::pairing::{Format, Playable};
use crate::rule_sets::library;
use crate::tournament::{form, teams};

/// The engines of the boards of a tournament, by the number of seats.
pub type Boards = BTreeMap<usize, Arc<Engine>>;

/// Terms that suit the rule set.
pub(super) struct Terms {
    pub wish: CreateTournament,
    pub format: Format,
    pub playable: Playable,
    pub boards: Boards,
}

/// Gives the values of options the types that the rule set declares. A value that does not fit stays a text.
pub(super) fn typed_options(request: &Map<String, Value>, set: &RuleSet) -> Options {
    let written = request.get("options").and_then(Value::as_object).into_iter().flatten();
    let words = written.filter_map(|(name, value)| Some((name.clone(), OptionValue::Word(value.as_str()?.to_owned()))));
    set.typed(&words.collect())
}

/// Writes options as the request has them.
pub(super) fn options_json(options: &Options) -> Value {
    let value = |value: &OptionValue| match value {
        OptionValue::Word(word) => word.as_str().into(),
        OptionValue::Truth(truth) => (*truth).into(),
        OptionValue::Number(number) => (*number).into(),
    };
    options.iter().map(|(name, chosen)| (name.clone(), value(chosen))).collect::<Map<_, _>>().into()
}

/// Checks options, boards and form. Returns `None` after a mistake, which is added to `mistakes`.
pub(super) fn decide(
    wish: CreateTournament,
    options: &Options,
    set: &RuleSet,
    mistakes: &mut Vec<ProblemPart>,
) -> Option<Terms> {
    let before = mistakes.len();
    let team = wish.team_size.unwrap_or(1) as usize;
    let is_of_seats = |part: &ProblemPart| part.pointer.as_deref() == Some("/players");
    if let Err(problem) = library::table(set, options, None) {
        mistakes.extend(problem.parts.into_iter().filter(|part| !is_of_seats(part)));
    }
    if mistakes.len() > before {
        return None;
    }
    let mut own: Boards = BTreeMap::new();
    for (at, board) in wish.boards.iter().enumerate() {
        match library::table(set, options, Some(board)) {
            Ok(engine) => drop(own.entry(board.len()).or_insert_with(|| Arc::new(engine))),
            Err(problem) => mistakes.extend(
                problem.parts.into_iter().map(|part| ProblemPart { pointer: Some(format!("/boards/{at}")), ..part }),
            ),
        }
    }
    let sizes = form::table_sizes(&wish.format).into_iter().map(|size| size as usize * team);
    let boards: Boards = sizes
        .filter_map(|seats| {
            let even = || boards::even(set, options, seats).map(Arc::new);
            Some((seats, own.get(&seats).cloned().or_else(even)?))
        })
        .collect();
    let playable = Playable::new(|entrants| boards.contains_key(&(entrants * team)));
    let format = form::format(&wish.format, &playable, mistakes).filter(|_| mistakes.len() == before)?;
    form::check_boards(&wish.format, &format, &playable, team, || form::tables(set, options), mistakes);
    let full = wish.format.table.unwrap_or(2) as usize * team;
    if let (true, Some(board)) = (mistakes.len() == before, boards.get(&full)) {
        teams::check_partners(team, board, set, options, mistakes);
    }
    if mistakes.len() > before {
        return None;
    }
    Some(Terms { wish, format, playable, boards })
}
