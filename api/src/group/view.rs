//! Views of a group: the forms in which the API shows it.

use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Problem, internal};
use crate::game::cache::CachedGame;
use crate::game::play::Play;
use crate::game::terms::Status;
use crate::game::view as of_game;
use crate::ground::clock;
use crate::group::GroupId;
use crate::group::stored::{Group, GroupStatus, MemberState};
use crate::model::group::{self, GameCounts, GroupGame, GroupSeat, GroupView};

pub(crate) fn group(id: GroupId, group: &Group) -> GroupView<'_> {
    GroupView {
        id,
        version: group.version,
        status: group.status.into(),
        title: group.title.as_deref(),
        private: group.private,
        games: counts(group),
        created_at: clock::at(group.created_at),
        updated_at: clock::at(group.changed_at),
        events: group.events,
    }
}

fn counts(group: &Group) -> GameCounts {
    let mut counts = GameCounts::default();
    for member in &group.members {
        let counted = match member.standing {
            MemberState::Planned(_) | MemberState::Created(Status::Open) => &mut counts.open,
            MemberState::Created(Status::Playing) => &mut counts.playing,
            MemberState::Created(Status::Finished) => &mut counts.finished,
            MemberState::Removed => &mut counts.removed,
        };
        *counted += 1;
    }
    counts
}

/// Writes the view of a game in the list of its group, as JSON.
///
/// # Errors
/// The view cannot be written as JSON, which its type makes impossible.
pub(crate) fn game(cached: &CachedGame) -> Result<Box<RawValue>, Problem> {
    to_raw_value(&listed(cached)).map_err(internal)
}

/// Makes the view of a game in a list of games.
pub(crate) fn listed(cached: &CachedGame) -> GroupGame<'_> {
    let CachedGame { id, game, engine, play, .. } = cached;
    let decides = of_game::deciding(game, play.as_ref()).map(Play::state);
    let seats = game.setup.seats.iter().map(|record| GroupSeat {
        seat: &record.seat,
        taken: game.setup.hot_seat || record.is_taken(),
        name: record.name.as_deref(),
        player: record.player,
        gave_up: record.gave_up.map(|(_, how)| how.into()),
    });
    GroupGame {
        id: *id,
        version: game.version,
        status: game.status.into(),
        ended_by: of_game::ended_by(game).map(Into::into),
        awaits: of_game::awaits(game, play.as_ref()),
        title: game.setup.title.as_deref(),
        seats: seats.collect(),
        turn: decides.and_then(|state| of_game::turn(engine, state)),
        asked: decides.and_then(|state| of_game::asked(engine, state)),
        deadline: game.deadline.map(clock::at),
        ranking: play.as_ref().map(|play| of_game::ranking(engine, play.state(), game)).unwrap_or_default(),
        updated_at: &game.updated_at,
        events: game.events,
    }
}

impl From<GroupStatus> for group::GroupStatus {
    fn from(status: GroupStatus) -> Self {
        match status {
            GroupStatus::Open => Self::Open,
            GroupStatus::Complete => Self::Complete,
            GroupStatus::Finished => Self::Finished,
        }
    }
}
