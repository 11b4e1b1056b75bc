//! The words of events, with their meaning and their fields. These words must not change: clients register webhooks for
//! them, and client code is generated from them.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The fields that every event has.
pub(crate) const HEAD: &[&str] = &["id", "event", "at", "version", "step"];
/// The fields that any event may have. The last event of a step has `next`.
pub(crate) const TAIL: &[&str] = &["ranking", "next"];
/// The field that every event has if a rule line caused it.
pub(crate) const CAUSE: &str = "rule";
/// The further fields of events that a rule line caused.
pub(crate) const CAUSE_MORE: &[&str] = &["by", "clauses", "because"];

/// Events with the same fields: one schema of the description.
#[derive(Debug)]
pub(crate) struct EventShape {
    /// The name of the schema.
    pub name: &'static str,
    /// The words of the events, each with its meaning.
    pub words: &'static [(&'static str, &'static str)],
    /// Whether a rule line causes the events of this shape.
    pub has_cause: bool,
    /// The fields that events of this shape always have, beside `HEAD` and the fields of the cause.
    pub has: &'static [&'static str],
    /// The fields that events of this shape may have, beside `TAIL` and the fields of the cause.
    pub may: &'static [&'static str],
}

impl EventShape {
    /// Returns the shape of the events with this word.
    #[cfg(test)]
    pub(crate) fn of(word: &str) -> Option<&'static Self> {
        EVENT_SHAPES.iter().find(|shape| shape.words.iter().any(|(known, _)| *known == word))
    }
}

/// Every shape of events.
pub(crate) const EVENT_SHAPES: &[EventShape] = &[
    EventShape {
        name: "GameChangedEvent",
        words: &[
            ("created", "the game was created"),
            ("token_changed", "a token of `seat`, or of the game, was renewed or revoked"),
            ("webhooks_changed", "a webhook of the game was registered or removed"),
            (
                "terms_changed",
                "the table of the game has changed who may watch, the time limit, or what it knows of the players' \
                 network addresses, which may end scoring; or everybody may see the game, because the round of its \
                 tournament is over",
            ),
        ],
        has_cause: false,
        has: &[],
        may: &["seat"],
    },
    EventShape {
        name: "JoinedEvent",
        words: &[("joined", "a player or a robot sat down at `seat`")],
        has_cause: false,
        has: &["seat"],
        may: &["name", "contribution", "player", "robot"],
    },
    EventShape {
        name: "SeatEvent",
        words: &[
            ("left_seat", "`seat` was left, or freed by the owner"),
            ("time_over", "`seat` was late: the server plays its turn to the end"),
            ("resigned", "`seat` gave up"),
            ("forfeited", "`seat` was late too often, and has lost"),
            ("turn", "it is the turn of `seat`"),
            ("asked", "`seat` has to decide now, in the same turn, because the rules ask it or have asked others"),
        ],
        has_cause: false,
        has: &["seat"],
        may: &[],
    },
    EventShape {
        name: "StartedEvent",
        words: &[(
            "started",
            "the game was started with `pawns` and `counters`; `seat` begins, as the throws of `roll_off` say",
        )],
        has_cause: false,
        has: &["seat", "pawns", "counters", "next"],
        may: &["roll_off"],
    },
    EventShape {
        name: "AgreedEvent",
        words: &[("agreed", "`seat` agrees to `reason`: to `end` the game, to `abort` it, or to `play` on after all")],
        has_cause: false,
        has: &["seat", "reason"],
        may: &[],
    },
    EventShape {
        name: "ControlChangedEvent",
        words: &[(
            "control_changed",
            "from now on, `control` decides for `seat`: its `player`; a `robot` until the player comes back, at the \
             latest at `until`; the server in `automatic` mode; or a robot to the end of an `abandoned` seat",
        )],
        has_cause: false,
        has: &["seat", "control"],
        may: &["robot", "until"],
    },
    EventShape {
        name: "SeatClaimedEvent",
        words: &[("seat_claimed", "`seat` is that of the registered `player` from now on, who was a guest before")],
        has_cause: false,
        has: &["seat"],
        may: &["player", "name"],
    },
    EventShape {
        name: "ThrownEvent",
        words: &[("thrown", "`seat` threw `throw`")],
        has_cause: false,
        has: &["seat", "throw"],
        may: &[],
    },
    EventShape {
        name: "MovedEvent",
        words: &[("moved", "`pawn` moved from `from` to `to` over the places of `path`, and spent `number`")],
        has_cause: true,
        has: &["seat", "pawn", "from", "to", "path"],
        may: &["with", "number", "action"],
    },
    EventShape {
        name: "StayedEvent",
        words: &[("stayed", "`number` was spent on `pawn`, which stays at `to`")],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "number", "action"],
    },
    EventShape {
        name: "PawnEvent",
        words: &[
            ("entered", "`pawn` came onto the board at `to`"),
            ("pair_formed", "`pawn` stands with another one of its seat at `to`"),
            ("home", "`pawn` has reached its goal"),
            ("left", "`pawn` has left home or the way to it, and is on the track again"),
        ],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "number"],
    },
    EventShape {
        name: "SentEvent",
        words: &[
            ("cut", "`pawn` was captured by the pawns of `by`, and goes from `from` to `to`"),
            ("sent", "a rule has sent `pawn` from `from` to `to`"),
            ("put_back", "`pawn` stands at `to` again, as before the turn that was taken back"),
        ],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "action"],
    },
    EventShape {
        name: "GrantedEvent",
        words: &[("bonus_granted", "`seat` may move `number` more"), ("throw_granted", "`seat` may throw once more")],
        has_cause: true,
        has: &["seat", "number"],
        may: &[],
    },
    EventShape {
        name: "NumbersLostEvent",
        words: &[
            ("bonus_forfeited", "nothing could be done with `number` bonuses"),
            ("dice_dropped", "nothing could be done with the `number` numbers that were left"),
            ("passed", "`seat` passes, with `number` numbers that it could not use"),
        ],
        has_cause: false,
        has: &["seat"],
        may: &["number", "action"],
    },
    EventShape {
        name: "TakenBackEvent",
        words: &[(
            "taken_back",
            "what was thrown or played in this turn was taken back; the next events say what changed",
        )],
        has_cause: true,
        has: &["seat"],
        may: &[],
    },
    EventShape {
        name: "ChosenEvent",
        words: &[("chosen", "`seat` has answered a question of the rules with `choice`")],
        has_cause: true,
        has: &["seat", "choice", "action"],
        may: &[],
    },
    EventShape {
        name: "CounterChangedEvent",
        words: &[("counter_changed", "`counter` of `seat`, or of the game where there is no `seat`, is `value`")],
        has_cause: true,
        has: &["counter", "value"],
        may: &["seat"],
    },
    EventShape {
        name: "MarkChangedEvent",
        words: &[("mark_changed", "`pawn` has got the mark `mark`, or lost it, as `set` says")],
        has_cause: true,
        has: &["seat", "pawn", "mark", "set"],
        may: &["with"],
    },
    EventShape {
        name: "RankedEvent",
        words: &[
            ("player_won", "`seat` has won, at place `number`"),
            ("player_finished", "`seat` has finished, as seat number `number`; of teams only the team has a place"),
        ],
        has_cause: false,
        has: &["seat", "number"],
        may: &[],
    },
    EventShape {
        name: "GameOverEvent",
        words: &[("game_over", "the game is over; `reason` says why, where its rules did not end it")],
        has_cause: false,
        has: &["next"],
        may: &["seat", "reason"],
    },
];

