//! Makes the news for the inbox of a player from the events of a game.
//!
//! The news depend only on the events of the game, in their order, and on its final ranks. So it does not matter which
//! process adds the news, when it does so, and how many it adds at a time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{Problem, internal};
use crate::game::terms::Agreement;
use crate::model::event_kind::EventKind;
use crate::model::event_kind::PlayerEventKind;
use crate::player::PlayerId;
use crate::player::stored::InboxGame;

/// The fields of a game's event from which news are made.
#[derive(Debug, Deserialize)]
pub(crate) struct GameEvent<'e> {
    #[serde(borrow)]
    event: Cow<'e, str>,
    /// The time of the event, in RFC 3339.
    #[serde(borrow)]
    pub at: Cow<'e, str>,
    #[serde(borrow, default)]
    seat: Option<Cow<'e, str>>,
    #[serde(borrow, default)]
    reason: Option<Cow<'e, str>>,
    #[serde(default)]
    player: Option<PlayerId>,
    #[serde(borrow, default)]
    next: Option<NextTurn<'e>>,
}

#[derive(Debug, Deserialize)]
struct NextTurn<'e> {
    #[serde(borrow, default)]
    turn: Option<Cow<'e, str>>,
    #[serde(borrow, default)]
    asked: Option<Cow<'e, str>>,
}

impl NextTurn<'_> {
    /// The seat that has to decide.
    fn decider(&self) -> Option<&str> {
        self.asked.as_deref().or(self.turn.as_deref())
    }
}

/// One piece of news for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct News {
    /// The word of the event in the inbox.
    pub kind: PlayerEventKind,
    /// The seat of the player; `None` if the player never had one.
    pub seat: Option<String>,
    /// The seat that agrees to end the game.
    pub proposed_by: Option<String>,
    /// The proposal that a seat agrees to, or the reason why the game is over.
    pub reason: Option<String>,
    /// The final rank of the player's seat, if the game is over.
    pub place: Option<u8>,
}

impl<'e> GameEvent<'e> {
    /// Reads the bytes of a stored event of a game.
    ///
    /// # Errors
    /// The bytes are not a stored event.
    pub(crate) fn read(bytes: &'e [u8]) -> Result<Self, Problem> {
        serde_json::from_slice(bytes).map_err(internal)
    }

    /// Returns the news of the event for a player, and updates `game` with the seat of the player after the event.
    /// `places` are the final ranks of the seats, if the game is over.
    pub(crate) fn news(&self, player: PlayerId, game: &mut InboxGame, places: &BTreeMap<String, u8>) -> Vec<News> {
        let kind = EventKind::parse(&self.event);
        if matches!(kind, Some(EventKind::Joined | EventKind::SeatClaimed)) && self.player == Some(player) {
            game.seat = self.seat.as_deref().map(str::to_owned);
            game.gave_up = false;
        }
        let Some(seat) = game.seat.clone() else { return Vec::new() };
        let is_own = self.seat.as_deref() == Some(seat.as_str());
        let plain = |kind| News { kind, seat: Some(seat.clone()), proposed_by: None, reason: None, place: None };
        let reason = self.reason.as_deref().map(str::to_owned);
        match kind {
            Some(EventKind::Joined | EventKind::SeatClaimed) if is_own => vec![plain(PlayerEventKind::GameJoined)],
            Some(EventKind::LeftSeat) if is_own => {
                game.seat = None;
                vec![plain(PlayerEventKind::GameLeft)]
            }
            Some(EventKind::Started) => {
                let begins = self.next.as_ref().and_then(NextTurn::decider) == Some(seat.as_str());
                let due = begins.then(|| plain(PlayerEventKind::TurnDue));
                [plain(PlayerEventKind::GameStarted)].into_iter().chain(due).collect()
            }
            Some(EventKind::Resigned) if is_own => {
                game.gave_up = true;
                Vec::new()
            }
            Some(EventKind::Forfeited) if is_own => {
                game.gave_up = true;
                vec![plain(PlayerEventKind::SeatForfeited)]
            }
            Some(EventKind::Agreed) if !is_own && !game.gave_up => {
                let is_proposal = reason.as_deref() != Some(Agreement::Play.word());
                let proposed_by = self.seat.as_deref().map(str::to_owned);
                let news = || News { proposed_by, reason, ..plain(PlayerEventKind::EndProposed) };
                is_proposal.then(news).into_iter().collect()
            }
            Some(kind) if kind.is_game_over() => {
                let place = places.get(&seat).copied();
                vec![News { reason, place, ..plain(PlayerEventKind::GameEnded) }]
            }
            Some(kind) if kind.makes_due() && is_own && !game.gave_up => vec![plain(PlayerEventKind::TurnDue)],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    /// Returns the words of the news that a player gets for these events of a game.
    fn news_words(player: PlayerId, events: &[Value]) -> Vec<String> {
        let mut game = InboxGame { id: Uuid::nil(), read: 0, seat: None, group: None, gave_up: false, noted_at: 0 };
        let places = BTreeMap::from([("red".to_owned(), 2)]);
        let mut words = Vec::new();
        for event in events {
            let bytes = serde_json::to_vec(event).unwrap();
            let news = GameEvent::read(&bytes).unwrap().news(player, &mut game, &places);
            words.extend(news.into_iter().map(|news| {
                let place = news.place.map(|place| format!(" at {place}")).unwrap_or_default();
                format!("{} {}{place}", news.kind.word(), news.seat.unwrap())
            }));
        }
        words
    }

    fn event(word: &str, seat: &str) -> Value {
        json!({"event": word, "at": "2026-11-21T09:00:05.000Z", "seat": seat})
    }

    #[test]
    fn a_player_is_told_of_the_own_seat_alone() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let joined = |seat: &str, player: Uuid| json!({"event": "joined", "at": "x", "seat": seat, "player": player});
        let started = json!({"event": "started", "at": "x", "seat": "red", "next": {"awaits": "throw", "turn": "red"}});
        let agreed = json!({"event": "agreed", "at": "x", "seat": "yellow", "reason": "abort"});
        let events = [
            event("created", ""),
            event("joined", "red"),
            event("left_seat", "red"),
            joined("red", one),
            joined("yellow", other),
            started,
            event("turn", "yellow"),
            event("turn", "red"),
            agreed,
            event("forfeited", "red"),
            event("turn", "red"),
            json!({"event": "game_over", "at": "x"}),
        ];
        let expected = [
            "game_joined red",
            "game_started red",
            "turn_due red",
            "turn_due red",
            "end_proposed red",
            "seat_forfeited red",
            "game_ended red at 2",
        ];
        assert_eq!(news_words(one, &events), expected);
        let expected = ["game_joined yellow", "game_started yellow", "turn_due yellow", "game_ended yellow"];
        assert_eq!(news_words(other, &events), expected);
        assert_eq!(news_words(Uuid::from_u128(3), &events), [""; 0]);
    }

    #[test]
    fn a_player_who_has_left_is_told_nothing_more() {
        let player = Uuid::from_u128(1);
        let joined = json!({"event": "joined", "at": "x", "seat": "red", "player": player});
        let events = [joined, event("left_seat", "red"), event("joined", "red"), event("turn", "red")];
        assert_eq!(news_words(player, &events), ["game_joined red", "game_left red"]);
    }
}
