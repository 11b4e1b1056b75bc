//! The terms of a tournament file, checked against its rule set as the service checks a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_pairing::{Format, Playable};
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use serde_json::{Map, Value};

use crate::error::ProblemPart;
use crate::model::tournament::CreateTournament;
use crate::rule_sets::library;
use crate::tournament::suiting::{Suited, suit};

/// Terms that suit the rule set.
pub(super) struct SuitableTerms {
    pub wish: CreateTournament,
    pub format: Format,
    pub playable: Playable,
    /// The engines, by the number of seats.
    pub engines: BTreeMap<usize, Arc<Engine>>,
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

/// Checks options, seats and form. Returns `None` after a mistake, which is added to `mistakes`.
pub(super) fn decide(
    wish: CreateTournament,
    options: &Options,
    set: &RuleSet,
    mistakes: &mut Vec<ProblemPart>,
) -> Option<SuitableTerms> {
    let table = |seats: Option<&[String]>| library::table(set, options, seats).map(Arc::new);
    let Suited { format, playable, seatings } = suit(&wish, options, set, &table, mistakes)?;
    let engines = seatings.into_iter().map(|(seats, seating)| (seats, seating.engine)).collect();
    Some(SuitableTerms { wish, format, playable, engines })
}