/// Lists every word of the events of games, each with its meaning.
pub(crate) fn event_words() -> impl Iterator<Item = (&'static str, &'static str)> {
    EVENT_SHAPES.iter().flat_map(|shape| shape.words.iter().copied())
}

/// The words of the events of a group itself, each with its meaning. The stream of a group also contains the events of
/// its games.
pub(crate) const GROUP_EVENT_WORDS: &[(&str, &str)] = &[
    ("group_created", "the group was created"),
    ("group_complete", "no more games are added"),
    ("group_over", "no more games are added, and all games are over"),
    ("group_token_changed", "the token of the group, or its invitation, was renewed"),
    ("group_webhooks_changed", "a webhook of the group was registered or removed"),
];

/// The words of the events of a player, each with its meaning.
pub(crate) const PLAYER_EVENT_WORDS: &[(&str, &str)] = &[
    ("player_created", "the player was created"),
    ("player_changed", "the name of the player was changed"),
    ("player_token_changed", "the token of the player was renewed"),
    ("player_webhooks_changed", "a webhook of the player was registered or removed"),
    ("player_deleted", "the player was deleted; this is the last event"),
    ("game_joined", "the player has sat down at `seat`"),
    ("game_left", "the player has left `seat`, the owner has freed it, or the game was deleted"),
    ("game_started", "the game was started; the player plays `seat`"),
    ("turn_due", "it is the turn of the player"),
    ("end_proposed", "`proposed_by` agrees to `reason`: to `end` or to `abort` the game. The player may agree, too"),
    ("seat_forfeited", "the player was late too often, and has lost"),
    (
        "game_ended",
        "the game is over; the player has reached `place`. `reason` says why, where its rules did not end it",
    ),
    ("table_invited", "the player was invited to the table `table_id`"),
    ("vote_due", "a vote was opened at the table `table_id`; the player can vote"),
    ("chips_staked", "chips of the player are in escrow for the game, as `chips` and `balance` say"),
    (
        "game_settled",
        "a competitive game is settled: `chips` were added to the balance, and `experience` and `badges` are gained",
    ),
    ("friend_asked", "`player` asks to be a friend"),
    ("friend_added", "`player` is a friend from now on"),
    ("friends_changed", "a request to `player` was sent, a request or friendship has ended, or a block was changed"),
    ("guest_claimed", "the guest `player` was claimed: games, tables and friends of the guest are the player's"),
];

