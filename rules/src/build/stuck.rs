//! Places where pawns are stuck: they come there, and neither numbers nor effects bring them home from there.
//!
//! A warning must not be wrong. So every rule that may lead a pawn onward counts as a way home. Of the ways to a stuck
//! place, only plain ones count: their goals follow from place and number alone, and their conditions are short.

use super::TableParts;
use super::ways::{bits, flood, leading_to};
use crate::tables::bounds::{KnownBounds, OperandBounds, bounds};
use crate::tables::{Effect, Goal, Jumper, Op, Places, Program, Route, Spend, Verdict, Wall, Which};
use crate::units::{MAX_PLACES, PathPlace, Pips};

/// Maximum number of operations of a program on which a plain way depends.
const MOST_OPERATIONS: u16 = 64;

impl TableParts<'_> {
    /// The places among `lost` where pawns are stuck. `lost` are places from which no number leads home.
    pub(super) fn stuck(&self, lost: Places, code: &[Op]) -> Places {
        let [landing, _] = &self.verdicts.tables;
        // A swap may bring a pawn to any square.
        if lost == 0 || landing.can_answer(Verdict::Swap) {
            return 0;
        }
        let steps: Vec<u64> = self.spend.0.iter().map(|line| self.steps(line, code)).collect();
        let lost = lost & self.plainly_reached(&steps, code);
        let mut onward = self.onward(&steps, code);
        for place in bits(lost) {
            onward[usize::from(place)] |= self.carried_from(PathPlace(place), code);
        }
        lost & !leading_to(self.board.home(), &onward)
    }

    /// A place where a pawn begins and is stuck for the whole game, so that its seat never finishes. `None` if there is
    /// no such place, or if a capture may bring the pawn to a place that is not stuck. `stuck` are the stuck places.
    pub(super) fn stuck_at_start(&self, stuck: Places) -> Option<PathPlace> {
        let (starts, opening) = (self.starts(), self.opening());
        let is_hopeless = starts & !opening & !stuck == 0;
        bits(opening & stuck).next().map(PathPlace).filter(|_| is_hopeless)
    }

    /// The places to which effects may bring a pawn that stands on a place.
    fn carried_from(&self, place: PathPlace, code: &[Op]) -> Places {
        let rules = self.on.iter().flatten().map(|rule| (rule.when, &rule.effects));
        let choices = self.choices.iter().map(|choice| (choice.when, &choice.effects));
        let lines = rules.chain(choices).flat_map(|(when, effects)| effects.iter().map(move |effect| (when, effect)));
        lines.fold(0, |all, (when, effect)| all | self.carried_by(effect, when, place, code))
    }

    /// The places to which an effect may bring a pawn that stands on a place. `when` is the condition of its line.
    fn carried_by(&self, effect: &Effect, when: Option<Program>, place: PathPlace, code: &[Op]) -> Places {
        let at = exactly(place);
        let nothing = self.nothing_known();
        // An earlier effect of the line may have put the pawn on this place. Then `to`, where its move ended, is
        // another place.
        let moved = if place.is_in(self.fixed_goals()) { nothing } else { KnownBounds { to: at, ..nothing } };
        let standing = KnownBounds { from: at, to: at, ..nothing };
        let (given, condition) = match *effect {
            Effect::Send(Which::This, _) | Effect::Jump(Jumper::Which(Which::This), _) => (moved, when),
            Effect::SendEach(_, _, condition) | Effect::JumpEach(_, condition) => (standing, Some(condition)),
            Effect::Jump(Jumper::On(from), _) | Effect::Pounce(from) if from != place => return 0,
            Effect::Pounce(_) | Effect::UndoTurn => return Places::MAX,
            _ => (nothing, None),
        };
        if condition.is_some_and(|condition| !may_hold(condition, &given, code)) {
            return 0;
        }
        let value = |program: Program| bounds(program.of(code), &given);
        match effect.goal() {
            None => 0,
            Some(Goal::Place(place)) => place.alone(),
            Some(Goal::Computed(program)) => value(program).map_or(Places::MAX, places),
            Some(Goal::By(program)) => {
                value(program).map_or(Places::MAX, |(least, most)| places((at.0 + least, at.1 + most)))
            }
        }
    }

    /// The places whose labels effects name as goals.
    fn fixed_goals(&self) -> Places {
        let fixed = |effect: &Effect| match effect.goal() {
            Some(Goal::Place(place)) => place.alone(),
            _ => 0,
        };
        self.effects().fold(0, |all, effect| all | fixed(effect))
    }

    /// The places to which pawns come by plain ways. `steps` has the lengths of the moves of each spend line, a bit for
    /// each.
    fn plainly_reached(&self, steps: &[u64], code: &[Op]) -> Places {
        let (lines, _) = &*self.spend;
        let mut onward = [0; MAX_PLACES];
        for (line, &steps) in lines.iter().zip(steps) {
            let from = bits(line.moves_from(self.pairing)).map(PathPlace);
            for from in from.filter(|&from| from < self.board.home()) {
                let reach = bits(steps).filter_map(|steps| self.plain_end(line, from, Pips(steps), code));
                onward[from.index()] |= reach.fold(0, |all, to| all | to.alone());
            }
        }
        flood(self.starts() | self.fixed_goals(), &onward)
    }

    /// The place to which a line leads a pawn by a length. `None` if the way is not plain: its end is not certain, a
    /// condition is false, or a program is longer than [`MOST_OPERATIONS`].
    fn plain_end(&self, line: &Spend, from: PathPlace, steps: Pips, code: &[Op]) -> Option<PathPlace> {
        let (at, home) = (i64::from(from.0), i64::from(self.board.home().0));
        let number = if line.steps.is_some() { self.nothing_known().number } else { (steps.0.into(), steps.0.into()) };
        let given = KnownBounds { number, from: (at, at), ..self.nothing_known() };
        let steps = i64::from(steps.0);
        let end = match line.route {
            Route::Ahead => at + steps,
            Route::Bounce(Wall::Home) => home - (home - at - steps).abs(),
            Route::Back => at - steps,
            Route::To(to) => to.0.into(),
            Route::Computed(program) => {
                let range = bounds(program.of(code), &given).filter(|_| program.len <= MOST_OPERATIONS);
                range.filter(|(least, most)| least == most)?.0
            }
            Route::Along(_) | Route::Bounce(_) | Route::Lap | Route::Outward | Route::Recoil | Route::Stay => {
                return None;
            }
        };
        let given = KnownBounds { to: (end, end), ..given };
        let may = |condition: Option<Program>| {
            condition.is_none_or(|when| when.len <= MOST_OPERATIONS && may_hold(when, &given, code))
        };
        let is_way = (1..=home).contains(&end) && end != at && may(line.open) && may(line.when);
        is_way.then_some(PathPlace(end as u8))
    }
}

fn exactly(place: PathPlace) -> OperandBounds {
    (place.0.into(), place.0.into())
}

/// Whether a condition is not surely false.
fn may_hold(condition: Program, given: &KnownBounds<'_>, code: &[Op]) -> bool {
    bounds(condition.of(code), given) != Some((0, 0))
}

/// The places from the least number to the greatest one.
fn places((least, most): OperandBounds) -> Places {
    (least.max(0)..=most.min(MAX_PLACES as i64 - 1)).fold(0, |all, place| all | 1 << place)
}
