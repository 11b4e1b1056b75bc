//! A player as it is stored.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::follow::Webhook;
use crate::game::GameId;
use crate::ground::token::{RevokedTokens, TokenHash};
use crate::player::PlayerId;
use crate::player::circle::Circle;
use crate::player::ledger::Ledger;
use crate::score::career::{Career, SeasonCareer};
use crate::store::BoardLine;

/// The first byte of a snapshot: the number of its layout. The program refuses other layouts. After this byte comes
/// [`Player`] as MessagePack, with the fields in order and without names.
const LAYOUT: u8 = 2;

/// Maximum number of entries in [`Player::sources`]. The entry that was not changed for the longest time is dropped.
const MOST_SOURCES: usize = 128;

/// A player, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Player {
    /// The name of the player, for people.
    pub name: Option<String>,
    /// The hash of the player's token.
    pub token: TokenHash,
    /// The hashes of tokens that were revoked.
    pub revoked: RevokedTokens,
    /// The time of creation, in milliseconds since 1970.
    pub created_at: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// The version of the player. It grows by one with every commit.
    pub version: u64,
    /// Number of events of the player so far.
    pub events: u64,
    /// The webhooks of the player. Their progress is not stored here, but beside the player.
    pub webhooks: Vec<Webhook>,
    /// The games whose news go into the inbox: those that the player has joined, or is about to join, and that are not
    /// over.
    #[serde(default)]
    pub games: Vec<InboxGame>,
    /// Whether the player was deleted. The data that others can see is then being erased, and after that the player is
    /// removed from the store.
    #[serde(default)]
    pub is_deleted: bool,
    /// Whether an identity provider names the player. Otherwise, the player is a guest.
    #[serde(default)]
    pub is_registered: bool,
    /// The tables and players that sent the inbox a notice or message, at most [`MOST_SOURCES`], the latest one last.
    #[serde(default)]
    pub sources: Vec<InboxSource>,
    /// The chips of the player.
    pub ledger: Ledger,
    /// The results of the player in competitive games.
    pub career: Career,
    /// The friends of the player, and the blocked players.
    #[serde(default)]
    pub circle: Circle,
    /// The registered player who has claimed this guest. The data of the guest is then being moved, and after that the
    /// guest is removed from the store.
    #[serde(default)]
    pub claimed_by: Option<PlayerId>,
    /// The guests that this registered player has claimed.
    #[serde(default)]
    pub claims: Vec<PlayerId>,
}

/// A table or player that has sent a notice or message to the inbox of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InboxSource {
    /// The id of the table or player.
    pub id: Uuid,
    /// The number of the last notice or message of the source in the inbox.
    pub told: u64,
}

/// A game whose news go into the inbox of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InboxGame {
    pub id: GameId,
    /// Number of the game's events that were read for the inbox.
    pub read: u64,
    /// The seat of the player after the events that were read; `None` if the player had none.
    pub seat: Option<String>,
    /// The id of the game's group; `None` if the game belongs to no group.
    pub group: Option<Uuid>,
    /// Whether the player had given up the seat after these events.
    pub gave_up: bool,
    /// The time of the last note that the player is about to join the game, in milliseconds since 1970.
    pub noted_at: u64,
}

impl Player {
    /// Makes a new player, before the first commit. `now` is in milliseconds since 1970.
    pub(crate) fn new(name: Option<String>, token: TokenHash, now: u64) -> Self {
        Self {
            name,
            token,
            revoked: RevokedTokens::default(),
            created_at: now,
            changed_at: now,
            version: 0,
            events: 0,
            webhooks: Vec::new(),
            games: Vec::new(),
            is_deleted: false,
            is_registered: false,
            sources: Vec::new(),
            ledger: Ledger::default(),
            career: Career::default(),
            circle: Circle::default(),
            claimed_by: None,
            claims: Vec::new(),
        }
    }

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// 404 if the player was deleted or claimed; the bytes are damaged, or have another layout.
    pub(crate) fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        let player = Self::read_any(snapshot)?;
        if player.is_gone() { Err(not_found()) } else { Ok(player) }
    }

    /// Decodes a snapshot, also that of a player who was deleted or claimed.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read_any(snapshot: &[u8]) -> Result<Self, Problem> {
        match snapshot.split_first() {
            Some((&LAYOUT, rest)) => rmp_serde::from_slice(rest).map_err(internal),
            Some((layout, _)) => Err(internal(format!("a player has layout {layout}, this program reads {LAYOUT}"))),
            None => Err(internal("the snapshot of a player is empty")),
        }
    }

    /// Encodes the player as a snapshot.
    ///
    /// # Errors
    /// The player cannot be encoded, which its type makes impossible.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
        let mut snapshot = vec![LAYOUT];
        rmp_serde::encode::write(&mut snapshot, self).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// Returns the tags of the player: one for each blocked player, and the lines of a registered player on
    /// leaderboards. Deleted players have none.
    pub(crate) fn tags(&self) -> Vec<String> {
        if self.is_deleted {
            return Vec::new();
        }
        let mut tags: Vec<_> = self.circle.blocked.iter().map(|player| tag_of_blocked(*player)).collect();
        if !self.is_registered {
            return tags;
        }
        let label = self.name.as_deref().unwrap_or_default();
        for record in &self.career.records {
            tags.extend(line(leaderboard(&record.rule_set, None), record.experience, label));
            for SeasonCareer { season, experience } in &record.seasons {
                tags.extend(line(leaderboard(&record.rule_set, Some(season)), *experience, label));
            }
        }
        tags
    }

    /// Tells whether the player was deleted, or was a guest whom a registered player has claimed.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_deleted || self.claimed_by.is_some()
    }

    /// Tells whether the player has the notice of a table, or the message of a player, with this number.
    pub(crate) fn has_been_told(&self, source: Uuid, number: u64) -> bool {
        self.sources.iter().any(|copied| copied.id == source && copied.told >= number)
    }

    /// Notes that the player has the notice or message of a source with this number.
    pub(crate) fn note_told(&mut self, source: Uuid, number: u64) {
        self.sources.retain(|copied| copied.id != source);
        if self.sources.len() == MOST_SOURCES {
            self.sources.remove(0);
        }
        self.sources.push(InboxSource { id: source, told: number });
    }

    /// Replaces the token by a new one, and notes that the old one was revoked.
    pub(crate) fn renew(&mut self, token: TokenHash) {
        self.revoked.add(std::mem::replace(&mut self.token, token));
    }
}

/// Returns the tag of players who have blocked this player.
pub(crate) fn tag_of_blocked(player: Uuid) -> String {
    format!("blocks/{}", player.simple())
}

/// Returns the name of the leaderboard of a rule set, for one season or, without a season, for all times.
pub(crate) fn leaderboard(rule_set: &str, season: Option<&str>) -> String {
    format!("{rule_set}/{}", season.unwrap_or_default())
}

/// Returns the tag that puts a player on a leaderboard; `None` if the player has no experience there.
fn line(board: String, experience: u64, label: &str) -> Option<String> {
    let score = u32::try_from(experience).unwrap_or(u32::MAX);
    (score > 0).then(|| BoardLine { board, score, label: label.to_owned() }.to_tag())
}

/// Makes the problem for a player who does not exist, or no longer exists.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::PlayerNotFound, "no player has this id")
}
