//! Walks over the grid: `from 9,11 S6 E1 NE2`.

/// A square of the grid: column and row from 0 at the top left; negative or too large where a walk left it.
pub(crate) type Cell = (i32, i32);

/// Most steps of one leg; more would leave every board.
const MAX_LEG: u32 = 255;
/// Most legs of one walk.
const MAX_LEGS: usize = 128;

/// A walk as written, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Walk {
    /// Where it begins; `None`: where the one before ended.
    from: Option<Cell>,
    /// Direction and number of steps.
    legs: Vec<(Cell, u32)>,
}

impl Walk {
    /// Reads a walk; the error names the part that cannot be read.
    pub fn parse(text: &str) -> Result<Walk, String> {
        let mut words = text.split_whitespace().peekable();
        let mut from = None;
        if words.next_if_eq(&"from").is_some() {
            let cell = words.next().unwrap_or_default();
            let coordinates = cell.split_once(',').map(|(x, y)| (x.parse::<u8>(), y.parse::<u8>()));
            let Some((Ok(x), Ok(y))) = coordinates else { return Err(format!("from {cell}")) };
            from = Some((i32::from(x), i32::from(y)));
        }
        let legs = words.map(|word| leg(word).ok_or_else(|| word.to_owned())).collect::<Result<Vec<_>, _>>()?;
        if legs.len() > MAX_LEGS {
            return Err(text.to_owned());
        }
        Ok(Walk { from, legs })
    }

    /// The squares it visits: its first one if it says where it begins, then one a step.
    ///
    /// `None` where it neither says so nor has anything to go on from. Never more than `most` squares.
    pub fn squares(&self, last: Option<Cell>, most: usize) -> Option<Vec<Cell>> {
        let mut at = self.from.or(last)?;
        let mut squares: Vec<Cell> = self.from.into_iter().collect();
        for &((dx, dy), steps) in &self.legs {
            for _ in 0..steps {
                at = (at.0 + dx, at.1 + dy);
                if squares.len() == most {
                    return Some(squares);
                }
                squares.push(at);
            }
        }
        Some(squares)
    }
}

fn leg(word: &str) -> Option<(Cell, u32)> {
    let split = word.find(|c: char| c.is_ascii_digit())?;
    let (direction, steps) = word.split_at(split);
    let step = match direction {
        "N" => (0, -1),
        "S" => (0, 1),
        "E" => (1, 0),
        "W" => (-1, 0),
        "NE" => (1, -1),
        "NW" => (-1, -1),
        "SE" => (1, 1),
        "SW" => (-1, 1),
        _ => return None,
    };
    let steps: u32 = steps.parse().ok()?;
    (1..=MAX_LEG).contains(&steps).then_some((step, steps))
}

/// How the next seat's path comes from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turned {
    /// A quarter turn against the clock.
    Anticlockwise,
    /// A quarter turn with the clock.
    Clockwise,
    /// A half turn.
    Half,
    /// Top and bottom swapped.
    Mirrored,
}

impl Turned {
    /// The words for it, in this order.
    pub const WORDS: [&'static str; 4] = ["anticlockwise", "clockwise", "half", "mirrored"];

    /// The way of turning that a word means.
    pub fn parse(word: &str) -> Option<Turned> {
        let index = Self::WORDS.iter().position(|known| *known == word)?;
        Some([Turned::Anticlockwise, Turned::Clockwise, Turned::Half, Turned::Mirrored][index])
    }

    /// How many turns lead back to the start.
    pub fn order(self) -> usize {
        match self {
            Turned::Anticlockwise | Turned::Clockwise => 4,
            Turned::Half | Turned::Mirrored => 2,
        }
    }

    /// Where a square of the grid comes to lie.
    pub fn turn(self, (x, y): (u8, u8), (width, height): (u8, u8)) -> (u8, u8) {
        match self {
            Turned::Anticlockwise => (y, height - 1 - x),
            Turned::Clockwise => (width - 1 - y, x),
            Turned::Half => (width - 1 - x, height - 1 - y),
            Turned::Mirrored => (x, height - 1 - y),
        }
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
    fn what_is_no_leg_is_named() {
        assert_eq!(Walk::parse("N2 X3"), Err("X3".to_owned()));
        assert_eq!(Walk::parse("from 9 N2"), Err("from 9".to_owned()));
        assert_eq!(Walk::parse("N0"), Err("N0".to_owned()));
        assert_eq!(Walk::parse("N99999999999"), Err("N99999999999".to_owned()));
    }

    #[test]
    fn turning_as_often_as_the_order_says_leads_back() {
        for turned in [Turned::Anticlockwise, Turned::Clockwise, Turned::Half, Turned::Mirrored] {
            let mut cell = (3, 1);
            for _ in 0..turned.order() {
                cell = turned.turn(cell, (19, 19));
            }
            assert_eq!(cell, (3, 1), "{turned:?}");
        }
        assert_eq!(Turned::Anticlockwise.turn((9, 18), (19, 19)), (18, 9), "south comes to lie in the east");
    }
}
