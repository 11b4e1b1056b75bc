//! The friends of a player: requests, friendships, blocked players.
//!
//! A friendship is stored with both players, and no commit can change two players together. So a player who asks,
//! accepts or ends a friendship first changes the own entity, and puts a message for the other player into the outbox
//! in the same commit. The message is delivered a moment later, or by the regular check of the player if the process
//! dies before. Messages have numbers, and the receiver stores the number of the last message of each sender, so a
//! message that is delivered again has no effect. If two players act at the same moment, the end of a friendship wins
//! over its beginning.

use crate::error::{Code, Problem, detail};
use crate::model::event_kind::PlayerEventKind;
use crate::player::PlayerId;
use crate::player::circle::{MOST_BLOCKED, MOST_RELATIONS, Message, MessageKind, Relation, RelationKind};
use crate::player::edit::PlayerEdit;

impl PlayerEdit {
    fn relate(&mut self, player: PlayerId, kind: RelationKind, event: PlayerEventKind) -> Result<(), Problem> {
        let at = self.player.changed_at;
        self.player.circle.forget(player);
        self.player.circle.relations.push(Relation { player, kind, at });
        self.add_about(event, player)
    }

    fn send_message(&mut self, to: PlayerId, kind: MessageKind) {
        self.player.circle.send(to, kind);
        self.is_new_state = true;
    }

    /// Asks another player to be a friend, or accepts the request of the other player. Does nothing if this player has
    /// asked before, or if both are friends.
    ///
    /// # Errors
    /// Both players are the same; this player has blocked the other player; or this player has too many friends and
    /// requests.
    pub(crate) fn ask_friend(&mut self, other: PlayerId) -> Result<(), Problem> {
        if other == self.id {
            return Err(Problem::new(Code::NotAllowed, "nobody is a friend of themselves"));
        }
        if self.player.circle.has_blocked(other) {
            return Err(Problem::new(Code::NotAllowed, "the player has blocked this player"));
        }
        match self.player.circle.kind(other) {
            Some(RelationKind::Friend | RelationKind::Asks) => Ok(()),
            Some(RelationKind::AskedBy) => {
                self.relate(other, RelationKind::Friend, PlayerEventKind::FriendAdded)?;
                self.send_message(other, MessageKind::Accepts);
                Ok(())
            }
            None if self.player.circle.relations.len() >= MOST_RELATIONS => {
                let detail = detail!("the player has {most} friends and requests", most = MOST_RELATIONS);
                Err(Problem::new(Code::FriendsFull, detail))
            }
            None => {
                self.relate(other, RelationKind::Asks, PlayerEventKind::FriendsChanged)?;
                self.send_message(other, MessageKind::Asks);
                Ok(())
            }
        }
    }

