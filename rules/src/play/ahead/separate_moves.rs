//! Plans that are found without a search: each number of the hand moves a pawn onward, and no move touches the way of
//! another pawn.
//!
//! Every move of such a plan except the last one is quiet: it leaves the possible moves of other pawns unchanged. So
//! each pawn can still make the move that is possible for it now, and no move has to be played to find that out.

use arrayvec::ArrayVec;

use super::quiet::QuietNow;
use crate::play::companions::pawns_of;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::stage::HandStage;
use crate::play::state::{Action, State};
use crate::tables::{Mover, Places, Reunite, Route, Spend, With};
use crate::units::{PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// Maximum number of actions of a list for which plans are built.
pub(in crate::play) const MOST_STEPS: usize = 24;

/// Maximum number of numbers that a plan of this module spends.
const MOST_NUMBERS: u32 = 4;

/// An action of the list, as a step of a plan.
#[derive(Clone, Copy)]
pub(in crate::play) struct PlanStep {
    /// The number that is spent, if it is one.
    number: Pips,
    /// The pawns that move, one bit each.
    pawns: PawnSet,
    /// The places of the path on which the move depends. All places, if the action does not take its pawns onward by
    /// one number.
    way: Places,
    /// The places on the squares where the move begins and ends.
    touched: Places,
}

/// The steps of a position.
pub(in crate::play) type StepList = ArrayVec<PlanStep, MOST_STEPS>;

/// A pawn, or a group of pawns that move together, in a plan.
struct Walker {
    /// The pawns, one bit each.
    pawns: PawnSet,
    /// The place that the pawns have reached in the plan.
    at: PathPlace,
    /// The places on the squares where its moves begin and end.
    touched: Places,
}

/// The places on the squares where moves of a plan begin and end.
struct Touched {
    by_others: Places,
    by_itself: Places,
}

/// The actions of a position, from which plans are built.
pub(in crate::play) struct PlanSteps<'a> {
    engine: &'a Engine,
    state: &'a State,
    /// The moves that may be quiet.
    now: QuietNow<'a>,
    /// Whether every move is quiet that takes one pawn onward, captures nothing and does not come home.
    is_calm: bool,
    /// The actions that are possible now. Of interchangeable pawns, one or all have their actions here.
    open: &'a [Action],
    list: &'a [PlanStep],
    /// The actions that were found to be quiet, and those that were found not to be, one bit each.
    quiet: [u32; 2],
    /// A copy of the state in which pawns can be put on places that they would reach.
    ahead: Option<State>,
}

impl PlanStep {
    fn is_onward(&self) -> bool {
        self.way != Places::MAX
    }
}

/// Whether a spend line leads along the path or to a fixed place.
pub(super) fn is_onward(line: &Spend) -> bool {
    matches!(line.route, Route::Ahead | Route::To(_))
}

impl Engine {
    /// The actions of a list that surely begin a plan which spends all `left` numbers of the hand: a bit for each of
    /// the first 64. `open` are all actions that are possible now. An action without a bit may begin such a plan, too.
    pub(super) fn surely_spend_all(&self, state: &State, open: &[Action], left: u32) -> u64 {
        let mut list = StepList::new();
        let Some(mut steps) = self.steps(state, open, left, &mut list) else { return 0 };
        (0..open.len()).fold(0, |sure, index| sure | u64::from(steps.surely_begins(index, left)) << index)
    }

