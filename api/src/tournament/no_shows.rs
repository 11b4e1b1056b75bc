//! Entrants who do not come: how often, and the consequences for their place in the tournament.

use std::collections::BTreeMap;

use pagade_pairing::EntrantId;

use crate::error::Problem;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::{EventSubjects, TournamentEventKind};
use crate::tournament::stored::{Tournament, TournamentStatus};

impl Tournament {
    /// Returns the number of tables to which each entrant did not come; for an entrant who left and came back, only
    /// since the return. Entrants who came to all tables are left out.
    pub(crate) fn no_shows(&self) -> BTreeMap<u32, usize> {
        let mut counts = BTreeMap::new();
        let back =
            |seat: EntrantId| self.returns.iter().filter(|noted| noted.entrant == seat).map(|noted| noted.round).max();
        for (number, round) in (1..).zip(&self.rounds) {
            for table in &round.tables {
                let results = table.result.iter().flat_map(|result| &result.seats);
                let missed = table.table.seats.iter().zip(results).filter(|(_, result)| result.no_show);
                for (seat, _) in missed.filter(|(seat, _)| back(**seat) <= Some(number)) {
                    *counts.entry(seat.0).or_default() += 1;
                }
            }
        }
        counts
    }
}

impl TournamentEdit {
    /// Withdraws those of these entrants who missed too many tables (`withdraw_after`). Takes a withdrawal back if a
    /// corrected result says that the entrant came, as long as no round was paired without the entrant.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(super) fn follow_no_shows(&mut self, entrants: &[EntrantId]) -> Result<(), Problem> {
        let most = self.tournament.terms.no_show.and_then(|no_show| no_show.withdraw_after);
        let Some(most) = most.and_then(|most| usize::try_from(most).ok()) else { return Ok(()) };
        let counts = self.tournament.no_shows();
        for entrant in entrants {
            let number = entrant.0;
            let is_too_often = counts.get(&number).is_some_and(|count| *count >= most);
            let tournament = &mut self.tournament;
            if is_too_often && tournament.status == TournamentStatus::Running && !tournament.has_withdrawn(number) {
                tournament.removed.push(number);
                self.withdraw(number, false)?;
            } else if !is_too_often && tournament.removed.contains(&number) {
                let next = tournament.rounds.len() + 1;
                let before = tournament.withdrawals.len();
                let is_open = tournament.places_taken() < tournament.terms.most_entrants;
                tournament.withdrawals.retain(|left| left.entrant != *entrant || left.round < next || !is_open);
                if tournament.withdrawals.len() < before {
                    tournament.removed.retain(|removed| *removed != number);
                    let about = EventSubjects { entrant: Some(number), round: Some(next), ..EventSubjects::default() };
                    self.add(TournamentEventKind::Returned, about)?;
                }
            }
        }
        Ok(())
    }
}
