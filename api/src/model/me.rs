//! What a token allows, as JSON.

use serde::Serialize;
use utoipa::ToSchema;

use super::game_list::GameSummary;
use super::group::GroupView;
use super::player::PlayerView;
use super::table_list::TableSummary;
use super::tournament_list::TournamentSummary;

/// The role of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TokenRole {
    /// The operator of the service. The token is valid in all games and groups, and for all players.
    Admin,
    /// The owner of a game or group: the client that created it.
    Owner,
    /// A guest with an invitation, who may watch a game or group, and join a free seat; the holder of the link to a
    /// table, or of the invitation to a tournament.
    Guest,
    /// The player of the seat that the field `seat` names.
    Seat,
    /// A player, who may sit in many games.
    Player,
    /// The organiser of a tournament: the client that created it.
    Organiser,
    /// An arbiter of a tournament.
    Arbiter,
    /// A member of an entrant of a tournament, whom the field `entrant` names.
    Entrant,
}

/// The role of a token, and what it allows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "role": "seat", "may": ["read_game", "list_events", "throw_dice", "play_actions"], "seat": "red", "game": {
        "id": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e11", "version": 3, "status": "playing",
        "rule_set": {"id": "pagade", "version": "1.0.0", "digest": "5d1f..."},
        "created_at": "2026-11-21T09:00:00.000Z", "updated_at": "2026-11-21T09:00:05.000Z", "free_seats": []
    }
}))]
pub(crate) struct Me<'a> {
    /// The role of the token.
    pub role: TokenRole,
    /// The ids of the operations that the token allows on its game, group, player, table or tournament; for the
    /// operator, on all of them. Whether an operation is possible now depends on the state of the game.
    pub may: Vec<&'static str>,
    /// The game of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameSummary>,
    /// The seat of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<&'a str>,
    /// The group of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupView<'a>>,
    /// The player of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerView<'a>>,
    /// The table to which the token is the link. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableSummary<'a>>,
    /// The tournament of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentSummary>,
    /// The number of the entrant of the token. Absent for other tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entrant: Option<u32>,
}

impl Me<'_> {
    /// Makes the answer for a token with this role.
    pub(crate) fn of(role: TokenRole, may: Vec<&'static str>) -> Self {
        Self {
            role,
            may,
            game: None,
            seat: None,
            group: None,
            player: None,
            table: None,
            tournament: None,
            entrant: None,
        }
    }
}
