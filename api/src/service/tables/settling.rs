//! Brings the game of a table in line with the table, and the table in line with the game.
//!
//! A table and its game are two entities, which no commit can change together. A command changes the table first: it
//! plans a game, records a watcher or the leaving of a player, or decides the end of the game. Then the game is
//! created, changed, or read for its result. The stakes are paid out as soon as a side has won. Each of these steps may
//! be done several times and by several processes, with one effect.

use std::sync::Arc;

use crate::error::{Code, Problem};
use crate::game::address::AddressMark;
use crate::game::cache::CachedGame;
use crate::game::edit::Edit;
use crate::game::entity as entity_of_game;
use crate::game::play::Play;
use crate::game::ranking;
use crate::game::setup::GameSeat;
use crate::game::stored::{Game, not_found as game_not_found};
use crate::game::table_terms::TableTerms;
use crate::game::terms::Status;
use crate::game::view as view_of_game;
use crate::player::PlayerId;
use crate::service::Service;
use crate::service::commit::CommitFailure;
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::Change;
use crate::table::edit::TableEdit;
use crate::table::purse::{Purse, PurseStage};
use crate::table::result::{GameResult, PlayedSeat, SeatControls};
use crate::table::stored::{CurrentGame, GamePlayer, Table, not_found};
use crate::table::{TableId, entity};

/// Maximum number of steps of one call; the next check of the table does the rest. A table needs four at most: to plan
/// a game, to create it, to change it, and to note who plays.
const MOST_STEPS: usize = 8;
/// Age, in milliseconds, from which a planned game that does not exist counts as removed, and is no longer created.
const REMOVED_AFTER: u64 = 600_000;

impl Service {
    /// Calls [`Service::settle_table`]. A failure is logged, and the next check of the table tries again.
    pub(in crate::service) async fn settle_or_leave(&self, id: TableId) {
        if let Err(problem) = self.settle_table(id).await {
            tracing::warn!(
                table = %id, %problem,
                "table and its game not synchronised, retrying at the next scheduled check"
            );
        }
    }

