//! Commands about rounds: to pair the next one, to store the outcomes of games, to enter and correct results.

use std::collections::HashSet;

use pagade_pairing::{
    EntrantId, Round, SeatResult, Series, Table, TournamentError, check_last_round, check_standings, pair, pair_free,
    series,
};
use uuid::Uuid;

use crate::error::{Code, Problem, ProblemPart, detail};
use crate::game::{GameId, dice};
use crate::group::GroupId;
use crate::model::event_kind::TournamentEventKind;
use crate::model::tournament::SeatResultView;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::event::EventSubjects;
use crate::tournament::form;
use crate::tournament::planning::{AtTable, EnginesBySeats};
use crate::tournament::rounds::{GameOutcome, ResultBy, StoredRound, TableResult};
use crate::tournament::stored::{MOST_TABLES, StoredEntrant, Tournament, TournamentStatus};
use crate::tournament::view;

/// Maximum number of rounds of a tournament.
pub(crate) const MOST_ROUNDS: usize = 2000;

/// Says which limit a tournament has reached, so that no round can follow; `None` if it has reached none.
pub(crate) fn limit(tournament: &Tournament) -> Option<String> {
    let tables = tournament.rounds.iter().map(|round| round.tables.len()).sum::<usize>();
    if tournament.rounds.len() >= MOST_ROUNDS {
        Some(format!("the tournament has {MOST_ROUNDS} rounds, and takes no more"))
    } else if tournament.terms.is_arena() && tables >= MOST_TABLES {
        Some(format!("the tournament has {tables} tables, and takes no more than {MOST_TABLES}"))
    } else {
        None
    }
}

/// Pairs the next round; `None` if no round follows. In an arena, the round may be empty.
///
/// # Errors
/// Results are missing, or the entrants cannot be paired.
pub(crate) fn next_round(tournament: &Tournament) -> Result<Option<Round>, Problem> {
    if limit(tournament).is_some() {
        return Ok(None);
    }
    let (field, history) = (tournament.field(), tournament.history());
    if tournament.terms.is_arena() {
        let free = free(tournament);
        return pair_free(&field, &history, &free).map(Some).map_err(impossible);
    }
    pair(&field, &history).map_err(impossible)
}

/// Lists the entrants who sit at a table without a result.
pub(crate) fn busy(tournament: &Tournament) -> Vec<EntrantId> {
    let open = tournament.rounds.iter().flat_map(|round| &round.tables).filter(|table| table.result.is_none());
    open.flat_map(|table| table.table.seats.iter().copied()).collect()
}

/// Lists the entrants of an arena who are present and do not sit at a table without a result.
pub(crate) fn free(tournament: &Tournament) -> Vec<EntrantId> {
    let (busy, history) = (busy(tournament), tournament.history());
    let is_free = |entrant: &&StoredEntrant| {
        let number = EntrantId(entrant.number);
        !entrant.is_waiting && !busy.contains(&number) && history.is_present(number, history.next_round())
    };
    tournament.entrants.iter().filter(is_free).map(|entrant| EntrantId(entrant.number)).collect()
}

impl TournamentEdit {
    /// Adds a round that was paired, with the plans of its games.
    ///
    /// # Errors
    /// The operating system has no random bytes.
    pub(crate) fn add_round(&mut self, round: Round, engines: &EnginesBySeats) -> Result<(), Problem> {
        let mut stored = StoredRound::new(round, Uuid::now_v7(), self.now(), self.tournament.version);
        if self.tournament.terms.same_dice {
            stored.seed = Some(dice::new_seed()?);
        }
        let number = self.tournament.rounds.len() + 1;
        for at in 0..stored.tables.len() {
            let (table, seed) = (&stored.tables[at].table, stored.seed.as_deref());
            let planned = AtTable { round: number, table: at + 1, group: stored.group, entrants: table, seed };
            let game = self.tournament.plan(self.id, &planned, engines, self.now())?;
            stored.tables[at].games.push(game);
        }
        let is_over = stored.is_over();
        self.tournament.rounds.push(stored.into());
        self.is_new_state = true;
        self.add(TournamentEventKind::RoundPaired, EventSubjects { round: Some(number), ..EventSubjects::default() })?;
        if is_over { self.note_round_over(number) } else { Ok(()) }
    }

