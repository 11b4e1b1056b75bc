//! Draws the path of a seat as small arrows, one from every square to the next.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use super::paint::paint;
use crate::play::Engine;
use crate::units::Seat;

pub(super) fn draw(engine: &Engine, layout: &Layout, seat: Seat) -> Markup {
    let way = engine.walk(seat);
    html! {
        g fill=(paint(engine, seat)) stroke="#33302b" stroke-width="0.4" {
            @for pair in way.windows(2) {
                @let ends = (layout.centre(engine, pair[0].1), layout.centre(engine, pair[1].1));
                @if are_neighbours(ends) {
                    (arrow(ends.0, ends.1))
                }
            }
        }
    }
}

/// Whether the squares with these centres touch. Where a path forks or has a gap, the next place may lie elsewhere.
fn are_neighbours(((x0, y0), (x1, y1)): ((f32, f32), (f32, f32))) -> bool {
    let distance = (x1 - x0).hypot(y1 - y0);
    distance > 1.0 && distance < 1.5 * CELL
}

/// An arrow across the edge between two squares. It lies a little to the right of the way, so that two arrows in
/// opposite directions do not cover each other.
fn arrow((x0, y0): (f32, f32), (x1, y1): (f32, f32)) -> Markup {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    // The direction to the right of the arrow. In SVG, y grows downwards.
    let (rx, ry) = (-dy, dx);
    // An arrow across a corner is drawn in the middle, because there is no room beside it. No path uses a corner both
    // ways.
    let is_across_edge = (length - CELL).abs() < 1.0;
    let aside = if is_across_edge { CELL * 0.3 } else { 0.0 };
    let (x, y) = ((x0 + x1) / 2.0 + rx * aside, (y0 + y1) / 2.0 + ry * aside);
    let (long, wide) = (4.5, 3.5);
    let points = format!(
        "{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
        x + dx * long,
        y + dy * long,
        x - dx * long + rx * wide,
        y - dy * long + ry * wide,
        x - dx * long - rx * wide,
        y - dy * long - ry * wide
    );
    html! { polygon points=(points) {} }
}
