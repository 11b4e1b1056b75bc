//! Tournaments: pairings and standings as functions of entrants, history, format and seed.
//!
//! These functions store nothing, never wait, and read no clock. The same input gives the same pairing. Every table and
//! every bye has its reasons, and [`standings()`] explains every tie-break.
//!
//! # Tables of two
//! Swiss rounds and arenas of two at a table follow the Dutch system of FIDE (Handbook C.04.3, as of July 2025),
//! bracket by bracket: all its criteria, C1 to C21, in their order. `dutch/mod.rs` says how, and what differs:
//! - there are no ratings, so lots choose among the pairings that the criteria leave open, in place of the halves S1
//!   and S2 with their transpositions and exchanges;
//! - to begin is to have White, with all rules of colours: to begin is a smaller advantage in a game of dice than in
//!   chess, but entrants know these rules, and published pairings can be compared;
//! - if C1, C2 and C3 cannot all be kept, there still is a round, with as few breaches as possible, of C1 first of all;
//! - up to 160 entrants the pairing is the best one by the criteria; in larger fields it is the best in parts of the
//!   field.
//!
//! The tests in `laws/` compare small fields with all possible pairings, judged by code of their own, and repeat
//! published examples of another pairing engine.
//!
//! # Costs of larger tables
//! Swiss rounds and arenas of three and four divide the entrants into tables and byes of least cost. The cost has seven
//! levels. The first level counts most: a level decides only between divisions that are equal on all levels before it.
//! 1. **meetings**: each two entrants of a table who have met before cost 1 if they met once, 3 if twice, 6 if three
//!    times;
//! 2. **byes**: an entrant who gets a bye costs 1 after one earlier bye, 3 after two, 6 after three. A game to which no
//!    opponent came counts as a bye;
//! 3. **the score group** of an entrant who gets a bye: 0 for the lowest group, 1 for the next one, and so on;
//! 4. **beginnings**: the number of entrants whose beginnings would be more than one away from their even share;
//! 5. **score differences**: for each two entrants of a table, the squared distance between their score groups;
//! 6. **floats**: 2 for an entrant who floats in the same direction as in the last round, 1 for the direction of the
//!    round before the last;
//! 7. **balance**: for each entrant, the squared distance of the beginnings from the even share.
//!
//! Entrants with equal scores stand in an order by lot when the search begins. Up to 10 entrants, the division is the
//! best of all. Larger fields use a local search, and then an exact one if entrants still meet again;
//! `divide/tables.rs` says what they promise.
//!
//! # Arenas
//! If the tables have no room for all who are free, those play who have waited longest, and of these those who have had
//! fewest tables. Among those who play, the first level counts two who met in their last game most, and other meetings
//! only beyond the fewest that two of them have; the other levels are as above.
//!
//! # Sizes of tables
//! A rule set may have no table for some numbers of seats. [`Playable`] has the sizes that can be played; no
//! format makes a table of another size. Entrants whom this leaves over have byes: those with the fewest byes first,
//! then the lowest scores; in a knock-out the strongest, who then go on. [`Format`] describes each form.

mod arena;
mod beginning;
mod cost;
mod divide;
mod dutch;
mod entrant;
mod error;
mod explain;
mod facts;
mod format;
mod groups;
mod history;
mod knock_out;
mod lots;
mod mates;
mod next_round;
mod outcome;
mod own;
mod permute;
mod playable;
mod round;
mod round_robin;
mod score;
mod seating;
mod series;
mod standings;
mod swiss;
mod team;
mod why;

#[cfg(test)]
mod laws;

pub use arena::pair_free;
pub use entrant::{Entrant, EntrantId};
pub use error::TournamentError;
pub use format::{Format, KnockOut, Seeding, TableSize, TieBreak, Tournament, TournamentSeed};
pub use history::{History, InRound, PlayedRound, PlayedTable, SeatResult};
pub use next_round::pair;
pub use own::{
    OwnBye, OwnError, OwnMistake, OwnMistakeKind, OwnPlace, OwnRound, OwnTable, check_last_round, own_round,
};
pub use playable::Playable;
pub use round::{Bye, Round, Table};
pub use score::{Points, Score};
pub use series::{Series, series};
pub use standings::{Explained, Standing, TieBreakPart, check_standings, standings};
pub use team::{BoardSeat, board_seats};
pub use why::{ByeRule, ByeWhy, Float, Meeting, SeatWhy, TableRule, TableWhy};
