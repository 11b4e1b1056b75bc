//! The events of a table, as they are written.

use pagade_robots::RobotKind;

use crate::error::{Code, Problem, internal};
use crate::game::GameId;
use crate::game::terms::{Control, EndedBy};
use crate::model::event_kind::TableEventKind;
use crate::model::table_event::TableEventView;
use crate::player::PlayerId;
use crate::table::vote::{VoteQuestion, VoteResult};

impl TableEventKind {
    /// Tells whether an event of this kind may end the access of somebody to the table.
    pub(crate) fn changes_access(self) -> bool {
        matches!(
            self,
            Self::SeatLeft
                | Self::SeatTaken
                | Self::WatcherCame
                | Self::WatcherLeft
                | Self::OptionsChanged
                | Self::Invited
                | Self::InvitationEnded
                | Self::LinkChanged
                | Self::MasterChanged
                | Self::PlayerClaimed
                | Self::Closed
        )
    }
}

/// The fields of an event, beside number, word and time.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableEventFields {
    /// The seat concerned.
    pub seat: Option<String>,
    /// The player concerned.
    pub player: Option<PlayerId>,
    /// The robot concerned.
    pub robot: Option<RobotKind>,
    /// Who decides for the seat from now on.
    pub control: Option<Control>,
    /// The names of the options that were changed.
    pub options: Vec<String>,
    /// The number of a line of the chat.
    pub line: Option<u64>,
    /// Whether a player is muted.
    pub muted: Option<bool>,
    /// The subject of a vote.
    pub on: Option<VoteQuestion>,
    /// Whether a player agrees.
    pub agrees: Option<bool>,
    /// The result of a vote.
    pub result: Option<VoteResult>,
    /// The game concerned.
    pub game_id: Option<GameId>,
    /// The reason why a game is over.
    pub ended_by: Option<EndedBy>,
    /// The code of the problem for which a game does not begin.
    pub reason: Option<Code>,
}

/// Writes an event of a table, in the form in which it is stored and sent.
///
/// # Errors
/// The event cannot be written as JSON, which its type makes impossible.
pub(crate) fn write(id: u64, kind: TableEventKind, at: &str, fields: &TableEventFields) -> Result<Vec<u8>, Problem> {
    let view = TableEventView {
        id,
        event: kind.word(),
        at,
        seat: fields.seat.as_deref(),
        name: None,
        player: fields.player,
        robot: fields.robot.map(Into::into),
        control: fields.control.map(Into::into),
        options: fields.options.iter().map(String::as_str).collect(),
        line: fields.line,
        muted: fields.muted,
        on: fields.on.map(VoteQuestion::word),
        agrees: fields.agrees,
        result: fields.result.map(VoteResult::word),
        game_id: fields.game_id,
        ended_by: fields.ended_by.map(Into::into),
        reason: fields.reason.map(Code::word),
        table: None,
    };
    serde_json::to_vec(&view).map_err(internal)
}
