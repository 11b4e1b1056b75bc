//! Squares, throws and actions as text: what players read and write.
//!
//! Printing and parsing are inverse: parsing what was printed gives the same value back.
//!
//! | text | what it is |
//! | --- | --- |
//! | `3+6`, `12(0)` | a throw of dice; a throw of lots with how many lie mouth up |
//! | `12`, `8r`, `north.12` | a square in the own numbering; the square that another seat calls so |
//! | `66-69:3`, `66-75x:3+6` | one pawn moves by a die, by the sum, capturing |
//! | `12=15:3+3` | a pair moves together |
//! | `12-32:b20` | one pawn takes a bonus |
//! | `pass`, `word`, `word 40` | anything that is not a move, with its argument |

mod actions;
mod squares;
mod throws;
mod written;

pub use actions::ActionError;
pub use squares::UnknownSquare;
pub use throws::ThrowError;
pub use written::{Malformed, WrittenAction, WrittenSquare, WrittenWith};
