//! The chat of a table: the newest lines, and the muted players.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::player::PlayerId;

/// Number of lines that a table stores.
const MOST_LINES: usize = 200;
/// Size of all lines together, in bytes, above which the oldest lines are dropped.
const MOST_BYTES: usize = 32 << 10;
/// Number of reports of a line that are counted.
const MOST_REPORTS: usize = 20;
/// Number of muted players that a table stores.
const MOST_MUTED: usize = 200;
/// Number of lines that a player may say within [`PACE`].
pub(crate) const MOST_AT_ONCE: usize = 5;
/// The time in which a player may say [`MOST_AT_ONCE`] lines, in milliseconds.
pub(crate) const PACE: u64 = 10_000;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Chat {
    /// The newest lines, oldest first.
    pub lines: VecDeque<ChatLine>,
    /// Number of lines so far.
    pub said: u64,
    /// The players who may not say lines.
    pub muted: Vec<PlayerId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChatLine {
    /// The number of the line at the table, from 1.
    pub number: u64,
    /// The player who said the line.
    pub player: PlayerId,
    /// The name of the player, for people.
    pub name: Option<String>,
    /// What was said, in normal form; `None` if the line was removed.
    pub text: Option<String>,
    /// The time, in milliseconds since 1970.
    pub at: u64,
    /// The players who have reported the line to the master, the first [`MOST_REPORTS`] of them.
    pub reported_by: Vec<PlayerId>,
}

impl ChatLine {
    /// Counts the report of a player. Returns `false` if the player has reported the line before, or if the line has
    /// [`MOST_REPORTS`] reports.
    pub(crate) fn report(&mut self, player: PlayerId) -> bool {
        let is_new = self.reported_by.len() < MOST_REPORTS && !self.reported_by.contains(&player);
        self.reported_by.extend(is_new.then_some(player));
        is_new
    }
}

impl Chat {
    /// Adds a line, and drops the oldest lines beyond the limits. Returns the number of the line.
    pub(crate) fn say(&mut self, player: PlayerId, name: Option<String>, text: String, at: u64) -> u64 {
        self.said += 1;
        let reported_by = Vec::new();
        self.lines.push_back(ChatLine { number: self.said, player, name, text: Some(text), at, reported_by });
        while self.lines.len() > MOST_LINES || (self.lines.len() > 1 && self.bytes() > MOST_BYTES) {
            self.lines.pop_front();
        }
        self.said
    }

    fn bytes(&self) -> usize {
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.lines.iter().map(|line| size(&line.text) + size(&line.name)).sum()
    }

    /// Returns the time, in milliseconds, after which a player may say another line; `None` if at once.
    pub(crate) fn pause(&self, player: PlayerId, now: u64) -> Option<u64> {
        let own = self.lines.iter().rev().filter(|line| line.player == player);
        let recent = own.take_while(|line| now < line.at.saturating_add(PACE)).map(|line| line.at);
        let oldest = recent.take(MOST_AT_ONCE).enumerate().nth(MOST_AT_ONCE - 1);
        oldest.map(|(_, at)| (at + PACE).saturating_sub(now))
    }

    /// Mutes a player, or lets the player speak again. If too many players are muted, the first of them may speak
    /// again.
    pub(crate) fn mute(&mut self, player: PlayerId, is_muted: bool) {
        self.muted.retain(|muted| *muted != player);
        if is_muted {
            self.muted.push(player);
            self.muted.drain(..self.muted.len().saturating_sub(MOST_MUTED));
        }
    }

    /// Finds a line that is still stored.
    pub(crate) fn line_mut(&mut self, number: u64) -> Option<&mut ChatLine> {
        self.lines.iter_mut().find(|line| line.number == number)
    }

    /// Removes everything that a player has said.
    pub(crate) fn erase(&mut self, player: PlayerId) {
        self.lines.retain(|line| line.player != player);
        self.lines.iter_mut().for_each(|line| line.reported_by.retain(|other| *other != player));
        self.muted.retain(|muted| *muted != player);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_chat_stays_small() {
        let (mut chat, player) = (Chat::default(), Uuid::from_u128(1));
        for number in 1..=1000 {
            assert_eq!(chat.say(player, None, "x".to_owned(), number), number);
        }
        assert_eq!((chat.lines.len(), chat.lines[0].number), (MOST_LINES, 801));
        for number in 0..100 {
            chat.say(player, Some("Asha".to_owned()), "\u{1f3b2}".repeat(300), number);
            assert!(chat.bytes() <= MOST_BYTES);
        }
        assert!(chat.lines.len() > 20);
    }

    #[test]
    fn reports_and_muted_players_are_bounded() {
        let mut chat = Chat::default();
        chat.say(Uuid::from_u128(1), None, "x".to_owned(), 1);
        let counted = (0..500).filter(|&player| chat.lines[0].report(Uuid::from_u128(player))).count();
        assert_eq!((counted, chat.lines[0].reported_by.len()), (MOST_REPORTS, MOST_REPORTS));
        assert!(!chat.lines[0].report(Uuid::from_u128(0)), "once is enough");
        (0..500).for_each(|player| chat.mute(Uuid::from_u128(player), true));
        assert_eq!((chat.muted.len(), chat.muted[0]), (MOST_MUTED, Uuid::from_u128(300)));
        chat.mute(Uuid::from_u128(300), false);
        assert!(!chat.muted.contains(&Uuid::from_u128(300)));
    }

    #[test]
    fn a_player_says_a_few_lines_at_once() {
        let (mut chat, one, other) = (Chat::default(), Uuid::from_u128(1), Uuid::from_u128(2));
        for line in 0..MOST_AT_ONCE as u64 {
            assert_eq!(chat.pause(one, 1_000 + line), None);
            chat.say(one, None, "x".to_owned(), 1_000 + line);
        }
        assert_eq!((chat.pause(one, 1_010), chat.pause(other, 1_010)), (Some(PACE - 10), None));
        assert_eq!(chat.pause(one, 1_000 + PACE), None, "the first line is old enough");
    }

    #[test]
    fn what_a_deleted_player_said_is_gone() {
        let (mut chat, one, other) = (Chat::default(), Uuid::from_u128(1), Uuid::from_u128(2));
        chat.say(one, None, "a".to_owned(), 1);
        chat.say(other, None, "b".to_owned(), 2);
        chat.lines[1].reported_by.push(one);
        chat.muted.push(one);
        chat.erase(one);
        assert_eq!((chat.lines.len(), chat.lines[0].number, chat.muted.len()), (1, 2, 0));
        assert!(chat.lines[0].reported_by.is_empty());
    }
}
