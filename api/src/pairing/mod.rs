//! Tournaments: pairings and standings as functions of entrants, history, format and seed.
//!
//! These functions store nothing, never wait, and read no clock. The same input gives the same pairing. Every table and
//! every bye has its reasons, and [`standings()`] explains every tie-break.
//!
//! # Costs
//! Swiss rounds and arenas divide the entrants into tables and byes of least cost. The cost has eight levels. The first
//! level counts most: a level decides only between divisions that are equal on all levels before it.
//! 1. **meetings**: each two entrants of a table who have met before cost 1 if they met once, 3 if twice, 6 if three
//!    times;
//! 2. **byes**: an entrant who gets a bye costs 1 after one earlier bye, 3 after two, 6 after three. A game to which no
//!    opponent came counts as a bye;
//! 3. **the score group** of an entrant who gets a bye: 0 for the lowest group, 1 for the next one, and so on;
//! 4. **beginnings**: the number of entrants whose beginnings would be more than one away from their even share;
//! 5. **score differences**: for each two entrants of a table, the squared distance between their score groups;
//! 6. **floats**: 2 for an entrant who floats in the same direction as in the last round, 1 for the direction of the
//!    round before the last;
//! 7. **balance**: for each entrant, the squared distance of the beginnings from the even share;
//! 8. **lots** from the seed, at tables of two and for byes. Larger tables have no cost on this level: entrants with
//!    equal scores stand in an order by lot when their search begins.
//!
//! Up to 160 entrants, tables of two are a minimum-weight perfect matching, which is the best of all divisions. Larger
//! fields are matched in windows of 160 entrants, the highest scores first. The pairs of the upper half of a window are
//! final; its lower half is matched again in the next window. If a final pair has met before, or an entrant would get a
//! second bye, the window grows, up to 512 entrants. So in larger fields the costs after the first two levels are least
//! in each window only, and a second meeting that cannot be avoided among 512 neighbours is accepted.
//!
//! Up to 10 entrants, tables of three and four are the best of all divisions. Larger fields use a local search, and
//! then an exact one if entrants still meet again; `divide/tables.rs` says what they promise.
//!
//! # Boards
//! A rule set may have no board for some numbers of seats. [`Playable`] has the sizes of tables that can be played; no
//! format makes a table of another size. Whom this leaves over has a bye: those with the fewest byes first, then the
//! lowest scores; in a knock-out the strongest, who then go on. [`Format`] says it for each form.
//!
//! # What is taken from the Dutch system of FIDE
//! These criteria of the FIDE Handbook, C.04.3 (as of 2025), are kept: C1 (nobody meets twice) as cost 1; C2 (no second
//! bye, also after a win without a game) as 2; C5 (the bye to the lowest score) as 3; C3 (beginnings further than one
//! from the even share) as 4, so that it yields to C1, C2 and C5 only; C6 and C7 (few floaters, small distances) as 5;
//! C14 to C17 (no float in the same direction as in the last two rounds) as 6; C12 and C13 (colour preferences) as 7,
//! after the floats, because to begin matters less in a game of dice than to meet equals. These are not kept: the
//! halves S1 and S2 with their transpositions and exchanges, because there are no ratings, and lots take their place;
//! C10 and C11 (colours of the leaders, three times in a row); C4 and C8 (bracket by bracket), because all score groups
//! are matched at once; C18 and C19 (differences of repeated floaters).

mod arena;
mod cost;
mod divide;
mod entrant;
mod error;
mod explain;
mod facts;
mod format;
mod groups;
mod history;
mod knock_out;
mod lots;
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

pub use arena::{Free, pair_free};
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
pub use standings::{Explained, Part, Standing, standings};
pub use team::{BoardSeat, board_seats};
pub use why::{ByeRule, ByeWhy, Float, Meeting, SeatWhy, TableRule, TableWhy};
