//! The positions of a table, and the positions that each throw may lead to.

use std::collections::HashMap;

use pagade_rules::play::{Action, Actions, Engine, Phase, Quiet, State, Throw};
use pagade_rules::tables::First;
use pagade_rules::units::Seat;

use super::key::{Key, Keys};
use crate::robots::winner;

/// Why a table cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The table has more or fewer than two sides.
    #[error("only tables of two players can be solved, and this one has {0}")]
    Players(usize),
    /// The positions and what they lead to do not fit into the memory.
    #[error(
        "too many positions: {positions} were found, and {waiting} of them still lead on, when {megabytes} MB were full"
    )]
    TooLarge {
        /// Number of positions that were found.
        positions: usize,
        /// Number of positions whose throws were not played yet.
        waiting: usize,
        /// The memory, in millions of bytes.
        megabytes: usize,
    },
}

/// Entry of [`Graph::leads_to`] for a game that the first seat wins.
pub(super) const WON: u32 = u32::MAX;
/// Entry for a game that the second seat wins.
pub(super) const LOST: u32 = u32::MAX - 1;
/// Entry for a game that nobody wins.
pub(super) const DRAWN: u32 = u32::MAX - 2;
/// Greatest number of positions: entries above it mean ends of the game.
const MOST_POSITIONS: usize = (u32::MAX - 3) as usize;
/// Bytes of a position beside those of [`Graph::leads_to`]: its key in the map with its number, its key in the list,
/// where its entries begin, its value, and its seat. The map is at least half full.
const BYTES_A_POSITION: usize = 2 * 17 + 8 + 8 + 8 + 1;

/// The positions of a table for two, numbered from 0 in the order in which they were found, and what they lead to.
#[derive(Debug)]
pub struct Graph {
    pub(super) keys: Keys,
    /// The number of each position.
    pub(super) numbers: HashMap<Key, u32, foldhash::fast::FixedState>,
    /// The number of the opening position of each seat that may begin.
    pub(super) openings: Vec<(Seat, u32)>,
    /// The seats that play.
    pub(super) seats: [Seat; 2],
    /// Whether the first seat decides in a position.
    pub(super) decides_first: Vec<bool>,
    /// Where the entries of each position begin in `leads_to`, and where those of the last one end.
    pub(super) begins: Vec<u64>,
    /// For each position: for each outcome of the dice, in the order of `chances`, the number of positions to which the
    /// hand can lead, then these positions. A position without a throw has one outcome only.
    pub(super) leads_to: Vec<u32>,
    /// The probability of each outcome of the dice.
    pub(super) chances: Vec<f64>,
}

impl Graph {
    /// Finds all positions of a table. Calls `progress` from time to time with the number of positions that were found,
    /// and of those whose throws were played.
    ///
    /// # Errors
    /// The table does not have two players, or its positions need more than `memory` bytes.
    pub fn find(engine: &Engine, memory: usize, progress: &mut dyn FnMut(usize, usize)) -> Result<Graph, SolveError> {
        let players = &engine.seating.players;
        let seats: [Seat; 2] = players.as_slice().try_into().map_err(|_| SolveError::Players(players.len()))?;
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        let mut graph = Graph {
            keys: Keys::new(engine, seats),
            numbers: HashMap::default(),
            openings: Vec::new(),
            seats,
            decides_first: Vec::new(),
            begins: vec![0],
            leads_to: Vec::new(),
            chances: outcomes.iter().map(|(_, ways)| *ways as f64 / total.max(1) as f64).collect(),
        };
        let mut found: Vec<Key> = Vec::new();
        let too_large = |positions: usize, played: usize| SolveError::TooLarge {
            positions,
            waiting: positions - played,
            megabytes: memory / 1_000_000,
        };
        let beginners: Vec<Seat> = match engine.seating.first {
            First::Seat(seat) if seats.contains(&seat) => vec![seat],
            _ => seats.to_vec(),
        };
        for seat in beginners {
            let opening = graph.number(engine, &engine.opening(seat), &mut found).ok_or_else(|| too_large(0, 0))?;
            graph.openings.push((seat, opening));
        }
        let mut played = 0;
        while played < found.len() {
            let state = graph.keys.state(engine, found[played]);
            graph.decides_first.push(state.turn == seats[0]);
            let fits = graph.play(engine, &state, &outcomes, &mut found).is_some();
            played += 1;
            graph.begins.push(graph.leads_to.len() as u64);
            let bytes = found.len() * BYTES_A_POSITION + graph.leads_to.len() * size_of::<u32>();
            if !fits || bytes > memory {
                return Err(too_large(found.len(), played));
            }
            if played.is_multiple_of(10_000) {
                progress(found.len(), played);
            }
        }
        Ok(graph)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.decides_first.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.decides_first.is_empty()
    }

