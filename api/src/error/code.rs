//! Every problem code of the API. Codes are contract; titles and help may change.

/// Declares the table: variant, code, status, title, help.
macro_rules! codes {
    ($($variant:ident $code:literal $status:literal $title:literal $help:literal;)+) => {
        /// What went wrong, as a stable word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Code { $($variant),+ }

        impl Code {
            /// Every code, in the order of the table.
            pub(crate) const ALL: &[Code] = &[$(Code::$variant),+];

            /// The word in the field `code`.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Code::$variant => $code),+ }
            }

            /// The HTTP status it is answered with.
            pub(crate) fn status(self) -> u16 {
                match self { $(Code::$variant => $status),+ }
            }

            /// The meaning of the code in general.
            pub(crate) fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }

            /// What the caller can do about the problem.
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
    BadQuery            "bad_query"             400 "A query parameter cannot be taken" "The list `problems` names the parameter and the reason";
    IdempotencyKeyWeak  "idempotency_key_weak"  422 "The idempotency key can be guessed" "Send a random UUID: the answer holds a token, or no token says whose the key is";
    BodyIncomplete      "body_incomplete"       400 "The body ended early" "Send as many bytes as Content-Length says";
    BadRequest          "bad_request"           400 "The request cannot be read" "Send HTTP/1.1 as RFC 9112 describes it";
    TokenMissing        "token_missing"         401 "A token is needed" "Send `Authorization: Bearer TOKEN` with the token from creating or joining the game";
    TokenUnknown        "token_unknown"         401 "The token is not one of this game" "Use the token from creating or joining this game";
    TokenRevoked        "token_revoked"         401 "The token was renewed or revoked" "Use the token that replaced it; the owner of the game gives a seat a new one";
    NotAllowed          "not_allowed"           403 "The token does not allow this" "Use the token of the seat meant, or the owner's";
    GameNotFound        "game_not_found"        404 "There is no such game" "Check the id; a private game needs one of its tokens";
    ProblemNotFound     "problem_not_found"     404 "There is no such problem code" "`GET /v1/problems` lists them";
    RouteNotFound       "route_not_found"       404 "There is nothing at this path" "`/openapi.json` lists the paths";
    RuleSetNotFound     "rule_set_not_found"    404 "There is no such rule set" "`GET /v1/rule-sets` lists them";
    StepNotFound        "step_not_found"        404 "The game has not come that far" "The field `steps` of the game says how far it has come";
    WebhookNotFound     "webhook_not_found"     404 "The game has no such webhook" "`GET /v1/games/{id}/webhooks` lists them";
    SeatNotFound        "seat_not_found"        404 "The game has no such seat" "The field `seats` of the game lists them";
    MethodNotAllowed    "method_not_allowed"    405 "The path does not take this method" "The header `Allow` lists the methods";
    NotAcceptable       "not_acceptable"        406 "None of the media types asked for is offered" "The documentation of the operation lists the media types";
    RequestTooSlow      "request_too_slow"      408 "The request came too slowly" "Send its body at once; `/v1/limits` tells how long it may take";
    ActionNotLegal      "action_not_legal"      409 "The action is not legal in this position" "The field `legal` of the state lists the legal actions";
    ChoiceNeeded        "choice_needed"         409 "A choice is to be made before anything is thrown" "The field `legal` of the state lists the choices";
    DiceHeldByPlayers   "dice_held_by_players"  409 "The players throw the dice of this game" "Send what was thrown: `{\"throw\": \"3+6\"}`; nothing is contributed to such dice, nor proven of them";
    DiceHeldByServer    "dice_held_by_server"   409 "The server throws the dice of this game" "Leave `throw` out, or create the game with `dice: players`";
    GameNotStarted      "game_not_started"      409 "The game has not started" "The owner starts it when every seat is taken";
    GameOver            "game_over"             409 "The game is over" "Create another game";
    GameStarted         "game_started"          409 "The game has started" "Seats are joined and left before the start";
    GameUnderWay        "game_under_way"        409 "Somebody has moved" "Resign, or agree to end the game: `POST /v1/games/{id}/agreements`";
    GameTooLong         "game_too_long"         409 "The game has as many events as it may" "Create another game; this one can still be read";
    NameTaken           "name_taken"            409 "Somebody at the table has this name" "Send another `name`, or none";
    NotPrivate          "not_private"           409 "The game is not private" "Send its address: no invitation is needed";
    NotYourTurn         "not_your_turn"         409 "It is another seat's turn" "The field `turn` of the state names the seat";
    RuleSetExists       "rule_set_exists"       409 "A rule set of this id and version exists" "Change `rules` or `version` in the text";
    RuleSetsFull        "rule_sets_full"        409 "No more rule sets are taken here" "Ask the operator for more room; options of the rule sets that are there may do as well";
    SeatTaken           "seat_taken"            409 "The seat is taken" "Join a seat whose `taken` is false";
    SeatsFree           "seats_free"            409 "Some seats are not taken" "Wait until every seat is taken";
    ThrowExpected       "throw_expected"        409 "The game waits for a throw" "`POST /v1/games/{id}/throws`";
    ThrowNotExpected    "throw_not_expected"    409 "The game waits for an action, not for a throw" "`POST /v1/games/{id}/actions` with one of `legal`";
    WebhooksFull        "webhooks_full"         409 "The game has as many webhooks as it may" "Remove one first";
    VersionConflict     "version_conflict"      412 "The game has moved on since that version" "Read the game again and send its new ETag in If-Match";
    BodyTooLarge        "body_too_large"        413 "The body is too large" "`/v1/limits` lists the limits";
    MediaTypeUnknown    "media_type_unknown"    415 "The body's media type is not taken here" "Send the Content-Type that the operation documents";
    ActionUnreadable    "action_unreadable"     422 "An action cannot be read" "Write actions as the field `legal` of the state shows them";
    BodyInvalid         "body_invalid"          422 "The body does not fit" "The list `problems` names each field and the reason";
    IdempotencyKeyReused "idempotency_key_reused" 422 "The idempotency key belongs to another request" "Use a new key for a new request";
    RecordInvalid       "record_invalid"        422 "The record does not replay" "The list `problems` names the line and the reason";
    RuleTextInvalid     "rule_text_invalid"     422 "The rule text has errors" "The list `problems` names each place and the reason";
    TooMuchWork         "too_much_work"         422 "That takes too long" "Send a simpler rule text, with fewer dice, pawns or lines, or a shorter record; of a long game, read the events";
    ThrowUnreadable     "throw_unreadable"      422 "The throw cannot be read" "Write the dice in the order thrown: `3+6`";
    VersionNeeded       "version_needed"        428 "If-Match is needed" "Send the game's ETag in If-Match";
    TooManyRequests     "too_many_requests"     429 "Too many requests" "Wait as long as `Retry-After` says; `/v1/limits` shows what is left";
    TooManyStreams      "too_many_streams"      429 "Too many games are followed at a time" "Close a stream that is not needed";
    Internal            "internal"              500 "Something went wrong here" "Tell the operator the request id";
    TooBusy             "too_busy"              503 "The server is busy with work of this kind" "Wait as long as `Retry-After` says, and send the request again";
    StoreUnavailable    "store_unavailable"     503 "The store cannot answer now" "Send the request again with the same Idempotency-Key";
}

impl Code {
    /// The code with this word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.word() == word)
    }
}
