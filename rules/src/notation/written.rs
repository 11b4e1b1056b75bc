//! The syntax of actions. This module does not decide whether an action is legal.

use std::fmt;
use std::num::{NonZeroU8, NonZeroU16};
use std::str::FromStr;

use crate::units::{MAX_BANKED, MAX_PAWNS, Pips};

/// An action as a player writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenAction {
    /// A pawn goes from one square to another, or a pair or group goes together.
    Move {
        /// The square where the move begins.
        from: WrittenSquare,
        /// The square where the move ends.
        to: WrittenSquare,
        /// Whether several pawns move together, written `=` instead of `-`.
        joint: bool,
        /// Whether the move captures, written as an `x` after the target.
        captures: bool,
        /// The numbers to spend; `None` if the text has none.
        with: Option<WrittenWith>,
        /// The numbers of the pawns that move, counted from 1 among the own pawns of the square, one bit each; bit 0 is
        /// number 1. `None` if the text does not name them.
        pawns: Option<NonZeroU16>,
        /// The number of the throw to spend, counted from 1 in the order thrown. `None` if the text does not name it.
        throw: Option<NonZeroU8>,
    },
    /// An action that is no move: `pass`, or a choice of the rule set with its argument.
    Word {
        /// The word.
        word: String,
        /// The argument of the choice, if it has one.
        argument: Option<WrittenSquare>,
    },
}

/// The name of a square: a label in the player's own numbering, or in that of another seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenSquare {
    /// The seat in whose numbering the label is. `None`: the seat of the player who writes.
    pub seat: Option<String>,
    /// The label.
    pub label: String,
}

/// The numbers in the text of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenWith {
    /// Numbers of a throw, in the order in which they were thrown.
    Numbers(Vec<Pips>),
    /// A bonus of this many steps.
    Bonus(Pips),
}

/// A text that is not an action.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an action: {why}")]
pub struct Malformed {
    /// The text.
    pub text: String,
    /// The reason.
    pub why: &'static str,
}

impl fmt::Display for WrittenSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = &self.seat {
            write!(f, "{seat}.")?;
        }
        f.write_str(&self.label)
    }
}

impl fmt::Display for WrittenWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenWith::Bonus(steps) => write!(f, "b{steps}"),
            WrittenWith::Numbers(numbers) => {
                for (i, number) in numbers.iter().enumerate() {
                    let plus = if i == 0 { "" } else { "+" };
                    write!(f, "{plus}{number}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for WrittenAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenAction::Word { word, argument } => {
                f.write_str(word)?;
                match argument {
                    Some(square) => write!(f, " {square}"),
                    None => Ok(()),
                }
            }
            WrittenAction::Move { from, to, joint, captures, with, pawns, throw } => {
                let way = if *joint { '=' } else { '-' };
                let capture = if *captures { "x" } else { "" };
                write!(f, "{from}")?;
                let pawns = pawns.map_or(0, NonZeroU16::get);
                let numbers = (0..MAX_PAWNS).filter(|index| pawns >> index & 1 == 1);
                for (i, index) in numbers.enumerate() {
                    write!(f, "{}{}", if i == 0 { '~' } else { '+' }, index + 1)?;
                }
                write!(f, "{way}{to}{capture}")?;
                if let Some(with) = with {
                    write!(f, ":{with}")?;
                }
                if let Some(throw) = throw {
                    write!(f, "@{throw}")?;
                }
                Ok(())
            }
        }
    }
}

impl FromStr for WrittenAction {
    type Err = Malformed;

    fn from_str(text: &str) -> Result<Self, Malformed> {
        let not = |why| Malformed { text: text.to_string(), why };
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(not("there is nothing"));
        }
        let Some(way) = trimmed.find(['-', '=']) else {
            return word(trimmed)
                .ok_or_else(|| not("write a move as `12-15:3`, anything else as a word with an optional square"));
        };
        let (from, rest) = (&trimmed[..way], &trimmed[way + 1..]);
        let (target, with, throw) = match rest.split_once(':') {
            Some((target, with)) => {
                let (with, throw) = with.split_once('@').map_or((with, None), |(with, throw)| (with, Some(throw)));
                let with = spent(with)
                    .ok_or_else(|| not("after the colon stand the numbers spent, `3`, `3+6`, or a bonus, `b20`"))?;
                let throw = throw.map(|throw| {
                    numbered(throw, MAX_BANKED)
                        .ok_or_else(|| not("after `@` stands the number of the throw, counted from 1"))
                });
                let throw = throw.transpose()?;
                (target, Some(with), throw)
            }
            None => (rest, None, None),
        };
        let (from, pawns) = match from.split_once('~') {
            Some((from, pawns)) => {
                let pawns = pawns_of(pawns).ok_or_else(|| {
                    not("after `~` stand the numbers of the pawns on the square, counted from 1: `2`, `1+3`")
                })?;
                (from, Some(pawns))
            }
            None => (from, None),
        };
        // No label ends in `x`, so an `x` at the end is always the mark of a capture.
        let (to, captures) = match target.strip_suffix('x') {
            Some(to) => (to, true),
            None => (target, false),
        };
        Ok(WrittenAction::Move {
            from: square(from).ok_or_else(|| not("no square stands before the move"))?,
            to: square(to).ok_or_else(|| not("no square stands after the move"))?,
            joint: trimmed.as_bytes()[way] == b'=',
            captures,
            with,
            pawns,
            throw,
        })
    }
}

