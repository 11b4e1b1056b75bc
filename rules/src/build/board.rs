//! Builds the board of a table: numbered squares, the path of every colour, tags, and classes of places.

use super::builder::Builder;
use super::path::Path;
use super::scope::Scope;
use crate::document::{Closing, GateSection, TagLine, TagScope};
use crate::tables::{Board, Cell, Places};
use crate::units::{MAX_SEATS, MAX_SQUARES, PathPlace, SquareId};

impl<'d> Builder<'d> {
    /// Finds the places of every tag. A tag for `everyone` marks the squares that have its labels on the path of any
    /// colour, even of a colour that does not play.
    pub(super) fn read_tags(&mut self) {
        self.tags.clear();
        for line in &self.document.board.tags {
            let holds = self.decided(line.when.as_ref());
            let marked = self.places(&line.squares);
            let marked = match (holds, line.scope.as_ref().map(|scope| scope.value)) {
                (false, _) => 0,
                (true, None | Some(TagScope::Owner)) => marked,
                (true, Some(TagScope::Everyone)) if self.path.drawn => self.drawn_everyones(line, marked),
                (true, Some(TagScope::Everyone)) => everyones(self.path, marked),
            };
            let name = &line.id.value;
            match self.tags.iter_mut().find(|(known, _)| known == name) {
                Some((_, places)) => *places |= marked,
                None => self.tags.push((name.clone(), marked)),
            }
        }
        for line in &self.document.board.tags {
            let name = &line.id.value;
            let zone = self.path.zones.iter().any(|(zone, _)| zone == name);
            if zone || self.path.place(name).is_some() {
                let message = format!("`{name}` is already a square or a zone");
                self.report.error("name-taken", line.id.span, message, None);
            }
        }
        for (index, (name, places)) in self.path.zones.iter().enumerate() {
            if let Some(place) = self.path.place(name).filter(|&place| *places != place.alone()) {
                let span = self.document.board.path[index].id.span;
                let label = &self.path.labels[place.index()];
                let message = format!("two things are called `{label}`: a square, and a zone of other squares");
                self.report.error("name-taken", span, message, None);
            }
        }
    }

    /// The places of a tag for `everyone`, on a board whose seats have walks of their own. Reports a tag whose squares
    /// have different labels on the paths of two seats.
    fn drawn_everyones(&mut self, line: &'d TagLine, marked: Places) -> Places {
        let path = self.path;
        let squares: Vec<_> = path.by_seat.iter().flat_map(|own| of_places(own, marked)).flatten().collect();
        let seen = |own: &Vec<Option<Cell>>| {
            let here = own.iter().enumerate().filter(|(_, cell)| cell.is_some_and(|cell| squares.contains(&cell)));
            here.fold(marked, |all, (place, _)| all | 1 << place)
        };
        let mut places = path.by_seat.iter().map(seen);
        let Some(first) = places.next() else { return marked };
        if let Some(seat) = places.position(|other| other != first) {
            let seat = &self.document.board.seats[seat + 1].value;
            let message = format!("the squares of this tag have other labels on the path of {seat}");
            let help = Some("write `for: owner`, or tag the same labels for every seat".to_owned());
            self.report.error("bad-path", line.span, message, help);
        }
        first
    }

