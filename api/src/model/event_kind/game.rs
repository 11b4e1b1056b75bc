//! The events of games: their words, meanings and fields.

use std::borrow::Cow;

use pagade_rules::play::HappeningKind;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::words::schema_of;

/// The kinds of events of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// The game was created.
    Created,
    /// A seat was joined.
    Joined,
    /// A seat was left, or freed by the owner.
    LeftSeat,
    /// The game was started.
    Started,
    /// A decision was late: the server plays for the seat, or the seat forfeits.
    TimeOver,
    /// A token was renewed or revoked.
    TokenChanged,
    /// A webhook was registered or removed.
    WebhooksChanged,
    /// The table of the game has changed who may watch, or the time limit; or everybody may see the game.
    TermsChanged,
    /// A player resigned.
    Resigned,
    /// A player was late too often.
    Forfeited,
    /// A player agrees to end or to abort the game, or withdraws the agreement.
    Agreed,
    /// Somebody else decides for a seat from now on: its player, a robot, or the server.
    ControlChanged,
    /// A registered player has claimed the guest who plays a seat.
    SeatClaimed,
    /// The value of a counter has changed.
    CounterChanged,
    /// A pawn has got or lost a mark.
    MarkChanged,
    /// A turn was taken back: a pawn is again where it was before the turn.
    PutBack,
    /// A happening that the engine reports about a throw or an action.
    Play(HappeningKind),
}

impl EventKind {
    /// The kinds of events that are not happenings of the engine.
    const OTHERS: [Self; 16] = [
        Self::Created,
        Self::Joined,
        Self::LeftSeat,
        Self::Started,
        Self::TimeOver,
        Self::TokenChanged,
        Self::WebhooksChanged,
        Self::TermsChanged,
        Self::Resigned,
        Self::Forfeited,
        Self::Agreed,
        Self::ControlChanged,
        Self::SeatClaimed,
        Self::CounterChanged,
        Self::MarkChanged,
        Self::PutBack,
    ];

    /// Returns the word of this kind of event, as in lists of events and in webhook messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Joined => "joined",
            Self::LeftSeat => "left_seat",
            Self::Started => "started",
            Self::TimeOver => "time_over",
            Self::TokenChanged => "token_changed",
            Self::WebhooksChanged => "webhooks_changed",
            Self::TermsChanged => "terms_changed",
            Self::Resigned => "resigned",
            Self::Forfeited => "forfeited",
            Self::Agreed => "agreed",
            Self::ControlChanged => "control_changed",
            Self::SeatClaimed => "seat_claimed",
            Self::CounterChanged => "counter_changed",
            Self::MarkChanged => "mark_changed",
            Self::PutBack => "put_back",
            Self::Play(happening) => happening.word(),
        }
    }

    /// Returns the kind of event with this word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let all = Self::OTHERS.into_iter().chain(HappeningKind::ALL.map(Self::Play));
        all.into_iter().find(|kind| kind.word() == word)
    }
}

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
    /// The kinds of events, each with the meaning of its word.
    pub kinds: &'static [(EventKind, &'static str)],
    /// Whether a rule line causes the events of this shape.
    pub has_cause: bool,
    /// The fields that events of this shape always have, beside `HEAD` and the fields of the cause.
    pub has: &'static [&'static str],
    /// The fields that events of this shape may have, beside `TAIL` and the fields of the cause.
    pub may: &'static [&'static str],
}

impl EventShape {
    /// Lists the words of the events of this shape, each with its meaning.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.kinds.iter().map(|(kind, meaning)| (kind.word(), *meaning))
    }

    /// Returns the shape of the events with this word.
    #[cfg(test)]
    pub(crate) fn of(word: &str) -> Option<&'static Self> {
        EVENT_SHAPES.iter().find(|shape| shape.words().any(|(known, _)| known == word))
    }
}

