//! The board of a table: numbered squares, the path of every colour, tags, classes of places.

use super::builder::Builder;
use super::path::Path;
use super::scope::Scope;
use crate::document::{Closing, GateSection, TagScope};
use crate::tables::{Board, Places};
use crate::units::{MAX_SEATS, MAX_SQUARES, PathPlace, SquareId};

impl<'d> Builder<'d> {
    /// Finds the places of every tag. A tag for `everyone` marks the squares that its labels name in the numbering of
    /// any colour, even of a colour that does not play.
    pub(super) fn read_tags(&mut self) {
        self.tags.clear();
        for line in &self.document.board.tags {
            let holds = self.decided(line.when.as_ref());
            let marked = self.places(&line.squares);
            let marked = match (holds, line.scope.as_ref().map(|scope| scope.value)) {
                (false, _) => 0,
                (true, None | Some(TagScope::Owner)) => marked,
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
                let message = format!("`{label}` is a square and a zone of other squares");
                self.report.error("name-taken", span, message, None);
            }
        }
    }

    /// Builds the board. `classes` groups the places to which the same verdict lines apply.
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

    /// The tags that mark squares of the board. The others are names for places only.
    fn shown_tags(&self) -> Vec<(String, [Places; MAX_SEATS])> {
        let is_shown =
            |name: &str| self.document.board.tags.iter().any(|line| line.scope.is_some() && line.id.value == name);
        let shown = self.tags.iter().filter(|(name, _)| is_shown(name));
        shown.map(|(name, places)| (name.clone(), [*places; MAX_SEATS])).collect()
    }

    /// The last place before the gate, and the place on which another lap begins.
    fn gate(&mut self, part: &'d GateSection) -> (PathPlace, Option<PathPlace>) {
        let waits = self.setting(&part.closed, "way to close") == Some(Closing::Wait);
        let Some(after) = self.one_place(&part.after) else { return (PathPlace::OUT, None) };
        if after == PathPlace::OUT || after >= self.path.home() {
            let help = Some("name a square of the path".to_owned());
            self.report.error("bad-gate", part.after.span, "no path goes on here".to_owned(), help);
        }
        let Some(label) = &part.lap_to else {
            if !waits {
                let help = Some("`lap_to` names the square where the lap goes on".to_owned());
                self.report.error("bad-gate", part.span, "a lap leads nowhere".to_owned(), help);
            }
            return (after, None);
        };
        let Some(to) = self.one_place(label) else { return (after, None) };
        if to == PathPlace::OUT || to > after {
            let message = format!("a lap cannot go on at `{}`", label.value);
            let help = Some("the square lies on the path, not past the gate".to_owned());
            self.report.error("bad-gate", label.span, message, help);
            return (after, None);
        }
        (after, (!waits).then_some(to))
    }

    /// Checks that no other colour's path meets a private zone.
    fn check_private(&mut self, squares: &[PathSquares]) {
        // The squares of one path or more, and of two or more, one bit each.
        let (mut once, mut twice) = (0u128, 0u128);
        for own in squares {
            let used = own.iter().flatten().fold(0, |used, square| used | 1 << square.index());
            twice |= once & used;
            once |= used;
        }
        let is_shared = |square: SquareId| twice >> square.index() & 1 == 1;
        for (zone, line) in self.document.board.path.iter().enumerate().filter(|(_, line)| line.private) {
            let mine = (0..self.path.zone.len()).filter(|&place| self.path.zone[place] as usize == zone);
            let met = mine.into_iter().find(|&place| squares.iter().any(|own| own[place].is_some_and(is_shared)));
            if let Some(place) = met {
                let message = format!("`{}` is not private: another colour comes by", self.path.labels[place]);
                self.report.error("not-private", line.span, message, None);
            }
        }
    }
}

/// The place that a move beyond a closed gate reaches: it goes on from `to`, the first place of the lap, as often as
/// needed.
fn lap(target: PathPlace, to: PathPlace, gate_at: PathPlace) -> PathPlace {
    let round = gate_at.0 - to.0 + 1;
    PathPlace(to.0 + (target.0 - gate_at.0 - 1) % round)
}

/// The square of every place of a path.
type PathSquares = Vec<Option<SquareId>>;

/// Numbers all squares that a path uses. Returns the cell of each square, and for each colour the square of each place.
fn number_squares(path: &Path) -> (Vec<(u8, u8)>, Vec<PathSquares>) {
    let mut cells = Vec::new();
    let mut numbers = vec![None; path.grid.0 as usize * path.grid.1 as usize];
    let mut squares = Vec::new();
    for own in &path.by_seat {
        let mut numbered = Vec::with_capacity(own.len());
        for cell in own {
            numbered.push(cell.map(|cell| {
                let number = &mut numbers[cell.1 as usize * path.grid.0 as usize + cell.0 as usize];
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

/// Finds all squares that are one of these places for some colour. Returns them as places of the own path.
fn everyones(path: &Path, marked: Places) -> Places {
    let Some(turned) = path.turned else { return marked };
    if turned.order() == 4 && path.grid.0 != path.grid.1 {
        return marked;
    }
    let mut all = marked;
    let own = |places: Places| (0..path.cells.len()).filter(move |&place| places >> place & 1 == 1);
    for place in own(marked) {
        let Some(mut cell) = path.cells[place] else { continue };
        for _ in 0..turned.order() {
            let here = path.cells.iter().enumerate().filter(|(_, at)| **at == Some(cell));
            all = here.fold(all, |all, (place, _)| all | 1 << place);
            cell = turned.turn(cell, path.grid);
        }
    }
    all
}

/// For every place, the first place on the same square.
fn outward(path: &Path) -> Vec<PathPlace> {
    let first = |cell: &Option<(u8, u8)>| match cell {
        Some(_) => PathPlace(path.cells.iter().position(|other| other == cell).unwrap_or(0) as u8),
        None => PathPlace::OUT,
    };
    path.cells.iter().map(first).collect()
}

/// For every two colours: the place on the path of the second for each place of the first.
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

/// For each square, the first place of a colour on it.
fn firsts(own: &PathSquares) -> [Option<PathPlace>; MAX_SQUARES] {
    let mut firsts = [None; MAX_SQUARES];
    for (place, square) in (0..).map(PathPlace).zip(own) {
        if let Some(square) = square {
            firsts[square.index()].get_or_insert(place);
        }
    }
    firsts
}
