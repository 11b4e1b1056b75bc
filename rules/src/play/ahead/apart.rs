//! Plans that are seen without a search: each number of the hand takes a pawn onward, and no pawn comes near the way of
//! another.
//!
//! The first moves of such a plan are quiet, so that the pawns may move in this order as they may move now. The plans
//! are built from the actions that are possible now; nothing is played.

use arrayvec::ArrayVec;

use super::beside::is_onward;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::stage::Stage;
use crate::play::state::{Action, State};
use crate::tables::{Mover, Places, Reunite, With};
use crate::units::{PathPlace, PawnIndex, Pips, Seat, ThrowIndex};

/// Maximum number of actions of a list for which plans are built.
const MOST_STEPS: usize = 24;

/// Maximum number of numbers in such a plan.
const MOST_NUMBERS: u32 = 4;

/// An action of the list, as a step of a plan.
struct Step {
    pawn: PawnIndex,
    throw: Option<ThrowIndex>,
    number: Pips,
    /// The places of the path on which the move depends. All places, if the action does not take one pawn onward by one
    /// number.
    way: Places,
    /// The places on the squares where the move begins and ends.
    touched: Places,
}

impl Step {
    fn is_onward(&self) -> bool {
        self.way != Places::MAX
    }
}

impl Engine {
    /// The actions of a list that surely begin a plan which spends all `left` numbers of the hand: a bit for each of
    /// the first 64. `open` are all actions that are possible now. An action without a bit may begin such a plan, too.
    pub(super) fn surely_spend_all(&self, state: &State, open: &[Action], left: u32) -> u64 {
        let is_asked = self.assumptions.quiet.onward && (2..=MOST_NUMBERS).contains(&left);
        if !is_asked || open.len() > MOST_STEPS || state.stage() != Stage::Numbers {
            return 0;
        }
        if left > 2 && (state.hand.throws != 1 || !self.keeps_order(state, open)) {
            return 0;
        }
        let colour = self.colour(state);
        let mut steps: ArrayVec<Step, MOST_STEPS> = ArrayVec::new();
        steps.extend(open.iter().map(|action| self.step(state, colour, action)));
        let mut sure = 0;
        for (index, action) in open.iter().enumerate() {
            let begins = || steps[index].is_onward() && self.goes_on_apart(state, open, &steps, index, left);
            if action.spends() == left || begins() {
                sure |= 1 << index;
            }
        }
        sure
    }

    /// Whether the moves of a plan of more than two numbers stay as free as they are now: no compulsion on the next
    /// action may apply, and no pair is kept apart.
    fn keeps_order(&self, state: &State, open: &[Action]) -> bool {
        let at = &state.at[self.colour(state).index()][..self.pawns.count as usize & 31];
        let stands = at.iter().chain(open.iter().map(|action| &action.to));
        self.turn.reunite != Reunite::Throw
            && (self.assumptions.compelled_from == 0
                || stands.fold(0, |places, at| places | at.alone()) & self.assumptions.compelled_from == 0)
    }

    #[inline(always)]
    fn step(&self, state: &State, colour: Seat, action: &Action) -> Step {
        let line = &self.moves.spend[usize::from(action.line)];
        let is_step = action.spends() == 1 && !action.is_joint() && action.to > action.from && is_onward(line);
        let number = state
            .hand
            .thrown(action.throw)
            .map_or(Pips(0), |thrown| thrown.numbers[action.numbers.trailing_zeros() as usize & 3]);
        Step {
            pawn: action.pawn,
            throw: action.throw,
            number,
            way: if is_step { self.way(action.from, action.to) } else { Places::MAX },
            touched: self.spend_lines.touching(colour, action.from) | self.spend_lines.touching(colour, action.to),
        }
    }

