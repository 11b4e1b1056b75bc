//! Squares, throws and actions as text, in the notation that players read and write.
//!
//! Printing and parsing are inverse: parsing what was printed gives the same value back.
//!
//! | text | what it is |
//! | --- | --- |
//! | `3+6`, `12(0)` | a throw of dice; a throw of lots with how many lie mouth up |
//! | `12`, `8r`, `north.12` | a square in the player's own numbering; a square in the numbering of another seat |
//! | `66-69:3`, `66-75x:3+6` | one pawn moves by one die; one pawn moves by the sum of two dice and captures |
//! | `12=15:3+3` | a pair moves together |
//! | `12-32:b20` | one pawn takes a bonus |
//! | `pass`, `word`, `word 40` | a pass; a choice of the rule set, without or with an argument |

mod actions;
mod squares;
mod throws;
mod why_not;
mod written;

pub use actions::ActionError;
pub use squares::UnknownSquare;
pub use throws::ThrowError;
pub use why_not::WhyNot;
pub use written::{Malformed, WrittenAction, WrittenSquare, WrittenWith};

/// Writes texts as a list in messages: `[12, 8r]`.
pub(crate) fn bracketed(items: &[impl AsRef<str>]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    format!("[{}]", items.join(", "))
}
