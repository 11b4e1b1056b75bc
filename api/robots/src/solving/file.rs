//! Files of solved tables: the positions with their values, finished or not.

use std::io::{self, BufRead, Read, Write};

use pagade_rules::play::Engine;
use pagade_rules::units::Seat;
use serde::{Deserialize, Serialize};

use super::arrangement::{Arrangement, Arrangements, BYTES};
use super::context::{Contexts, Split};
use super::positions::{Positions, Row};
use super::solution::Solution;
use super::values::{ENDS, PositionValues};

/// The first words of a file.
const FORMAT: &str = "pagade-solution ";
/// The version of the file layout.
const LAYOUT: u32 = 2;

/// The first line of a file, as JSON. Then follow, with the lowest byte of each number first: the contexts, each as the
/// number of its bytes (four bytes) and a position with this context; the arrangements of pawns; the rows, each with
/// its id (eight bytes), its first word and the number of its words (four bytes each); the words of all rows (eight
/// bytes each); and the values as 64-bit floating-point numbers.
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
    /// Whether positions with exchanged seats share a value.
    mirrored: bool,
    contexts: usize,
    arrangements: usize,
    rows: usize,
    words: usize,
    /// The arcs between classes: actions lead from the first class of an arc to the second.
    arcs: Vec<(u32, u32)>,
    /// Number of positions whose values are final.
    done: usize,
    sweeps: u32,
    change: f64,
}

/// The part of the first line that files of every layout have.
#[derive(Debug, Deserialize)]
struct AnyHead {
    format: String,
}

/// Why a file of values cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is no file of a solved table.
    #[error("it is no file that `pagade solve` writes")]
    Format,
    /// The file was written by another version of this program.
    #[error("it has the layout {0}, and this program reads layout {LAYOUT}; solve the table anew into another file")]
    Layout(String),
    /// The values belong to other rules, options or players.
    #[error("its values are of {0}, and not of this table")]
    OtherTable(String),
    /// The content of the file is incomplete or contradicts itself.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
}

impl Head {
    fn new(engine: &Engine, solution: &Solution) -> Head {
        let (identity, positions) = (&engine.identity, &solution.positions);
        Head {
            format: format!("{FORMAT}{LAYOUT}"),
            ruleset: identity.id.clone(),
            version: identity.version.clone(),
            digest: identity.digest.clone(),
            options: options(engine),
            players: players(engine),
            positions: positions.len,
            mirrored: positions.split.mirrored,
            contexts: positions.contexts.list.len(),
            arrangements: positions.arrangements.list.len(),
            rows: positions.rows.len(),
            words: positions.words.len(),
            arcs: positions.arcs.clone(),
            done: solution.done,
            sweeps: solution.sweeps,
            change: solution.change,
        }
    }
}

fn options(engine: &Engine) -> Vec<(String, String)> {
    engine.identity.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
}

fn players(engine: &Engine) -> Vec<String> {
    engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect()
}