    /// Whether the other numbers can take other pawns onward after the action with this index.
    fn goes_on_apart(&self, state: &State, open: &[Action], steps: &[Step], first: usize, left: u32) -> bool {
        let action = &open[first];
        let is_quiet = |action: &Action| self.is_quiet(state, &self.asked_of(state, action), action.captures);
        if left == 2 {
            let follows = |(index, step): (usize, &Step)| {
                step.pawn != action.pawn
                    && step.way & steps[first].touched == 0
                    && self.spends_other(state, action, &open[index])
            };
            return steps.iter().enumerate().any(follows) && is_quiet(action);
        }
        let Some(thrown) = state.hand.thrown(action.throw) else { return false };
        let mut numbers = thrown.left & !action.numbers;
        let (mut moved, mut touched, colour) = (action.pawn.alone(), steps[first].touched, action.colour);
        // The pawns that have moved, with the places that they have reached.
        let mut walkers: ArrayVec<(PawnIndex, PathPlace), { MOST_NUMBERS as usize }> = ArrayVec::new();
        walkers.push((action.pawn, action.to));
        while numbers != 0 {
            let number = thrown.numbers[numbers.trailing_zeros() as usize & 3];
            numbers &= numbers - 1;
            let is_last = numbers == 0;
            let goes_on = |&index: &usize| {
                let (step, action) = (&steps[index], &open[index]);
                step.way & touched == 0
                    && !step.pawn.is_in(moved)
                    && (step.throw, step.number) == (action.throw, number)
                    && (is_last || !action.captures && action.to != self.board.home() && is_quiet(action))
            };
            if let Some(next) = (0..steps.len()).find(goes_on) {
                moved |= steps[next].pawn.alone();
                touched |= steps[next].touched;
                walkers.push((steps[next].pawn, open[next].to));
                continue;
            }
            let farther = |(pawn, at): &mut (PawnIndex, PathPlace)| {
                let context = Context { pawn: *pawn, from: *at, number, throw: action.throw, ..Context::seat(colour) };
                *at = self.goes_farther(state, context, touched, is_last)?;
                Some(*at)
            };
            let Some(to) = walkers.iter_mut().find_map(farther) else { return false };
            touched |= self.spend_lines.touching(colour, to);
        }
        is_quiet(action)
    }

    /// The place to which the number of the context takes a pawn that has moved to `context.from` already. `None` if no
    /// line is seen to take it onward, clear of the places that the plan has `touched`. Only the last move of a plan
    /// may be other than quiet.
    fn goes_farther(&self, state: &State, mut context: Context, touched: Places, is_last: bool) -> Option<PathPlace> {
        // Where conditions count the pawns of a place, the pawn on its new place is one of them.
        if self.turn.once_per_throw || self.assumptions.asks_group {
            return None;
        }
        let from = context.from;
        let road = self.road(state, context.own);
        let mut lines = self.spend_lines.ordinary_from(from);
        lines.find_map(|index| {
            let line = &self.moves.spend[usize::from(index)];
            let is_step = line.with == With::Die && line.mover == Mover::Pawn && is_onward(line);
            let may_spend = self.spend_lines.by_number(context.number) >> index & 1 == 1;
            if !is_step || !may_spend || !self.holds(state, line.open, &Context::seat(context.own)) {
                return None;
            }
            let steps = self.steps_of(state, line, &context)?;
            let landing = self.landing(state, line, steps, &mut context, road)?;
            let end = PathPlace(from.ahead(steps).min(self.board.home().index()) as u8).max(landing.to);
            let goes_on = is_last
                || !landing.answer.captures()
                    && landing.to != self.board.home()
                    && !landing.to.is_in(self.assumptions.compelled_from)
                    && self.is_quiet(state, &context, false);
            let is_free = landing.to > from
                && self.way(from, end) & touched == 0
                && !self.reunites(state, &context, landing.to)
                && self.holds(state, line.when, &context);
            (is_free && goes_on).then_some(landing.to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::progress::Search;
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn};
    use crate::play::{Game, Phase, Quiet};

    #[test]
    fn what_is_sure_to_spend_all_numbers_does_so() {
        let (mut two, mut more) = (0, 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let mut chance = Chance(11);
            let tables = (0..6).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                let mut game = Game::new(&engine, engine.seating.players[0]);
                for _ in 0..1200 {
                    if game.is_over() {
                        break;
                    } else if game.needs_throw() {
                        let throw = engine.draw(&mut |n| chance.below(n));
                        game.throw_drawn(&throw, &mut Quiet);
                        continue;
                    }
                    let (state, left) = (game.state(), game.state().numbers_left());
                    if state.phase == Phase::Move && (2..=4).contains(&left) {
                        let open = engine.legal(state);
                        let sure = engine.surely_spend_all(state, &open, left);
                        for (index, action) in open.iter().enumerate().filter(|(index, _)| sure >> index & 1 == 1) {
                            let mut search = Search::new(&engine, state, false, &mut [], &mut []);
                            let spent = engine.spends_with(state, action, left, &mut search, 0);
                            assert_eq!(spent, left, "{}: {state:?} {index} {action:?}", engine.identity.id);
                            *if left == 2 { &mut two } else { &mut more } += 1;
                        }
                    }
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
            }
        }
        assert!(two > 3000 && more > 200, "{two} actions with two numbers left, {more} with more");
    }
}
