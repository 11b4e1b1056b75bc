//! Lists the bundled rule sets, and the tables that can be played with each.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use pagade_rules::bundled::SETS;
use pagade_rules::document::OptionKind;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};

/// The ids of the bundled sets, or the one that `PAGADE_SET` names.
pub(crate) fn ids() -> Vec<&'static str> {
    let only = env::var("PAGADE_SET").ok();
    let ids = SETS.iter().map(|(id, _)| *id);
    ids.filter(|id| only.as_deref().is_none_or(|only| only == *id)).collect()
}

/// Makes a table for every number of players that the options allow.
pub(crate) fn of_every_size(set: &RuleSet, options: &Options) -> Vec<Engine> {
    let seats = &set.document().board.seats;
    let mut tables: Vec<Engine> = Vec::new();
    for chosen in 1..1 << seats.len() {
        let players = (0..seats.len()).filter(|seat| chosen >> seat & 1 == 1);
        let players: Vec<String> = players.map(|seat| seats[seat].value.clone()).collect();
        let is_known = tables.iter().any(|table| table.seating.players.len() == players.len());
        tables.extend(set.table(options, Some(&players)).ok().filter(|_| !is_known));
    }
    tables.sort_by_key(|table| table.seating.players.len());
    tables
}

/// Makes a full table for every value of every option except the defaults. Of a range only the two ends are used.
pub(crate) fn of_every_option(set: &RuleSet) -> Vec<Engine> {
    let chosen = set.options().iter().flat_map(|option| {
        let others = other_values(&option.kind).into_iter();
        others.map(|value| Options::from([(option.name.value.clone(), value)]))
    });
    chosen.map(|options| set.table(&options, None).unwrap_or_else(|problems| panic!("{problems:?}"))).collect()
}

fn other_values(kind: &OptionKind) -> Vec<OptionValue> {
    match kind {
        OptionKind::OneOf { words, default } => {
            let others = words.iter().filter(|word| word.value != default.value);
            others.map(|word| OptionValue::Word(word.value.clone())).collect()
        }
        OptionKind::Truth { default } => vec![OptionValue::Truth(!default.value)],
        OptionKind::Range { from, to, default } => {
            let ends = [from.value, to.value].into_iter();
            ends.filter(|end| *end != default.value).map(OptionValue::Number).collect()
        }
    }
}

/// Calls `work` with every item of a list, in two threads.
pub(crate) fn share_out<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
