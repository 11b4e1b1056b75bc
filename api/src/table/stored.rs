//! A table as it is stored.

use std::collections::{BTreeSet, VecDeque};

use bytes::Bytes;
use pagade_robots::RobotKind;
use pagade_rules::ruleset::Options;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, internal};
use crate::follow::Webhook;
use crate::game::GameId;
use crate::game::address::AddressMark;
use crate::game::planned::PlannedGame;
use crate::game::terms::EndedBy;
use crate::game::terms::{Control, PinnedRules, stored_options};
use crate::ground::token::TokenHash;
use crate::player::PlayerId;
use crate::score::settlement::PlayerOutcome;
use crate::table::chat::Chat;
use crate::table::notice::Notice;
use crate::table::purse::Purse;
use crate::table::settings::{TableSetting, TableSettings};
use crate::table::vote::Vote;

/// The number of the layout of snapshots, which is their first byte. The program refuses other layouts. After it comes
/// [`Table`] as MessagePack, with the fields in order and without names.
const LAYOUT: u8 = 2;

/// Maximum number of watchers of a table.
pub(crate) const MOST_WATCHERS: usize = 100;
/// Maximum number of open invitations of a table.
pub(crate) const MOST_INVITED: usize = 50;
/// Number of visitors whom a table remembers. Older visitors are removed from the events of the table.
pub(crate) const MOST_VISITORS: usize = 500;
/// Number of visitors beyond [`MOST_VISITORS`] after which the oldest ones are forgotten, many together.
const MORE_VISITORS: usize = 100;
/// Number of past games that a table lists.
pub(super) const MOST_PAST_GAMES: usize = 20;

/// A table, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The title of the table, for people.
    pub title: Option<String>,
    pub rule_set: PinnedRules,
    /// The variant of this rule set that the next game plays; `None` if it plays the rule set itself.
    pub variant: Option<PinnedRules>,
    /// The options of the rule set that were chosen for the next game. Other options have their defaults.
    #[serde(with = "stored_options")]
    pub options: Options,
    /// The options of the table itself.
    pub settings: TableSettings,
    /// The seats, in the order of travel.
    pub seats: Vec<TableSeat>,
    /// The player who chooses the options and starts the games; `None` only after the last player has left.
    pub master: Option<PlayerId>,
    /// The players who watch.
    pub watchers: Vec<Watcher>,
    /// The players who may sit down at a private table.
    pub invitations: Vec<Invitation>,
    /// The hash of the token of the link by which anyone may sit down; `None` until the master asks for it.
    pub link: Option<TokenHash>,
    /// The newest lines that were said at the table.
    pub chat: Chat,
    /// The open vote.
    pub vote: Option<Vote>,
    /// Whether the players have voted for the next game, which has still to be planned.
    pub wants_game: bool,
    /// The game in play.
    pub current: Option<CurrentGame>,
    /// The newest games that are over, oldest first.
    pub past: VecDeque<PastGame>,
    /// Number of games so far.
    pub games: u64,
    /// The newest notices for the inboxes of players, oldest first.
    pub notices: VecDeque<Notice>,
    /// Number of notices so far.
    pub noticed: u64,
    /// Number of players who have sat down so far.
    pub sat_down: u64,
    /// The time of creation, in milliseconds since 1970.
    pub created_at: u64,
    /// The time of the last change, in milliseconds since 1970.
    pub changed_at: u64,
    /// The version of the table. It grows by one with every commit.
    pub version: u64,
    /// Number of events of the table so far.
    pub events: u64,
    /// Whether the table is closed, because the last player has left. Nobody can sit down at a closed table.
    pub is_closed: bool,
    /// The webhooks of the table. Their progress is not stored here, but beside the table.
    pub webhooks: Vec<Webhook>,
    /// The last game that did not begin, because a player had too few chips.
    pub unstaked: Option<GameId>,
    /// The players whom the events of the table name, oldest first. By their tags, the table is found when one of them
    /// is deleted.
    #[serde(default)]
    pub visitors: Vec<PlayerId>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TableSeat {
    /// The name of the seat in the rule set.
    pub seat: String,
    /// The player who sits there; `None` if no player does.
    pub sitter: Option<Sitter>,
    /// The robot that plays there; `None` if a player sits there or the seat is free.
    pub robot: Option<RobotKind>,
}

