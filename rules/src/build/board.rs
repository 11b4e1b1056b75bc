//! The board of a table: numbered squares, the path of every colour, tags, classes of places.

use super::builder::Builder;
use super::path::Path;
use super::scope::Scope;
use crate::document::{Closing, GateSection, TagScope};
use crate::tables::{Board, Places};
use crate::units::{MAX_SEATS, MAX_SQUARES, NOWHERE, PathPlace, WALL};

/// Marks a square that the path of a colour does not use.
const UNSEEN: u8 = 255;

impl<'d> Builder<'d> {
    /// Finds the places of every tag. A tag for `everyone` marks the squares that any colour calls so, even a colour
    /// that does not play.
    pub fn read_tags(&mut self) {
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
            if let Some(place) = self.path.place(name).filter(|&place| *places != 1 << place) {
                let span = self.document.board.path[index].id.span;
                let label = &self.path.labels[place as usize];
                let message = format!("`{label}` is a square and a zone of other squares");
                self.report.error("name-taken", span, message, None);
            }
        }
    }

    /// Builds the board. `classes` groups the places to which the same verdict lines apply.
    pub fn board(&mut self, classes: &[u8; 128]) -> Board {
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
        let mut lands = [[0; 256]; 2];
        let [closed, open] = &mut lands;
        for (target, (closed, open)) in closed.iter_mut().zip(open).enumerate() {
            *open = target.min(home as usize) as PathPlace;
            *closed = match lap_to {
                Some(to) if target > gate_at as usize => lap(target, to, gate_at),
                _ => *open,
            };
        }
        let mut square = [[[WALL; 256]; MAX_SEATS]; 2];
        for (colour, own) in squares.iter().enumerate().take(MAX_SEATS) {
            for target in 0..256 {
                if target <= home as usize {
                    square[1][colour][target] = own[target];
                }
                if target <= gate_at as usize || lap_to.is_some() {
                    square[0][colour][target] = own[lands[0][target].min(home) as usize];
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
            gate_at: if board.gate.is_some() { gate_at } else { 0 },
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
        let Some(after) = self.one_place(&part.after) else { return (0, None) };
        if after == 0 || after >= self.path.home() {
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
        if to == 0 || to > after {
            let message = format!("a lap cannot go on at `{}`", label.value);
            let help = Some("the square lies on the path, not past the gate".to_owned());
            self.report.error("bad-gate", label.span, message, help);
            return (after, None);
        }
        (after, (!waits).then_some(to))
    }

    /// Checks that no other colour's path meets a private zone.
    fn check_private(&mut self, squares: &[Vec<u8>]) {
        for (zone, line) in self.document.board.path.iter().enumerate().filter(|(_, line)| line.private) {
            let mine = (0..self.path.zone.len()).filter(|&place| self.path.zone[place] as usize == zone);
            let met = mine.into_iter().find(|&place| {
                squares.iter().enumerate().any(|(seat, own)| {
                    let others = squares.iter().enumerate().filter(|(other, _)| *other != seat);
                    own[place] < NOWHERE && others.into_iter().any(|(_, other)| other.contains(&own[place]))
                })
            });
            if let Some(place) = met {
                let message = format!("`{}` is not private: another colour comes by", self.path.labels[place]);
                self.report.error("not-private", line.span, message, None);
            }
        }
    }
}

/// Leads a target past a closed gate back to the lap, as often as needed.
fn lap(target: usize, to: PathPlace, gate_at: PathPlace) -> PathPlace {
    let round = gate_at as usize - to as usize + 1;
    to + ((target - gate_at as usize - 1) % round) as PathPlace
}

/// Numbers all squares that a path uses. Returns the cell of each square, and for each colour the square of each place.
fn number_squares(path: &Path) -> (Vec<(u8, u8)>, Vec<Vec<u8>>) {
    let mut cells = Vec::new();
    // Cells without a number have `NOWHERE`.
    let mut numbers = vec![NOWHERE; path.grid.0 as usize * path.grid.1 as usize];
    let mut squares = Vec::new();
    for own in &path.by_seat {
        let mut numbered = Vec::with_capacity(own.len());
        for cell in own {
            numbered.push(cell.map_or(NOWHERE, |cell| {
                let number = &mut numbers[cell.1 as usize * path.grid.0 as usize + cell.0 as usize];
                if *number == NOWHERE {
                    cells.push(cell);
                    *number = (cells.len() - 1).min(MAX_SQUARES - 1) as u8;
                }
                *number
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
        Some(_) => path.cells.iter().position(|other| other == cell).unwrap_or(0) as PathPlace,
        None => 0,
    };
    path.cells.iter().map(first).collect()
}

/// For every two colours: the place on the path of the second for each place of the first.
fn seen(path: &Path, squares: &[Vec<u8>]) -> Vec<Vec<Vec<u8>>> {
    let firsts: Vec<[u8; 128]> = squares.iter().map(|own| firsts(own)).collect();
    let numbering = |colour: usize, other: usize| -> Vec<u8> {
        if colour == other {
            return (0..path.labels.len() as u8).collect();
        }
        squares[colour].iter().map(|&square| firsts[other][square as usize & 127]).collect()
    };
    (0..squares.len()).map(|colour| (0..squares.len()).map(|other| numbering(colour, other)).collect()).collect()
}

/// For each square, the first place of a colour on it.
fn firsts(own: &[u8]) -> [u8; 128] {
    let mut firsts = [UNSEEN; 128];
    for (place, &square) in own.iter().enumerate() {
        if square < NOWHERE && firsts[square as usize] == UNSEEN {
            firsts[square as usize] = place as u8;
        }
    }
    firsts
}
