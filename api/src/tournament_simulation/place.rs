//! The places of the entrants at the end of a tournament.

use pagade_pairing::Standing;
use pagade_robots::simulate::Chance;

use super::tally::PlayedTournament;

/// Notes the places. If several entrants share the first place, one of them, drawn at random, counts as the winner.
pub(super) fn note(played: &mut PlayedTournament, standings: &[Standing], chance: &mut Chance) {
    played.places = vec![0; standings.len()];
    for standing in standings {
        played.places[standing.entrant.0 as usize - 1] = standing.place;
    }
    let first: Vec<&Standing> = standings.iter().filter(|standing| standing.place == 1).collect();
    let lot = match first.len() {
        0 | 1 => 0,
        sharers => chance.below(u32::try_from(sharers).unwrap_or(u32::MAX)) as usize,
    };
    played.winner = first.get(lot).map_or(0, |standing| standing.entrant.0 as usize - 1);
}
