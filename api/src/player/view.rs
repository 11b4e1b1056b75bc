//! Views of a player: the forms in which the API shows a player.

use crate::ground::clock;
use crate::model::player::{PlayerProfile, PlayerView};
use crate::player::PlayerId;
use crate::player::stored::Player;

/// Makes the view of a player for this player alone.
pub(crate) fn player(id: PlayerId, player: &Player) -> PlayerView<'_> {
    PlayerView {
        id,
        version: player.version,
        name: player.name.as_deref(),
        registered: player.is_registered,
        created_at: clock::at(player.created_at),
        updated_at: clock::at(player.changed_at),
        unfinished_games: player.games.iter().filter(|game| game.seat.is_some()).count() as u64,
        events: player.events,
    }
}

/// Makes the view of a player for everybody.
pub(crate) fn profile(id: PlayerId, player: &Player) -> PlayerProfile<'_> {
    PlayerProfile { id, name: player.name.as_deref(), created_at: clock::at(player.created_at) }
}
