//! Creates the games of rounds. The commit that pairs a round fixes their ids and plans; so any process can create
//! them, and repeat a failed attempt.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::iter;
use futures_util::{StreamExt, TryStreamExt};

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::game::stored::Game;
use crate::game::terms::Status;
use crate::game::{GameId, entity as entity_of_game};
use crate::group::edit::GroupEdit;
use crate::group::stored::{Group, GroupStatus};
use crate::group::{GroupId, entity as entity_of_group};
use crate::model::event_kind::GroupEventKind;
use crate::player::PlayerId;
use crate::player::edit::PlayerEdit;
use crate::player::entity as entity_of_player;
use crate::service::Service;
use crate::service::commit::CommitFailure;
use crate::service::entity::{EntityEdit, created};
use crate::service::reply::Reply;
use crate::store::Change;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::rounds::{StoredRound, TakenBack};
use crate::tournament::stored::Tournament;
use crate::tournament::{TournamentId, entity};

/// Number of games that are changed at the same time.
pub(super) const GAMES_AT_ONCE: usize = 32;
/// Age of a planned game, in milliseconds, from which it is certain that no process will still create it.
const LONGEST_CREATION: u64 = 60_000;

impl Service {
    /// Creates the games of a tournament that do not exist yet, completes the groups of rounds that are over, and hands
    /// groups and games over to a renewed token.
    ///
    /// # Errors
    /// The store is not available.
    pub(super) async fn create_round_games(&self, id: TournamentId) -> Result<(), Problem> {
        // A request may be repeated after the tournament has expired.
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
        let tournament = self.tournaments.read(&stored)?;
        for (number, round) in (1..).zip(&tournament.rounds) {
            let planned: Vec<GameId> = round.planned().map(|(game, _)| game).collect();
            if !planned.is_empty() {
                self.note_players(round).await;
                self.fill_group(&tournament, number, round).await?;
                self.gather(round.group, &planned).await?;
            }
        }
        let planned = tournament.planned();
        let over: Vec<&StoredRound> = tournament.unclosed().collect();
        for round in &over {
            self.show_games(round).await?;
            self.close_group(round.group).await?;
        }
        let over: Vec<GroupId> = over.into_iter().map(|round| round.group).collect();
        let aborted = self.abort_games(&tournament.taken_back).await?;
        if !planned.is_empty() || !over.is_empty() || !aborted.is_empty() {
            self.change(None, entity(id), |edit: &mut TournamentEdit| {
                edit.note_created(&planned)?;
                edit.note_closed(&over);
                edit.note_aborted(&aborted);
                Ok(Reply::default())
            })
            .await?;
        }
        self.hand_over(id, &tournament).await
    }

    /// Adds the games of a round to the lists of their players, whose inboxes then get the news of these games. A
    /// player who was deleted, or has too many games, sits in the game nevertheless.
    async fn note_players(&self, round: &StoredRound) {
        let mut games: BTreeMap<PlayerId, Vec<GameId>> = BTreeMap::new();
        for (id, planned) in round.planned() {
            for player in planned.setup.seated_players() {
                games.entry(player).or_default().push(id);
            }
        }
        for (player, games) in games {
            let note = |edit: &mut PlayerEdit| {
                games.iter().try_for_each(|game| edit.note_game(*game, Some(round.group))).map(|()| Reply::default())
            };
            if let Err(problem) = self.change(None, entity_of_player(player), note).await {
                tracing::debug!(%player, %problem, "tournament game not added to the player's inbox");
            }
        }
    }

