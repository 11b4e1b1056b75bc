//! The board, pawns, dice, turn and finish of a document.

use crate::document::{
    At, BoardPart, DicePart, Expr, FinishPart, GatePart, Ground, PawnsPart, TagLine, Text, TurnPart, ZoneLine,
};
use crate::language::form::grid;
use crate::read::clauses;
use crate::read::tree::Tree;
use crate::read::values::{
    each, expression, flag, integer, line, one_or_more, optional, required, setting, setting_or, text, texts,
};

/// Turns after which a game counts as stuck, unless the file says otherwise.
const TURN_CAP: u32 = 20_000;

pub(crate) fn board(tree: &Tree) -> Option<BoardPart> {
    Some(BoardPart {
        grid: required(tree, "grid", |tree| Some(At { value: grid(tree.text()?)?, span: tree.span }))?,
        seats: required(tree, "seats", texts)?,
        paints: optional(tree, "paints", texts)?.unwrap_or_default(),
        turned: required(tree, "turned", text)?,
        path: required(tree, "path", |path| each(path, zone))?,
        tags: optional(tree, "tags", |tags| each(tags, tag))?.unwrap_or_default(),
        pairs_on: optional(tree, "pairs_on", |tree| places_or_lines(tree, "squares"))?.unwrap_or_default(),
        gate: optional(tree, "gate", gate)?,
        span: tree.span,
    })
}

fn zone(tree: &Tree) -> Option<ZoneLine> {
    let walk = optional(tree, "walk", text)?;
    let again = optional(tree, "again", texts)?;
    let ground = match (walk, again) {
        (Some(walk), _) => Ground::Walk(walk),
        (None, Some(again)) => Ground::Again(again),
        (None, None) if flag(tree, "off_board")? => Ground::OffBoard,
        (None, None) => Ground::Home,
    };
    Some(ZoneLine {
        line: line(tree, "zone")?,
        squares: required(tree, "squares", texts)?,
        ground,
        private: flag(tree, "private")?,
    })
}

fn tag(tree: &Tree) -> Option<TagLine> {
    Some(TagLine {
        line: line(tree, "tag")?,
        squares: required(tree, "squares", texts)?,
        everyone: required(tree, "for", text)?.value == "everyone",
    })
}

/// Lines with a place list and a condition each; a bare place list is one line without condition.
fn places_or_lines(tree: &Tree, key: &str) -> Option<Vec<(Vec<Text>, Option<Expr>)>> {
    if one_or_more(tree).iter().all(|item| item.entries().is_empty()) {
        return Some(vec![(texts(tree)?, None)]);
    }
    each(tree, |line| {
        let places = required(line, key, texts)?;
        Some((places, optional(line, "when", expression)?))
    })
}

fn gate(tree: &Tree) -> Option<GatePart> {
    Some(GatePart {
        after: required(tree, "after", text)?,
        open_when: required(tree, "open_when", expression)?,
        closed: required(tree, "closed", setting)?,
        lap_to: optional(tree, "lap_to", text)?,
        clauses: clauses::all(tree),
        span: tree.span,
    })
}

pub(crate) fn pawns(tree: &Tree) -> Option<PawnsPart> {
    Some(PawnsPart {
        each: required(tree, "each", integer)?,
        start: required(tree, "start", |tree| places_or_lines(tree, "pawns"))?,
        cut_to: optional(tree, "cut_to", text)?,
        span: tree.span,
    })
}

pub(crate) fn dice(tree: &Tree) -> Option<DicePart> {
    let span = tree.span;
    Some(match optional(tree, "lots", integer)? {
        Some(lots) => DicePart::Lots { lots, values: required(tree, "values", |tree| each(tree, integer))?, span },
        None => DicePart::Dice {
            count: required(tree, "count", integer)?,
            faces: required(tree, "faces", |tree| each(tree, integer))?,
            span,
        },
    })
}

pub(crate) fn turn(tree: &Tree) -> Option<TurnPart> {
    let span = tree.span;
    let turn_cap = optional(tree, "turn_cap", integer)?;
    Some(TurnPart {
        order: setting_or(tree, "order", "onward")?,
        first: required(tree, "first", setting)?,
        use_dice: required(tree, "use_dice", setting)?,
        once_per_throw: optional(tree, "once_per_throw", expression)?,
        reunite: setting_or(tree, "reunite", "free")?,
        may_pass: optional(tree, "may_pass", expression)?,
        turn_cap: turn_cap.unwrap_or(At { value: TURN_CAP, span }),
        span,
    })
}

pub(crate) fn finish(tree: &Tree) -> Option<FinishPart> {
    Some(FinishPart {
        play_on: required(tree, "play_on", setting)?,
        ends_turn: flag(tree, "ends_turn")?,
        help: optional(tree, "help", expression)?,
        stays: optional(tree, "stays", expression)?,
        ranks: optional(tree, "ranks", texts)?.unwrap_or_default(),
        clauses: clauses::all(tree),
        span: tree.span,
    })
}
