//! The path of the first seat: zones, labels, and the cells of its squares. A cell is a column and a row of the grid.
//! The paths of the other seats are this path, turned or mirrored on the grid, or have walks of their own.

use std::collections::HashMap;

use super::findings::{Findings, meant};
use crate::document::{At, Document, Ground, Text, ZoneLine};
use crate::source::Span;
use crate::tables::{Cell, Grid, Places, Turned};
use crate::units::{MAX_PLACES, MAX_SEATS, PathPlace};
use crate::word::Word;

/// The path of the first seat, and the cells (column and row) of the paths of all seats.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// The label of every place.
    pub labels: Vec<String>,
    /// The zone of every place, as an index of `zones`.
    pub zone: Vec<u8>,
    /// The name and the places of every zone.
    pub zones: Vec<(String, Places)>,
    /// The cell (column and row) of every place. Places off the board and at home have none.
    pub cells: Vec<Option<Cell>>,
    /// For every seat, the cells (column and row) of the places on its path.
    pub by_seat: Vec<Vec<Option<Cell>>>,
    /// The turn from one seat's path to the next seat's path.
    pub turned: Option<Turned>,
    /// Whether the seats have walks of their own.
    pub drawn: bool,
    /// The grid of the board.
    pub grid: Grid,
    /// Whether the path has no errors, so that a board can be built from it.
    pub sound: bool,
    places: HashMap<String, PathPlace>,
}

impl Path {
    /// Finds the place with this label.
    pub(super) fn place(&self, label: &str) -> Option<PathPlace> {
        self.places.get(label).copied()
    }

    /// Whether anything is known of the path: its section is not left out because of an error.
    pub(super) fn is_known(&self) -> bool {
        !self.labels.is_empty()
    }

    /// The last place of the path, which is home.
    pub(super) fn home(&self) -> PathPlace {
        PathPlace((self.labels.len().max(1) - 1) as u8)
    }

    /// Lists the places that labels and ranges name, in the order of the list. Reports unknown labels.
    pub(super) fn list(&self, list: &[Text], report: &mut Findings) -> Vec<PathPlace> {
        let mut places = Vec::new();
        for item in list {
            match item.value.split_once("..") {
                None => places.extend(self.label(item, &item.value, report)),
                Some((first, last)) => {
                    let ends = (self.label(item, first, report), self.label(item, last, report));
                    if let (Some(a), Some(b)) = ends {
                        let between = (a.min(b).0..=a.max(b).0).map(PathPlace);
                        if a <= b { places.extend(between) } else { places.extend(between.rev()) }
                    }
                }
            }
        }
        places
    }

    /// Finds the place with this label. Reports an unknown label at the span of `at`.
    pub(super) fn label(&self, at: &Text, label: &str, report: &mut Findings) -> Option<PathPlace> {
        let place = self.place(label.trim());
        if place.is_none() {
            let message = format!("no square is named `{}`", label.trim());
            report.error("unknown-label", at.span, message, self.near(label.trim()));
        }
        place
    }

    /// Help for an unknown label: a similar label, or the labels of all zones.
    pub(super) fn near(&self, label: &str) -> Option<String> {
        if let Some(help) = meant(label, self.labels.iter().map(String::as_str)).filter(|_| self.labels.len() > 1) {
            return Some(help);
        }
        let zones = self.zones.iter().filter_map(|(name, places)| {
            let (first, last) = (places.trailing_zeros(), 127 - places.leading_zeros().min(127));
            let labels = (self.labels.get(first as usize)?, self.labels.get(last as usize)?);
            Some(if first == last { labels.0.clone() } else { format!("{}..{} ({name})", labels.0, labels.1) })
        });
        Some(format!("the path has {}", zones.collect::<Vec<_>>().join(", ")))
    }
}

/// Reads the path of a board and turns it for every seat.
pub(crate) fn read(document: &Document, report: &mut Findings) -> Path {
    let board = &document.board;
    let errors = report.errors();
    let seats = board.seats.len();
    let turned = board.turned.value;
    let mut path = Path { turned: Some(turned), grid: grid(document, report), ..Path::default() };
    let most_seats = if turned == Turned::Same { MAX_SEATS } else { path.grid.order(turned) };
    if !path.grid.can_be_turned(turned) {
        cannot_be_turned(path.grid, &board.turned, report);
    } else if seats > most_seats {
        let message = format!("{seats} seats, but `{}` makes only {most_seats} paths", turned.word());
        report.error("too-many-seats", board.turned.span, message, None);
    }
    for (index, line) in board.path.iter().enumerate() {
        let (first, last) = (index == 0, index + 1 == board.path.len());
        let is_in_place = check_ground(line, first, last, report);
        if !read_zone(&mut path, line, is_in_place, report) {
            return path;
        }
    }
    if board.path.len() < 2 {
        let help = Some("from a place off the board to home".to_owned());
        report.error("bad-path", board.span, "a path has at least two zones".to_owned(), help);
    }
    check_walks(&path, &path.cells, 0, document, report);
    // Every zone is checked, also after the first one with several walks.
    path.drawn = board.path.iter().filter(|line| check_seats(line, seats, turned, report)).count() > 0;
    if !path.drawn {
        turn(&mut path, seats);
    } else if report.errors() == errors {
        draw(&mut path, document, report);
    }
    path.sound = report.errors() == errors;
    path
}

