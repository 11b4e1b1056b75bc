//! The events of tournaments: their words and meanings.

use super::words::event_kinds;

event_kinds! {
    /// The kinds of events of a tournament.
    pub TournamentEventKind as "TournamentEventWord", games: false {
        Created = "tournament_created": "the tournament was created",
        Entered = "entrant_entered": "`entrant` has a place; after the start, for `round` and later",
        Waiting = "entrant_waiting": "`entrant` waits for a place; `entrant_entered` follows when there is one",
        Withdrawn = "entrant_withdrawn":
            "`entrant` has left, or did not come too often; after the start, before `round`",
        Absent = "entrant_absent": "`entrant` is not paired in `round`",
        Returned = "entrant_returned": "`entrant`, who had left, is paired again, from `round` on",
        Started = "tournament_started": "the tournament has started",
        RoundPaired = "round_paired": "`round` was paired; its games are created in a moment",
        GameCreated = "table_game_created":
            "`game_id` of `table` in `round` can be played by `entrants`; a series has several games",
        GameVoid = "table_game_void":
            "`game_id` of `table` in `round` ended without a result; an arbiter decides the table",
        Result = "table_result":
            "`table` in `round` has its `result`; `reason` is there if an arbiter decided, whose result aborts a \
             game in play",
        ResultCorrected = "table_result_corrected": "the result of `table` in `round` was changed for this `reason`",
        RoundOver = "round_over": "all tables of `round` have results",
        RoundTakenBack = "round_taken_back":
            "`round` was taken back for this `reason`: its games are aborted, and it is paired anew",
        Over = "tournament_over":
            "the tournament is over; `reason` is there if it has as many rounds or tables as one may have",
        TokenChanged = "tournament_token_changed":
            "the token of the organiser or of the arbiters, or the invitation, was renewed",
        WebhooksChanged = "tournament_webhooks_changed": "a webhook of the tournament was registered or removed",
    }
}
