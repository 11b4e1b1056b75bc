//! The key `board` of a rule file: grid, seats, zones, tags and gate.

use super::{At, BESIDE, Closing, Expr, Setting, TagScope, Text, Walk, walk::WalkForm};
use crate::language::{
    AllLines, Different, Flag, Form, GridForm, Lines, List, Name, OnePlace, Paint, PlaceName, PlacesOrLines, RangeForm,
    Value, Whole, WordOrOption, WordValue, shape,
};
use crate::source::{Report, Span};
use crate::tables::Turned;
use crate::units::MAX_SEATS;
use crate::yaml::tree::Tree;

shape! {
    /// The grid, the seats, and the path of the pawns.
    pub struct BoardSection: "the board";

    /// The number of columns and rows, such as `19 x 19`. On a board with arms, those of one arm.
    required grid: At<(u8, u8)> = GridForm;
    /// The number of equal arms round the middle. The grid is then a strip: the columns of the first arm, then those of
    /// the next one anticlockwise, and after the last column the first one again. Row 0 is next to the middle.
    optional arms: Option<At<u8>> = Whole<u8, 3, 8>;
    /// The seats, in the order of travel.
    required seats: Vec<Text> = Different<Name, 2, MAX_SEATS>;
    /// A CSS colour for each seat.
    table paints: Vec<Text> = List<Paint>;
    /// How the path of a seat becomes the path of the next seat: by a turn or by a reflection. `anticlockwise` and
    /// `clockwise` turn by a quarter, on a board with arms by one arm. `same` leaves it as it is.
    required turned: At<Turned> = WordValue<Turned>;
    /// The zones of the path, in order.
    needed path: Vec<ZoneLine> = AllLines<ZoneLine>;
    /// Names for sets of squares.
    table tags: Vec<TagLine> = Lines<TagLine>;
    /// The squares on which two pawns of one colour are a pair. Without this key no pawns are pairs.
    table pairs_on: Vec<PairsLine> = PlacesOrLines<PlaceName, PairsLine>;
    /// A place that pawns pass only under a condition.
    spare gate: Option<GateSection> = GateSection;
}

shape! {
    /// A zone of the path.
    pub(crate) struct ZoneKeys with clauses: "a line of the path", id "zone", most 32,
        one_of &[&["walk"], &["again"], &["off_board"], &[]], variants BESIDE;

    /// The name of the zone.
    required zone: Text = Name;
    /// The labels of the zone's squares in order. An item may be a range of labels, such as `h7..h1`.
    required squares: Vec<At<Vec<String>>> = List<RangeForm>;
    /// The squares as a walk over the grid: `from 9,11 S6 E1 NE2`. Without `from` the walk goes on from the last square
    /// of the previous zone. With `turned: same` there may be a walk for each seat.
    optional walk: Option<Vec<At<Walk>>> = List<WalkForm, 1, MAX_SEATS>;
    /// Labels of squares that an earlier zone has walked over. The path goes through these squares a second time.
    optional again: Option<Vec<Text>> = List<PlaceName>;
    /// Whether the zone is the place of pawns that are off the board. Only the first zone may be it.
    default off_board: bool = Flag;
    /// Whether no path of another seat may use these squares.
    default private: bool = Flag;
}

/// The origin of the squares of a zone.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// A walk over the grid lists the squares. Several walks list those of each seat, in the order of the seats.
    Walk(Vec<At<Walk>>),
    /// The squares belong to an earlier zone, too. The labels are those of the earlier zone.
    Again(Vec<Text>),
    /// The zone is the place of pawns off the board and has no squares.
    OffBoard,
    /// The zone is home and has no squares.
    Home,
}

/// A zone of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneLine {
    /// The name of the zone.
    pub id: Text,
    /// The labels of the zone in order, one list for each item of the file, because an item may be a range of labels.
    pub squares: Vec<At<Vec<String>>>,
    /// The origin of the squares of the zone.
    pub ground: Ground,
    /// Whether no path of another seat may use the squares of the zone.
    pub private: bool,
    /// The clause ids in the comments of the line.
    pub clauses: Vec<String>,
    /// The span of the whole line in the file.
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

    /// The name of the tag.
    required id as "tag": Text = Name;
    /// The squares that get the tag.
    required squares: Vec<Text> = List<PlaceName>;
    /// The seats for which a square has the tag. `everyone`: a square has the tag for all seats if it has one of the
    /// labels on the path of any seat. `owner`: a square has the tag only for the seats on whose own path it has one of
    /// the labels. Without this key, the tag is a short name for places of the mover's path, and pictures do not
    /// show it.
    optional scope as "for": Option<At<TagScope>> = WordValue<TagScope>;
    /// A condition over options. While it is false, no square has the tag.
    optional when: Option<Expr> = Expr;
}

shape! {
    /// Squares where two pawns of one colour are a pair.
    pub struct PairsLine: "a line of pairs_on";

    /// The squares on which pawns are pairs.
    required squares: Vec<Text> = List<PlaceName>;
    /// A condition over options. The line holds only if the condition is true.
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
