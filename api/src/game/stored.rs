//! A game as it is stored: its setup, and its state in a compact encoding.

use std::sync::Arc;

use bytes::Bytes;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};
use uuid::Uuid;

use crate::error::{Code, Problem, internal};
use crate::game::setup::Setup;
use crate::game::terms::{DiceHolder, PinnedRules, RobotPause, SeedBy, StandIn, Status, TurnTimer};
use crate::ground::token::TokenHash;
use crate::rule_sets::library::Library;

/// The number of the layout of snapshots, which is their first byte. The program refuses other layouts. After it come
/// the length of the setup (4 bytes, big endian), the setup, the other fields of [`Game`], and the encoded state. Setup
/// and fields are MessagePack, with the fields in order and without names. The setup comes first because moves do not
/// change it.
const LAYOUT: u8 = 9;

/// A game, decoded from its snapshot.
#[derive(Debug, Clone)]
pub struct Game {
    /// The part that throws and actions do not change. Versions of the game share it in memory until a command of
    /// another kind changes it.
    pub setup: Arc<Setup>,
    /// The version of the game. It grows by one with every commit.
    pub version: u64,
    pub status: Status,
    /// The time of the last change, in RFC 3339.
    pub updated_at: String,
    /// Number of throws so far.
    pub throws: u64,
    /// Number of throws and actions so far.
    pub steps: u64,
    /// Number of events so far.
    pub events: u64,
    /// The encoded state; `None` before the start.
    pub state: Option<Vec<u8>>,
    /// The deadline of the awaited decision, in milliseconds since 1970.
    pub deadline: Option<u64>,
}

/// The choices that are made when a game is created.
#[derive(Debug, Clone)]
pub(crate) struct NewGame {
    /// The title of the game, for people.
    pub title: Option<String>,
    pub rule_set: PinnedRules,
    /// The options that were chosen.
    pub options: Options,
    /// The names of the seats in play.
    pub players: Vec<String>,
    /// Whether the server or the players throw the dice.
    pub dice: DiceHolder,
    /// The seed of the dice.
    pub seed: String,
    /// Whether the server or the owner chose the seed.
    pub seed_by: SeedBy,
    /// The hash of the owner's token.
    pub owner: TokenHash,
    /// The hash of the token of the invitation. If there is one, the game is private.
    pub invitation: Option<TokenHash>,
    /// Whether the owner's token plays every seat.
    pub hot_seat: bool,
    /// The time limit for decisions; `None` if there is none.
    pub timer: Option<TurnTimer>,
    /// Seconds for the first decision of each seat, as [`Setup::no_show`] says; `None` outside tournaments.
    pub no_show: Option<u32>,
    /// Id of the group to which the game belongs.
    pub group: Option<Uuid>,
    /// Id of the table at which the game is played.
    pub table: Option<Uuid>,
    /// Id of the tournament that gets the result of the game.
    pub tournament: Option<Uuid>,
    /// The robot that plays for players who are absent.
    pub stand_in: Option<StandIn>,
    /// The pause before a robot plays its turn.
    pub robot_pause: RobotPause,
    /// Whether only the organiser and the players of the game may see it, because other games with the same dice may
    /// still be in play. Only games of tournaments may be withheld.
    pub is_withheld: bool,
}

impl NewGame {
    /// Makes the choices of a public game in which the owner plays every seat and the server throws. Its seed is empty.
    pub(crate) fn hot_seat(set: &RuleSet, engine: &Engine, owner: TokenHash) -> Self {
        Self { hot_seat: true, ..Self::of(PinnedRules::from(set), engine, owner) }
    }

    /// Makes the choices of a public game in which each seat has its player and the server throws. Its seed is empty.
    pub(crate) fn of(rule_set: PinnedRules, engine: &Engine, owner: TokenHash) -> Self {
        Self {
            title: None,
            rule_set,
            options: Options::new(),
            players: engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect(),
            dice: DiceHolder::Server,
            seed: String::new(),
            seed_by: SeedBy::Server,
            owner,
            invitation: None,
            hot_seat: false,
            timer: None,
            no_show: None,
            group: None,
            table: None,
            tournament: None,
            stand_in: None,
            robot_pause: RobotPause::default(),
            is_withheld: false,
        }
    }
}

impl Game {
    /// Makes a new game, before its first commit. `now` is the time of creation.
    pub(crate) fn new(new: NewGame, now: String) -> Self {
        Self::of(Setup::new(new, now))
    }