    /// The actions that are possible now as steps of plans which spend all `left` numbers. `None` if no such plan can
    /// be built. `list` is empty before.
    #[inline(always)]
    pub(in crate::play) fn steps<'a>(
        &'a self,
        state: &'a State,
        open: &'a [Action],
        left: u32,
        list: &'a mut StepList,
    ) -> Option<PlanSteps<'a>> {
        let is_asked =
            (2..=MOST_NUMBERS).contains(&left) && open.len() <= MOST_STEPS && state.stage() == HandStage::Numbers;
        if !is_asked || left > 2 && (state.hand.throws != 1 || !self.keeps_order(state, open)) {
            return None;
        }
        let colour = self.colour(state);
        let now = self.quiet_now(state, colour)?;
        open.iter().for_each(|action| list.push(self.step(state, colour, action)));
        let is_calm = now.is_answered_by_none() && self.turn.reunite != Reunite::Throw;
        Some(PlanSteps { engine: self, state, now, is_calm, open, list, quiet: [0; 2], ahead: None })
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
        let is_step = action.spends() == 1 && line.mover != Mover::Pair && action.to > action.from && is_onward(line);
        let number = state
            .hand
            .thrown(action.throw)
            .map_or(Pips(0), |thrown| thrown.numbers[action.numbers.trailing_zeros() as usize & 3]);
        PlanStep {
            number,
            pawns: if action.is_joint() { self.movers_of(state, action) } else { action.pawn.alone() },
            way: if is_step { self.way_of(action.is_joint(), action.from, action.to) } else { Places::MAX },
            touched: self.spend_lines.touching(colour, action.from) | self.spend_lines.touching(colour, action.to),
        }
    }

    /// The places on which a move onward depends. The place where pawns begin to move together is one of them.
    #[inline(always)]
    fn way_of(&self, is_joint: bool, from: PathPlace, to: PathPlace) -> Places {
        self.way(from, to) | if is_joint { from.alone() } else { 0 }
    }

    /// Whether `other` spends one number, and not the number that `action` spends.
    fn spends_other(&self, state: &State, action: &Action, other: &Action) -> bool {
        if other.spends() != 1 {
            return false;
        }
        if action.throw != other.throw || action.numbers != other.numbers {
            return true;
        }
        // Of equal numbers in a throw, only the first is offered. Two such actions can both be played if a second equal
        // number is left.
        let Some(thrown) = state.hand.thrown(action.throw) else { return false };
        let number = thrown.numbers[action.numbers.trailing_zeros() as usize & 3];
        let left = thrown.left & !action.numbers;
        (0..4).any(|i| left >> i & 1 == 1 && thrown.numbers[i] == number)
    }

    /// The places that a move onward crosses or reaches. The place where it begins is one of them if conditions count
    /// the pawns there.
    fn way(&self, from: PathPlace, to: PathPlace) -> Places {
        let first = if self.assumptions.asks_group { from.0 } else { from.0 + 1 };
        (to.alone() << 1).wrapping_sub(1 << first)
    }

    /// Whether a step can be taken without the pawns of `moved`: by its own pawns, or by another one for which its
    /// action is listed because the two are interchangeable. Returns the pawns that take it.
    #[inline(always)]
    fn waiting(&self, state: &State, step: &PlanStep, action: &Action, moved: PawnSet) -> Option<PawnSet> {
        if step.pawns & moved == 0 {
            return Some(step.pawns);
        }
        if action.is_joint() {
            return None;
        }
        let thrown = state.hand.thrown(action.throw).map_or(0, |thrown| thrown.moved);
        let moved = moved | if self.turn.once_per_throw { thrown } else { 0 };
        let is_waiting = |other: &PawnIndex| {
            !other.is_in(moved)
                && state.place_of(action.colour, *other) == action.from
                && self.are_alike(state, action.colour, action.pawn, *other)
        };
        PawnIndex::all(self.pawns.count).find(is_waiting).map(PawnIndex::alone)
    }

    /// The place to which the number of the context brings a pawn or group that the plan has already moved to
    /// `context.from`. In the state `ahead` it stands there. `None` if no line surely brings it onward without touching
    /// a square of the plan, or if the move is not quiet and not the last one of the plan (`is_last`).
    fn goes_farther(&self, ahead: &State, mut context: Context, touched: Touched, is_last: bool) -> Option<PathPlace> {
        // Where conditions count the pawns of a square, the pawn on its new square is one of them.
        if self.turn.once_per_throw || self.assumptions.asks_crowd {
            return None;
        }
        let from = context.from;
        let gate = self.gate_is_open(ahead, context.own);
        let mover = if context.joint { Mover::Group } else { Mover::Pawn };
        let mut lines = self.spend_lines.ordinary_from(from);
        lines.find_map(|index| {
            let line = &self.moves.spend[usize::from(index)];
            let is_step = line.with == With::Die && line.mover == mover && is_onward(line);
            let may_spend = self.spend_lines.by_number(context.number) >> index & 1 == 1;
            if !is_step || !may_spend || !self.holds(ahead, line.open, &Context::seat(context.own)) {
                return None;
            }
            let steps = self.steps_of(ahead, line, &context)?;
            let landing = self.landing(ahead, line, steps, &mut context, gate)?;
            let end = PathPlace(from.ahead(steps).min(self.board.home().index()) as u8).max(landing.to);
            let goes_on = is_last
                || !landing.answer.captures()
                    && landing.to != self.board.home()
                    && !landing.to.is_in(self.assumptions.compelled_from)
                    && self.is_quiet(ahead, &context, false);
            let way = self.way_of(context.joint, from, end);
            let is_free = landing.to > from
                && way & touched.by_others == 0
                && way & touched.by_itself & !from.alone() == 0
                && (context.joint || !self.reunites(ahead, &context, landing.to))
                && self.holds(ahead, line.when, &context);
            (is_free && goes_on).then_some(landing.to)
        })
    }
}

