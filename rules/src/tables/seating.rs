//! Who sits where, who plays, and who follows whom.

use crate::units::{MAX_SEATS, Seat};

/// The seats of a table.
#[derive(Debug)]
pub struct Seating {
    /// The seats of the board, playing or not, in the order of travel.
    pub seats: Vec<SeatInfo>,
    /// The seats that play, in the order of travel.
    pub players: Vec<Seat>,
    /// The seat that plays after each seat.
    pub next: [Seat; MAX_SEATS],
    /// The seat on each seat's right that plays: the next one in the order of travel.
    pub right: [Seat; MAX_SEATS],
    /// The partner of each seat; the seat itself without teams.
    pub partner: [Seat; MAX_SEATS],
    /// Whether opposite seats are a team.
    pub teams: bool,
    /// Who begins.
    pub first: First,
}

/// A seat of the board.
#[derive(Debug, Clone)]
pub struct SeatInfo {
    /// The colour's name.
    pub name: String,
    /// A CSS colour to draw it with.
    pub paint: String,
}

/// Who begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// This seat.
    Seat(Seat),
    /// One of the players, at random: drawn by whoever runs the game.
    Random,
    /// Who throws highest; ties throw again. Thrown by whoever runs the game.
    Highest,
}