/// The grid of the board. Reports arms that are too wide.
fn grid(document: &Document, report: &mut Findings) -> Grid {
    let board = &document.board;
    let arms = board.arms.as_ref().map(|arms| arms.value);
    Grid::new(board.grid.value, arms).unwrap_or_else(|| {
        let message = format!("{} arms of {} columns are too wide together", arms.unwrap_or(1), board.grid.value.0);
        report.error("too-many", board.grid.span, message, Some("at most 255 columns together".to_owned()));
        Grid::default()
    })
}

fn cannot_be_turned(grid: Grid, turned: &At<Turned>, report: &mut Findings) {
    let (word, half) = (turned.value.word(), Turned::Half.word());
    let (code, message, help) = match grid.arms {
        None => (
            "grid-not-square",
            format!("a board of {} x {} cannot be turned by a quarter", grid.columns, grid.rows),
            format!("make the grid square, or turn by `{half}` or `{}`", Turned::Mirrored.word()),
        ),
        Some(arms) => (
            "bad-turn",
            format!("a board of {arms} arms cannot be turned by `{word}`"),
            format!(
                "turn it `{}` or `{}`, or with an even number of arms by `{half}`",
                Turned::Anticlockwise.word(),
                Turned::Clockwise.word()
            ),
        ),
    };
    report.error(code, turned.span, message, Some(help));
}

/// Whether a zone lies where zones of its kind may lie: places off the board first, home last. Reports others.
fn check_ground(line: &ZoneLine, first: bool, last: bool, report: &mut Findings) -> bool {
    let off_board = line.ground == Ground::OffBoard;
    let message = if first && !off_board {
        "the path begins with a place off the board"
    } else if off_board && !first {
        "only the first place of the path is off the board"
    } else if line.ground == Ground::Home && !last {
        "only home, the last zone, has neither `walk` nor `again`"
    } else if last && line.ground != Ground::Home {
        "the path ends with home, a place without a walk"
    } else {
        return true;
    };
    let help = if first {
        "begin with `{zone: out, squares: out, off_board: yes}`"
    } else if last {
        "end with `{zone: home, squares: home}`"
    } else {
        "give it a `walk` or `again`"
    };
    report.error("bad-path", line.span, message.to_owned(), Some(help.to_owned()));
    false
}

/// Adds the labels and squares of a zone to the path. Returns false if the path becomes too long.
fn read_zone<'d>(path: &mut Path, line: &'d ZoneLine, is_in_place: bool, report: &mut Findings) -> bool {
    let zone = path.zones.len() as u8;
    let labels = |item: &'d At<Vec<String>>| item.value.iter().map(|label| (label, item.span));
    let labels: Vec<(&String, Span)> = line.squares.iter().flat_map(labels).collect();
    if path.labels.len() + labels.len() > MAX_PLACES {
        let message = format!("a path of more than {MAX_PLACES} places");
        report.error("too-many", line.span, message, None);
        return false;
    }
    let is_place = matches!(line.ground, Ground::OffBoard | Ground::Home);
    if is_place && is_in_place && labels.len() != 1 {
        let message = format!("`{}` is one place, not {}", line.id.value, labels.len());
        report.error("label-count", line.span, message, None);
    }
    let cells = ground(path, &path.cells, line, 0, report);
    let mut places: Places = 0;
    let mut repeated: Vec<(&String, Span)> = Vec::new();
    for (index, (label, span)) in labels.into_iter().enumerate() {
        let place = PathPlace(path.labels.len() as u8);
        places |= place.alone();
        if label.ends_with('x') {
            let message = format!("`{label}` ends in the sign of a capture, `x`");
            let help = Some("an action such as `12-15x` ends in `x` for a capture: choose another label".to_owned());
            report.error("bad-label", span, message, help);
        }
        if path.places.insert(label.clone(), place).is_some() {
            repeated.push((label, span));
        }
        path.labels.push(label.clone());
        path.zone.push(zone);
        path.cells.push(cells.get(index).copied().flatten());
    }
    if let [(label, span), more @ ..] = repeated.as_slice() {
        let more =
            if more.is_empty() { String::new() } else { format!(", and {} more labels stand twice", more.len()) };
        report.error("duplicate-label", *span, format!("two squares of the path are named `{label}`{more}"), None);
    }
    path.zones.push((line.id.value.clone(), places));
    true
}

