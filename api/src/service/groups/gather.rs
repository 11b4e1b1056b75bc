//! Copies the events of games into their group.
//!
//! A game and its group are two entities, which no commit can change together. So the process that has changed a game
//! copies the new events a moment later. The group stores how many events of each game it has copied, so that each
//! event is copied only once, even if several processes do it at the same time. If a process dies before it has copied
//! the events, the regular check of the group copies them.
//!
//! The games of a group are created in the same way: the group stores the plans of its games until the games exist.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::error::Problem;
use crate::game::GameId;
use crate::game::edit::Edit;
use crate::game::entity as entity_of_game;
use crate::game::planned::PlannedGame;
use crate::game::stored::Game;
use crate::group::edit::{GameNews, GroupEdit};
use crate::group::stored::{Group, MemberState, not_found};
use crate::group::{GroupId, entity};
use crate::service::Service;
use crate::service::commit::CommitFailure;
use crate::service::entity::EntityEdit;
use crate::service::reply::Reply;
use crate::store::Change;

/// Number of games that are read or created at the same time.
const GAMES_AT_ONCE: usize = 32;
/// Number of games whose new events are copied in one commit.
const GAMES_A_COMMIT: usize = 64;
/// Largest number of events of a game that are copied in one commit.
const EVENTS_A_GAME: usize = 500;

impl Service {
    /// Copies the new events of these games into their group. Creates those games that are only planned.
    ///
    /// # Errors
    /// The group does not exist, or the store is not available.
    pub(in crate::service) async fn gather(&self, id: GroupId, games: &[GameId]) -> Result<(), Problem> {
        for batch in games.chunks(GAMES_A_COMMIT) {
            let mut left = batch.to_vec();
            while !left.is_empty() {
                let news = self.news_of(id, &left).await?;
                let is_read = |news: &GameNews| news.after + news.events.len() as u64 >= news.all;
                left = news.iter().filter(|news| !is_read(news)).map(|news| news.id).collect();
                if !news.is_empty() {
                    self.change(None, entity(id), |edit: &mut GroupEdit| {
                        edit.take(&news)?;
                        Ok(Reply::default())
                    })
                    .await?;
                }
            }
        }
        Ok(())
    }

    /// Reads the new events of these games of a group.
    async fn news_of(&self, id: GroupId, games: &[GameId]) -> Result<Vec<GameNews>, Problem> {
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let group = Group::read(&stored.snapshot)?;
        let wanted = group.members.into_iter().filter(|member| games.contains(&member.id) && !member.is_over());
        let mut read = iter(wanted.map(|member| {
            let planned = match member.standing {
                MemberState::Planned(planned) => Some(*planned),
                _ => None,
            };
            self.news_of_game(member.id, member.events, planned)
        }))
        .buffered(GAMES_AT_ONCE);
        let mut news = Vec::new();
        while let Some(read) = read.next().await {
            news.extend(read?);
        }
        Ok(news)
    }

    /// Reads the new events of a game; `None` if the group has all of them. A game that was removed has the status
    /// `None` in the result. If the store has lost events of the game, `all` is smaller than `after`. Creates the game
    /// if it is only planned.
    async fn news_of_game(
        &self,
        id: GameId,
        after: u64,
        planned: Option<PlannedGame>,
    ) -> Result<Option<GameNews>, Problem> {
        let (mut stored, mut events) = self.store.entity_and_events(entity_of_game(id), after, EVENTS_A_GAME).await?;
        if let (None, Some(planned)) = (&stored, planned) {
            self.create_planned(id, planned).await?;
            (stored, events) = self.store.entity_and_events(entity_of_game(id), after, EVENTS_A_GAME).await?;
        }
        let Some(stored) = stored else {
            return Ok(Some(GameNews { id, after, events: Vec::new(), all: after, status: None }));
        };
        let status = Some(Game::read(&stored.snapshot)?.status);
        let news = GameNews { id, after, events, all: stored.events, status };
        Ok((!news.events.is_empty() || news.all < after).then_some(news))
    }

    /// Creates a planned game, unless another process has created it.
    async fn create_planned(&self, id: GameId, planned: PlannedGame) -> Result<(), Problem> {
        let engine = Game::of(planned.setup.clone()).engine(&self.library).await?;
        let edit = planned.begin(id, Arc::clone(&engine), self.store.now())?;
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
}
