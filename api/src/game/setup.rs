//! The setup of a game: who plays by which rules. Throws and actions do not change it, so its JSON and its stored form
//! are written only once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;
use pagade_robots::RobotKind;
use pagade_rules::bundled::SETS;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::Options;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::follow::Webhook;
use crate::game::address::GameScore;
use crate::game::dice;
use crate::game::dice::{GameDice, RollOffRound};
use crate::game::dismissed::{Dismissed, MOST_DISMISSED};
use crate::game::stored::NewGame;
use crate::game::terms::{
    Absence, Agreement, DiceHolder, Ending, GaveUp, PinnedRules, RobotPause, SeedBy, StandIn, TurnTimer, stored_options,
};
use crate::game::view_cache::ViewCache;
use crate::game::wire::WireOptions;
use crate::ground::token::{RevokedTokens, TokenHash};
use crate::model::game::RollOffThrow;

/// The part of a game that throws and actions do not change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Setup {
    /// The title of the game, for people.
    pub title: Option<String>,
    /// The rule set of the game, which never changes.
    pub rule_set: PinnedRules,
    /// The options that were chosen. Other options have the defaults of the rule set.
    #[serde(with = "stored_options")]
    pub options: Options,
    /// Whether the server or the players throw the dice.
    pub dice: DiceHolder,
    /// The seed of the dice.
    pub seed: String,
    /// Whether the server or the owner chose the seed.
    pub seed_by: SeedBy,
    /// Whether the game can be seen and joined only with a token of the game.
    pub private: bool,
    /// Whether the owner's token plays every seat.
    pub hot_seat: bool,
    /// The time of creation, in RFC 3339.
    pub created_at: String,
    /// The hash of the owner's token.
    pub owner: TokenHash,
    /// The hash of the token of the invitation. Only a private game has one.
    pub invitation: Option<TokenHash>,
    /// The seats in play, in the order of travel.
    pub seats: Vec<GameSeat>,
    /// The seat that began; `None` before the start.
    pub first: Option<String>,
    /// The time limit for decisions; `None` if there is none.
    pub timer: Option<TurnTimer>,
    /// The webhooks of the game. Their progress is not stored here, but beside the game.
    pub(crate) webhooks: Vec<Webhook>,
    /// The hashes of tokens that were revoked.
    #[serde(default)]
    pub(crate) revoked: RevokedTokens,
    /// The reason why the game ended, if its rules did not end it.
    #[serde(default)]
    pub(crate) ending: Option<Ending>,
    /// Id of the group to which the game belongs.
    #[serde(default)]
    pub(crate) group: Option<Uuid>,
    /// Id of the table at which the game is played.
    #[serde(default)]
    pub(crate) table: Option<Uuid>,
    /// The players who watch the game at its table.
    #[serde(default)]
    pub(crate) watchers: Vec<Uuid>,
    /// Id of the tournament that gets the result of the game.
    #[serde(default)]
    pub(crate) tournament: Option<Uuid>,
    /// Seconds for the first decision of each seat, in place of the time limit. A seat whose player decides nothing
    /// within them forfeits. Only games of tournaments may have this limit.
    #[serde(default)]
    pub(crate) no_show: Option<u32>,
    /// The stake of a competitive game of a table; `None` for all other games.
    #[serde(default)]
    pub(crate) score: Option<GameScore>,
    /// The robot that plays for players who are absent; `None`: nobody stands in for them.
    #[serde(default)]
    pub(crate) stand_in: Option<StandIn>,
    /// The pause before a robot plays its turn.
    #[serde(default)]
    pub(crate) robot_pause: RobotPause,
    /// Whether only the organiser and the players of the game see it, and nobody sees the seed, because other games
    /// with the same dice may still be in play.
    #[serde(default)]
    pub(crate) is_withheld: bool,
    /// The latest players who watched the game and may no longer watch it, at most [`MOST_DISMISSED`].
    #[serde(default)]
    pub(crate) dismissed: Vec<Dismissed>,
    #[serde(skip)]
    cache: SetupCache,
}

/// Values that are computed from a [`Setup`]. Each is computed only once.
#[derive(Debug, Clone, Default)]
struct SetupCache {
    written: OnceLock<Bytes>,
    server_dice: OnceLock<GameDice>,
    seed_hash: OnceLock<String>,
    options: OnceLock<Box<RawValue>>,
    roll_off: OnceLock<Option<Box<RawValue>>>,
    views: ViewCache,
}

