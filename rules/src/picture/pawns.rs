//! Draws the pawns on their squares and at home.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use super::paint::paint;
use crate::play::{Engine, State};
use crate::units::{PawnIndex, Seat, SquareId};

pub(super) fn draw(engine: &Engine, layout: &Layout, state: &State) -> Markup {
    html! {
        @for square in engine.squares() {
            @let standing = standing(engine, state, square);
            @if !standing.is_empty() {
                @let (x, y) = layout.centre(engine, square);
                (group(engine, state, &standing, x, y - 4.0))
            }
        }
        (at_home(engine, layout, state))
    }
}

/// A disc in the colour of the seat, with its centre at a point.
pub(super) fn disc(engine: &Engine, seat: Seat, x: f32, y: f32, radius: f32) -> Markup {
    html! {
        circle cx=(x) cy=(y) r=(radius) fill=(paint(engine, seat)) stroke="#1d1b18" stroke-width="1.4" {}
        circle cx=(x - radius * 0.25) cy=(y - radius * 0.3) r=(radius * 0.3) fill="#ffffff" fill-opacity="0.45" {}
    }
}

/// Puts the drawing of a pawn into an SVG group with an id, by which programs find the pawn in the picture.
pub(super) fn named(engine: &Engine, (seat, pawn): (Seat, PawnIndex), drawn: &Markup) -> Markup {
    let name = engine.seat_name(seat);
    let id = format!("{name}-{}", pawn.number() + 1);
    html! { g id=(format!("pawn-{id}")) data-pawn=(id) data-seat=(name) { (drawn) } }
}

/// A pawn on a square. If the pawn has marks, its disc has a ring, and the title names the marks.
fn disc_of(engine: &Engine, state: &State, (seat, pawn): (Seat, PawnIndex), x: f32, y: f32, radius: f32) -> Markup {
    let marks = engine.marks_shown(state, seat, pawn);
    let drawn = html! {
        @if marks.is_empty() {
            (disc(engine, seat, x, y, radius))
        } @else {
            title { (engine.seat_name(seat)) ": " (marks.join(", ")) }
            circle cx=(x) cy=(y) r=(radius) fill=(paint(engine, seat)) stroke="#1d1b18" stroke-width="1.4" {}
            circle cx=(x) cy=(y) r=(radius * 0.55) fill="none" stroke="#ffffff" stroke-width=(radius * 0.3) {}
            circle cx=(x) cy=(y) r=(radius * 0.55) fill="none" stroke="#1d1b18" stroke-width=(radius * 0.12) {}
        }
    };
    named(engine, (seat, pawn), &drawn)
}

/// Draws the pawns on one square. Up to four pawns stand two to a row, more pawns three to a row.
fn group(engine: &Engine, state: &State, pawns: &[(Seat, PawnIndex)], x: f32, y: f32) -> Markup {
    let in_row = match pawns.len() {
        0 | 1 => 1,
        2..=4 => 2,
        _ => 3,
    };
    let rows = pawns.len().div_ceil(in_row);
    let radius = match in_row {
        1 => 11.5,
        2 => 7.5,
        _ => 5.5,
    };
    let (wide, high) = (2.0 * radius + 1.5, 1.7 * radius);
    html! {
        @for (i, &pawn) in pawns.iter().enumerate() {
            @let column = (i % in_row) as f32 - (in_row as f32 - 1.0) / 2.0;
            @let row = (i / in_row) as f32 - (rows as f32 - 1.0) / 2.0;
            (disc_of(engine, state, pawn, x + column * wide, y + row * high, radius))
        }
    }
}

fn standing(engine: &Engine, state: &State, square: SquareId) -> Vec<(Seat, PawnIndex)> {
    let mut standing = Vec::new();
    for &seat in &engine.seating.colours {
        let pawns = PawnIndex::all(engine.pawns.count).map(|pawn| (seat, pawn));
        standing.extend(pawns.filter(|&(_, pawn)| engine.square(seat, state.place_of(seat, pawn)) == Some(square)));
    }
    standing
}

/// Lists the pawns of a colour that stand on no square: those off the board, and those at home.
pub(super) fn elsewhere(engine: &Engine, state: &State, seat: Seat) -> (Vec<PawnIndex>, Vec<PawnIndex>) {
    let pawns = PawnIndex::all(engine.pawns.count).map(|pawn| (pawn, state.place_of(seat, pawn)));
    let off_squares = pawns.filter(|&(_, place)| engine.square(seat, place).is_none());
    let (home, off): (Vec<_>, Vec<_>) = off_squares.partition(|&(_, place)| place == engine.board.home());
    let only_pawns = |pawns: Vec<(PawnIndex, _)>| pawns.into_iter().map(|(pawn, _)| pawn).collect();
    (only_pawns(off), only_pawns(home))
}

/// A row of discs for every colour that has pawns at home.
fn at_home(engine: &Engine, layout: &Layout, state: &State) -> Markup {
    let Some((column, row, columns, rows)) = layout.middle.filter(|_| layout.shows_pawns_home()) else {
        return html! {};
    };
    let (x, y) = layout.corner(column, row);
    let across = columns * CELL - 16.0;
    let down = rows * CELL - 34.0;
    let most = f32::from(engine.pawns.count);
    let colours = engine.seating.colours.len() as f32;
    let radius = (across / most / 2.0 - 1.0).min(down / colours / 2.0 - 1.0).clamp(2.0, 10.0);
    html! {
        @for (line, &seat) in engine.seating.colours.iter().enumerate() {
            @let (_, home) = elsewhere(engine, state, seat);
            @for (nth, &pawn) in home.iter().enumerate() {
                @let x = x + 8.0 + across * (nth as f32 + 0.5) / most;
                @let y = y + 26.0 + down * (line as f32 + 0.5) / colours;
                (named(engine, (seat, pawn), &disc(engine, seat, x, y, radius)))
            }
        }
    }
}
