//! Laws that hold for every tournament, tested with simulated ones.
//!
//! The tests read histories by themselves, so that a mistake in `facts.rs` shows. `PAGADE_TOURNAMENTS=1000` adds fields
//! of up to that many entrants.

mod formats;
mod rankings;
mod simulated;
mod swiss_pairs;
mod swiss_tables;
mod time;
