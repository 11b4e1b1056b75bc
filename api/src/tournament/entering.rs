//! Commands about entrants: to enter, to leave, to be absent; and the start, after which the list is closed.

use pagade_pairing::{EntrantId, Format, InRound, TournamentError, pair};
use uuid::Uuid;

use crate::error::{Code, Problem, detail};
use crate::game::setup::GameSeat;
use crate::ground::text::alike;
use crate::model::event_kind::TournamentEventKind;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
use crate::tournament::form;
use crate::tournament::results::over;
use crate::tournament::stored::{StoredEntrant, TeamMember, Tournament, TournamentStatus};

/// Maximum number of entrants, including waiting entrants and entrants who withdrew after the start.
pub(crate) const MOST_LISTED: usize = 2048;
/// Maximum number of absences of one entrant: as many as a Swiss tournament has rounds at most.
const MOST_ABSENCES_OF_ONE: usize = 64;
/// Maximum number of absences of all entrants.
const MOST_ABSENCES: usize = 8192;

/// A new entrant, before the entrant has a number.
#[derive(Debug, Clone)]
pub(crate) struct EntrantToAdd {
    /// The name of the entrant, in its normal form.
    pub name: String,
    /// The members, in the order of play.
    pub members: Vec<TeamMember>,
}

impl TournamentEdit {
    /// Adds an entrant, and returns the number of the entrant. If all places are taken before the start, the entrant
    /// waits.
    ///
    /// # Errors
    /// The tournament is over or has no place, a name is taken, or a player is entered already.
    pub(crate) fn enter(&mut self, entry: &EntrantToAdd) -> Result<u32, Problem> {
        if self.tournament.status == TournamentStatus::Finished {
            return Err(over());
        }
        self.check_names(entry)?;
        let (now, tournament) = (self.now(), &mut self.tournament);
        let is_running = tournament.status == TournamentStatus::Running;
        let is_full = tournament.places_taken() >= tournament.terms.most_entrants;
        if tournament.entrants.len() >= MOST_LISTED {
            let detail =
                detail!("{most} entrants are listed, with those who wait or have withdrawn", most = MOST_LISTED);
            return Err(Problem::new(Code::TournamentFull, detail));
        }
        if is_running && is_full {
            let detail = detail!("the tournament has {most} entrants", most = tournament.terms.most_entrants);
            return Err(Problem::new(Code::TournamentFull, detail));
        }
        let number = tournament.next_number;
        tournament.next_number += 1;
        tournament.entrants.edit().push(StoredEntrant {
            number,
            name: entry.name.clone(),
            members: entry.members.clone(),
            is_waiting: is_full,
            entered_at: now,
        });
        if is_running {
            tournament.place_late(number)?;
        }
        (self.has_new_tags, self.is_new_state) = (true, true);
        self.add(
            if is_full { TournamentEventKind::Waiting } else { TournamentEventKind::Entered },
            EventSubjects { entrant: Some(number), round: self.late(number), ..EventSubjects::default() },
        )?;
        Ok(number)
    }

    /// Checks that no entrant or member has a name of the entry, or a name that looks like it, and that no player of
    /// the entry is entered already. After a withdrawal, the names of the members can be used again, but not the name
    /// of the entrant.
    fn check_names(&mut self, entry: &EntrantToAdd) -> Result<(), Problem> {
        let tournament = &self.tournament;
        let present = || tournament.entrants.iter().filter(|entrant| !tournament.has_withdrawn(entrant.number));
        for player in entry.members.iter().filter_map(|member| member.player) {
            let is_it = |member: &TeamMember| member.player == Some(player);
            if let Some(entered) = present().find(|entrant| entrant.members.iter().any(is_it)) {
                let detail =
                    detail!("the player is entered already, with the number {number}", number = entered.number);
                return Err(Problem::new(Code::EnteredAlready, detail));
            }
        }
        // A request may enter hundreds of entrants, so the names are collected only once.
        let names = self.names.get_or_insert_with(|| {
            let of_entrants = tournament.entrants.iter().map(|entrant| &entrant.name);
            let of_members = present().flat_map(|entrant| &entrant.members).map(|member| &member.name);
            of_entrants.chain(of_members).map(|name| alike(name)).collect()
        });
        let withdrawn = |name: &String| {
            let alike_to = |entrant: &&StoredEntrant| alike(&entrant.name) == alike(name);
            tournament.entrants.iter().filter(alike_to).find(|entrant| tournament.has_withdrawn(entrant.number))
        };
        let own: Vec<&String> = std::iter::once(&entry.name).chain(entry.members.iter().map(|m| &m.name)).collect();
        if let Some(name) = own.iter().find(|name| names.contains(&alike(name))) {
            let detail = match withdrawn(name) {
                Some(left) => detail!(
                    "entrant {number} is named `{name}`, and has withdrawn: `POST .../entrants/{number}/return` brings them back",
                    number = left.number,
                    name
                ),
                None => detail!("another entrant is named `{name}`", name),
            };
            return Err(Problem::new(Code::NameTaken, detail));
        }
        names.extend(own.into_iter().map(|name| alike(name)));
        Ok(())
    }

