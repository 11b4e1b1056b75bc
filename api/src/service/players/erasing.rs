//! Erases players who were deleted. The data of a player that others can see is erased: the name and the id are removed
//! from games, tables, groups, tournaments, and other players.
//!
//! The chips of the player go to the bank, after all games with stakes of the player are settled.
//!
//! No commit can change a player and all games of the player together. So the player is first marked as deleted; from
//! then on the player is not found. Then the games and groups are changed. A command that found the player a moment
//! before the mark may still name the player afterwards, so the search for the player is repeated. When nothing can
//! name the player, the store removes the player with all events. If the process dies in between, the regular check of
//! the player begins again: each step may be done several times.

use std::collections::BTreeSet;

use serde::Deserialize;
use uuid::Uuid;

use crate::bank::stored::ChipSource;
use crate::error::{Code, Problem, internal};
use crate::follow::EventHead;
use crate::game::edit::Edit;
use crate::game::erasing::without_player;
use crate::game::stored::{Game, tag_of_player, tag_of_watcher};
use crate::game::{GAME, GameId, entity as entity_of_game};
use crate::ground::text::DELETED_PLAYER;
use crate::group::event::copy_without_player;
use crate::group::{GroupId, entity as entity_of_group};
use crate::model::event_kind::EventKind;
use crate::player::edit::{JOINING, PlayerEdit};
use crate::player::stored::{Player, not_found, tag_of_blocked};
use crate::player::{PLAYER, PlayerId, entity};
use crate::service::Service;
use crate::service::reply::Reply;
use crate::service::schedule::FIRST_CHECK;
use crate::store::{Change, Commit, EntityId, Kind, RewrittenEvent, StoredEntity};
use crate::table::TABLE;
use crate::table::edit::TableEdit;
use crate::table::tags::tag_of_named;
use crate::tournament::TOURNAMENT;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::stored::tag_of_player as tag_in_tournaments;

/// Pause before the second search for a player who was deleted or claimed, in milliseconds.
pub(super) const FIRST_SEARCH: u64 = 1_000;

/// Number of events or games that are read at once.
const PAGE: usize = 500;

/// Time, in milliseconds, after a player was deleted or claimed, in which a command may still commit the name of the
/// player, because it has read the player before. It is longer than commands take once their body has arrived, also on
/// a slow store. The time in which a body may arrive is added to it.
const NAMING: u64 = 30_000;

/// A function that returns an event with the player erased; `None` if the event does not name the player.
pub(in crate::service) type Erasing = fn(&str, PlayerId) -> Result<Option<String>, Problem>;

/// The fields of a player's event that have ids of entities, which may name the player.
#[derive(Deserialize)]
struct InboxEvent {
    #[serde(default)]
    game_id: Option<GameId>,
    #[serde(default)]
    group_id: Option<GroupId>,
    #[serde(default)]
    player: Option<PlayerId>,
}

/// The games, groups and other players that may name a player.
#[derive(Debug, Default)]
pub(super) struct Traces {
    /// The games whose seats or events may name the player.
    pub games: BTreeSet<GameId>,
    /// The groups that may have copies of events that name the player.
    pub groups: BTreeSet<GroupId>,
    /// The players who are or were friends, or have asked or were asked, or have blocked the player.
    pub players: BTreeSet<PlayerId>,
}

impl Service {
    /// Erases the data of a deleted player that others can see, and then removes the player. If something may still
    /// name the player later, keeps the player and returns the time of the next check.
    pub(super) async fn erase_player(&self, stored: &StoredEntity, player: &Player) -> Result<Option<u64>, Problem> {
        let (id, began) = (stored.id.id, self.store.now());
        let Traces { games, mut groups, mut players } = self.traces_of(id, player).await?;
        // Events name a claimed guest by the id that the guest had.
        let ids: Vec<_> = player.claims.iter().copied().chain([id]).collect();
        for guest in &player.claims {
            players.extend(self.blocked_by(*guest).await?);
        }
        for game in games {
            groups.extend(self.erase_from_game(&ids, game).await?);
        }
        self.erase_from_tables(&ids).await?;
        for group in &groups {
            self.erase_from_events(entity_of_group(*group), &ids, copy_without_player, |_| false).await?;
        }
        for id in &ids {
            for friend in &players {
                self.erase_from_friend(*friend, *id).await?;
            }
            self.erase_from_tournaments(*id).await?;
        }
        self.remove_or_search_later(stored, player, began).await
    }