    /// Brings a table and its game in line: plans the game that the players have voted for, creates the planned game,
    /// gives it the terms of the table, and stores the result of the game in the table.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn settle_table(&self, id: TableId) -> Result<(), Problem> {
        for _ in 0..MOST_STEPS {
            let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
            let table = Table::read(&stored.snapshot)?;
            let is_settled = match &table.current {
                Some(current) => self.settle_game(id, &table, current).await?,
                None if table.wants_game => self.begin_wanted_game(id, &table).await.map(|()| false)?,
                None => true,
            };
            if is_settled {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Does one step with the game in play. Returns whether nothing was left to do.
    async fn settle_game(&self, id: TableId, table: &Table, current: &CurrentGame) -> Result<bool, Problem> {
        match current.purse.as_ref().map(|purse| (purse, &purse.stage)) {
            Some((purse, PurseStage::Staking)) => {
                return self.take_stakes(id, table, current, purse).await.map(|()| false);
            }
            Some((purse, PurseStage::Settling(decision))) => {
                return self.pay_out(id, table, current, purse, decision).await.map(|()| false);
            }
            Some((_, PurseStage::Staked(_) | PurseStage::Settled { .. })) | None => {}
        }
        let game = entity_of_game(current.id);
        let Some(stored) = self.store.entity(game).await? else {
            if self.store.now() < current.started_at + REMOVED_AFTER {
                return self.create_game_of_table(current).await.map(|()| false);
            }
            return self.end_game_of_table(id, current, &GameResult::default(), false).await.map(|()| false);
        };
        let cached = self.games.read(&stored, &self.library).await?;
        let is_staked = matches!(&current.purse, Some(Purse { stage: PurseStage::Staked(_), .. }));
        let plays_on = is_staked && Edit::of(&cached, self.store.now()).is_won();
        if plays_on || cached.game.status == Status::Finished {
            return self.end_game_of_table(id, current, &result_of(&cached), plays_on).await.map(|()| false);
        }
        let terms = terms_of(table, current);
        if terms.hold_in(&cached.game) {
            let controls = controls_of(&cached.game);
            if current.changed_controls(&controls).is_empty() {
                return Ok(true);
            }
            return self.note_controls_of_game(id, current, &controls).await.map(|()| false);
        }
        let set = |edit: &mut Edit| {
            if terms.hold_in(&edit.game) {
                // Another process has set the terms: nothing is committed.
                return Err(game_not_found());
            }
            edit.set_table_terms(&terms).map(|()| Reply::default())
        };
        match self.change(None, game, set).await {
            Err(problem) if problem.code != Code::GameNotFound => Err(problem),
            _ => Ok(false),
        }
    }

    /// Creates the planned game of a table, unless another process has created it.
    async fn create_game_of_table(&self, current: &CurrentGame) -> Result<(), Problem> {
        // The call that moved the stakes into escrow has added a competitive game to the lists of its players.
        let is_noted = current.purse.is_some();
        for player in current.players.iter().filter_map(|player| player.player).filter(|_| !is_noted) {
            match self.note_game(player, current.id, None).await {
                // A deleted player has no inbox. A player with too many games finds this game through the table.
                Err(problem) if ![Code::PlayerNotFound, Code::GamesFull].contains(&problem.code) => {
                    return Err(problem);
                }
                _ => {}
            }
        }
        let planned = current.planned.as_ref().clone();
        let engine = Game::of(planned.setup.clone()).engine(&self.library).await?;
        let edit = planned.begin(current.id, Arc::clone(&engine), self.store.now())?;
        let (change, effects) = edit.finish(self, None)?;
        match self.commit(Change::Entity(change), None, &Reply::default()).await {
            Ok(()) => {
                Edit::apply(self, effects);
                Ok(())
            }
            Err(CommitFailure::Problem(problem)) => Err(problem),
            Err(_) => Ok(()),
        }
    }

    /// Notes at a table who decides for the seats of its game.
    async fn note_controls_of_game(
        &self,
        id: TableId,
        current: &CurrentGame,
        controls: &SeatControls,
    ) -> Result<(), Problem> {
        let note = |edit: &mut TableEdit| {
            let is_new = edit
                .table
                .current
                .as_ref()
                .is_some_and(|played| played.id == current.id && !played.changed_controls(controls).is_empty());
            if !is_new {
                // Another process has noted the controls: nothing is committed.
                return Err(not_found());
            }
            edit.note_controls(current.id, controls).map(|()| Reply::default())
        };
        match self.change(None, entity(id), note).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }

    /// Ends, at its table, a game that is over. If the game has stakes, first decides what each player gets, also when
    /// a side has won and the others play on.
    async fn end_game_of_table(
        &self,
        id: TableId,
        current: &CurrentGame,
        result: &GameResult,
        plays_on: bool,
    ) -> Result<(), Problem> {
        let end = |edit: &mut TableEdit| {
            let now = edit.table.current.as_ref().filter(|now| now.id == current.id);
            match now.map(|now| now.purse.as_ref().map(|purse| &purse.stage)) {
                Some(Some(PurseStage::Staked(_))) => edit.decide(current.id, result, plays_on),
                Some(Some(PurseStage::Settled { .. }) | None) if !plays_on => edit.end_game(current.id, result)?,
                // Another process has settled or ended the game: nothing is committed.
                _ => return Err(not_found()),
            }
            Ok(Reply::default())
        };
        match self.change(None, entity(id), end).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }
}

/// Returns the terms that a table sets for its game in play.
fn terms_of(table: &Table, current: &CurrentGame) -> TableTerms {
    let left = current.players.iter().filter(|player| player.is_gone());
    TableTerms {
        watchers: onlookers(table, current).collect(),
        timer: table.settings.timer(),
        left: left.map(|player| player.seat.clone()).collect(),
        is_cancelled: current.is_cancelled,
        addresses: current.players.iter().flat_map(|player| addresses_of(table, current, player)).collect(),
    }
}

/// Returns the players who may watch the game in play: the watchers of the table, and those who have sat down since the
/// game began.
fn onlookers(table: &Table, current: &CurrentGame) -> impl Iterator<Item = PlayerId> {
    let watchers = table.watchers.iter().map(|watcher| watcher.player);
    let plays = |player| current.players.iter().any(|game_player| game_player.player == Some(player));
    let sitters = table.sitters().map(|(_, sitter)| sitter.player);
    watchers.chain(sitters.filter(move |player| !plays(*player)))
}

/// Returns the seat of a player with the address from which the player last changed the table; nothing if no address is
/// known. For a player who has left the game, returns the addresses that the game had at that moment, even if the
/// player sits at the table again.
fn addresses_of(table: &Table, current: &CurrentGame, player: &GamePlayer) -> Vec<(String, AddressMark)> {
    let addresses = if player.has_left {
        current.planned.setup.addresses_of(&player.seat).to_vec()
    } else {
        let mut sitters = table.sitters().map(|(_, sitter)| sitter);
        let own = sitters.find(|sitter| Some(sitter.player) == player.player);
        own.and_then(|sitter| sitter.address).into_iter().collect()
    };
    addresses.into_iter().map(|address| (player.seat.clone(), address)).collect()
}

/// Returns the seats of a game, each with the player or robot that decides for the seat.
fn controls_of(game: &Game) -> SeatControls {
    game.setup.seats.iter().map(|game_seat| (game_seat.seat.clone(), game_seat.control())).collect()
}

/// Returns the result of a game that is over.
fn result_of(cached: &CachedGame) -> GameResult {
    let CachedGame { game, engine, play, .. } = cached;
    let ranked = play.as_ref().map(|play| view_of_game::ranking(engine, Play::state(play), game)).unwrap_or_default();
    let place = |seat: &str| ranked.iter().find(|rank| rank.seat == seat).map(|rank| rank.place);
    // Every seat of a game is a seat of its engine.
    let of_seat = |game_seat: &GameSeat| {
        let side = ranking::side_named(engine, &game_seat.seat)?;
        Some(PlayedSeat {
            seat: game_seat.seat.clone(),
            side,
            place: place(&game_seat.seat),
            gave_up: game_seat.gave_up.is_some(),
            is_abandoned: game_seat.is_abandoned(),
        })
    };
    GameResult {
        ended_by: view_of_game::ended_by(game),
        places: game.setup.seats.iter().filter_map(of_seat).collect(),
        controls: controls_of(game),
        is_at_one_address: game.setup.score.as_ref().is_some_and(|score| score.is_at_one_address),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};
    use tokio::sync::watch;

    use super::*;
    use crate::config::ServeConfig;
    use crate::game::terms::EndedBy;
    use crate::ground::token::Token;
    use crate::model::player::CreatePlayer;
    use crate::model::table::{CreateTable, InvitePlayer, JoinTable};
    use crate::player::entity as entity_of_player;
    use crate::service::call::{Call, CallPlayer};
    use crate::service::lamp::tests::on_both_stores;
    use crate::store::Store;

    /// Makes a service that stands for a process with this store. It ends when the returned sender is dropped.
    pub(in crate::service::tables) fn process(store: &Arc<dyn Store>) -> (Service, watch::Sender<bool>) {
        let (closing, closed) = watch::channel(false);
        (Service::new(Arc::clone(store), &ServeConfig::default(), closed), closing)
    }

    fn body(reply: &Reply) -> Value {
        serde_json::from_slice(&reply.body).unwrap()
    }

    /// Creates a player, and returns a request with the player's token.
    pub(in crate::service::tables) async fn player(service: &Service, name: &str) -> Call {
        let wish = CreatePlayer { name: Some(name.to_owned()) };
        let created = body(&service.create_player(&Call::default(), b"", &wish).await.unwrap());
        let id: PlayerId = created["player"]["id"].as_str().unwrap().parse().unwrap();
        let token = Token::sent(created["token"].as_str().unwrap());
        Call { token: Some(token), player: Some(CallPlayer { id, name: wish.name, balance: 0 }), ..Call::default() }
    }

    /// Returns the player of a request.
    pub(in crate::service::tables) fn player_of(call: &Call) -> PlayerId {
        call.player.as_ref().unwrap().id
    }

    pub(in crate::service::tables) async fn read(service: &Service, id: TableId) -> Table {
        Table::read(&service.store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap()
    }

    /// Creates a table with two players. Returns its id, and a request of each player.
    pub(in crate::service::tables) async fn table(service: &Service) -> (TableId, Call, Call) {
        let (asha, ravi) = (player(service, "Asha").await, player(service, "Ravi").await);
        let wish: CreateTable = serde_json::from_value(json!({"rule_set": "parcheesi"})).unwrap();
        let created = body(&service.create_table(&asha, b"", &wish).await.unwrap());
        let id = created["id"].as_str().unwrap();
        service.take_table_seat(&ravi, b"", id, "red", &JoinTable::default()).await.unwrap();
        (id.parse().unwrap(), asha, ravi)
    }

    #[test]
    fn a_game_that_was_planned_before_a_crash_is_created_once_by_the_check() {
        on_both_stores(async |store| {
            let (first, closing) = process(&store);
            let (id, asha, _) = table(&first).await;
            let table = read(&first, id).await;
            let next = first.plan_for_tests(id, &table).await;
            // The process dies after the commit of the table, before the game is created.
            first
                .change(None, entity(id), |edit: &mut TableEdit| {
                    edit.plan_game(next.0, next.1.clone(), None).map(|()| Reply::default())
                })
                .await
                .unwrap();
            drop((first, closing));
            let ((second, _two), (third, _three)) = (process(&store), process(&store));
            let (one, other) = tokio::join!(second.check_table(entity(id)), third.check_table(entity(id)));
            assert!(one.unwrap().is_some() && other.unwrap().is_some(), "it is checked again");
            let stored = store.entity(entity_of_game(next.0)).await.unwrap().unwrap();
            let game = Game::read(&stored.snapshot).unwrap();
            assert_eq!((game.status, game.setup.table), (Status::Playing, Some(id)));
            assert_eq!(stored.events, 4, "created, two joined, started: once each");

            // The game ends, and the process dies before it stores the result in the table.
            let (cached, seat) = (second.games.read(&stored, &second.library).await.unwrap(), "yellow");
            let mut edit = Edit::of(&cached, store.now());
            let seat = edit.player(seat).unwrap();
            edit.give_up(seat, crate::game::terms::GaveUp::Resigned).unwrap();
            let (change, _) = edit.finish(&second, None).unwrap();
            store.commit(crate::store::Commit::from(Change::Entity(change))).await.unwrap();
            assert!(read(&third, id).await.current.is_some());
            let (one, other) = tokio::join!(second.check_table(entity(id)), third.check_table(entity(id)));
            assert!(one.is_ok() && other.is_ok());
            let now = read(&third, id).await;
            assert_eq!((now.current.is_none(), now.past.len(), now.games), (true, 1, 1));
            let winner = &now.past[0].players[0];
            assert_eq!((winner.0.seat.as_str(), winner.1), ("red", Some(1)));
            // A request that reads the table also finishes the work of the dead process.
            let looked = third.read_table(&asha, &id.to_string()).await.unwrap();
            assert_eq!(body(&looked)["status"], "open");
        });
    }

    /// Plays the game of a table to its end in one commit, and returns the past game with its names and places.
    async fn played_out(service: &Service, options: Value) -> (Table, Vec<(String, Option<u8>)>) {
        let players: [Call; 4] = [
            player(service, "Asha").await,
            player(service, "Ravi").await,
            player(service, "Meera").await,
            player(service, "Kiran").await,
        ];
        let wish: CreateTable = serde_json::from_value(json!({"rule_set": "pagade", "options": options})).unwrap();
        let created = body(&service.create_table(&players[0], b"", &wish).await.unwrap());
        let id = created["id"].as_str().unwrap();
        let seats: Vec<_> = created["seats"].as_array().unwrap().iter().map(|seat| seat["seat"].clone()).collect();
        for (call, seat) in players.iter().zip(&seats).skip(1) {
            let seat = seat.as_str().unwrap();
            service.take_table_seat(call, b"", id, seat, &JoinTable::default()).await.unwrap();
        }
        service.start_table_game(&players[0], b"", id).await.unwrap();
        let id: TableId = id.parse().unwrap();
        let game = entity_of_game(read(service, id).await.current.unwrap().id);
        let play_out = |edit: &mut Edit| {
            while edit.game.status == Status::Playing {
                edit.finish_turn(crate::game::terms::WhenLate::Robot(pagade_robots::RobotKind::Runner))?;
            }
            Ok(Reply::default())
        };
        service.change(None, game, play_out).await.unwrap();
        service.settle_table(id).await.unwrap();
        let table = read(service, id).await;
        let past = table.past.back().unwrap();
        let places = past.players.iter().map(|(game_player, place)| (game_player.seat.clone(), *place)).collect();
        (table, places)
    }

    #[test]
    fn a_table_plays_on_for_the_places() {
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            let (table, places) = played_out(&service, json!({"time_per_turn": 0})).await;
            let ended_by = table.past.back().unwrap().ended_by;
            assert_eq!((table.current.is_none(), ended_by), (true, Some(EndedBy::Rules)));
            let ranks: Vec<_> = places.iter().map(|(_, place)| *place).collect();
            assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)], "winner, two runners-up, loser: {places:?}");
            let (_, places) = played_out(&service, json!({"time_per_turn": 0, "play_on": false})).await;
            assert_eq!(places[0].1, Some(1));
            let others: Vec<_> = places[1..].iter().filter(|(_, place)| place.is_some_and(|place| place < 4)).collect();
            assert!(others.len() < 3, "the game ends with the winner: {places:?}");
        });
    }

    #[test]
    fn partners_at_a_table_win_together() {
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            for _ in 0..6 {
                let (_, places) = played_out(&service, json!({"time_per_turn": 0, "mode": "partnership"})).await;
                let mut winners: Vec<&str> =
                    places.iter().filter(|(_, place)| *place == Some(1)).map(|(seat, _)| seat.as_str()).collect();
                winners.sort_unstable();
                assert!([["red", "yellow"], ["black", "green"]].iter().any(|team| winners == team), "{places:?}");
                assert_eq!(places.iter().filter(|(_, place)| place.is_none()).count(), 2, "{places:?}");
            }
        });
    }

    #[test]
    fn a_notice_is_told_once_although_many_other_tables_told_something_since() {
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            let (id, asha, ravi) = table(&service).await;
            let [meera, nila] = ["Meera", "Nila"].map(|name| player(&service, name));
            let (meera, nila) = (meera.await.player.unwrap().id, nila.await.player.unwrap().id);
            let by = asha.player.unwrap().id;
            // Commits without the tasks that usually follow a command, so that nothing else copies the notice.
            let invite = async |invited: PlayerId| {
                let mut edit = TableEdit::begin(id, read(&service, id).await, store.now());
                edit.invite(invited, by).unwrap();
                let (change, _) = edit.finish(&service, None).unwrap();
                store.commit(crate::store::Commit::from(Change::Entity(change))).await.unwrap();
                service.copy_notices(id).await.unwrap();
            };
            let told = async |player| store.entity(entity_of_player(player)).await.unwrap().unwrap().events;
            invite(meera).await;
            let before = told(meera).await;
            let others = |edit: &mut crate::player::edit::PlayerEdit| {
                (0..200).for_each(|_| edit.player.note_told(TableId::now_v7(), 1));
                Ok(Reply::default())
            };
            service.change(None, entity_of_player(meera), others).await.unwrap();
            let version = read(&service, id).await.version;
            invite(nila).await;
            service.check_table(entity(id)).await.unwrap();
            assert_eq!((told(meera).await, told(nila).await), (before, 2));
            assert_eq!(read(&service, id).await.version, version + 1, "the invitation alone changes the table");

            // While a guest is being claimed, the notice waits for the table to name the registered player.
            let ravi = ravi.player.unwrap().id;
            let claim = |edit: &mut crate::player::edit::PlayerEdit| edit.claim_for(nila).map(|()| Reply::default());
            service.change(None, entity_of_player(ravi), claim).await.unwrap();
            let notify = |edit: &mut TableEdit| {
                edit.notify(ravi, crate::table::notice::NoticeKind::VoteOpened);
                edit.notify(meera, crate::table::notice::NoticeKind::VoteOpened);
                Ok(Reply::default())
            };
            service.change(None, entity(id), notify).await.unwrap();
            service.copy_notices(id).await.unwrap();
            assert_eq!((told(meera).await, told(nila).await), (before + 1, 2));
            service.check_player(entity_of_player(ravi)).await.unwrap();
            service.copy_notices(id).await.unwrap();
            assert_eq!((told(meera).await, told(nila).await), (before + 1, 4), "the claim, and the notice");
        });
    }

    #[test]
    fn a_notice_that_a_crash_left_behind_is_copied_once_by_the_check() {
        on_both_stores(async |store| {
            let (first, closing) = process(&store);
            let (id, asha, _) = table(&first).await;
            let meera = player(&first, "Meera").await.player.unwrap().id;
            let invite =
                |edit: &mut TableEdit| edit.invite(meera, asha.player.as_ref().unwrap().id).map(|()| Reply::default());
            let mut edit = TableEdit::begin(id, read(&first, id).await, store.now());
            invite(&mut edit).unwrap();
            let (change, _) = edit.finish(&first, None).unwrap();
            store.commit(crate::store::Commit::from(Change::Entity(change))).await.unwrap();
            drop((first, closing));
            let ((second, _two), (third, _three)) = (process(&store), process(&store));
            let told = async || store.entity(entity_of_player(meera)).await.unwrap().unwrap().events - 1;
            assert_eq!(told().await, 0);
            let (one, other) = tokio::join!(second.check_table(entity(id)), third.check_table(entity(id)));
            assert!(one.is_ok() && other.is_ok());
            assert_eq!(told().await, 1, "although two processes copied it");
            second.copy_notices(id).await.unwrap();
            assert_eq!(told().await, 1);
            let nobody = InvitePlayer { player: TableId::now_v7().to_string() };
            let refused = second.invite_to_table(&asha, b"", &id.to_string(), &nobody).await.unwrap_err();
            assert_eq!(refused.code, Code::PlayerNotFound);
        });
    }
}