    /// Notes that these games were created. Clients learn from the events which games they can play.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn note_created(&mut self, games: &[GameId]) -> Result<(), Problem> {
        let games: HashSet<GameId> = games.iter().copied().collect();
        let mut created = Vec::new();
        let planned = |round: &StoredRound| round.planned().any(|(id, _)| games.contains(&id));
        for (round, stored) in (1..).zip(&mut self.tournament.rounds).filter(|(_, stored)| planned(stored)) {
            for (table, stored) in (1..).zip(&mut stored.edit().tables) {
                let entrants: Vec<u32> = stored.table.seats.iter().map(|entrant| entrant.0).collect();
                for game in stored.games.iter_mut().filter(|game| game.plan.is_some() && games.contains(&game.id)) {
                    game.plan = None;
                    let (game, entrants) = (Some(game.id), entrants.clone());
                    let about = EventSubjects {
                        round: Some(round),
                        table: Some(table),
                        game,
                        entrants,
                        ..EventSubjects::default()
                    };
                    created.push(about);
                }
            }
        }
        created.into_iter().try_for_each(|about| self.add(TournamentEventKind::GameCreated, about))
    }

    /// Notes that the groups of these rounds were told that no more games follow.
    pub(crate) fn note_closed(&mut self, groups: &[GroupId]) {
        for round in self.tournament.rounds.iter_mut().filter(|round| groups.contains(&round.group)) {
            round.edit().is_closed = true;
        }
    }

    /// Stores the outcomes of games. Outcomes that the tournament has already are left out. In a series that is not
    /// decided, the next game is planned.
    ///
    /// # Errors
    /// An event cannot be written, or the operating system has no random bytes.
    pub(crate) fn take(&mut self, outcomes: &[(GameId, GameOutcome)], engines: &EnginesBySeats) -> Result<(), Problem> {
        for (id, outcome) in outcomes {
            let Some((round, table)) = self.open_game(*id) else { continue };
            let stored = &mut self.tournament.rounds[round].edit().tables[table];
            let game = stored.games.iter_mut().find(|game| game.id == *id);
            let Some(game) = game else { continue };
            (game.outcome, game.plan) = (Some(outcome.clone()), None);
            // The result of an arbiter stands, however the game ends after it.
            if stored.result.is_some() {
                continue;
            }
            match outcome {
                GameOutcome::Void => {
                    let about = EventSubjects {
                        round: Some(round + 1),
                        table: Some(table + 1),
                        game: Some(*id),
                        ..EventSubjects::default()
                    };
                    self.add(TournamentEventKind::GameVoid, about)?;
                }
                GameOutcome::Result(_) => match series(&stored.table, &stored.results()) {
                    Series::Decided(seats) => self.decide(round, table, seats, ResultBy::Games, None)?,
                    Series::Next { seats } => self.plan_next(round, table, &seats, engines)?,
                },
            }
        }
        Ok(())
    }

    /// Plans the next game of a series. Nothing is planned while a game of the table is not over.
    fn plan_next(
        &mut self,
        round: usize,
        table: usize,
        seats: &[EntrantId],
        engines: &EnginesBySeats,
    ) -> Result<(), Problem> {
        let stored = &self.tournament.rounds[round];
        if stored.tables[table].is_playing() {
            return Ok(());
        }
        let decided = &stored.tables[table].table;
        let mut turned = Table { seats: seats.to_vec(), ..decided.clone() };
        let place = |entrant: EntrantId| seats.iter().position(|seat| *seat == entrant);
        turned.why.seats.sort_by_key(|why| place(why.entrant));
        let planned = AtTable {
            round: round + 1,
            table: table + 1,
            group: stored.group,
            entrants: &turned,
            seed: stored.seed.as_deref().filter(|_| stored.tables[table].games.is_empty()),
        };
        let game = self.tournament.plan(self.id, &planned, engines, self.now())?;
        self.tournament.rounds[round].edit().tables[table].games.push(game);
        self.is_new_state = true;
        Ok(())
    }

    /// Finds the round and the table of a game that is not over, by index.
    fn open_game(&self, id: GameId) -> Option<(usize, usize)> {
        let rounds = self.tournament.rounds.iter().enumerate();
        let mut tables = rounds.flat_map(|(round, stored)| stored.tables.iter().enumerate().map(move |at| (round, at)));
        let is_it = |games: &[crate::tournament::rounds::StoredGame]| {
            games.iter().any(|game| game.id == id && game.outcome.is_none())
        };
        tables.find(|(_, (_, table))| is_it(&table.games)).map(|(round, (table, _))| (round, table))
    }

    /// Enters or corrects the result of a table, for the organiser or an arbiter, also after the end of the tournament.
    /// With `take_back`, the later rounds are taken back.
    ///
    /// # Errors
    /// There is no such table, the places are not possible, or later rounds were paired from the result and are not
    /// taken back.
    pub(crate) fn enter_result(
        &mut self,
        [round, table]: [usize; 2],
        seats: Vec<(u32, SeatResult)>,
        reason: &str,
        take_back: bool,
    ) -> Result<(), Problem> {
        if self.tournament.status == TournamentStatus::Open {
            return Err(not_started());
        }
        let found = round.checked_sub(1).and_then(|round| self.tournament.rounds.get(round));
        let found = found.ok_or_else(|| no_round(round))?;
        let stored = table.checked_sub(1).and_then(|table| found.tables.get(table));
        let stored = stored.ok_or_else(|| no_table(round, table))?;
        let was_decided = stored.result.is_some();
        let sits = stored.table.seats.iter().map(|entrant| seats.iter().find(|(number, _)| *number == entrant.0));
        let ordered: Option<Vec<SeatResult>> = sits.map(|seat| seat.map(|(_, result)| *result)).collect();
        let ordered = ordered.filter(|ordered| ordered.len() == seats.len()).ok_or_else(|| {
            let numbers: Vec<u32> = stored.table.seats.iter().map(|entrant| entrant.0).collect();
            Problem::body("/seats", detail!("the entrants of the table are {numbers}", numbers))
        })?;
        self.decide(round - 1, table - 1, ordered, ResultBy::Arbiter, Some(reason))?;
        if take_back {
            self.take_back_after(round, reason)?;
        }
        self.abandon_games(round - 1, table - 1);
        let (field, history) = (self.tournament.field(), self.tournament.history());
        let checked = check_standings(&field, &history).and_then(|()| check_last_round(&field, &history));
        checked.map_err(|error| match error {
            TournamentError::WrongResult { .. } => {
                Problem::one(Code::BodyInvalid, ProblemPart::at("/seats", detail!("these places are not possible: shared places leave out the next ones, and entrants who did not come are last")))
            }
            _ if was_decided => {
                Problem::new(Code::ResultFixed, "later rounds were paired from this result, and would not follow from another one: `take_back` takes them back")
            }
            error => impossible(error),
        })?;
        Ok(())
    }

    /// Sets the result of a table, by the indexes of round and table.
    fn decide(
        &mut self,
        round: usize,
        table: usize,
        seats: Vec<SeatResult>,
        by: ResultBy,
        reason: Option<&str>,
    ) -> Result<(), Problem> {
        let (now, version) = (self.now(), self.tournament.version);
        let stored = self.tournament.rounds[round].edit();
        let was_over = stored.is_over();
        let decided = &mut stored.tables[table];
        let kind = match decided.result {
            None => TournamentEventKind::Result,
            Some(_) => TournamentEventKind::ResultCorrected,
        };
        let result: Vec<SeatResultView> = view::seat_results(&decided.table.seats, &seats);
        decided.result = Some(TableResult { seats, by, reason: reason.map(str::to_owned), at: now });
        decided.version = version;
        let is_over = !was_over && stored.is_over();
        let entrants = stored.tables[table].table.seats.clone();
        self.is_new_state |= is_over;
        self.add(
            kind,
            EventSubjects {
                round: Some(round + 1),
                table: Some(table + 1),
                result,
                reason,
                ..EventSubjects::default()
            },
        )?;
        self.follow_no_shows(&entrants)?;
        if is_over { self.note_round_over(round + 1) } else { Ok(()) }
    }

    fn note_round_over(&mut self, round: usize) -> Result<(), Problem> {
        self.add(TournamentEventKind::RoundOver, EventSubjects { round: Some(round), ..EventSubjects::default() })
    }

    /// Ends the tournament. With `is_early`, also one that has not started, as when too few people have entered.
    ///
    /// # Errors
    /// It has not started, results are missing, or it is over already.
    pub(crate) fn finish(&mut self, is_early: bool) -> Result<(), Problem> {
        match self.tournament.status {
            TournamentStatus::Open if is_early => {}
            TournamentStatus::Open => return Err(not_started()),
            TournamentStatus::Finished => return Err(over()),
            TournamentStatus::Running => check_results(&self.tournament)?,
        }
        let reason = limit(&self.tournament);
        self.set_status(TournamentStatus::Finished);
        self.add(TournamentEventKind::Over, EventSubjects { reason: reason.as_deref(), ..EventSubjects::default() })
    }
}

