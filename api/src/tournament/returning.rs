//! Entrants who had withdrawn and come back.

use pagade_pairing::{EntrantId, InRound};

use crate::error::{Code, Problem, detail};
use crate::model::event_kind::TournamentEventKind;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::entering::no_entrant;
use crate::tournament::event::EventSubjects;
use crate::tournament::results::over;
use crate::tournament::stored::TournamentStatus;

impl TournamentEdit {
    /// Lets an entrant who has withdrawn take part again, from the next round on, with the results so far. Rounds that
    /// were paired meanwhile are rounds without a game.
    ///
    /// # Errors
    /// There is no such entrant, the entrant has not withdrawn, the tournament is over, or all places are taken.
    pub(crate) fn bring_back(&mut self, number: u32) -> Result<(), Problem> {
        let tournament = &mut self.tournament;
        let entrant = EntrantId(number);
        tournament.entrant(entrant).ok_or_else(|| no_entrant(number))?;
        if tournament.status == TournamentStatus::Finished {
            return Err(over());
        }
        if !tournament.has_withdrawn(number) {
            return Err(Problem::new(Code::EntrantPresent, detail!("entrant {number} has not withdrawn", number)));
        }
        if tournament.places_taken() >= tournament.terms.most_entrants {
            let detail = detail!("the tournament has {most} entrants", most = tournament.terms.most_entrants);
            return Err(Problem::new(Code::TournamentFull, detail));
        }
        let next = tournament.rounds.len() + 1;
        tournament.returns.push(InRound { entrant, round: next });
        tournament.removed.retain(|removed| *removed != number);
        tournament.excluded.retain(|excluded| *excluded != number);
        (self.names, self.is_new_state) = (None, true);
        self.add(
            TournamentEventKind::Returned,
            EventSubjects { entrant: Some(number), round: Some(next), ..EventSubjects::default() },
        )
    }
}
