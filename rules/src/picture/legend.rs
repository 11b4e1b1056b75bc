//! Draws the heading and the legend: the players with their pawns off the board, and the symbols of tags.

use maud::{Markup, html};

use super::layout::{CELL, HEADING, Layout, MARGIN, ROW};
use super::paint::paint;
use super::pawns::{disc, elsewhere, named};
use super::squares::shape;
use crate::play::{Engine, Phase, State};
use crate::units::{PathPlace, PawnIndex, Seat};

const INK: &str = "#33302b";

pub(super) fn heading(engine: &Engine, state: Option<&State>, seat: Seat) -> Markup {
    let numbered = format!("numbered as {} counts", engine.seat_name(seat));
    let turn = state.map(|state| match state.phase {
        Phase::Over => "the game is over".to_string(),
        _ => format!("turn: {}", engine.seat_name(state.turn)),
    });
    html! {
        text x=(MARGIN) y=(HEADING - 36.0) font-size="20" font-weight="bold" fill=(INK) {
            (engine.identity.id) " "
            tspan font-size="13" font-weight="normal" { (engine.identity.version) }
        }
        text x=(MARGIN) y=(HEADING - 16.0) font-size="13" fill=(INK) {
            (numbered) @if let Some(turn) = turn { " · " (turn) }
        }
    }
}

pub(super) fn draw(engine: &Engine, layout: &Layout, state: Option<&State>) -> Markup {
    let top = layout.below() + ROW / 2.0;
    let (width, height) = layout.size();
    html! {
        @match state {
            Some(state) => @for (line, &seat) in engine.seating.colours.iter().enumerate() {
                (player(engine, layout, state, seat, top + line as f32 * ROW))
            },
            None => @for (column, &seat) in engine.seating.colours.iter().enumerate() {
                @let x = MARGIN + 10.0 + column as f32 * (width - 2.0 * MARGIN) / engine.seating.colours.len() as f32;
                (disc(engine, seat, x, top, 9.0))
                text x=(x + 16.0) y=(top + 5.0) font-size="14" fill=(INK) { (engine.seat_name(seat)) }
            }
        }
        (tags_row(engine, width, height - MARGIN - ROW / 2.0))
    }
}

/// Draws a colour's line of the legend: name, pawns off the board, pawns at home.
fn player(engine: &Engine, layout: &Layout, state: &State, seat: Seat, y: f32) -> Markup {
    let width = layout.size().0;
    let (off, home) = elsewhere(engine, state, seat);
    let name_of_off = engine.label(PathPlace::OUT);
    let name_of_home = engine.label(engine.board.home());
    let is_turn = state.turn == engine.seating.player[seat.index()] && state.phase != Phase::Over;
    let (second, third) = (width * 0.28, width * 0.64);
    html! {
        @if is_turn {
            rect x=(MARGIN - 6.0) y=(y - ROW / 2.0 + 2.0) width=(width - 2.0 * MARGIN + 12.0) height=(ROW - 4.0) rx="6"
                fill=(paint(engine, seat)) fill-opacity="0.15" {}
        }
        rect x=(MARGIN) y=(y - 8.0) width="16" height="16" rx="3" fill=(paint(engine, seat)) stroke="#1d1b18" {}
        text x=(MARGIN + 24.0) y=(y + 5.0) font-size="14" fill=(INK) font-weight=(if is_turn { "bold" } else { "normal" }) {
            (engine.seat_name(seat))
        }
        (kept(engine, seat, name_of_off, &off, true, second, y))
        (kept(engine, seat, name_of_home, &home, !layout.shows_pawns_home(), third, y))
    }
}

/// Draws a row of pawns that stand on no square. With `is_named` each pawn gets its id in the SVG. `is_named` is false
/// if the picture of the board already shows these pawns with their ids.
fn kept(engine: &Engine, seat: Seat, name: &str, pawns: &[PawnIndex], is_named: bool, x: f32, y: f32) -> Markup {
    html! {
        text x=(x) y=(y + 5.0) font-size="13" fill="#6b6459" { (name) ": " @if pawns.is_empty() { "none" } }
        @for (nth, &pawn) in pawns.iter().enumerate() {
            @let disc = disc(engine, seat, x + 54.0 + nth as f32 * 19.0, y, 8.0);
            @if is_named { (named(engine, (seat, pawn), &disc)) } @else { (disc) }
        }
    }
}

fn tags_row(engine: &Engine, width: f32, y: f32) -> Markup {
    let marks = engine.tagged_squares();
    let step = (width - 2.0 * MARGIN) / marks.len().max(1) as f32;
    html! {
        @for (kind, mark) in marks.iter().enumerate() {
            @let x = MARGIN + kind as f32 * step;
            g transform=(format!("translate({} {}) scale(0.5)", x + CELL / 4.0, y)) { (shape(kind, 0.0, 0.0, "#6b6459")) }
            text x=(x + CELL / 2.0 + 6.0) y=(y + 5.0) font-size="13" fill=(INK) { (mark.name) }
        }
    }
}
