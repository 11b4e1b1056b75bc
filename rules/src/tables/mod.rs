//! What a rule set becomes once its options are chosen: dense tables and small integer programs.
//!
//! Everything here is made by `crate::build` from a checked rule set and read by [`crate::play`].

mod board;
mod event;
mod program;
mod question;
mod spend;
mod verdict;

pub use board::Board;
pub use event::{Argument, Asking, Choice, Effect, Event, Rule, Which, Whose};
pub use program::{Fact, Op, Program};
pub(crate) use question::{Look, Question, Questions, RESULT, Test};
pub use spend::{Dice, Duty, Mover, Must, Numbers, Reunite, Route, Spend, Turn, With};
pub use verdict::{Answer, Asked, Verdict, Verdicts};

use crate::play::ahead::Ahead;
use crate::play::lines::Lines;
use crate::play::quick::Quick;
use crate::play::state::{MAX_PAWNS, MAX_SEATS, Place, Seat};

/// A set of places of one path, a bit each.
pub type Places = u128;
/// Index of a rule line in [`Rules::lines`].
pub type LineId = u16;
/// No rule line: an empty square, or an occupied one that no line speaks of.
pub const NO_LINE: LineId = LineId::MAX;

/// A rule set with its options chosen and its seats taken: all that playing needs.
#[derive(Debug)]
pub struct Rules {
    /// Id, version and digest of the rule set.
    pub identity: Identity,
    /// The options chosen, by name, defaults included, as text (`true`, `2`, `partnership`).
    pub options: Vec<(String, String)>,
    /// Every rule line, for statistics, traces and documentation.
    pub lines: Vec<LineInfo>,
    /// The seats of the board, playing or not, in the order of travel.
    pub seats: Vec<SeatInfo>,
    /// The seats that play, in the order of travel.
    pub players: Vec<Seat>,
    /// The seat that plays after each seat.
    pub next: [Seat; MAX_SEATS],
    /// The seat on each seat's right that plays: the next one in the order of travel.
    pub right: [Seat; MAX_SEATS],
    /// The partner of each seat; the seat itself without teams.
    pub partner: [Seat; MAX_SEATS],
    /// Whether opposite seats are a team.
    pub teams: bool,
    /// Who begins.
    pub first: First,
    /// Squares, paths and labels.
    pub board: Board,
    /// How many pawns each colour has.
    pub pawns: u8,
    /// Where the pawns stand when the game begins; those past `pawns` are 0.
    pub start: [Place; MAX_PAWNS],
    /// Dice or lots.
    pub dice: Dice,
    /// Lines that say which numbers a throw gives; the first whose condition holds decides.
    pub numbers: Vec<Numbers>,
    /// How the turn runs.
    pub turn: Turn,
    /// What can be done with the hand.
    pub spend: Vec<Spend>,
    /// Compulsion: of the actions possible, the first line with one restricts the choice to its own.
    pub must: Vec<Must>,
    /// What a landing does.
    pub landing: Verdicts,
    /// What stands in the way of passing.
    pub passing: Verdicts,
    /// What happens on events, in order, by [`Event`] as index.
    pub on: [Vec<Rule>; Event::COUNT],
    /// Choices that are not moves.
    pub choices: Vec<Choice>,
    /// When seats and teams are done, and what then.
    pub finish: Finish,
    /// Declared counters of a seat, of the game, and marks of a pawn, in declaration order.
    pub counters: Vec<Counter>,
    /// Counters of the game.
    pub game_counters: Vec<Counter>,
    /// Marks of a pawn: bit `i` of `State::marks` is `marks[i]`.
    pub marks: Vec<Counter>,
    /// Where captured pawns go.
    pub cut_to: Place,
    /// The order of arrival on a square matters: some landing captures the last to arrive, or a rule asks whose it was.
    pub tracks_newest: bool,
    /// Some rule takes turns back: how a turn began is kept.
    pub undoes: bool,
    /// The operations of all programs, one after another.
    pub code: Vec<Op>,
    /// The programs that make it up.
    pub(crate) programs: Vec<Program>,
    /// The programs as they are asked while playing; made by [`Rules::finished`].
    pub(crate) questions: Questions,
    /// What a look ahead may take for granted; made by [`Rules::finished`].
    pub(crate) ahead: Ahead,
    /// Which spending lines begin where; made by [`Rules::finished`].
    pub(crate) begin: Lines,
    /// Tables for the short way, where the rule set is plain; made by [`Rules::finished`].
    pub(crate) quick: Option<Quick>,
}

