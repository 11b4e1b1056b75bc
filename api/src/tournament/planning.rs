//! The plans of a tournament's games.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_pairing::{EntrantId, Table, board_seats};
use pagade_rules::play::Engine;
use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::game::dice;
use crate::game::dice::GameDice;
use crate::game::planned::PlannedGame;
use crate::game::setup::Setup;
use crate::game::stored::NewGame;
use crate::ground::clock;
use crate::group::GroupId;
use crate::tournament::TournamentId;
use crate::tournament::rounds::StoredGame;
use crate::tournament::stored::{StoredEntrant, Tournament};

/// The engines of a tournament, by the number of seats.
#[derive(Debug, Clone, Default)]
pub(crate) struct EnginesBySeats(pub BTreeMap<usize, Arc<Engine>>);

/// A table for which a game is planned.
pub(crate) struct AtTable<'t> {
    /// The number of the round, from 1.
    pub round: usize,
    /// The number of the table, from 1.
    pub table: usize,
    /// The group of the round.
    pub group: GroupId,
    /// The entrants, the one who begins first.
    pub entrants: &'t Table,
    /// The seed that all games of the round share; `None` if each game has its own.
    pub seed: Option<&'t str>,
}

impl Tournament {
    /// Plans a game. `now` is in milliseconds since 1970.
    ///
    /// The seed decides which seat of the board begins. The first entrant gets this seat, and the others follow in the
    /// order of travel.
    ///
    /// # Errors
    /// The operating system has no random bytes, an entrant of the table is unknown, or there is no board with this
    /// number of seats. Rounds have only tables for which there are boards.
    pub(crate) fn plan(
        &self,
        id: TournamentId,
        at: &AtTable<'_>,
        engines: &EnginesBySeats,
        now: u64,
    ) -> Result<StoredGame, Problem> {
        let entrants: Vec<_> =
            at.entrants.seats.iter().filter_map(|id| self.entrant(*id)).map(StoredEntrant::paired).collect();
        let seats = board_seats(&entrants, at.entrants);
        let engine = engines.0.get(&seats.len()).ok_or_else(|| {
            let AtTable { round, table, .. } = at;
            internal(format!("no engine for {} seats, round {round}, table {table}, tournament {id}", seats.len()))
        })?;
        let terms = &self.terms;
        let seed = match at.seed {
            Some(seed) => seed.to_owned(),
            None => dice::new_seed()?,
        };
        let first = GameDice::new(&seed, []).first(engine);
        let begins = engine.seating.players.iter().position(|seat| *seat == first).unwrap_or(0);
        let new = NewGame {
            title: Some(format!("Round {}, table {}", at.round, at.table)),
            options: terms.options.clone(),
            seed,
            timer: terms.timer,
            group: Some(at.group),
            tournament: Some(id),
            no_show: terms.no_show.map(|no_show| no_show.seconds),
            robot_pause: terms.robot_pause,
            is_withheld: at.seed.is_some(),
            ..NewGame::of(terms.rule_set.clone(), engine, self.organiser.clone())
        };
        let mut setup = Setup::new(new, clock::at(now));
        let count = setup.seats.len();
        let mut placed: Vec<(String, EntrantId)> = Vec::with_capacity(count);
        for (turn, seat) in seats.iter().enumerate() {
            let entrant = self.entrant(seat.entrant).ok_or_else(|| internal("an entrant of a table is unknown"))?;
            // The functions of pairings name the members of a team by their index.
            let index = seat.member.as_deref().and_then(|member| member.rsplit('/').next()?.parse().ok()).unwrap_or(0);
            let member = entrant.members.get(index).or(entrant.members.first());
            let member = member.ok_or_else(|| internal("an entrant without members"))?;
            let game_seat = &mut setup.seats[(begins + turn) % count];
            // Nobody has a token for the seat of a robot.
            game_seat.token = Some(member.token.clone()).filter(|_| member.robot.is_none());
            game_seat.robot = member.robot;
            game_seat.name = Some(member.name.clone());
            game_seat.player = member.player;
            placed.push((game_seat.seat.clone(), seat.entrant));
        }
        let plan = Some(Box::new(PlannedGame { setup, starts: true }));
        Ok(StoredGame { id: Uuid::now_v7(), seats: placed, plan, outcome: None })
    }
}