    /// Creates the group of a round with the plans of its games, or adds the plans that the group lacks.
    async fn fill_group(&self, tournament: &Tournament, number: usize, round: &StoredRound) -> Result<(), Problem> {
        let planned = round.planned().map(|(id, planned)| (id, planned.clone()));
        let planned: Vec<_> = planned.collect();
        let add = |edit: &mut GroupEdit| {
            let lacks = |(id, _): &&(GameId, _)| edit.group.members.iter().all(|member| member.id != *id);
            let missing: Vec<_> = planned.iter().filter(lacks).cloned().collect();
            edit.plan(&missing);
            Ok(Reply::default())
        };
        // A group that exists is not created again. The store recognises a repeated creation only for some commits
        // after the first one.
        if self.store.entity(entity_of_group(round.group)).await?.is_some() {
            return self.change(None, entity_of_group(round.group), add).await.map(drop);
        }
        let now = self.store.now();
        let mut group = Group::new(Some(format!("Round {number}")), tournament.organiser.clone(), None, now);
        group.private = round.has_same_dice();
        let mut edit = GroupEdit::begin(round.group, group, now);
        edit.add(GroupEventKind::Created)?;
        edit.plan(&planned);
        let (change, effects) = edit.finish(self, None)?;
        match self.commit(Change::Entity(change), None, &Reply::default()).await {
            Ok(()) => {
                GroupEdit::apply(self, effects);
                Ok(())
            }
            // Another process has created the group.
            Err(CommitFailure::Conflict(_)) => self.change(None, entity_of_group(round.group), add).await.map(drop),
            Err(CommitFailure::Problem(problem)) => Err(problem),
            Err(CommitFailure::Answered(_)) => Ok(()),
        }
    }

    /// Aborts the games of rounds that were taken back, and of tables that arbiters have decided. Returns the rounds
    /// and tables whose games are all aborted.
    async fn abort_games(&self, taken_back: &[TakenBack]) -> Result<Vec<TakenBack>, Problem> {
        let mut aborted = Vec::new();
        let groups: BTreeSet<GroupId> = taken_back.iter().map(|games| games.group).collect();
        for group in groups {
            let of_group: Vec<&TakenBack> = taken_back.iter().filter(|games| games.group == group).collect();
            let games: Vec<GameId> = of_group.iter().flat_map(|taken| &taken.games).copied().collect();
            if self.store.entity(entity_of_group(group)).await?.is_some() {
                // Games that are only planned in the group are created first, because only games that exist can be
                // aborted.
                self.gather(group, &games).await?;
            }
            let abort = of_group.iter().map(|taken| self.abort_games_of(taken)).collect::<Vec<_>>();
            let done: Vec<bool> = iter(abort).buffered(GAMES_AT_ONCE).try_collect().await?;
            if of_group.iter().any(|taken| !taken.is_table) {
                self.close_group(group).await?;
            }
            aborted
                .extend(of_group.into_iter().zip(done).filter(|(_, is_done)| *is_done).map(|(taken, _)| taken.clone()));
        }
        Ok(aborted)
    }

    /// Aborts the games of a round or table. Returns `false` while a game is missing, because a slow process that has
    /// read the tournament before may still create the game.
    async fn abort_games_of(&self, taken_back: &TakenBack) -> Result<bool, Problem> {
        let mut is_done = true;
        for game in &taken_back.games {
            let is_left = |game: &Game| game.status != Status::Finished || game.setup.is_withheld;
            let exists = self.change_if_needed(*game, is_left, Edit::abort).await?;
            let is_late = |created| self.store.now() > created + LONGEST_CREATION;
            is_done &= exists || created(entity_of_game(*game)).is_none_or(is_late);
        }
        Ok(is_done)
    }

    /// Makes the games of a round visible if their tables had the same dice. They are withheld while they are played.
    async fn show_games(&self, round: &StoredRound) -> Result<(), Problem> {
        if !round.has_same_dice() {
            return Ok(());
        }
        let shown = round.games().map(|game| self.change_if_needed(game.id, |game| game.setup.is_withheld, Edit::show));
        iter(shown.collect::<Vec<_>>()).buffer_unordered(GAMES_AT_ONCE).try_collect::<Vec<bool>>().await.map(drop)
    }

