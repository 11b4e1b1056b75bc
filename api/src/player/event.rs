//! The events of a player, as they are written.

use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::model::event_kind::PlayerEventKind;
use crate::model::player::PlayerEventView;
use crate::player::inbox::News;

/// The fields of an event, beside number, word and time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PlayerEventFields<'n> {
    /// A game, and the news about it.
    pub news: Option<(GameId, &'n News)>,
    pub group: Option<Uuid>,
    /// The table concerned.
    pub table: Option<Uuid>,
    /// The other player concerned.
    pub player: Option<Uuid>,
}

/// Writes an event of a player, in the form in which it is stored and sent.
///
/// # Errors
/// The event cannot be written as JSON, which its type makes impossible.
pub(crate) fn write(
    id: u64,
    kind: PlayerEventKind,
    at: &str,
    fields: PlayerEventFields<'_>,
) -> Result<Vec<u8>, Problem> {
    let PlayerEventFields { news, group, table, player } = fields;
    let of_game = news.map(|(_, news)| news);
    let view = PlayerEventView {
        id,
        event: kind.word(),
        at,
        game_id: news.map(|(game, _)| game),
        group_id: group,
        seat: of_game.and_then(|news| news.seat.as_deref()),
        proposed_by: of_game.and_then(|news| news.proposed_by.as_deref()),
        reason: of_game.and_then(|news| news.reason.as_deref()),
        place: of_game.and_then(|news| news.place),
        table_id: table,
        player,
        name: None,
        game: None,
        ..PlayerEventView::default()
    };
    serde_json::to_vec(&view).map_err(internal)
}

/// The changes that a game makes to the ledger and the career of a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LedgerNews {
    /// The change of the balance; `None` in a game without a bet.
    pub chips: Option<i64>,
    /// The balance after the event.
    pub balance: u64,
    /// The experience that the player gains; `None` if the game does not count.
    pub experience: Option<u64>,
    /// The ids of the badges that the player earns.
    pub badges: Vec<String>,
}

/// Writes an event about the chips and the career of a player, in the form in which it is stored and sent.
///
/// # Errors
/// The event cannot be written as JSON, which its type makes impossible.
pub(crate) fn write_of_ledger(
    id: u64,
    kind: PlayerEventKind,
    at: &str,
    game: GameId,
    news: &LedgerNews,
) -> Result<Vec<u8>, Problem> {
    let view = PlayerEventView {
        id,
        event: kind.word(),
        at,
        game_id: Some(game),
        chips: news.chips,
        balance: news.chips.map(|_| news.balance),
        experience: news.experience,
        badges: news.badges.iter().map(String::as_str).collect(),
        ..PlayerEventView::default()
    };
    serde_json::to_vec(&view).map_err(internal)
}