    /// Plays all throws in a position, and adds what they lead to. `None` if there are too many positions.
    fn play(&mut self, engine: &Engine, state: &State, outcomes: &[(Throw, u64)], found: &mut Vec<Key>) -> Option<()> {
        let mut ends = Vec::new();
        if state.phase == Phase::Choose {
            self.follow(engine, state, &engine.legal(state), found, &mut ends)?;
            self.write(&mut ends);
            return Some(());
        }
        for (throw, _) in outcomes {
            let (mut thrown, mut open) = (*state, Actions::default());
            let is_thrown = engine.throw_into(&mut thrown, throw, &mut open, &mut Quiet);
            debug_assert!(is_thrown.is_ok(), "every outcome of the dice can be thrown");
            self.arrive(engine, state, &thrown, &open, found, &mut ends)?;
            self.write(&mut ends);
        }
        Some(())
    }

    /// Adds the ends of one outcome, each once.
    fn write(&mut self, ends: &mut Vec<u32>) {
        ends.sort_unstable();
        ends.dedup();
        self.leads_to.push(ends.len() as u32);
        self.leads_to.append(ends);
    }

    /// Follows each action to the next position.
    fn follow(
        &mut self,
        engine: &Engine,
        state: &State,
        open: &[Action],
        found: &mut Vec<Key>,
        ends: &mut Vec<u32>,
    ) -> Option<()> {
        for action in open {
            let (mut after, mut next) = (*state, Actions::default());
            engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            self.arrive(engine, state, &after, &next, found, ends)?;
        }
        Some(())
    }

    /// Adds the position to `ends` if a throw or a choice before it is due or the game is over, and otherwise follows
    /// the legal actions `open`.
    fn arrive(
        &mut self,
        engine: &Engine,
        before: &State,
        state: &State,
        open: &[Action],
        found: &mut Vec<Key>,
        ends: &mut Vec<u32>,
    ) -> Option<()> {
        if let Some(end) = self.end_of(engine, before, state) {
            ends.push(end);
        } else if matches!(state.phase, Phase::Throw | Phase::Choose) {
            ends.push(self.number(engine, state, found)?);
        } else {
            self.follow(engine, state, open, found, ends)?;
        }
        Some(())
    }

    /// The entry for the end of the game. `None` if the game goes on.
    pub(super) fn end_of(&self, engine: &Engine, before: &State, state: &State) -> Option<u32> {
        match winner(engine, before, state) {
            Some(winner) if winner == self.seats[0] => Some(WON),
            Some(_) => Some(LOST),
            None => (state.phase == Phase::Over).then_some(DRAWN),
        }
    }

    /// The number of a position, which is added if it is new.
    fn number(&mut self, engine: &Engine, state: &State, found: &mut Vec<Key>) -> Option<u32> {
        let key = self.keys.add(engine, state)?;
        let next = found.len();
        if next > MOST_POSITIONS {
            return None;
        }
        let number = *self.numbers.entry(key).or_insert(next as u32);
        if number as usize == next {
            found.push(key);
        }
        Some(number)
    }
}
