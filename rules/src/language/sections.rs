//! Sections of a rule file that are not tables of lines: head, options, board, pawns, dice, turn, counters, finish.

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

pub(super) static OPTION: Shape = Shape {
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

static BOARD: Shape = Shape {
    name: "the board",
    doc: "The squares and the way over them.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("grid", Value::Form(Form::Grid), "Columns and rows: `19 x 19`."),
        Key::required("seats", Value::Forms(Form::Name), "The seats, in the order of travel."),
        Key::optional("paints", Value::Forms(Form::Paint), "A CSS colour for each seat."),
        Key::required(
            "turned",
            Value::Word(&["anticlockwise", "clockwise", "half", "mirrored"]),
            "How the next seat's path comes from the one before.",
        ),
        Key::required("path", Value::Lines(&ZONE, 32), "The zones of a pawn's way, in order."),
        Key::optional("tags", Value::Lines(&TAG, 32), "Names for sets of squares."),
        Key::optional(
            "pairs_on",
            Value::PlacesOrLines(&PAIRS),
            "Where two pawns of one colour are a pair; nowhere without it.",
        ),
        Key::optional("gate", Value::Map(&GATE), "A place past which the way goes on only under a condition."),
    ],
};

static ZONE: Shape = Shape {
    name: "a line of the path",
    doc: "A zone of the path.",
    id: Some("zone"),
    one_of: &[],
    keys: &[
        Key::required("zone", Value::Form(Form::Name), "Its name."),
        Key::required("squares", Value::Forms(Form::Places), "Labels and ranges of labels."),
        Key::optional(
            "walk",
            Value::Form(Form::Walk),
            "The way over the grid: `from 9,11 S6 E1 NE2`; without `from` it goes on from the last square.",
        ),
        Key::optional("again", Value::Forms(Form::Places), "Labels of squares that were walked before."),
        Key::optional(
            "off_board",
            Value::Form(Form::Truth),
            "The place of pawns that are not on the board; the first zone only.",
        ),
        Key::optional("private", Value::Form(Form::Truth), "No other seat's path meets these squares."),
        BEFORE,
        AFTER,
    ],
};

static TAG: Shape = Shape {
    name: "a line of tags",
    doc: "A name for a set of squares.",
    id: Some("tag"),
    one_of: &[],
    keys: &[
        Key::required("tag", Value::Form(Form::Name), "The name."),
        Key::required("squares", Value::Forms(Form::Places), "The squares."),
        Key::required(
            "for",
            Value::Word(&["everyone", "owner"]),
            "Whether the squares by every seat's numbering count, or only the own.",
        ),
        BEFORE,
        AFTER,
    ],
};

static PAIRS: Shape = Shape {
    name: "a line of pairs_on",
    doc: "Squares where two pawns of one colour are a pair.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("squares", Value::Forms(Form::Places), "The squares."),
        Key::optional("when", Value::Form(Form::Expression), "Condition over options."),
    ],
};

static GATE: Shape = Shape {
    name: "the gate",
    doc: "A place past which the way goes on only under a condition.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("after", Value::Form(Form::Label), "The last place before it."),
        Key::required("open_when", Value::Form(Form::Expression), "When it is open for a seat."),
        Key::required(
            "closed",
            Value::Setting(&["lap", "wait"]),
            "What a pawn does at a closed gate: another lap, or it cannot go on.",
        ),
        Key::optional("lap_to", Value::Form(Form::Label), "Where another lap goes on."),
    ],
};

static PAWNS: Shape = Shape {
    name: "the pawns",
    doc: "How many pawns a seat has, and where they start.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("each", Value::Integer(1, 8), "Pawns of a seat."),
        Key::required(
            "start",
            Value::PlacesOrLines(&START),
            "Where they stand when the game begins, a label each; of several lines the first that holds.",
        ),
        Key::optional(
            "cut_to",
            Value::Form(Form::Label),
            "Where captured pawns go; off the board where it is not said.",
        ),
    ],
};

static START: Shape = Shape {
    name: "a line of start",
    doc: "Where the pawns start, under a condition.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("pawns", Value::Forms(Form::Places), "A label for each pawn."),
        Key::optional("when", Value::Form(Form::Expression), "Condition over options."),
    ],
};

static DICE: Shape = Shape {
    name: "the dice",
    doc: "Dice with faces, or lots counted by how many lie mouth up.",
    id: None,
    one_of: &[&["count", "faces"], &["lots", "values"]],
    keys: &[
        Key::optional("count", Value::Integer(1, 4), "How many dice."),
        Key::optional("faces", Value::Integers(0, 60), "The faces of each die."),
        Key::optional("lots", Value::Integer(1, 16), "How many cowries or other two-sided lots."),
        Key::optional("values", Value::Integers(0, 60), "The value with 0, 1, .. mouths up."),
    ],
};

static TURN: Shape = Shape {
    name: "the turn",
    doc: "How a turn runs.",
    id: None,
    one_of: &[],
    keys: &[
        Key::optional(
            "order",
            Value::Setting(&["onward", "backward"]),
            "Whether turns go in the order of `seats` (as without it) or against it.",
        ),
        Key::required("first", Value::Setting(&[]), "Who begins: a seat, `random`, or `highest` throw."),
        Key::required(
            "use_dice",
            Value::Setting(&["most", "any"]),
            "Whether as many numbers as possible must be spent.",
        ),
        Key::optional(
            "once_per_throw",
            Value::Form(Form::Expression),
            "Condition over options: a pawn is moved by one number of a throw at most.",
        ),
        Key::optional(
            "reunite",
            Value::Setting(&["free", "throw", "roll", "turn"]),
            "Within what two pawns of a pair that parted may not meet again but by a joint move.",
        ),
        Key::optional("may_pass", Value::Form(Form::Expression), "Condition over options: `pass` may be chosen."),
        Key::optional(
            "turn_cap",
            Value::Integer(1, 1_000_000),
            "Turns after which a game counts as stuck; 20000 without it.",
        ),
    ],
};

static COUNTERS: Shape = Shape {
    name: "the counters",
    doc: "What is counted for seats and the game, and what pawns are marked with.",
    id: None,
    one_of: &[],
    keys: &[
        Key::optional("seat", Value::Names(Form::Name, &Value::Map(&COUNTER), 8), "Of each seat."),
        Key::optional("game", Value::Names(Form::Name, &Value::Map(&COUNTER), 4), "Of the game."),
        Key::optional("pawn", Value::Names(Form::Name, &Value::Map(&MARK), 4), "Marks of each pawn."),
    ],
};

pub(super) static COUNTER: Shape = Shape {
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

static FINISH: Shape = Shape {
    name: "the finish",
    doc: "When it is over, and for whom.",
    id: None,
    one_of: &[],
    keys: &[
        Key::required("play_on", Value::Setting(&["yes", "no"]), "Whether the others play on for the places."),
        Key::optional("ends_turn", Value::Form(Form::Truth), "Whether a seat's turn ends when it finishes."),
        Key::optional("help", Value::Form(Form::Expression), "When a finished seat moves its partner's pawns."),
        Key::optional("stays", Value::Form(Form::Expression), "When a finished seat still gets turns."),
        Key::optional("ranks", Value::Texts, "What the places are called, the first first."),
    ],
};

pub(super) const BEFORE: Key =
    Key::optional("before", Value::Form(Form::Id), "In a variant: the line comes before this one.");
pub(super) const AFTER: Key =
    Key::optional("after", Value::Form(Form::Id), "In a variant: the line comes after this one.");
