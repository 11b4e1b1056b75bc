//! The board: its grid, seats, zones, tags, and its gate.

use super::{At, BESIDE, Closing, Expr, Setting, TagScope, Text, Turned, Walk, walk::WalkForm};
use crate::language::{
    Flag, Form, GridForm, Lines, List, Name, OnePlace, Paint, PlaceName, PlacesOrLines, RangeForm, Value, WordOrOption,
    WordValue, shape,
};
use crate::source::{Report, Span};
use crate::units::MAX_SEATS;
use crate::yaml::tree::Tree;

shape! {
    /// The grid, the seats, and the path of the pawns.
    pub struct BoardSection: "the board";

    /// Columns and rows: `19 x 19`.
    required grid: At<(u8, u8)> = GridForm;
    /// The seats, in the order of travel.
    required seats: Vec<Text> = List<Name, 2, MAX_SEATS>;
    /// A CSS colour for each seat.
    default paints: Vec<Text> = List<Paint>;
    /// How the path of a seat becomes the path of the next seat: by a turn or by a reflection.
    required turned: At<Turned> = WordValue<Turned>;
    /// The zones of the path, in order.
    required path: Vec<ZoneLine> = Lines<ZoneLine>;
    /// Names for sets of squares.
    default tags: Vec<TagLine> = Lines<TagLine>;
    /// The squares on which two pawns of one colour are a pair. Without this key no pawns are pairs.
    default pairs_on: Vec<PairsLine> = PlacesOrLines<PlaceName, PairsLine>;
    /// A place that pawns pass only under a condition.
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
    /// The squares as a walk over the grid: `from 9,11 S6 E1 NE2`. Without `from` the walk goes on from the last square
    /// of the zone before.
    optional walk: Option<At<Walk>> = WalkForm;
    /// Labels of squares that an earlier zone has walked over: the path comes to them again.
    optional again: Option<Vec<Text>> = List<PlaceName>;
    /// The zone is the place of pawns that are off the board. Only the first zone may be.
    default off_board: bool = Flag;
    /// No path of another seat may use these squares.
    default private: bool = Flag;
}

/// The origin of a zone's squares.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// A walk over the grid.
    Walk(At<Walk>),
    /// An earlier zone has walked over them.
    Again(Vec<Text>),
    /// The zone is the place of pawns off the board.
    OffBoard,
    /// The zone is home.
    Home,
}

/// A zone of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneLine {
    /// Its name.
    pub id: Text,
    /// Its labels in order: a list for each item, since an item may be a range.
    pub squares: Vec<At<Vec<String>>>,
    /// The origin of its squares.
    pub ground: Ground,
    /// No path of another seat may use its squares.
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
    /// `everyone`: the labels name squares in the numbering of every seat, and each seat sees all of them. `owner`:
    /// each seat sees only the squares of its own numbering. Without this key the tag is a short name for places of
    /// the own path, which pictures do not show.
    optional scope as "for": Option<At<TagScope>> = WordValue<TagScope>;
    /// Condition over options. While it is false, no square has the tag.
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
    /// A place that pawns pass only under a condition.
    pub struct GateSection with clauses: "the gate";

    /// The last place before the gate.
    required after: Text = OnePlace;
    /// The condition under which the gate is open for a seat.
    required open_when: Expr;
    /// At a closed gate, a pawn either goes another lap or waits.
    required closed: At<Setting<Closing>> = WordOrOption<Closing>;
    /// The place on which another lap begins.
    optional lap_to: Option<Text> = OnePlace;
}
