//! The spend lines that read `throw_number`, the position of a throw in the hand.
//!
//! If no pawn can come to a place from which such a line moves it while the hand is spent, rules cannot distinguish two
//! throws with equal numbers.

use super::relevant::while_spending;
use crate::play::evaluator::Evaluator;
use crate::tables::{Effect, Event, Fact, Mover, Op, Places, Program, Route, Spend};
use crate::units::PathPlace;

/// The places that matter to lines that read `throw_number`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThrowLines {
    /// The places from which such a line moves pawns that are alone or in a group.
    from: Places,
    /// The places from which such a line moves pairs, and all other places on their squares.
    from_as_pair: Places,
    /// The places from which some line moves pawns otherwise than ahead by their number.
    leaps: Places,
    /// The greatest number of steps that a line adds to a number.
    added: u32,
}

impl ThrowLines {
    /// `None` if `throw_number` may be read from every position.
    pub(super) fn of(rules: &Evaluator) -> Option<ThrowLines> {
        let asking = |code: &[Op]| code.iter().filter(|op| matches!(op, Op::Fact(Fact::ThrowNumber))).count();
        let goes_on_for_others = rules.finish.help.is_some() && !rules.finish.ends_turn;
        if !walks_on(rules) || rules.seating.shares || goes_on_for_others || changes_course(rules) {
            return None;
        }
        let mut lines = ThrowLines { from: 0, from_as_pair: 0, leaps: 0, added: 0 };
        let mut found = 0;
        for line in &rules.moves.spend {
            let conditions = [line.when, line.open].into_iter().flatten();
            let asked: usize = conditions.map(|program| asking(rules.ops(program))).sum();
            found += asked;
            if rules.is_never(line.when) || rules.is_never(line.open) {
                continue;
            }
            if asked > 0 && line.mover == Mover::Pair {
                lines.from_as_pair |= on_the_squares_of(rules, line.from);
            } else if asked > 0 {
                lines.from |= line.from;
            }
            match added_steps(rules, line) {
                Some(added) => lines.added = lines.added.max(added),
                None => lines.leaps |= line.from,
            }
        }
        (found == asking(&rules.code.ops)).then_some(lines)
    }

    /// Whether pawns on these places may come to a place that matters. `pips` is the sum of the `numbers` numbers that
    /// are left. From the places `leaps`, pawns may come to every place.
    pub(in crate::play) fn may_apply(&self, places: &[PathPlace], leaps: Places, pips: u32, numbers: u32) -> bool {
        let leaps = self.leaps | leaps;
        let steps = (pips + numbers * self.added).min(Places::BITS - 1);
        let ahead = Places::MAX >> (Places::BITS - 1 - steps);
        let mut in_pair = 0;
        for place in places {
            let within = ahead << place.0;
            let reached = if within & leaps == 0 { within } else { Places::MAX };
            if reached & self.from != 0 {
                return true;
            }
            in_pair += u32::from(reached & self.from_as_pair != 0);
        }
        in_pair > 1
    }
}

/// Whether a move along the path ends as many places ahead as it has steps while the gate is open.
fn walks_on(rules: &Evaluator) -> bool {
    let [_, open] = &rules.board.lands;
    open.iter().enumerate().all(|(target, place)| place.is_none_or(|place| place.index() == target))
}

/// Whether, while the hand is spent, an effect may move pawns, or add numbers or steps to the hand.
fn changes_course(rules: &Evaluator) -> bool {
    let lines =
        Event::all().filter(|&event| while_spending(event as usize)).flat_map(|event| &rules.events.on[event as usize]);
    let changes = |effect: &Effect| effect.moves_pawns() || matches!(effect, Effect::ThrowNow | Effect::Bonus(..));
    lines.flat_map(|line| &line.effects).any(changes)
}

/// The number of steps that a line adds to each number. `None` if it moves pawns otherwise than ahead, or by another
/// number of steps.
fn added_steps(rules: &Evaluator, line: &Spend) -> Option<u32> {
    if line.route == Route::Stay {
        return Some(0);
    }
    let ops = line.steps.map(|steps: Program| rules.ops(steps)).filter(|_| line.route == Route::Ahead);
    match ops {
        None if line.route == Route::Ahead => Some(0),
        Some([Op::Fact(Fact::Number)] | [Op::Fact(Fact::Number), Op::Half]) => Some(0),
        Some([Op::Fact(Fact::Number), Op::Push(added @ 0..), Op::Add]) => Some(*added as u32),
        _ => None,
    }
}

/// The places of the path on the squares of these places.
fn on_the_squares_of(rules: &Evaluator, places: Places) -> Places {
    let seats = &rules.seating.players;
    let shares = |one: PathPlace, other: PathPlace| {
        one == other
            || seats
                .iter()
                .any(|&seat| rules.square(seat, one).is_some_and(|square| rules.square(seat, other) == Some(square)))
    };
    let is_among = |place: &PathPlace| rules.board.places().any(|other| other.is_in(places) && shares(*place, other));
    rules.board.places().filter(is_among).fold(0, |all, place| all | place.alone())
}

#[cfg(test)]
mod tests {
    use super::ThrowLines;
    use crate::units::PathPlace;

    const LINES: ThrowLines = ThrowLines { from: 1 << 5, from_as_pair: 1 << 35 | 1 << 40, leaps: 1 << 10, added: 1 };

    fn may_apply(places: [u8; 3], pips: u32) -> bool {
        LINES.may_apply(&places.map(PathPlace), 0, pips, 2)
    }

    #[test]
    fn a_line_for_pairs_matters_if_two_pawns_can_come_to_its_places() {
        assert!(!may_apply([20, 41, 41], 13), "only one pawn is before 40");
        assert!(!may_apply([20, 38, 41], 12), "20 + 12 + 2 is less than 35");
        assert!(may_apply([20, 38, 41], 13));
    }

    #[test]
    fn a_line_for_single_pawns_matters_if_one_pawn_can_come_to_its_places() {
        assert!(!may_apply([1, 41, 41], 1));
        assert!(may_apply([1, 41, 41], 2));
    }

    #[test]
    fn a_pawn_that_may_leap_can_come_to_every_place() {
        assert!(!may_apply([6, 41, 41], 1));
        assert!(may_apply([6, 41, 41], 2));
    }
}
