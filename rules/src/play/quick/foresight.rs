//! Decides whether the fast engine foresees what can change between the two dice of a throw.

use super::whole_turns::{counts_or_grants, is_same_before_move};
use crate::play::evaluator::Evaluator;
use crate::tables::{Event, Op, Rule};

/// Whether a seat moves pawns of one colour from a throw to the end of the hand, and no `on` line changes the possible
/// moves in between, except in a way that the fast engine takes into account: lines for captures and captured pawns that
/// change counters. `matters` tells, for an event and the
/// index of a line for it, whether the line can change which numbers can be spent.
pub(super) fn foresees_all(rules: &Evaluator, matters: &impl Fn(Event, usize) -> bool) -> bool {
    let mattering = |event: Event| {
        let lines = rules.events.on[event as usize].iter().enumerate();
        lines.filter(move |(index, _)| matters(event, *index)).map(|(_, line)| line)
    };
    let foresees_lines = |event: Event| match event {
        // Such an event comes before the dice are spent, or after.
        Event::TurnStart | Event::Throw | Event::Spent | Event::TurnEnd | Event::AnyTurnEnd => true,
        Event::Cut => mattering(event).all(|line| changes_counters(line) && is_told_early(rules, line)),
        Event::Lost => mattering(event).all(changes_counters),
        _ => mattering(event).next().is_none(),
    };
    moves_one_colour(rules) && Event::all().all(foresees_lines)
}

/// Whether a seat never begins or stops to move its partner's pawns while it spends a hand.
fn moves_one_colour(rules: &Evaluator) -> bool {
    let Some(help) = rules.finish.help else { return true };
    rules.finish.ends_turn && rules.read_by(help).iter().all(|op| matches!(op, Op::Push(_)))
}

fn changes_counters(line: &Rule) -> bool {
    line.effects.iter().all(counts_or_grants)
}

/// Whether a line for a capture does the same before and after the capturing pawn moves.
fn is_told_early(rules: &Evaluator, line: &Rule) -> bool {
    let programs = line.when.into_iter().chain(line.effects.iter().flat_map(|effect| effect.programs()));
    programs.flat_map(|program| rules.read_by(program)).all(|op| is_same_before_move(&op))
}