    /// Builds the board. `classes` numbers the places: two places to which the same lines of `landing` and `passing`
    /// apply have the same number.
    pub(super) fn board(&mut self, classes: &[u8; 128]) -> Board {
        let board = &self.document.board;
        let path = self.path;
        let (cells, squares) = number_squares(path);
        if cells.len() > MAX_SQUARES {
            let message = format!("{} squares", cells.len());
            self.report.error("too-many", board.span, message, Some(format!("at most {MAX_SQUARES}")));
        }
        self.check_private(&squares);
        let (home, mut gate_at, mut lap_to) = (path.home(), path.home(), None);
        let mut gate = None;
        if let Some(part) = &board.gate {
            (gate_at, lap_to) = self.gate(part);
            let open = self.condition(Some(&part.open_when), Scope::SEAT);
            gate = self.asked(&open, Some(&part.open_when));
        }
        let mut lands = [[None; 256]; 2];
        let [closed, open] = &mut lands;
        for (target, (closed, open)) in (0..=u8::MAX).map(PathPlace).zip(closed.iter_mut().zip(open)) {
            *open = (target <= home).then_some(target);
            *closed = match lap_to {
                _ if target <= gate_at => *open,
                Some(to) => Some(lap(target, to, gate_at).min(home)),
                None => None,
            };
        }
        let mut square = [[[None; 256]; MAX_SEATS]; 2];
        for (gate, lands) in lands.iter().enumerate() {
            for (square, own) in square[gate].iter_mut().zip(&squares) {
                for (square, place) in square.iter_mut().zip(lands.iter().map_while(|place| *place)) {
                    *square = own[place.index()];
                }
            }
        }
        let pairing = board.pairs_on.iter().fold(0, |all, line| {
            let (places, holds) = (self.places(&line.squares), self.decided(line.when.as_ref()));
            if holds { all | places } else { all }
        });
        Board {
            len: path.labels.len() as u8,
            labels: path.labels.clone(),
            zone: path.zone.clone(),
            zones: path.zones.clone(),
            tags: self.shown_tags(),
            pairing,
            squares: cells.len().min(MAX_SQUARES) as u8,
            cells,
            grid: path.grid,
            square,
            lands,
            gate,
            gate_at: if board.gate.is_some() { gate_at } else { PathPlace::OUT },
            outward: outward(path),
            class: [*classes; MAX_SEATS],
            seen: seen(path, &squares),
        }
    }

    /// Lists the tags that mark squares of the board, with their places. Other tags are only names for places.
    fn shown_tags(&self) -> Vec<(String, [Places; MAX_SEATS])> {
        let is_shown =
            |name: &str| self.document.board.tags.iter().any(|line| line.scope.is_some() && line.id.value == name);
        let shown = self.tags.iter().filter(|(name, _)| is_shown(name));
        shown.map(|(name, places)| (name.clone(), [*places; MAX_SEATS])).collect()
    }

    /// Finds the last place before the gate, and the place on which another lap begins (`None` if pawns wait at the
    /// gate).
    fn gate(&mut self, part: &'d GateSection) -> (PathPlace, Option<PathPlace>) {
        let waits = self.setting(&part.closed, "value of `closed`") == Some(Closing::Wait);
        let Some(after) = self.one_place(&part.after) else { return (PathPlace::OUT, None) };
        if after == PathPlace::OUT || after >= self.path.home() {
            let help = Some("name a square of the path".to_owned());
            self.report.error("bad-gate", part.after.span, "the path does not go on after this place".to_owned(), help);
        }
        let Some(label) = &part.lap_to else {
            if !waits {
                let help = Some("write `lap_to`, the square on which the lap begins".to_owned());
                self.report.error(
                    "bad-gate",
                    part.span,
                    "the gate sends pawns on another lap, but no place is named for it".to_owned(),
                    help,
                );
            }
            return (after, None);
        };
        let Some(to) = self.one_place(label) else { return (after, None) };
        if to == PathPlace::OUT || to > after {
            let message = format!("a lap cannot begin at `{}`", label.value);
            let help = Some("name a square of the path that is not past the gate".to_owned());
            self.report.error("bad-gate", label.span, message, help);
            return (after, None);
        }
        (after, (!waits).then_some(to))
    }

    /// Checks that no other colour's path uses a square of a private zone.
    fn check_private(&mut self, squares: &[PathSquares]) {
        let uses = |own: &&PathSquares, square: SquareId| own.contains(&Some(square));
        let is_shared = |square: SquareId| squares.iter().filter(|own| uses(own, square)).count() > 1;
        for (zone, line) in self.document.board.path.iter().enumerate().filter(|(_, line)| line.private) {
            let mine = (0..self.path.zone.len()).filter(|&place| self.path.zone[place] as usize == zone);
            let met = mine.into_iter().find(|&place| squares.iter().any(|own| own[place].is_some_and(is_shared)));
            if let Some(place) = met {
                let message =
                    format!("`{}` is not private: the path of another colour uses its square", self.path.labels[place]);
                self.report.error("not-private", line.span, message, None);
            }
        }
    }
}

