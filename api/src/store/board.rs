//! Boards: lists of entities by score, such as leaderboards.
//!
//! An entity is on a board while it has a tag of a special form, [`BoardLine::to_tag`]. Boards are updated as the lists
//! of entities by tag are: the tags that are stored with the entity are decisive. If a crash prevents the update of a
//! board, the board is updated later from these tags.

use uuid::Uuid;

use super::id::Kind;

/// The first character of the tag of a board line. Other tags begin with a letter.
const MARK: char = '#';
/// Separates the parts of the tag of a board line. No name has a control character.
const SEPARATOR: char = '\u{1f}';

/// The line of an entity on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardLine {
    /// The name of the board: letters, digits and punctuation.
    pub board: String,
    /// The score, by which the lines are ordered: the highest comes first.
    pub score: u32,
    /// The text that a reader of the board sees, without control characters.
    pub label: String,
}

impl BoardLine {
    /// Returns the tag that puts an entity on the board with this line.
    pub fn to_tag(&self) -> String {
        let Self { board, score, label } = self;
        format!("{MARK}{board}{SEPARATOR}{score}{SEPARATOR}{label}")
    }

    /// Reads the line of a board from a tag. `None`: the tag is an ordinary one, not that of a board.
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        let mut parts = tag.strip_prefix(MARK)?.splitn(3, SEPARATOR);
        let (board, score, label) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        Some(Self { board: board.to_owned(), score, label: label.to_owned() })
    }
}

/// The end of a page of a board: the next page begins behind this score and id. The board need not have a line with
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardCursor {
    /// The score of the last line of the page.
    pub score: u32,
    /// The id of the entity of this line.
    pub id: Uuid,
}

/// A page of a board to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPageQuery {
    /// The kind of the entities on the board.
    pub kind: Kind,
    /// The name of the board.
    pub board: String,
    /// The end of the page before; `None` for the first page.
    pub after: Option<BoardCursor>,
    /// Maximum number of lines.
    pub limit: usize,
    /// An entity whose line is read in addition to the page; `None`: no further line.
    pub own: Option<Uuid>,
}

/// A page of a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoardPage {
    /// The lines, highest score first. Lines with equal scores are ordered by id.
    pub lines: Vec<RankedLine>,
    /// Number of all lines of the board.
    pub count: u64,
    /// The line of the entity [`BoardPageQuery::own`]; `None` if the entity is not on the board.
    pub own: Option<RankedLine>,
}

/// A line of a board with its rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedLine {
    /// The id of the entity.
    pub id: Uuid,
    /// One more than the number of lines with a higher score. So lines with equal scores share a rank.
    pub rank: u64,
    /// The score.
    pub score: u32,
    /// The label.
    pub label: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_board_is_a_tag() {
        let line = BoardLine { board: "experience/pagade".to_owned(), score: 40, label: "Jos\u{e9} #7".to_owned() };
        assert_eq!(BoardLine::of_tag(&line.to_tag()), Some(line));
        for other in ["any", "free/any/pagade", "#", "#a\u{1f}x\u{1f}b", "#a\u{1f}7"] {
            assert_eq!(BoardLine::of_tag(other), None, "{other}");
        }
    }
}
