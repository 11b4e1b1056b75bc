//! The board as an SVG picture: squares with labels and owners, the path and the jumps of a seat, and the pawns.
//!
//! The SVG has no style sheet, no script and no links. It is drawn from the tables, so every rule set has a picture.

mod home;
mod jumps;
mod layout;
mod legend;
mod paint;
mod path;
mod pawns;
mod squares;

use maud::{Markup, html};

use crate::play::{Engine, State};
use crate::tables::Grid;
use crate::units::Seat;
use layout::Layout;

/// Draws the board in the numbering of the seat `path_of`, or of the first player if it is `None`. With a state, the
/// picture also shows the pawns.
#[must_use]
pub fn svg(engine: &Engine, state: Option<&State>, path_of: Option<Seat>) -> String {
    let seat = path_of.unwrap_or(engine.seating.players[0]);
    let layout = Layout::of(engine, state.is_some());
    let (width, height) = layout.size();
    let title = format!("The board of {} {}", engine.identity.id, engine.identity.version);
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) role="img"
            aria-labelledby="board-title board-about" font-family="Helvetica, Arial, sans-serif" {
            title id="board-title" { (title) }
            desc id="board-about" { (about(engine, state, seat)) }
            rect width=(width) height=(height) fill="#ffffff" {}
            (legend::heading(engine, state, seat))
            (squares::draw(engine, &layout, state, seat))
            (path::draw(engine, &layout, seat))
            (home::draw(engine, &layout))
            (jumps::draw(engine, &layout, seat))
            (pawns_of(engine, &layout, state))
            (legend::draw(engine, &layout, state))
        }
    };
    markup.into_string()
}

fn pawns_of(engine: &Engine, layout: &Layout, state: Option<&State>) -> Markup {
    html! { @if let Some(state) = state { (pawns::draw(engine, layout, state)) } }
}

/// Describes the picture for readers who cannot see it.
fn about(engine: &Engine, state: Option<&State>, seat: Seat) -> String {
    let Grid { columns, rows, arms, .. } = engine.board.grid;
    let shape = match arms {
        None => format!("on a grid of {columns} by {rows}"),
        Some(arms) => format!("on {arms} arms of {} by {rows}", columns / arms),
    };
    let squares = engine.board.squares;
    let mut text = format!("{squares} squares {shape}, labelled as {} counts them.", engine.seat_name(seat));
    let jumps = engine.jumps().into_iter();
    let jumps: Vec<String> =
        jumps.map(|(from, to)| format!("{} to {}", engine.label(from), engine.label(to))).collect();
    if !jumps.is_empty() {
        text += &format!(" Jumps: {}.", jumps.join(", "));
    }
    if let Some(state) = state {
        for (seat, squares) in engine.position(state).iter() {
            text += &format!(" {seat}: {}.", squares.join(", "));
        }
    }
    text
}
