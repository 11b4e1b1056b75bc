//! The complete rules of one table.

use std::collections::BTreeSet;

use super::board::{Board, Pawns};
use super::event::{Effect, Event, Events};
use super::lines::{LineId, LineInfo};
use super::program::{CounterTable, Op, Program, ProgramCode, Whose};
use super::seating::Seating;
use super::spend::{Moves, Throws, Turn};
use super::verdict::Verdict;
use crate::option_value::OptionValue;
use crate::units::{PathPlace, Seat, SquareId};

/// A rule set with its options chosen and its seats taken.
#[derive(Debug)]
pub struct Rules {
    /// Id, version and digest of the rule set, and the options chosen.
    pub identity: RuleSetIdentity,
    /// Every rule line, for statistics, traces and the rule book.
    pub lines: Vec<LineInfo>,
    /// The seats, the players and their order.
    pub seating: Seating,
    /// The squares, paths and labels.
    pub board: Board,
    /// The pawns of a colour.
    pub pawns: Pawns,
    /// The dice or lots, and the numbers that a throw gives.
    pub throws: Throws,
    /// The course of a turn.
    pub turn: Turn,
    /// The ways to spend the hand, and the verdicts on landing and passing.
    pub moves: Moves,
    /// The rules that answer events, and the choices other than moves.
    pub events: Events,
    /// The end of the game for a seat, and for the whole table.
    pub finish: Finish,
    /// The declared counters and marks.
    pub counters: CounterTable,
    /// The programs of all conditions and numbers.
    pub code: ProgramCode,
}

/// The name, version and options of a table's rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSetIdentity {
    /// The id of the rule set: the value of the key `rules` in its file.
    pub id: String,
    /// The names of the rule files that the rule set extends, the nearest first, without folder and `.yaml`. Files of
    /// bundled and published rule sets are named by their ids.
    pub bases: Vec<String>,
    /// The version of the rule set.
    pub version: String,
    /// The BLAKE3 digest of the rule set's normal form (`RuleSet::flattened`), in hexadecimal.
    pub digest: String,
    /// The value of every option by name, defaults included.
    pub options: Vec<(String, OptionValue)>,
}

/// The end of the game.
#[derive(Debug, Clone)]
pub struct Finish {
    /// The condition under which a seat has finished. `None` means when all its pawns are home.
    pub when: Option<Program>,
    /// The number by which seats are ranked when the game is over, the highest first. `None` means by the order in
    /// which they finished.
    pub score: Option<Program>,
    /// Whether the other seats play on for the next ranks.
    pub play_on: bool,
    /// Whether the turn ends when the seat finishes.
    pub ends_turn: bool,
    /// The condition under which a finished seat moves its partner's pawns. `Own` is the finished seat; `None` means
    /// never.
    pub help: Option<Program>,
    /// The condition under which a finished seat still takes turns. `None` means only while it helps its partner.
    pub stays: Option<Program>,
    /// The titles of the ranks, from first to last.
    pub ranks: Vec<String>,
}

impl Rules {
    /// The square of a place on a colour's path. `None` off the board and at home.
    #[inline(always)]
    pub fn square(&self, colour: Seat, place: PathPlace) -> Option<SquareId> {
        self.board.square[1][colour.index()][place.index()]
    }

    /// The name of a seat.
    #[must_use]
    pub fn seat_name(&self, seat: Seat) -> &str {
        &self.seating.seats[seat.index()].name
    }

    /// The seat of this name, whether or not it plays.
    #[must_use]
    pub fn seat_named(&self, name: &str) -> Option<Seat> {
        let index = self.seating.seats.iter().position(|seat| seat.name == name)?;
        Some(Seat(index as u8))
    }

    /// The label of a place.
    #[must_use]
    pub fn label(&self, place: PathPlace) -> &str {
        &self.board.labels[place.index()]
    }

    /// The lines of `numbers`, `spend`, `must`, `landing`, `passing`, `on` and `choices` that may apply at this table, in
    /// the order of the file. Lines that are turned off by the options chosen are left out.
    pub fn lines_in_force(&self) -> impl Iterator<Item = &LineInfo> {
        let mut lines: BTreeSet<LineId> = self.moves.landing.lines().chain(self.moves.passing.lines()).collect();
        lines.extend(self.throws.numbers.iter().map(|line| line.line));
        lines.extend(self.moves.spend.iter().map(|line| line.line));
        lines.extend(self.moves.must.iter().map(|line| line.line));
        lines.extend(self.events.on.iter().flatten().map(|line| line.line));
        lines.extend(self.events.choices.iter().map(|line| line.line));
        lines.into_iter().map(|line| &self.lines[line.index()])
    }

    /// The operations of a program.
    #[inline(always)]
    pub(crate) fn ops(&self, program: Program) -> &[Op] {
        let start = program.start as usize;
        &self.code.ops[start..start + program.len as usize]
    }

    /// The number of operations that run for a program. A condition of counted pawns runs for each pawn.
    pub(crate) fn operations_of(&self, program: Program) -> usize {
        let cost = |op: &Op| op.operations(self.seating.colours.len(), self.pawns.count);
        self.ops(program).iter().map(cost).sum()
    }

    /// Whether the order of arrival on a square matters.
    ///
    /// It does if a landing captures the pawn that arrived last, or if a rule reads anything about that pawn's seat.
    #[must_use]
    pub fn tracks_newest(&self) -> bool {
        let landing = &self.moves.landing;
        landing.can_answer(Verdict::CutLast) || landing.can_answer(Verdict::CutLastOfAll) || self.asks_who_fell()
    }

    pub(crate) fn undoes_turns(&self) -> bool {
        self.events.effects().any(|effect| *effect == Effect::UndoTurn)
    }

    /// Whether a rule that answers a capture reads anything about the captured pawn's seat.
    fn asks_who_fell(&self) -> bool {
        let asks = |program: Program| self.ops(program).iter().any(|op| op.asks_other());
        let writes = |effect: &Effect| match *effect {
            Effect::Set(whose, ..) | Effect::Add(whose, ..) if whose == Whose::Other => true,
            effect => effect.programs().any(asks),
        };
        let mut rules = self.events.on[Event::Cut as usize].iter();
        rules.any(|rule| rule.when.is_some_and(asks) || rule.effects.iter().any(writes))
    }
}
