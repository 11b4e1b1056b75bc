//! The friends and blocked players of a player, as they are stored, and the messages between players.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;

/// Maximum number of friends and open requests of a player.
pub(crate) const MOST_RELATIONS: usize = 300;
/// Maximum number of players that a player has blocked.
pub(crate) const MOST_BLOCKED: usize = 300;

/// The relation of a player to another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RelationKind {
    /// The other player has asked to be a friend.
    AskedBy,
    /// The player has asked the other player.
    Asks,
    /// Both are friends.
    Friend,
}

/// A friend, or an open request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Relation {
    /// The other player.
    pub player: PlayerId,
    /// The relation to the other player.
    pub kind: RelationKind,
    /// The time at which the relation began, in milliseconds since 1970.
    pub at: u64,
}

/// The content of a message to another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MessageKind {
    /// The sender asks to be a friend.
    Asks,
    /// The sender accepts the request of the receiver.
    Accepts,
    /// The sender ends the friendship, withdraws the request or declines it.
    Ends,
}

/// A message to another player that is not delivered yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    /// The number of the message among the messages of the sender, from 1.
    pub number: u64,
    /// The receiver.
    pub to: PlayerId,
    /// The content of the message.
    pub kind: MessageKind,
}

/// The friends of a player, and the players that the player has blocked.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Circle {
    /// Friends and open requests, oldest first.
    pub relations: Vec<Relation>,
    pub blocked: Vec<PlayerId>,
    /// The messages that are not delivered yet, oldest first.
    pub outbox: VecDeque<Message>,
    /// Number of messages so far.
    pub sent: u64,
}

impl Circle {
    /// Returns the relation to another player; `None` if there is none.
    pub(crate) fn kind(&self, player: PlayerId) -> Option<RelationKind> {
        self.relations.iter().find(|relation| relation.player == player).map(|relation| relation.kind)
    }

    /// Tells whether another player is a friend.
    pub(crate) fn is_friend(&self, player: PlayerId) -> bool {
        self.kind(player) == Some(RelationKind::Friend)
    }

    /// Tells whether the player has blocked another player.
    pub(crate) fn has_blocked(&self, player: PlayerId) -> bool {
        self.blocked.contains(&player)
    }

    /// Lists all players whom the circle names.
    pub(crate) fn named(&self) -> impl Iterator<Item = PlayerId> {
        let related = self.relations.iter().map(|relation| relation.player);
        related.chain(self.blocked.iter().copied()).chain(self.outbox.iter().map(|message| message.to))
    }

    pub(super) fn send(&mut self, to: PlayerId, kind: MessageKind) {
        self.sent += 1;
        self.outbox.push_back(Message { number: self.sent, to, kind });
    }

    /// Removes the relation to another player. Returns whether there was one.
    pub(super) fn forget(&mut self, player: PlayerId) -> bool {
        let before = self.relations.len();
        self.relations.retain(|relation| relation.player != player);
        self.relations.len() < before
    }
}
