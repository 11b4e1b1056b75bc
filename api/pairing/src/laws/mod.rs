//! Laws that hold for every tournament, tested with simulated ones.
//!
//! The tests compute the facts of a history with code of their own, so that they find mistakes in `facts.rs`.
//! `PAGADE_TOURNAMENTS=1000` adds fields of up to that many entrants.

mod apart;
mod arenas;
mod criteria;
mod dutch;
mod formats;
mod lives;
mod mates;
mod own_rounds;
mod rankings;
mod simulated;
mod swiss_pairs;
mod swiss_tables;
mod table_sizes;
mod time;