    /// Ends a friendship, withdraws a request or declines it. Does nothing if there is nothing to end.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn end_friend(&mut self, other: PlayerId) -> Result<(), Problem> {
        if self.player.circle.forget(other) {
            self.send_message(other, MessageKind::Ends);
            self.add_about(PlayerEventKind::FriendsChanged, other)?;
        }
        Ok(())
    }

    /// Blocks another player, and ends a friendship with this player. Does nothing if the player is blocked already.
    ///
    /// # Errors
    /// Both players are the same, or too many players are blocked.
    pub(crate) fn block(&mut self, other: PlayerId) -> Result<(), Problem> {
        if other == self.id {
            return Err(Problem::new(Code::NotAllowed, "nobody blocks themselves"));
        }
        if self.player.circle.has_blocked(other) {
            return Ok(());
        }
        if self.player.circle.blocked.len() >= MOST_BLOCKED {
            let detail = detail!("the player has blocked {most} players", most = MOST_BLOCKED);
            return Err(Problem::new(Code::FriendsFull, detail));
        }
        if self.player.circle.forget(other) {
            self.send_message(other, MessageKind::Ends);
        }
        self.player.circle.blocked.push(other);
        self.add_of_block()
    }

    /// Lets a blocked player ask again. Does nothing if the player is not blocked.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn unblock(&mut self, other: PlayerId) -> Result<(), Problem> {
        if !self.player.circle.has_blocked(other) {
            return Ok(());
        }
        self.player.circle.blocked.retain(|blocked| *blocked != other);
        self.add_of_block()
    }

    /// Appends the event of a block, without the id of the blocked player. When a player is deleted, the id is erased
    /// from the events of players whom the deleted player knows or who block the deleted player. The events of a player
    /// who has lifted a block would not be found.
    fn add_of_block(&mut self) -> Result<(), Problem> {
        self.add(PlayerEventKind::FriendsChanged)
    }

    /// Takes a message of another player, unless this message or a later one of the sender was taken before.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn take_message(&mut self, from: PlayerId, number: u64, kind: MessageKind) -> Result<(), Problem> {
        if self.player.has_been_told(from, number) {
            return Ok(());
        }
        self.player.note_told(from, number);
        let circle = &self.player.circle;
        let (relation, is_full) = (circle.kind(from), circle.relations.len() >= MOST_RELATIONS);
        match (kind, relation) {
            (_, _) if circle.has_blocked(from) && kind != MessageKind::Ends => Ok(()),
            (MessageKind::Asks, None) if is_full => {
                self.send_message(from, MessageKind::Ends);
                Ok(())
            }
            (MessageKind::Asks, None) => self.relate(from, RelationKind::AskedBy, PlayerEventKind::FriendAsked),
            // Both have asked at the same moment, or the store has lost the sender's side of the friendship.
            (MessageKind::Asks, Some(RelationKind::Asks | RelationKind::Friend)) => {
                self.send_message(from, MessageKind::Accepts);
                self.become_friend(from)
            }
            (MessageKind::Accepts, Some(RelationKind::Asks | RelationKind::Friend)) => self.become_friend(from),
            // The request was withdrawn at the same moment.
            (MessageKind::Accepts, None) => {
                self.send_message(from, MessageKind::Ends);
                Ok(())
            }
            (MessageKind::Asks | MessageKind::Accepts, Some(RelationKind::AskedBy)) => Ok(()),
            (MessageKind::Ends, _) => {
                if self.player.circle.forget(from) {
                    self.add_about(PlayerEventKind::FriendsChanged, from)?;
                }
                Ok(())
            }
        }
    }

    fn become_friend(&mut self, other: PlayerId) -> Result<(), Problem> {
        if self.player.circle.is_friend(other) {
            return Ok(());
        }
        self.relate(other, RelationKind::Friend, PlayerEventKind::FriendAdded)
    }

    /// Forgets a player who was deleted. Returns whether the stored data named the player.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn forget_player(&mut self, other: PlayerId) -> Result<bool, Problem> {
        let circle = &mut self.player.circle;
        let is_related = circle.forget(other);
        let is_source = self.player.sources.iter().any(|source| source.id == other);
        let was_named = is_related || is_source || circle.named().any(|named| named == other);
        circle.blocked.retain(|blocked| *blocked != other);
        circle.outbox.retain(|message| message.to != other);
        self.player.sources.retain(|source| source.id != other);
        if is_related {
            // The event must not name a player who is being erased.
            self.add(PlayerEventKind::FriendsChanged)?;
        }
        Ok(was_named)
    }

    /// Removes a message that was delivered. If its receiver no longer exists, ends the relation, too. The event does
    /// not name the receiver, who may have been erased already.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn note_delivered(&mut self, number: u64, exists: bool) -> Result<(), Problem> {
        let circle = &mut self.player.circle;
        let Some(index) = circle.outbox.iter().position(|message| message.number == number) else { return Ok(()) };
        let Some(Message { to, .. }) = circle.outbox.remove(index) else { return Ok(()) };
        if !exists && circle.forget(to) {
            self.add(PlayerEventKind::FriendsChanged)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ground::token::Token;
    use crate::player::stored::Player;

    const ONE: PlayerId = Uuid::from_u128(1);
    const OTHER: PlayerId = Uuid::from_u128(2);

    /// Two players whose messages are delivered in an order that a test chooses.
    struct Pair([Player; 2]);

    impl Pair {
        fn new() -> Self {
            Self([0, 1].map(|_| Player::new(None, Token::new().unwrap().hash(), 0)))
        }

        fn act(&mut self, index: usize, act: impl Fn(&mut PlayerEdit) -> Result<(), Problem>) {
            let mut edit = PlayerEdit::begin([ONE, OTHER][index], self.0[index].clone(), 1_000);
            act(&mut edit).unwrap();
            self.0[index] = edit.player;
        }

        /// Delivers the oldest message of a player. With `again`, delivers it twice, as two processes may.
        fn deliver(&mut self, index: usize, again: bool) -> bool {
            let Some(message) = self.0[index].circle.outbox.front().cloned() else { return false };
            let from = [ONE, OTHER][index];
            for _ in 0..=usize::from(again) {
                self.act(1 - index, |edit| edit.take_message(from, message.number, message.kind));
            }
            self.act(index, |edit| edit.note_delivered(message.number, true));
            true
        }

        fn kinds(&self) -> [Option<RelationKind>; 2] {
            [self.0[0].circle.kind(OTHER), self.0[1].circle.kind(ONE)]
        }

        fn settle(&mut self, first: usize) {
            while self.deliver(first, false) || self.deliver(1 - first, false) {}
        }
    }

    #[test]
    fn a_friendship_is_mutual_after_it_was_accepted() {
        let mut pair = Pair::new();
        pair.act(0, |edit| edit.ask_friend(OTHER));
        assert!(pair.deliver(0, true));
        assert_eq!(pair.kinds(), [Some(RelationKind::Asks), Some(RelationKind::AskedBy)]);
        assert_eq!(pair.0[1].events, 1, "told once, although the message came twice");
        pair.act(1, |edit| edit.ask_friend(ONE));
        assert!(pair.deliver(1, true));
        assert_eq!(pair.kinds(), [Some(RelationKind::Friend); 2]);
        pair.act(0, |edit| edit.block(OTHER));
        pair.settle(0);
        assert_eq!(pair.kinds(), [None, None]);
        pair.act(1, |edit| edit.ask_friend(ONE));
        pair.settle(1);
        assert_eq!(pair.kinds(), [None, Some(RelationKind::Asks)], "a blocked player waits for an answer for ever");
    }

    /// Both act at the same moment, in every combination and order of delivery: in the end they agree.
    #[test]
    fn two_players_who_act_at_the_same_moment_agree_in_the_end() {
        type Act = fn(&mut PlayerEdit, PlayerId) -> Result<(), Problem>;
        let acts: [Act; 2] = [|edit, other| edit.ask_friend(other), |edit, other| edit.end_friend(other)];
        for before in 0..3 {
            for (one, other, first) in (0..8).map(|number| (number & 1, number >> 1 & 1, number >> 2)) {
                let mut pair = Pair::new();
                if before > 0 {
                    pair.act(0, |edit| edit.ask_friend(OTHER));
                    pair.settle(0);
                }
                if before > 1 {
                    pair.act(1, |edit| edit.ask_friend(ONE));
                    pair.settle(0);
                }
                pair.act(0, |edit| acts[one](edit, OTHER));
                pair.act(1, |edit| acts[other](edit, ONE));
                pair.settle(first);
                let [mine, theirs] = pair.kinds();
                let mirrored = match mine {
                    Some(RelationKind::Asks) => Some(RelationKind::AskedBy),
                    Some(RelationKind::AskedBy) => Some(RelationKind::Asks),
                    other => other,
                };
                assert_eq!(mirrored, theirs, "{before} {one} {other} {first}");
            }
        }
    }

    #[test]
    fn friends_and_requests_are_bounded() {
        let mut pair = Pair::new();
        for number in 0..MOST_RELATIONS as u128 {
            pair.act(0, |edit| edit.ask_friend(Uuid::from_u128(10 + number)));
        }
        let mut edit = PlayerEdit::begin(ONE, pair.0[0].clone(), 1_000);
        assert_eq!(edit.ask_friend(OTHER).unwrap_err().code, Code::FriendsFull);
        pair.0[0].circle.outbox.clear();
        pair.act(1, |edit| edit.ask_friend(ONE));
        pair.settle(1);
        assert_eq!(pair.kinds(), [None, None], "a request to a full circle is declined");
    }
}
