//! The board of a rule set as data.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::creation::OptionValue;
use super::dice::DiceShape;
use super::game::RuleSetRef;

/// The board of a rule set: what an app draws, and the ways that pawns walk on it.
///
/// A pawn stands on a *place* of its seat's path, which has a label; a place lies on a *square* of the board. Places of
/// several seats may lie on one square.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BoardLayout {
    /// The rules that the board belongs to.
    pub rule_set: RuleSetRef,
    /// The options that the board is drawn for, defaults included.
    #[schema(value_type = BTreeMap<String, OptionValue>)]
    pub options: Box<RawValue>,
    /// Number of columns of the grid.
    pub columns: u8,
    /// Number of rows of the grid.
    pub rows: u8,
    /// Number of arms round the middle. Absent where the board is drawn as its grid. The grid of a board with arms is a
    /// strip: the columns of the first arm, then those of the next arm.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 6, minimum = 3, maximum = 8)]
    pub arms: Option<u8>,
    /// Width of the board, in squares.
    pub width: f32,
    /// Height of the board, in squares.
    pub height: f32,
    /// Every square.
    pub squares: Vec<BoardSquare>,
    /// Every seat of the board with its path, in the order of travel, even if the seat does not play.
    pub seats: Vec<SeatPath>,
    /// The place of pawns that are off the board.
    #[schema(example = "out")]
    pub out: String,
    /// The place of pawns that have reached their goal.
    #[schema(example = "home")]
    pub home: String,
    /// The free area in the middle, where pawns at home can be drawn. Absent where squares lie in the middle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle: Option<BoardArea>,
    /// The place to which captured pawns go.
    #[schema(example = "out")]
    pub cut_to: String,
    /// Ladders, flights, short cuts: the same on every path.
    pub jumps: Vec<BoardJump>,
    /// Pawns of each seat.
    pub pawns: u8,
    /// The dice or lots.
    pub dice: DiceShape,
    /// The tables that can be played with these options; the last is the full table.
    pub tables: Vec<PlayableTable>,
    /// The rule lines in force at this table: keys of the field `texts` of the rule set, if they have a text.
    #[schema(example = json!(["spend.die", "landing.single"]))]
    pub lines: Vec<String>,
}

/// A square of the board.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"id": "x8y3", "x": 8, "y": 3, "shape": "square", "tags": [{"tag": "castle"}]}))]
pub(crate) struct BoardSquare {
    /// The id of the square, also `data-square` in pictures.
    pub id: String,
    /// Column of the square, from 0 at the left.
    pub x: u8,
    /// Row of the square, from 0 at the top.
    pub y: u8,
    /// Shape of the square.
    pub shape: SquareShape,
    /// Where the square is drawn. Absent on boards without arms: the square is then its cell of the grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<SquarePosition>,
    /// The only seat whose path has the square. Absent if several have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The tags of the square.
    pub tags: Vec<SquareTag>,
}

/// Where a square is drawn.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(example = json!({"x": 9.83, "y": 4.1, "turn": -30.0}))]
pub(crate) struct SquarePosition {
    /// The middle of the square, in squares from the left edge of the board.
    pub x: f32,
    /// The middle of the square, in squares from the top edge of the board.
    pub y: f32,
    /// By how many degrees the square is turned clockwise.
    #[schema(minimum = -45, maximum = 45)]
    pub turn: f32,
}

/// The shape of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SquareShape {
    /// One cell of the grid.
    Square,
}

/// A tag that marks a square.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"tag": "castle"}))]
pub(crate) struct SquareTag {
    /// Name of the tag in the rule set.
    pub tag: String,
    /// The seat that the tag is for. Absent if it is for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

/// A seat with the path of its pawns.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatPath {
    /// Name of the seat: its colour.
    #[schema(example = "red")]
    pub seat: String,
    /// A CSS colour to draw the seat with.
    #[schema(example = "#c0392b")]
    pub paint: String,
    /// Whether the seat plays at this table: whether it has pawns on the board.
    pub plays: bool,
    /// The seat of the player that moves these pawns. Only where a player has several colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Partner of the seat, where teams play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// The place of each pawn at the start, in the order of the pawns.
    #[schema(example = json!(["1", "1", "12", "12"]))]
    pub start: Vec<String>,
    /// The places of the path, in order; `out` first, `home` last.
    pub places: Vec<BoardPlace>,
    /// The steps from place to place.
    pub edges: Vec<PathEdge>,
}

