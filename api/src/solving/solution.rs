//! A solved table: it plays, and is written to a file and read from it.

use std::io::{self, BufRead, Read, Write};

use pagade_rules::play::{Action, ActionKind, Actions, Engine, Phase, Quiet, State};
use pagade_rules::tables::Duty;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::values::{Progress, Values};

/// The first words of a file, with the number of its layout.
const FORMAT: &str = "pagade-solution 1";

/// The positions of a table with their values.
#[derive(Debug)]
pub struct Solution {
    graph: Graph,
    values: Values,
}

/// The first line of a file, as JSON. The values follow as 64-bit floating-point numbers, the lowest byte first, in the
/// order in which [`Graph::find`] finds the positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    format: String,
    ruleset: String,
    version: String,
    digest: String,
    /// Names and values of the options, as text.
    options: Vec<(String, String)>,
    players: Vec<String>,
    positions: usize,
    sweeps: u32,
    /// Greatest change of a value in the last sweep.
    change: f64,
}

/// Why a file of values cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file has no values of this program.
    #[error("it is no file that `pagade solve` writes")]
    Format,
    /// The values belong to other rules, options or players.
    #[error("its values are of {0}, and not of this table")]
    OtherTable(String),
}

impl Head {
    fn new(engine: &Engine, positions: usize, progress: Progress) -> Head {
        let identity = &engine.identity;
        Head {
            format: FORMAT.to_owned(),
            ruleset: identity.id.clone(),
            version: identity.version.clone(),
            digest: identity.digest.clone(),
            options: identity.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
            players: engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect(),
            positions,
            sweeps: progress.sweeps,
            change: progress.change,
        }
    }

    /// Whether the values of both belong to the same positions.
    fn is_of(&self, other: &Head) -> bool {
        let parts = |head: &Head| {
            (head.format.clone(), head.digest.clone(), head.options.clone(), head.players.clone(), head.positions)
        };
        parts(self) == parts(other)
    }
}

/// Writes values to a file, finished or not.
///
/// # Errors
/// The file cannot be written.
pub fn write(engine: &Engine, values: &Values, out: &mut impl Write) -> io::Result<()> {
    let list = values.to_list();
    serde_json::to_writer(&mut *out, &Head::new(engine, list.len(), values.progress()))?;
    out.write_all(b"\n")?;
    for value in list {
        out.write_all(&value.to_le_bytes())?;
    }
    out.flush()
}

/// Reads values from a file, finished or not.
///
/// # Errors
/// The file cannot be read, or its values belong to another table.
pub fn read(engine: &Engine, positions: usize, from: &mut impl BufRead) -> Result<Values, FileError> {
    let mut line = Vec::new();
    from.by_ref().take(1 << 20).read_until(b'\n', &mut line)?;
    let head: Head = serde_json::from_slice(&line).map_err(|_| FileError::Format)?;
    if head.format != FORMAT {
        return Err(FileError::Format);
    }
    if !head.is_of(&Head::new(engine, positions, Progress { sweeps: 0, change: 0.0 })) {
        let Head { ruleset, version, players, positions, .. } = head;
        let players = players.join(" and ");
        return Err(FileError::OtherTable(format!("`{ruleset}` {version}, {players}, {positions} positions")));
    }
    let mut values = Vec::with_capacity(positions);
    for _ in 0..positions {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        let value = f64::from_le_bytes(bytes);
        values.push(if (0.0..=1.0).contains(&value) { value } else { return Err(FileError::Format) });
    }
    let mut values = Values::from_list(&values, head.sweeps);
    values.change = head.change;
    Ok(values)
}

impl Solution {
    /// Joins positions with their values.
    pub fn new(graph: Graph, values: Values) -> Solution {
        Solution { graph, values }
    }

    /// For each seat that may begin: its name, and its chance to win if it begins.
    pub fn chances_to_begin(&self, engine: &Engine) -> Vec<(String, f64)> {
        let chance = |&(seat, opening)| {
            let value = self.values.at(opening);
            let own = if seat == self.graph.seats[0] { value } else { 1.0 - value };
            (engine.seat_name(seat).to_owned(), own)
        };
        self.graph.openings.iter().map(chance).collect()
    }

    /// The chance of the seat whose turn it is to win, if both play as well as possible. `None` if the position was not
    /// found from the opening, or is none: a throw has to be due.
    pub fn chance_in(&self, engine: &Engine, state: &State) -> Option<f64> {
        let value = self.known(engine, state)?;
        Some(if state.turn == self.graph.seats[0] { value } else { 1.0 - value })
    }

    /// Chooses the best of the legal actions `open`, and returns its index.
    pub fn choose(&self, engine: &Engine, state: &State, open: &[Action]) -> usize {
        self.best(engine, state, open).1
    }

    /// The best value for the seat whose turn it is, as the chance of the first seat, and the index of the action that
    /// leads to it. If several are equally good, it is the first that is neither a pass nor voluntary.
    fn best(&self, engine: &Engine, state: &State, open: &[Action]) -> (f64, usize) {
        let is_first = state.turn == self.graph.seats[0];
        let is_wait = |action: &Action| {
            let is_voluntary = || engine.moves.spend[usize::from(action.line)].duty == Duty::Voluntary;
            action.kind == ActionKind::Pass || action.kind == ActionKind::Move && is_voluntary()
        };
        let values = open.iter().enumerate().map(|(index, action)| {
            let (mut after, mut next) = (*state, Actions::default());
            engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            (self.value(engine, state, &after, &next), is_wait(action), index)
        });
        let merit = |value: f64| if is_first { value } else { -value };
        let better = |one: (f64, bool, usize), other: (f64, bool, usize)| {
            let order = merit(other.0).total_cmp(&merit(one.0)).then(one.1.cmp(&other.1));
            if order.is_gt() { other } else { one }
        };
        values.reduce(better).map_or((0.5, 0), |(value, _, index)| (value, index))
    }

    /// The chance of the first seat after an action. `open` are the legal actions that follow.
    fn value(&self, engine: &Engine, before: &State, state: &State, open: &[Action]) -> f64 {
        match self.graph.end_of(engine, before, state) {
            Some(end) => self.values.at(end),
            None if matches!(state.phase, Phase::Throw | Phase::Choose) => self.known(engine, state).unwrap_or(0.5),
            None => self.best(engine, state, open).0,
        }
    }

    fn known(&self, engine: &Engine, state: &State) -> Option<f64> {
        let key = self.graph.keys.find(engine, state)?;
        self.graph.numbers.get(&key).map(|number| self.values.at(*number))
    }
}