impl Rules {
    /// The last step of building: what is derived from the tables themselves.
    pub(crate) fn finished(mut self) -> Rules {
        self.questions = Questions::of(&self.code, &self.programs, [&self.counters, &self.game_counters]);
        self.begin = Lines::of(&self);
        self.ahead = Ahead::of(&self);
        self.tracks_newest |= self.asks_who_fell();
        let undoes = self.all_effects().any(|effect| *effect == Effect::UndoTurn);
        self.undoes = undoes;
        self.quick = Quick::of(&self);
        self
    }

    /// What rules and choices may do.
    fn all_effects(&self) -> impl Iterator<Item = &Effect> {
        let rules = self.on.iter().flatten().flat_map(|rule| &rule.effects);
        rules.chain(self.choices.iter().flat_map(|choice| &choice.effects))
    }

    /// Whether a rule that answers a capture asks about the seat whose pawn fell.
    fn asks_who_fell(&self) -> bool {
        let asks = |program: Program| {
            let start = program.start as usize;
            self.code[start..start + program.len as usize].iter().any(|op| op.asks_other())
        };
        let writes = |effect: &Effect| match *effect {
            Effect::Set(whose, _, value) | Effect::Add(whose, _, value) => whose == Whose::Other || asks(value),
            Effect::Mark(_, value) | Effect::Bonus(value, _) => asks(value),
            Effect::MarkEach(_, value, condition) => asks(value) || asks(condition),
            _ => false,
        };
        self.on[Event::Cut as usize].iter().any(|rule| rule.when.is_some_and(asks) || rule.effects.iter().any(writes))
    }
}

/// Which rules these are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The id, such as the file's name.
    pub id: String,
    /// The version.
    pub version: String,
    /// BLAKE3 of the flattened text, hex.
    pub digest: String,
}

/// A rule line as documentation: where it stands and what it carries.
#[derive(Debug, Clone)]
pub struct LineInfo {
    /// `landing.pair-by-pair`
    pub name: String,
    /// Line in the file it came from, from 1.
    pub line: u32,
    /// Clause ids in its comment or its `clauses`.
    pub clauses: Vec<String>,
}

/// A seat of the board.
#[derive(Debug, Clone)]
pub struct SeatInfo {
    /// The colour's name.
    pub name: String,
    /// A CSS colour to draw it with.
    pub paint: String,
}

/// Who begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// This seat.
    Seat(Seat),
    /// One of the players, at random: drawn by whoever runs the game.
    Random,
    /// Who throws highest; ties throw again. Thrown by whoever runs the game.
    Highest,
}

/// When it is over.
#[derive(Debug, Clone)]
pub struct Finish {
    /// The others play on for the places.
    pub play_on: bool,
    /// The seat's turn ends when it finishes.
    pub ends_turn: bool,
    /// A finished seat plays its partner's pawns when this holds (`Own` is the finished seat); `None`: never.
    pub help: Option<Program>,
    /// A finished seat still gets turns when this holds; `None`: never (unless it helps).
    pub stays: Option<Program>,
    /// Titles of the places, first to last.
    pub ranks: Vec<String>,
}

/// A declared counter or mark.
#[derive(Debug, Clone)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// A truth value (0 or 1).
    pub truth: bool,
    /// Least and greatest value.
    pub range: (i16, i16),
    /// Value when the game begins.
    pub start: i16,
    /// Not shown in states and records.
    pub hidden: bool,
}
