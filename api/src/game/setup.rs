//! What of a game no move changes: who plays by which rules. Written and shown once, however often the game is.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use pagade_rules::bundled::SETS;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::Options;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::dice;
use crate::game::dice::Dice;
use crate::game::stored::NewGame;
use crate::game::terms::{DiceHolder, PinnedRules, SeedBy, TurnTimer, stored_options};
use crate::game::view_cache::ViewCache;
use crate::game::wire::WireOptions;
use crate::ground::token::TokenHash;

/// What of a game neither throws nor actions change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// Name for people.
    pub title: Option<String>,
    /// The rules it is pinned to.
    pub rule_set: PinnedRules,
    /// The options that were chosen; the rules know the defaults.
    #[serde(with = "stored_options")]
    pub options: Options,
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
    cache: SetupCache,
}

/// What is made of [`Setup`] once, however often it is written and shown.
#[derive(Debug, Clone, Default)]
struct SetupCache {
    written: OnceLock<Bytes>,
    seed_hash: OnceLock<String>,
    options: OnceLock<Box<RawValue>>,
    views: ViewCache,
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

impl Setup {
    /// Of a game before its start.
    pub fn new(new: NewGame, now: String) -> Self {
        let seats =
            new.players.into_iter().map(|seat| SeatRecord { seat, name: None, token: None, contribution: None });
        Self {
            title: new.title,
            rule_set: new.rule_set,
            options: new.options,
            dice: new.dice,
            seed: new.seed,
            seed_by: new.seed_by,
            private: new.invitation.is_some(),
            hot_seat: new.hot_seat,
            created_at: now,
            owner: new.owner,
            invitation: new.invitation,
            seats: seats.collect(),
            first: None,
            timer: new.timer,
            webhooks: Vec::new(),
            cache: SetupCache::default(),
        }
    }

    /// What was made of it is made anew: it is about to change.
    pub fn clear_cache(&mut self) {
        self.cache = SetupCache::default();
    }

    /// As snapshots hold it.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn written(&self) -> Result<&Bytes, Problem> {
        if let Some(written) = self.cache.written.get() {
            return Ok(written);
        }
        let written = rmp_serde::to_vec(self).map_err(internal)?;
        Ok(self.cache.written.get_or_init(|| written.into()))
    }

    /// The options as the game's rules have them, on the wire.
    pub fn options_of(&self, engine: &Engine) -> &RawValue {
        // Words, numbers and truth values can be written.
        self.cache.options.get_or_init(|| to_raw_value(&WireOptions(&engine.identity.options)).unwrap_or_default())
    }

    /// Parts of the last view, for as long as they are the same.
    pub fn views(&self) -> &ViewCache {
        &self.cache.views
    }

    /// What players added to the dice: seat and text, in the order of travel.
    pub fn contributions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seats.iter().filter_map(|seat| Some((seat.seat.as_str(), seat.contribution.as_deref()?)))
    }

    /// The same by seat.
    pub fn contributions_by_seat(&self) -> BTreeMap<String, String> {
        self.contributions().map(|(seat, text)| (seat.to_owned(), text.to_owned())).collect()
    }

    /// The server's dice.
    pub fn server_dice(&self) -> Dice {
        Dice::new(&self.seed, self.contributions())
    }

    /// SHA-256 of the seed, in hexadecimal.
    pub fn seed_hash(&self) -> &str {
        self.cache.seed_hash.get_or_init(|| dice::seed_hash(&self.seed))
    }

    /// Its rule set, for whoever counts games. Names of published ones are anybody's: they are not told apart.
    pub fn rule_set_label(&self) -> String {
        let id = &self.rule_set.id;
        if SETS.iter().any(|(bundled, _)| bundled == id) { id.clone() } else { "published".to_owned() }
    }

    /// The names of the seats that play.
    pub fn players(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.seat.clone()).collect()
    }
}
