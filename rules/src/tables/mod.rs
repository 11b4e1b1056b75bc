//! The rules of one table as data: dense look-up tables and small integer programs.
//!
//! The module `crate::build` makes them from a checked rule set, the options and the seats taken. Paths, gates and
//! verdicts have no other form than these tables: the tables are what the rule set says, written out for every place.
//! Values that are derived from the tables for speed belong to the [engine](crate::play::Engine).

mod board;
pub(crate) mod bounds;
mod company;
mod event;
mod grid;
mod lines;
mod program;
mod rules;
mod seating;
mod spend;
mod verdict;

pub use board::{Board, Pawns};
pub use company::{Companies, Company};
pub(crate) use event::effects;
pub use event::{
    Argument, Asked, Asking, Choice, Each, Effect, Event, EventSet, Events, Goal, Jumper, PASS_WORD, Rule, Which,
};
pub(crate) use grid::rounded;
pub use grid::{Cell, Drawn, Grid, Turned};
pub use lines::{LineId, LineInfo};
pub use program::{Counter, CounterTable, Crowd, Fact, Op, PawnsOf, Program, ProgramCode, Whose};
pub use rules::{Finish, RuleSetIdentity, Rules};
pub use seating::{First, SeatInfo, Seating};
pub use spend::{
    Dice, Duty, Mover, Moves, Must, NumberSet, Numbers, Reunite, Route, Spend, Throws, Turn, Wall, WaySet, With,
};
pub use verdict::{ConditionalVerdict, Verdict, VerdictEntry, VerdictTable};

pub use crate::units::Places;
