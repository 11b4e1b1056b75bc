//! Reads games: in lists, as they are now, or as they were after an earlier step.

use std::sync::Arc;

use crate::error::{Code, Problem, detail};
use crate::game::cache::CachedGame;
use crate::game::edit::Edit;
use crate::game::play::Play;
use crate::game::steps;
use crate::game::stored::{Game, tag};
use crate::game::terms::Status;
use crate::game::view;
use crate::game::{GAME, GameId, entity};
use crate::model::game_list::{GameList, GamesQuery, MomentQuery};
use crate::service::call::Call;
use crate::service::entity::Entity;
use crate::service::events::waiting::LONGEST_WAIT;
use crate::service::games::history::GameHistory;
use crate::service::page;
use crate::service::reply::Reply;
use crate::service::{Service, access};

impl Service {
    /// Reads a game as it is now, or as it was after step `at`. If the client prefers to wait, the answer with the
    /// present game waits for a new version, and for the turn of the seat `turn`.
    ///
    /// # Errors
    /// The game does not exist, has fewer than `at` steps, or has no seat `turn`.
    pub(crate) async fn read_game(&self, call: &Call, id: &str, query: &MomentQuery) -> Result<Reply, Problem> {
        let Some(at) = query.at else {
            let cached = self.awaited_game(call, id, query.turn.as_deref()).await?;
            let (version, waits) = (cached.game.version, call.wait.map(|seconds| seconds.min(LONGEST_WAIT)));
            if call.has_seen(version) {
                return Ok(Reply::not_modified(version).after_waiting(waits));
            }
            return Ok(Reply::written(cached.json()?).at_version(version).after_waiting(waits));
        };
        // The answer for an earlier step has no `ETag`: its position never changes, but names and status in it may.
        let work = self.with_history(call, id, move |history| {
            let (id, engine) = (history.id, Arc::clone(&history.engine));
            let (then, play) = at_step(history, at)?;
            Reply::ok(&view::game(id, &then, &engine, play.as_ref()))
        });
        // The future is boxed because it is large and rarely needed.
        Box::pin(work).await
    }

    /// Lists a page of games.
    ///
    /// # Errors
    /// A parameter is invalid.
    pub(crate) async fn list_games(&self, query: &GamesQuery) -> Result<Reply, Problem> {
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        let before = query.cursor.as_deref().map(page::cursor).transpose()?;
        if let Some(id) = &query.rule_set
            && !(1..=64).contains(&id.chars().count())
        {
            return Err(page::parameter(
                "rule_set",
                detail!("it has {least} to {most} characters", least = 1, most = 64),
            ));
        }
        let tag = tag(query.status.map(Into::into), query.rule_set.as_deref());
        let mut stored = self.store.list(GAME, tag, before, limit + 1).await?;
        let more = stored.len() > limit;
        stored.truncate(limit);
        let next_cursor = stored.last().filter(|_| more).map(|game| page::cursor_after(game.id.id));
        let games = stored.iter().map(|stored| Ok(view::summary(stored.id.id, &Game::read(&stored.snapshot)?)));
        let games = games.collect::<Result<_, Problem>>()?;
        let next = next_cursor.as_ref().map(|cursor| next_path(query, limit, cursor));
        Ok(Reply::ok(&GameList { games, next_cursor })?.with_next(next))
    }

    /// Reads the game with the id in a path, from the cache if its snapshot is current.
    pub(crate) async fn cached_game(&self, id: &str) -> Result<Arc<CachedGame>, Problem> {
        let stored = self.store.entity(entity(game_id(id)?)).await?.ok_or_else(access::not_found)?;
        self.games.read(&stored, &self.library).await
    }

    /// Reads a game, and checks that the caller may see it.
    pub(crate) async fn visible_game(&self, call: &Call, id: &str) -> Result<Arc<CachedGame>, Problem> {
        let cached = self.cached_game(id).await?;
        access::may_see(&cached.game, call)?;
        Ok(cached)
    }
}

/// Replays a game up to step `at`. Returns the game and its state after this step.
pub(crate) fn at_step(history: GameHistory, at: u64) -> Result<(Game, Option<Play>), Problem> {
    let GameHistory { id, mut game, engine, steps } = history;
    if at > game.steps {
        return Err(Problem::new(Code::StepNotFound, detail!("the game has {steps} steps", steps = game.steps)));
    }
    let (Some(first), present) = (game.setup.first.clone(), game.clone()) else { return Ok((game, None)) };
    (game.state, game.throws, game.steps, game.status) = (None, 0, 0, Status::Open);
    let mut edit = Edit::begin(id, game, engine);
    let first = edit.player(&first)?;
    edit.start_with(first);
    for step in steps.iter().take(usize::try_from(at).unwrap_or(usize::MAX)) {
        steps::repeat(&mut edit, step)?;
    }
    let mut then = edit.game;
    if at < present.steps {
        then.setup_mut().reopen();
    } else {
        then.status = present.status;
    }
    (then.version, then.events, then.updated_at) = (present.version, present.events, present.updated_at);
    then.deadline = None;
    Ok((then, edit.play))
}

/// Parses the id of a game in a path. Upper-case letters are allowed (RFC 9562, section 4). A text that is no id is
/// answered like an unknown id: 404.
pub(crate) fn game_id(text: &str) -> Result<GameId, Problem> {
    Game::named(text).map(|entity| entity.id)
}

fn next_path(query: &GamesQuery, limit: usize, cursor: &str) -> String {
    let mut path = format!("/v1/games?limit={limit}&cursor={cursor}");
    if let Some(status) = query.status {
        let word = serde_json::to_value(status).ok();
        path.push_str(&format!("&status={}", word.as_ref().and_then(|word| word.as_str()).unwrap_or_default()));
    }
    if let Some(rule_set) = &query.rule_set {
        // The rule set needs no escaping: a list has a next page only if the id is that of a rule set, which has only
        // letters, digits and hyphens.
        path.push_str(&format!("&rule_set={rule_set}"));
    }
    path
}
