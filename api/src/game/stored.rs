//! A game as it is stored: its setup, and the state in its compact encoding.

use std::sync::Arc;

use bytes::Bytes;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};

use crate::error::{Code, Problem, internal};
use crate::game::setup::Setup;
use crate::game::terms::{DiceHolder, PinnedRules, SeedBy, Status, TurnTimer};
use crate::ground::token::TokenHash;
use crate::rule_sets::library::Library;

/// Version of the layout of snapshots, their first byte; a snapshot of another one is refused. Then the length of
/// [`Setup`] (4 bytes, big endian), it, and the rest of [`Game`]: both in MessagePack, fields in order without names.
const LAYOUT: u8 = 6;

/// A game.
#[derive(Debug, Clone)]
pub struct Game {
    /// What moves leave as it is: from version to version it is the same piece of memory.
    pub setup: Arc<Setup>,
    /// Grows by one with every commit.
    pub version: u64,
    /// Where it is in its life.
    pub status: Status,
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

/// What a new game is made of.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Name for people.
    pub title: Option<String>,
    /// The rules.
    pub rule_set: PinnedRules,
    /// The options chosen.
    pub options: Options,
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

impl NewGame {
    /// A game for everybody to see, whose owner plays every seat with the server's dice. Its seed is empty.
    pub fn hot_seat(set: &RuleSet, engine: &Engine, owner: TokenHash) -> Self {
        Self {
            title: None,
            rule_set: PinnedRules::from(set),
            options: Options::new(),
            players: engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect(),
            dice: DiceHolder::Server,
            seed: String::new(),
            seed_by: SeedBy::Server,
            owner,
            invitation: None,
            hot_seat: true,
            timer: None,
        }
    }
}

impl Game {
    /// A game before its first version.
    pub fn new(new: NewGame, now: String) -> Self {
        Self {
            setup: Arc::new(Setup::new(new, now.clone())),
            version: 0,
            status: Status::Open,
            updated_at: now,
            throws: 0,
            steps: 0,
            events: 0,
            state: None,
            deadline: None,
        }
    }

    /// The rules that the game is pinned to.
    ///
    /// # Errors
    /// The store is not available, or has lost the rule set.
    pub async fn engine(&self, library: &Library) -> Result<Arc<Engine>, Problem> {
        let setup = &self.setup;
        library.pinned_table(&setup.rule_set.digest, &setup.options, &setup.players()).await
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
        let (setup, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(short)?;
        let setup = Arc::new(rmp_serde::from_slice(setup).map_err(internal)?);
        let (version, status, updated_at, throws, steps, events, state, deadline) =
            rmp_serde::from_slice(rest).map_err(internal)?;
        Ok(Self { setup, version, status, updated_at, throws, steps, events, state, deadline })
    }

    /// Writes a snapshot.
    ///
    /// # Errors
    /// It cannot be written, which its type rules out.
    pub fn write(&self) -> Result<Bytes, Problem> {
        let setup = self.setup.written()?;
        let length = u32::try_from(setup.len()).map_err(internal)?;
        let mut snapshot = Vec::with_capacity(setup.len() + 256);
        snapshot.push(LAYOUT);
        snapshot.extend_from_slice(&length.to_be_bytes());
        snapshot.extend_from_slice(setup);
        let Self { version, status, updated_at, throws, steps, events, state, deadline, .. } = self;
        let rest = (version, status, updated_at, throws, steps, events, state, deadline);
        rmp_serde::encode::write(&mut snapshot, &rest).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// What moves leave as it is, to be changed by something else.
    pub fn setup_mut(&mut self) -> &mut Setup {
        let setup = Arc::make_mut(&mut self.setup);
        setup.clear_cache();
        setup
    }

    /// The seed, once it is told: when a game whose dice the server threw is over.
    pub fn revealed_seed(&self) -> Option<&str> {
        let is_revealed = self.status == Status::Finished && self.setup.dice == DiceHolder::Server;
        is_revealed.then_some(self.setup.seed.as_str())
    }

    /// What the game is found by in lists; private games are found by nothing.
    pub fn tags(&self) -> Vec<String> {
        if self.setup.private {
            return Vec::new();
        }
        let (status, rule_set) = (Some(self.status), Some(self.setup.rule_set.id.as_str()));
        vec![tag(None, None), tag(status, None), tag(None, rule_set), tag(status, rule_set)]
    }
}

/// The tag of games of a status and a rule set.
pub fn tag(status: Option<Status>, rule_set: Option<&str>) -> String {
    let status = match status {
        None => "any",
        Some(Status::Open) => "open",
        Some(Status::Playing) => "playing",
        Some(Status::Finished) => "finished",
    };
    [status, "/", rule_set.unwrap_or_default()].concat()
}

/// No such game, or none for this caller: both sound alike.
pub fn not_found() -> Problem {
    Problem::new(Code::GameNotFound, "there is no game of this id, or it is private and the token is not one of its")
}
