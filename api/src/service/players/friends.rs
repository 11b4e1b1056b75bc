//! Friends: requests, friendships, blocked players.

use futures_util::StreamExt;
use futures_util::stream::iter;

use crate::error::{Code, Problem};
use crate::ground::clock;
use crate::model::friends::{FriendList, FriendView};
use crate::player::circle::{Message, MessageKind, RelationKind};
use crate::player::edit::PlayerEdit;
use crate::player::stored::{Player, not_found};
use crate::player::{PlayerId, entity};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::players::access::{own, player_id, token};
use crate::service::reply::Reply;

/// Number of players that are read at the same time for their names.
const PLAYERS_AT_ONCE: usize = 32;

/// The result of an attempt to deliver a message.
enum MessageDelivery {
    /// The receiver has the message.
    Done,
    /// The receiver, who has this id, does not exist.
    NoReceiver(PlayerId),
    /// The message has to wait: its receiver is a guest who was claimed, and the registered player has not taken over
    /// the friends of the guest yet.
    Waits,
}

impl Service {
    /// Lists the friends of a player, the open requests, and the blocked players.
    ///
    /// # Errors
    /// The caller is not the player.
    pub(crate) async fn list_friends(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let stored = self.store.entity(entity(player_id(id)?)).await?.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        own(&player, call)?;
        Ok(Reply::ok(&self.friends_of(&player).await?)?.at_version(player.version))
    }

    /// Returns the friends of a player with their names, the open requests, and the blocked players.
    pub(super) async fn friends_of(&self, player: &Player) -> Result<FriendList, Problem> {
        let read = iter(player.circle.relations.iter().map(async |relation| {
            let name =
                self.store.entity(entity(relation.player)).await?.map(|stored| Player::read_any(&stored.snapshot));
            let friend = name.transpose()?.filter(|friend| !friend.is_gone());
            let view = |friend: Player| FriendView {
                player: relation.player,
                name: friend.name,
                since: clock::at(relation.at),
            };
            Ok::<_, Problem>(friend.map(|friend| (relation.kind, view(friend))))
        }));
        let (mut list, mut read) = (FriendList::default(), read.buffered(PLAYERS_AT_ONCE));
        while let Some(relation) = read.next().await {
            // A friend who was deleted a moment ago is left out.
            let Some((kind, view)) = relation? else { continue };
            match kind {
                RelationKind::Friend => list.friends.push(view),
                RelationKind::AskedBy => list.requests.push(view),
                RelationKind::Asks => list.asked.push(view),
            }
        }
        list.blocked.clone_from(&player.circle.blocked);
        Ok(list)
    }

    /// Asks another player to be a friend, or accepts the request of the other player.
    ///
    /// # Errors
    /// The caller is not the player, there is no such other player, or too many requests were sent.
    pub(crate) async fn ask_friend(&self, call: &Call, body: &[u8], id: &str, other: &str) -> Result<Reply, Problem> {
        token(call)?;
        let (id, idempotency) = (player_id(id)?, IdempotentRequest::of(call, body)?);
        let (stored, answer) = self.entity_and_reply(entity(id), call, body).await?;
        if let Some(answer) = answer {
            return Ok(answer);
        }
        // The caller is checked before the other player is read, so nobody else finds out whether that player exists.
        let stored = stored.ok_or_else(not_found)?;
        let player = Player::read(&stored.snapshot)?;
        own(&player, call)?;
        let other = player_id(other)?;
        let is_new = player.circle.kind(other).is_none();
        if other != id && !player.circle.has_blocked(other) {
            self.check_reachable(other, id).await?;
        }
        if is_new {
            self.meter.invite(id)?;
        }
        let ask = |edit: &mut PlayerEdit| {
            own(&edit.player, call)?;
            check_seen(edit, call)?;
            edit.ask_friend(other)?;
            Ok(Reply::done(edit.player.version))
        };
        self.change(idempotency, entity(id), ask).await
    }

    /// Ends a friendship, withdraws a request or declines it.
    ///
    /// # Errors
    /// The caller is not the player.
    pub(crate) async fn end_friend(&self, call: &Call, id: &str, other: &str) -> Result<Reply, Problem> {
        self.change_circle(call, id, other, PlayerEdit::end_friend).await
    }

    /// Blocks another player. It does not matter whether this player exists.
    ///
    /// # Errors
    /// The caller is not the player, or has blocked too many players.
    pub(crate) async fn block_player(&self, call: &Call, id: &str, other: &str) -> Result<Reply, Problem> {
        self.change_circle(call, id, other, PlayerEdit::block).await
    }

