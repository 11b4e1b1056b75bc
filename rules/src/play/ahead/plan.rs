//! Quiet plans: plans in which every move except the last one is quiet. They are found and played quickly.
//!
//! Most actions begin a quiet plan, so quiet plans are tried before all others. Their moves are played on one copy of
//! the position and taken back there. A quiet move has no consequences, so that only the pawns, their squares and the
//! hand change. A quiet plan proves that its numbers can be spent. If none is found, another plan may still spend them.

use super::progress::WORK_OF_A_POSITION;
use super::separate_moves::is_onward;
use crate::play::actions::Actions;
use crate::play::candidates::Decision;
use crate::play::companions::pawns_of;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::offers::Offer;
use crate::play::stage::HandStage;
use crate::play::state::{Action, Banked, State};
use crate::play::watch::Ahead;
use crate::tables::{Duty, WaySet};
use crate::units::{MAX_PAWNS, MAX_SEATS, Occupancy, PathPlace, PawnOfSeat, PawnSet, Seat, SquareId, ThrowIndex};

/// Maximum number of positions that the search for one plan visits.
const MOST_VISITED: u32 = 24;

/// The values that a quiet move changes, as they were before it.
pub(super) struct BeforeMove {
    at: [PathPlace; MAX_PAWNS],
    /// The pawns on the squares where the move begins and ends.
    squares: [(Option<SquareId>, Occupancy); 2],
    newest: [PawnSet; MAX_SEATS],
    thrown: Banked,
    apart: [PawnSet; MAX_PAWNS],
    last_moved: Option<PawnOfSeat>,
}

impl Engine {
    /// Whether a short search finds a quiet plan of `aim` numbers that begins with this action.
    ///
    /// `visited` is the count of positions that were visited before; much work in one position counts as several.
    pub(super) fn begins_a_quiet_plan(
        &self,
        state: &State,
        action: &Action,
        aim: u32,
        last_too: bool,
        visited: &mut u32,
    ) -> bool {
        let colour = self.colour(state);
        let is_asked = !last_too && aim > action.spends() && state.stage() == HandStage::Numbers;
        if !is_asked || !self.can_be_taken_back(state, action) {
            return false;
        }
        let Some(throw) = action.throw else { return false };
        let mut state = *state;
        self.play_quietly(&mut state, colour, action, throw);
        self.goes_on_quietly(&mut state, colour, aim - action.spends(), visited)
    }

    /// Whether a short search finds quiet moves and a last move of any kind that spend `wanted` more numbers.
    fn goes_on_quietly(&self, state: &mut State, colour: Seat, wanted: u32, visited: &mut u32) -> bool {
        *visited += 1;
        if *visited > MOST_VISITED || wanted > 1 && self.may_compel(state, colour) {
            return false;
        }
        if wanted == 1 {
            return self.can_spend_one(state);
        }
        let mut decision = self.decision(state, colour);
        // For each line and number, only the first action is tried. It is usually enough, because most actions begin a
        // quiet plan.
        decision.any = true;
        let lines = decision.lines(self, Duty::Ordinary);
        let mut work = 0;
        for index in 0..state.hand.throws as usize & 31 {
            let thrown = state.hand.banked[index];
            let mut left = thrown.left & 15;
            while left != 0 {
                let numbers = left & left.wrapping_neg();
                left ^= numbers;
                let number = thrown.numbers[numbers.trailing_zeros() as usize & 3];
                let throw = ThrowIndex::new(index as u8);
                let offer = Offer { throw: Some(throw), numbers, number };
                if self.goes_on_with(state, &decision, lines, &offer, wanted, visited) {
                    return true;
                }
                *visited += (decision.work_done() - work) / WORK_OF_A_POSITION;
                work = decision.work_done();
                if *visited > MOST_VISITED {
                    return false;
                }
            }
        }
        false
    }