impl PlanSteps<'_> {
    /// Whether the action with this index surely begins a plan which spends all `left` numbers.
    #[inline(never)]
    pub(in crate::play) fn surely_begins(&mut self, index: usize, left: u32) -> bool {
        if self.open[index].spends() == left {
            return true;
        }
        self.list[index].is_onward() && (left == 2 && self.is_followed_apart(index) || self.goes_on_apart(index))
    }

    /// Whether an action is quiet.
    #[inline(always)]
    fn is_quiet(&mut self, index: usize) -> bool {
        let action = &self.open[index];
        let is_plain = !action.captures && !action.is_joint() && action.to != self.engine.board.home();
        self.is_calm && is_plain || self.is_found_quiet(index)
    }

    #[inline(never)]
    fn is_found_quiet(&mut self, index: usize) -> bool {
        if self.quiet.iter().all(|known| known >> index & 1 == 0) {
            let (engine, state, action) = (self.engine, self.state, &self.open[index]);
            let context = engine.asked_of(state, action);
            let is_quiet = engine.is_quiet_now(state, self.now, &context, action.captures);
            self.quiet[usize::from(!is_quiet)] |= 1 << index;
        }
        self.quiet[0] >> index & 1 == 1
    }

    /// Whether another pawn can take the other of two numbers onward after the action with this index.
    #[inline(always)]
    fn is_followed_apart(&mut self, first: usize) -> bool {
        let (engine, state, action) = (self.engine, self.state, &self.open[first]);
        let PlanStep { pawns, touched, .. } = self.list[first];
        let follows = |(step, other): (&PlanStep, &Action)| {
            step.way & touched == 0
                && engine.spends_other(state, action, other)
                && engine.waiting(state, step, other, pawns).is_some()
        };
        self.list.iter().zip(self.open).any(follows) && self.is_quiet(first)
    }

    /// Whether the other numbers of the throw can take pawns onward after the action with this index.
    #[inline(never)]
    fn goes_on_apart(&mut self, first: usize) -> bool {
        let (engine, state, list, open) = (self.engine, self.state, self.list, self.open);
        let action = &open[first];
        let Some(thrown) = state.hand.thrown(action.throw).filter(|_| state.hand.throws == 1) else { return false };
        if !self.is_quiet(first) {
            return false;
        }
        let mut numbers = thrown.left & !action.numbers;
        let mut walkers: ArrayVec<Walker, { MOST_NUMBERS as usize }> = ArrayVec::new();
        let PlanStep { pawns: mut moved, mut touched, .. } = list[first];
        walkers.push(Walker { pawns: moved, at: action.to, touched });
        while numbers != 0 {
            let number = thrown.numbers[numbers.trailing_zeros() as usize & 3];
            numbers &= numbers - 1;
            let is_last = numbers == 0;
            let next = list.iter().zip(open).enumerate().find_map(|(index, (step, other))| {
                if step.number != number || step.way & touched != 0 {
                    return None;
                }
                let pawns = engine.waiting(state, step, other, moved)?;
                let goes_on = is_last || !other.captures && other.to != engine.board.home() && self.is_quiet(index);
                goes_on.then_some(Walker { pawns, at: other.to, touched: step.touched })
            });
            if let Some(next) = next {
                (moved, touched) = (moved | next.pawns, touched | next.touched);
                walkers.push(next);
                continue;
            }
            let farther = (0..walkers.len())
                .find_map(|index| Some((index, self.farther(&walkers, index, (action.throw, number), is_last)?)));
            let Some((index, to)) = farther else { return false };
            walkers[index].at = to;
            walkers[index].touched |= engine.spend_lines.touching(action.colour, to);
            touched |= walkers[index].touched;
        }
        true
    }

    /// The place to which a number can take a walker farther.
    fn farther(
        &mut self,
        walkers: &[Walker],
        index: usize,
        (throw, number): (Option<ThrowIndex>, Pips),
        is_last: bool,
    ) -> Option<PathPlace> {
        let (engine, state) = (self.engine, self.state);
        let colour = engine.colour(state);
        let Walker { pawns, at, touched } = walkers[index];
        let pawn = pawns_of(pawns).next()?;
        let others = walkers.iter().enumerate().filter(|(other, _)| *other != index);
        let by_others = others.fold(0, |touched, (_, other)| touched | other.touched);
        let touched = Touched { by_others, by_itself: touched };
        let joint = pawns != pawn.alone();
        let context = Context { pawn, from: at, number, throw, joint, ..Context::seat(colour) };
        // Where pairs are kept apart for a throw, the moves before may part them.
        if engine.turn.reunite == Reunite::Throw {
            return None;
        }
        if self.ahead.is_none() {
            self.ahead = Some(*state);
        }
        let ahead = self.ahead.as_mut()?;
        pawns_of(pawns).for_each(|pawn| ahead.at[colour.index()][pawn.index()] = at);
        // A group that has joined other pawns moves together with them.
        let is_whole = !joint || u32::from(engine.group_at(ahead, colour, at)) == pawns.count_ones();
        let to = if is_whole { engine.goes_farther(ahead, context, touched, is_last) } else { None };
        pawns_of(pawns).for_each(|pawn| ahead.at[colour.index()][pawn.index()] = state.place_of(colour, pawn));
        to
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
