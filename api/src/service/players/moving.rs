//! Moves games, tables, tournaments and friends of a guest to the registered player who has claimed the guest.
//!
//! No commit can change a guest, the player and all their games together. So the guest is first marked as claimed; from
//! then on the token of the guest is revoked, and the guest is not found. Then every entity that names the guest is
//! changed by a commit of its own. A command that found the guest a moment before the mark may still name the guest
//! afterwards, so the search for the guest is repeated. When nothing can name the guest, the store removes the guest.
//! If the process dies in between, the regular check of the guest begins again: each step may be done several times.

use crate::error::{Code, Problem};
use crate::game::edit::Edit;
use crate::game::erasing::without_player;
use crate::game::stored::Game;
use crate::game::{GameId, entity as entity_of_game};
use crate::ground::text::DELETED_PLAYER;
use crate::group::event::copy_without_player;
use crate::group::{GroupId, entity as entity_of_group};
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;
use crate::player::{PlayerId, entity};
use crate::service::Service;
use crate::service::players::erasing::Traces;
use crate::service::reply::Reply;
use crate::store::EntityId;
use crate::table::TABLE;
use crate::table::edit::TableEdit;
use crate::table::tags::tag_of_named;
use crate::tournament::TOURNAMENT;
use crate::tournament::edit::TournamentEdit;
use crate::tournament::stored::tag_of_player as tag_in_tournaments;

/// Number of tables or tournaments that are read at once.
const PAGE: usize = 500;

impl Service {
    /// Moves everything of a claimed guest to the registered player, except the chips, which go to the bank: otherwise
    /// a player could collect the chips of many guests. Then removes the guest. If something may still name the guest
    /// later, keeps the guest and returns the time of the next check.
    pub(super) async fn move_guest(&self, guest: EntityId, to: PlayerId) -> Result<Option<u64>, Problem> {
        let (id, began) = (guest.id, self.store.now());
        // The messages of the guest are delivered before the registered player replaces the guest among the friends. A
        // message that cannot be delivered yet becomes a message of the registered player.
        let waiting = self.deliver_messages(id).await?;
        let Some(stored) = self.store.entity(guest).await? else { return Ok(None) };
        let (stored, guest) = (&stored, &Player::read_any(&stored.snapshot)?);
        let take = |edit: &mut PlayerEdit| edit.take_guest(id, guest, waiting).map(|()| Reply::default());
        match self.change(None, entity(to), take).await {
            // The registered player was deleted after the claim, so the guest is erased, too.
            Err(problem) if problem.code == Code::PlayerNotFound => return self.erase_player(stored, guest).await,
            Err(problem) => return Err(problem),
            Ok(_) => {}
        }
        let registered = self.store.entity(entity(to)).await?;
        let registered = registered.map(|stored| Player::read_any(&stored.snapshot)).transpose()?;
        for relation in &guest.circle.relations {
            let is_blocked = registered.as_ref().is_some_and(|player| player.circle.has_blocked(relation.player));
            self.replace_at_friend(relation.player, id, to, is_blocked).await?;
        }
        let Traces { games, mut groups, mut players } = self.traces_of(id, guest).await?;
        for game in games {
            if let Some(group) = self.move_in_game(id, to, game).await? {
                groups.remove(&group);
            }
        }
        // The data of the registered player does not name these groups and players, so a later deletion of the player
        // would not find them. The id of the guest is erased from them now.
        for group in groups {
            self.erase_from_events(entity_of_group(group), &[id], copy_without_player, |_| false).await?;
        }
        // Players who have blocked the guest now block the registered player.
        for other in self.blocked_by(id).await? {
            let replace = |edit: &mut PlayerEdit| edit.replace_blocked(id, to).map(|()| Reply::default());
            match self.change(None, entity(other), replace).await {
                Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
                _ => {}
            }
        }
        players.retain(|other| *other != to && !guest.circle.named().any(|named| named == *other));
        for other in players {
            self.erase_from_friend(other, id).await?;
        }
        self.move_at_tables(id, to).await?;
        self.move_in_tournaments(id, to).await?;
        self.remove_or_search_later(stored, guest, began).await
    }