    /// Whether a short search finds a way to spend `wanted` numbers, beginning with the number of `offer`.
    fn goes_on_with(
        &self,
        state: &mut State,
        decision: &Decision,
        mut lines: WaySet,
        offer: &Offer,
        wanted: u32,
        visited: &mut u32,
    ) -> bool {
        let colour = decision.colour;
        let Some(throw) = offer.throw else { return false };
        while lines != 0 {
            let line = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            let mut actions = Actions::default();
            self.candidates_with(state, decision, line, offer, &mut actions);
            let Some(action) = actions.first() else { continue };
            if self.can_be_taken_back(state, action) {
                let before = self.play_quietly(state, colour, action, throw);
                if self.goes_on_quietly(state, colour, wanted - 1, visited) {
                    return true;
                }
                self.take_back(state, colour, throw, &before);
            }
        }
        false
    }

    /// Whether a move is quiet and captures nothing, so that [`Engine::play_quietly`] can play it.
    pub(super) fn can_be_taken_back(&self, state: &State, action: &Action) -> bool {
        !action.captures
            && self.goes_onward(action)
            && self.is_quiet(state, &self.asked_of(state, action), action.captures)
    }

    /// Whether the action moves pawns onward along their path or onto the board.
    fn goes_onward(&self, action: &Action) -> bool {
        action.to > action.from && is_onward(&self.moves.spend[action.line as usize])
    }

    /// Plays a quiet move that captures nothing.
    pub(super) fn play_quietly(
        &self,
        state: &mut State,
        colour: Seat,
        action: &Action,
        throw: ThrowIndex,
    ) -> BeforeMove {
        let squares = [action.from, action.to].map(|place| self.square(colour, place));
        let before = BeforeMove {
            at: state.at[colour.index()],
            squares: squares.map(|square| (square, state.on(square))),
            newest: state.newest,
            thrown: state.hand.banked[throw.index()],
            apart: state.apart,
            last_moved: state.last_moved,
        };
        let movers = self.movers_of(state, action);
        self.pay(state, action, movers, colour);
        for pawn in pawns_of(movers) {
            let from = state.place_of(colour, pawn);
            self.put(state, &Context { pawn, from, to: action.to, ..Context::seat(colour) }, &mut Ahead);
        }
        state.last_moved = Some(PawnOfSeat::new(colour, action.pawn));
        before
    }

    /// Takes the last quiet move back.
    pub(super) fn take_back(&self, state: &mut State, colour: Seat, throw: ThrowIndex, before: &BeforeMove) {
        state.at[colour.index()] = before.at;
        for (square, pawns) in before.squares {
            let (index, left) = (SquareId::table_index(square), state.on(square));
            state.occupied[index] = pawns;
            self.note_barrier(state, index, left, pawns);
        }
        state.newest = before.newest;
        state.hand.banked[throw.index()] = before.thrown;
        state.apart = before.apart;
        state.last_moved = before.last_moved;
    }
}

#[cfg(test)]
mod tests {
    use super::super::progress::PlanSearch;
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn};
    use crate::play::{Game, Phase, Quiet};

    #[test]
    fn the_numbers_of_a_quiet_plan_can_be_spent() {
        let (mut found, mut several) = (0, 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let mut chance = Chance(7);
            let tables = (0..6).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                let mut game = Game::new(&engine, engine.seating.players[0]);
                for _ in 0..1000 {
                    if game.is_over() {
                        break;
                    } else if game.needs_throw() {
                        let throw = engine.draw(&mut |n| chance.below(n));
                        game.throw_drawn(&throw, &mut Quiet);
                        continue;
                    }
                    let (state, left) = (game.state(), game.state().numbers_left());
                    if state.phase == Phase::Move && (2..=6).contains(&left) {
                        for action in engine.legal(state).iter() {
                            if !engine.begins_a_quiet_plan(state, action, left, false, &mut 0) {
                                continue;
                            }
                            let mut search = PlanSearch::new(&engine, state, false, &mut [], &mut []);
                            let spent = engine.spends_with(state, action, left, &mut search, 0);
                            assert_eq!(spent, left, "{}: {state:?} {action:?}", engine.identity.id);
                            found += 1;
                            several += usize::from(left > 2);
                        }
                    }
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
            }
        }
        assert!(found > 3000 && several > 1000, "{found} plans, {several} of more than two numbers");
    }
}
