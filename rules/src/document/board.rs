//! The board: its grid, seats, zones, tags, and its gate.

use super::{At, BESIDE, Closing, Expr, Setting, TagScope, Text, Turned, Walk, walk::WalkForm};
use crate::language::{
    Flag, Form, GridForm, Label, Lines, List, Name, Paint, PlaceName, PlacesOrLines, RangeForm, Value, WordOrOption,
    WordValue, shape,
};
use crate::source::{Report, Span};
use crate::units::MAX_SEATS;
use crate::yaml::tree::Tree;

shape! {
    /// The squares and the way over them.
    pub struct BoardSection: "the board";

    /// Columns and rows: `19 x 19`.
    required grid: At<(u8, u8)> = GridForm;
    /// The seats, in the order of travel.
    required seats: Vec<Text> = List<Name, 2, MAX_SEATS>;
    /// A CSS colour for each seat.
    default paints: Vec<Text> = List<Paint>;
    /// How the next seat's path comes from the one before.
    required turned: At<Turned> = WordValue<Turned>;
    /// The zones of a pawn's way, in order.
    required path: Vec<ZoneLine> = Lines<ZoneLine>;
    /// Names for sets of squares.
    default tags: Vec<TagLine> = Lines<TagLine>;
    /// Where two pawns of one colour are a pair; nowhere without it.
    default pairs_on: Vec<PairsLine> = PlacesOrLines<PlaceName, PairsLine>;
    /// A place past which the way goes on only under a condition.
    optional gate: Option<GateSection> = GateSection;
}

shape! {
    /// A zone of the path.
    pub(crate) struct ZoneKeys with clauses: "a line of the path", id "zone", most 32,
        one_of &[&["walk"], &["again"], &["off_board"], &[]], variants BESIDE;

    /// Its name.
    required zone: Text = Name;
    /// Labels and ranges of labels.
    required squares: Vec<At<Vec<String>>> = List<RangeForm>;
    /// The way over the grid: `from 9,11 S6 E1 NE2`; without `from` it goes on from the last square.
    optional walk: Option<At<Walk>> = WalkForm;
    /// Labels of squares that were walked before.
    optional again: Option<Vec<Text>> = List<PlaceName>;
    /// The place of pawns that are not on the board; the first zone only.
    default off_board: bool = Flag;
    /// No other seat's path meets these squares.
    default private: bool = Flag;
}

/// How a zone gets its squares.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// By a walk over the grid.
    Walk(At<Walk>),
    /// They were walked before.
    Again(Vec<Text>),
    /// Its place is not on the board.
    OffBoard,
    /// Its place is where pawns are home.
    Home,
}

/// A zone of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneLine {
    /// Its name.
    pub id: Text,
    /// Its labels in order, as many at a time as an item of the list stands for.
    pub squares: Vec<At<Vec<String>>>,
    /// How it gets its squares.
    pub ground: Ground,
    /// No other seat's path meets them.
    pub private: bool,
    /// Clause ids in its comments.
    pub clauses: Vec<String>,
    /// The whole line in the file.
    pub span: Span,
}

impl Value for ZoneLine {
    type Output = Self;
    const FORM: Form = <ZoneKeys as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self> {
        let ZoneKeys { zone, squares, walk, again, off_board, private, clauses, span } =
            ZoneKeys::parse(tree, name, report)?;
        let ground = match (walk, again) {
            (Some(walk), _) => Ground::Walk(walk),
            (None, Some(again)) => Ground::Again(again),
            (None, None) if off_board => Ground::OffBoard,
            (None, None) => Ground::Home,
        };
        Some(Self { id: zone, squares, ground, private, clauses, span })
    }
}

shape! {
    /// A name for a set of squares.
    pub struct TagLine with clauses: "a line of tags", id "tag", most 32, variants BESIDE;

    /// The name.
    required id as "tag": Text = Name;
    /// The squares.
    required squares: Vec<Text> = List<PlaceName>;
    /// Whether the squares by every seat's numbering count, or only the own.
    required scope as "for": At<TagScope> = WordValue<TagScope>;
    /// Condition over options; where it is false, there are none.
    optional when: Option<Expr> = Expr;
}

shape! {
    /// Squares where two pawns of one colour are a pair.
    pub struct PairsLine: "a line of pairs_on";

    /// The squares.
    required squares: Vec<Text> = List<PlaceName>;
    /// Condition over options.
    optional when: Option<Expr> = Expr;
}

impl From<At<Vec<Text>>> for PairsLine {
    fn from(At { value: squares, span }: At<Vec<Text>>) -> Self {
        Self { squares, when: None, span }
    }
}

shape! {
    /// A place past which the way goes on only under a condition.
    pub struct GateSection with clauses: "the gate";

    /// The last place before it.
    required after: Text = Label;
    /// When it is open for a seat.
    required open_when: Expr;
    /// What a pawn does at a closed gate: another lap, or it cannot go on.
    required closed: At<Setting<Closing>> = WordOrOption<Closing>;
    /// Where another lap goes on.
    optional lap_to: Option<Text> = Label;
}
