//! Adds the news of games to the inbox of a player: the events of games that concern the player.
//!
//! A game and a player are two entities, which no commit can change together. So the game is added to the player's list
//! before the player joins it, and the process that has changed the game adds the news a moment later. The player
//! stores how many events of each game were read for the inbox. So each event is added only once, even if several
//! processes do it at the same time. If a process dies before it has added the news, the regular check of the player
//! adds them.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::error::Problem;
use crate::game::GameId;
use crate::game::cache::CachedGame;
use crate::game::entity as entity_of_game;
use crate::game::play::Play;
use crate::game::terms::Status;
use crate::game::view::ranking;
use crate::group::GroupId;
use crate::player::edit::{GameNews, JOINING, PlayerEdit};
use crate::player::stored::{InboxGame, Player, not_found};
use crate::player::{PlayerId, entity};
use crate::service::Service;
use crate::service::reply::Reply;

/// Number of games that are read at the same time.
const GAMES_AT_ONCE: usize = 32;
/// Number of games whose news are added in one commit.
const GAMES_A_COMMIT: usize = 64;
/// Largest number of events of a game that are read at once.
const EVENTS_A_GAME: usize = 500;

impl Service {
    /// Adds a game to the list of a player who is about to join it.
    ///
    /// # Errors
    /// The player does not exist, or has joined too many games that are not over.
    pub(in crate::service) async fn note_game(
        &self,
        player: PlayerId,
        game: GameId,
        group: Option<GroupId>,
    ) -> Result<(), Problem> {
        let note = |edit: &mut PlayerEdit| edit.note_game(game, group).map(|()| Reply::default());
        self.change(None, entity(player), note).await.map(|_| ())
    }

    /// Adds the news of these games to the inbox of a player.
    ///
    /// # Errors
    /// The player does not exist, or the store is not available.
    pub(in crate::service) async fn gather_inbox(&self, id: PlayerId, games: &[GameId]) -> Result<(), Problem> {
        for batch in games.chunks(GAMES_A_COMMIT) {
            let mut left = batch.to_vec();
            while !left.is_empty() {
                let news = self.inbox_news(id, &left).await?;
                let is_read = |news: &GameNews| news.after + news.events.len() as u64 >= news.all;
                left = news.iter().filter(|news| !is_read(news)).map(|news| news.id).collect();
                if !news.is_empty() {
                    let take = |edit: &mut PlayerEdit| edit.take(&news).map(|()| Reply::default());
                    self.change(None, entity(id), take).await?;
                }
            }
        }
        Ok(())
    }

    /// Reads the news of these games for the inbox of a player.
    async fn inbox_news(&self, id: PlayerId, games: &[GameId]) -> Result<Vec<GameNews>, Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        let wanted = player.games.into_iter().filter(|game| games.contains(&game.id));
        let read = iter(wanted.map(|game| self.inbox_news_of(game))).buffered(GAMES_AT_ONCE).collect::<Vec<_>>().await;
        read.into_iter().filter_map(Result::transpose).collect()
    }

    /// Reads the news of a game; `None` if the inbox and the list of games need no change.
    async fn inbox_news_of(&self, game: InboxGame) -> Result<Option<GameNews>, Problem> {
        let InboxGame { id, read: after, noted_at, .. } = game;
        let (stored, events) = self.store.entity_and_events(entity_of_game(id), after, EVENTS_A_GAME).await?;
        let (is_over, is_removed, places) = (false, false, BTreeMap::new());
        let mut news = GameNews { id, after, events, all: after, is_over, is_removed, places, noted_at };
        if let Some(stored) = stored {
            news.all = stored.events;
            let cached = self.games.read(&stored, &self.library).await?;
            if cached.game.status == Status::Finished {
                (news.is_over, news.places) = (true, places_of(&cached));
            }
        } else {
            // The store has no such game. If the player had a seat, the game was deleted or has expired. Otherwise the
            // game may not be created yet. After some time, a game of a group counts as deleted: its group may have a
            // copy of the event that the player has joined.
            let is_joining = self.store.now() < noted_at + JOINING;
            news.is_removed = game.seat.is_some() || (game.group.is_some() && !is_joining);
            news.is_over = news.is_removed;
        }
        let is_new =
            !news.events.is_empty() || news.all < after || news.is_removed || news.ends(&game, self.store.now());
        Ok(is_new.then_some(news))
    }
}

