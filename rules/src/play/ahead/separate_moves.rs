//! Plans that are found without a search: each number of the hand moves a pawn onward, and no move touches the way of
//! another pawn.
//!
//! Every move of such a plan except the last one is quiet: it leaves the possible moves of other pawns unchanged. So
//! each pawn can still make the move that is possible for it now, and no move has to be played to find that out.

use arrayvec::ArrayVec;

use super::second_number::is_onward;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::play::state::{Action, State};
use crate::tables::{Mover, Places, Reunite, With};
use crate::units::{PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// Maximum number of actions of a list for which plans are built.
const MOST_STEPS: usize = 24;

/// Maximum number of numbers that a plan of this module spends.
const MOST_NUMBERS: u32 = 4;

/// An action of the list, as a step of a plan.
struct PlanStep {
    throw: Option<ThrowIndex>,
    number: Pips,
    /// The places of the path on which the move depends. All places, if the action does not take one pawn onward by one
    /// number.
    way: Places,
    /// The places on the squares where the move begins and ends.
    touched: Places,
}

/// A pawn that moves in a plan.
struct Walker {
    pawn: PawnIndex,
    /// The place that the pawn has reached in the plan.
    at: PathPlace,
    /// The places on the squares where its moves begin and end.
    touched: Places,
}

/// The places on the squares where moves of a plan begin and end.
struct Touched {
    by_others: Places,
    by_itself: Places,
}

impl PlanStep {
    fn is_onward(&self) -> bool {
        self.way != Places::MAX
    }
}

impl Engine {
    /// The actions of a list that surely begin a plan which spends all `left` numbers of the hand: a bit for each of
    /// the first 64. `open` are all actions that are possible now. An action without a bit may begin such a plan, too.
    pub(super) fn surely_spend_all(&self, state: &State, open: &[Action], left: u32) -> u64 {
        let is_asked =
            (2..=MOST_NUMBERS).contains(&left) && open.len() <= MOST_STEPS && state.stage() == HandStage::Numbers;
        let colour = self.colour(state);
        if !is_asked || self.quietness(state, colour).is_none() {
            return 0;
        }
        if left > 2 && (state.hand.throws != 1 || !self.keeps_order(state, open)) {
            return 0;
        }
        let mut steps: ArrayVec<PlanStep, MOST_STEPS> = ArrayVec::new();
        steps.extend(open.iter().map(|action| self.step(state, colour, action)));
        let mut ahead = None;
        let mut sure = 0;
        for (index, action) in open.iter().enumerate() {
            let mut begins = || {
                steps[index].is_onward()
                    && match left {
                        2 => self.is_followed_apart(state, open, &steps, index),
                        _ => self.goes_on_apart(state, open, &steps, index, &mut ahead),
                    }
            };
            if action.spends() == left || begins() {
                sure |= 1 << index;
            }
        }
        sure
    }

    /// Whether the moves of a plan of more than two numbers stay possible after each other: no compulsion on the next
    /// action may apply, and the rules keep no parted pair apart.
    fn keeps_order(&self, state: &State, open: &[Action]) -> bool {
        let at = &state.at[self.colour(state).index()][..self.pawns.count as usize & 31];
        let stands = at.iter().chain(open.iter().map(|action| &action.to));
        self.turn.reunite != Reunite::Throw
            && (self.assumptions.compelled_from == 0
                || stands.fold(0, |places, at| places | at.alone()) & self.assumptions.compelled_from == 0)
    }

    #[inline(always)]
    fn step(&self, state: &State, colour: Seat, action: &Action) -> PlanStep {
        let line = &self.moves.spend[usize::from(action.line)];
        let is_step = action.spends() == 1 && !action.is_joint() && action.to > action.from && is_onward(line);
        let number = state
            .hand
            .thrown(action.throw)
            .map_or(Pips(0), |thrown| thrown.numbers[action.numbers.trailing_zeros() as usize & 3]);
        PlanStep {
            throw: action.throw,
            number,
            way: if is_step { self.way(action.from, action.to) } else { Places::MAX },
            touched: self.spend_lines.touching(colour, action.from) | self.spend_lines.touching(colour, action.to),
        }
    }

    /// Whether another pawn can move onward by the other one of two numbers after the action with this index.
    fn is_followed_apart(&self, state: &State, open: &[Action], steps: &[PlanStep], first: usize) -> bool {
        let (action, touched) = (&open[first], steps[first].touched);
        let follows = |(step, other): (&PlanStep, &Action)| {
            step.way & touched == 0
                && self.spends_other(state, action, other)
                && self.waiting(state, other, action.pawn.alone()).is_some()
        };
        steps.iter().zip(open).any(follows) && self.is_quiet(state, &self.asked_of(state, action), action.captures)
    }

    /// Whether other pawns can move onward by the other numbers of the throw after the action with this index.
    ///
    /// `ahead` becomes a copy of the state in which a pawn can be put on a place that it would reach.
    fn goes_on_apart(
        &self,
        state: &State,
        open: &[Action],
        steps: &[PlanStep],
        first: usize,
        ahead: &mut Option<State>,
    ) -> bool {
        let (action, colour) = (&open[first], open[first].colour);
        let is_quiet = |action: &Action| self.is_quiet(state, &self.asked_of(state, action), action.captures);
        let Some(thrown) = state.hand.thrown(action.throw) else { return false };
        let mut numbers = thrown.left & !action.numbers;
        let mut walkers: ArrayVec<Walker, { MOST_NUMBERS as usize }> = ArrayVec::new();
        walkers.push(Walker { pawn: action.pawn, at: action.to, touched: steps[first].touched });
        while numbers != 0 {
            let number = thrown.numbers[numbers.trailing_zeros() as usize & 3];
            numbers &= numbers - 1;
            let is_last = numbers == 0;
            let touched = walkers.iter().fold(0, |touched, walker| touched | walker.touched);
            let moved = walkers.iter().fold(0, |moved, walker| moved | walker.pawn.alone());
            let next = steps.iter().zip(open).find_map(|(step, action)| {
                if step.way & touched != 0 || (step.throw, step.number) != (open[first].throw, number) {
                    return None;
                }
                let pawn = self.waiting(state, action, moved)?;
                let goes_on = is_last || !action.captures && action.to != self.board.home() && is_quiet(action);
                goes_on.then_some(Walker { pawn, at: action.to, touched: step.touched })
            });
            if let Some(next) = next {
                walkers.push(next);
                continue;
            }
            let farther = (0..walkers.len()).find_map(|index| {
                let Walker { pawn, at, touched } = walkers[index];
                let others = walkers.iter().filter(|other| other.pawn != pawn);
                let by_others = others.fold(0, |touched, other| touched | other.touched);
                let touched = Touched { by_others, by_itself: touched };
                let context = Context { pawn, from: at, number, throw: action.throw, ..Context::seat(colour) };
                let ahead = ahead.get_or_insert_with(|| *state);
                ahead.at[colour.index()][pawn.index()] = at;
                let to = self.goes_farther(ahead, context, touched, is_last);
                ahead.at[colour.index()][pawn.index()] = state.place_of(colour, pawn);
                Some((index, to?))
            });
            let Some((index, to)) = farther else { return false };
            walkers[index].at = to;
            walkers[index].touched |= self.spend_lines.touching(colour, to);
        }
        is_quiet(action)
    }

    /// Whether another pawn can surely move onward by the last number of the hand after an action by the number before.
    /// `others` are the moves of single pawns by the last number that are possible before the action: the pawn, its
    /// spend line, and the places where the move begins and ends.
    pub(in crate::play) fn is_surely_followed(
        &self,
        state: &State,
        action: &Action,
        mut others: impl Iterator<Item = (PawnIndex, u8, [PathPlace; 2])>,
    ) -> bool {
        let leads_on = |line: u8| is_onward(&self.moves.spend[usize::from(line)]);
        let touched =
            self.spend_lines.touching(action.colour, action.from) | self.spend_lines.touching(action.colour, action.to);
        let follows = |(pawn, line, [from, to]): (PawnIndex, u8, [PathPlace; 2])| {
            pawn != action.pawn && to > from && self.way(from, to) & touched == 0 && leads_on(line)
        };
        action.to > action.from
            && leads_on(action.line)
            && others.any(follows)
            && self.is_quiet(state, &self.asked_of(state, action), action.captures)
    }

    /// A pawn outside of `moved` that can make the move of a listed action: the pawn of the action, or one on the same
    /// place that is interchangeable with it and therefore not listed.
    #[inline(always)]
    fn waiting(&self, state: &State, action: &Action, moved: PawnSet) -> Option<PawnIndex> {
        if !action.pawn.is_in(moved) {
            return Some(action.pawn);
        }
        let thrown = state.hand.thrown(action.throw).map_or(0, |thrown| thrown.moved);
        let moved = moved | if self.turn.once_per_throw { thrown } else { 0 };
        PawnIndex::all(self.pawns.count).find(|&other| {
            !other.is_in(moved)
                && state.place_of(action.colour, other) == action.from
                && self.are_alike(state, action.colour, action.pawn, other)
        })
    }

    /// The place to which the number of the context brings a pawn that the plan has already moved to `context.from`. In
    /// the state `ahead` the pawn stands there. `None` if no line surely brings it onward without touching a square of
    /// the plan, or if the move is not quiet and not the last one of the plan (`is_last`).
    fn goes_farther(&self, ahead: &State, mut context: Context, touched: Touched, is_last: bool) -> Option<PathPlace> {
        // Where conditions count the pawns of a square, the pawn on its new square is one of them.
        if self.turn.once_per_throw || self.assumptions.asks_crowd {
            return None;
        }
        let from = context.from;
        let road = self.road(ahead, context.own);
        let mut lines = self.spend_lines.ordinary_from(from);
        lines.find_map(|index| {
            let line = &self.moves.spend[usize::from(index)];
            let is_step = line.with == With::Die && line.mover == Mover::Pawn && is_onward(line);
            let may_spend = self.spend_lines.by_number(context.number) >> index & 1 == 1;
            if !is_step || !may_spend || !self.holds(ahead, line.open, &Context::seat(context.own)) {
                return None;
            }
            let steps = self.steps_of(ahead, line, &context)?;
            let landing = self.landing(ahead, line, steps, &mut context, road)?;
            let end = PathPlace(from.ahead(steps).min(self.board.home().index()) as u8).max(landing.to);
            let goes_on = is_last
                || !landing.answer.captures()
                    && landing.to != self.board.home()
                    && !landing.to.is_in(self.assumptions.compelled_from)
                    && self.is_quiet(ahead, &context, false);
            let way = self.way(from, end);
            let is_free = landing.to > from
                && way & touched.by_others == 0
                && way & touched.by_itself & !from.alone() == 0
                && !self.reunites(ahead, &context, landing.to)
                && self.holds(ahead, line.when, &context);
            (is_free && goes_on).then_some(landing.to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::progress::PlanSearch;
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
                            let mut search = PlanSearch::new(&engine, state, false, &mut [], &mut []);
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
