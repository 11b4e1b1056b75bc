//! A player while a command changes it: the next version, and the events of the command.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::error::{Code, Problem, detail};
use crate::game::GameId;
use crate::ground::clock;
use crate::model::event_kind::PlayerEventKind;
use crate::model::player::PlayerView;
use crate::player::event::{self, LedgerNews, PlayerEventFields};
use crate::player::inbox::{GameEvent, News};
use crate::player::stored::{InboxGame, Player};
use crate::player::view;
use crate::player::{PlayerId, entity};
use crate::store::EntityChange;

/// Maximum number of games that are not over in which a player sits.
pub(crate) const MOST_GAMES: usize = 1000;
/// Time, in milliseconds, that a player has to join a game after [`PlayerEdit::note_game`]. After it, the game is
/// removed from the player's list if the player has no seat there.
pub(crate) const JOINING: u64 = 600_000;

/// New events of a game, from which news for the inbox of a player are made.
#[derive(Debug)]
pub(crate) struct GameNews {
    pub id: GameId,
    /// Number of the game's events that had been read for the inbox already when these events were read.
    pub after: u64,
    /// The game's next events, as they are stored.
    pub events: Vec<Vec<u8>>,
    /// Number of all events of the game. It is smaller than `after` if the store has lost events of the game.
    pub all: u64,
    /// Whether no events can follow, because the game is over.
    pub is_over: bool,
    /// Whether the store no longer has the game. The player then counts as having left it.
    pub is_removed: bool,
    /// The final ranks of the seats, if the game is over.
    pub places: BTreeMap<String, u8>,
    /// The value of [`InboxGame::noted_at`] when the game was read.
    pub noted_at: u64,
}

impl GameNews {
    /// Tells whether the inbox needs no further events of the game. `known` is the game's entry in the player's list.
    pub(crate) fn ends(&self, known: &InboxGame, now: u64) -> bool {
        let is_read = known.read >= self.all;
        let is_joining = known.noted_at != self.noted_at || now < known.noted_at + JOINING;
        is_read && (self.is_over || (known.seat.is_none() && !is_joining))
    }
}

/// A player that a command changes, until it is committed as its next version.
pub(crate) struct PlayerEdit {
    pub id: PlayerId,
    /// The next version of the player.
    pub player: Player,
    /// Whether the player needs a new deadline, because it is new, is about to join a game, or was deleted.
    pub is_new_state: bool,
    /// The version of the player before the command.
    version_before: u64,
    tags_before: Vec<String>,
    events: Vec<Vec<u8>>,
}

impl PlayerEdit {
    /// Begins to change a player, or makes a new one. `now` is in milliseconds since 1970.
    pub(crate) fn begin(id: PlayerId, mut player: Player, now: u64) -> Self {
        let (version_before, tags_before) = (player.version, player.tags());
        player.version += 1;
        player.changed_at = now;
        Self { id, player, is_new_state: version_before == 0, version_before, tags_before, events: Vec::new() }
    }

    /// Returns the version of the player before the command.
    pub(crate) fn version_before(&self) -> u64 {
        self.version_before
    }

