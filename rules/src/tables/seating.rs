//! The seats of a table and the order of play.

use crate::units::{MAX_SEATS, Seat};

/// The seats of a table.
#[derive(Debug)]
pub struct Seating {
    /// All seats of the board, whether or not they play, in the order of travel.
    pub seats: Vec<SeatInfo>,
    /// The seats that play, in the order of travel.
    pub players: Vec<Seat>,
    /// For each seat, the seat that plays next.
    pub next: [Seat; MAX_SEATS],
    /// For each seat, the next playing seat in the order of travel: its neighbour on the right.
    pub right: [Seat; MAX_SEATS],
    /// For each seat, its partner. Without teams it is the seat itself.
    pub partner: [Seat; MAX_SEATS],
    /// Whether opposite seats play as a team.
    pub teams: bool,
    /// The seat that begins.
    pub first: First,
}

/// A seat of the board.
#[derive(Debug, Clone)]
pub struct SeatInfo {
    /// The name of the seat.
    pub name: String,
    /// The CSS colour in which the pawns are drawn.
    pub paint: String,
}

/// The rule that decides which seat begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// A fixed seat begins.
    Seat(Seat),
    /// A random player begins. The caller of the engine draws it.
    Random,
    /// The player with the highest throw begins; ties throw again. The caller of the engine makes these throws.
    Highest,
}