/// Returns the places of the seats in the ranking of a game.
fn places_of(cached: &CachedGame) -> BTreeMap<String, u8> {
    let CachedGame { game, engine, play, .. } = cached;
    let ranked = play.as_ref().map(|play| ranking(engine, Play::state(play), game)).unwrap_or_default();
    ranked.into_iter().map(|rank| (rank.seat.to_owned(), rank.place)).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};
    use tokio::sync::watch;

    use super::*;
    use crate::config::ServeConfig;
    use crate::error::Code;
    use crate::ground::token::Token;
    use crate::model::creation::{CreateGame, JoinSeat};
    use crate::model::player::CreatePlayer;
    use crate::service::call::{Call, CallPlayer};
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::on_both_stores;
    use crate::store::{Change, Commit, Store};

    /// Makes a service on a store. It stands for a process, which ends when the returned sender is dropped.
    pub(in crate::service::players) fn process(store: &Arc<dyn Store>) -> (Service, watch::Sender<bool>) {
        let (closing, closed) = watch::channel(false);
        (Service::new(Arc::clone(store), &ServeConfig::default(), closed), closing)
    }

    /// Creates a player, and commits a game with this player as a process does that dies before it adds news to the
    /// inbox.
    pub(in crate::service::players) async fn sits_in_a_game(
        service: &Service,
        store: &Arc<dyn Store>,
    ) -> (CallPlayer, GameId) {
        let wish = CreatePlayer { name: Some("Asha".to_owned()) };
        let created = service.create_player(&Call::default(), b"", &wish).await.unwrap();
        let created: Value = serde_json::from_slice(&created.body).unwrap();
        let id: PlayerId = created["player"]["id"].as_str().unwrap().parse().unwrap();
        let player = CallPlayer { id, name: wish.name, balance: 0 };
        let game = has_a_seat(service, store, &player).await;
        (player, game)
    }

    /// Commits a game in which a player sits. If the player exists, the game is first noted in the player's list.
    pub(in crate::service::players) async fn has_a_seat(
        service: &Service,
        store: &Arc<dyn Store>,
        player: &CallPlayer,
    ) -> GameId {
        let game = GameId::now_v7();
        let wish: CreateGame = serde_json::from_value(json!({"rule_set": "pagade", "players": ["red", "yellow"],
            "my_seat": "red", "seats": {"yellow": {}}, "start": true}))
        .unwrap();
        let decided = service.decide_game(game, &wish, None, Some(player)).await.unwrap();
        match service.note_game(player.id, game, None).await {
            Ok(_) => {}
            Err(problem) => assert_eq!(problem.code, Code::PlayerNotFound),
        }
        let texts = Some(decided.compiled.rule_text().unwrap());
        let edit = decided.planned.begin(game, decided.engine, store.now()).unwrap();
        let (change, _) = edit.finish(service, texts).unwrap();
        store.commit(Commit::from(Change::Entity(change))).await.unwrap();
        game
    }

    async fn words(store: &Arc<dyn Store>, id: PlayerId) -> Vec<String> {
        let (_, events) = store.entity_and_events(entity(id), 0, 1000).await.unwrap();
        let word =
            |event: &Vec<u8>| serde_json::from_slice::<Value>(event).unwrap()["event"].as_str().unwrap().to_owned();
        events.iter().map(word).collect()
    }

    #[test]
    fn an_inbox_that_a_crash_left_behind_is_told_by_the_check_once() {
        on_both_stores(async |store| {
            let (first, _closing) = process(&store);
            let (player, game) = sits_in_a_game(&first, &store).await;
            let id = player.id;
            // The player was also about to join a game that was never created.
            first.note_game(id, GameId::now_v7(), None).await.unwrap();
            drop(first);
            assert_eq!(words(&store, id).await, ["player_created"]);
            let ((second, _two), (third, _three)) = (process(&store), process(&store));
            let (one, other) = tokio::join!(second.check_player(entity(id)), third.check_player(entity(id)));
            assert!(one.unwrap().is_some() && other.unwrap().is_some(), "it is checked again");
            let expected = ["player_created", "game_joined", "game_started", "turn_due"];
            assert_eq!(words(&store, id).await, expected, "each once, although two processes did it");
            let call = Call { token: Some(Token::new().unwrap()), player: Some(player), ..Call::default() };
            let again = second.join_seat(&call, b"", &game.to_string(), "red", &JoinSeat::default()).await;
            assert!(again.is_err());
            let stored = store.entity(entity(id)).await.unwrap().unwrap();
            let games = Player::read(&stored.snapshot).unwrap().games;
            assert_eq!(games.iter().map(|game| game.seat.is_some()).collect::<Vec<_>>(), [true, false]);
        });
    }
}