impl Solution {
    /// Writes the positions and their values, finished or not.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, engine: &Engine, out: &mut impl Write) -> io::Result<()> {
        let positions = &self.positions;
        serde_json::to_writer(&mut *out, &Head::new(engine, self))?;
        out.write_all(b"\n")?;
        for example in &positions.contexts.examples {
            out.write_all(&(example.len() as u32).to_le_bytes())?;
            out.write_all(example)?;
        }
        for arrangement in &positions.arrangements.list {
            out.write_all(&arrangement.to_bytes())?;
        }
        for row in &positions.rows {
            out.write_all(&row.id.to_le_bytes())?;
            out.write_all(&row.first.to_le_bytes())?;
            out.write_all(&row.count.to_le_bytes())?;
        }
        write_words(positions.words.iter().copied(), out)?;
        write_words(self.values.to_list().map(f64::to_bits), out)?;
        out.flush()
    }

    /// Reads positions and values, finished or not.
    ///
    /// # Errors
    /// The file cannot be read, or its values belong to another table.
    pub fn read(engine: &Engine, from: &mut impl BufRead) -> Result<Solution, FileError> {
        let head = read_head(engine, from)?;
        let seats: [Seat; 2] = engine.seating.players.as_slice().try_into().map_err(|_| FileError::Format)?;
        let split = Split::new(engine, seats, head.mirrored);
        let contexts = read_contexts(engine, &split, head.contexts, from)?;
        let mut list = Vec::new();
        for _ in 0..head.arrangements {
            list.push(Arrangement::from_bytes(bytes::<BYTES>(from)?));
        }
        if !list.iter().all(|arrangement| arrangement.is_possible(engine)) {
            return Err(FileError::Damaged("a pawn stands where no place is"));
        }
        let arrangements = Arrangements::from_list(engine, list);
        let (mut rows, mut begin) = (Vec::new(), 0);
        for _ in 0..head.rows {
            let id = u64::from_le_bytes(bytes(from)?);
            let (first, count) = (u32::from_le_bytes(bytes(from)?), u32::from_le_bytes(bytes(from)?));
            rows.push(Row { id, begin, first, count });
            begin += count as usize;
        }
        if begin != head.words {
            return Err(FileError::Damaged("the rows do not have the words that its first line tells"));
        }
        let mut words = Vec::new();
        read_words(head.words, from, |word| words.push(word))?;
        let positions = Positions::from_parts(engine, split, arrangements, contexts, rows, words, head.arcs);
        if positions.len != head.positions {
            return Err(FileError::Damaged("it does not have the positions that its first line tells"));
        }
        let (mut values, mut are_chances) = (Vec::with_capacity(positions.len + ENDS), true);
        read_words(positions.len, from, |word| {
            let value = f64::from_bits(word);
            are_chances &= (0.0..=1.0).contains(&value);
            values.push(value);
        })?;
        if !are_chances {
            return Err(FileError::Damaged("a value is no chance"));
        }
        let values = PositionValues::new(values.into_iter());
        Ok(Solution { positions, values, done: head.done, sweeps: head.sweeps, change: head.change })
    }
}

/// Reads the first line, and checks that the rest is of this table.
fn read_head(engine: &Engine, from: &mut impl BufRead) -> Result<Head, FileError> {
    let mut line = Vec::new();
    from.by_ref().take(1 << 24).read_until(b'\n', &mut line)?;
    let AnyHead { format } = serde_json::from_slice(&line).map_err(|_| FileError::Format)?;
    let layout = format.strip_prefix(FORMAT).ok_or(FileError::Format)?;
    if layout != LAYOUT.to_string() {
        return Err(FileError::Layout(layout.to_owned()));
    }
    let head: Head = serde_json::from_slice(&line).map_err(|_| FileError::Format)?;
    let is_of = head.digest == engine.identity.digest && head.options == options(engine);
    if !is_of || head.players != players(engine) {
        let Head { ruleset, version, players, positions, .. } = head;
        let players = players.join(" and ");
        return Err(FileError::OtherTable(format!("`{ruleset}` {version}, {players}, {positions} positions")));
    }
    Ok(head)
}

fn read_contexts(engine: &Engine, split: &Split, count: usize, from: &mut impl BufRead) -> Result<Contexts, FileError> {
    let mut contexts = Contexts::default();
    for _ in 0..count {
        let length = u32::from_le_bytes(bytes(from)?);
        let mut example = Vec::new();
        from.by_ref().take(length.into()).read_to_end(&mut example)?;
        let state = engine.decode(&example).map_err(|_| FileError::Damaged("a position cannot be read"))?;
        contexts.push(engine, split.context(engine, &state), example);
    }
    Ok(contexts)
}

fn bytes<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Number of words that are read or written at a time.
const BLOCK: usize = 1 << 13;

fn write_words(words: impl Iterator<Item = u64>, out: &mut impl Write) -> io::Result<()> {
    let mut block = Vec::with_capacity(8 * BLOCK);
    for word in words {
        block.extend_from_slice(&word.to_le_bytes());
        if block.len() == 8 * BLOCK {
            out.write_all(&block)?;
            block.clear();
        }
    }
    out.write_all(&block)
}

fn read_words(count: usize, from: &mut impl Read, mut each: impl FnMut(u64)) -> io::Result<()> {
    let mut block = vec![0; 8 * BLOCK];
    let mut left = count;
    while left > 0 {
        let part = &mut block[..8 * left.min(BLOCK)];
        from.read_exact(part)?;
        for word in part.as_chunks().0 {
            each(u64::from_le_bytes(*word));
        }
        left -= left.min(BLOCK);
    }
    Ok(())
}
