//! Home, in the free middle of the board.

use maud::{Markup, html};

use super::layout::{CELL, Layout};
use crate::tables::Rules;

pub(super) fn draw(rules: &Rules, layout: &Layout) -> Markup {
    let Some((column, row, columns, rows)) = layout.middle else {
        return html! {};
    };
    let (x, y) = layout.corner(column, row);
    let (width, height) = (columns * CELL, rows * CELL);
    let name = rules.label(rules.board.len - 1);
    html! {
        rect x=(x + 4.0) y=(y + 4.0) width=(width - 8.0) height=(height - 8.0) rx="6" fill="#efe3c8"
            stroke="#8a7f70" stroke-width="1.5" {}
        text x=(x + width / 2.0) y=(y + 20.0) font-size="14" fill="#33302b" text-anchor="middle" { (name) }
    }
}