    /// Replaces the guest by the registered player `to` in the data of a friend. If the friend is also a guest who was
    /// claimed, replaces the guest in the data of the player who has claimed the friend. `is_blocked`: the player `to`
    /// has blocked the friend.
    async fn replace_at_friend(
        &self,
        friend: PlayerId,
        guest: PlayerId,
        to: PlayerId,
        is_blocked: bool,
    ) -> Result<(), Problem> {
        let Some(stored) = self.store.entity(entity(friend)).await? else { return Ok(()) };
        let friend_player = Player::read_any(&stored.snapshot)?;
        let now = friend_player.claimed_by.unwrap_or(friend);
        if now != friend {
            // The player `to` knows the friend by the id of the claimed guest, so this id is replaced, too.
            let has_blocked = friend_player.circle.has_blocked(guest) || friend_player.circle.has_blocked(to);
            let replace =
                |edit: &mut PlayerEdit| edit.replace_friend(friend, now, has_blocked).map(|()| Reply::default());
            match self.change(None, entity(to), replace).await {
                Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
                _ => {}
            }
        }
        let replace = |edit: &mut PlayerEdit| edit.replace_friend(guest, to, is_blocked).map(|()| Reply::default());
        match self.change(None, entity(now), replace).await {
            Err(problem) if problem.code != Code::PlayerNotFound => Err(problem),
            _ => Ok(()),
        }
    }

    /// Moves the seat of a guest in a game to the player. Returns the group of the game if the player then has a seat
    /// in the game. A game that the guest has left no longer names the guest.
    async fn move_in_game(&self, guest: PlayerId, to: PlayerId, game: GameId) -> Result<Option<GroupId>, Problem> {
        let id = entity_of_game(game);
        let Some(stored) = self.store.entity(id).await? else { return Ok(None) };
        let setup = Game::read(&stored.snapshot)?.setup;
        if !setup.seated_players().chain(setup.watchers.iter().copied()).any(|seated| seated == guest) {
            let is_moved = setup.seated_players().any(|seated| seated == to);
            if !is_moved {
                self.erase_from_events(id, &[guest], without_player, |_| false).await?;
            }
            return Ok(setup.group.filter(|_| is_moved));
        }
        match self.note_game(to, game, setup.group).await {
            // If the player has too many games, the inbox gets no news of this game, but the list of games has it.
            Err(problem) if ![Code::GamesFull, Code::PlayerNotFound].contains(&problem.code) => return Err(problem),
            _ => {}
        }
        let put = |edit: &mut Edit| edit.move_player(guest, to).map(|()| Reply::default());
        match self.change(None, id, put).await {
            Err(problem) if problem.code != Code::GameNotFound => Err(problem),
            _ => Ok(setup.group),
        }
    }

    async fn move_at_tables(&self, guest: PlayerId, to: PlayerId) -> Result<(), Problem> {
        loop {
            let listed = self.store.list(TABLE, tag_of_named(guest), None, PAGE).await?;
            for stored in &listed {
                let put = |edit: &mut TableEdit| edit.move_player(guest, to).map(|()| Reply::default());
                match self.change(None, stored.id, put).await {
                    Err(problem) if problem.code != Code::TableNotFound => return Err(problem),
                    _ => self.settle_table(stored.id.id).await?,
                }
                self.copy_notices(stored.id.id).await?;
            }
            // A table from which the guest was moved no longer has the guest's tag.
            if listed.len() < PAGE {
                return Ok(());
            }
        }
    }

