//! Describes how a board looks: names, owners and tags of its squares, the steps of a path, and the free area in the
//! middle.

use std::fmt;

use crate::tables::bounds::{KnownBounds, bounds};
use crate::tables::rounded;
use crate::tables::{Cell, Drawn, Effect, Fact, Goal, Grid, Jumper, Op, Program, Route, Rules, Which};
use crate::units::{PathPlace, Pips, Seat, SquareId};

/// The name of a square, such as `x8y3`: its column and its row on the grid, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareName {
    /// The column, counted from 0.
    pub x: u8,
    /// The row, counted from 0.
    pub y: u8,
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}y{}", self.x, self.y)
    }
}

/// A tag, and the squares that have it.
#[derive(Debug)]
pub struct TaggedSquares<'r> {
    /// The name of the tag.
    pub name: &'r str,
    /// The squares with the tag, each with its seat if only one seat has the tag there.
    pub squares: Vec<(SquareId, Option<Seat>)>,
}

/// The states of the gate in which a step is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateState {
    /// The step is possible only while the gate is open.
    Open,
    /// The step is possible only while the gate is closed.
    Closed,
}

/// A step of one pip along a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathStep {
    /// The place where the step begins.
    pub from: PathPlace,
    /// The place where the step ends.
    pub to: PathPlace,
    /// The state of the gate that the step needs. `None`: the step does not depend on the gate.
    pub gate: Option<GateState>,
}

/// A rectangle of the board, in squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// The left edge.
    pub x: f32,
    /// The top edge.
    pub y: f32,
    /// The width.
    pub columns: f32,
    /// The height.
    pub rows: f32,
}

impl Rules {
    /// The name of a square.
    #[must_use]
    pub fn square_name(&self, square: SquareId) -> SquareName {
        let (x, y) = self.board.cells[square.index()];
        SquareName { x, y }
    }

    /// Where a square is drawn.
    #[must_use]
    pub fn drawn(&self, square: SquareId) -> Drawn {
        self.board.grid.drawn(self.board.cells[square.index()])
    }

    /// All squares of the board.
    pub fn squares(&self) -> impl Iterator<Item = SquareId> + use<> {
        (0..self.board.squares).map(SquareId::new)
    }