    /// Lets a blocked player ask again.
    ///
    /// # Errors
    /// The caller is not the player.
    pub(crate) async fn unblock_player(&self, call: &Call, id: &str, other: &str) -> Result<Reply, Problem> {
        self.change_circle(call, id, other, PlayerEdit::unblock).await
    }

    async fn change_circle(
        &self,
        call: &Call,
        id: &str,
        other: &str,
        act: impl Fn(&mut PlayerEdit, PlayerId) -> Result<(), Problem>,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let (id, other) = (player_id(id)?, player_id(other)?);
        let change = |edit: &mut PlayerEdit| {
            own(&edit.player, call)?;
            check_seen(edit, call)?;
            act(edit, other)?;
            Ok(Reply::done(edit.player.version))
        };
        self.change(None, entity(id), change).await
    }

    /// Checks that a player exists and has not blocked the caller. Both cases have the same answer, so a blocked player
    /// finds out nothing.
    ///
    /// # Errors
    /// 404 if the caller cannot reach the player.
    pub(in crate::service) async fn check_reachable(&self, other: PlayerId, caller: PlayerId) -> Result<(), Problem> {
        self.reachable_player(other, Some(caller)).await.map(drop)
    }

    /// Tells whether one of two players has blocked the other one.
    pub(in crate::service) async fn avoid_each_other(&self, one: PlayerId, other: PlayerId) -> Result<bool, Problem> {
        for (player, other) in [(one, other), (other, one)] {
            let Some(stored) = self.store.entity(entity(player)).await? else { continue };
            if Player::read_any(&stored.snapshot)?.circle.has_blocked(other) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells whether two players are friends.
    pub(in crate::service) async fn are_friends(&self, one: PlayerId, other: PlayerId) -> Result<bool, Problem> {
        let Some(stored) = self.store.entity(entity(one)).await? else { return Ok(false) };
        let player = Player::read_any(&stored.snapshot)?;
        Ok(!player.is_gone() && player.circle.is_friend(other) && !player.circle.has_blocked(other))
    }

    /// Delivers the messages of a player to other players, oldest first. Stops at a message to a guest who was claimed
    /// a moment ago, until the registered player has taken over the friends of the guest. Returns the number of this
    /// message; `None` if all messages were delivered.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn deliver_messages(&self, from: PlayerId) -> Result<Option<u64>, Problem> {
        let Some(stored) = self.store.entity(entity(from)).await? else { return Ok(None) };
        let player = Player::read_any(&stored.snapshot)?;
        for Message { number, to, kind } in player.circle.outbox.iter().cloned() {
            let gone = match self.deliver_message(from, number, to, kind).await? {
                MessageDelivery::Done => None,
                MessageDelivery::NoReceiver(gone) => Some(gone),
                MessageDelivery::Waits => return Ok(Some(number)),
            };
            let note = |edit: &mut PlayerEdit| edit.note_delivered(number, gone.is_none()).map(|()| Reply::default());
            match self.change(None, entity(from), note).await {
                Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
                _ => {}
            }
            if let Some(gone) = gone {
                // The deletion of the receiver does not find the sender, because the message never came. So the
                // receiver is erased from the data of the sender here.
                self.erase_from_friend(from, gone).await?;
            }
        }
        Ok(None)
    }

    /// Delivers a message, unless it was delivered before.
    async fn deliver_message(
        &self,
        from: PlayerId,
        number: u64,
        to: PlayerId,
        kind: MessageKind,
    ) -> Result<MessageDelivery, Problem> {
        let Some(stored) = self.store.entity(entity(to)).await? else { return Ok(MessageDelivery::NoReceiver(to)) };
        let (mut to, mut receiver) = (to, Player::read_any(&stored.snapshot)?);
        if let Some(registered) = receiver.claimed_by {
            if registered == from {
                // The guest was claimed by the sender, and nobody is a friend of themselves. The message is dropped.
                return Ok(MessageDelivery::Done);
            }
            let stored = self.store.entity(entity(registered)).await?;
            let claimer = stored.map(|stored| Player::read_any(&stored.snapshot)).transpose()?;
            let Some(claimer) = claimer.filter(|claimer| !claimer.is_gone()) else {
                return Ok(MessageDelivery::NoReceiver(to));
            };
            if !claimer.claims.contains(&to) {
                return Ok(MessageDelivery::Waits);
            }
            // The sender may have written to the guest after the guest was replaced among the sender's friends.
            let replace = |edit: &mut PlayerEdit| {
                edit.replace_friend(to, registered, claimer.circle.has_blocked(from)).map(|()| Reply::default())
            };
            match self.change(None, entity(from), replace).await {
                Err(problem) if problem.code != Code::PlayerNotFound => return Err(problem),
                _ => (to, receiver) = (registered, claimer),
            }
        }
        if receiver.is_gone() {
            return Ok(MessageDelivery::NoReceiver(to));
        }
        if receiver.has_been_told(from, number) {
            return Ok(MessageDelivery::Done);
        }
        let take = |edit: &mut PlayerEdit| edit.take_message(from, number, kind).map(|()| Reply::default());
        match self.change(None, entity(to), take).await {
            Err(problem) if problem.code == Code::PlayerNotFound => Ok(MessageDelivery::NoReceiver(to)),
            Err(problem) => Err(problem),
            Ok(_) => Ok(MessageDelivery::Done),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::token::Token;
    use crate::model::event_kind::PlayerEventKind;
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::on_both_stores;
    use crate::service::players::gather::tests::process;
    use crate::store::{Change, Commit};

    type Act = fn(&mut PlayerEdit, PlayerId) -> Result<(), Problem>;
    /// Acts of a guest (`true`) and of a friend (`false`), in their order.
    type Acts = &'static [(bool, Act)];

    /// A friend and a guest act, and the guest is claimed, before anything is delivered. In the end the friend and the
    /// registered player agree, whichever player is checked first.
    #[test]
    fn messages_to_and_from_a_guest_who_was_just_claimed_come_to_the_registered_player() {
        const ASK: Act = |edit, other| edit.ask_friend(other);
        const END: Act = |edit, other| edit.end_friend(other);
        let (both, none) = (Some(RelationKind::Friend), None);
        // Each story: the acts before the claim, whose messages are delivered; the acts at the time of the claim; and
        // the relation of the friend to the registered player at the end.
        let stories: [(Acts, Acts, Option<RelationKind>); 6] = [
            (&[(true, ASK)], &[(false, ASK)], both),
            (&[(true, ASK)], &[(false, END)], none),
            (&[(true, ASK), (false, ASK)], &[(false, END)], none),
            (&[], &[(true, ASK)], Some(RelationKind::AskedBy)),
            (&[], &[(true, ASK), (false, ASK)], both),
            (&[(false, ASK)], &[(true, ASK)], both),
        ];
        on_both_stores(async |store| {
            let (service, _closing) = process(&store);
            let read = async |id| Player::read_any(&store.entity(entity(id)).await.unwrap().unwrap().snapshot).unwrap();
            let create = async |is_registered| {
                let (id, now) = (PlayerId::now_v7(), store.now());
                let player = Player { is_registered, ..Player::new(None, Token::new().unwrap().hash(), now) };
                let mut edit = PlayerEdit::begin(id, player, now);
                edit.add(PlayerEventKind::Created).unwrap();
                let (change, _) = edit.finish(&service, None).unwrap();
                store.commit(Commit::from(Change::Entity(change))).await.unwrap();
                id
            };
            // Changes a player as a process does that dies before it delivers the messages.
            let act = async |id, other, act: Act| {
                let stored = store.entity(entity(id)).await.unwrap().unwrap();
                let mut edit = PlayerEdit::open(&service, &stored).await.unwrap();
                act(&mut edit, other).unwrap();
                let (change, _) = edit.finish(&service, None).unwrap();
                store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            };
            for (number, (before, after, expected)) in stories.into_iter().enumerate() {
                for friend_first in [true, false] {
                    let (friend, guest, registered) = (create(false).await, create(false).await, create(true).await);
                    let one = |by_guest: bool| if by_guest { (guest, friend) } else { (friend, guest) };
                    for (by_guest, acts) in before {
                        act(one(*by_guest).0, one(*by_guest).1, *acts).await;
                        assert_eq!(service.deliver_messages(one(*by_guest).0).await.unwrap(), None);
                    }
                    for (by_guest, acts) in after {
                        act(one(*by_guest).0, one(*by_guest).1, *acts).await;
                    }
                    act(guest, registered, |edit, registered| edit.claim_for(registered)).await;
                    if friend_first {
                        let has_messages = !read(friend).await.circle.outbox.is_empty();
                        let next = service.check_player(entity(friend)).await.unwrap();
                        assert_eq!(next.is_some(), has_messages, "a player whose message waits is checked again");
                    }
                    service.check_player(entity(guest)).await.unwrap();
                    for id in [friend, registered, friend] {
                        service.check_player(entity(id)).await.unwrap();
                    }
                    let (one, other) = (read(friend).await.circle, read(registered).await.circle);
                    let mirrored = match expected {
                        Some(RelationKind::AskedBy) => Some(RelationKind::Asks),
                        other => other,
                    };
                    let found = (one.kind(registered), other.kind(friend));
                    assert_eq!(found, (expected, mirrored), "{number} {friend_first}");
                    assert!(one.kind(guest).is_none() && one.outbox.is_empty() && other.outbox.is_empty());
                }
            }
        });
    }
}
