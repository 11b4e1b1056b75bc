//! What a rule set becomes once its options are chosen: dense tables and small integer programs.
//!
//! Everything here is made by `crate::build` from a checked rule set and read by [`crate::play`].

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
    /// The order of arrival on a square matters: some landing captures the last to arrive.
    pub tracks_newest: bool,
    /// The operations of all programs, one after another.
    pub code: Vec<Op>,
    /// Tables for the short way, where the rule set is plain; made by [`Rules::finished`].
    pub(crate) quick: Option<Quick>,
}

impl Rules {
    /// The last step of building: what is derived from the tables themselves.
    pub(crate) fn finished(mut self) -> Rules {
        self.quick = Quick::of(&self);
        self
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

/// The board: squares, and every colour's path over them.
#[derive(Debug)]
pub struct Board {
    /// Places of a path: 0 off the board, `len - 1` home.
    pub len: u8,
    /// The label of every place.
    pub labels: Vec<String>,
    /// Index into `zones` of every place.
    pub zone: Vec<u8>,
    /// The zones in path order: name and places.
    pub zones: Vec<(String, Places)>,
    /// Squares tagged, as places by colour: name, and the places of each colour's path that carry it.
    pub tags: Vec<(String, [Places; MAX_SEATS])>,
    /// Places where pawns of one colour count as a pair.
    pub pairing: Places,
    /// Number of squares.
    pub squares: u8,
    /// Column and row of every square on the grid.
    pub cells: Vec<(u8, u8)>,
    /// Columns and rows of the grid.
    pub grid: (u8, u8),
    /// Square by gate (0 closed, 1 open), colour and place *before* turning at the gate:
    /// `square[gate][colour][place + steps]`. `NOWHERE` off the board and at home, `WALL` beyond.
    pub square: [[[u8; 256]; MAX_SEATS]; 2],
    /// Place by gate and place before turning at the gate; meaningless where the square is `WALL`.
    pub lands: [[Place; 256]; 2],
    /// The condition that opens the gate for the colour that moves; `None`: there is no gate.
    pub gate: Option<Program>,
    /// The last place before the gate.
    pub gate_at: Place,
    /// The place of a colour's path that a square is first walked at, going out: for turning round.
    pub outward: Vec<Place>,
    /// Class of every place by colour, for the verdict tables.
    pub class: [[u8; 128]; MAX_SEATS],
    /// A place of colour `c` in the numbering of colour `d`: `seen[c][d][place]`, 255 for none.
    pub seen: Vec<Vec<Vec<u8>>>,
}

/// Dice or lots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// Every die's faces, all equally likely.
    Faces {
        /// How many dice.
        count: u8,
        /// The faces of each.
        faces: Vec<u8>,
    },
    /// Two-sided lots: the value by how many lie mouth up.
    Lots {
        /// How many lots.
        count: u8,
        /// Value with 0, 1, .. `count` mouths up.
        values: Vec<u8>,
    },
}

/// Numbers that a throw gives.
#[derive(Debug)]
pub struct Numbers {
    /// The rule line.
    pub line: LineId,
    /// When it applies.
    pub when: Option<Program>,
    /// The numbers; empty: nothing to spend.
    pub numbers: Vec<Program>,
    /// All or none of them must be spent.
    pub all_or_none: bool,
}

/// How a turn runs.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Legal is only what begins a way to spend as many numbers as can be spent.
    pub most: bool,
    /// A pawn is moved by one number of a throw at most (a sum counts as one).
    pub once_per_throw: bool,
    /// Two pawns of a pair may not meet again on a square, by anything but a joint move, within this scope.
    pub reunite: Reunite,
    /// A turn passes by itself where nothing can be played, else `pass` may be chosen too.
    pub may_pass: bool,
    /// Turns after which a game counts as stuck.
    pub cap: u32,
}

/// Scope of the ban on two pawns of a pair meeting again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reunite {
    /// They may.
    Free,
    /// Not with the numbers of one throw.
    Throw,
    /// Not before the next throw: bonuses included.
    Roll,
    /// Not in the same turn.
    Turn,
}

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// One pawn.
    Pawn,
    /// Two pawns of one colour on one place.
    Pair,
}

/// What an action spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// One number of a throw.
    Die,
    /// All numbers of a throw (two or more), none spent before; steps are their sum.
    Sum,
    /// Both equal numbers of a doublet, none spent before; steps are one of them.
    Doublet,
    /// A bonus.
    Bonus,
}

/// How willingly an action is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Part of the plan that the dice must be used for.
    Ordinary,
    /// Open beside the ordinary ones, never forced, never counted; where only such are open, `pass` is too.
    Voluntary,
    /// Only when no ordinary action is left.
    Last,
}