    /// Gives the chips of a player who is gone to the bank. Then removes the player, and makes the bank forget the
    /// player. If something may still name the player, or the player has stakes, removes nothing and returns the time
    /// of the next search. `began` is the time at which this search began, in milliseconds since 1970.
    pub(super) async fn remove_or_search_later(
        &self,
        stored: &StoredEntity,
        player: &Player,
        began: u64,
    ) -> Result<Option<u64>, Problem> {
        let now = self.store.now();
        if !self.release_chips(stored.id.id, player).await? {
            return Ok(Some(now + FIRST_CHECK));
        }
        let end = self.named_until(player);
        if began < end {
            // Most late commands are only a little late, so the searches become rarer: each pause is as long as the
            // time since the player was deleted or claimed.
            let pause = now.saturating_sub(player.changed_at).max(FIRST_SEARCH);
            return Ok(Some((now + pause).min(end).max(now)));
        }
        let next = self.remove(stored, player).await?;
        if next.is_none() {
            self.forget_source(ChipSource::Player { player: stored.id.id, created_at: player.created_at }).await?;
        }
        Ok(next)
    }

    /// Returns until when other commands may name a player who was deleted or claimed, in milliseconds since 1970.
    fn named_until(&self, player: &Player) -> u64 {
        let late = NAMING + self.bounds.patience_seconds.saturating_mul(1000);
        let joins_until = player.games.iter().map(|game| game.noted_at + JOINING);
        joins_until.fold(player.changed_at.saturating_add(late), u64::max)
    }

    /// Gives the chips of a player who is gone to the bank. Returns `false`, and gives nothing, while the player has
    /// stakes in games: the tables of these games decide where the stakes go.
    async fn release_chips(&self, id: PlayerId, player: &Player) -> Result<bool, Problem> {
        if !player.ledger.escrow.is_empty() {
            return Ok(false);
        }
        if player.ledger.issued > 0 || player.ledger.balance > 0 {
            self.credit_bank(ChipSource::Player { player: id, created_at: player.created_at }).await?;
        }
        Ok(true)
    }

    /// Deletes a player whose retention has passed. The player then leaves tables, and chips go to the bank, as those
    /// of every deleted player. Returns the time of the next check.
    pub(super) async fn retire_player(&self, stored: &StoredEntity) -> Result<Option<u64>, Problem> {
        let delete = |edit: &mut PlayerEdit| {
            if edit.version_before() != stored.version {
                // The player was changed a moment ago, and is kept.
                return Err(not_found());
            }
            edit.delete().map(|()| Reply::gone())
        };
        match self.change(None, stored.id, delete).await {
            Err(problem) if problem.code != Code::PlayerNotFound => Err(problem),
            _ => Ok(Some(self.store.now())),
        }
    }