    /// Changes a game if it needs the change. Returns whether the game exists.
    pub(super) async fn change_if_needed(
        &self,
        id: GameId,
        needs: impl Fn(&Game) -> bool,
        work: impl Fn(&mut Edit),
    ) -> Result<bool, Problem> {
        let Some(stored) = self.store.entity(entity_of_game(id)).await? else { return Ok(false) };
        if !needs(&Game::read(&stored.snapshot)?) {
            return Ok(true);
        }
        let work = |edit: &mut Edit| {
            if needs(&edit.game) {
                work(edit);
            }
            Ok(Reply::default())
        };
        match self.change(None, entity_of_game(id), work).await {
            Err(problem) if problem.code == Code::GameNotFound => Ok(false),
            changed => changed.map(|_| true),
        }
    }

    /// Notes in the group of a round that no more games follow, and lets everybody see the group.
    async fn close_group(&self, id: GroupId) -> Result<(), Problem> {
        let Some(stored) = self.store.entity(entity_of_group(id)).await? else { return Ok(()) };
        if Group::read(&stored.snapshot)?.status != GroupStatus::Open {
            return Ok(());
        }
        let close = |edit: &mut GroupEdit| {
            if edit.group.status == GroupStatus::Open {
                edit.group.private = false;
                edit.complete()?;
            }
            Ok(Reply::default())
        };
        self.change(None, entity_of_group(id), close).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use tokio::sync::watch;

    use super::*;
    use crate::config::ServeConfig;
    use crate::ground::token::Token;
    use crate::service::call::{Call, ETags};
    use crate::service::lamp::tests::on_both_stores;
    use crate::service::tournaments::pairing::PlanRound;
    use crate::store::Store;
    use crate::tournament::planning::EnginesBySeats;
    use crate::tournament::results::next_round;
    use crate::tournament::rounds::GameOutcome;
    use pagade_pairing::{Round, SeatResult};

    /// A knock-out of four, and two processes that serve it.
    struct Cup {
        store: Arc<dyn Store>,
        /// The process that pairs rounds and is interrupted before it creates their games.
        first: Service,
        second: Service,
        call: Call,
        id: TournamentId,
        _closing: watch::Sender<bool>,
    }

    impl Cup {
        async fn on(store: Arc<dyn Store>, best_of: u32) -> Self {
            let (closing, closed) = watch::channel(false);
            let process = || Service::new(Arc::clone(&store), &ServeConfig::default(), closed.clone());
            let (first, second) = (process(), process());
            let format = json!({"kind": "knock_out", "best_of": best_of});
            let wish = serde_json::from_value(json!({"rule_set": "pagade", "format": format})).unwrap();
            let created = second.create_tournament(&Call::default(), b"", &wish).await.unwrap();
            let created: Value = serde_json::from_slice(&created.body).unwrap();
            let id: TournamentId = created["tournament"]["id"].as_str().unwrap().parse().unwrap();
            let token = Some(Token::sent(created["token"].as_str().unwrap()));
            let call = Call { token, if_match: Some(ETags::Any), ..Call::default() };
            let names = ["Asha", "Bina", "Chitra", "Devi"].map(|name| json!({ "name": name }));
            let wish = serde_json::from_value(json!({ "entrants": names })).unwrap();
            second.enter_tournament(&call, b"", &id.to_string(), &wish).await.unwrap();
            second.start_tournament(&call, b"", &id.to_string()).await.unwrap();
            Self { store, first, second, call, id, _closing: closing }
        }

        async fn read(&self) -> Tournament {
            let stored = self.store.entity(entity(self.id)).await.unwrap().unwrap();
            Tournament::read(&stored.snapshot).unwrap()
        }

        /// Pairs a round by the first process, which creates no games. Returns the tournament as it then is in the
        /// store.
        async fn pair(&self) -> Tournament {
            let plan: PlanRound = Arc::new(next_round);
            let add = |edit: &mut TournamentEdit, round: Option<&Round>, engines: &EnginesBySeats| {
                edit.add_round(round.unwrap().clone(), engines)?;
                Ok(Reply::default())
            };
            self.first.with_next_round(self.id, None, &plan, &add).await.unwrap();
            self.read().await
        }

        /// Enters a result of the first round by the second process, by which the entrant in this seat wins.
        async fn decide(&self, table: usize, winner: usize, takes_back: bool) {
            let seats = self.read().await.rounds[0].tables[table - 1].table.seats.clone();
            let seats: Vec<_> =
                (0..2).map(|at| json!({"entrant": seats[at].0, "place": if at == winner { 1 } else { 2 }})).collect();
            let wish = json!({"seats": seats, "reason": "seen at the table", "take_back": takes_back});
            let at = [self.id.to_string(), "1".to_owned(), table.to_string()];
            let at = [at[0].as_str(), &at[1], &at[2]];
            self.second.enter_result(&self.call, b"", at, &serde_json::from_value(wish).unwrap()).await.unwrap();
        }

        /// Makes the first process create the games of a round, by the old state `known` of the tournament.
        async fn create_late(&self, known: &Tournament, number: usize) -> Vec<GameId> {
            let round = &known.rounds[number - 1];
            let planned: Vec<GameId> = round.planned().map(|(game, _)| game).collect();
            self.first.fill_group(known, number, round).await.unwrap();
            self.first.gather(round.group, &planned).await.unwrap();
            planned
        }

        async fn game(&self, id: GameId) -> Game {
            let stored = self.store.entity(entity_of_game(id)).await.unwrap().unwrap();
            Game::read(&stored.snapshot).unwrap()
        }

        async fn check(&self) {
            self.second.check_tournament(entity(self.id)).await.unwrap();
        }
    }

    #[test]
    fn a_series_goes_on_however_much_has_happened_in_the_group_of_its_round() {
        on_both_stores(async |store| {
            let cup = Cup::on(store, 3).await;
            let known = cup.pair().await;
            cup.check().await;
            let (round, engines) = (&known.rounds[0], cup.second.engines(&known).await.unwrap());
            for _ in 0..20 {
                let nothing = |_: &mut GroupEdit| Ok(Reply::default());
                cup.second.change(None, entity_of_group(round.group), nothing).await.unwrap();
            }
            let won = GameOutcome::Result(vec![SeatResult::played(1, 4), SeatResult::played(2, 0)]);
            let outcomes = [(round.tables[0].games[0].id, won)];
            let take = |edit: &mut TournamentEdit| edit.take(&outcomes, &engines).map(|()| Reply::default());
            cup.second.change(None, entity(cup.id), take).await.unwrap();
            cup.check().await;
            let games = cup.read().await.rounds[0].tables[0].games.clone();
            assert_eq!(games.len(), 2);
            assert_eq!(cup.game(games[1].id).await.status, Status::Playing);
        });
    }

    #[test]
    fn games_that_are_created_late_for_a_round_that_was_taken_back_are_aborted() {
        on_both_stores(async |store| {
            let cup = Cup::on(store, 1).await;
            cup.pair().await;
            cup.check().await;
            cup.decide(1, 0, false).await;
            cup.decide(2, 0, false).await;
            let known = cup.pair().await;
            cup.decide(1, 1, true).await;
            cup.check().await;
            assert_eq!(cup.read().await.rounds.len(), 1);
            let final_game = cup.create_late(&known, 2).await[0];
            cup.check().await;
            assert_eq!(cup.game(final_game).await.status, Status::Finished);
            let group = cup.store.entity(entity_of_group(known.rounds[1].group)).await.unwrap().unwrap();
            assert_ne!(Group::read(&group.snapshot).unwrap().status, GroupStatus::Open);
            assert_eq!(cup.read().await.taken_back, []);
        });
    }

    #[test]
    fn a_game_that_is_created_late_for_a_table_that_an_arbiter_has_decided_is_aborted() {
        on_both_stores(async |store| {
            let cup = Cup::on(store, 1).await;
            let known = cup.pair().await;
            cup.decide(1, 0, false).await;
            // The second process creates the group with the game of the other table.
            cup.check().await;
            let games = cup.create_late(&known, 1).await;
            assert_eq!(games.len(), 2);
            cup.check().await;
            assert_eq!(cup.game(games[0]).await.status, Status::Finished, "the arbiter's result stands");
            assert_eq!(cup.game(games[1]).await.status, Status::Playing);
            assert_eq!(cup.read().await.taken_back, []);
        });
    }
}
