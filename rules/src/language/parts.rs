//! Board, pawns, dice, turn and finish.

use crate::language::tables::{AFTER, BEFORE};
use crate::language::{Form, Key, Shape, Value};

pub(super) static BOARD: Shape = Shape {
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
    one_of: &[&["walk"], &["again"], &["off_board"], &[]],
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
        Key::optional(
            "when",
            Value::Form(Form::Expression),
            "Condition over options; where it is false, there are none.",
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

pub(super) static PAWNS: Shape = Shape {
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

pub(super) static DICE: Shape = Shape {
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

pub(super) static TURN: Shape = Shape {
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

pub(super) static FINISH: Shape = Shape {
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