/// Which way an action goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Along the path.
    Ahead,
    /// To this place, whatever the steps.
    To(Place),
    /// Turns round where it stands and walks outward from the place where the path first met the square.
    Outward,
    /// Outward, but stays homeward while it does not leave the squares that are walked twice.
    Recoil,
}

/// A way to spend something of the hand.
#[derive(Debug)]
pub struct Spend {
    /// The rule line.
    pub line: LineId,
    /// What moves.
    pub mover: Mover,
    /// Places it may stand on.
    pub from: Places,
    /// What it spends.
    pub with: With,
    /// The only number (or sum) it may be, 0 for any.
    pub exactly: u8,
    /// Which way it goes.
    pub route: Route,
    /// How many steps; `None`: the number, the sum, one of the doublet, the bonus.
    pub steps: Option<Program>,
    /// Condition that does not depend on the pawn or the number: asked once a decision.
    pub open: Option<Program>,
    /// Condition asked for each pawn and number (`from`, `to`, `pawn`, `number`, `throw_number`).
    pub when: Option<Program>,
    /// How willingly.
    pub duty: Duty,
}

/// A compulsion.
#[derive(Debug)]
pub struct Must {
    /// The rule line.
    pub line: LineId,
    /// Spending lines that count, a bit each.
    pub actions: u32,
    /// Condition asked once a decision.
    pub open: Option<Program>,
    /// Condition asked for each action.
    pub when: Option<Program>,
}

/// An ordered table of verdicts, answered by look-up.
#[derive(Debug)]
pub struct Verdicts {
    /// Number of classes of places.
    pub classes: u8,
    /// `(mover * classes + class) * 256 + occupied`, seats turned so that the mover's colour is lowest.
    pub table: Vec<Verdict>,
    /// Lines whose condition must be asked while playing; a verdict points to the first that may fit.
    pub asked: Vec<Asked>,
    /// No line at all: nothing to look up.
    pub is_empty: bool,
}

/// What the table says: a final answer or the first of the lines to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// By rule line `1`, the answer is `0`.
    Is(Answer, LineId),
    /// Ask the line at this index of `asked`; where it does not hold, go on with its `otherwise`.
    Ask(u16),
}

/// A line of a verdict table with a condition.
#[derive(Debug)]
pub struct Asked {
    /// The rule line.
    pub line: LineId,
    /// The condition.
    pub when: Program,
    /// The answer where it holds.
    pub then: Answer,
    /// Where it does not.
    pub otherwise: Verdict,
}

/// Answers of the verdict tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Answer {
    /// The action is not possible.
    Refuse,
    /// It stands there (landing), it may go by (passing).
    Allow,
    /// It stands there and every enemy there is captured.
    Cut,
    /// It stands there and the enemy that came last is captured.
    CutLast,
}

/// Events that rules answer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// A turn begins, before any throw.
    TurnStart,
    /// Something was thrown; its numbers are not in the hand yet.
    Throw,
    /// A pawn moved (also for each pawn of a joint move).
    Moved,
    /// A pawn came onto the board from place 0.
    Entered,
    /// A pawn or pair captured; `victims` says how many.
    Cut,
    /// A pawn was captured: context is the victim's colour and pawn; `other` is the capturer.
    Lost,
    /// A pawn passed over a pair of its own colour.
    PassedOwnPair,
    /// A pair formed where pairs count.
    PairFormed,
    /// A pair moved together.
    PairMoved,
    /// A pawn reached home.
    Home,
    /// A pawn went out again from home or a homeward place.
    Left,
    /// Everything of a throw (of all banked throws) is spent or dropped.
    Spent,
    /// A turn ends: context is the seat whose turn ends.
    TurnEnd,
    /// A turn ends: asked for every playing seat in turn, `other` is the seat whose turn ended.
    AnyTurnEnd,
}

impl Event {
    /// Number of events.
    pub const COUNT: usize = 14;
}

/// A rule that answers an event.
#[derive(Debug)]
pub struct Rule {
    /// The rule line.
    pub line: LineId,
    /// When it applies.
    pub when: Option<Program>,
    /// What happens, in order.
    pub effects: Vec<Effect>,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Sets a counter of whom to a value, held within its range.
    Set(Whose, u8, Program),
    /// Adds to a counter, held within its range.
    Add(Whose, u8, Program),
    /// Sets (or clears) a mark of the pawn in question.
    Mark(u8, Program),
    /// Sets (or clears) a mark of every own pawn for which the condition holds.
    MarkEach(u8, Program, Program),
    /// Grants a throw before anything is spent.
    ThrowNow,
    /// Grants a throw after the hand is spent.
    ThrowAfter,
    /// Grants a bonus of steps, to be taken now or after the numbers left.
    Bonus(Program, bool),
    /// The numbers of this throw are not added to the hand (or all of the hand is dropped).
    Drop {
        /// The whole hand.
        all: bool,
    },
    /// The turn ends when this is done.
    EndTurn,
    /// A pawn goes to a place off the ordinary way (no landing there).
    Send(Which, Place),
    /// One own pawn of the first place moves to the second, with a landing there.
    Jump(Place, Place),
    /// A pawn captures at the argument's square and stands there (two pawns where two are captured).
    Pounce(Place),
}

