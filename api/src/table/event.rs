//! The events of a table. The word of every kind of event is defined here.

use pagade_robots::RobotKind;

use crate::error::{Problem, internal};
use crate::game::GameId;
use crate::game::terms::{Control, EndedBy};
use crate::model::table_event::TableEventView;
use crate::player::PlayerId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableEventKind {
    /// The table was created.
    Created,
    /// A player has sat down.
    SeatTaken,
    /// A player has left a seat, or the master has freed it.
    SeatLeft,
    /// Another player is the master.
    MasterChanged,
    /// The master has changed options.
    OptionsChanged,
    /// A player was invited.
    Invited,
    /// An invitation was declined or withdrawn.
    InvitationEnded,
    /// The link was renewed.
    LinkChanged,
    /// A player watches.
    WatcherCame,
    /// A player has stopped watching.
    WatcherLeft,
    /// A line was said in the chat.
    Said,
    /// A line of the chat was removed.
    LineRemoved,
    /// A line of the chat was reported to the master.
    LineReported,
    /// The master has muted a player, or lets a muted player speak again.
    MuteChanged,
    VoteOpened,
    Voted,
    VoteClosed,
    GameStarted,
    /// A game of the table has ended. The fields of the event name the game and the reason of its end.
    GameEnded,
    /// The game does not begin, because a player has too few chips.
    GameDropped,
    /// Somebody else decides for a seat of the game in play.
    ControlChanged,
    /// A registered player has claimed a guest who was at the table.
    PlayerClaimed,
    /// A webhook was registered or removed.
    WebhooksChanged,
    /// The last player has left.
    Closed,
}

impl TableEventKind {
    const ALL: [Self; 24] = [
        Self::Created,
        Self::SeatTaken,
        Self::SeatLeft,
        Self::MasterChanged,
        Self::OptionsChanged,
        Self::Invited,
        Self::InvitationEnded,
        Self::LinkChanged,
        Self::WatcherCame,
        Self::WatcherLeft,
        Self::Said,
        Self::LineRemoved,
        Self::LineReported,
        Self::MuteChanged,
        Self::VoteOpened,
        Self::Voted,
        Self::VoteClosed,
        Self::GameStarted,
        Self::GameEnded,
        Self::GameDropped,
        Self::ControlChanged,
        Self::PlayerClaimed,
        Self::WebhooksChanged,
        Self::Closed,
    ];

    /// Returns the word of this kind of event.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "table_created",
            Self::SeatTaken => "seat_taken",
            Self::SeatLeft => "seat_left",
            Self::MasterChanged => "master_changed",
            Self::OptionsChanged => "options_changed",
            Self::Invited => "player_invited",
            Self::InvitationEnded => "invitation_ended",
            Self::LinkChanged => "link_changed",
            Self::WatcherCame => "watcher_came",
            Self::WatcherLeft => "watcher_left",
            Self::Said => "said",
            Self::LineRemoved => "line_removed",
            Self::LineReported => "line_reported",
            Self::MuteChanged => "mute_changed",
            Self::VoteOpened => "vote_opened",
            Self::Voted => "voted",
            Self::VoteClosed => "vote_closed",
            Self::GameStarted => "table_game_started",
            Self::GameEnded => "table_game_ended",
            Self::GameDropped => "table_game_dropped",
            Self::ControlChanged => "seat_control_changed",
            Self::PlayerClaimed => "player_claimed",
            Self::WebhooksChanged => "table_webhooks_changed",
            Self::Closed => "table_closed",
        }
    }

    /// Returns the kind of event with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

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
    pub on: Option<&'static str>,
    /// Whether a player agrees.
    pub agrees: Option<bool>,
    /// The result of a vote.
    pub result: Option<&'static str>,
    /// The game concerned.
    pub game_id: Option<GameId>,
    /// The reason why a game is over.
    pub ended_by: Option<EndedBy>,
    /// The code of the problem for which a game does not begin.
    pub reason: Option<&'static str>,
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
        on: fields.on,
        agrees: fields.agrees,
        result: fields.result,
        game_id: fields.game_id,
        ended_by: fields.ended_by.map(Into::into),
        reason: fields.reason,
        table: None,
    };
    serde_json::to_vec(&view).map_err(internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event_word::TABLE_EVENT_WORDS;

    #[test]
    fn the_description_explains_every_word_and_no_other() {
        let words = TableEventKind::ALL.map(TableEventKind::word);
        let explained: Vec<_> = TABLE_EVENT_WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(words.as_slice(), explained);
        assert!(words.iter().all(|word| TableEventKind::parse(word).is_some()));
    }
}