impl TableSeat {
    /// Makes a seat that nobody has taken.
    pub(crate) fn free(seat: String) -> Self {
        Self { seat, sitter: None, robot: None }
    }

    /// Tells whether a player or a robot has the seat.
    pub(crate) fn is_taken(&self) -> bool {
        self.sitter.is_some() || self.robot.is_some()
    }
}

/// A player who sits at a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sitter {
    pub player: PlayerId,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// The number of the player in the order in which players sat down, from 1.
    pub order: u64,
    /// Whether options were changed since the player has read them.
    pub options_changed: bool,
    /// The mark of the network address of the player's last request that changed the table.
    pub address: Option<AddressMark>,
}

/// A player who watches a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Watcher {
    pub player: PlayerId,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// Whether options were changed since the player has read them.
    pub options_changed: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Invitation {
    pub player: PlayerId,
    /// The player who invites.
    pub by: PlayerId,
    /// The time of the invitation, in milliseconds since 1970.
    pub at: u64,
}

/// The game that is in play at a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CurrentGame {
    /// The id of the game, which was reserved before the game was created.
    pub id: GameId,
    /// The plan, by which the game is created.
    pub planned: Box<PlannedGame>,
    /// The number of the game at the table, from 1.
    pub number: u64,
    /// The time of the start, in milliseconds since 1970.
    pub started_at: u64,
    /// The players of the game, in the order of travel.
    pub players: Vec<GamePlayer>,
    /// Whether the players may end the game by a vote.
    pub can_end_amicably: bool,
    /// Whether the players have voted to end the game.
    pub is_cancelled: bool,
    /// The stakes of a competitive game; `None` for a practice game.
    pub purse: Option<Purse>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct GamePlayer {
    pub seat: String,
    /// The id of the player; `None` if the player was deleted, and for a robot.
    pub player: Option<PlayerId>,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// Whether the player has left the table during the game.
    pub has_left: bool,
    /// The robot that plays the seat from the beginning.
    pub robot: Option<RobotKind>,
    /// Who decides for the seat, as the game has told the table; `None` if the seat has given up.
    pub control: Option<Control>,
    /// The winnings of the player in a competitive game that is over.
    pub won: Option<Winnings>,
}

/// The winnings of a player in a competitive game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Winnings {
    /// The player's chips after the game, less the chips before it; negative for a loss.
    pub chips: i64,
    /// The experience gained.
    pub experience: u64,
}

impl Winnings {
    /// Returns the winnings of a player who has staked `bet` chips.
    pub(super) fn of(outcome: &PlayerOutcome, bet: u64) -> Self {
        let signed = |chips: u64| i64::try_from(chips).unwrap_or(i64::MAX);
        let experience = outcome.score.as_ref().map_or(0, |score| score.experience);
        Self { chips: signed(outcome.chips) - signed(bet), experience }
    }
}

impl GamePlayer {
    /// Tells whether the player may vote: robots may not, not even those that play for a player without a connection.
    pub(crate) fn may_vote(&self) -> bool {
        let is_there = matches!(self.control, Some(Control::Player | Control::Automatic));
        is_there && !self.has_left && self.robot.is_none()
    }

    /// Tells whether the player has abandoned the seat, as far as the table knows. A player who had given up before has
    /// not: for such a seat nobody decides.
    pub(super) fn has_abandoned(&self) -> bool {
        match self.control {
            None => false,
            Some(Control::Abandoned) => true,
            Some(Control::Player | Control::Automatic | Control::Robot) => self.is_gone(),
        }
    }

    /// Tells whether the player has left the table, or was deleted.
    pub(crate) fn is_gone(&self) -> bool {
        self.has_left || (self.player.is_none() && self.robot.is_none())
    }
}

