//! Players with several colours: which player moves the pawns of which seat.

use super::builder::Builder;
use super::table_part::Input;
use crate::document::PlayersSeats;
use crate::source::{Span, Text};
use crate::units::{MAX_SEATS, Seat};

impl Builder<'_> {
    /// The seats of the players: the first seat of each list, in the order of travel.
    pub(super) fn first_of_each(&self, players: &[Vec<Text>]) -> Vec<Seat> {
        let mut first: Vec<Seat> = players.iter().filter_map(|colours| self.seat_of(colours.first()?)).collect();
        first.sort();
        first.dedup();
        first
    }

    /// For each seat, the player that moves its pawns, at a table of these players. `None` for a seat without pawns.
    ///
    /// If several lines name these players, the last line whose condition holds counts.
    pub(super) fn player_of_each(&mut self, players: &[Seat]) -> [Option<Seat>; MAX_SEATS] {
        self.inputs.insert(Input::Players);
        let document = self.document;
        let mut player_of = std::array::from_fn(|seat| Some(Seat(seat as u8)).filter(|seat| players.contains(seat)));
        for line in document.players.iter().rev() {
            if !self.decided(line.when.as_ref()) {
                continue;
            }
            let is_this = match &line.seats {
                PlayersSeats::Any(any) => usize::from(any.value) == players.len(),
                PlayersSeats::These(names) => {
                    let mut seats: Vec<Seat> = names.iter().filter_map(|name| self.seat_of(name)).collect();
                    seats.sort();
                    seats == players
                }
                PlayersSeats::Colours(colours) => self.first_of_each(colours) == players,
            };
            if !is_this {
                continue;
            }
            if let PlayersSeats::Colours(colours) = &line.seats {
                for colours in colours {
                    let seats: Vec<Seat> = colours.iter().filter_map(|name| self.seat_of(name)).collect();
                    seats.iter().for_each(|seat| player_of[seat.index()] = seats.first().copied());
                }
            }
            return player_of;
        }
        player_of
    }

    /// Whether a player of this table has several colours.
    pub(super) fn shares(&mut self, players: &[Seat]) -> bool {
        self.player_of_each(players).iter().flatten().count() > players.len()
    }

    /// Finds the table at which exactly these seats have pawns, and some player has several of them. Returns its
    /// players, or `None` if there is no such table.
    pub(super) fn players_with_colours(&mut self, seats: &[Seat]) -> Option<Vec<Seat>> {
        let tables: Vec<Vec<Seat>> = self.tables().into_iter().flatten().collect();
        tables.into_iter().rev().find(|players| {
            let player_of = self.player_of_each(players);
            let all: Vec<usize> = (0..MAX_SEATS).filter(|&seat| player_of[seat].is_some()).collect();
            players.len() < seats.len() && all.iter().copied().eq(seats.iter().map(|seat| seat.index()))
        })
    }

    /// Reports a rule that remembers pawns of a single colour, if a player of the table has several colours.
    pub(super) fn refuse_with_colours(&mut self, shares: bool, rule: &str, span: Span) {
        if shares {
            let message = format!("{rule} is not possible where a player has several colours");
            let help = Some("leave it out at such tables: a condition may ask for the number of `players`".to_owned());
            self.report.error("not-with-colours", span, message, help);
        }
    }
}
