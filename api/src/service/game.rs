//! A game as it is stored: who plays by which rules, and the state in its compact encoding.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use pagade_rules::bundled::SETS;
use serde::{Deserialize, Serialize};

use crate::conventions::token::TokenHash;
use crate::dice::{self, Dice};
use crate::error::{Problem, internal};
use crate::model::game::{DiceHolder, GameStatus, OptionValue, RuleSetRef, SeedBy, TurnTimer};

/// Version of the layout of snapshots, their first byte: MessagePack of [`Game`] follows, fields in order without names.
/// A snapshot of another one is refused.
const LAYOUT: u8 = 4;

/// A game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Game {
    /// Grows by one with every commit.
    pub version: u64,
    /// Where it is in its life.
    pub status: GameStatus,
    /// Name for people.
    pub title: Option<String>,
    /// The rules it is pinned to.
    pub rule_set: RuleSetRef,
    /// The options that were chosen; the rules know the defaults.
    pub options: BTreeMap<String, OptionValue>,
    /// Who throws.
    pub dice: DiceHolder,
    /// What chance is drawn from.
    pub seed: String,
    /// Who chose it.
    pub seed_by: SeedBy,
    /// Not for everyone.
    pub private: bool,
    /// The owner plays every seat.
    pub hot_seat: bool,
    /// When it was created.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
    /// The owner's token.
    pub owner: TokenHash,
    /// The token to see and join a private game.
    pub invitation: Option<TokenHash>,
    /// The seats that play, in the order of travel.
    pub seats: Vec<SeatRecord>,
    /// Who begins, once it was started.
    pub first: Option<String>,
    /// Throws so far.
    pub throws: u64,
    /// Throws and actions so far.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
    /// The state, encoded, in hexadecimal; none before the start.
    pub state: Option<String>,
    /// How long a decision may take.
    #[serde(default)]
    pub timer: Option<TurnTimer>,
    /// When the decision that is awaited is late, in milliseconds since 1970.
    #[serde(default)]
    pub deadline: Option<u64>,
    /// Who is told what happens; how far each is, the store keeps beside the game.
    #[serde(default)]
    pub webhooks: Vec<Webhook>,
    #[serde(skip)]
    seed_hash: OnceLock<String>,
}

/// An address that is told what happens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// The address.
    pub url: String,
    /// What messages are signed with.
    pub secret: String,
    /// The events it is told; none: all.
    pub events: Vec<String>,
    /// It is told what comes after this event.
    pub after: u64,
    /// Since when.
    pub created_at: String,
}

/// A seat of a game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SeatRecord {
    /// Its name.
    pub seat: String,
    /// Who sits there, for people.
    pub name: Option<String>,
    /// The token of who sits there.
    pub token: Option<TokenHash>,
    /// What they added to the dice.
    pub contribution: Option<String>,
}

/// What a new game is made of.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Name for people.
    pub title: Option<String>,
    /// The rules.
    pub rule_set: RuleSetRef,
    /// The options chosen.
    pub options: BTreeMap<String, OptionValue>,
    /// The seats that play.
    pub players: Vec<String>,
    /// Who throws.
    pub dice: DiceHolder,
    /// What chance is drawn from.
    pub seed: String,
    /// Who chose it.
    pub seed_by: SeedBy,
    /// The owner's token.
    pub owner: TokenHash,
    /// The token to see and join; such a game is private.
    pub invitation: Option<TokenHash>,
    /// The owner plays every seat.
    pub hot_seat: bool,
}

impl Game {
    /// A game before its first version.
    pub fn new(new: NewGame, now: String) -> Self {
        let seats =
            new.players.into_iter().map(|seat| SeatRecord { seat, name: None, token: None, contribution: None });
        Self {
            version: 0,
            status: GameStatus::Open,
            title: new.title,
            rule_set: new.rule_set,
            options: new.options,
            dice: new.dice,
            seed: new.seed,
            seed_by: new.seed_by,
            private: new.invitation.is_some(),
            hot_seat: new.hot_seat,
            created_at: now.clone(),
            updated_at: now,
            owner: new.owner,
            invitation: new.invitation,
            seats: seats.collect(),
            first: None,
            throws: 0,
            steps: 0,
            events: 0,
            state: None,
            timer: None,
            deadline: None,
            webhooks: Vec::new(),
            seed_hash: OnceLock::new(),
        }
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// It is none, or of another layout.
    pub fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        match snapshot.split_first() {
            Some((&LAYOUT, game)) => rmp_serde::from_slice(game).map_err(internal),
            Some((other, _)) => Err(internal(format!("a game has layout {other}, this program reads {LAYOUT}"))),
            None => Err(internal("a snapshot is empty")),
        }
    }

    /// Writes a snapshot.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn write(&self) -> Result<Bytes, Problem> {
        let mut snapshot = Vec::with_capacity(1024);
        snapshot.push(LAYOUT);
        rmp_serde::encode::write(&mut snapshot, self).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// What players added to the dice: seat and text, in the order of travel.
    pub fn contributions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seats.iter().filter_map(|seat| Some((seat.seat.as_str(), seat.contribution.as_deref()?)))
    }

    /// The server's dice.
    pub fn server_dice(&self) -> Dice {
        Dice::new(&self.seed, self.contributions())
    }

    /// SHA-256 of the seed, in hexadecimal.
    pub fn seed_hash(&self) -> &str {
        self.seed_hash.get_or_init(|| dice::seed_hash(&self.seed))
    }

    /// The seed, once it is told: when a game whose dice the server threw is over.
    pub fn told_seed(&self) -> Option<&str> {
        let is_told = self.status == GameStatus::Finished && self.dice == DiceHolder::Server;
        is_told.then_some(self.seed.as_str())
    }

    /// Its rule set, for whoever counts games. Names of published ones are anybody's: they are not told apart.
    pub fn known_rule_set(&self) -> String {
        let id = &self.rule_set.id;
        if SETS.iter().any(|(bundled, _)| bundled == id) { id.clone() } else { "published".to_owned() }
    }

    /// The names of the seats that play.
    pub fn players(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.seat.clone()).collect()
    }

    /// What the game is found by in lists; private games are found by nothing.
    pub fn tags(&self) -> Vec<String> {
        if self.private {
            return Vec::new();
        }
        let (status, rules) = (Some(self.status), Some(self.rule_set.id.as_str()));
        vec![tag(None, None), tag(status, None), tag(None, rules), tag(status, rules)]
    }
}

/// The tag of games of a status and a rule set.
pub fn tag(status: Option<GameStatus>, rule_set: Option<&str>) -> String {
    let status = match status {
        None => "any",
        Some(GameStatus::Open) => "open",
        Some(GameStatus::Playing) => "playing",
        Some(GameStatus::Finished) => "finished",
    };
    [status, "/", rule_set.unwrap_or_default()].concat()
}