/// Every shape of events. Each kind of event has one.
pub(crate) const EVENT_SHAPES: &[EventShape] = &[
    EventShape {
        name: "GameChangedEvent",
        kinds: &[
            (EventKind::Created, "the game was created"),
            (EventKind::TokenChanged, "a token of `seat`, or of the game, was renewed or revoked"),
            (EventKind::WebhooksChanged, "a webhook of the game was registered or removed"),
            (
                EventKind::TermsChanged,
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
        kinds: &[(EventKind::Joined, "a player or a robot sat down at `seat`")],
        has_cause: false,
        has: &["seat"],
        may: &["name", "contribution", "player", "robot"],
    },
    EventShape {
        name: "SeatEvent",
        kinds: &[
            (EventKind::LeftSeat, "`seat` was left, or freed by the owner"),
            (EventKind::TimeOver, "`seat` was late: the server plays its turn to the end"),
            (EventKind::Resigned, "`seat` gave up"),
            (EventKind::Forfeited, "`seat` was late too often, and has lost"),
            (EventKind::Play(HappeningKind::Turn), "it is the turn of `seat`"),
            (
                EventKind::Play(HappeningKind::Asked),
                "`seat` has to decide now, in the same turn, because the rules ask it or have asked others",
            ),
        ],
        has_cause: false,
        has: &["seat"],
        may: &[],
    },
    EventShape {
        name: "StartedEvent",
        kinds: &[(
            EventKind::Started,
            "the game was started with `pawns` and `counters`; `seat` begins, as the throws of `roll_off` say",
        )],
        has_cause: false,
        has: &["seat", "pawns", "counters", "next"],
        may: &["roll_off"],
    },
    EventShape {
        name: "AgreedEvent",
        kinds: &[(
            EventKind::Agreed,
            "`seat` agrees to `reason`: to `end` the game, to `abort` it, or to `play` on after all",
        )],
        has_cause: false,
        has: &["seat", "reason"],
        may: &[],
    },
    EventShape {
        name: "ControlChangedEvent",
        kinds: &[(
            EventKind::ControlChanged,
            "from now on, `control` decides for `seat`: its `player`; a `robot` until the player comes back, at the \
             latest at `until`; the server in `automatic` mode; or a robot to the end of an `abandoned` seat",
        )],
        has_cause: false,
        has: &["seat", "control"],
        may: &["robot", "until"],
    },
    EventShape {
        name: "SeatClaimedEvent",
        kinds: &[(
            EventKind::SeatClaimed,
            "`seat` is that of the registered `player` from now on, who was a guest before",
        )],
        has_cause: false,
        has: &["seat"],
        may: &["player", "name"],
    },
    EventShape {
        name: "ThrownEvent",
        kinds: &[(EventKind::Play(HappeningKind::Thrown), "`seat` threw `throw`")],
        has_cause: false,
        has: &["seat", "throw"],
        may: &[],
    },
    EventShape {
        name: "MovedEvent",
        kinds: &[(
            EventKind::Play(HappeningKind::Moved),
            "`pawn` moved from `from` to `to` over the places of `path`, and spent `number`",
        )],
        has_cause: true,
        has: &["seat", "pawn", "from", "to", "path"],
        may: &["with", "number", "action"],
    },
    EventShape {
        name: "StayedEvent",
        kinds: &[(EventKind::Play(HappeningKind::Stayed), "`number` was spent on `pawn`, which stays at `to`")],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "number", "action"],
    },
    EventShape {
        name: "PawnEvent",
        kinds: &[
            (EventKind::Play(HappeningKind::Entered), "`pawn` came onto the board at `to`"),
            (EventKind::Play(HappeningKind::PairFormed), "`pawn` stands with another one of its seat at `to`"),
            (EventKind::Play(HappeningKind::Home), "`pawn` has reached its goal"),
            (EventKind::Play(HappeningKind::Left), "`pawn` has left home or the way to it, and is on the track again"),
        ],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "number"],
    },
    EventShape {
        name: "SentEvent",
        kinds: &[
            (
                EventKind::Play(HappeningKind::Cut),
                "`pawn` was captured by the pawns of `by`, and goes from `from` to `to`",
            ),
            (EventKind::Play(HappeningKind::Sent), "a rule has sent `pawn` from `from` to `to`"),
            (EventKind::PutBack, "`pawn` stands at `to` again, as before the turn that was taken back"),
        ],
        has_cause: true,
        has: &["seat", "pawn", "from", "to"],
        may: &["with", "action"],
    },
    EventShape {
        name: "GrantedEvent",
        kinds: &[
            (EventKind::Play(HappeningKind::BonusGranted), "`seat` may move `number` more"),
            (EventKind::Play(HappeningKind::ThrowGranted), "`seat` may throw once more"),
        ],
        has_cause: true,
        has: &["seat", "number"],
        may: &[],
    },
    EventShape {
        name: "NumbersLostEvent",
        kinds: &[
            (EventKind::Play(HappeningKind::BonusForfeited), "nothing could be done with `number` bonuses"),
            (
                EventKind::Play(HappeningKind::DiceDropped),
                "nothing could be done with the `number` numbers that were left",
            ),
            (EventKind::Play(HappeningKind::Passed), "`seat` passes, with `number` numbers that it could not use"),
        ],
        has_cause: false,
        has: &["seat"],
        may: &["number", "action"],
    },
    EventShape {
        name: "TakenBackEvent",
        kinds: &[(
            EventKind::Play(HappeningKind::TakenBack),
            "what was thrown or played in this turn was taken back; the next events say what changed",
        )],
        has_cause: true,
        has: &["seat"],
        may: &[],
    },
    EventShape {
        name: "ChosenEvent",
        kinds: &[(EventKind::Play(HappeningKind::Chosen), "`seat` has answered a question of the rules with `choice`")],
        has_cause: true,
        has: &["seat", "choice", "action"],
        may: &[],
    },
    EventShape {
        name: "CounterChangedEvent",
        kinds: &[(
            EventKind::CounterChanged,
            "`counter` of `seat`, or of the game where there is no `seat`, is `value`",
        )],
        has_cause: true,
        has: &["counter", "value"],
        may: &["seat"],
    },
    EventShape {
        name: "MarkChangedEvent",
        kinds: &[(EventKind::MarkChanged, "`pawn` has got the mark `mark`, or lost it, as `set` says")],
        has_cause: true,
        has: &["seat", "pawn", "mark", "set"],
        may: &["with"],
    },
    EventShape {
        name: "RankedEvent",
        kinds: &[
            (EventKind::Play(HappeningKind::PlayerWon), "`seat` has won, at place `number`"),
            (
                EventKind::Play(HappeningKind::PlayerFinished),
                "`seat` has finished, as seat number `number`; of teams only the team has a place",
            ),
        ],
        has_cause: false,
        has: &["seat", "number"],
        may: &[],
    },
    EventShape {
        name: "GameOverEvent",
        kinds: &[(
            EventKind::Play(HappeningKind::GameOver),
            "the game is over; `reason` says why, where its rules did not end it",
        )],
        has_cause: false,
        has: &["next"],
        may: &["seat", "reason"],
    },
];

/// Lists every word of the events of games, each with its meaning.
pub(super) fn event_words() -> impl Iterator<Item = (&'static str, &'static str)> {
    EVENT_SHAPES.iter().flat_map(EventShape::words)
}

impl PartialSchema for EventKind {
    fn schema() -> RefOr<Schema> {
        schema_of(&event_words().collect::<Vec<_>>(), false)
    }
}

impl ToSchema for EventKind {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("EventWord")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_shape_and_is_read_from_its_word() {
        let all = EventKind::OTHERS.into_iter().chain(HappeningKind::ALL.map(EventKind::Play));
        for kind in all {
            let shapes = EVENT_SHAPES.iter().flat_map(|shape| shape.kinds).filter(|(other, _)| *other == kind);
            assert_eq!(shapes.count(), 1, "{kind:?}");
            assert_eq!(EventKind::parse(kind.word()), Some(kind));
        }
        assert_eq!(EventKind::parse("gameover"), None);
    }
}
