//! Every problem code of the API. Clients rely on the codes, so codes never change; titles and help texts may change.

/// Declares the problem codes by a table with the columns variant, code, status, title and help.
macro_rules! codes {
    ($($variant:ident $code:literal $status:literal $title:literal $help:literal;)+) => {
        /// The code of a problem: a word that never changes, such as `bad_json`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $(#[doc = $title] $variant),+ }

        impl Code {
            /// Every code, in the order of the table.
            pub(crate) const ALL: &[Code] = &[$(Code::$variant),+];

            /// Returns the word of the code, as in the field `code` of a problem.
            pub fn word(self) -> &'static str {
                match self { $(Code::$variant => $code),+ }
            }

            /// Returns the HTTP status of an answer with this code.
            pub(crate) fn status(self) -> u16 {
                match self { $(Code::$variant => $status),+ }
            }

            /// Returns the meaning of the code in general, as in the field `title` of a problem.
            pub(crate) fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// Returns advice: what the caller can do about the problem.
            pub(crate) fn help(self) -> &'static str {
                match self { $(Code::$variant => $help),+ }
            }
        }
    };
}

codes! {
    BadHeader           "bad_header"            400 "A header cannot be read" "Send the header as the documentation of the operation shows it";
    BadJson             "bad_json"              400 "The body is not JSON" "Send one JSON object, complete and in UTF-8";
    BadPath             "bad_path"              400 "The path cannot be read" "Percent-encode UTF-8";
    BadQuery            "bad_query"             400 "A query parameter is wrong" "The list `problems` names the parameter and the reason";
    IdempotencyKeyMissing "idempotency_key_missing" 400 "An idempotency key is needed" "Send a random UUID as `Idempotency-Key`; if you send the same request with the same key again, the service completes what the first one began";
    IdempotencyKeyWeak  "idempotency_key_weak"  422 "The idempotency key can be guessed" "Send a random UUID: anyone who sends the same key gets the answer, which may hold a token";
    BodyIncomplete      "body_incomplete"       400 "The body ended early" "Send as many bytes as Content-Length says";
    BadRequest          "bad_request"           400 "The request cannot be read" "Send HTTP/1.1 as RFC 9112 describes it";
    TokenMissing        "token_missing"         401 "A token is needed" "Send `Authorization: Bearer TOKEN` with the token from creating or joining the game";
    TicketUnknown       "ticket_unknown"        401 "The ticket is not valid" "Ask for another ticket: each opens one stream, within a minute";
    TokenUnknown        "token_unknown"         401 "The token does not belong here" "Use the token from the answer that created or joined the game, the group or the player: `Authorization: Bearer TOKEN`";
    TokenRevoked        "token_revoked"         401 "The token was renewed or revoked" "Use the token that replaced it; the owner of the game can give a seat a new token";
    TokenExpired        "token_expired"         401 "The token has expired" "Get a new token from the issuer";
    TokenAudience       "token_audience"        401 "The token is for another service" "Ask the issuer for a token whose audience is this service";
    TokenKeyUnknown     "token_key_unknown"     401 "The token was signed with an unknown key" "Get a new token from the issuer";
    TokenInvalid        "token_invalid"         401 "The token is not valid" "Send a token of the issuer that the operator has set, as it was issued, between its times";
    NotAllowed          "not_allowed"           403 "The token does not allow this" "Use the token of the seat that the request is about, or the owner's token";
    GameNotFound        "game_not_found"        404 "There is no such game" "Check the id; a private game needs one of its tokens";
    GroupNotFound       "group_not_found"       404 "There is no such group" "Check the id; a private group needs its token or its invitation";
    EntrantNotFound     "entrant_not_found"     404 "The tournament has no such entrant" "The field `entrants` of the tournament lists them; who left before the start is not listed";
    PlayerNotFound      "player_not_found"      404 "There is no such player" "Check the id; players who were removed are not found";
    TableNotFound       "table_not_found"       404 "There is no such table" "Check the id; tables that were closed long ago are not found";
    LineNotFound        "line_not_found"        404 "The chat has no such line" "Only the newest lines are kept";
    ProblemNotFound     "problem_not_found"     404 "There is no such problem code" "`GET /v1/problems` lists them";
    RoundNotFound       "round_not_found"       404 "The tournament has no such round or table" "The field `rounds` of the tournament lists the rounds; rounds and tables are counted from 1";
    RouteNotFound       "route_not_found"       404 "There is nothing at this path" "`/openapi.json` lists the paths";
    RuleSetNotFound     "rule_set_not_found"    404 "There is no such rule set" "`GET /v1/rule-sets` lists them";
    SimulationNotFound  "simulation_not_found"  404 "There is no such simulation" "Check the id; results are kept for an hour, and in a service without Redis until its process ends";
    StepNotFound        "step_not_found"        404 "The game has fewer steps" "The field `steps` of the game is the number of its steps";
    TournamentNotFound  "tournament_not_found"  404 "There is no such tournament" "Check the id; `GET /v1/tournaments` lists them";
    WebhookNotFound     "webhook_not_found"     404 "There is no such webhook" "`GET /v1/games/{id}/webhooks` lists them, and so do `/v1/groups` and `/v1/players`";
    SeatNotFound        "seat_not_found"        404 "The game has no such seat" "The field `seats` of the game lists them";
    MethodNotAllowed    "method_not_allowed"    405 "The path does not take this method" "The header `Allow` lists the methods";
    NotAcceptable       "not_acceptable"        406 "The operation offers none of the media types in `Accept`" "The documentation of the operation lists the media types";
    RequestTooSlow      "request_too_slow"      408 "The request came too slowly" "Send its body at once; `/v1/limits` tells how long it may take";
    AbsencesFull        "absences_full"         409 "No more absences can be noted" "Withdraw the entrant instead";
    ActionNotLegal      "action_not_legal"      409 "The action is not legal in this position" "The field `legal` of the state lists the legal actions";
    ChoiceNeeded        "choice_needed"         409 "A choice must be made before the throw" "The field `legal` of the state lists the choices";
    DiceHeldByPlayers   "dice_held_by_players"  409 "The players throw the dice of this game" "Send the throw: `{\"throw\": \"3+6\"}`. Such dice take no contributions and have no proof";
    DiceHeldByServer    "dice_held_by_server"   409 "The server throws the dice of this game" "Leave `throw` out, or create the game with `dice: players`";
    EnteredAlready      "entered_already"       409 "The player is entered already" "Withdraw the other entry first";
    EntrantPresent      "entrant_present"       409 "The entrant has not withdrawn" "Only entrants who have withdrawn are brought back";
    EntrantWithdrawn    "entrant_withdrawn"     409 "The entrant has withdrawn" "Bring the entrant back: `POST /v1/tournaments/{id}/entrants/{number}/return`";
    EntriesClosed       "entries_closed"        409 "The tournament takes no more entries of this kind" "Ask the organiser, or enter another tournament";
    FriendsFull         "friends_full"          409 "The player has as many friends, requests or blocked players as allowed" "End a friendship, withdraw a request, or unblock a player first";
    GameNotStarted      "game_not_started"      409 "The game has not started" "The owner starts it when every seat is taken";
    GameOver            "game_over"             409 "The game is over" "Create another game";
    GameStarted         "game_started"          409 "The game has started" "Seats are joined and left before the start";
    GameUnderWay        "game_under_way"        409 "A player has moved already" "Resign, or agree to end the game: `POST /v1/games/{id}/agreements`";
    GameTooLong         "game_too_long"         409 "The game has as many events as it may" "Create another game; this one can still be read";
    GamesFull           "games_full"            409 "The player sits in as many games as allowed" "Finish or leave a game first; `/v1/limits` lists the limits";
    GroupComplete       "group_complete"        409 "The group is complete" "Create another group for more games";
    GroupFull           "group_full"            409 "The group has as many games as it may" "Create another group; `/v1/limits` lists the limits";
    InsufficientChips   "insufficient_chips"    409 "A player has too few chips" "Lower the bet, or play for practice: the options `bet` and `competitive` of the table";
    NameTaken           "name_taken"            409 "Somebody at the table has this name" "Send another `name`, or none";
    NotAvailable        "not_available"         409 "This is not possible at this table now" "The field `detail` says why";
    NotPrivate          "not_private"           409 "The game or group is not private" "Everyone can see it, and join a game, by its address, so no invitation is needed";
    NotYourTurn         "not_your_turn"         409 "It is another seat's turn" "The field `turn` of the state names the seat";
    PairingImpossible   "pairing_impossible"    409 "The entrants cannot be paired in this form" "Change the entrants, or create a tournament of another form";
    ResultFixed         "result_fixed"          409 "Later rounds follow from the result" "Results of earlier rounds of a knock-out can be changed only until the next round is paired";
    ResultsMissing      "results_missing"       409 "Results are missing" "Wait for the games, or enter the results of their tables";
    RoundPaired         "round_paired"          409 "The round is paired already" "Read the tournament: its field `rounds` lists the rounds that are paired";
    RoundsLeft          "rounds_left"           409 "Rounds are left" "Pair the next round; with `\"early\": true` the tournament ends without it";
    RuleSetExists       "rule_set_exists"       409 "A rule set of this id and version exists" "Change `rules` or `version` in the text";
    RuleSetsFull        "rule_sets_full"        409 "No more rule sets can be published here" "Ask the operator for a higher limit, or use the options of an existing rule set";
    SeatedAlready       "seated_already"        409 "The player sits in this game already" "Leave the other seat first; one token can play several seats only in a `hot_seat` game";
    SeatAbandoned       "seat_abandoned"        409 "The player has left the game for good" "Follow the game, or play the next one; `GET /v1/limits` says how long players may stay away";
    SeatTaken           "seat_taken"            409 "The seat is taken" "Join a seat whose `taken` is false";
    SeatsFree           "seats_free"            409 "Some seats are not taken" "Wait until every seat is taken";
    TableClosed         "table_closed"          409 "The table is closed" "Create another table";
    TableFull           "table_full"            409 "There is no more room at the table" "Wait until somebody leaves, or withdraw an invitation";
    TablePlaying        "table_playing"         409 "A game is in play at the table" "Wait until the game is over, or vote to end it";
    ThrowExpected       "throw_expected"        409 "The game waits for a throw" "Throw with `POST /v1/games/{id}/throws`";
    ThrowNotExpected    "throw_not_expected"    409 "The game waits for an action, not for a throw" "Play one of `legal` with `POST /v1/games/{id}/actions`";
    VoteOpen            "vote_open"             409 "A vote is open at the table" "Vote, or wait until it is closed";
    TournamentFull      "tournament_full"       409 "The tournament has as many entrants as it may" "Enter another tournament, or wait until an entrant withdraws";
    TournamentNotStarted "tournament_not_started" 409 "The tournament has not started" "The organiser starts it (`POST .../start`), or ends it unplayed (`POST .../finish` with `early`)";
    TournamentOver      "tournament_over"       409 "The tournament is over" "It can still be read and exported";
    TournamentStarted   "tournament_started"    409 "The tournament has started" "Read the tournament: its field `status` says how far it is";
    WebhooksFull        "webhooks_full"         409 "No more webhooks are allowed here" "Remove a webhook first";
    VersionConflict     "version_conflict"      412 "There is a newer version" "Read it again and send its new ETag in If-Match";
    BodyTooLarge        "body_too_large"        413 "The body is too large" "`/v1/limits` lists the limits";
    MediaTypeUnknown    "media_type_unknown"    415 "The operation does not accept the media type of the body" "Send the Content-Type that the operation documents";
    ActionUnreadable    "action_unreadable"     422 "An action cannot be read" "Write actions as the field `legal` of the state shows them";
    BodyInvalid         "body_invalid"          422 "The body does not fit the description of the operation" "The list `problems` names each field and the reason";
    IdempotencyKeyReused "idempotency_key_reused" 422 "The idempotency key belongs to another request" "Use a new key for a new request";
    RecordInvalid       "record_invalid"        422 "The record is malformed or contradicts the rules" "The list `problems` names the line and the reason";
    RuleTextInvalid     "rule_text_invalid"     422 "The rule text has errors" "The list `problems` names each place and the reason";
    TableInvalid        "table_invalid"         422 "Options or players do not suit the rule set" "The list `problems` names the parameter and the reason; `GET /v1/rule-sets/{id}` lists options and seats";
    TooMuchWork         "too_much_work"         422 "The work for this request takes too long" "Send a simpler rule text (fewer dice, pawns or lines) or a shorter record; read the events of a long game instead";
    ThrowUnreadable     "throw_unreadable"      422 "The throw cannot be read" "Write the dice in the order thrown: `3+6`";
    VersionNeeded       "version_needed"        428 "If-Match is needed" "Send the ETag of what you change in If-Match";
    TooManyRequests     "too_many_requests"     429 "Too many requests" "Wait as long as `Retry-After` says; `/v1/limits` shows what is left";
    TooManyStreams      "too_many_streams"      429 "Too many games are followed at a time" "Close a stream that is not needed";
    HeadTooLarge        "head_too_large"        431 "The head of the request is too large" "Send a shorter path and fewer headers";
    Internal            "internal"              500 "Something went wrong here" "Tell the operator the request id";
    TooBusy             "too_busy"              503 "The server is busy with work of this kind" "Wait as long as `Retry-After` says, and send the request again";
    IssuerUnreachable   "issuer_unreachable"    503 "The issuer of tokens cannot be reached" "Send the request again in half a minute";
    StoreUnavailable    "store_unavailable"     503 "The store cannot answer now" "Send the request again with the same Idempotency-Key";
}

impl Code {
    /// Returns the code with this word; `None` if there is no such code.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.word() == word)
    }
}