    /// All seats of the board, whether or not they play.
    pub fn all_seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        (0..self.seating.seats.len() as u8).map(Seat)
    }

    /// The squares of a seat's path, in order, with their places.
    #[must_use]
    pub fn walk(&self, seat: Seat) -> Vec<(PathPlace, SquareId)> {
        self.board.places().filter_map(|place| Some((place, self.square(seat, place)?))).collect()
    }

    /// The only seat whose path uses the square. `None` if several paths use it.
    #[must_use]
    pub fn owner(&self, square: SquareId) -> Option<Seat> {
        let goes_there = |seat: &Seat| self.board.places().any(|place| self.square(*seat, place) == Some(square));
        let mut seats = self.all_seats().filter(goes_there);
        match (seats.next(), seats.next()) {
            (Some(seat), None) => Some(seat),
            _ => None,
        }
    }

    /// Lists the tags that mark squares, in the order in which the rules declare them.
    #[must_use]
    pub fn tagged_squares(&self) -> Vec<TaggedSquares<'_>> {
        let tags = self.board.tags.iter().map(|(name, places)| {
            let mut squares: Vec<(SquareId, Option<Seat>)> = Vec::new();
            for seat in self.all_seats() {
                let own = places[seat.index()];
                for (_, square) in self.walk(seat).into_iter().filter(|(place, _)| place.is_in(own)) {
                    match squares.iter_mut().find(|(at, _)| *at == square) {
                        Some((_, only)) if *only != Some(seat) => *only = None,
                        Some(_) => {}
                        None => squares.push((square, Some(seat))),
                    }
                }
            }
            TaggedSquares { name, squares }
        });
        tags.filter(|tag| !tag.squares.is_empty()).collect()
    }

    /// Lists the jumps that effects of rules and choices make between places of the board, each once, in the order of
    /// the file.
    #[must_use]
    pub fn jumps(&self) -> Vec<(PathPlace, PathPlace)> {
        let mut jumps = Vec::new();
        let rules = self.events.on.iter().flatten().map(|rule| (rule.when, &rule.effects));
        let choices = self.events.choices.iter().map(|choice| (choice.when, &choice.effects));
        for (when, effects) in rules.chain(choices) {
            for effect in effects {
                for (from, to) in self.jumps_of(when, effect) {
                    if from != PathPlace::OUT && !jumps.contains(&(from, to)) {
                        jumps.push((from, to));
                    }
                }
            }
        }
        jumps
    }

    /// The jumps that an effect makes under a condition. Jumps that depend on the position are left out. If the effect
    /// moves the pawn that has arrived (`this`), the jumps begin on all places where the condition can be true.
    fn jumps_of(&self, when: Option<Program>, effect: &Effect) -> Vec<(PathPlace, PathPlace)> {
        let Effect::Jump(jumper, goal) = *effect else { return Vec::new() };
        match jumper {
            Jumper::On(from) => self.jump_from(from, goal).map(|to| (from, to)).into_iter().collect(),
            Jumper::Which(Which::This) if when.is_some_and(|when| self.ops(when).contains(&Op::Fact(Fact::To))) => {
                let may_stand = |from: &PathPlace| {
                    let holds = when.and_then(|when| bounds(self.ops(when), &self.given(*from)));
                    holds.is_none_or(|(_, most)| most > 0)
                };
                let places = self.board.places().skip(1).filter(may_stand);
                places.filter_map(|from| Some((from, self.jump_from(from, goal)?))).collect()
            }
            Jumper::Which(_) => Vec::new(),
        }
    }

    /// The place where a jump from another place ends. `None` if it depends on the position, or if the jump leads
    /// nowhere.
    fn jump_from(&self, from: PathPlace, goal: Goal) -> Option<PathPlace> {
        let fixed = |program: Program| {
            bounds(self.ops(program), &self.given(from)).filter(|(least, most)| least == most).map(|(value, _)| value)
        };
        let to = match goal {
            Goal::Place(place) => return Some(place),
            Goal::Computed(program) => fixed(program)?,
            Goal::By(program) => fixed(program)? + i64::from(from.0),
        };
        self.board.places().skip(1).find(|place| i64::from(place.0) == to && *place != from)
    }

    /// The known values for a pawn that has arrived on a place.
    fn given(&self, place: PathPlace) -> KnownBounds<'_> {
        let to = (i64::from(place.0), i64::from(place.0));
        KnownBounds { to, ..KnownBounds::nothing([&self.counters.seat, &self.counters.game]) }
    }

    /// The steps of a path, from place to place. They are the same for every seat.
    ///
    /// Steps from off the board end on the places where pawns enter.
    #[must_use]
    pub fn path_steps(&self) -> Vec<PathStep> {
        let mut steps: Vec<PathStep> =
            self.entries().into_iter().map(|to| PathStep { from: PathPlace::OUT, to, gate: None }).collect();
        for from in self.board.places().skip(1) {
            let next = from.ahead(Pips(1));
            let [closed, open] = self.board.lands.each_ref().map(|lands| lands[next]);
            // The state of the gate makes a difference only for pawns before the gate.
            if open == closed || from > self.board.gate_at {
                steps.extend(open.map(|to| PathStep { from, to, gate: None }));
            } else {
                steps.extend(open.map(|to| PathStep { from, to, gate: Some(GateState::Open) }));
                steps.extend(closed.map(|to| PathStep { from, to, gate: Some(GateState::Closed) }));
            }
        }
        steps
    }

    /// Lists the places where pawns come onto the board, in the order of the path. These are the places that spend
    /// lines and effects name, and the first place of the path if pawns walk onto the board.
    fn entries(&self) -> Vec<PathPlace> {
        let lines = self.moves.spend.iter().filter(|line| PathPlace::OUT.is_in(line.from));
        let mut entries: Vec<PathPlace> = lines
            .filter_map(|line| match line.route {
                Route::To(place) => Some(place),
                Route::Along(over) => self.board.along(over, PathPlace::OUT, 1).next(),
                // The place where these pawns enter depends on the position.
                Route::Computed(_) => None,
                // No pawn comes onto the board by walking back or by staying.
                Route::Back | Route::Stay => None,
                Route::Ahead | Route::Lap | Route::Bounce(_) | Route::Outward | Route::Recoil => Some(PathPlace(1)),
            })
            .collect();
        entries.extend(self.events.effects().filter_map(|effect| match *effect {
            Effect::Jump(Jumper::On(PathPlace::OUT), goal) => self.jump_from(PathPlace::OUT, goal),
            _ => None,
        }));
        entries.sort_unstable();
        entries.dedup();
        entries
    }

    /// The area that stands for home: the largest free rectangle around the middle of the grid, with the proportions of
    /// the grid; on a board with arms, a square between the arms. `None` if squares lie in the middle.
    #[must_use]
    pub fn middle(&self) -> Option<Area> {
        if let (Some((x, y)), Some(radius)) = (self.board.grid.hub(), self.board.grid.inner_radius()) {
            // Four arms leave a square free, more arms a polygon that is nearly a circle.
            let half = if self.board.grid.arms == Some(4) { radius } else { radius * std::f32::consts::FRAC_1_SQRT_2 };
            let [x, y, side] = [x - half, y - half, 2.0 * half].map(rounded);
            return Some(Area { x, y, columns: side, rows: side });
        }
        let Grid { columns, rows, .. } = self.board.grid;
        let taken = |left: u8, top: u8, right: u8, bottom: u8| {
            let lies_there = |&(x, y): &Cell| (left..=right).contains(&x) && (top..=bottom).contains(&y);
            self.board.cells.iter().any(lies_there)
        };
        // A grid with an even number of columns (or rows) has two middle ones.
        let (mut left, mut right) = (columns.checked_sub(1)? / 2, columns / 2);
        let (mut top, mut bottom) = (rows.checked_sub(1)? / 2, rows / 2);
        if taken(left, top, right, bottom) {
            return None;
        }
        while left > 0 && top > 0 && !taken(left - 1, top - 1, right + 1, bottom + 1) {
            (left, top, right, bottom) = (left - 1, top - 1, right + 1, bottom + 1);
        }
        let [x, y, columns, rows] = [left, top, right - left + 1, bottom - top + 1].map(f32::from);
        Some(Area { x, y, columns, rows })
    }
}
