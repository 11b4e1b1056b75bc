//! A guest whom a registered player claims: the changes of the guest, of the player, and of the friends of the guest.

use crate::error::Problem;
use crate::model::event_kind::PlayerEventKind;
use crate::player::PlayerId;
use crate::player::circle::{Message, MessageKind, Relation, RelationKind};
use crate::player::edit::PlayerEdit;
use crate::player::stored::Player;

impl PlayerEdit {
    /// Marks a guest as claimed by a registered player. The guest may stay for some minutes, but without a name.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn claim_for(&mut self, registered: PlayerId) -> Result<(), Problem> {
        (self.player.name, self.player.claimed_by) = (None, Some(registered));
        self.player.webhooks.clear();
        self.is_new_state = true;
        self.add(PlayerEventKind::TokenChanged)
    }

    /// Takes over the friends, requests and blocked players of a claimed guest, and the undelivered messages: those of
    /// the guest's outbox whose number is at least `waiting`; none if `waiting` is `None`. Does nothing if this player
    /// has claimed the guest before.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn take_guest(&mut self, id: PlayerId, guest: &Player, waiting: Option<u64>) -> Result<(), Problem> {
        if self.player.claims.contains(&id) {
            return Ok(());
        }
        self.player.claims.push(id);
        let own = self.id;
        let circle = &mut self.player.circle;
        circle.relations.retain(|relation| relation.player != id);
        for relation in guest.circle.relations.iter().filter(|relation| relation.player != own) {
            match circle.relations.iter_mut().find(|own_relation| own_relation.player == relation.player) {
                Some(own_relation) if own_relation.kind == relation.kind => {}
                // Guest and player have different relations to this third player, who is a friend of one of them, or
                // has a request from one and has sent a request to the other. In each case, the player and the third
                // one become friends.
                Some(own_relation) => own_relation.kind = RelationKind::Friend,
                None => circle.relations.push(relation.clone()),
            }
        }
        let blocked = guest.circle.blocked.iter().filter(|blocked| **blocked != own);
        let blocked: Vec<_> = blocked.filter(|blocked| !circle.has_blocked(**blocked)).copied().collect();
        circle.blocked.extend(blocked);
        // A blocked player is not a friend. The guest may have blocked a friend of the player, or the other way round.
        let ended: Vec<_> = circle.blocked.iter().copied().filter(|blocked| circle.kind(*blocked).is_some()).collect();
        for blocked in ended {
            circle.forget(blocked);
            circle.send(blocked, MessageKind::Ends);
            self.is_new_state = true;
        }
        let waits = |message: &&Message| waiting.is_some_and(|first| message.number >= first) && message.to != own;
        for message in guest.circle.outbox.iter().filter(waits) {
            circle.send(message.to, message.kind);
            self.is_new_state = true;
        }
        // The player does not get notices and messages that the guest has got before.
        for source in guest.sources.iter().filter(|source| source.id != own && source.id != id) {
            if !self.player.has_been_told(source.id, source.told) {
                self.player.note_told(source.id, source.told);
            }
        }
        self.add_about(PlayerEventKind::GuestClaimed, id)
    }

    /// Replaces a claimed guest by the registered player in the friends, requests and undelivered messages of this
    /// player. If this player or the registered player has blocked the other one, their friendship ends. `is_blocked`:
    /// the registered player has blocked this player.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn replace_friend(
        &mut self,
        guest: PlayerId,
        registered: PlayerId,
        is_blocked: bool,
    ) -> Result<(), Problem> {
        let (own, circle) = (self.id, &mut self.player.circle);
        for message in circle.outbox.iter_mut().filter(|message| message.to == guest && own != registered) {
            message.to = registered;
            self.is_new_state = true;
        }
        let Some(index) = circle.relations.iter().position(|relation| relation.player == guest) else { return Ok(()) };
        let Relation { kind, at, .. } = circle.relations.remove(index);
        if is_blocked || circle.has_blocked(registered) || circle.has_blocked(guest) {
            if !is_blocked {
                circle.send(registered, MessageKind::Ends);
                self.is_new_state = true;
            }
            return self.add(PlayerEventKind::FriendsChanged);
        }
        match circle.relations.iter_mut().find(|relation| relation.player == registered) {
            _ if own == registered => {}
            Some(relation) if relation.kind == kind => {}
            Some(relation) => relation.kind = RelationKind::Friend,
            None => circle.relations.push(Relation { player: registered, kind, at }),
        }
        self.add_about(PlayerEventKind::FriendsChanged, registered)
    }

    /// Replaces a claimed guest by the registered player in the list of blocked players, and ends a friendship with the
    /// registered player. The event does not name them, as no event of a block names the blocked player.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn replace_blocked(&mut self, guest: PlayerId, registered: PlayerId) -> Result<(), Problem> {
        let (own, blocked) = (self.id, &mut self.player.circle.blocked);
        if blocked.contains(&registered) || own == registered {
            blocked.retain(|id| *id != guest);
        } else if let Some(id) = blocked.iter_mut().find(|id| **id == guest) {
            *id = registered;
        } else {
            return Ok(());
        }
        if self.player.circle.forget(registered) {
            self.player.circle.send(registered, MessageKind::Ends);
            self.is_new_state = true;
        }
        self.add(PlayerEventKind::FriendsChanged)
    }
}