/// A seat of a game, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GameSeat {
    /// The name of the seat.
    pub seat: String,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// The hash of the seat's token; `None` if no player has joined the seat. If the token was revoked, this is the
    /// hash of a token that no client has.
    pub token: Option<TokenHash>,
    /// The text that the player contributed to the dice.
    pub contribution: Option<String>,
    /// How the seat gave up, and its number in the order in which seats gave up, from 1. `None` if it has not given up.
    #[serde(default)]
    pub gave_up: Option<(u8, GaveUp)>,
    /// The proposal that the player agrees to; `None` if the player wants to play on.
    #[serde(default)]
    pub agreed: Option<Agreement>,
    /// Number of late decisions in a row.
    #[serde(default)]
    pub late: u8,
    /// Id of the player who sits here; `None` if the seat is free, or was joined without the token of a player.
    #[serde(default)]
    pub player: Option<Uuid>,
    /// The robot that plays the seat; `None` if a person plays it or the seat is free.
    #[serde(default)]
    pub robot: Option<RobotKind>,
    /// Whether the player has decided anything. Noted in games of tournaments only.
    #[serde(default)]
    pub came: bool,
    /// Why somebody else decides in place of the player; `None` while the player decides. A seat that has given up is
    /// `Abandoned` if it gave up because its player left the table, and otherwise `None`.
    #[serde(default)]
    pub(crate) absence: Option<Absence>,
    /// The time at which the player came back from the last absence, in milliseconds since 1970; 0 if there was none.
    #[serde(default)]
    pub(crate) back_at: u64,
}

impl GameSeat {
    /// Makes a seat that no player has joined.
    fn free(seat: String) -> Self {
        Self {
            seat,
            name: None,
            token: None,
            contribution: None,
            gave_up: None,
            agreed: None,
            late: 0,
            player: None,
            robot: None,
            came: false,
            absence: None,
            back_at: 0,
        }
    }

    /// Tells whether a player has joined the seat, or a robot plays it.
    pub(crate) fn is_taken(&self) -> bool {
        self.token.is_some() || self.robot.is_some()
    }
}

impl Setup {
    /// Makes the setup of a new game. `now` is the time of creation.
    pub(crate) fn new(new: NewGame, now: String) -> Self {
        let seats = new.players.into_iter().map(GameSeat::free);
        Self {
            title: new.title,
            rule_set: new.rule_set,
            options: new.options,
            dice: new.dice,
            seed: new.seed,
            seed_by: new.seed_by,
            private: new.invitation.is_some() || new.is_withheld,
            hot_seat: new.hot_seat,
            created_at: now,
            owner: new.owner,
            invitation: new.invitation,
            seats: seats.collect(),
            first: None,
            timer: new.timer,
            webhooks: Vec::new(),
            revoked: RevokedTokens::default(),
            ending: None,
            group: new.group,
            table: new.table,
            watchers: Vec::new(),
            dismissed: Vec::new(),
            tournament: new.tournament,
            no_show: new.no_show,
            score: None,
            stand_in: new.stand_in,
            robot_pause: new.robot_pause,
            is_withheld: new.is_withheld,
            cache: SetupCache::default(),
        }
    }

    /// Replaces the players who may watch the game at its table. Those who lose this right are noted as dismissed.
    pub(crate) fn set_watchers(&mut self, watchers: Vec<Uuid>) {
        let before = std::mem::replace(&mut self.watchers, watchers);
        let Some(table) = self.table else { return };
        let gone: Vec<_> = before.into_iter().filter(|player| !self.watchers.contains(player)).collect();
        self.dismissed.extend(gone.into_iter().map(|player| Dismissed::new(player, table)));
        self.dismissed.drain(..self.dismissed.len().saturating_sub(MOST_DISMISSED));
    }

    /// Tells whether a player watched the game and may no longer watch it.
    pub(crate) fn is_dismissed(&self, player: Uuid) -> bool {
        self.table.is_some_and(|table| self.dismissed.contains(&Dismissed::new(player, table)))
    }

    /// Lists the players who sit in the game.
    pub(crate) fn seated_players(&self) -> impl Iterator<Item = Uuid> {
        self.seats.iter().filter_map(|game_seat| game_seat.player)
    }

    /// Returns the robot that plays the seat with this name; `None` if no robot plays it.
    pub(crate) fn robot_at(&self, name: &str) -> Option<RobotKind> {
        self.seat(name)?.robot
    }

