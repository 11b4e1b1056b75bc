//! All that a rule set says, for the options chosen and the seats taken.

use super::board::{Board, Pawns};
use super::event::{Effect, Event, Events};
use super::lines::LineInfo;
use super::program::{Code, Counters, Op, Program, Whose};
use super::seating::Seating;
use super::spend::{Moves, Throws, Turn};
use super::verdict::Verdict;
use crate::option_value::OptionValue;
use crate::units::{PathPlace, Seat};

/// A rule set with its options chosen and its seats taken.
#[derive(Debug)]
pub struct Rules {
    /// Id, version and digest of the rule set, and the options chosen.
    pub identity: Identity,
    /// Every rule line, for statistics, traces and documentation.
    pub lines: Vec<LineInfo>,
    /// Who sits where, who plays, and who follows whom.
    pub seating: Seating,
    /// Squares, paths and labels.
    pub board: Board,
    /// The pawns of a colour.
    pub pawns: Pawns,
    /// What is thrown, and which numbers that gives.
    pub throws: Throws,
    /// How the turn runs.
    pub turn: Turn,
    /// What can be done with the hand, and what that does.
    pub moves: Moves,
    /// What happens on events, and what may be chosen.
    pub events: Events,
    /// When seats and teams are done, and what then.
    pub finish: Finish,
    /// Declared counters and marks.
    pub counters: Counters,
    /// The conditions and numbers of all of these.
    pub code: Code,
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
    /// The options chosen, by name, defaults included.
    pub options: Vec<(String, OptionValue)>,
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

impl Rules {
    /// The square of a colour's place; beyond the gate its own way home.
    #[inline(always)]
    pub fn square(&self, colour: Seat, place: PathPlace) -> u8 {
        self.board.square[1][colour.index()][place as usize]
    }

    /// The name of a seat, which is the colour of its pawns.
    #[must_use]
    pub fn seat_name(&self, seat: Seat) -> &str {
        &self.seating.seats[seat.index()].name
    }

    /// The seat of this name, playing or not.
    #[must_use]
    pub fn seat_named(&self, name: &str) -> Option<Seat> {
        let index = self.seating.seats.iter().position(|seat| seat.name == name)?;
        Some(Seat(index as u8))
    }

    /// What a colour calls a place of its own path.
    #[must_use]
    pub fn label(&self, place: PathPlace) -> &str {
        &self.board.labels[usize::from(place)]
    }

    /// The operations of a program.
    #[inline(always)]
    pub(crate) fn ops(&self, program: Program) -> &[Op] {
        let start = program.start as usize;
        &self.code.ops[start..start + program.len as usize]
    }

    /// Whether the order of arrival on a square matters: some landing captures the last to arrive, or a rule asks whose
    /// it was.
    #[must_use]
    pub fn tracks_newest(&self) -> bool {
        let landing = &self.moves.landing;
        landing.can_answer(Verdict::CutLast) || landing.can_answer(Verdict::CutLastOfAll) || self.asks_who_fell()
    }

    /// Whether some rule takes turns back.
    pub(crate) fn undoes_turns(&self) -> bool {
        self.events.effects().any(|effect| *effect == Effect::UndoTurn)
    }

    /// Whether a rule that answers a capture asks about the seat whose pawn fell.
    fn asks_who_fell(&self) -> bool {
        let asks = |program: Program| self.ops(program).iter().any(|op| op.asks_other());
        let writes = |effect: &Effect| match *effect {
            Effect::Set(whose, _, value) | Effect::Add(whose, _, value) => whose == Whose::Other || asks(value),
            Effect::Mark(_, value) | Effect::Bonus(value, _) => asks(value),
            Effect::MarkEach(_, value, condition) => asks(value) || asks(condition),
            _ => false,
        };
        let mut rules = self.events.on[Event::Cut as usize].iter();
        rules.any(|rule| rule.when.is_some_and(asks) || rule.effects.iter().any(writes))
    }
}
