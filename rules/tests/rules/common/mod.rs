//! Helpers for several tests of this crate: bundled rule sets, tables, and repeatable random numbers.

pub(crate) mod sets;

use std::sync::Arc;

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Engine, Phase, Quiet, State};
use pagade_rules::position::{ByName, PositionSetup};
use pagade_rules::record::{RecordLine, Recorder};
use pagade_rules::ruleset::{Options, RuleFiles, RuleSet};

/// Finds and checks a bundled rule set.
pub(crate) fn rule_set(id: &str) -> Result<Arc<RuleSet>, String> {
    let source = Bundled.find(id).ok_or_else(|| format!("no rule set is called `{id}`"))?;
    let checked = RuleSet::check(&source, &Bundled);
    checked.ruleset.map(Arc::new).ok_or_else(|| format!("{:#?}", checked.problems))
}

/// Makes a table with default options. Without `players` all seats of the full table play.
pub(crate) fn table(id: &str, players: Option<&[&str]>) -> Engine {
    let players: Option<Vec<String>> = players.map(|names| names.iter().map(|name| name.to_string()).collect());
    rule_set(id).unwrap().table(&Options::new(), players.as_deref()).unwrap()
}

/// A generator of random numbers. The same seed gives the same numbers in every run.
pub(crate) struct Chance(pub u64);

impl Chance {
    /// Draws a number from 0 to `n - 1`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// Plays a random game of at most `most` decisions. Calls `each` with every line of the record and the state after it.
pub(crate) fn play_at_random(
    engine: &Engine,
    game: u64,
    seed: u64,
    most: usize,
    mut each: impl FnMut(&RecordLine, &State),
) -> State {
    let mut chance = Chance(seed);
    let mut recorder = Recorder::new(engine, game, engine.first_seat());
    let mut decisions = 0;
    while recorder.state().phase != Phase::Over && decisions < most {
        let line = if recorder.state().phase == Phase::Throw {
            let throw = engine.draw(&mut |n| chance.below(n));
            recorder.throw(&throw, &mut Quiet).unwrap()
        } else {
            let legal = engine.legal(recorder.state());
            let action = legal[engine.pick(&legal, &mut |n| chance.below(n))];
            Some(recorder.play(&action, &mut Quiet).unwrap())
        };
        if let Some(line) = line {
            each(&line, recorder.state());
            decisions += 1;
        }
    }
    *recorder.state()
}

/// The state after a throw of red, at a table of Pagade. The pawns of black and yellow stand out of the way, all on
/// their square 1.
pub(crate) fn red_throws(engine: &Engine, red: [&str; 4], green: [&str; 4], throw: &str) -> State {
    let texts = |places: [&str; 4]| places.map(str::to_string).to_vec();
    let pieces = [("red", red), ("black", ["1"; 4]), ("yellow", ["1"; 4]), ("green", green)];
    let pieces = ByName(pieces.map(|(seat, places)| (seat.to_string(), texts(places))).to_vec());
    let setup = PositionSetup { pieces, turn: Some("red".to_string()), ..PositionSetup::default() };
    let mut state = engine.set_up(&setup, &mut Quiet).unwrap();
    engine.throw(&mut state, &engine.parse_throw(throw).unwrap(), &mut Quiet).unwrap();
    state
}
