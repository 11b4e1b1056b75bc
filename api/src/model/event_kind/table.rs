//! The events of tables: their words and meanings.

use super::words::event_kinds;

event_kinds! {
    /// The kinds of events of a table.
    pub(crate) TableEventKind as "TableEventWord", games: false {
        Created = "table_created": "the table was created",
        SeatTaken = "seat_taken": "`player` has sat down at `seat`, or the master has given it to `robot`",
        SeatLeft = "seat_left": "`player` has left `seat`, or the master has freed it, which `robot` may have had",
        MasterChanged = "master_changed": "`player` is the master now",
        OptionsChanged = "options_changed": "the master has changed `options`",
        Invited = "player_invited": "a player was invited; the list of invitations tells the table who",
        InvitationEnded = "invitation_ended": "an invitation was declined or withdrawn",
        LinkChanged = "link_changed": "the link to the table was made or renewed; an older one is not valid any more",
        WatcherCame = "watcher_came": "`player` watches",
        WatcherLeft = "watcher_left": "`player` no longer watches",
        Said = "said": "`line` was said in the chat",
        LineRemoved = "line_removed": "`line` was removed from the chat",
        LineReported = "line_reported":
            "a line of the chat was reported to the master, whom the chat tells which one",
        MuteChanged = "mute_changed":
            "the master has muted `player`, or lets the player speak again, as `muted` says",
        VoteOpened = "vote_opened":
            "`player` has opened a vote on `on`: to `end` the game, or to play the `next_game`",
        Voted = "voted": "`player` has voted, as `agrees` says",
        VoteClosed = "vote_closed": "the vote on `on` is closed with `result`",
        GameStarted = "table_game_started": "the game `game_id` begins, and can be read in a moment",
        GameEnded = "table_game_ended": "the game `game_id` is over; `ended_by` says why",
        GameDropped = "table_game_dropped":
            "the next game does not begin, for the `reason`: `player` has too few chips, or the seats do not suit \
             the rule set; stakes for the game `game_id` are returned",
        ControlChanged = "seat_control_changed":
            "in the game `game_id`, `control` decides for `seat` from now on; it may have given up",
        PlayerClaimed = "player_claimed":
            "a guest who was here is the registered `player` from now on, at `seat`, where there is one",
        WebhooksChanged = "table_webhooks_changed": "a webhook of the table was registered or removed",
        Closed = "table_closed": "the last player has left; nobody can sit down any more",
    }
}