    /// Makes a game with this setup, before its first commit.
    pub(crate) fn of(setup: Setup) -> Self {
        Self {
            updated_at: setup.created_at.clone(),
            setup: Arc::new(setup),
            version: 0,
            status: Status::Open,
            throws: 0,
            steps: 0,
            events: 0,
            state: None,
            deadline: None,
        }
    }

    /// Returns the engine for the rule set, options and seats of the game.
    ///
    /// # Errors
    /// The store is not available, or has lost the rule set.
    pub(crate) async fn engine(&self, library: &Library) -> Result<Arc<Engine>, Problem> {
        let setup = &self.setup;
        library.pinned_table(&setup.rule_set.digest, &setup.options, &setup.players()).await
    }

    /// Decodes a snapshot.
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
        let mut rest = rest;
        let (version, status, updated_at, throws, steps, events, deadline) =
            rmp_serde::from_read(&mut rest).map_err(internal)?;
        let state = (!rest.is_empty()).then(|| rest.to_vec());
        Ok(Self { setup, version, status, updated_at, throws, steps, events, state, deadline })
    }

    /// Encodes the game as a snapshot.
    ///
    /// # Errors
    /// The game cannot be encoded, which its type makes impossible.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
        let setup = self.setup.written()?;
        let length = u32::try_from(setup.len()).map_err(internal)?;
        let mut snapshot = Vec::with_capacity(setup.len() + 256);
        snapshot.push(LAYOUT);
        snapshot.extend_from_slice(&length.to_be_bytes());
        snapshot.extend_from_slice(setup);
        let Self { version, status, updated_at, throws, steps, events, state, deadline, .. } = self;
        let rest = (version, status, updated_at, throws, steps, events, deadline);
        rmp_serde::encode::write(&mut snapshot, &rest).map_err(internal)?;
        // Before the start there is no state, so nothing is appended.
        snapshot.extend_from_slice(state.as_deref().unwrap_or_default());
        Ok(snapshot.into())
    }

    /// Returns the setup to change it. Drops the values that were computed from it.
    pub(crate) fn setup_mut(&mut self) -> &mut Setup {
        let setup = Arc::make_mut(&mut self.setup);
        setup.clear_cache();
        setup
    }

    /// Returns the seed if the game and all games with the same dice are over, and the server threw the dice; otherwise
    /// `None`.
    pub(crate) fn revealed_seed(&self) -> Option<&str> {
        let Setup { dice, is_withheld, .. } = *self.setup;
        let is_revealed = self.status == Status::Finished && dice == DiceHolder::Server && !is_withheld;
        is_revealed.then_some(self.setup.seed.as_str())
    }

    /// Returns the tags by which the game is listed. A private game has only those of its players.
    pub(crate) fn tags(&self) -> Vec<String> {
        let (status, rule_set) = (Some(self.status), Some(self.setup.rule_set.id.as_str()));
        let mut tags = match self.setup.private {
            true => Vec::new(),
            false => vec![tag(None, None), tag(status, None), tag(None, rule_set), tag(status, rule_set)],
        };
        tags.extend(self.setup.seated_players().flat_map(|player| [None, status].map(|s| tag_of_player(player, s))));
        tags.extend(self.setup.watchers.iter().map(|player| tag_of_watcher(*player)));
        tags
    }
}

/// Returns the tag of games with this status and this rule set. `None` stands for any status or any rule set.
pub(crate) fn tag(status: Option<Status>, rule_set: Option<&str>) -> String {
    [word_of(status), "/", rule_set.unwrap_or_default()].concat()
}

/// Returns the tag of games that this player may watch.
pub(crate) fn tag_of_watcher(player: Uuid) -> String {
    format!("watcher/{}", player.simple())
}

/// Returns the tag of games with this status in which this player sits. It differs from every [`tag`], by which anyone
/// may list games.
pub(crate) fn tag_of_player(player: Uuid, status: Option<Status>) -> String {
    format!("player/{}/{}", player.simple(), word_of(status))
}

fn word_of(status: Option<Status>) -> &'static str {
    match status {
        None => "any",
        Some(Status::Open) => "open",
        Some(Status::Playing) => "playing",
        Some(Status::Finished) => "finished",
    }
}

/// Makes the problem for a game that does not exist, or that the caller may not see. Both cases have the same answer,
/// so that private games stay hidden.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::GameNotFound, "no game has this id, or it is private and the token does not belong to it")
}