/// A game that is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PastGame {
    pub id: GameId,
    /// The number of the game at the table, from 1.
    pub number: u64,
    /// The time of the start, in milliseconds since 1970.
    pub started_at: u64,
    /// The time at which the table was told that the game is over, in milliseconds since 1970.
    pub ended_at: u64,
    /// The reason why the game is over, as `ended_by` of the game names it; `None` if the game was removed.
    pub ended_by: Option<EndedBy>,
    /// The players with their ranks, from 1; best first. Players without a rank come last.
    pub players: Vec<(GamePlayer, Option<u8>)>,
    /// The bet of the game; `None` for a practice game.
    pub score: Option<PastScore>,
}

/// The bet of a competitive game that is over, and whether only its chips count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PastScore {
    /// Number of chips that each player had staked.
    pub bet: u64,
    /// Whether two players have played from one network address, so that only chips count.
    pub is_at_one_address: bool,
}

impl Table {
    /// Makes a new table without players, before the first commit. `now` is in milliseconds since 1970.
    pub(crate) fn new(title: Option<String>, rule_set: PinnedRules, seats: Vec<TableSeat>, now: u64) -> Self {
        Self {
            title,
            rule_set,
            variant: None,
            options: Options::new(),
            settings: TableSettings::default(),
            seats,
            master: None,
            watchers: Vec::new(),
            invitations: Vec::new(),
            link: None,
            chat: Chat::default(),
            vote: None,
            wants_game: false,
            current: None,
            past: VecDeque::new(),
            games: 0,
            notices: VecDeque::new(),
            noticed: 0,
            sat_down: 0,
            created_at: now,
            changed_at: now,
            version: 0,
            events: 0,
            is_closed: false,
            webhooks: Vec::new(),
            unstaked: None,
            visitors: Vec::new(),
        }
    }

    /// Decodes a snapshot.
    ///
    /// # Errors
    /// The bytes are damaged, or have another layout.
    pub(crate) fn read(snapshot: &[u8]) -> Result<Self, Problem> {
        match snapshot.split_first() {
            Some((&LAYOUT, rest)) => rmp_serde::from_slice(rest).map_err(internal),
            Some((layout, _)) => Err(internal(format!("a table has layout {layout}, this program reads {LAYOUT}"))),
            None => Err(internal("the snapshot of a table is empty")),
        }
    }

    /// Encodes the table as a snapshot.
    ///
    /// # Errors
    /// The table cannot be encoded, which its type makes impossible.
    pub(crate) fn write(&self) -> Result<Bytes, Problem> {
        let mut snapshot = vec![LAYOUT];
        rmp_serde::encode::write(&mut snapshot, self).map_err(internal)?;
        Ok(snapshot.into())
    }

    /// Returns the players who sit at the table, with their seats, in the order of travel.
    pub(crate) fn sitters(&self) -> impl Iterator<Item = (&str, &Sitter)> {
        self.seats.iter().filter_map(|seat| Some((seat.seat.as_str(), seat.sitter.as_ref()?)))
    }

    /// Returns the rule set that the next game plays.
    pub(crate) fn next_rule_set(&self) -> &PinnedRules {
        self.variant.as_ref().unwrap_or(&self.rule_set)
    }

    pub(crate) fn seat_of(&self, player: PlayerId) -> Option<&str> {
        self.sitters().find(|(_, sitter)| sitter.player == player).map(|(seat, _)| seat)
    }

    /// Notes the network address of a request of a player, if the player sits at the table. Returns whether the address
    /// of the player's last request was another one.
    pub(crate) fn note_address(&mut self, player: PlayerId, address: AddressMark) -> bool {
        let mut sitters = self.seats.iter_mut().filter_map(|seat| seat.sitter.as_mut());
        let sitter = sitters.find(|sitter| sitter.player == player);
        sitter.is_some_and(|sitter| sitter.address.replace(address) != Some(address))
    }

    /// Tells whether a player watches the table.
    pub(crate) fn is_watched_by(&self, player: PlayerId) -> bool {
        self.watchers.iter().any(|watcher| watcher.player == player)
    }

