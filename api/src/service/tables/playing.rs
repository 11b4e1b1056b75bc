//! Starts the games of a table.

use pagade_robots::RobotKind;
use pagade_rules::ruleset::Options;
use uuid::Uuid;

use crate::error::{Code, Problem, detail, internal};
use crate::game::GameId;
use crate::game::address::GameScore;
use crate::game::dice;
use crate::game::planned::PlannedGame;
use crate::game::setup::Setup;
use crate::game::stored::NewGame;
use crate::game::terms::PinnedRules;
use crate::ground::clock;
use crate::ground::token::Token;
use crate::model::event_kind::TableEventKind;
use crate::player::PlayerId;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tables::access::{master, note_address, table_id, token};
use crate::store::{Change, Commit};
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::purse::Purse;
use crate::table::settings::TableSettings;
use crate::table::stored::{Table, not_found};
use crate::table::{TableId, entity};

/// The plan of the next game of a table, and the values on which the plan depends.
struct NextGame {
    id: GameId,
    planned: PlannedGame,
    purse: Option<Purse>,
    occupants: Vec<Occupant>,
    options: Options,
    settings: TableSettings,
    variant: Option<PinnedRules>,
}

impl NextGame {
    /// Tells whether the plan still fits the table: the same players and robots have the same seats, and options and
    /// bet are the same.
    fn fits(&self, table: &Table) -> bool {
        let stake = |settings: &TableSettings| (settings.competitive, settings.bet);
        let is_same = self.options == table.options && self.variant == table.variant;
        is_same && stake(&self.settings) == stake(&table.settings) && self.occupants == occupants(table)
    }
}

/// A taken seat of a table: its name, and the player or the robot that has it.
type Occupant = (String, Option<PlayerId>, Option<RobotKind>);

fn occupants(table: &Table) -> Vec<Occupant> {
    let taken = table.seats.iter().filter(|seat| seat.is_taken());
    taken.map(|seat| (seat.seat.clone(), seat.sitter.as_ref().map(|sitter| sitter.player), seat.robot)).collect()
}

