//! Draws home in the free middle of the board.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use crate::play::Engine;

pub(super) fn draw(engine: &Engine, layout: &Layout) -> Markup {
    let Some((column, row, columns, rows)) = layout.middle else {
        return html! {};
    };
    let (x, y) = layout.corner(column, row);
    let (width, height) = (columns * CELL, rows * CELL);
    let name = engine.label(engine.board.home());
    // A single square has room only for the name; the legend shows the pawns at home.
    let is_small = rows < 2.0;
    let size = if is_small { (width * 0.66 / (0.62 * name.chars().count().max(1) as f32)).min(14.0) } else { 14.0 };
    let line = if is_small { height / 2.0 + size * 0.35 } else { 20.0 };
    html! {
        g id="home" {
            @if let Some(points) = between_arms(engine, layout) {
                polygon points=(points) stroke-linejoin="round" fill="#efe3c8" stroke="#8a7f70" stroke-width="1.5" {}
            } @else {
                rect x=(x + 4.0) y=(y + 4.0) width=(width - 8.0) height=(height - 8.0) rx="6" fill="#efe3c8"
                    stroke="#8a7f70" stroke-width="1.5" {}
            }
            text x=(x + width / 2.0) y=(y + line) font-size=(size) fill="#33302b" text-anchor="middle" { (name) }
        }
    }
}

/// The corners of the polygon between the arms of a board. `None` without arms.
fn between_arms(engine: &Engine, layout: &Layout) -> Option<String> {
    let grid = engine.board.grid;
    let (x, y) = layout.hub(grid)?;
    let corners = grid.corners()?.map(|(right, down)| format!("{:.1},{:.1}", x + right * CELL, y + down * CELL));
    Some(corners.collect::<Vec<_>>().join(" "))
}