    /// Appends an event about the player alone.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn add(&mut self, kind: PlayerEventKind) -> Result<(), Problem> {
        self.write(kind, &clock::at(self.player.changed_at), PlayerEventFields::default())
    }

    /// Appends an event about another player.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn add_about(&mut self, kind: PlayerEventKind, other: PlayerId) -> Result<(), Problem> {
        let fields = PlayerEventFields { player: Some(other), ..PlayerEventFields::default() };
        self.write(kind, &clock::at(self.player.changed_at), fields)
    }

    fn write(&mut self, kind: PlayerEventKind, at: &str, fields: PlayerEventFields<'_>) -> Result<(), Problem> {
        self.player.events += 1;
        self.events.push(event::write(self.player.events, kind, at, fields)?);
        Ok(())
    }

    /// Appends an event about the chips and the career of the player in a game.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(super) fn add_of_ledger(
        &mut self,
        kind: PlayerEventKind,
        game: GameId,
        news: &LedgerNews,
    ) -> Result<(), Problem> {
        self.player.events += 1;
        let at = clock::at(self.player.changed_at);
        self.events.push(event::write_of_ledger(self.player.events, kind, &at, game, news)?);
        Ok(())
    }

    /// Adds the notice of a table to the inbox, unless the inbox has this notice or a later one of the table. `at` is
    /// in milliseconds since 1970.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn take_notice(
        &mut self,
        table: Uuid,
        number: u64,
        kind: PlayerEventKind,
        at: u64,
    ) -> Result<(), Problem> {
        if self.player.has_been_told(table, number) {
            return Ok(());
        }
        self.player.note_told(table, number);
        let fields = PlayerEventFields { table: Some(table), ..PlayerEventFields::default() };
        self.write(kind, &clock::at(at), fields)
    }

    /// Notes that the player is about to join a game, so that the inbox gets the news of the game. `group` is the id of
    /// the game's group. The note is committed before the player joins. So no event is missed, even if the process dies
    /// after the player has joined.
    ///
    /// # Errors
    /// The player has joined too many games that are not over.
    pub(crate) fn note_game(&mut self, id: GameId, group: Option<Uuid>) -> Result<(), Problem> {
        let noted_at = self.player.changed_at;
        if let Some(game) = self.player.games.iter_mut().find(|game| game.id == id) {
            game.noted_at = noted_at;
        } else if self.player.games.len() >= MOST_GAMES {
            let detail = detail!("the player has {most} games that are not over", most = MOST_GAMES);
            return Err(Problem::new(Code::GamesFull, detail));
        } else {
            self.player.games.push(InboxGame { id, read: 0, seat: None, group, gave_up: false, noted_at });
        }
        self.is_new_state = true;
        Ok(())
    }

    /// Deletes the player. The list of games that the player is about to join is kept, because each of them has to be
    /// checked again.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn delete(&mut self) -> Result<(), Problem> {
        let player = &mut self.player;
        (player.name, player.is_deleted) = (None, true);
        player.webhooks.clear();
        self.is_new_state = true;
        self.add(PlayerEventKind::Deleted)
    }

    /// Adds the news of games to the inbox. Leaves out events that were read for the inbox before, so `news` may
    /// contain such events.
    ///
    /// # Errors
    /// An event is damaged.
    pub(crate) fn take(&mut self, news: &[GameNews]) -> Result<(), Problem> {
        for game in news {
            let Some(index) = self.player.games.iter().position(|known| known.id == game.id) else { continue };
            let mut inbox_game = self.player.games[index].clone();
            if inbox_game.read < game.after {
                // The store has lost the version of the player whose inbox had the events up to `after`. The next
                // attempt reads both again.
                continue;
            }
            if inbox_game.read == game.after && game.all < game.after {
                // The store has lost events that were read for the inbox. The game's next events get the lost numbers.
                self.player.games[index].read = game.all;
                continue;
            }
            let skipped = usize::try_from(inbox_game.read - game.after).unwrap_or(usize::MAX);
            for bytes in game.events.iter().skip(skipped) {
                let event = GameEvent::read(bytes)?;
                inbox_game.read += 1;
                for news in event.news(self.id, &mut inbox_game, &game.places) {
                    let fields = PlayerEventFields {
                        news: Some((game.id, &news)),
                        group: inbox_game.group,
                        ..PlayerEventFields::default()
                    };
                    self.write(news.kind, &event.at, fields)?;
                }
            }
            if game.is_removed {
                let kind = PlayerEventKind::GameLeft;
                let news = News { kind, seat: inbox_game.seat.take(), proposed_by: None, reason: None, place: None };
                let fields = PlayerEventFields {
                    news: Some((game.id, &news)),
                    group: inbox_game.group,
                    ..PlayerEventFields::default()
                };
                self.write(kind, &clock::at(self.player.changed_at), fields)?;
            }
            if game.ends(&inbox_game, self.player.changed_at) {
                self.player.games.remove(index);
            } else {
                self.player.games[index] = inbox_game;
            }
        }
        Ok(())
    }

    /// Returns the view of the changed player.
    pub(crate) fn view(&self) -> PlayerView<'_> {
        view::player(self.id, &self.player)
    }

    /// Tells whether webhooks have new events to deliver.
    pub(crate) fn notifies_webhooks(&self) -> bool {
        !self.player.webhooks.is_empty() && !self.events.is_empty()
    }

    /// Makes the change to commit.
    ///
    /// # Errors
    /// The player cannot be encoded, which its type makes impossible.
    pub(crate) fn into_change(self) -> Result<EntityChange, Problem> {
        let tags = self.player.tags();
        Ok(EntityChange {
            id: entity(self.id),
            expected: self.version_before,
            snapshot: self.player.write()?,
            changed_at: self.player.changed_at,
            is_closed: self.player.is_deleted,
            tags: (tags != self.tags_before).then_some(tags),
            events: self.events,
            text: None,
            deadline: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ground::token::Token;

    fn player(games: usize) -> PlayerEdit {
        let mut player = Player::new(None, Token::new().unwrap().hash(), 0);
        let game = |number: usize| InboxGame {
            id: Uuid::from_u128(number as u128),
            read: 4,
            seat: Some("red".to_owned()),
            group: None,
            gave_up: false,
            noted_at: 0,
        };
        player.games = (0..games).map(game).collect();
        PlayerEdit::begin(Uuid::now_v7(), player, 1_000)
    }

    fn news(number: u128, after: u64, all: u64) -> GameNews {
        let turn = serde_json::json!({"event": "turn", "at": "x", "seat": "red"}).to_string().into_bytes();
        let events = (after..all).map(|_| turn.clone()).collect();
        let places = BTreeMap::new();
        GameNews {
            id: Uuid::from_u128(number),
            after,
            events,
            all,
            is_over: false,
            is_removed: false,
            places,
            noted_at: 0,
        }
    }

    #[test]
    fn a_player_sits_in_a_bounded_number_of_unfinished_games() {
        let mut edit = player(MOST_GAMES);
        assert!(edit.note_game(Uuid::from_u128(3), None).is_ok(), "the player sits there already");
        assert_eq!(edit.note_game(Uuid::now_v7(), None).unwrap_err().code, Code::GamesFull);
        assert_eq!(edit.player.games.len(), MOST_GAMES);
    }

    #[test]
    fn the_same_events_are_told_once_and_none_is_left_out() {
        let mut edit = player(2);
        edit.take(&[news(1, 4, 6), news(1, 4, 6)]).unwrap();
        assert_eq!((edit.player.events, edit.player.games[1].read), (2, 6));
        edit.take(&[news(1, 5, 7)]).unwrap();
        assert_eq!((edit.player.events, edit.player.games[1].read), (3, 7));
        edit.take(&[news(1, 9, 12)]).unwrap();
        assert_eq!((edit.player.events, edit.player.games[1].read), (3, 7), "events before these are not told yet");
        // The store has lost two events of the game: the next one has number 6 again.
        edit.take(&[news(1, 7, 5)]).unwrap();
        edit.take(&[news(1, 5, 6)]).unwrap();
        assert_eq!((edit.player.events, edit.player.games[1].read), (4, 6));
        edit.take(&[news(77, 0, 3)]).unwrap();
        assert_eq!(edit.player.events, 4, "a game that the player never was about to join");
    }

    #[test]
    fn a_game_leaves_the_inbox_when_it_is_over_or_was_not_joined() {
        let mut edit = player(4);
        edit.take(&[GameNews { is_over: true, ..news(0, 4, 6) }]).unwrap();
        assert_eq!(edit.player.games.len(), 3);
        edit.player.games[0].seat = None;
        edit.take(&[news(1, 4, 4)]).unwrap();
        assert_eq!(edit.player.games.len(), 3, "the player may be about to join");
        edit.player.changed_at = JOINING;
        edit.take(&[GameNews { noted_at: 7, ..news(1, 4, 4) }]).unwrap();
        assert_eq!(edit.player.games.len(), 3, "the player has asked to join again since the game was read");
        edit.take(&[news(1, 4, 4)]).unwrap();
        assert_eq!(edit.player.games.len(), 2);
    }
}
