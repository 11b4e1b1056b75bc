//! Look-up tables of the spending lines, by place and duty.

use crate::tables::{Duty, Route, Rules, Spend, WaySet, With};
use crate::units::{MAX_PAWNS, PathPlace};

/// Look-up tables of the spending lines. Each entry is a mask with one bit for each line.
#[derive(Debug, Clone)]
pub(crate) struct SpendLines {
    /// The lines that may begin on each place.
    from: [WaySet; 128],
    /// For each duty, the lines that spend numbers, and the lines that spend bonuses.
    of: [[WaySet; 2]; 3],
    /// The lines whose actions may read like those of another line.
    like: WaySet,
}

impl Default for SpendLines {
    fn default() -> Self {
        SpendLines { from: [0; 128], of: [[0; 2]; 3], like: 0 }
    }
}

impl SpendLines {
    pub(crate) fn of(rules: &Rules) -> SpendLines {
        let mut lines = SpendLines::default();
        for (index, line) in rules.moves.spend.iter().enumerate() {
            for (place, from) in lines.from.iter_mut().enumerate() {
                *from |= WaySet::from(line.from >> place & 1 == 1) << index;
            }
            lines.of[line.duty as usize][usize::from(line.with == With::Bonus)] |= 1 << index;
            let others = rules.moves.spend.iter().enumerate().filter(|(other, _)| *other != index);
            let is_like = |other: &Spend| other.from & line.from != 0 && other.reads_like(line);
            lines.like |= WaySet::from(others.map(|(_, other)| other).any(is_like)) << index;
        }
        lines
    }

    /// For each pawn, the lines that may begin on its place.
    #[inline(always)]
    pub(super) fn beginning(&self, pawns: u8, places: &[PathPlace; MAX_PAWNS]) -> [WaySet; MAX_PAWNS] {
        let mut begin = [0; MAX_PAWNS];
        for (begin, &place) in begin.iter_mut().zip(places).take(pawns as usize) {
            *begin = self.from[place.index() & 127];
        }
        begin
    }

    /// The lines of a duty that spend numbers; with `bonus`, those that spend bonuses.
    #[inline(always)]
    pub(super) fn of_duty(&self, duty: Duty, bonus: bool) -> WaySet {
        self.of[duty as usize][usize::from(bonus)]
    }

    /// Whether an action of this line may read like an action of another line.
    #[inline(always)]
    pub(super) fn has_like(&self, line: u8) -> bool {
        self.like >> line & 1 == 1
    }
}

impl Spend {
    /// Whether the actions of two lines read the same if their places and numbers are equal.
    pub(super) fn reads_like(&self, other: &Spend) -> bool {
        // A bounce from the same place by the same number ends where a move ahead ends, if both are possible.
        let way = |route: Route| if route == Route::Bounce { Route::Ahead } else { route };
        self.with == other.with && self.mover == other.mover && way(self.route) == way(other.route)
    }
}