/// A number from 1 to `most`, in decimal digits.
fn numbered(text: &str, most: usize) -> Option<NonZeroU8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number: &NonZeroU8| digits && usize::from(number.get()) <= most)
}

/// The numbers of pawns, joined by `+`, one bit each. `None` if a number is repeated, or above [`MAX_PAWNS`].
fn pawns_of(text: &str) -> Option<NonZeroU16> {
    let pawns = text.split('+').try_fold(0_u16, |pawns, number| {
        let pawn = 1 << (numbered(number, MAX_PAWNS)?.get() - 1);
        (pawns & pawn == 0).then_some(pawns | pawn)
    });
    pawns.and_then(NonZeroU16::new)
}

fn word(text: &str) -> Option<WrittenAction> {
    let mut parts = text.split_whitespace();
    let word = parts.next().filter(|word| is_name(word))?;
    let argument = match parts.next() {
        Some(argument) => Some(square(argument)?),
        None => None,
    };
    let starts_as_word = word.starts_with(|c: char| c.is_ascii_lowercase());
    (starts_as_word && parts.next().is_none()).then(|| WrittenAction::Word { word: word.to_string(), argument })
}

fn square(text: &str) -> Option<WrittenSquare> {
    let (seat, label) = match text.split_once('.') {
        Some((seat, label)) => (Some(seat), label),
        None => (None, text),
    };
    (is_name(label) && seat.is_none_or(is_name))
        .then(|| WrittenSquare { seat: seat.map(str::to_string), label: label.to_string() })
}

fn spent(text: &str) -> Option<WrittenWith> {
    let number = |text: &str| -> Option<Pips> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse().ok().map(Pips) } else { None }
    };
    match text.strip_prefix('b') {
        Some(steps) => number(steps).map(WrittenWith::Bonus),
        None => {
            let numbers: Option<Vec<Pips>> = text.split('+').map(number).collect();
            numbers.map(WrittenWith::Numbers)
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && (text.chars()).all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn squares() -> impl Strategy<Value = WrittenSquare> {
        let seat = proptest::option::of("[a-z]{1,8}");
        (seat, "[a-z0-9]{0,3}[a-w0-9]").prop_map(|(seat, label)| WrittenSquare { seat, label })
    }

    fn spending() -> impl Strategy<Value = WrittenWith> {
        prop_oneof![
            proptest::collection::vec(any::<u8>().prop_map(Pips), 1..5).prop_map(WrittenWith::Numbers),
            any::<u8>().prop_map(Pips).prop_map(WrittenWith::Bonus),
        ]
    }

    fn actions() -> impl Strategy<Value = WrittenAction> {
        let told = (any::<u16>(), 0..=MAX_BANKED as u8);
        let moves = (squares(), squares(), any::<bool>(), any::<bool>(), proptest::option::of(spending()), told)
            .prop_map(|(from, to, joint, captures, with, (pawns, throw))| {
                let (pawns, throw) = (NonZeroU16::new(pawns), NonZeroU8::new(throw).filter(|_| with.is_some()));
                WrittenAction::Move { from, to, joint, captures, with, pawns, throw }
            });
        let words = ("[a-z][a-z_]{0,8}", proptest::option::of(squares()))
            .prop_map(|(word, argument)| WrittenAction::Word { word, argument });
        prop_oneof![3 => moves, 1 => words]
    }

    proptest! {
        #[test]
        fn what_was_printed_parses_to_the_same(action in actions()) {
            prop_assert_eq!(action.to_string().parse(), Ok(action));
        }

        #[test]
        fn any_text_is_an_action_or_an_error(text in "\\PC{0,24}") {
            if let Ok(action) = text.parse::<WrittenAction>() {
                prop_assert_eq!(action.to_string().parse(), Ok(action));
            }
        }
    }

    #[test]
    fn texts_that_are_no_actions() {
        for text in [
            "",
            " ",
            "-",
            "12-",
            "-12",
            "12-15:",
            "12-15:3+",
            "12-15:b",
            "12-15:300",
            "12",
            "go 1 2",
            "a..b-1",
            "1-2-3:x",
            "12~-15:3",
            "12~0-15:3",
            "12~2+2-15:3",
            "12~99-15:3",
            "12-15~2:3",
            "12-15:3@",
            "12-15:3@0",
            "12-15:3@99",
            "12-15:@1",
            "12-15@1",
        ] {
            assert!(text.parse::<WrittenAction>().is_err(), "{text}");
        }
    }
}
