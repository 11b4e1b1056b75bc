//! The bank, as JSON.

use serde::Serialize;
use utoipa::ToSchema;

/// The bank: the chips that belong to no player.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(example = json!({"chips": 12850, "issued_to_deleted_players": 3000}))]
pub(crate) struct BankView {
    /// Number of chips. The bank gets a quarter of every pot, the stakes of abandoned seats, and the chips of deleted
    /// players.
    pub chips: u64,
    /// The chips that the service had given to players who were deleted. All chips in balances, in escrow and in the
    /// bank are as many as the service has given to players, deleted ones included.
    pub issued_to_deleted_players: u64,
}
