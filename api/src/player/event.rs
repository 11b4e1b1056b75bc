//! The events of a player. The word of every kind of event is defined here.

use uuid::Uuid;

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::model::player::PlayerEventView;
use crate::player::inbox::News;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlayerEventKind {
    /// The player was created.
    Created,
    /// The name of the player was changed.
    Changed,
    /// The token of the player was renewed.
    TokenChanged,
    /// A webhook of the player was registered or removed.
    WebhooksChanged,
    /// The player was deleted.
    Deleted,
    /// The player has sat down in a game.
    GameJoined,
    /// The player has left a seat, or the owner of the game has freed it.
    GameLeft,
    /// A game of the player was started.
    GameStarted,
    /// It is the turn of the player.
    TurnDue,
    /// Another seat agrees to end or to abort the game.
    EndProposed,
    /// The player was late too often.
    SeatForfeited,
    /// A game of the player is over.
    GameEnded,
    /// The player was invited to a table.
    TableInvited,
    /// A vote was opened at a table, in which the player can vote.
    VoteDue,
    /// Chips of the player are in escrow for a game.
    ChipsStaked,
    /// A competitive game was settled.
    GameSettled,
    /// Another player asks to be a friend.
    FriendAsked,
    /// Another player is a friend from now on.
    FriendAdded,
    /// A request or friendship has ended, or a player was blocked or is no longer blocked.
    FriendsChanged,
    /// The player has claimed a guest.
    GuestClaimed,
}

impl PlayerEventKind {
    const ALL: [Self; 20] = [
        Self::Created,
        Self::Changed,
        Self::TokenChanged,
        Self::WebhooksChanged,
        Self::Deleted,
        Self::GameJoined,
        Self::GameLeft,
        Self::GameStarted,
        Self::TurnDue,
        Self::EndProposed,
        Self::SeatForfeited,
        Self::GameEnded,
        Self::TableInvited,
        Self::VoteDue,
        Self::ChipsStaked,
        Self::GameSettled,
        Self::FriendAsked,
        Self::FriendAdded,
        Self::FriendsChanged,
        Self::GuestClaimed,
    ];

    /// Returns the word of this kind of event.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "player_created",
            Self::Changed => "player_changed",
            Self::TokenChanged => "player_token_changed",
            Self::WebhooksChanged => "player_webhooks_changed",
            Self::Deleted => "player_deleted",
            Self::GameJoined => "game_joined",
            Self::GameLeft => "game_left",
            Self::GameStarted => "game_started",
            Self::TurnDue => "turn_due",
            Self::EndProposed => "end_proposed",
            Self::SeatForfeited => "seat_forfeited",
            Self::GameEnded => "game_ended",
            Self::TableInvited => "table_invited",
            Self::VoteDue => "vote_due",
            Self::ChipsStaked => "chips_staked",
            Self::GameSettled => "game_settled",
            Self::FriendAsked => "friend_asked",
            Self::FriendAdded => "friend_added",
            Self::FriendsChanged => "friends_changed",
            Self::GuestClaimed => "guest_claimed",
        }
    }

    /// Returns the kind of event with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event_word::PLAYER_EVENT_WORDS;

    #[test]
    fn the_description_explains_every_word_and_no_other() {
        let words = PlayerEventKind::ALL.map(PlayerEventKind::word);
        let explained: Vec<_> = PLAYER_EVENT_WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(words.as_slice(), explained);
        assert!(words.iter().all(|word| PlayerEventKind::parse(word).is_some()));
    }
}
