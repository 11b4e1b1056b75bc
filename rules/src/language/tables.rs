//! Tables of lines with ids: numbers, spend, must, landing, passing, on, choices.

use crate::language::{Form, Key, Shape, Value};

const ID: Key = Key::required("id", Value::Form(Form::Id), "Its name in the table.");
const WHEN: Key = Key::optional(
    "when",
    Value::Form(Form::Expression),
    "Its condition; what depends on options only is decided before the game.",
);

pub(super) const BEFORE: Key =
    Key::optional("before", Value::Form(Form::Id), "In a variant: the line comes before this one.");
pub(super) const AFTER: Key =
    Key::optional("after", Value::Form(Form::Id), "In a variant: the line comes after this one.");

pub(super) static NUMBERS: Shape = Shape {
    name: "a line of numbers",
    doc: "What a throw gives to spend.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        WHEN,
        Key::required("numbers", Value::Expressions, "The numbers; an empty list gives nothing."),
        Key::optional("all_or_none", Value::Form(Form::Truth), "All of them are spent, or none."),
        BEFORE,
        AFTER,
    ],
};

pub(super) static SPEND: Shape = Shape {
    name: "a line of spend",
    doc: "A way to spend something of the hand.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::required("move", Value::Word(&["pawn", "pair", "group"]), "What moves."),
        Key::required("from", Value::Forms(Form::Places), "Where it may stand."),
        Key::required("with", Value::Word(&["die", "sum", "doublet", "triplet", "bonus"]), "What is spent."),
        Key::optional("exactly", Value::Integer(1, 60), "The only number (or sum) that it may be."),
        Key::optional("to", Value::Form(Form::Label), "Where it goes, whatever the number."),
        Key::optional(
            "route",
            Value::Word(&["ahead", "outward", "recoil", "bounce", "lap"]),
            "Which way it goes: ahead without it.",
        ),
        Key::optional("steps", Value::Form(Form::Expression), "How far it goes: the number without it."),
        WHEN,
        Key::optional(
            "duty",
            Value::Word(&["ordinary", "voluntary", "last"]),
            "Whether it must be taken; ordinary without it.",
        ),
        BEFORE,
        AFTER,
    ],
};

pub(super) static MUST: Shape = Shape {
    name: "a line of must",
    doc: "A compulsion.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::required("actions", Value::Forms(Form::Id), "Ids of lines of spend."),
        Key::optional(
            "within",
            Value::Setting(&["moment", "hand"]),
            "Looks at what is possible at the moment, as without it, or in the course of the whole hand.",
        ),
        WHEN,
        BEFORE,
        AFTER,
    ],
};

pub(super) static LANDING: Shape = Shape {
    name: "a line of landing",
    doc: "What a landing does.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::required("on", Value::Form(Form::Pattern), "Who stands there."),
        BY,
        IN,
        WHEN,
        Key::required("then", Value::Word(&["cut", "cut last", "stop before", "refuse", "join"]), "What happens."),
        BEFORE,
        AFTER,
    ],
};

pub(super) static PASSING: Shape = Shape {
    name: "a line of passing",
    doc: "What a passing does.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::required("over", Value::Form(Form::Pattern), "Who stands there."),
        BY,
        IN,
        WHEN,
        Key::required("then", Value::Word(&["refuse", "pass"]), "Whether it can be gone by."),
        BEFORE,
        AFTER,
    ],
};

const BY: Key = Key::optional("by", Value::Word(&["pawn", "pair"]), "What comes there; either without it.");
const IN: Key =
    Key::optional("in", Value::Forms(Form::Places), "On which places of the mover's path; everywhere without it.");

pub(super) static ON: Shape = Shape {
    name: "a line of on",
    doc: "What happens at an event.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::required("event", Value::Word(EVENTS), "The event."),
        WHEN,
        Key::required("do", Value::Effects, "What happens, in order."),
        BEFORE,
        AFTER,
    ],
};

/// The events, in the order of the engine's own list.
pub(crate) const EVENTS: &[&str] = &[
    "turn_start",
    "throw",
    "moved",
    "entered",
    "cut",
    "lost",
    "passed_own_pair",
    "pair_formed",
    "pair_moved",
    "home",
    "left",
    "spent",
    "turn_end",
    "any_turn_end",
    "spared",
];

pub(super) static CHOICES: Shape = Shape {
    name: "a line of choices",
    doc: "A choice that is not a move; its id is the word that players use.",
    id: Some("id"),
    one_of: &[],
    keys: &[
        ID,
        Key::optional("word", Value::Form(Form::Name), "The word that players use; the id where it is not said."),
        Key::required("ask", Value::Word(&["before_throw", "before_turn_end"]), "When it is asked."),
        Key::optional("argument", Value::Word(&["own_pair", "right_pawn", "previous_pawn"]), "What it names."),
        WHEN,
        Key::required("do", Value::Effects, "What happens, in order."),
        BEFORE,
        AFTER,
    ],
};
