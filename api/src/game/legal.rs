//! Legal actions with their pawns, squares and numbers, for clients that draw them.

use pagade_rules::play::{Action, ActionKind, Engine, State};
use pagade_rules::units::PawnIndex;

use crate::game::play::Play;
use crate::model::turn::{LegalAction, LegalKind};
use crate::model::written::PawnId;

/// Describes the legal actions, each wording once.
pub(crate) fn explained(engine: &Engine, play: &Play) -> Vec<LegalAction> {
    let state = play.state();
    let distinct = engine.one_of_each(state, &play.legal(engine).actions);
    distinct.iter().map(|action| explain(engine, state, action)).collect()
}

fn explain(engine: &Engine, state: &State, action: &Action) -> LegalAction {
    let wording = engine.wording(state, action);
    let kind = match wording.kind {
        ActionKind::Move => LegalKind::Move,
        ActionKind::Choice => LegalKind::Choice,
        ActionKind::Pass => LegalKind::Pass,
    };
    let moves = kind == LegalKind::Move;
    let colour = engine.colour(state);
    let moving = if moves { engine.movers_of(state, action) } else { 0 };
    let pawns = PawnIndex::all(engine.pawns.count).filter(|pawn| pawn.is_in(moving));
    let bonus = if wording.bonus { "b" } else { "" };
    let line = match wording.kind {
        ActionKind::Move => engine.moves.spend.get(usize::from(action.line)).map(|spend| spend.line),
        ActionKind::Choice => engine.events.choices.get(usize::from(action.line)).map(|choice| choice.line),
        ActionKind::Pass => None,
    };
    LegalAction {
        action: engine.action_text(state, action),
        kind,
        pawns: pawns.map(|pawn| PawnId { seat: engine.seat_name(colour), pawn }.text()).collect(),
        from: moves.then(|| engine.label(wording.from).to_owned()),
        to: moves.then(|| engine.label(wording.to).to_owned()),
        spends: wording.spent().iter().map(|number| format!("{bonus}{number}")).collect(),
        captures: wording.captures,
        rule: line.and_then(|line| engine.lines.get(usize::from(line))).map(|line| line.name.clone()),
    }
}
