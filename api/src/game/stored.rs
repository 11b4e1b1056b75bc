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

/// The layout of snapshots, given in their first byte; other layouts are refused. Then come the length of [`Setup`] (4
/// bytes, big endian), the setup, and the other fields of [`Game`]: both in MessagePack, with fields in order and
/// without names.
const LAYOUT: u8 = 6;

/// A game.
#[derive(Debug, Clone)]
pub struct Game {
    /// The part that moves do not change: all versions share one piece of memory until something else changes it.
    pub setup: Arc<Setup>,
    /// The version: one more with every commit.
    pub version: u64,
    /// The status.
    pub status: Status,
    /// Time of the last change.
    pub updated_at: String,
    /// Number of throws.
    pub throws: u64,
    /// Number of throws and actions.
    pub steps: u64,
    /// Number of events.
    pub events: u64,
    /// The encoded state in hexadecimal; `None` before the start.
    pub state: Option<String>,
    /// Deadline of the decision that is due, in milliseconds since 1970.
    pub deadline: Option<u64>,
}

/// The choices for a new game.
#[derive(Debug, Clone)]
pub(crate) struct NewGame {
    /// Title for people.
    pub title: Option<String>,
    /// The rule set.
    pub rule_set: PinnedRules,
    /// The chosen options.
    pub options: Options,
    /// The seats in play.
    pub players: Vec<String>,
    /// Who throws the dice.
    pub dice: DiceHolder,
    /// The seed of the dice.
    pub seed: String,
    /// Who chose the seed.
    pub seed_by: SeedBy,
    /// Hash of the owner's token.
    pub owner: TokenHash,
    /// Hash of the invitation; with one, the game is private.
    pub invitation: Option<TokenHash>,
    /// Whether the owner plays every seat.
    pub hot_seat: bool,
    /// Time limit for decisions.
    pub timer: Option<TurnTimer>,
}

impl NewGame {
    /// A public game whose owner plays every seat with the server's dice. Its seed is empty.
    pub(crate) fn hot_seat(set: &RuleSet, engine: &Engine, owner: TokenHash) -> Self {
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
    /// A new game, before its first commit.
    pub(crate) fn new(new: NewGame, now: String) -> Self {
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

    /// The engine for the rules that the game is pinned to.
    ///
    /// # Errors
    /// The store is not available, or has lost the rule set.
    pub(crate) async fn engine(&self, library: &Library) -> Result<Arc<Engine>, Problem> {
        let setup = &self.setup;
        library.pinned_table(&setup.rule_set.digest, &setup.options, &setup.players()).await
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read(snapshot: &[u8]) -> Result<Self, Problem> {
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
    /// The game cannot be written, which its type rules out.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
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

    /// The setup, to change; drops its derived values.
    pub(crate) fn setup_mut(&mut self) -> &mut Setup {
        let setup = Arc::make_mut(&mut self.setup);
        setup.clear_cache();
        setup
    }

    /// The seed after the end of a game whose dice the server threw; `None` before.
    pub(crate) fn revealed_seed(&self) -> Option<&str> {
        let is_revealed = self.status == Status::Finished && self.setup.dice == DiceHolder::Server;
        is_revealed.then_some(self.setup.seed.as_str())
    }

    /// The tags by which the game is listed; none for private games.
    pub(crate) fn tags(&self) -> Vec<String> {
        if self.setup.private {
            return Vec::new();
        }
        let (status, rule_set) = (Some(self.status), Some(self.setup.rule_set.id.as_str()));
        vec![tag(None, None), tag(status, None), tag(None, rule_set), tag(status, rule_set)]
    }
}

/// The tag of games of a status and a rule set.
pub(crate) fn tag(status: Option<Status>, rule_set: Option<&str>) -> String {
    let status = match status {
        None => "any",
        Some(Status::Open) => "open",
        Some(Status::Playing) => "playing",
        Some(Status::Finished) => "finished",
    };
    [status, "/", rule_set.unwrap_or_default()].concat()
}

/// The problem for an unknown game, and for one that the caller may not see: both answers are equal, so that private
/// games stay hidden.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::GameNotFound, "there is no game of this id, or it is private and the token is not one of its")
}
