//! The sums over all tournaments of a simulation. They are whole numbers, so the order of the sums has no effect.

use super::table::SimulatedTable;

/// A tournament that was played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayedTournament {
    /// Number of rounds that were paired.
    pub rounds: u64,
    /// Number of games.
    pub games: u64,
    /// Number of games that reached the turn cap of the rule set.
    pub stuck: u64,
    /// Number of throws and actions of all games.
    pub decisions: u64,
    /// Number of decisions that follow one after the other: for each round, those of its longest table.
    pub decisions_in_row: u64,
    /// The pauses between rounds, in milliseconds.
    pub pauses: u64,
    /// The length of an arena, in milliseconds. `None` for other forms, whose length follows from decisions and pauses.
    pub lasts: Option<u64>,
    /// The place of each entrant, in the order of the field, from 1.
    pub places: Vec<usize>,
    /// The index of the winner.
    pub winner: usize,
}

impl PlayedTournament {
    pub(super) fn add_table(&mut self, table: &SimulatedTable) {
        self.games += table.games;
        self.decisions += table.decisions;
        self.stuck += table.stuck;
    }
}

/// The sums over tournaments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TournamentTally {
    /// Number of tournaments.
    pub tournaments: u64,
    /// Number of games that reached the turn cap of the rule set.
    pub stuck: u64,
    /// Number of rounds.
    pub rounds: Sum,
    /// Number of games.
    pub games: Sum,
    /// Number of throws and actions.
    pub decisions: Sum,
    /// For each tournament, the decisions that follow one after the other, the pauses and the length of an arena in
    /// milliseconds.
    pub lengths: Vec<(u64, u64, Option<u64>)>,
    /// For each entrant, how often the entrant got each place.
    pub places: Vec<Vec<u64>>,
    /// For each entrant, number of tournaments won.
    pub wins: Vec<u64>,
}

/// A sum of whole numbers, and the sum of their squares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub total: u64,
    pub squares: u128,
}

impl Sum {
    pub(super) fn add(&mut self, number: u64) {
        self.total += number;
        self.squares += u128::from(number) * u128::from(number);
    }

    fn merge(&mut self, other: Self) {
        self.total += other.total;
        self.squares += other.squares;
    }
}

impl TournamentTally {
    pub(super) fn new(entrants: usize) -> Self {
        Self { places: vec![vec![0; entrants]; entrants], wins: vec![0; entrants], ..Self::default() }
    }

    pub(super) fn add(&mut self, played: &PlayedTournament) {
        self.tournaments += 1;
        self.stuck += played.stuck;
        self.rounds.add(played.rounds);
        self.games.add(played.games);
        self.decisions.add(played.decisions);
        self.lengths.push((played.decisions_in_row, played.pauses, played.lasts));
        for (counts, place) in self.places.iter_mut().zip(&played.places) {
            counts[place - 1] += 1;
        }
        self.wins[played.winner] += 1;
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.tournaments += other.tournaments;
        self.stuck += other.stuck;
        self.rounds.merge(other.rounds);
        self.games.merge(other.games);
        self.decisions.merge(other.decisions);
        self.lengths.extend(other.lengths);
        for (own, others) in self.places.iter_mut().flatten().zip(other.places.iter().flatten()) {
            *own += others;
        }
        self.wins.iter_mut().zip(&other.wins).for_each(|(own, others)| *own += others);
    }
}