/// Whose counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The colour that moves (in `Lost`, the victim's; in `AnyTurnEnd`, the seat asked).
    Own,
    /// The other seat in question: the victim's, the capturer's, the seat whose turn ended.
    Other,
    /// The partner of the colour that moves (itself without teams).
    Partner,
    /// The seat whose turn it is, whatever it moves.
    Turn,
    /// The game.
    Game,
}

/// Which pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The pawn in question.
    This,
    /// The own pawn on the board nearest to home.
    Nearest,
    /// The pawn that moved last in this turn.
    LastMoved,
}

/// A choice that is not a move.
#[derive(Debug)]
pub struct Choice {
    /// The rule line.
    pub line: LineId,
    /// The word that players use.
    pub word: String,
    /// When it is asked.
    pub at: Asking,
    /// When it is open. With an argument it is asked for each place.
    pub when: Option<Program>,
    /// What the argument is.
    pub of: Argument,
    /// What happens.
    pub effects: Vec<Effect>,
}

/// When a choice is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Before the throw; the throw must wait for one of them.
    BeforeThrow,
    /// When the turn would end; the turn ends with it.
    BeforeTurnEnd,
}

/// The argument of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// None.
    None,
    /// A place where an own pair stands.
    OwnPair,
    /// A place where enemies stand, of the seat on the right.
    RightPawn,
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

/// A stretch of [`Rules::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Index of the first operation.
    pub start: u32,
    /// Number of operations.
    pub len: u16,
}

/// An operation of a program: a stack of integers, truth as 1 and 0. Depth is at most [`Op::STACK`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Pushes a number (or a place).
    Push(i16),
    /// Pushes a counter.
    Counter(Whose, u8),
    /// Pushes whether the pawn in question bears a mark.
    Mark(u8),
    /// Pushes whether some pawn of the other seat in question, on the square in question, bears a mark.
    MarkThere(u8),
    /// Pushes a fact of the situation.
    Fact(Fact),
    /// Pushes a face of the last throw: 0..
    Face(u8),
    /// Pops a place, pushes whether it is in a set (index into the set given by a zone or tag of the own colour).
    In(u128),
    /// Pushes how many own pawns stand on places of a set.
    Pawns(u128),
    /// Pushes how many pawns of the other seat in question stand on places of a set.
    OtherPawns(u128),
    /// Pushes how many places of a set hold two or more own pawns.
    Pairs(u128),
    /// Pushes how many places of a set hold two or more pawns of the other seat.
    OtherPairs(u128),
    /// Arithmetic and logic on the top of the stack.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Half, rounded down.
    Half,
    /// Remainder.
    Rem,
    /// Equality.
    Eq,
    /// Less than.
    Lt,
    /// Less than or equal.
    Le,
    /// Both.
    And,
    /// Either.
    Or,
    /// Not.
    Not,
    /// Pops condition, then, else: pushes one of them.
    Pick,
}

impl Op {
    /// Deepest stack that a program may need.
    pub const STACK: usize = 16;
}

/// Facts of the situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The last throw was a doublet; while a number is spent: its throw was.
    Doublet,
    /// Sum of the faces of the last throw.
    Total,
    /// The number (sum, bonus) that is spent.
    Number,
    /// Which throw of the turn is spent, from 1.
    ThrowNumber,
    /// Throws of this turn so far.
    Throws,
    /// Throws granted and not thrown yet.
    Owed,
    /// Where the pawn in question stands (stood, after it moved).
    From,
    /// Where it lands (stands, after it moved); in a verdict table the place in question.
    To,
    /// Pawns captured by this action.
    Victims,
    /// The pawn in question moves as one of a pair.
    Joint,
    /// Own pawns on the place in question.
    OwnThere,
    /// Enemy pawns on the square in question.
    EnemiesThere,
    /// Seats that play.
    Players,
    /// The seat in question has finished (all its pawns came home once).
    Finished,
    /// The other seat in question has finished.
    OtherFinished,
    /// The pawn in question shares its square with another of its colour where pairs count.
    InPair,
    /// The seat in question moves its partner's pawns.
    Helping,
    /// The other seat in question sits on the right of the seat in question.
    OtherIsRight,
    /// The seat in question is the one whose turn it is (or ended).
    IsTurn,
    /// A pawn moved in this turn, and it is of the seat's colour.
    AnyMoved,
    /// Place of the pawn that moved last in this turn.
    LastMovedAt,
    /// The place that the other seat calls the square in question, 255 for none.
    ToAsOther,
    /// The argument of a choice.
    Argument,
    /// Bonuses that wait to be taken now.
    BonusesNow,
}
