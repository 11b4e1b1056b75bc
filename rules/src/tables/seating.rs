//! The seats of a table and the order of play.

use crate::units::{MAX_SEATS, Seat};

/// The seats of a table.
#[derive(Debug)]
pub struct Seating {
    /// All seats of the board, whether or not they play, in the order of travel.
    pub seats: Vec<SeatInfo>,
    /// The seats that have turns, in the order of travel.
    pub players: Vec<Seat>,
    /// The seats that have pawns on the board, in the order of travel: the players, and further colours that they play.
    pub colours: Vec<Seat>,
    /// For each seat, the player that moves its pawns. This is the seat itself, unless a player has several colours.
    pub player: [Seat; MAX_SEATS],
    /// Whether a player has several colours. Nobody has a partner then.
    pub shares: bool,
    /// For each seat, the other seats that are no enemies, one bit each: its partner, or the other colours of its
    /// player.
    pub friends: [u8; MAX_SEATS],
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

impl Seating {
    /// Whether a seat is no enemy of another one: its partner, or another colour of its player.
    #[inline(always)]
    #[must_use]
    pub fn is_friend(&self, seat: Seat, other: Seat) -> bool {
        self.friends[seat.index()] >> other.index() & 1 == 1
    }

    /// Whether the pawns of a colour belong to the side of a player: to itself, or to its partner.
    #[inline(always)]
    #[must_use]
    pub fn is_of_side(&self, colour: Seat, player: Seat) -> bool {
        self.player[colour.index()] == player || self.partner[player.index()] == colour
    }

    /// The colours of a player.
    pub fn colours_of(&self, player: Seat) -> impl Iterator<Item = Seat> + '_ {
        self.colours.iter().copied().filter(move |seat| self.player[seat.index()] == player)
    }
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