    /// Removes an entrant: at the entrant's own wish, or with `is_excluded` at the wish of the organiser. Before the
    /// start, the entrant leaves the list, and the first entrant who waits gets the place. After the start, the entrant
    /// is left out of all further pairings; a game in play goes on.
    ///
    /// # Errors
    /// There is no such entrant, the entrant has withdrawn before, or the tournament is over.
    pub(crate) fn withdraw(&mut self, number: u32, is_excluded: bool) -> Result<(), Problem> {
        self.names = None;
        let tournament = &mut self.tournament;
        let entrant = tournament.entrant(EntrantId(number)).ok_or_else(|| no_entrant(number))?;
        let was_waiting = entrant.is_waiting;
        let mut round = None;
        match tournament.status {
            TournamentStatus::Finished => return Err(over()),
            _ if tournament.has_withdrawn(number) => return Err(withdrawn(number)),
            TournamentStatus::Running if !was_waiting => {
                let next = tournament.rounds.len() + 1;
                let left = InRound { entrant: EntrantId(number), round: next };
                // A return that was noted for the next round has had no effect yet, so it is dropped.
                tournament.returns.retain(|back| *back != left);
                if !tournament.has_withdrawn(number) {
                    tournament.withdrawals.push(left);
                }
                tournament.excluded.extend(is_excluded.then_some(number));
                round = Some(next);
            }
            TournamentStatus::Open | TournamentStatus::Running => {
                tournament.entrants.edit().retain(|entrant| entrant.number != number);
                tournament.absences.retain(|absence| absence.entrant.0 != number);
            }
        }
        self.has_new_tags = true;
        self.add(
            TournamentEventKind::Withdrawn,
            EventSubjects { entrant: Some(number), round, ..EventSubjects::default() },
        )?;
        if !was_waiting {
            self.fill_place()?;
        }
        Ok(())
    }

    /// Gives a free place to the first entrant who waits. After the start, only if the form has places for entrants who
    /// come late.
    fn fill_place(&mut self) -> Result<(), Problem> {
        let tournament = &mut self.tournament;
        let Some(at) = tournament.entrants.iter().position(|entrant| entrant.is_waiting) else { return Ok(()) };
        let number = tournament.entrants[at].number;
        tournament.entrants.edit()[at].is_waiting = false;
        if tournament.status == TournamentStatus::Running && tournament.place_late(number).is_err() {
            tournament.entrants.edit()[at].is_waiting = true;
            return Ok(());
        }
        self.add(
            TournamentEventKind::Entered,
            EventSubjects { entrant: Some(number), round: self.late(number), ..EventSubjects::default() },
        )
    }

    /// Notes that an entrant is not to be paired in a round.
    ///
    /// # Errors
    /// There is no such entrant, the entrant has withdrawn, the round is already paired, the tournament is over, or too
    /// many absences are noted.
    pub(crate) fn note_absence(&mut self, number: u32, round: usize) -> Result<(), Problem> {
        let tournament = &mut self.tournament;
        if tournament.status == TournamentStatus::Finished {
            return Err(over());
        }
        tournament.entrant(EntrantId(number)).ok_or_else(|| no_entrant(number))?;
        if tournament.has_withdrawn(number) {
            return Err(withdrawn(number));
        }
        if round <= tournament.rounds.len() {
            return Err(Problem::new(Code::RoundPaired, detail!("round {round} is paired", round)));
        }
        if let Format::Swiss { rounds, .. } = tournament.terms.format
            && round > rounds as usize
        {
            return Err(Problem::body("/round", detail!("the tournament has {rounds} rounds", rounds)));
        }
        let absence = InRound { entrant: EntrantId(number), round };
        if tournament.absences.contains(&absence) {
            return Ok(());
        }
        if tournament.absences.iter().filter(|noted| noted.entrant == absence.entrant).count() >= MOST_ABSENCES_OF_ONE {
            let detail = detail!("entrant {number} has {most} absences", number, most = MOST_ABSENCES_OF_ONE);
            return Err(Problem::new(Code::AbsencesFull, detail));
        }
        if tournament.absences.len() >= MOST_ABSENCES {
            let detail = detail!("the tournament has {most} absences", most = MOST_ABSENCES);
            return Err(Problem::new(Code::AbsencesFull, detail));
        }
        tournament.absences.push(absence);
        self.add(
            TournamentEventKind::Absent,
            EventSubjects { entrant: Some(number), round: Some(round), ..EventSubjects::default() },
        )
    }

