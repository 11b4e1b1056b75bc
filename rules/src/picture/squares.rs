//! Draws the squares with their owners, labels and tags.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use super::paint::paint;
use crate::play::{Engine, State};
use crate::units::{Seat, SquareId};

pub(super) fn draw(engine: &Engine, layout: &Layout, state: Option<&State>, seat: Seat) -> Markup {
    let labels = labels(engine, seat);
    let marks = engine.tagged_squares();
    let inset = 1.0;
    html! {
        @for square in engine.squares() {
            @let owner = engine.owner(square);
            @let name = engine.square_name(square);
            g id=(format!("square-{name}")) data-square=(name) data-seat=[owner.map(|seat| engine.seat_name(seat))] {
                @let (x, y) = layout.centre(engine, square);
                @let turned = turned(engine, square, (x, y));
                rect x=(x - CELL / 2.0 + inset / 2.0) y=(y - CELL / 2.0 + inset / 2.0) width=(CELL - inset)
                    height=(CELL - inset) rx="3" stroke="#8a7f70" fill="#fdf6e7" transform=[turned.as_ref()] {}
                @if let Some(owner) = owner {
                    rect x=(x - CELL / 2.0 + inset) y=(y - CELL / 2.0 + inset) width=(CELL - 2.0 * inset)
                        height=(CELL - 2.0 * inset) rx="2" fill=(paint(engine, owner)) fill-opacity="0.3"
                        transform=[turned.as_ref()] {}
                }
                @for (kind, mark) in marks.iter().enumerate() {
                    @for (_, only) in mark.squares.iter().filter(|(at, _)| *at == square) {
                        // A private square has the colour of its seat, so the symbol of a tag on it has no colour.
                        @let stroke = only.filter(|_| owner.is_none()).map_or("#8a7f70", |seat| paint(engine, seat));
                        g transform=[turned.as_ref()] { (shape(kind, x, y, stroke)) }
                    }
                }
                (label(x, y, &labels[square.index()], is_taken(engine, state, square)))
            }
        }
    }
}

/// The rotation of a square about its centre. `None` if the square is not turned.
fn turned(engine: &Engine, square: SquareId, (x, y): (f32, f32)) -> Option<String> {
    let turn = engine.drawn(square).turn;
    (turn != 0.0).then(|| format!("rotate({turn} {x} {y})"))
}

/// The labels of a square. They stand in the middle of an empty square, and at the foot of one with pawns.
fn label(x: f32, y: f32, names: &[&str], taken: bool) -> Markup {
    html! {
        @match (names, taken) {
            ([], _) => {}
            (names, true) => {
                text x=(x) y=(y + 17.5) font-size="9" fill="#33302b" text-anchor="middle" { (names.join(" ")) }
            }
            ([name], false) => {
                text x=(x) y=(y + 4.8) font-size="14" fill="#33302b" text-anchor="middle" { (name) }
            }
            (names, false) => {
                text x=(x) y=(y - 1.0) font-size="13" fill="#33302b" text-anchor="middle" { (names[0]) }
                text x=(x) y=(y + 11.5) font-size="11" fill="#6b6459" text-anchor="middle" { (names[1..].join(" ")) }
            }
        }
    }
}

/// The labels of all squares in the numbering of a seat. A private square of another seat has its owner's label.
fn labels(engine: &Engine, seat: Seat) -> Vec<Vec<&str>> {
    let mut labels = vec![Vec::new(); usize::from(engine.board.squares)];
    for (place, square) in engine.walk(seat) {
        labels[square.index()].push(engine.label(place));
    }
    for other in engine.all_seats().filter(|&other| other != seat) {
        for (place, square) in engine.walk(other) {
            if engine.owner(square) == Some(other) {
                labels[square.index()].push(engine.label(place));
            }
        }
    }
    labels
}

fn is_taken(engine: &Engine, state: Option<&State>, square: SquareId) -> bool {
    let Some(state) = state else { return false };
    engine.seating.colours.iter().any(|&seat| {
        let pawns = &state.at[seat.index()][..usize::from(engine.pawns.count)];
        pawns.iter().any(|&place| engine.square(seat, place) == Some(square))
    })
}

/// The symbol of the tag with the number `kind`, drawn round the middle of a square. Four shapes take turns.
pub(super) fn shape(kind: usize, x: f32, y: f32, stroke: &str) -> Markup {
    let far = CELL / 2.0 - 3.0;
    html! {
        g stroke=(stroke) stroke-width="1.5" fill="none" {
            @match kind % 4 {
                0 => { path d=(corners(x, y, far)) {} }
                1 => { circle cx=(x) cy=(y) r=(far) {} }
                2 => { path d=(format!("M{x} {}L{} {y}L{x} {}L{} {y}Z", y - far, x + far, y + far, x - far)) {} }
                _ => { rect x=(x - far) y=(y - far) width=(2.0 * far) height=(2.0 * far) {} }
            }
        }
    }
}

/// Four short strokes in the corners of a square, as a cross without its middle.
fn corners(x: f32, y: f32, far: f32) -> String {
    let near = far * 0.55;
    let strokes = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(right, down)| {
        let at = |reach: f32| format!("{:.1} {:.1}", x + right * reach, y + down * reach);
        format!("M{}L{}", at(far), at(near))
    });
    strokes.concat()
}
