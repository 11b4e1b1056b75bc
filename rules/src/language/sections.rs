//! A rule file and its head, options, players and counters.

use crate::language::parts::{BOARD, DICE, FINISH, PAWNS, TURN};
use crate::language::tables::{CHOICES, LANDING, MUST, NUMBERS, ON, PASSING, SPEND};
use crate::language::{Form, Key, Shape, Value};

/// Bounds of counters and numbers, as the engine keeps them.
const LEAST: i64 = -30_000;
const MOST: i64 = 30_000;
/// Most lines of a table.
const LINES: usize = 200;

/// A whole rule file.
pub(crate) static FILE: Shape = Shape {
    name: "a rule file",
    doc: "A rule set, or a variant that extends one.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("rules", Value::Form(Form::Id), "The id of the rule set."),
        Key::required(
            "version",
            Value::Form(Form::Version),
            "Its version: three numbers; a change that alters play raises the first.",
        ),
        Key::required("title", Value::Text, "What the game is called."),
        Key::optional(
            "titles",
            Value::Names(Form::Language, &Value::Text, 64),
            "What it is called in other languages, by language tag.",
        ),
        Key::optional("region", Value::Text, "Where it is played."),
        Key::optional("period", Value::Text, "When it was or is played."),
        Key::required("sources", Value::Texts, "Where the rules come from."),
        Key::optional("about", Value::Text, "The game in a few sentences."),
        Key::optional(
            "extends",
            Value::Form(Form::File),
            "The rule set (id or path) that this file is a variant of; it then says only what differs.",
        ),
        Key::optional(
            "remove",
            Value::Forms(Form::Path),
            "Lines and settings of the extended rule set that do not hold: `section.id`.",
        ),
        Key::optional(
            "options",
            Value::Names(Form::Name, &Value::Map(&OPTION), 64),
            "What a table may choose, with defaults.",
        ),
        Key::optional("players", Value::Lines(&PLAYERS, 32), "Tables that can be played; the last is the full one."),
        Key::optional("teams", Value::Map(&TEAMS), "Who plays together."),
        Key::required("board", Value::Map(&BOARD), "The squares and the way over them."),
        Key::required("pawns", Value::Map(&PAWNS), "How many pawns a seat has, and where they start."),
        Key::required("dice", Value::Map(&DICE), "What is thrown."),
        Key::optional("counters", Value::Map(&COUNTERS), "What is counted and marked."),
        Key::required("turn", Value::Map(&TURN), "How a turn runs."),
        Key::optional(
            "numbers",
            Value::Lines(&NUMBERS, LINES),
            "What a throw gives to spend; the first line that holds decides; without one, the faces.",
        ),
        Key::required("spend", Value::Lines(&SPEND, 32), "What can be done with the numbers in hand."),
        Key::optional(
            "must",
            Value::Lines(&MUST, LINES),
            "Compulsion: the first line with a possible action restricts the choice to its own.",
        ),
        Key::optional(
            "landing",
            Value::Lines(&LANDING, LINES),
            "What a landing on others does; the first line that fits decides.",
        ),
        Key::optional(
            "passing",
            Value::Lines(&PASSING, LINES),
            "Who can be gone by; the first line that fits decides.",
        ),
        Key::optional("on", Value::Lines(&ON, LINES), "What happens at events."),
        Key::optional("choices", Value::Lines(&CHOICES, 32), "Choices that are not moves."),
        Key::required("finish", Value::Map(&FINISH), "When it is over, and for whom."),
    ],
};

static OPTION: Shape = Shape {
    name: "an option",
    doc: "A choice of the table before the game.",
    id: None,
    one_of: &[&["one_of"], &["truth"], &["from", "to"]],
    keys: &[
        Key::optional("one_of", Value::Forms(Form::Name), "The words to choose from."),
        Key::optional("truth", Value::Form(Form::Truth), "Always `yes`: the option is `yes` or `no`."),
        Key::optional("from", Value::Integer(LEAST, MOST), "The least number."),
        Key::optional("to", Value::Integer(LEAST, MOST), "The greatest number."),
        Key::required("default", Value::Default, "What holds if the table does not choose."),
        Key::required("text", Value::Text, "The choice in words."),
        Key::optional("clause", Value::Forms(Form::Clause), "Clauses that it belongs to (a comment does as well)."),
    ],
};

static PLAYERS: Shape = Shape {
    name: "a line of players",
    doc: "Seats that can play together.",
    id: None,
    one_of: &[&["seats"], &["any"]],
    keys: &[
        Key::optional("seats", Value::Forms(Form::Name), "These seats."),
        Key::optional("any", Value::Integer(1, 4), "Any so many seats."),
        Key::optional("when", Value::Form(Form::Expression), "Condition over options."),
    ],
};

static TEAMS: Shape = Shape {
    name: "teams",
    doc: "Who plays together.",
    id: None,
    one_of: &[],
    keys: &[Key::required("opposite", Value::Form(Form::Expression), "When opposite seats are a team.")],
};

static COUNTERS: Shape = Shape {
    name: "the counters",
    doc: "What is counted for seats and the game, and what pawns are marked with.",
    id: None,
    one_of: &[],
    keys: &[
        Key::optional("seat", Value::Names(Form::Name, &Value::Map(&COUNTER), 8), "Of each seat."),
        Key::optional("game", Value::Names(Form::Name, &Value::Map(&COUNTER), 4), "Of the game."),
        Key::optional("pawn", Value::Names(Form::Name, &Value::Map(&MARK), 8), "Marks of each pawn."),
    ],
};

static COUNTER: Shape = Shape {
    name: "a counter",
    doc: "A number within bounds, or a truth value.",
    id: None,
    one_of: &[&["truth"], &["from", "to"]],
    keys: &[
        Key::optional("truth", Value::Form(Form::Truth), "Always `yes`: it is `yes` or `no`."),
        Key::optional("from", Value::Integer(LEAST, MOST), "The least number."),
        Key::optional("to", Value::Integer(LEAST, MOST), "The greatest number."),
        Key::optional("start", Value::Default, "Its value when the game begins; the least without it."),
        Key::optional("hidden", Value::Form(Form::Truth), "Not shown in states and records."),
    ],
};

static MARK: Shape = Shape {
    name: "a mark",
    doc: "A truth value of each pawn.",
    id: None,
    one_of: &[&["truth"]],
    keys: &[
        Key::optional("truth", Value::Form(Form::Truth), "Always `yes`."),
        Key::optional("hidden", Value::Form(Form::Truth), "Not shown in states and records."),
    ],
};
