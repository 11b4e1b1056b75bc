//! The setup of a game: who plays by which rules. No move changes it, so its stored and shown forms are written once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use pagade_rules::bundled::SETS;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::Options;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::follow::Webhook;
use crate::game::dice;
use crate::game::dice::Dice;
use crate::game::stored::NewGame;
use crate::game::terms::{Agreement, DiceHolder, Ending, GaveUp, PinnedRules, SeedBy, TurnTimer, stored_options};
use crate::game::view_cache::ViewCache;
use crate::game::wire::WireOptions;
use crate::ground::token::TokenHash;

/// Maximum number of revoked tokens that a game remembers.
const MOST_REVOKED: usize = 16;

/// The part of a game that throws and actions do not change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// Title for people.
    pub title: Option<String>,
    /// The rule set that the game is pinned to.
    pub rule_set: PinnedRules,
    /// The chosen options; the rule set has the defaults.
    #[serde(with = "stored_options")]
    pub options: Options,
    /// Who throws the dice.
    pub dice: DiceHolder,
    /// The seed of the dice.
    pub seed: String,
    /// Who chose the seed.
    pub seed_by: SeedBy,
    /// Whether only token holders may see the game.
    pub private: bool,
    /// Whether the owner plays every seat.
    pub hot_seat: bool,
    /// Time of creation.
    pub created_at: String,
    /// Hash of the owner's token.
    pub owner: TokenHash,
    /// Hash of the invitation to a private game.
    pub invitation: Option<TokenHash>,
    /// The seats in play, in the order of travel.
    pub seats: Vec<SeatRecord>,
    /// The seat that begins, set at the start.
    pub first: Option<String>,
    /// Time limit for decisions.
    pub timer: Option<TurnTimer>,
    /// The webhooks. Their progress is stored beside the game.
    pub(crate) webhooks: Vec<Webhook>,
    /// Hashes of the tokens that lost their role last. A request with one of them is refused with a problem that says
    /// so.
    #[serde(default)]
    pub(crate) revoked: Vec<TokenHash>,
    /// Why the game ended, where its rules did not end it.
    #[serde(default)]
    pub(crate) ending: Option<Ending>,
    #[serde(skip)]
    cache: SetupCache,
}

/// Values derived from a [`Setup`], each computed once.
#[derive(Debug, Clone, Default)]
struct SetupCache {
    written: OnceLock<Bytes>,
    seed_hash: OnceLock<String>,
    options: OnceLock<Box<RawValue>>,
    views: ViewCache,
}

/// A seat of a game.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SeatRecord {
    /// The name of the seat.
    pub seat: String,
    /// Name of the player, for people.
    pub name: Option<String>,
    /// Hash of the player's token.
    pub token: Option<TokenHash>,
    /// The player's contribution to the dice.
    pub contribution: Option<String>,
    /// How the seat gave up, and its number in the order of giving up, from 1.
    #[serde(default)]
    pub gave_up: Option<(u8, GaveUp)>,
    /// Whether the player agrees to end or to abort the game. `None`: the player wants to play on.
    #[serde(default)]
    pub agreed: Option<Agreement>,
    /// Number of late decisions since the last one in time.
    #[serde(default)]
    pub late: u8,
}

impl SeatRecord {
    /// A free seat.
    fn free(seat: String) -> Self {
        Self { seat, name: None, token: None, contribution: None, gave_up: None, agreed: None, late: 0 }
    }
}

impl Setup {
    /// The setup of a new game.
    pub(crate) fn new(new: NewGame, now: String) -> Self {
        let seats = new.players.into_iter().map(SeatRecord::free);
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
            revoked: Vec::new(),
            ending: None,
            cache: SetupCache::default(),
        }
    }

    /// Whether the seat with this name gave up.
    pub(crate) fn has_given_up(&self, name: &str) -> bool {
        self.seats.iter().any(|record| record.seat == name && record.gave_up.is_some())
    }

    /// Forgets how the game ended: for its state at an earlier step.
    pub(crate) fn reopen(&mut self) {
        self.ending = None;
        for record in &mut self.seats {
            (record.gave_up, record.agreed) = (None, None);
        }
    }

    /// Notes that a token has lost its role.
    pub(crate) fn revoke(&mut self, token: TokenHash) {
        if self.revoked.len() == MOST_REVOKED {
            self.revoked.remove(0);
        }
        self.revoked.push(token);
    }

    /// Drops the derived values, because the setup is about to change.
    pub(crate) fn clear_cache(&mut self) {
        self.cache = SetupCache::default();
    }

    /// The setup as snapshots contain it.
    ///
    /// # Errors
    /// The setup cannot be serialized. Its type rules this out.
    pub(crate) fn written(&self) -> Result<&Bytes, Problem> {
        if let Some(written) = self.cache.written.get() {
            return Ok(written);
        }
        let written = rmp_serde::to_vec(self).map_err(internal)?;
        Ok(self.cache.written.get_or_init(|| written.into()))
    }

    /// All options of the table with their values, as JSON.
    pub(crate) fn options_of(&self, engine: &Engine) -> &RawValue {
        // Words, numbers and truth values are always valid JSON.
        self.cache.options.get_or_init(|| to_raw_value(&WireOptions(&engine.identity.options)).unwrap_or_default())
    }

    /// The cached parts of the last view.
    pub(crate) fn views(&self) -> &ViewCache {
        &self.cache.views
    }

    /// The players' contributions to the dice: seat and text, in the order of travel.
    pub(crate) fn contributions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seats.iter().filter_map(|seat| Some((seat.seat.as_str(), seat.contribution.as_deref()?)))
    }

    /// The players' contributions to the dice, by seat.
    pub(crate) fn contributions_by_seat(&self) -> BTreeMap<String, String> {
        self.contributions().map(|(seat, text)| (seat.to_owned(), text.to_owned())).collect()
    }

    /// The server's dice.
    pub(crate) fn server_dice(&self) -> Dice {
        Dice::new(&self.seed, self.contributions())
    }

    /// SHA-256 of the seed, in hexadecimal.
    pub(crate) fn seed_hash(&self) -> &str {
        self.cache.seed_hash.get_or_init(|| dice::seed_hash(&self.seed))
    }

    /// The rule set as a label of metrics. All published rule sets share one label: their names are unbounded.
    pub(crate) fn rule_set_label(&self) -> String {
        let id = &self.rule_set.id;
        if SETS.iter().any(|(bundled, _)| bundled == id) { id.clone() } else { "published".to_owned() }
    }

    /// The names of the seats in play.
    pub(crate) fn players(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.seat.clone()).collect()
    }
}
