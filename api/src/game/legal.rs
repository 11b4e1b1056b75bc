//! Legal actions with their pawns, squares and numbers, for clients that draw them.

use pagade_rules::play::{Action, ActionKind, Engine, HappeningKind, PathPlace, State};
use pagade_rules::tables::Duty;
use pagade_rules::units::PawnSet;

use crate::game::pawn_ids::{id, ids};
use crate::game::play::Play;
use crate::game::step_events;
use crate::model::event_kind::EventKind;
use crate::model::turn::{LegalAction, LegalKind};

/// Describes the legal actions. Actions with the same text are described once. The field `text` depends on the language
/// and stays empty.
pub(crate) fn explained(engine: &Engine, play: &Play) -> Vec<LegalAction> {
    let (state, legal) = (play.state(), &play.legal(engine).actions);
    engine.one_of_each(state, legal).iter().map(|action| explain(engine, state, legal, action)).collect()
}

fn explain(engine: &Engine, state: &State, legal: &[Action], action: &Action) -> LegalAction {
    let wording = engine.wording(state, action);
    let kind = match wording.kind {
        ActionKind::Move => LegalKind::Move,
        ActionKind::Choice => LegalKind::Choice,
        ActionKind::Pass => LegalKind::Pass,
    };
    let spend = engine.moves.spend.get(usize::from(action.line)).filter(|_| kind == LegalKind::Move);
    let line = match wording.kind {
        ActionKind::Move => spend.map(|spend| spend.line),
        ActionKind::Choice => engine.events.choices.get(usize::from(action.line)).map(|choice| choice.line),
        ActionKind::Pass => None,
    };
    let line = line.map(|line| &engine.lines[line.index()]);
    let colour = action.colour;
    let ids = |pawns: PawnSet| ids(engine, colour, pawns);
    let bonus = if wording.bonus { "b" } else { "" };
    let label = |place: PathPlace| engine.label(place).to_owned();
    let (path, captured) = effects(engine, state, action);
    LegalAction {
        action: engine.action_text(state, action),
        kind,
        pawns: ids(engine.pawns_for(state, legal, action)),
        movers: ids(spend.map_or(0, |_| engine.movers_of(state, action))),
        from: spend.map(|_| label(wording.from)),
        to: spend.map(|_| label(wording.to)),
        path: path.into_iter().map(label).collect(),
        spends: wording.spent().iter().map(|number| format!("{bonus}{number}")).collect(),
        captures: wording.captures,
        captured,
        voluntary: spend.is_some_and(|spend| spend.duty == Duty::Voluntary),
        rule: line.map(|line| line.name.clone()),
        clauses: line.map(|line| line.clauses.clone()).unwrap_or_default(),
        text: None,
    }
}

/// The places that an action walks over, and the pawns that it captures: found by playing it on a copy.
fn effects(engine: &Engine, state: &State, action: &Action) -> (Vec<PathPlace>, Vec<String>) {
    let (mut path, mut captured) = (Vec::new(), Vec::new());
    for event in step_events::events(engine, Some(action), &engine.preview(state, action)) {
        match (event.kind, event.seat.zip(event.pawn)) {
            (EventKind::Play(HappeningKind::Cut), Some((seat, pawn))) => captured.push(id(engine, seat, pawn)),
            (EventKind::Play(HappeningKind::Moved), _) if path.is_empty() && action.kind == ActionKind::Move => {
                path = event.path;
            }
            _ => {}
        }
    }
    (path, captured)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pagade_rules::bundled;

    use super::*;
    use crate::game::dice::GameDice;

    #[test]
    fn what_leads_back_is_said_to_be_voluntary() {
        let engine = bundled::ruleset("chopat").unwrap().table(&BTreeMap::new(), None).unwrap();
        let mut play = Play::opening(&engine, engine.first_seat());
        let dice = GameDice::new("chopat", []);
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
