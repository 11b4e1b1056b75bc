//! Takes a deleted player out of a game and its events: the id is removed, and the name is removed or replaced.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::terms::Status;
use crate::ground::text::DELETED_PLAYER;
use crate::ground::token::Token;
use crate::model::event_kind::EventKind;

impl Edit {
    /// Takes a deleted player out of the game, also as a watcher, and revokes the token of the seat. Before the start,
    /// the seat becomes free. After the start, the seat stays taken under the name [`DELETED_PLAYER`]; if the game is
    /// still being played, the seat gives up or a robot plays on, so that the other seats need not wait.
    ///
    /// # Errors
    /// The operating system has no random bytes, or a turn cannot be played.
    pub(crate) fn erase_player(&mut self, player: Uuid) -> Result<(), Problem> {
        if self.game.setup.watchers.contains(&player) {
            self.game.setup_mut().watchers.retain(|watcher| *watcher != player);
            self.moved.push(player);
        }
        let own = self.game.setup.seats.iter().find(|game_seat| game_seat.player == Some(player));
        let Some(name) = own.map(|game_seat| game_seat.seat.clone()) else { return Ok(()) };
        let (seat, status) = (self.player(&name)?, self.game.status);
        self.moved.push(player);
        let unknown = Token::new()?.hash();
        let game_seat = self.seat_mut(&name)?;
        game_seat.player = None;
        let revoked = if status == Status::Open {
            (game_seat.name, game_seat.contribution) = (None, None);
            game_seat.token.take()
        } else {
            // A seat without a token would be free. So the seat gets a token that nobody knows.
            game_seat.name = Some(DELETED_PLAYER.to_owned());
            game_seat.token.replace(unknown)
        };
        revoked.into_iter().for_each(|token| self.game.setup_mut().revoke(token));
        let kind = if status == Status::Open { EventKind::LeftSeat } else { EventKind::TokenChanged };
        self.add(Event::of_seat(kind, seat));
        if status == Status::Playing {
            self.leave_for_good(&name)?;
            self.settle()?;
        }
        Ok(())
    }
}

/// Returns the event without the id of a player, and with the name [`DELETED_PLAYER`] instead of the player's name;
/// `None` if the event does not name the player.
///
/// # Errors
/// The text is not a stored event.
pub(crate) fn without_player(event: &str, player: Uuid) -> Result<Option<String>, Problem> {
    with_name_alone(event, player, Some(DELETED_PLAYER))
}

/// Returns the event without the id and the name of a player; `None` if the event does not name the player.
///
/// # Errors
/// The text is not a stored event.
pub(crate) fn without_id(event: &str, player: Uuid) -> Result<Option<String>, Problem> {
    with_name_alone(event, player, None)
}

/// Returns the event with this name, or with none, instead of the id and the name of a player.
fn with_name_alone(event: &str, player: Uuid, instead: Option<&str>) -> Result<Option<String>, Problem> {
    // Most events name no player. A search in the text is faster than parsing them.
    let id = player.to_string();
    if !event.contains(&id) {
        return Ok(None);
    }
    let mut fields: Map<String, Value> = serde_json::from_str(event).map_err(internal)?;
    if fields.get("player").and_then(Value::as_str) != Some(&id) {
        return Ok(None);
    }
    fields.remove("player");
    match instead {
        Some(name) => fields.insert("name".to_owned(), name.into()),
        None => fields.remove("name"),
    };
    serde_json::to_string(&fields).map(Some).map_err(internal)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_forgets_the_player_and_nothing_else() {
        let (asha, ravi) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let text = format!(",\"player\":\"{asha}\",\"name\":\"x\"");
        let event = |name: Option<&str>| {
            let mut event = r#"{"id":2,"event":"joined","at":"x","seat":"red""#.to_owned();
            name.into_iter().for_each(|name| event.push_str(&format!(",\"name\":{}", json!(name))));
            event + &format!(",\"contribution\":{},\"player\":\"{asha}\"}}", json!(text))
        };
        for name in [None, Some("Asha"), Some(text.as_str()), Some("a\"b\\")] {
            let erased = without_player(&event(name), asha).unwrap().unwrap();
            let erased: Value = serde_json::from_str(&erased).unwrap();
            let expected = json!({"id": 2, "event": "joined", "at": "x", "seat": "red", "name": DELETED_PLAYER,
                "contribution": text});
            assert_eq!(erased, expected);
            assert_eq!(without_player(&event(name), ravi).unwrap(), None);
            let erased: Value = serde_json::from_str(&without_id(&event(name), asha).unwrap().unwrap()).unwrap();
            assert_eq!(
                (&erased["name"], &erased["player"], &erased["seat"]),
                (&Value::Null, &Value::Null, &json!("red"))
            );
        }
        let other = format!("{{\"id\":3,\"event\":\"joined\",\"name\":{}}}", json!(text));
        assert_eq!(without_player(&other, asha).unwrap(), None, "a name is only a name");
    }

    #[test]
    fn the_fields_of_a_stored_event_may_have_any_order() {
        let asha = Uuid::from_u128(1);
        let fields = [("id", json!(2)), ("player", json!(asha)), ("name", json!("Asha")), ("seat", json!("red"))];
        for first in 0..fields.len() {
            let turned = fields.iter().cycle().skip(first).take(fields.len());
            let event: Map<String, Value> = turned.map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            let erased = without_player(&json!(event).to_string(), asha).unwrap().unwrap();
            let erased: Value = serde_json::from_str(&erased).unwrap();
            assert_eq!(erased, json!({"id": 2, "seat": "red", "name": DELETED_PLAYER}));
        }
    }
}