    /// Tells whether a player has an invitation.
    pub(crate) fn has_invited(&self, player: PlayerId) -> bool {
        self.invitations.iter().any(|invitation| invitation.player == player)
    }

    /// Tells whether the table has a seat that nobody has taken.
    pub(crate) fn has_free_seat(&self) -> bool {
        self.seats.iter().any(|seat| !seat.is_taken())
    }

    /// Tells whether the next game counts, judged by the seats that are taken so far. A game with a robot in a seat is
    /// practice.
    pub(crate) fn next_game_counts(&self) -> bool {
        self.settings.competitive && self.seats.iter().all(|seat| seat.robot.is_none())
    }

    /// Tells whether players may still sit down for the next game, and no game is in play or about to begin.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_closed && self.current.is_none() && !self.wants_game
    }

    /// Tells whether quick play may bring strangers to the table: it is public, has a free seat, and waits for its
    /// first game. After a game, the players who still sit at the table may have gone away.
    pub(crate) fn takes_strangers(&self) -> bool {
        self.is_open() && self.has_free_seat() && !self.settings.private && self.past.is_empty()
    }

    /// Tells whether a player plays the game of the table, or the game that is about to begin.
    pub(crate) fn is_played_by(&self, player: PlayerId) -> bool {
        let plays = |known: &GamePlayer| known.player == Some(player) && !known.has_left && known.control.is_some();
        match &self.current {
            Some(current) => !current.is_cancelled && current.players.iter().any(plays),
            None => !self.is_closed && self.wants_game && self.seat_of(player).is_some(),
        }
    }

    /// Returns the class of the table: a hash that is equal for all tables with the same rule set, number of seats,
    /// options and clock.
    pub(crate) fn class(&self) -> String {
        let settings = TableSetting::ALL.into_iter().filter(|setting| setting.is_of_class());
        let settings = settings.map(|setting| format!("{}={:?}", setting.name(), setting.value(&self.settings)));
        let options = self.options.iter().map(|(name, value)| format!("{name}={value:?}"));
        let head = [self.next_rule_set().digest.clone(), self.seats.len().to_string()];
        let parts: Vec<_> = head.into_iter().chain(settings).chain(options).collect();
        const_hex::encode(&blake3::hash(parts.join("\n").as_bytes()).as_bytes()[..16])
    }

    /// Returns the visitors who can be removed from the events of the table: all but the newest [`MOST_VISITORS`], and
    /// none whom the table itself names. Empty as long as there are few more visitors than that.
    pub(crate) fn old_visitors(&self) -> Vec<PlayerId> {
        if self.visitors.len() <= MOST_VISITORS + MORE_VISITORS {
            return Vec::new();
        }
        let named: BTreeSet<_> = self.named().collect();
        let old = self.visitors.iter().take(self.visitors.len() - MOST_VISITORS);
        old.filter(|visitor| !named.contains(visitor)).copied().collect()
    }

    /// Returns all players whom the table itself names: in its seats, lists, games, chat and notices, but not in its
    /// events.
    pub(super) fn named(&self) -> impl Iterator<Item = PlayerId> {
        let here =
            self.sitters().map(|(_, sitter)| sitter.player).chain(self.watchers.iter().map(|watcher| watcher.player));
        let invited = self.invitations.iter().flat_map(|invitation| [invitation.player, invitation.by]);
        let current = self.current.iter().flat_map(|current| &current.players);
        let past = self.past.iter().flat_map(|past| past.players.iter().map(|(known, _)| known));
        let played = current.chain(past).filter_map(|known| known.player);
        let said = self.chat.lines.iter().flat_map(|line| line.reported_by.iter().copied().chain([line.player]));
        let told = self.notices.iter().map(|notice| notice.player);
        here.chain(invited).chain(played).chain(said).chain(self.chat.muted.iter().copied()).chain(told)
    }
}

/// Makes the problem for a table that does not exist.
pub(crate) fn not_found() -> Problem {
    Problem::new(Code::TableNotFound, "no table has this id")
}