    /// Tells whether the server plays any seat: that of a robot, or of a player who is absent.
    pub(crate) fn has_robots(&self) -> bool {
        let is_played = |game_seat: &GameSeat| game_seat.absence.is_some() && game_seat.gave_up.is_none();
        self.seats.iter().any(|game_seat| game_seat.robot.is_some() || is_played(game_seat))
    }

    /// Tells whether the seat with this name gave up.
    pub(crate) fn has_given_up(&self, name: &str) -> bool {
        self.seats.iter().any(|game_seat| game_seat.seat == name && game_seat.gave_up.is_some())
    }

    /// Removes the ending of the game, and the marks of seats that gave up, agreed or are absent, so that the game can
    /// be shown as it was at an earlier step.
    pub(crate) fn reopen(&mut self) {
        self.ending = None;
        for game_seat in &mut self.seats {
            (game_seat.gave_up, game_seat.agreed, game_seat.absence) = (None, None, None);
        }
    }

    /// Notes that a token was revoked.
    pub(crate) fn revoke(&mut self, token: TokenHash) {
        self.revoked.add(token);
    }

    /// Drops the values that were computed from the setup, because the setup is about to change.
    pub(crate) fn clear_cache(&mut self) {
        self.cache = SetupCache::default();
    }

    /// Returns the setup in its stored form, which is a part of snapshots.
    ///
    /// # Errors
    /// The setup cannot be encoded, which its type makes impossible.
    pub(crate) fn written(&self) -> Result<&Bytes, Problem> {
        if let Some(written) = self.cache.written.get() {
            return Ok(written);
        }
        let written = rmp_serde::to_vec(self).map_err(internal)?;
        Ok(self.cache.written.get_or_init(|| written.into()))
    }

    /// Returns all options of the table with their values, as JSON.
    pub(crate) fn options_of(&self, engine: &Engine) -> &RawValue {
        // Options are words, numbers and truth values, which can always be written as JSON.
        self.cache.options.get_or_init(|| to_raw_value(&WireOptions(&engine.identity.options)).unwrap_or_default())
    }

    /// Returns the throws that decided which seat begins, as JSON; `None` before the start, and if no throws decided
    /// it.
    pub(crate) fn roll_off(&self, engine: &Engine) -> Option<&RawValue> {
        let first = self.first.as_deref()?;
        let written = || {
            let beginning = self.server_dice().beginning(engine);
            // An imported game may begin with another seat, which its record names.
            let is_real = !beginning.roll_off.is_empty() && engine.seat_name(beginning.first) == first;
            let throws = |round: &RollOffRound| {
                let throws = round.iter().map(|(seat, throw)| RollOffThrow {
                    seat: engine.seat_name(*seat),
                    throw: engine.throw_text(throw),
                });
                throws.collect::<Vec<_>>()
            };
            let rounds = beginning.roll_off.iter().map(throws).collect::<Vec<_>>();
            // Names and throws can always be written as JSON.
            is_real.then(|| to_raw_value(&rounds).unwrap_or_default())
        };
        self.cache.roll_off.get_or_init(written).as_deref()
    }

    /// Returns the cached parts of the last view of the game.
    pub(crate) fn views(&self) -> &ViewCache {
        &self.cache.views
    }

    /// Lists the players' contributions to the dice: pairs of seat and text, in the order of travel.
    pub(crate) fn contributions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.seats.iter().filter_map(|seat| Some((seat.seat.as_str(), seat.contribution.as_deref()?)))
    }

    /// Returns the players' contributions to the dice, by seat.
    pub(crate) fn contributions_by_seat(&self) -> BTreeMap<String, String> {
        self.contributions().map(|(seat, text)| (seat.to_owned(), text.to_owned())).collect()
    }

    /// Returns the server's dice for this game.
    pub(crate) fn server_dice(&self) -> &GameDice {
        self.cache.server_dice.get_or_init(|| GameDice::new(&self.seed, self.contributions()))
    }

    /// Returns the SHA-256 of the seed, in hexadecimal.
    pub(crate) fn seed_hash(&self) -> &str {
        self.cache.seed_hash.get_or_init(|| dice::seed_hash(&self.seed))
    }

    /// Returns the label for this game's rule set in metrics. All published rule sets share one label, because there
    /// may be any number of them.
    pub(crate) fn rule_set_label(&self) -> String {
        let id = &self.rule_set.id;
        if SETS.iter().any(|(bundled, _)| bundled == id) { id.clone() } else { "published".to_owned() }
    }

    /// Returns the names of the seats in play.
    pub(crate) fn players(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.seat.clone()).collect()
    }
}
