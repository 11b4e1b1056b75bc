//! A guest whom a registered player claims: the changes of the guest, of the player, and of the friends of the guest.

use crate::error::Problem;
use crate::player::PlayerId;
use crate::player::circle::{Relation, RelationKind};
use crate::player::edit::PlayerEdit;
use crate::player::event::PlayerEventKind;
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

    /// Takes over the friends, requests, blocked players and messages of a claimed guest. Does nothing if it was done
    /// before.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn take_guest(&mut self, id: PlayerId, guest: &Player) -> Result<(), Problem> {
        if self.player.claims.contains(&id) {
            return Ok(());
        }
        self.player.claims.push(id);
        let own = self.id;
        let circle = &mut self.player.circle;
        circle.relations.retain(|known| known.player != id);
        for relation in guest.circle.relations.iter().filter(|known| known.player != own) {
            match circle.relations.iter_mut().find(|known| known.player == relation.player) {
                Some(known) if known.kind == relation.kind => {}
                // Whoever has asked the one and was asked by the other is a friend of both.
                Some(known) => known.kind = RelationKind::Friend,
                None => circle.relations.push(relation.clone()),
            }
        }
        let blocked = guest.circle.blocked.iter().filter(|blocked| **blocked != own);
        let blocked: Vec<_> = blocked.filter(|blocked| !circle.has_blocked(**blocked)).copied().collect();
        circle.blocked.extend(blocked);
        for message in guest.circle.outbox.iter().filter(|message| message.to != own) {
            circle.send(message.to, message.kind);
            self.is_new_state = true;
        }
        // What the guest was told before need not be told once more.
        for source in guest.sources.iter().filter(|known| known.id != own && known.id != id) {
            if !self.player.has_been_told(source.id, source.told) {
                self.player.note_told(source.id, source.told);
            }
        }
        self.add_about(PlayerEventKind::GuestClaimed, id)
    }

    /// Replaces a claimed guest by the registered player among the friends, the requests and the messages that are not
    /// delivered yet.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn replace_friend(&mut self, guest: PlayerId, registered: PlayerId) -> Result<(), Problem> {
        let (own, circle) = (self.id, &mut self.player.circle);
        for message in circle.outbox.iter_mut().filter(|message| message.to == guest && own != registered) {
            message.to = registered;
            self.is_new_state = true;
        }
        let Some(index) = circle.relations.iter().position(|known| known.player == guest) else { return Ok(()) };
        let Relation { kind, at, .. } = circle.relations.remove(index);
        match circle.relations.iter_mut().find(|known| known.player == registered) {
            _ if own == registered => {}
            Some(known) if known.kind == kind => {}
            Some(known) => known.kind = RelationKind::Friend,
            None => circle.relations.push(Relation { player: registered, kind, at }),
        }
        self.add_about(PlayerEventKind::FriendsChanged, registered)
    }

    /// Replaces a claimed guest by the registered player among the blocked players. The event names neither, as with
    /// every block.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn replace_blocked(&mut self, guest: PlayerId, registered: PlayerId) -> Result<(), Problem> {
        let (own, blocked) = (self.id, &mut self.player.circle.blocked);
        if blocked.contains(&registered) || own == registered {
            blocked.retain(|known| *known != guest);
        } else if let Some(known) = blocked.iter_mut().find(|known| **known == guest) {
            *known = registered;
        } else {
            return Ok(());
        }
        self.add(PlayerEventKind::FriendsChanged)
    }
}
