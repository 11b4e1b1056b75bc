//! The events of players: their words and meanings.

use super::words::event_kinds;

event_kinds! {
    /// The kinds of events of a player.
    pub(crate) PlayerEventKind as "PlayerEventWord", games: false {
        Created = "player_created": "the player was created",
        Changed = "player_changed": "the name of the player was changed",
        TokenChanged = "player_token_changed": "the token of the player was renewed",
        WebhooksChanged = "player_webhooks_changed": "a webhook of the player was registered or removed",
        Deleted = "player_deleted": "the player was deleted; this is the last event",
        GameJoined = "game_joined": "the player has sat down at `seat`",
        GameLeft = "game_left": "the player has left `seat`, the owner has freed it, or the game was deleted",
        GameStarted = "game_started": "the game was started; the player plays `seat`",
        TurnDue = "turn_due": "it is the turn of the player",
        EndProposed = "end_proposed":
            "`proposed_by` agrees to `reason`: to `end` or to `abort` the game. The player may agree, too",
        SeatForfeited = "seat_forfeited": "the player was late too often, and has lost",
        GameEnded = "game_ended":
            "the game is over; the player has reached `place`. `reason` says why, where its rules did not end it",
        TableInvited = "table_invited": "the player was invited to the table `table_id`",
        VoteDue = "vote_due": "a vote was opened at the table `table_id`; the player can vote",
        ChipsStaked = "chips_staked": "chips of the player are in escrow for the game, as `chips` and `balance` say",
        GameSettled = "game_settled":
            "a competitive game is settled: `chips` were added to the balance, and `experience` and `badges` are \
             gained",
        FriendAsked = "friend_asked": "`player` asks to be a friend",
        FriendAdded = "friend_added": "`player` is a friend from now on",
        FriendsChanged = "friends_changed":
            "a request to `player` was sent, a request or friendship has ended, or a block was changed",
        GuestClaimed = "guest_claimed":
            "the guest `player` was claimed: games, tables and friends of the guest are the player's",
    }
}
