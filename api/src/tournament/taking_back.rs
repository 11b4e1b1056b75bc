//! Takes rounds back, because the result that they were paired from was wrong.

use crate::error::{Problem, detail};
use crate::group::GroupId;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::{About, TournamentEventKind};
use crate::tournament::rounds::TakenBack;
use crate::tournament::stored::TournamentStatus;

impl TournamentEdit {
    /// Removes all rounds after `round`, and notes that their games have to be aborted. A tournament that was over goes
    /// on.
    ///
    /// # Errors
    /// The tournament is an arena, whose rounds do not follow from one another.
    pub(super) fn take_back_after(&mut self, round: usize, reason: &str) -> Result<(), Problem> {
        if self.tournament.terms.is_arena() {
            return Err(Problem::body(
                "/take_back",
                detail!("the pairings of an arena do not follow from earlier results, so none is taken back"),
            ));
        }
        let rounds = self.tournament.rounds.split_off(round);
        if rounds.is_empty() {
            return Ok(());
        }
        for (number, stored) in (round + 1..).zip(rounds) {
            let games = stored.games().map(|game| game.id).collect();
            self.tournament.taken_back.push(TakenBack { group: stored.group, paired_at: stored.paired_at, games });
            let about = About { round: Some(number), reason: Some(reason), ..About::default() };
            self.add(TournamentEventKind::RoundTakenBack, about)?;
        }
        self.set_status(TournamentStatus::Running);
        Ok(())
    }

    /// Notes that the games of rounds that were taken back are aborted, by the groups of the rounds.
    pub(crate) fn note_aborted(&mut self, groups: &[GroupId]) {
        self.tournament.taken_back.retain(|round| !groups.contains(&round.group));
    }
}
