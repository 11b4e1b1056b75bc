//! The events of a group: those about the group itself, and copies of the events of its games.

use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::follow::EventHead;
use crate::game::GameId;
use crate::game::erasing::without_player;
use crate::model::event_kind::GroupEventKind;
use crate::model::group::GroupEventView;

/// Writes an event about the group itself, in the form in which it is stored and sent.
///
/// # Errors
/// The event cannot be written as JSON, which its type makes impossible.
pub(crate) fn own(id: u64, kind: GroupEventKind, at: &str) -> Result<Vec<u8>, Problem> {
    let view = GroupEventView { id, event: kind.word(), at, game_id: None, game_event: None };
    serde_json::to_vec(&view).map_err(internal)
}

/// Writes the copy of an event of a game, in the form in which it is stored and sent.
///
/// # Errors
/// The bytes are not a stored event.
pub(crate) fn copy(id: u64, game: GameId, event: &[u8]) -> Result<Vec<u8>, Problem> {
    let EventHead { event: word, at } = EventHead::read(event)?;
    let game_event: &RawValue = serde_json::from_slice(event).map_err(internal)?;
    let view = GroupEventView { id, event: &word, at: &at, game_id: Some(game), game_event: Some(game_event) };
    serde_json::to_vec(&view).map_err(internal)
}

/// The copy of a game's event in an event of a group.
#[derive(Deserialize)]
struct CopiedEvent<'e> {
    #[serde(borrow, default)]
    game_event: Option<&'e RawValue>,
}

/// Returns the copy of a game's event without the name and the id of a player; `None` if the event does not name the
/// player.
///
/// # Errors
/// The text is not a stored event.
pub(crate) fn copy_without_player(event: &str, player: Uuid) -> Result<Option<String>, Problem> {
    if !event.contains(&player.to_string()) {
        return Ok(None);
    }
    let CopiedEvent { game_event } = serde_json::from_str(event).map_err(internal)?;
    let Some(copied) = game_event.map(RawValue::get) else { return Ok(None) };
    Ok(without_player(copied, player)?.map(|erased| event.replacen(copied, &erased, 1)))
}
