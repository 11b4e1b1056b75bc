//! A group as it is stored.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, internal};
use crate::follow::Webhook;
use crate::game::GameId;
use crate::game::planned::PlannedGame;
use crate::game::terms::Status;
use crate::ground::token::{RevokedTokens, TokenHash};

/// The first byte of a snapshot: the number of its layout. The program refuses other layouts. After this byte comes
/// [`Group`] as MessagePack, with the fields in order and without names.
const LAYOUT: u8 = 1;

/// A group of games, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Group {
    /// The title of the group, for people.
    pub title: Option<String>,
    /// Whether the group and its games can be seen only with a token.
    pub private: bool,
    /// The hash of the owner's token.
    pub owner: TokenHash,
    /// The hash of the token of the invitation. Only a private group has one.
    pub invitation: Option<TokenHash>,
    /// The hashes of tokens that were revoked.
    pub revoked: RevokedTokens,
    /// The time of creation, in milliseconds since 1970.
    pub created_at: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// The version of the group. It grows by one with every commit.
    pub version: u64,
    /// Number of events of the group so far.
    pub events: u64,
    pub status: GroupStatus,
    /// The games of the group, in the order in which they were added.
    pub members: Vec<MemberGame>,
    /// The webhooks of the group. Their progress is not stored here, but beside the group.
    pub webhooks: Vec<Webhook>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum GroupStatus {
    /// Games can be added.
    Open,
    /// No more games will be added, and some games are not over.
    Complete,
    /// No more games will be added, and all games are over.
    Finished,
}

/// A game of a group.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct MemberGame {
    pub id: GameId,
    /// Number of the game's events that the group has copied.
    pub events: u64,
    /// The state of the game after the last copied event.
    pub standing: MemberState,
}

/// The state of a game of a group, after the last event that the group has copied.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum MemberState {
    /// The game has still to be created.
    Planned(Box<PlannedGame>),
    /// The game was created, and has this status.
    Created(Status),
    /// The game was deleted, or has expired.
    Removed,
}

impl MemberGame {
    /// Tells whether the game can have no more events.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.standing, MemberState::Created(Status::Finished) | MemberState::Removed)
    }
}

impl Group {
    /// Makes a new group, before its first commit. `now` is in milliseconds since 1970.
    pub(crate) fn new(title: Option<String>, owner: TokenHash, invitation: Option<TokenHash>, now: u64) -> Self {
        Self {
            title,
            private: invitation.is_some(),
            owner,
            invitation,
            revoked: RevokedTokens::default(),
            created_at: now,
            changed_at: now,
            version: 0,
            events: 0,
            status: GroupStatus::Open,
            members: Vec::new(),
            webhooks: Vec::new(),
        }
    }

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        match snapshot.split_first() {
            Some((&LAYOUT, rest)) => rmp_serde::from_slice(rest).map_err(internal),
            Some((layout, _)) => Err(internal(format!("a group has layout {layout}, this program reads {LAYOUT}"))),
            None => Err(internal("the snapshot of a group is empty")),
        }
    }

    /// Encodes the group as a snapshot.
    ///
    /// # Errors
    /// The group cannot be encoded, which its type makes impossible.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
        let mut snapshot = vec![LAYOUT];
        rmp_serde::encode::write(&mut snapshot, self).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// Finds a game of the group.
    pub(crate) fn member_mut(&mut self, id: GameId) -> Option<&mut MemberGame> {
        self.members.iter_mut().find(|member| member.id == id)
    }

    /// Lists the games that may have more events.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &MemberGame> {
        self.members.iter().filter(|member| !member.is_over())
    }

    /// Lists the games that have still to be created.
    pub(crate) fn planned(&self) -> Vec<GameId> {
        let planned = self.members.iter().filter(|member| matches!(member.standing, MemberState::Planned(_)));
        planned.map(|member| member.id).collect()
    }

    /// Notes that a token was revoked.
    pub(crate) fn revoke(&mut self, token: TokenHash) {
        self.revoked.add(token);
    }
}

/// Makes the problem for a group that does not exist, or that the caller may not see. Both cases have the same answer.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::GroupNotFound, "no group has this id, or it is private and the token does not belong to it")
}