/// The words of the events of a table, each with its meaning.
pub(crate) const TABLE_EVENT_WORDS: &[(&str, &str)] = &[
    ("table_created", "the table was created"),
    ("seat_taken", "`player` has sat down at `seat`, or the master has given it to `robot`"),
    ("seat_left", "`player` has left `seat`, or the master has freed it, which `robot` may have had"),
    ("master_changed", "`player` is the master now"),
    ("options_changed", "the master has changed `options`"),
    ("player_invited", "a player was invited; the list of invitations tells the table who"),
    ("invitation_ended", "an invitation was declined or withdrawn"),
    ("link_changed", "the link to the table was made or renewed; an older one is no longer valid"),
    ("watcher_came", "`player` watches"),
    ("watcher_left", "`player` no longer watches"),
    ("said", "`line` was said in the chat"),
    ("line_removed", "`line` was removed from the chat"),
    ("line_reported", "a line of the chat was reported to the master, whom the chat tells which one"),
    ("mute_changed", "the master has muted `player`, or lets the player speak again, as `muted` says"),
    ("vote_opened", "`player` has opened a vote on `on`: to `end` the game, or to play the `next_game`"),
    ("voted", "`player` has voted, as `agrees` says"),
    ("vote_closed", "the vote on `on` is closed with `result`"),
    ("table_game_started", "the game `game_id` begins, and can be read in a moment"),
    ("table_game_ended", "the game `game_id` is over; `ended_by` says why"),
    (
        "table_game_dropped",
        "the next game does not begin, for the `reason`: `player` has too few chips, or the seats do not suit the rule \
         set; stakes for the game `game_id` are returned",
    ),
    ("seat_control_changed", "in the game `game_id`, `control` decides for `seat` from now on; it may have given up"),
    ("player_claimed", "a guest who was here is the registered `player` from now on, at `seat`, where there is one"),
    ("table_webhooks_changed", "a webhook of the table was registered or removed"),
    ("table_closed", "the last player has left; nobody can sit down there"),
];

/// The word of an event in a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventWord;

impl PartialSchema for EventWord {
    fn schema() -> RefOr<Schema> {
        schema_of(&event_words().collect::<Vec<_>>(), false)
    }
}

impl ToSchema for EventWord {}

/// The word of an event that a client names in a request about a group: an event of the group itself or of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupEventWord;

impl PartialSchema for GroupEventWord {
    fn schema() -> RefOr<Schema> {
        schema_of(GROUP_EVENT_WORDS, true)
    }
}

impl ToSchema for GroupEventWord {}

/// The word of an event that a client names in a request about a player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayerEventWord;

impl PartialSchema for PlayerEventWord {
    fn schema() -> RefOr<Schema> {
        schema_of(PLAYER_EVENT_WORDS, false)
    }
}

impl ToSchema for PlayerEventWord {}

/// The word of an event that a client names in a request about a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableEventWord;

impl PartialSchema for TableEventWord {
    fn schema() -> RefOr<Schema> {
        schema_of(TABLE_EVENT_WORDS, false)
    }
}

impl ToSchema for TableEventWord {}

/// Makes the schema of a text that is one of `words`, each with its meaning. If `others` is true, the text may also be
/// a word of the events of games, whose meanings are in [`EventWord`].
fn schema_of(words: &[(&'static str, &'static str)], others: bool) -> RefOr<Schema> {
    let meanings = words.iter().map(|(word, meaning)| format!("- `{word}`: {meaning}\n"));
    let more = if others { "\nOr a word of the events of a game: see `EventWord`." } else { "" };
    let all = words.iter().copied().chain(event_words().filter(|_| others));
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(format!("The word of an event.\n\n{}{more}", meanings.collect::<String>())))
        .enum_values(Some(all.map(|(word, _)| word)))
        .examples(words.first().map(|&(word, _)| word))
        .into()
}