    /// Replaces a guest by the registered player who has claimed the guest. If the player is entered already, the guest
    /// is erased like a player who was deleted, under the name `name`: nobody is entered twice, and a name without an
    /// account could not be erased later.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn move_player(&mut self, guest: Uuid, player: Uuid, name: &str) -> Result<(), Problem> {
        let mut members = self.tournament.entrants.iter().flat_map(|entrant| &entrant.members);
        if members.any(|member| member.player == Some(player)) {
            return self.erase_player(guest, name);
        }
        let members = self.tournament.entrants.edit().iter_mut().flat_map(|entrant| &mut entrant.members);
        members.filter(|member| member.player == Some(guest)).for_each(|member| member.player = Some(player));
        self.change_planned_seats(guest, |seat| seat.player = Some(player));
        self.has_new_tags = true;
        Ok(())
    }

    /// Erases a player. `name` stands for the name of the player from then on. An entrant who is the player alone is
    /// withdrawn, because nobody could play the next games; the results so far stay.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn erase_player(&mut self, player: Uuid, name: &str) -> Result<(), Problem> {
        let mut gone = Vec::new();
        for entrant in self.tournament.entrants.edit() {
            let is_alone = entrant.members.len() == 1;
            for member in entrant.members.iter_mut().filter(|member| member.player == Some(player)) {
                (member.player, member.name) = (None, name.to_owned());
                if is_alone {
                    entrant.name = format!("{name} {}", entrant.number);
                    gone.push(entrant.number);
                }
            }
        }
        self.change_planned_seats(player, |seat| (seat.player, seat.name) = (None, Some(name.to_owned())));
        self.has_new_tags = true;
        gone.retain(|number| !self.tournament.has_withdrawn(*number));
        if self.tournament.status == TournamentStatus::Finished {
            return Ok(());
        }
        gone.into_iter().try_for_each(|number| self.withdraw(number, false))
    }

    /// Changes the seats that a player has in games that are not created yet.
    fn change_planned_seats(&mut self, player: Uuid, change: impl Fn(&mut GameSeat)) {
        for round in self.tournament.rounds.iter_mut().filter(|round| round.planned().next().is_some()) {
            let games = round.edit().tables.iter_mut().flat_map(|table| &mut table.games);
            let seats = games.filter_map(|game| game.plan.as_mut()).flat_map(|plan| &mut plan.setup.seats);
            seats.filter(|seat| seat.player == Some(player)).for_each(&change);
        }
    }

    /// Starts the tournament.
    ///
    /// # Errors
    /// It has started before, or the form does not fit the number of entrants.
    pub(crate) fn start(&mut self) -> Result<(), Problem> {
        match self.tournament.status {
            TournamentStatus::Open => {}
            TournamentStatus::Running => {
                return Err(Problem::new(Code::TournamentStarted, "the tournament has started before"));
            }
            TournamentStatus::Finished => return Err(over()),
        }
        check_form(&self.tournament)?;
        self.tournament.started_at = Some(self.now());
        self.set_status(TournamentStatus::Running);
        self.add(TournamentEventKind::Started, EventSubjects::default())
    }

    /// Returns the first round for which a late entrant is paired; `None` for other entrants.
    fn late(&self, number: u32) -> Option<usize> {
        self.tournament.late_entries.iter().find(|late| late.entrant.0 == number).map(|late| late.round)
    }
}

impl Tournament {
    /// Returns the number of entrants who have a place.
    pub(super) fn places_taken(&self) -> usize {
        let has_place = |entrant: &&StoredEntrant| !entrant.is_waiting && !self.has_withdrawn(entrant.number);
        self.entrants.iter().filter(has_place).count()
    }

    /// Notes that an entrant is paired from the next round on.
    ///
    /// # Errors
    /// The form has no place for entrants who come late.
    fn place_late(&mut self, number: u32) -> Result<(), Problem> {
        let entrant = EntrantId(number);
        self.late_entries.push(InRound { entrant, round: self.rounds.len() + 1 });
        let is_closed = match self.terms.format {
            Format::Swiss { .. } | Format::Arena { .. } => false,
            Format::KnockOut(_) => true,
            Format::RoundRobin { .. } | Format::Groups { .. } => {
                matches!(pair(&self.field(), &self.history()), Err(TournamentError::NoFreePlace(_)))
            }
        };
        if !is_closed {
            // Lots are drawn in the order of the list, so a late entrant comes behind all who have a lot.
            self.entrants.edit().sort_by_key(|known| known.number == number);
        }
        if is_closed {
            self.late_entries.retain(|late| late.entrant != entrant);
            let detail = detail!("the tournament has started, and its form has no place for another entrant");
            return Err(Problem::new(Code::EntriesClosed, detail));
        }
        Ok(())
    }
}

/// Checks that the form fits the number of entrants.
fn check_form(tournament: &Tournament) -> Result<(), Problem> {
    let misfit = form::misfit(&tournament.field(), &tournament.history());
    misfit.map_or(Ok(()), |(_, detail)| Err(Problem::new(Code::PairingImpossible, detail)))
}

/// Makes the problem of an entrant who is not on the list.
pub(crate) fn no_entrant(number: u32) -> Problem {
    Problem::new(Code::EntrantNotFound, detail!("no entrant has the number {number}", number))
}

fn withdrawn(number: u32) -> Problem {
    Problem::new(Code::EntrantWithdrawn, detail!("entrant {number} has withdrawn", number))
}