/// A place of a path.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"place": "12", "square": "x8y3", "zone": "track"}))]
pub(crate) struct BoardPlace {
    /// Label of the place, as in positions, events and actions.
    pub place: String,
    /// Square of the place. Absent off the board and at home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The zone of the path to which the place belongs.
    pub zone: String,
}

/// A step of one pip from a place to the next.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"from": "68", "to": "69", "gate": "open"}))]
pub(crate) struct PathEdge {
    /// The place where the step begins. From `out`, it enters the board.
    pub from: String,
    /// The place where the step ends.
    pub to: String,
    /// The state of the gate in which the step is possible. Absent where the gate does not matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}

/// The state of a seat's gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gate {
    /// The seat may pass the gate.
    Open,
    /// The seat may not pass the gate yet.
    Closed,
}

/// A jump of a pawn.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"from": "12", "to": "24"}))]
pub(crate) struct BoardJump {
    /// The place where the jump begins.
    pub from: String,
    /// The place where the jump ends.
    pub to: String,
}

/// A rectangle of the grid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"x": 8, "y": 8, "columns": 3, "rows": 3}))]
pub(crate) struct BoardArea {
    /// The left edge of the area, in squares from the left edge of the board.
    pub x: f32,
    /// The top edge of the area, in squares from the top edge of the board.
    pub y: f32,
    /// Width of the area, in squares.
    pub columns: f32,
    /// Height of the area, in squares.
    pub rows: f32,
}

/// Seats that can play together.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayableTable {
    /// The seats that play: `players` of a game to create.
    pub players: Vec<String>,
    /// The teams. Empty where every seat plays for itself.
    pub teams: Vec<Vec<String>>,
    /// The seats whose pawns each player moves, in the order of `players`; the seat of the player comes first. Only
    /// where a player has several colours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<Vec<String>>,
}

impl From<pagade_rules::ruleset::PlayableTable> for PlayableTable {
    fn from(table: pagade_rules::ruleset::PlayableTable) -> Self {
        let pagade_rules::ruleset::PlayableTable { players, teams, colours } = table;
        Self { players, teams, colours }
    }
}

/// The layout to read.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LayoutQuery {
    /// The version of the rule set. By default the newest one.
    #[param(example = "1.0.0", max_length = 64)]
    pub version: Option<String>,
    /// The digest, as games and rule sets show it.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub digest: Option<String>,
    /// Options that differ from their defaults: `name:value`, separated by commas.
    #[param(
        example = "home_cells:four",
        pattern = "^[a-z0-9_-]+:[a-z0-9_-]+(,[a-z0-9_-]+:[a-z0-9_-]+)*$",
        max_length = 1024
    )]
    pub options: Option<String>,
    /// The seats that play, separated by commas. By default all seats.
    #[param(example = "red,yellow", min_length = 1, max_length = 160)]
    pub players: Option<String>,
}

/// The board to draw.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// The version of the rule set. By default the newest one.
    #[param(example = "1.0.0", max_length = 64)]
    pub version: Option<String>,
    /// The digest, as games and rule sets show it.
    #[param(pattern = "^[0-9a-f]{64}$")]
    pub digest: Option<String>,
    /// Options that differ from their defaults: `name:value`, separated by commas.
    #[param(pattern = "^[a-z0-9_-]+:[a-z0-9_-]+(,[a-z0-9_-]+:[a-z0-9_-]+)*$", max_length = 1024)]
    pub options: Option<String>,
    /// The seats that play, separated by commas. By default all seats.
    #[param(example = "red,yellow", min_length = 1, max_length = 160)]
    pub players: Option<String>,
    /// The seat whose path is drawn.
    #[param(example = "red", min_length = 1, max_length = 32)]
    pub seat: Option<String>,
}

impl BoardQuery {
    /// Returns the query for the layout of the same board.
    pub(crate) fn into_layout(self) -> LayoutQuery {
        let Self { version, digest, options, players, seat: _ } = self;
        LayoutQuery { version, digest, options, players }
    }
}
