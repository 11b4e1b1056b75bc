//! The places that a pawn walks over in a move.

use crate::tables::{Places, Route, Rules, Wall};
use crate::units::{MAX_STEP, PathPlace, Pips};

impl Rules {
    /// The places that a move walks over, in order; the last one is `to`. `number` is the number that the move spends.
    ///
    /// The list has only `to` if the route puts the pawn on a place without a walk along the path. It is empty if the
    /// pawn stays.
    #[must_use]
    pub fn walked(&self, route: Route, from: PathPlace, to: PathPlace, number: Pips) -> Vec<PathPlace> {
        let path = match route {
            Route::To(_) | Route::Computed(_) => None,
            Route::Ahead | Route::Lap => self.walked_ahead(from, to, number),
            Route::Along(over) => self.walked_along(over, from, to),
            Route::Bounce(wall) => match self.turned_at(wall, from, to, number) {
                Some(turn) => self.walked_back(from, turn, to),
                None => self.walked_ahead(from, to, number),
            },
            Route::Back => self.walked_back(from, from, to),
            Route::Outward => self.walked_out(from, to, to),
            Route::Stay => Some(Vec::new()),
            Route::Recoil => self.walked_out(from, self.board.outward[to.index()], to),
        };
        path.unwrap_or_else(|| vec![to])
    }

    /// The places that a pawn walks over along the path, from the first after `from` up to `to`. `None` if no number of
    /// steps leads there. The steps are usually as many as the number, but a line can set another count (`steps`).
    fn walked_ahead(&self, from: PathPlace, to: PathPlace, number: Pips) -> Option<Vec<PathPlace>> {
        // Through an open gate, the path leads home and does not come back to the loop. So a pawn that ends behind its
        // start, or on the part of the loop before the gate, has met a closed gate and walks another lap.
        let is_lap = to <= from || from <= self.board.gate_at && to <= self.board.gate_at;
        let lands = &self.board.lands[usize::from(!is_lap)];
        let ends_there = |steps: &u8| lands[from.ahead(Pips(*steps))] == Some(to);
        let steps = std::iter::once(number.0).chain(1..=MAX_STEP.0).find(ends_there)?;
        (1..=steps).map(|step| lands[from.ahead(Pips(step))]).collect()
    }

    /// The places that a pawn walks over where it walks over some places only. `None` if no number of steps leads there.
    fn walked_along(&self, over: Places, from: PathPlace, to: PathPlace) -> Option<Vec<PathPlace>> {
        [1, 0].into_iter().find_map(|gate| {
            let steps = self.board.along(over, from, gate).position(|place| place == to)?;
            Some(self.board.along(over, from, gate).take(steps + 1).collect())
        })
    }

    /// The place where a bounce turned back. `None` if it did not turn back, or if the place cannot be computed because
    /// the spend line sets a count of steps other than `number`.
    fn turned_at(&self, wall: Wall, from: PathPlace, to: PathPlace, number: Pips) -> Option<PathPlace> {
        let (home, target) = (self.board.home(), from.ahead(number));
        match wall {
            Wall::Place(place) if from <= place => (target > place.index() && to < place).then_some(place),
            Wall::Home | Wall::Place(_) => (target > home.index()).then_some(home),
            Wall::Obstacle if self.board.lands[0][target] == Some(to) || target == to.index() => None,
            Wall::Obstacle => {
                let twice = target + to.index();
                let turn =
                    u8::try_from(twice / 2).ok().map(PathPlace).filter(|turn| twice.is_multiple_of(2) && *turn <= home);
                turn.filter(|turn| *turn >= from && *turn > to)
            }
        }
    }

    /// The places that a pawn walks over to `turn` and from there back to `to`. `None` if `to` does not lie before
    /// `turn` on the path.
    fn walked_back(&self, from: PathPlace, turn: PathPlace, to: PathPlace) -> Option<Vec<PathPlace>> {
        let back = (to.0..turn.0).rev().map(PathPlace);
        let ahead = from.until(turn).chain((from < turn).then_some(turn));
        (to < turn).then(|| ahead.chain(back).collect())
    }

    /// The places that a pawn walks over when it turns back on the way home. The pawn continues from the first place of
    /// its square (`Board::outward`) and walks up to `target`. The last place of the list is `to`, which is `target` or
    /// another place on the same square. `None` if `target` does not lie ahead of that first place.
    fn walked_out(&self, from: PathPlace, target: PathPlace, to: PathPlace) -> Option<Vec<PathPlace>> {
        let start = self.board.outward[from.index()];
        (start < target).then(|| start.until(target).chain([to]).collect())
    }
}
