//! A game as it is stored: who plays by which rules, and the state in its compact encoding.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use pagade_rules::bundled::SETS;
use pagade_rules::tables::Rules;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::parts::Parts;
use crate::conventions::token::TokenHash;
use crate::dice::{self, Dice};
use crate::error::{Problem, internal};
use crate::model::game::{DiceHolder, GameStatus, OptionValue, RuleSetRef, SeedBy, TurnTimer};
use crate::model::written::Chosen;

/// Version of the layout of snapshots, their first byte; a snapshot of another one is refused. Then the length of
/// [`About`] (4 bytes, big endian), it, and the rest of [`Game`]: both in MessagePack, fields in order without names.
const LAYOUT: u8 = 5;

/// A game.
#[derive(Debug, Clone)]
pub struct Game {
    /// What moves leave as it is: from version to version it is the same piece of memory.
    pub about: Arc<About>,
    /// Grows by one with every commit.
    pub version: u64,
    /// Where it is in its life.
    pub status: GameStatus,
    /// When it last changed.
    pub updated_at: String,
    /// Throws so far.
    pub throws: u64,
    /// Throws and actions so far.
    pub steps: u64,
    /// Events so far.
    pub events: u64,
    /// The state, encoded, in hexadecimal; none before the start.
    pub state: Option<String>,
    /// When the decision that is awaited is late, in milliseconds since 1970.
    pub deadline: Option<u64>,
}

/// What of a game neither throws nor actions change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct About {
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
    /// The owner's token.
    pub owner: TokenHash,
    /// The token to see and join a private game.
    pub invitation: Option<TokenHash>,
    /// The seats that play, in the order of travel.
    pub seats: Vec<SeatRecord>,
    /// Who begins, once it was started.
    pub first: Option<String>,
    /// How long a decision may take.
    pub timer: Option<TurnTimer>,
    /// Who is told what happens; how far each is, the store keeps beside the game.
    pub webhooks: Vec<Webhook>,
    #[serde(skip)]
    made: Made,
}

/// What is made of [`About`] once, however often it is written and shown.
#[derive(Debug, Clone, Default)]
struct Made {
    written: OnceLock<Bytes>,
    seed_hash: OnceLock<String>,
    options: OnceLock<Box<RawValue>>,
    parts: Parts,
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
    /// How long a decision may take.
    pub timer: Option<TurnTimer>,
}

impl Game {
    /// A game before its first version.
    pub fn new(new: NewGame, now: String) -> Self {
        let seats =
            new.players.into_iter().map(|seat| SeatRecord { seat, name: None, token: None, contribution: None });
        let about = About {
            title: new.title,
            rule_set: new.rule_set,
            options: new.options,
            dice: new.dice,
            seed: new.seed,
            seed_by: new.seed_by,
            private: new.invitation.is_some(),
            hot_seat: new.hot_seat,
            created_at: now.clone(),
            owner: new.owner,
            invitation: new.invitation,
            seats: seats.collect(),
            first: None,
            timer: new.timer,
            webhooks: Vec::new(),
            made: Made::default(),
        };
        Self {
            about: Arc::new(about),
            version: 0,
            status: GameStatus::Open,
            updated_at: now,
            throws: 0,
            steps: 0,
            events: 0,
            state: None,
            deadline: None,
        }
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// It is none, or of another layout.
    pub fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        let short = || internal("a snapshot is too short");
        let (&layout, rest) = snapshot.split_first().ok_or_else(short)?;
        if layout != LAYOUT {
            return Err(internal(format!("a game has layout {layout}, this program reads {LAYOUT}")));
        }
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let (about, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(short)?;
        let about = Arc::new(rmp_serde::from_slice(about).map_err(internal)?);
        let (version, status, updated_at, throws, steps, events, state, deadline) =
            rmp_serde::from_slice(rest).map_err(internal)?;
        Ok(Self { about, version, status, updated_at, throws, steps, events, state, deadline })
    }

    /// Writes a snapshot.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn write(&self) -> Result<Bytes, Problem> {
        let about = self.about.written()?;
        let length = u32::try_from(about.len()).map_err(internal)?;
        let mut snapshot = Vec::with_capacity(about.len() + 256);
        snapshot.push(LAYOUT);
        snapshot.extend_from_slice(&length.to_be_bytes());
        snapshot.extend_from_slice(about);
        let Self { version, status, updated_at, throws, steps, events, state, deadline, .. } = self;
        let rest = (version, status, updated_at, throws, steps, events, state, deadline);
        rmp_serde::encode::write(&mut snapshot, &rest).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// What moves leave as it is, to be changed by something else.
    pub fn about_mut(&mut self) -> &mut About {
        let about = Arc::make_mut(&mut self.about);
        about.made = Made::default();
        about
    }

    /// The seed, once it is told: when a game whose dice the server threw is over.
    pub fn told_seed(&self) -> Option<&str> {
        let is_told = self.status == GameStatus::Finished && self.about.dice == DiceHolder::Server;
        is_told.then_some(self.about.seed.as_str())
    }

    /// What the game is found by in lists; private games are found by nothing.
    pub fn tags(&self) -> Vec<String> {
        if self.about.private {
            return Vec::new();
        }
        let (status, rules) = (Some(self.status), Some(self.about.rule_set.id.as_str()));
        vec![tag(None, None), tag(status, None), tag(None, rules), tag(status, rules)]
    }
}

impl About {
    fn written(&self) -> Result<&Bytes, Problem> {
        if let Some(written) = self.made.written.get() {
            return Ok(written);
        }
        let written = rmp_serde::to_vec(self).map_err(internal)?;
        Ok(self.made.written.get_or_init(|| written.into()))
    }

    /// The options as the game's rules have them, on the wire.
    pub fn options_of(&self, rules: &Rules) -> &RawValue {
        // Words, numbers and truths can be written.
        self.made.options.get_or_init(|| to_raw_value(&Chosen(&rules.options)).unwrap_or_default())
    }

    /// What of the game was written last, and may be so still.
    pub fn parts(&self) -> &Parts {
        &self.made.parts
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
        self.made.seed_hash.get_or_init(|| dice::seed_hash(&self.seed))
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
