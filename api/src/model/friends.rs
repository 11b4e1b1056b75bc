//! The friends of players, as JSON.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The friends of a player, the open requests, and the blocked players.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(example = json!({
    "friends": [{"player": "01992b3e-8c5a-7d52-b3c9-6f1f0a6f2e17", "name": "Ravi", "since": "2026-11-21T09:00:00.000Z"}],
    "requests": [], "asked": [], "blocked": []
}))]
pub(crate) struct FriendList {
    /// The friends. A friendship is mutual.
    pub friends: Vec<FriendView>,
    /// The players who ask to be friends.
    pub requests: Vec<FriendView>,
    /// The players who were asked, and have not answered.
    pub asked: Vec<FriendView>,
    /// The ids of the blocked players.
    #[schema(value_type = Vec<String>)]
    pub blocked: Vec<Uuid>,
}

/// A friend, or an open request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FriendView {
    /// The id of the other player.
    #[schema(value_type = String, format = "uuid")]
    pub player: Uuid,
    /// The name of the other player, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The time since which they are friends, or of the request.
    #[schema(format = DateTime)]
    pub since: String,
}
