//! Legal actions with their pawns, squares and numbers, for clients that draw them.

use pagade_rules::play::{Action, ActionKind, Engine, State};
use pagade_rules::tables::Duty;
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
    let spend = engine.moves.spend.get(usize::from(action.line));
    let line = match wording.kind {
        ActionKind::Move => spend.map(|spend| spend.line),
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
        voluntary: moves && spend.is_some_and(|spend| spend.duty == Duty::Voluntary),
        rule: line.and_then(|line| engine.lines.get(usize::from(line))).map(|line| line.name.clone()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pagade_rules::bundled;

    use super::*;
    use crate::game::dice::Dice;

    #[test]
    fn what_leads_back_is_said_to_be_voluntary() {
        let engine = bundled::ruleset("chopat").unwrap().table(&BTreeMap::new(), None).unwrap();
        let mut play = Play::opening(&engine, engine.first_seat());
        let dice = Dice::new("chopat", []);
        for throw in 1..100_000 {
            play.throw(&engine, &dice.throw(&engine, throw)).unwrap();
            while !play.awaits_throw() && !play.is_over() {
                let (voluntary, others): (Vec<_>, Vec<_>) =
                    explained(&engine, &play).into_iter().partition(|action| action.voluntary);
                if let Some(back) = voluntary.first() {
                    assert!(!others.is_empty(), "nobody is obliged");
                    assert!(back.kind == LegalKind::Move && play.play(&engine, &back.action).is_ok());
                    return;
                }
                play.play(&engine, &others[0].action).unwrap();
            }
            if play.is_over() {
                play = Play::opening(&engine, engine.first_seat());
            }
        }
        panic!("no voluntary action was legal");
    }
}
