//! Draws the jumps that rules make from one square to another, such as ladders and short cuts.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use super::paint::paint;
use crate::play::Engine;
use crate::units::{PathPlace, Seat};

/// Draws the jumps of one seat.
pub(super) fn draw(engine: &Engine, layout: &Layout, seat: Seat) -> Markup {
    let point = |place: PathPlace| match engine.square(seat, place) {
        Some(square) => Some(layout.centre(engine, square)),
        None => layout.home(engine, place),
    };
    let ends = engine.jumps().into_iter().filter_map(|(from, to)| Some((point(from)?, point(to)?)));
    html! {
        @for (from, to) in ends.filter(|(from, to)| from != to) {
            (arrow(from, to, paint(engine, seat)))
        }
    }
}

/// A dashed line with an arrow head. It leaves the middle of both squares free for the labels.
fn arrow((x0, y0): (f32, f32), (x1, y1): (f32, f32), stroke: &str) -> Markup {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let free = CELL * 0.3;
    let (x0, y0, x1, y1) = (x0 + dx * free, y0 + dy * free, x1 - dx * free, y1 - dy * free);
    let (long, wide) = (9.0, 4.5);
    let (x, y) = (x1 - dx * long, y1 - dy * long);
    let head =
        format!("M{:.1} {:.1}L{x1:.1} {y1:.1}L{:.1} {:.1}", x - dy * wide, y + dx * wide, x + dy * wide, y - dx * wide);
    html! {
        g class="jump" stroke=(stroke) stroke-width="2.5" stroke-linecap="round" fill="none" stroke-opacity="0.75" {
            path d=(format!("M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}")) stroke-dasharray="7 5" {}
            path d=(head) {}
        }
    }
}
