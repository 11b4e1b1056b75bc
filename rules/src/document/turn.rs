//! The keys `pawns`, `dice`, `turn` and `finish` of a rule file.

use super::{At, DiceUse, Expr, Order, Setting, Text, WordOr};
use crate::language::{
    ErrorValue, Flag, Form, List, Name, NameSetting, OnePlace, PlacesOrLines, Prose, Value, Whole, WordOrForm,
    WordOrOption, shape,
};
use crate::source::{Report, Span};
use crate::tables::{First, Reunite};
use crate::units::{MAX_NUMBERS, MAX_PAWNS, MAX_SEATS, MAX_STEP};
use crate::yaml::tree::Tree;

/// The number of turns after which a game counts as stuck, unless the file gives another number.
pub(crate) const TURN_CAP: u32 = 20_000;
/// Maximum number of faces of a die, and of values of lots.
const MAX_FACES: usize = 20;

shape! {
    /// The number of pawns of a seat, and the places where they start.
    pub struct PawnsSection: "the section `pawns`";

    /// The number of pawns of each seat.
    required each: At<u8> = Whole<u8, 1, { MAX_PAWNS as i64 }>;
    /// The places of the pawns when the game begins: a label for each pawn. If there are several lines, the first one
    /// whose condition holds decides.
    required start: Vec<StartLine> = PlacesOrLines<OnePlace, StartLine>;
    /// The place to which captured pawns go. Without this key they go off the board.
    optional cut_to: Option<Text> = OnePlace;
}

shape! {
    /// The places where pawns start, under a condition.
    pub struct StartLine: "a line of start";

    /// The labels of the places where the pawns start, one for each pawn.
    required pawns: Vec<Text> = List<OnePlace>;
    /// The seats whose pawns start there. Without this key the line is for all seats.
    default seats: Vec<Text> = List<Name, 1, MAX_SEATS>;
    /// A condition over options. The line holds only if the condition is true.
    optional when: Option<Expr> = Expr;
}

impl From<At<Vec<Text>>> for StartLine {
    fn from(At { value: pawns, span }: At<Vec<Text>>) -> Self {
        Self { pawns, seats: Vec::new(), when: None, span }
    }
}

impl ErrorValue for PawnsSection {
    fn stand_in(span: Span) -> Self {
        let start = vec![At { value: Vec::new(), span }.into()];
        Self { each: At { value: 0, span }, start, cut_to: None, span }
    }
}

/// A face of a die, or the value of lots.
type Face = Whole<u8, 0, { MAX_STEP.0 as i64 }>;

shape! {
    /// Dice with faces, or lots whose value depends on how many lie mouth up.
    pub(crate) struct DiceKeys: "the section `dice`", one_of &[&["count", "faces"], &["lots", "values"]];

    /// The number of dice.
    optional count: Option<At<u8>> = Whole<u8, 1, { MAX_NUMBERS as i64 }>;
    /// The faces of each die.
    default faces: Vec<At<u8>> = List<Face, 1, MAX_FACES>;
    /// The number of cowries or other two-sided lots.
    optional lots: Option<At<u8>> = Whole<u8, 1, 16>;
    /// The values of a throw with 0, 1, .. lots mouth up.
    default values: Vec<At<u8>> = List<Face, 1, MAX_FACES>;
}

/// The dice or lots.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "described in the reference")]
pub enum DiceSection {
    Dice { count: At<u8>, faces: Vec<At<u8>>, span: Span },
    Lots { lots: At<u8>, values: Vec<At<u8>>, span: Span },
}

impl Value for DiceSection {
    type Output = Self;
    const FORM: Form = <DiceKeys as Value>::FORM;

    fn parse(tree: &Tree, name: &str, report: &mut Report) -> Option<Self> {
        let DiceKeys { count, faces, lots, values, span } = DiceKeys::parse(tree, name, report)?;
        Some(match lots {
            Some(lots) => Self::Lots { lots, values, span },
            None => Self::Dice { count: count?, faces, span },
        })
    }
}

impl ErrorValue for DiceSection {
    /// Stands in for dice with an error: as many dice as possible, so that no `face(..)` is reported as well.
    fn stand_in(span: Span) -> Self {
        Self::Dice { count: At { value: MAX_NUMBERS as u8, span }, faces: vec![At { value: 1, span }], span }
    }
}

shape! {
    /// The course of a turn.
    pub struct TurnSection: "the turn";

    /// `onward` (also without this key): turns go in the order of `seats`. `backward`: in the opposite order.
    optional order: Option<At<Setting<Order>>> = WordOrOption<Order>;
    /// The seat that begins: its name, `random`, or `highest` for the highest throw.
    required first: At<WordOr<First, Setting<String>>> = WordOrForm<First, NameSetting>;
    /// Whether a player has to spend as many numbers as possible.
    required use_dice: At<Setting<DiceUse>> = WordOrOption<DiceUse>;
    /// A condition over options. If it holds, a pawn may be moved by only one number of each throw.
    optional once_per_throw: Option<Expr> = Expr;
    /// The period in which the two pawns of a split pair may meet again only by a joint move.
    optional reunite: Option<At<Setting<Reunite>>> = WordOrOption<Reunite>;
    /// A condition over options. If it holds, a player may choose `pass`.
    optional may_pass: Option<Expr> = Expr;
    /// Number of turns after which a game counts as stuck. Without this key it is 20000.
    optional turn_cap: Option<At<u32>> = Whole<u32, 1, 1_000_000>;
}

impl ErrorValue for TurnSection {
    fn stand_in(span: Span) -> Self {
        Self {
            order: None,
            first: At { value: WordOr::Word(First::Random), span },
            use_dice: At { value: Setting::Fixed(DiceUse::Any), span },
            once_per_throw: None,
            reunite: None,
            may_pass: None,
            turn_cap: None,
            span,
        }
    }
}

shape! {
    /// The end of the game.
    pub struct FinishSection with clauses: "the finish";

    /// The condition under which a seat has finished. Without this key it has finished when all its pawns are home.
    optional when: Option<Expr> = Expr;
    /// The number by which the seats are ranked when the game is over, the highest first. Without this key the order in
    /// which they finished counts.
    optional score: Option<Expr> = Expr;
    /// Whether the other seats play on for the next ranks after a seat has finished.
    required play_on: At<Setting<bool>> = WordOrOption<bool>;
    /// Whether a seat's turn ends when it finishes.
    default ends_turn: bool = Flag;
    /// The condition under which a finished seat moves its partner's pawns.
    optional help: Option<Expr> = Expr;
    /// The condition under which a finished seat still gets turns.
    optional stays: Option<Expr> = Expr;
    /// The names of the ranks, beginning with the first.
    default ranks: Vec<Text> = List<Prose>;
}

impl ErrorValue for FinishSection {
    fn stand_in(span: Span) -> Self {
        Self {
            when: None,
            score: None,
            play_on: At { value: Setting::Fixed(false), span },
            ends_turn: false,
            help: None,
            stays: None,
            ranks: Vec::new(),
            clauses: Vec::new(),
            span,
        }
    }
}