/// Lists the cells (column and row) of a zone on the path of a seat: one for each label. `before` are the cells of the
/// earlier zones on the same path. After an error the list is empty.
fn ground(
    path: &Path,
    before: &[Option<Cell>],
    line: &ZoneLine,
    seat: usize,
    report: &mut Findings,
) -> Vec<Option<Cell>> {
    let labels = line.squares.iter().map(|item| item.value.len()).sum::<usize>();
    let (found, cells, span) = match &line.ground {
        Ground::OffBoard | Ground::Home => return Vec::new(),
        Ground::Again(again) => {
            let places = path.list(again, report);
            let cells: Vec<_> = places.iter().filter_map(|&place| before.get(place.index()).copied()).collect();
            if places.is_empty() {
                return cells;
            }
            (cells.len(), cells, again[0].span)
        }
        Ground::Walk(walks) => {
            let Some(text) = walks.get(seat).or(walks.first()) else { return Vec::new() };
            let last = before.iter().rev().find_map(|cell| *cell).map(|(x, y)| (i32::from(x), i32::from(y)));
            let walked = text.value.squares(last, MAX_PLACES + 1);
            let Some(walked) = walked else {
                // Behind places on the board, an error was reported for those without squares.
                if before.len() > 1 {
                    return Vec::new();
                }
                let help = Some("begin it with `from COLUMN,ROW`".to_owned());
                report.error("bad-walk", text.span, "the walk does not say where it begins".to_owned(), help);
                return Vec::new();
            };
            let cells: Vec<_> = walked.iter().map(|&point| path.grid.cell(point)).collect();
            if let Some(index) = cells.iter().position(Option::is_none) {
                let (x, y) = walked[index];
                let message = format!("square {} of the walk, at {x},{y}, is not on the grid", index + 1);
                let Grid { columns, rows, .. } = path.grid;
                let help = Some(format!("columns 0 to {}, rows 0 to {}", columns.max(1) - 1, rows.max(1) - 1));
                report.error("off-grid", text.span, message, help);
                // The next zone may begin beside the squares that are on the grid.
                return cells;
            }
            (cells.len(), cells, text.span)
        }
    };
    if found != labels {
        let message = format!("{labels} labels, but {found} squares are walked");
        report.error("label-count", span, message, Some("every square of a walk has one label".to_owned()));
    }
    cells
}

/// Whether a zone has several walks, one for each seat. Reports several walks if their number is not the number of
/// seats, or if the board turns the path of the first seat (`turned`).
fn check_seats(line: &ZoneLine, seats: usize, turned: Turned, report: &mut Findings) -> bool {
    let Ground::Walk(walks) = &line.ground else { return false };
    let [_, second, ..] = walks.as_slice() else { return false };
    if turned != Turned::Same {
        let message = format!("with `{}` the other seats walk as the first one", turned.word());
        report.error("bad-walk", second.span, message, Some("write `turned: same`, or a single walk".to_owned()));
    } else if walks.len() != seats {
        let message = format!("{} walks for {seats} seats", walks.len());
        report.error("bad-walk", second.span, message, Some("write one walk, or one for each seat".to_owned()));
    }
    true
}

/// Reports squares that two walks of a seat use. A zone whose squares belong to an earlier zone has to list them under
/// `again`.
fn check_walks(path: &Path, cells: &[Option<Cell>], seat: usize, document: &Document, report: &mut Findings) {
    let mut seen: HashMap<Cell, usize> = HashMap::new();
    for (place, cell) in cells.iter().enumerate() {
        let Some(line) = document.board.path.get(path.zone[place] as usize) else { continue };
        let (Some(cell), Ground::Walk(walks)) = (cell, &line.ground) else { continue };
        if let Some(&before) = seen.get(cell) {
            let labels = (&path.labels[before], &path.labels[place]);
            let message = format!("`{}` and `{}` are the same square, {},{}", labels.0, labels.1, cell.0, cell.1);
            let help = Some("list the squares under `again` instead of walking over them twice".to_owned());
            report.error(
                "walked-twice",
                walks.get(seat).or(walks.first()).map_or(line.span, |walk| walk.span),
                message,
                help,
            );
            return;
        }
        seen.insert(*cell, place);
    }
}

/// Finds the squares of seats that have walks of their own.
fn draw(path: &mut Path, document: &Document, report: &mut Findings) {
    for seat in 0..document.board.seats.len().min(MAX_SEATS) {
        let mut cells = Vec::new();
        for line in &document.board.path {
            let own = ground(path, &cells, line, seat, report);
            let labels = line.squares.iter().map(|item| item.value.len()).sum::<usize>();
            cells.extend((0..labels).map(|index| own.get(index).copied().flatten()));
        }
        if seat > 0 {
            check_walks(path, &cells, seat, document, report);
        }
        path.by_seat.push(cells);
    }
}

fn turn(path: &mut Path, seats: usize) {
    let (Some(turned), grid) = (path.turned, path.grid) else { return };
    if !grid.can_be_turned(turned) {
        return;
    }
    let mut cells = path.cells.clone();
    for _ in 0..seats.min(MAX_SEATS) {
        let next = cells.iter().map(|cell| cell.map(|cell| grid.turn(turned, cell))).collect();
        path.by_seat.push(std::mem::replace(&mut cells, next));
    }
}