/// The place that a move past a closed gate reaches. Through an open gate the move would reach `target`. After the
/// place `gate_at` the pawn goes on from `to`, the first place of the lap, and may go round several times.
fn lap(target: PathPlace, to: PathPlace, gate_at: PathPlace) -> PathPlace {
    let round = gate_at.0 - to.0 + 1;
    PathPlace(to.0 + (target.0 - gate_at.0 - 1) % round)
}

/// The square of every place of a path.
type PathSquares = Vec<Option<SquareId>>;

/// Numbers all squares that a path uses. Returns the cell of each square, and for each colour the square of each place.
fn number_squares(path: &Path) -> (Vec<Cell>, Vec<PathSquares>) {
    let mut cells = Vec::new();
    let mut numbers = vec![None; usize::from(path.grid.columns) * usize::from(path.grid.rows)];
    let mut squares = Vec::new();
    for own in &path.by_seat {
        let mut numbered = Vec::with_capacity(own.len());
        for cell in own {
            numbered.push(cell.map(|cell| {
                let number = &mut numbers[usize::from(cell.1) * usize::from(path.grid.columns) + usize::from(cell.0)];
                *number.get_or_insert_with(|| {
                    cells.push(cell);
                    SquareId::new((cells.len() - 1).min(MAX_SQUARES - 1) as u8)
                })
            }));
        }
        squares.push(numbered);
    }
    (cells, squares)
}

/// The squares of some places.
fn of_places(cells: &[Option<Cell>], places: Places) -> impl Iterator<Item = Option<Cell>> {
    cells.iter().enumerate().filter(move |(place, _)| places >> place & 1 == 1).map(|(_, cell)| *cell)
}

/// Adds places to a set: a place is added if its square belongs to a place of the set on the path of any colour.
fn everyones(path: &Path, marked: Places) -> Places {
    let Some(turned) = path.turned else { return marked };
    if !path.grid.can_be_turned(turned) {
        return marked;
    }
    let mut all = marked;
    let own = |places: Places| (0..path.cells.len()).filter(move |&place| places >> place & 1 == 1);
    for place in own(marked) {
        let Some(mut cell) = path.cells[place] else { continue };
        for _ in 0..path.grid.order(turned) {
            let here = path.cells.iter().enumerate().filter(|(_, at)| **at == Some(cell));
            all = here.fold(all, |all, (place, _)| all | 1 << place);
            cell = path.grid.turn(turned, cell);
        }
    }
    all
}

/// For every place of the path, the first place on the same square.
fn outward(path: &Path) -> Vec<PathPlace> {
    let first = |cell: &Option<Cell>| match cell {
        Some(_) => PathPlace(path.cells.iter().position(|other| other == cell).unwrap_or(0) as u8),
        None => PathPlace::OUT,
    };
    path.cells.iter().map(first).collect()
}

/// Translates places between the paths of colours: entry `[a][b][place]` is the place of `b` on the same square as
/// `place` of `a`. It is `None` if the path of `b` does not use the square.
fn seen(path: &Path, squares: &[PathSquares]) -> Vec<Vec<Vec<Option<PathPlace>>>> {
    let firsts: Vec<[Option<PathPlace>; MAX_SQUARES]> = squares.iter().map(firsts).collect();
    let numbering = |colour: usize, other: usize| -> Vec<Option<PathPlace>> {
        if colour == other {
            return (0..path.labels.len() as u8).map(|place| Some(PathPlace(place))).collect();
        }
        squares[colour].iter().map(|square| firsts[other][square.as_ref()?.index()]).collect()
    };
    (0..squares.len()).map(|colour| (0..squares.len()).map(|other| numbering(colour, other)).collect()).collect()
}

/// For each square, the first place of a colour's path that lies on it.
fn firsts(own: &PathSquares) -> [Option<PathPlace>; MAX_SQUARES] {
    let mut firsts = [None; MAX_SQUARES];
    for (place, square) in (0..).map(PathPlace).zip(own) {
        if let Some(square) = square {
            firsts[square.index()].get_or_insert(place);
        }
    }
    firsts
}