/// Checks that all tables have results.
///
/// # Errors
/// 409 with the first table that has none.
pub(crate) fn check_results(tournament: &Tournament) -> Result<(), Problem> {
    for (round, stored) in (1..).zip(&tournament.rounds) {
        if let Some((table, _)) = (1..).zip(&stored.tables).find(|(_, table)| table.result.is_none()) {
            return Err(missing(round, table));
        }
    }
    Ok(())
}

fn missing(round: usize, table: usize) -> Problem {
    Problem::new(Code::ResultsMissing, detail!("table {table} of round {round} has no result", table, round))
}

/// Makes the problem of entrants who cannot be paired.
pub(crate) fn impossible(error: TournamentError) -> Problem {
    match error {
        TournamentError::MissingResult { round, table } => missing(round, table),
        error => Problem::new(Code::PairingImpossible, form::not_paired(&error).1),
    }
}

/// Makes the problem of a command to a tournament that is over.
pub(crate) fn over() -> Problem {
    Problem::new(Code::TournamentOver, "the tournament is over")
}

/// Makes the problem of a command to a tournament that has not started.
pub(crate) fn not_started() -> Problem {
    Problem::new(Code::TournamentNotStarted, "the tournament has not started")
}

/// Makes the problem of a round that was not paired.
pub(crate) fn no_round(round: usize) -> Problem {
    Problem::new(Code::RoundNotFound, detail!("round {round} was not paired", round))
}

fn no_table(round: usize, table: usize) -> Problem {
    Problem::new(Code::RoundNotFound, detail!("round {round} has no table {table}", round, table))
}