impl Service {
    /// Starts the next game of a table with the players who have seats.
    ///
    /// # Errors
    /// The caller is not the master, a game is in play, or the rule set cannot be played by these seats with these
    /// options.
    pub(crate) async fn start_table_game(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let id = table_id(id)?;
        let (stored, answer) = self.entity_and_reply(entity(id), call, body).await?;
        if let Some(reply) = answer {
            self.settle_or_leave(id).await;
            return self.check_begun(id, reply).await;
        }
        let mut table = Table::read(&stored.ok_or_else(not_found)?.snapshot)?;
        master(&table, call)?;
        note_address(&mut table, id, call);
        let asks = call.player.as_ref().map(|player| player.id);
        let next = self.plan_next_game(id, &table, asks).await;
        let start = |edit: &mut TableEdit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            let next = next.as_ref().map_err(Clone::clone)?;
            if !next.fits(&edit.table) {
                return Err(Problem::new(Code::VersionConflict, detail!("it changed at the same moment")));
            }
            edit.plan_game(next.id, next.planned.clone(), next.purse.clone())?;
            let reply = Reply::new(201, &edit.view())?.at_version(edit.table.version);
            Ok(reply.at_location(format!("/v1/games/{}", next.id)))
        };
        let reply = self.change(IdempotentRequest::of(call, body)?, entity(id), start).await?;
        self.settle_or_leave(id).await;
        self.check_begun(id, reply).await
    }

    /// Returns the answer to a start, unless the game did not begin because a player has spent chips at the same
    /// moment.
    ///
    /// # Errors
    /// 409 if a player has too few chips.
    async fn check_begun(&self, id: TableId, reply: Reply) -> Result<Reply, Problem> {
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(reply) };
        let dropped = Table::read(&stored.snapshot)?.unstaked.map(|game| format!("/v1/games/{game}"));
        if dropped.is_some() && dropped == reply.location {
            let detail = detail!("a player has spent chips at the same moment");
            return Err(Problem::new(Code::InsufficientChips, detail));
        }
        Ok(reply)
    }

    /// Checks that the players who sit at a table could play its next game now. Passes if a game is in play. `asks` is
    /// the player who wants to begin the next game.
    ///
    /// # Errors
    /// The problem because of which the game could not begin.
    pub(super) async fn check_next_game(&self, id: TableId, asks: PlayerId) -> Result<(), Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let table = Table::read(&stored.snapshot)?;
        if table.current.is_some() { Ok(()) } else { self.plan_next_game(id, &table, Some(asks)).await.map(drop) }
    }

    /// Plans the game that the players have voted for, or that begins because all seats are taken. If the game cannot
    /// be played, adds an event with the reason.
    pub(super) async fn begin_wanted_game(&self, id: TableId, table: &Table) -> Result<(), Problem> {
        let next = match self.plan_next_game(id, table, None).await {
            Err(problem) if problem.code.status() >= 500 => return Err(problem),
            next => next,
        };
        let short = match &next {
            Err(problem) if problem.code == Code::InsufficientChips => {
                let players: Vec<_> = table.sitters().map(|(_, sitter)| sitter.player).collect();
                self.short_of_chips(&players, table.settings.bet.into()).await?.map(|(player, _)| player)
            }
            _ => None,
        };
        let begin = |edit: &mut TableEdit| {
            let is_wanted = edit.table.wants_game && edit.table.current.is_none();
            match &next {
                Ok(next) if is_wanted && !edit.table.is_closed => {
                    // If another player has sat down at the same moment, the next step plans another game.
                    if !next.fits(&edit.table) {
                        return Err(not_found());
                    }
                    edit.plan_game(next.id, next.planned.clone(), next.purse.clone())?;
                }
                Err(problem) if is_wanted && !edit.table.is_closed => {
                    edit.table.wants_game = false;
                    let reason = Some(problem.code);
                    let fields = TableEventFields { reason, player: short, ..TableEventFields::default() };
                    edit.add(TableEventKind::GameDropped, fields)?;
                }
                _ if is_wanted => edit.table.wants_game = false,
                // Another process has planned the game: nothing is committed.
                _ => return Err(not_found()),
            }
            Ok(Reply::default())
        };
        match self.change(None, entity(id), begin).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }

    /// Plans the next game of a table, and stores the text of its rule set. `asks` is the player who wants to begin it.
    async fn plan_next_game(
        &self,
        table_id: TableId,
        table: &Table,
        asks: Option<PlayerId>,
    ) -> Result<NextGame, Problem> {
        let compiled = self.library.by_digest(&table.next_rule_set().digest).await?;
        let compiled = compiled.ok_or_else(|| internal("the rule set of a table is missing"))?;
        let occupants = occupants(table);
        let players: Vec<_> = occupants.iter().map(|(seat, ..)| seat.clone()).collect();
        let engine = self.library.table(&compiled, &table.options, Some(&players));
        let engine = engine.map_err(|problem| Problem { code: Code::TableInvalid, parts: Vec::new(), ..problem })?;
        let unknown = || Token::new().map(|token| token.hash());
        let new = NewGame {
            title: table.title.clone(),
            options: table.options.clone(),
            seed: dice::new_seed()?,
            // The tokens of the game are sent to nobody: players and watchers use their own tokens.
            invitation: Some(unknown()?),
            timer: table.settings.timer(),
            stand_in: table.settings.stand_in.map(|robot| self.stand_in(robot)),
            table: Some(table_id),
            ..NewGame::of(PinnedRules::from(&compiled.set), &engine, unknown()?)
        };
        let mut setup = Setup::new(new, clock::at(self.store.now()));
        setup.watchers = table.watchers.iter().map(|watcher| watcher.player).collect();
        for game_seat in &mut setup.seats {
            let seat = table.seats.iter().find(|seat| seat.seat == game_seat.seat);
            let sitter = seat.and_then(|seat| seat.sitter.as_ref());
            game_seat.robot = seat.and_then(|seat| seat.robot);
            game_seat.token = if game_seat.robot.is_none() { Some(unknown()?) } else { None };
            game_seat.player = sitter.map(|sitter| sitter.player);
            game_seat.name = sitter.and_then(|sitter| sitter.name.clone());
        }
        let players: Option<Vec<_>> = setup.seats.iter().map(|game_seat| game_seat.player).collect();
        let players = players.filter(|_| table.next_game_counts());
        let season = self.scoring.season.clone();
        let purse = players.map(|players| Purse::new(table.settings.bet.into(), season, players));
        if let Some(purse) = &purse {
            self.check_balances(purse, &setup.seats, asks).await?;
            let addresses = setup.seats.iter().map(|game_seat| {
                table.sitters().find(|(seat, _)| *seat == game_seat.seat).and_then(|(_, sitter)| sitter.address)
            });
            setup.score = Some(GameScore::new(purse.bet, addresses));
        }
        let texts = Change::Shared { texts: vec![compiled.rule_text()?], answers: Vec::new() };
        self.store.commit(Commit::from(texts)).await?;
        let planned = PlannedGame { setup, starts: true };
        let (options, settings, variant) = (table.options.clone(), table.settings.clone(), table.variant.clone());
        Ok(NextGame { id: Uuid::now_v7(), planned, purse, occupants, options, settings, variant })
    }
}

#[cfg(test)]
impl Service {
    /// Plans the next game of a table as [`Service::start_table_game`] does.
    pub(in crate::service) async fn plan_for_tests(&self, id: TableId, table: &Table) -> (GameId, PlannedGame) {
        let next = self.plan_next_game(id, table, None).await.unwrap();
        (next.id, next.planned)
    }
}
