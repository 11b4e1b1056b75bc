//! Whether the terms of a tournament suit its rule set. Requests and tournament files are checked by the same function.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_pairing::{Format, Playable};
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};

use crate::error::{Problem, ProblemPart};
use crate::model::tournament::CreateTournament;
use crate::tournament::{form, teams};

/// A function that returns the engine for the given seats; for all seats if it gets `None`.
pub(crate) type TableOf<'t> = &'t dyn Fn(Option<&[String]>) -> Result<Arc<Engine>, Problem>;

/// The form and the seats of a tournament, which suit its rule set.
pub(crate) struct Suited {
    pub format: Format,
    /// The sizes of tables that the rule set has.
    pub playable: Playable,
    /// The seats that play and their engine, by the number of seats.
    pub seatings: BTreeMap<usize, TableSeating>,
}

/// The seats that play at tables of one size.
#[derive(Clone)]
pub(crate) struct TableSeating {
    /// The names of the seats, in the order in which they were given, or else of travel.
    pub seats: Vec<String>,
    pub engine: Arc<Engine>,
}

/// Checks options, seats, form and teams. Every mistake is added to `mistakes`, and the result is then `None`. `table`
/// returns engines with these options.
pub(crate) fn suit(
    wish: &CreateTournament,
    options: &Options,
    set: &RuleSet,
    table: TableOf<'_>,
    mistakes: &mut Vec<ProblemPart>,
) -> Option<Suited> {
    let before = mistakes.len();
    let team = wish.team_size.unwrap_or(1) as usize;
    // This engine also shows the mistakes in the options, which have to be found even if no board is needed.
    let whole = table(None);
    if let Err(problem) = &whole {
        let parts = problem.parts.iter().filter(|part| part.pointer.as_deref() != Some("/players"));
        mistakes.extend(parts.cloned());
    }
    // If the options have mistakes, boards are not checked: the right options may allow other boards.
    let has_options = mistakes.len() == before;
    let mut own: BTreeMap<usize, TableSeating> = BTreeMap::new();
    for (at, seats) in wish.boards.iter().enumerate().filter(|_| has_options) {
        match table(Some(seats)) {
            Ok(engine) => {
                own.entry(seats.len()).or_insert_with(|| TableSeating { seats: seats.clone(), engine });
            }
            Err(problem) => mistakes.extend(
                problem.parts.into_iter().map(|part| ProblemPart { pointer: Some(format!("/boards/{at}")), ..part }),
            ),
        }
    }
    let whole = whole.ok().filter(|_| has_options);
    let sizes = form::table_sizes(&wish.format).into_iter().map(|size| size as usize * team);
    let seating = |seats: usize| {
        let even = || whole.as_deref().and_then(|whole| even_seating(whole, seats, table));
        Some((seats, own.get(&seats).cloned().or_else(even)?))
    };
    let seatings: BTreeMap<usize, TableSeating> = sizes.filter_map(seating).collect();
    let playable = Playable::new(|entrants| seatings.contains_key(&(entrants * team)));
    let format = form::format(&wish.format, &playable, mistakes).filter(|_| mistakes.len() == before)?;
    form::check_tables(&wish.format, &format, &playable, team, || form::tables(set, options), mistakes);
    let full = wish.format.table.unwrap_or(2) as usize * team;
    if let (true, Some(seating)) = (mistakes.len() == before, seatings.get(&full)) {
        teams::check_partners(team, &seating.engine, set, options, mistakes);
    }
    (mistakes.len() == before).then_some(Suited { format, playable, seatings })
}

/// Chooses this number of seats, which lie as evenly as the rule set allows; `None` if the rule set has no
/// table with this number of seats. `whole` is the engine of all seats.
fn even_seating(whole: &Engine, seats: usize, table: TableOf<'_>) -> Option<TableSeating> {
    let all: Vec<&str> = whole.seating.players.iter().map(|seat| whole.seat_name(*seat)).collect();
    let count = all.len();
    if seats > count || seats == 0 {
        return None;
    }
    let evenly = (0..count).map(|from| {
        let mut even: Vec<usize> = (0..seats).map(|seat| (from + seat * count / seats) % count).collect();
        even.sort_unstable();
        even
    });
    let any = (0..1_usize << count)
        .filter(|set| set.count_ones() as usize == seats)
        .map(|set| (0..count).filter(|seat| set >> seat & 1 == 1).collect::<Vec<_>>());
    let mut named = evenly.chain(any).map(|chosen| chosen.into_iter().map(|seat| all[seat].to_owned()).collect());
    named.find_map(|seats: Vec<String>| Some(TableSeating { engine: table(Some(&seats)).ok()?, seats }))
}
