//! Takes rounds back, because the result that they were paired from was wrong; and games of tables that an arbiter has
//! decided.

use pagade_pairing::EntrantId;

use crate::error::{Problem, detail};
use crate::game::GameId;
use crate::model::event_kind::TournamentEventKind;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
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
            self.tournament.taken_back.push(TakenBack { group: stored.group, games, is_table: false });
            let about = EventSubjects { round: Some(number), reason: Some(reason), ..EventSubjects::default() };
            self.add(TournamentEventKind::RoundTakenBack, about)?;
        }
        // Entries, withdrawals and returns that were noted for a later round count from the next paired round on.
        let tournament = &mut self.tournament;
        let noted =
            tournament.late_entries.iter_mut().chain(&mut tournament.withdrawals).chain(&mut tournament.returns);
        noted.for_each(|noted| noted.round = noted.round.min(round + 1));
        self.set_status(TournamentStatus::Running);
        // Entrants who were removed because of tables that are taken back come back.
        let removed: Vec<EntrantId> = self.tournament.removed.iter().copied().map(EntrantId).collect();
        self.follow_no_shows(&removed)
    }

    /// Notes that the games of a table have to be aborted, because an arbiter has decided the table. `round` and
    /// `table` are indexes. Planned games are dropped from the table.
    pub(super) fn abandon_games(&mut self, round: usize, table: usize) {
        let stored = self.tournament.rounds[round].edit();
        let games = &mut stored.tables[table].games;
        let open: Vec<GameId> = games.iter().filter(|game| game.outcome.is_none()).map(|game| game.id).collect();
        games.retain(|game| game.plan.is_none());
        if !open.is_empty() {
            let group = stored.group;
            self.tournament.taken_back.push(TakenBack { group, games: open, is_table: true });
            self.is_new_state = true;
        }
    }

    /// Notes that these games are aborted.
    pub(crate) fn note_aborted(&mut self, aborted: &[TakenBack]) {
        self.tournament.taken_back.retain(|games| !aborted.contains(games));
    }
}