    /// Erases a player from all tournaments in which the player is entered. The events of tournaments stay as they are,
    /// because they name entrants by number only.
    async fn erase_from_tournaments(&self, id: PlayerId) -> Result<(), Problem> {
        loop {
            let listed = self.store.list(TOURNAMENT, tag_in_tournaments(id), None, PAGE).await?;
            for tournament in &listed {
                let erase =
                    |edit: &mut TournamentEdit| edit.erase_player(id, DELETED_PLAYER).map(|()| Reply::default());
                match self.change(None, tournament.id, erase).await {
                    Err(problem) if problem.code != Code::TournamentNotFound => return Err(problem),
                    _ => {}
                }
            }
            // A tournament from which the player is erased no longer has the player's tag.
            if listed.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// Erases a player from the data of another player: from the friends, requests and blocked players, and from the
    /// inbox.
    pub(super) async fn erase_from_friend(&self, friend: PlayerId, player: PlayerId) -> Result<(), Problem> {
        let forget = |edit: &mut PlayerEdit| {
            if !edit.forget_player(player)? {
                // Nothing names the player: nothing is committed.
                return Err(not_found());
            }
            Ok(Reply::default())
        };
        match self.change(None, entity(friend), forget).await {
            Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
            _ => {}
        }
        self.erase_from_events(entity(friend), &[player], without_player, |_| false).await
    }

    /// Lists the entities that may name a player: the games and groups in the inbox, the games that the player is about
    /// to join, may watch or sits in, the friends and other players in the inbox, and those who have blocked the
    /// player.
    pub(super) async fn traces_of(&self, id: PlayerId, player: &Player) -> Result<Traces, Problem> {
        let mut traces = Traces {
            games: player.games.iter().map(|game| game.id).collect(),
            groups: player.games.iter().filter_map(|game| game.group).collect(),
            players: player.circle.named().collect(),
        };
        traces.players.extend(self.blocked_by(id).await?);
        let mut after = 0;
        loop {
            let (_, events) = self.store.entity_and_events(entity(id), after, PAGE).await?;
            for event in &events {
                let InboxEvent { game_id, group_id, player } = serde_json::from_slice(event).map_err(internal)?;
                traces.games.extend(game_id);
                traces.groups.extend(group_id);
                traces.players.extend(player);
            }
            after += events.len() as u64;
            if events.len() < PAGE {
                break;
            }
        }
        for tag in [tag_of_player(id, None), tag_of_watcher(id)] {
            traces.games.extend(self.listed(GAME, &tag).await?);
        }
        Ok(traces)
    }

    /// Lists the players who have blocked a player.
    pub(super) async fn blocked_by(&self, player: PlayerId) -> Result<Vec<PlayerId>, Problem> {
        self.listed(PLAYER, &tag_of_blocked(player)).await
    }

    /// Lists the ids of all entities of a kind that have a tag.
    pub(super) async fn listed(&self, kind: Kind, tag: &str) -> Result<Vec<Uuid>, Problem> {
        let (mut all, mut before) = (Vec::new(), None);
        loop {
            let listed = self.store.list(kind, tag.to_owned(), before, PAGE).await?;
            all.extend(listed.iter().map(|stored| stored.id.id));
            before = listed.last().map(|stored| stored.id.id);
            if listed.len() < PAGE {
                return Ok(all);
            }
        }
    }

    /// Erases a player from all tables that name the player. The last id is that of the player, the others are those of
    /// guests whom the player has claimed.
    async fn erase_from_tables(&self, ids: &[PlayerId]) -> Result<(), Problem> {
        let Some(player) = ids.last() else { return Ok(()) };
        loop {
            let listed = self.store.list(TABLE, tag_of_named(*player), None, PAGE).await?;
            for stored in &listed {
                let erase = |edit: &mut TableEdit| {
                    ids.iter().try_for_each(|player| edit.erase_player(*player)).map(|()| Reply::default())
                };
                match self.change(None, stored.id, erase).await {
                    Err(problem) if problem.code != Code::TableNotFound => return Err(problem),
                    _ => self.settle_table(stored.id.id).await?,
                }
                self.erase_from_events(stored.id, ids, without_player, |_| false).await?;
                // The table keeps the tag until its events are erased, so that another process finds the table if this
                // one dies.
                let forget = |edit: &mut TableEdit| {
                    edit.forget_visitors(ids);
                    Ok(Reply::default())
                };
                match self.change(None, stored.id, forget).await {
                    Err(problem) if problem.code != Code::TableNotFound => return Err(problem),
                    _ => {}
                }
            }
            // A table from which the player is erased no longer has the player's tag.
            if listed.len() < PAGE {
                return Ok(());
            }
        }
    }

    /// Erases a player from a game. Returns the group of the game, which has copies of the events.
    async fn erase_from_game(&self, ids: &[PlayerId], game: GameId) -> Result<Option<GroupId>, Problem> {
        let id = entity_of_game(game);
        let Some(stored) = self.store.entity(id).await? else { return Ok(None) };
        let setup = Game::read(&stored.snapshot)?.setup;
        if setup.seated_players().chain(setup.watchers.iter().copied()).any(|named| ids.contains(&named)) {
            let erase = |edit: &mut Edit| {
                ids.iter().try_for_each(|player| edit.erase_player(*player)).map(|()| Reply::default())
            };
            match self.change(None, id, erase).await {
                Err(problem) if problem.code != Code::GameNotFound => return Err(problem),
                _ => {}
            }
        }
        // Nobody joins a game that has started, so no later event names a player, unless a guest was claimed.
        let has_claims = ids.len() > 1;
        let is_last = |word: &str| !has_claims && EventKind::parse(word) == Some(EventKind::Started);
        self.erase_from_events(id, ids, without_player, is_last).await?;
        Ok(setup.group)
    }

    /// Erases players from the events of an entity, up to an event for whose word `ends` is true.
    pub(in crate::service) async fn erase_from_events(
        &self,
        id: EntityId,
        players: &[PlayerId],
        erasing: Erasing,
        ends: impl Fn(&str) -> bool,
    ) -> Result<(), Problem> {
        let mut after = 0;
        loop {
            let (_, events) = self.store.entity_and_events(id, after, PAGE).await?;
            let (mut rewritten, mut is_end) = (Vec::new(), events.len() < PAGE);
            for (number, event) in (after + 1..).zip(&events) {
                let mut erased = None;
                let text = str::from_utf8(event).map_err(internal)?;
                for player in players {
                    erased = erasing(erased.as_deref().unwrap_or(text), *player)?.or(erased);
                }
                if let Some(erased) = erased {
                    rewritten.push(RewrittenEvent { number, from: event.clone(), to: erased.into_bytes() });
                }
                is_end |= ends(&EventHead::read(event)?.event);
            }
            if !rewritten.is_empty() {
                self.store.commit(Commit::from(Change::Rewrite { id, events: rewritten })).await?;
            }
            if is_end {
                return Ok(());
            }
            after += events.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests;
