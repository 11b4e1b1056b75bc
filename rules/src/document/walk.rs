//! Walks over the grid, and the turns by which the path of one seat becomes the path of the next.

use crate::language::{TextForm, TextValue, two_digits, up_to};
use crate::tables::Turned;
use crate::word::{Word, words};

/// A point of a walk: column and row, from 0 at the top left. Outside of the grid the numbers are negative or too
/// large.
pub(crate) type WalkPoint = (i32, i32);

/// A walk over the grid, such as `from 9,11 S6 E1 NE2`: six squares south, one east, two north-east.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The first square. `None`: the walk goes on from the last square of the previous walk.
    from: Option<(u8, u8)>,
    legs: Vec<(Direction, u8)>,
}

/// A direction on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Direction(i32, i32);

words! {
    Direction {
        "N" => Direction(0, -1), "S" => Direction(0, 1), "E" => Direction(1, 0), "W" => Direction(-1, 0),
        "NE" => Direction(1, -1), "NW" => Direction(-1, -1), "SE" => Direction(1, 1), "SW" => Direction(-1, 1),
    }
    Turned {
        "anticlockwise" => Turned::Anticlockwise, "clockwise" => Turned::Clockwise, "half" => Turned::Half,
        "mirrored" => Turned::Mirrored, "same" => Turned::Same,
    }
}

impl Walk {
    /// Maximum number of steps of one leg, such as 6 in `S6`. It has two digits at most.
    pub(crate) const LONGEST_LEG: u8 = 99;
    /// Maximum number of legs of one walk. A leg is a direction with a number of steps, such as `S6`.
    pub(crate) const MOST_LEGS: usize = 128;

    pub(crate) fn parse(text: &str) -> Option<Walk> {
        let mut words = text.split_whitespace().peekable();
        let mut from = None;
        if words.next_if_eq(&"from").is_some() {
            let (column, row) = words.next()?.split_once(',')?;
            from = Some((two_digits(column)?, two_digits(row)?));
        }
        let legs = words.map(leg).collect::<Option<Vec<_>>>()?;
        let is_walk = (from.is_some() || !legs.is_empty()) && legs.len() <= Self::MOST_LEGS;
        is_walk.then_some(Walk { from, legs })
    }

    /// Lists the squares of the walk: the first one if the walk names it, then a square for each step. `last` is the
    /// last square of the previous walk. The list ends after `most` squares.
    ///
    /// Returns `None` if the walk names no first square and there is no previous walk.
    pub(crate) fn squares(&self, last: Option<WalkPoint>, most: usize) -> Option<Vec<WalkPoint>> {
        let from = self.from.map(|(column, row)| (i32::from(column), i32::from(row)));
        let mut at = from.or(last)?;
        let mut squares: Vec<WalkPoint> = from.into_iter().collect();
        for &(Direction(columns, rows), steps) in &self.legs {
            for _ in 0..steps {
                at = (at.0 + columns, at.1 + rows);
                if squares.len() == most {
                    return Some(squares);
                }
                squares.push(at);
            }
        }
        Some(squares)
    }
}

fn leg(word: &str) -> Option<(Direction, u8)> {
    let (direction, steps) = word.split_at(word.find(|c: char| c.is_ascii_digit())?);
    Some((Direction::from_word(direction)?, two_digits(steps).filter(|steps| *steps > 0)?))
}

/// The form of walks over the grid: `from 9,11 S6 E1`.
pub(super) struct WalkForm;

impl TextValue for WalkForm {
    type Parsed = Walk;
    const FORM: TextForm = TextForm {
        code: "bad-walk",
        described: "a walk over the grid",
        example: || format!("such as `from 9,11 S6 E1 NE2`: directions {}, a count each", Direction::NAMES.join(" ")),
        pattern: || {
            let leg = format!("({}){}", Direction::NAMES.join("|"), up_to(Walk::LONGEST_LEG));
            let from = "from [0-9]{1,2},[0-9]{1,2}";
            format!("^({from}|({from} +)?{leg}( +{leg}){{0,{}}})$", Walk::MOST_LEGS - 1)
        },
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<Walk> {
        Walk::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_counts_its_first_square_only_when_it_names_it() {
        let belly = Walk::parse("from 9,11 S6").unwrap();
        let squares = belly.squares(None, 100).unwrap();
        assert_eq!((squares.len(), squares[0], squares[6]), (7, (9, 11), (9, 17)));
        let on = Walk::parse("S1 E1 NW2").unwrap();
        assert_eq!(on.squares(Some((9, 17)), 100).unwrap(), [(9, 18), (10, 18), (9, 17), (8, 16)]);
        assert_eq!(on.squares(None, 100), None);
    }

    #[test]
    fn other_words_are_no_walk() {
        for text in ["", "N2 X3", "from 9 N2", "N0", "N99999999999", "N+1"] {
            assert_eq!(Walk::parse(text), None, "{text}");
        }
    }
}
