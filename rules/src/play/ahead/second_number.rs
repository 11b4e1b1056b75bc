//! Finds out whether the second of two numbers can be spent, without playing the first one.
//!
//! A quiet move from one square to another leaves the possible moves of other pawns elsewhere unchanged. So if the
//! way of another pawn touches neither of the two squares, the move does not change whether that pawn can spend the
//! other number.

use arrayvec::ArrayVec;

use crate::play::candidates::Decision;
use crate::play::companions::pawns_of;
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::offers::Offer;
use crate::play::stage::HandStage;
use crate::play::state::{Action, State};
use crate::tables::{Duty, Mover, Places, Route, Spend, With};
use crate::units::{PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// Maximum number of ways that are compared. If there are more, the comparison cannot show that no pawn can spend the
/// second number.
const MOST_WAYS: usize = 16;

/// A way by which a pawn could spend the second number.
struct SecondWay {
    pawn: PawnIndex,
    /// The places of the path on which `may` depends.
    way: Places,
    /// Whether the pawn may take the way before the first number is spent.
    may: bool,
}

/// The ways by which the pawns of a position could spend one number.
struct Followers {
    throw: ThrowIndex,
    number: Pips,
    ways: ArrayVec<SecondWay, MOST_WAYS>,
    /// Whether all ways are in the list.
    is_complete: bool,
}

/// Results for a position with two numbers left, shared by the checks of all its actions. Each part is computed when it
/// is first needed.
#[derive(Default)]
pub(super) struct Beside {
    decision: Option<Decision>,
    followers: ArrayVec<Followers, 2>,
}

impl Engine {
    /// Whether the number that `action` leaves can be spent after it, if the hand has two numbers left. `None` if only
    /// a search can decide it.
    ///
    /// `open` are the actions that are possible before `action` is played.
    pub(super) fn is_followed(
        &self,
        state: &State,
        action: &Action,
        open: &[Action],
        beside: &mut Beside,
    ) -> Option<bool> {
        let colour = self.colour(state);
        if !self.begins_quietly(state, action) {
            return None;
        }
        let touched = self.spend_lines.touching(colour, action.from) | self.spend_lines.touching(colour, action.to);
        let is_free = |other: &Action| {
            other.pawn != action.pawn
                && !other.is_joint()
                && self.goes_onward(other)
                && self.way(other.from, other.to) & touched == 0
                && self.spends_other(state, action, other)
        };
        if open.iter().any(is_free) {
            return Some(true);
        }
        self.is_followed_by_any(state, action, touched, beside)
    }

    /// Whether the action moves one pawn onward by one number, and changes nothing for pawns elsewhere.
    fn begins_quietly(&self, state: &State, action: &Action) -> bool {
        action.spends() == 1
            && !action.is_joint()
            && self.goes_onward(action)
            && self.is_quiet(state, &self.asked_of(state, action), action.captures)
    }

    /// Whether the action moves pawns onward along their path or onto the board.
    pub(super) fn goes_onward(&self, action: &Action) -> bool {
        action.to > action.from && is_onward(&self.moves.spend[action.line as usize])
    }

    /// Whether `other` spends one number, and not the number that `action` spends.
    pub(super) fn spends_other(&self, state: &State, action: &Action, other: &Action) -> bool {
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
    pub(super) fn way(&self, from: PathPlace, to: PathPlace) -> Places {
        let first = if self.assumptions.asks_group { from.0 } else { from.0 + 1 };
        (to.alone() << 1).wrapping_sub(1 << first)
    }

    /// Whether the number that `action` leaves can be spent after it, decided by a check of every pawn and every spend
    /// line that could spend this number. `None` if only a search can decide it.
    fn is_followed_by_any(&self, state: &State, action: &Action, touched: Places, beside: &mut Beside) -> Option<bool> {
        let mut left =
            state.hand.banked[..state.hand.throws as usize & 31].iter().enumerate().filter_map(|(i, thrown)| {
                let throw = ThrowIndex::new(i as u8);
                let left = if action.throw == Some(throw) { thrown.left & !action.numbers } else { thrown.left };
                (left != 0).then_some((throw, left))
            });
        let (Some((throw, numbers)), None) = (left.next(), left.next()) else { return None };
        if !numbers.is_power_of_two() || state.stage() != HandStage::Numbers {
            return None;
        }
        let thrown = &state.hand.banked[throw.index()];
        let number = thrown.numbers[numbers.trailing_zeros() as usize & 3];
        let Beside { decision, followers } = beside;
        let decision = decision.get_or_insert_with(|| self.decision(state, self.colour(state)));
        let offer = Offer { throw: Some(throw), numbers, number };
        let index = followers.iter().position(|listed| (listed.throw, listed.number) == (throw, number));
        let index = match index {
            Some(index) => index,
            None => {
                followers.try_push(self.followers(state, decision, throw, &offer)).ok()?;
                followers.len() - 1
            }
        };
        let followers = &followers[index];
        let mut is_known = followers.is_complete;
        for follower in followers.ways.iter().filter(|follower| follower.pawn != action.pawn) {
            match follower.way & touched {
                0 if follower.may => return Some(true),
                0 => {}
                _ => is_known = false,
            }
        }
        let moves_by_it = action.throw == Some(throw) || action.pawn.is_in(thrown.moved);
        if self.turn.once_per_throw && moves_by_it {
            return is_known.then_some(false);
        }
        let mut own = Followers { throw, number, ways: ArrayVec::new(), is_complete: true };
        for line in self.spend_lines.ordinary_from(action.to) {
            self.add_followers(state, decision, line, action.pawn.alone(), Some(action.to), &offer, &mut own);
        }
        for follower in &own.ways {
            match follower.way & touched {
                0 if follower.may => return Some(true),
                0 => {}
                _ => is_known = false,
            }
        }
        (is_known && own.is_complete).then_some(false)
    }

    /// The ways by which pawns could spend the part of the hand that `offer` names.
    fn followers(&self, state: &State, decision: &Decision, throw: ThrowIndex, offer: &Offer) -> Followers {
        let mut found = Followers { throw, number: offer.number, ways: ArrayVec::new(), is_complete: true };
        let moved = if self.turn.once_per_throw { state.hand.banked[throw.index()].moved } else { 0 };
        let mut lines = decision.lines(self, Duty::Ordinary);
        while lines != 0 {
            let line = lines.trailing_zeros() as u8;
            lines &= lines - 1;
            let pawns = decision.standing(line.into()) & !moved;
            self.add_followers(state, decision, line, pawns, None, offer, &mut found);
        }
        found
    }

    /// Adds the ways of a spend line for these pawns. With `at`, the pawns are treated as if they stood on that place.
    #[expect(clippy::too_many_arguments, reason = "a position, a line of it, and who may take it")]
    fn add_followers(
        &self,
        state: &State,
        decision: &Decision,
        index: u8,
        pawns: PawnSet,
        at: Option<PathPlace>,
        offer: &Offer,
        found: &mut Followers,
    ) {
        let colour = decision.colour;
        let line = &self.moves.spend[index as usize];
        let fits = line.with == With::Die && line.exactly.is_none_or(|exactly| exactly == offer.number);
        if pawns == 0 || !fits || !self.holds(state, line.open, &Context::seat(colour)) {
            return;
        }
        if line.mover != Mover::Pawn || !is_onward(line) {
            found.is_complete &= match at {
                Some(place) => line.mover.is_joint() && state.count_on(self.square(colour, place), colour) == 0,
                None => self.add_companions(state, colour, line, pawns, found),
            };
            return;
        }
        for pawn in pawns_of(pawns) {
            let from = at.unwrap_or(state.place_of(colour, pawn));
            let mut context = Context { pawn, from, number: offer.number, throw: offer.throw, ..Context::seat(colour) };
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let end = match line.route {
                Route::To(place) => place,
                _ => PathPlace((from.ahead(steps).min(self.board.home().index())) as u8),
            };
            let landing = self.landing(state, line, steps, &mut context, decision.gate);
            let may = landing.is_some_and(|landing| {
                !self.reunites(state, &context, landing.to) && self.holds(state, line.when, &context)
            });
            // A lap leads back to the beginning of the path. Its way counts as the whole path.
            let is_lap = end <= from || landing.is_some_and(|landing| landing.to <= from);
            let way = if is_lap { Places::MAX } else { self.way(from, end) };
            found.is_complete &= found.ways.try_push(SecondWay { pawn, way, may }).is_ok();
        }
    }

    /// Adds pawns that could move by a line for pairs or groups if others joined them. Returns false if the list would
    /// be incomplete: it is full, a pawn already has others to move with, or the line moves single pawns.
    fn add_companions(&self, state: &State, colour: Seat, line: &Spend, pawns: PawnSet, found: &mut Followers) -> bool {
        line.mover.is_joint()
            && pawns_of(pawns).all(|pawn| {
                let way = self.spend_lines.touching(colour, state.place_of(colour, pawn));
                self.others_of(state, colour, line.mover, pawn, 0) == 0
                    && found.ways.try_push(SecondWay { pawn, way, may: false }).is_ok()
            })
    }
}

/// Whether a spend line leads along the path or to a fixed place.
pub(super) fn is_onward(line: &Spend) -> bool {
    matches!(line.route, Route::Ahead | Route::To(_))
}

#[cfg(test)]
mod tests {
    use super::super::progress::PlanSearch;
    use super::Beside;
    use crate::bundled;
    use crate::play::quick::tests::{Chance, drawn};
    use crate::play::{Game, Phase, Quiet};

    #[test]
    fn what_is_seen_to_follow_or_not_does_so() {
        let mut seen = [0, 0];
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let mut chance = Chance(5);
            let tables = (0..8).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for rules in tables.collect::<Vec<_>>() {
                let mut game = Game::new(&rules, rules.seating.players[0]);
                for _ in 0..1500 {
                    if game.is_over() {
                        break;
                    } else if game.needs_throw() {
                        let throw = rules.draw(&mut |n| chance.below(n));
                        game.throw_drawn(&throw, &mut Quiet);
                        continue;
                    }
                    let state = game.state();
                    if state.phase == Phase::Move && state.numbers_left() == 2 {
                        let open = rules.legal(state);
                        let mut beside = Beside::default();
                        for action in open.iter() {
                            let Some(is_followed) = rules.is_followed(state, action, &open, &mut beside) else {
                                continue;
                            };
                            let mut search = PlanSearch::new(&rules, state, false, &mut [], &mut []);
                            let spent = rules.spends_with(state, action, 2, &mut search, 0);
                            assert_eq!(spent == 2, is_followed, "{}: {state:?} {action:?}", rules.identity.id);
                            seen[usize::from(is_followed)] += 1;
                        }
                    }
                    game.play_nth(chance.below(game.open() as u32) as usize, &mut Quiet);
                }
            }
        }
        assert!(seen[0] > 200 && seen[1] > 3000, "{seen:?} actions");
    }
}