    async fn move_in_tournaments(&self, guest: PlayerId, to: PlayerId) -> Result<(), Problem> {
        loop {
            let listed = self.store.list(TOURNAMENT, tag_in_tournaments(guest), None, PAGE).await?;
            for stored in &listed {
                let put =
                    |edit: &mut TournamentEdit| edit.move_player(guest, to, DELETED_PLAYER).map(|()| Reply::default());
                match self.change(None, stored.id, put).await {
                    Err(problem) if problem.code != Code::TournamentNotFound => return Err(problem),
                    _ => {}
                }
            }
            if listed.len() < PAGE {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ground::token::Token;
    use crate::model::event_kind::PlayerEventKind;
    use crate::player::circle::RelationKind;
    use crate::service::call::CallPlayer;
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::on_both_stores;
    use crate::service::players::gather::tests::{process, sits_in_a_game};
    use crate::store::{Change, Commit, Store};

    #[test]
    fn a_claim_that_a_crash_interrupted_is_completed_by_the_check() {
        on_both_stores(async |store| {
            let (first, _closing) = process(&store);
            let (CallPlayer { id: guest, .. }, game) = sits_in_a_game(&first, &store).await;
            let (id, now) = (PlayerId::now_v7(), store.now());
            let player = Player { is_registered: true, ..Player::new(None, Token::new().unwrap().hash(), now) };
            let mut edit = PlayerEdit::begin(id, player, now);
            edit.add(PlayerEventKind::Created).unwrap();
            let (change, _) = edit.finish(&first, None).unwrap();
            store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            // The process dies after it has marked the guest as claimed.
            let claim = |edit: &mut PlayerEdit| edit.claim_for(id).map(|()| Reply::default());
            first.change(None, entity(guest), claim).await.unwrap();
            drop(first);
            let ((second, _two), (third, _three)) = (process(&store), process(&store));
            let (one, other) = tokio::join!(second.check_player(entity(guest)), third.check_player(entity(guest)));
            assert!(one.unwrap().is_some() && other.unwrap().is_some(), "the guest may just be about to join a game");
            let (stored, events) = store.entity_and_events(entity_of_game(game), 0, 99).await.unwrap();
            let setup = Game::read(&stored.unwrap().snapshot).unwrap().setup;
            assert_eq!((setup.seats[0].player, setup.seats[0].name.as_deref()), (Some(id), Some("Asha")));
            let events = String::from_utf8(events.concat()).unwrap();
            assert_eq!(events.matches("seat_claimed").count(), 1, "although two processes did it");
            let player = Player::read(&store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap();
            assert_eq!((player.claims, player.games.len()), (vec![guest], 1));
        });
    }

    #[test]
    fn a_request_that_a_crash_left_behind_is_delivered_once_by_the_check() {
        on_both_stores(async |store| {
            let (first, _closing) = process(&store);
            let (CallPlayer { id: one, .. }, _) = sits_in_a_game(&first, &store).await;
            let (CallPlayer { id: other, .. }, _) = sits_in_a_game(&first, &store).await;
            // The process dies after the commit, before it delivers the message.
            let stored = store.entity(entity(one)).await.unwrap().unwrap();
            let mut edit = PlayerEdit::open(&first, &stored).await.unwrap();
            edit.ask_friend(other).unwrap();
            let (change, _) = edit.finish(&first, None).unwrap();
            store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            drop(first);
            let ((second, _two), (third, _three)) = (process(&store), process(&store));
            let (one_check, other_check) =
                tokio::join!(second.check_player(entity(one)), third.check_player(entity(one)));
            assert!(one_check.is_ok() && other_check.is_ok());
            let read = async |id| Player::read(&store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap();
            assert_eq!(read(other).await.circle.relations.len(), 1);
            assert!(read(one).await.circle.outbox.is_empty());
            let (_, events) = store.entity_and_events(entity(other), 0, 99).await.unwrap();
            assert_eq!(String::from_utf8(events.concat()).unwrap().matches("friend_asked").count(), 1);
        });
    }
    /// Two guests act, and both are claimed before anything is delivered. In the end the registered players agree,
    /// whichever guest is checked first.
    #[test]
    fn two_claimed_guests_who_wrote_to_each_other_are_related_as_registered_players() {
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            let create = async |is_registered| {
                let (id, now) = (PlayerId::now_v7(), store.now());
                let player = Player { is_registered, ..Player::new(None, Token::new().unwrap().hash(), now) };
                write(&store, &service, PlayerEdit::begin(id, player, now)).await;
                id
            };
            let act = async |id, act: &dyn Fn(&mut PlayerEdit) -> Result<(), Problem>| {
                let stored = store.entity(entity(id)).await.unwrap().unwrap();
                let mut edit = PlayerEdit::open(&service, &stored).await.unwrap();
                act(&mut edit).unwrap();
                write(&store, &service, edit).await;
            };
            let read = async |id| Player::read_any(&store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap();
            let (asks, asked, friend) = (RelationKind::Asks, RelationKind::AskedBy, RelationKind::Friend);
            for (answers, expected) in [(false, (asks, asked)), (true, (friend, friend))] {
                for other_first in [false, true] {
                    let guests = [create(false).await, create(false).await];
                    let players = [create(true).await, create(true).await];
                    act(guests[0], &|edit| edit.ask_friend(guests[1])).await;
                    if answers {
                        act(guests[1], &|edit| edit.ask_friend(guests[0])).await;
                    }
                    for (guest, player) in guests.into_iter().zip(players) {
                        act(guest, &|edit| edit.claim_for(player)).await;
                    }
                    let order = if other_first { [guests[1], guests[0]] } else { guests };
                    for id in order.into_iter().chain(order).chain(players).chain(players).chain(order) {
                        service.check_player(entity(id)).await.unwrap();
                    }
                    let found = [read(players[0]).await.circle, read(players[1]).await.circle];
                    let related = found.each_ref().map(|circle| circle.relations.clone());
                    let kinds = (found[0].kind(players[1]), found[1].kind(players[0]));
                    assert_eq!(kinds, (Some(expected.0), Some(expected.1)), "{answers} {other_first}: {related:?}");
                    assert!(related.iter().all(|relations| relations.len() == 1), "{related:?}");
                    assert!(found.iter().all(|circle| circle.outbox.is_empty()), "{found:?}");
                }
            }
        });
    }

    async fn write(store: &Arc<dyn Store>, service: &Service, edit: PlayerEdit) {
        let (change, _) = edit.finish(service, None).unwrap();
        store.commit(Commit::from(Change::Entity(change))).await.unwrap();
    }
}
