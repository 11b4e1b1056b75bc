//! Every attempt of a pawn to spend a part of the hand, with its fate: the data from which a player learns why an
//! action is not legal.
//!
//! The attempts repeat the searches that find the legal actions. They are computed only for a request for reasons;
//! playing does not need them.

use super::actions::Actions;
use super::candidates::moving;
use super::companions::pawns_of;
use super::compel::Binding;
use super::consequences::ComparedPairs;
use super::context::Context;
use super::landing::{Landing, Spot};
use super::offers::Offer;
use super::stage::HandStage;
use super::state::{Action, ActionForm, ActionKind, Phase, State};
use crate::play::engine::Engine;
use crate::tables::{Duty, LineId, Mover, Route, Spend, Verdict, With};
use crate::units::{MAX_BANKED, MAX_NUMBERS, PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// One try to move pawns by a part of the hand: the action, the place where it would end, and its fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The action that the attempt would be. Its `line` has no meaning with [`Fate::NoLine`]. Its `to` is set only if
    /// the way and the landing are allowed.
    pub action: Action,
    /// The place where the attempt would end. `None` if it leads to no place, or fails before the place is computed.
    pub end: Option<PathPlace>,
    /// The fate of the attempt.
    pub fate: Fate,
}

/// The fate of an attempt: legal, or stopped by the first obstacle that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The attempt is a legal action.
    Legal,
    /// No spend line moves a pawn from this place by this number. `line` of the action has no meaning.
    NoLine,
    /// A bonus must be spent first.
    BonusesFirst,
    /// The numbers must be spent first; the bonus comes after them.
    NumbersFirst,
    /// The pawn has moved by a number of this throw.
    Moved,
    /// The condition of the spend line is not met.
    Condition,
    /// The move leads to no place: it would end beyond the path, its route cannot be taken in this position, or its
    /// count of steps is below 1 or above [`MAX_STEP`](crate::units::MAX_STEP).
    NoWay,
    /// A passing line refuses to pass this place.
    Passing(PathPlace, LineId),
    /// A landing line refuses to land on this place.
    Landing(PathPlace, LineId),
    /// Pawns of a parted pair may not meet again yet.
    Reunites,
    /// Pawns that would move together end on different places.
    Apart,
    /// A compulsion requires another action.
    Compelled(LineId),
    /// Another action leads to spending more of the hand.
    SpendsLess,
    /// The numbers of the throw have to be spent all together or not at all, and not all of them can be spent.
    AllOrNone,
    /// An ordinary action is possible, and the spend line of this attempt has `duty: last`.
    LastResort,
}

/// The rules of one position that forbid an action although the spend line, the way and the landing allow it.
struct Withheld<'e> {
    /// The compulsion on the next action that applies.
    binding: Option<Binding<'e>>,
    /// The compulsion over the hand that applies.
    due: Option<LineId>,
    /// The ordinary actions that begin a plan which spends the most numbers.
    longest: Actions,
    /// Whether any ordinary action is possible.
    any: bool,
}

impl Engine {
    /// Tries every pawn of the seat to move with every part of the hand, by every spend line that could move it.
    /// `legal` are the legal actions.
    ///
    /// Makes no attempts if `state.phase` is not [`Phase::Move`].
    pub fn attempts(&self, state: &State, legal: &[Action], each: &mut dyn FnMut(Attempt)) {
        if state.phase != Phase::Move {
            return;
        }
        let withheld = self.withheld(state);
        for colour in self.moving_colours(state) {
            self.attempts_of(state, colour, legal, &withheld, each);
        }
    }

    /// Tries the pawns of one colour for [`Engine::attempts`].
    fn attempts_of(
        &self,
        state: &State,
        colour: Seat,
        legal: &[Action],
        withheld: &Withheld<'_>,
        each: &mut dyn FnMut(Attempt),
    ) {
        let (gate, now) = (self.gate_is_open(state, colour), state.stage());
        let throws = self.distinct_throws(state);
        // The pawns for which a line was found, for each number and each bonus.
        let (mut by_number, mut by_bonus) = ([[PawnSet::default(); MAX_NUMBERS]; MAX_BANKED], [PawnSet::default(); 16]);
        for (index, line) in self.moves.spend.iter().enumerate() {
            let stages = [HandStage::BonusNow, HandStage::Numbers, HandStage::BonusAfter, HandStage::BonusLast];
            for stage in stages.into_iter().filter(|&stage| line.fits(stage)) {
                self.offers(state, line, stage, throws, |offer| {
                    let standing = PawnIndex::all(self.pawns.count);
                    for pawn in standing.filter(|&pawn| state.place_of(colour, pawn).is_in(line.from)) {
                        let Some(mut attempt) = self.attempt(state, colour, index as u8, pawn, &offer, gate) else {
                            continue;
                        };
                        match (offer.throw, line.with) {
                            (None, _) => by_bonus[usize::from(offer.numbers) & 15] |= pawn.alone(),
                            (Some(throw), With::Die) => {
                                by_number[throw.index()][offer.numbers.trailing_zeros() as usize & 3] |= pawn.alone();
                            }
                            _ => {}
                        }
                        if attempt.fate == Fate::Legal {
                            match self.listed_among(state, legal, &attempt.action) {
                                Some(action) => attempt.action = action,
                                None => attempt.fate = self.fate(state, line, &attempt.action, withheld),
                            }
                        }
                        if stage != now {
                            attempt.fate =
                                if now == HandStage::Numbers { Fate::NumbersFirst } else { Fate::BonusesFirst };
                        }
                        each(attempt);
                    }
                });
            }
        }
        self.each_offer(state, throws, |offer| {
            let tried = match offer.throw {
                Some(throw) => by_number[throw.index()][offer.numbers.trailing_zeros() as usize & 3],
                None => by_bonus[usize::from(offer.numbers) & 15],
            };
            for pawn in PawnIndex::all(self.pawns.count).filter(|pawn| !pawn.is_in(tried)) {
                let from = state.place_of(colour, pawn);
                each(tried_by(0, (colour, pawn), from, offer, None, Fate::NoLine));
            }
        });
    }

    /// Calls `each` with every single number and every bonus of the hand. Equal numbers of a throw and equal bonuses
    /// come once.
    fn each_offer(&self, state: &State, mut throws: u32, mut each: impl FnMut(&Offer)) {
        while throws != 0 {
            let throw = ThrowIndex::new(throws.trailing_zeros() as u8);
            throws &= throws - 1;
            let Some(banked) = state.hand.thrown(Some(throw)) else { continue };
            let left = (0..MAX_NUMBERS).filter(|i| banked.left >> i & 1 == 1);
            for i in left.clone() {
                let number = banked.numbers[i];
                if left.clone().find(|&first| banked.numbers[first] == number) == Some(i) {
                    each(&Offer { throw: Some(throw), numbers: 1 << i, number });
                }
            }
        }
        let bonuses = &state.hand.bonuses[..usize::from(state.hand.granted)];
        for (index, bonus) in bonuses.iter().enumerate().filter(|(index, bonus)| !bonuses[..*index].contains(bonus)) {
            each(&Offer { throw: None, numbers: index as u8, number: bonus.steps });
        }
    }

    /// The attempt of a pawn, and of the pawns that move along, by one line and one part of the hand. Its fate is
    /// [`Fate::Legal`] if the line, the way and the landing allow it. `None` if the line moves several pawns, and this
    /// one stands alone or is not the first of them.
    fn attempt(
        &self,
        state: &State,
        colour: Seat,
        index: u8,
        pawn: PawnIndex,
        offer: &Offer,
        gate: bool,
    ) -> Option<Attempt> {
        let line = &self.moves.spend[usize::from(index)];
        let (joint, from) = (line.mover.is_joint(), state.place_of(colour, pawn));
        let moved = state.hand.thrown(offer.throw).map_or(0, |thrown| thrown.moved);
        let others = self.others_of(state, colour, line.mover, pawn, 0);
        let free = self.others_of(state, colour, line.mover, pawn, moved);
        if joint && others == 0 {
            return None;
        }
        let mut found = tried_by(index, (colour, pawn), from, offer, None, Fate::Moved);
        found.action.other = pawns_of(others).next();
        if self.turn.once_per_throw && pawn.is_in(moved) || joint && free == 0 {
            return Some(found);
        }
        let mut context =
            Context { pawn, from, number: offer.number, throw: offer.throw, joint, ..Context::seat(colour) };
        found.fate = Fate::Condition;
        if !self.holds(state, line.open, &Context::seat(colour)) {
            return Some(found);
        }
        let Some(steps) = self.steps_of(state, line, &context) else {
            found.fate = Fate::NoWay;
            return Some(found);
        };
        let landing = match self.try_way(state, line, steps, &mut context, gate) {
            Ok(landing) => landing,
            Err(fate) => {
                found.fate = fate;
                // If a line refuses the passing or the landing, `end` is the place to which the way leads.
                found.end = match fate {
                    Fate::Landing(..) | Fate::Passing(..) => self.aim(line, steps, &context, gate),
                    _ => None,
                };
                return Some(found);
            }
        };
        found.end = Some(landing.to);
        found.action = Action { other: found.action.other, ..moving(index, &context, offer, landing) };
        found.fate = if !self.holds(state, line.when, &context) {
            Fate::Condition
        } else if joint {
            self.fate_of_others(state, line, steps, free, &context, gate)
        } else if self.reunites(state, &context, landing.to) {
            Fate::Reunites
        } else {
            Fate::Legal
        };
        Some(found)
    }

    /// The fate of a joint move, as far as it depends on the pawns that would move along (`others`). A pair can move if
    /// any of them can move along, a group only if all of them can.
    fn fate_of_others(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        others: PawnSet,
        first: &Context,
        gate: bool,
    ) -> Fate {
        let fate = |other: PawnIndex| {
            let mut context = Context { pawn: other, from: state.place_of(first.own, other), ..*first };
            match self.try_way(state, line, steps, &mut context, gate) {
                Err(fate) => fate,
                Ok(landing) if landing.to != first.to => Fate::Apart,
                Ok(_) if !self.holds(state, line.when, &context) => Fate::Condition,
                Ok(_) => Fate::Legal,
            }
        };
        let mut fates = pawns_of(others).map(fate);
        let first = fates.next().unwrap_or(Fate::Apart);
        match line.mover {
            Mover::Group => std::iter::once(first).chain(fates).find(|fate| *fate != Fate::Legal).unwrap_or(first),
            _ => fates.find(|fate| *fate == Fate::Legal).unwrap_or(first),
        }
    }

    /// The landing of a pawn, or the obstacle that forbids it.
    fn try_way(
        &self,
        state: &State,
        line: &Spend,
        steps: Pips,
        context: &mut Context,
        gate: bool,
    ) -> Result<Landing, Fate> {
        let mut refused = Fate::NoWay;
        let landing = self.landing_heard(state, line, steps, context, gate, &mut |spot, place, answer, by| {
            if matches!(answer, Verdict::Refuse | Verdict::StopBefore)
                && let Some(by) = by
            {
                refused = if spot == Spot::Way { Fate::Passing(place, by) } else { Fate::Landing(place, by) };
            }
        });
        landing.ok_or(refused)
    }

    /// The place to which a spend line leads by this count of steps, even if pawns there or on the way forbid the move.
    fn aim(&self, line: &Spend, steps: Pips, context: &Context, gate: bool) -> Option<PathPlace> {
        let open = usize::from(gate || context.from > self.board.gate_at);
        match line.route {
            Route::To(place) => Some(place),
            Route::Ahead => self.board.lands[open][context.from.ahead(steps) & 255],
            Route::Along(over) => self.board.along(over, context.from, open).nth(usize::from(steps.0).checked_sub(1)?),
            Route::Lap => self.board.lands[0][context.from.ahead(steps) & 255],
            Route::Bounce(_) if context.to == PathPlace::OUT => self.board.lands[open][context.from.ahead(steps) & 255],
            Route::Bounce(_) | Route::Outward | Route::Recoil => Some(context.to),
            Route::Stay => Some(context.from),
            // If the move leads to no place, `context.to` is `OUT`.
            Route::Computed(_) | Route::Back => Some(context.to).filter(|to| *to > PathPlace::OUT),
        }
    }

    /// The fate of an action that the line, the way and the landing allow.
    fn fate(&self, state: &State, line: &Spend, action: &Action, withheld: &Withheld<'_>) -> Fate {
        let is_among = |actions: &[Action]| actions.iter().any(|listed| self.reads_same(state, listed, action));
        let compelled = withheld.binding.filter(|binding| !self.is_left(state, *binding, action));
        match (line.duty, compelled, withheld.due) {
            (Duty::Last, ..) if withheld.any => Fate::LastResort,
            (Duty::Ordinary | Duty::Voluntary, Some(binding), _) => Fate::Compelled(binding.must.line),
            (Duty::Ordinary, None, Some(due)) if is_among(&withheld.longest) => Fate::Compelled(due),
            _ if state.must_spend_all() => Fate::AllOrNone,
            _ => Fate::SpendsLess,
        }
    }

    /// The action as the list of legal actions names it: itself, or one with the same plain text and the same
    /// consequences. `None` if `action` is not legal.
    fn listed_among(&self, state: &State, legal: &[Action], action: &Action) -> Option<Action> {
        let alike = || legal.iter().filter(|listed| self.reads_same(state, listed, action));
        let movers = self.movers_of(state, action);
        let is_it = |listed: &&Action| listed.throw == action.throw && self.movers_of(state, listed) == movers;
        let leads_there = |listed: &&Action| self.lead_to_the_same(state, listed, action, &mut ComparedPairs::new());
        let listed = alike().find(is_it).or_else(|| alike().find(leads_there))?;
        // The plain form names neither a throw nor pawns, so it fits the action itself.
        Some(if listed.form == ActionForm::PLAIN { *action } else { *listed })
    }

    fn withheld(&self, state: &State) -> Withheld<'_> {
        let mut longest = Actions::default();
        self.free_candidates(state, Duty::Ordinary, &mut longest);
        let any = !longest.is_empty();
        let binding = self.bind(state, &mut longest.clone());
        let due = binding.map(|binding| binding.must).filter(|must| must.in_hand);
        let binding = binding.filter(|binding| !binding.must.in_hand);
        if let Some(binding) = binding {
            longest.retain_from(0, |action| self.is_left(state, binding, action));
        }
        if self.is_judged(state) {
            self.keep_longest(state, &mut longest, false);
        }
        Withheld { binding, due: due.map(|must| must.line), longest, any }
    }
}

/// The attempt of one pawn to spend a part of the hand.
fn tried_by(
    line: u8,
    (colour, pawn): (Seat, PawnIndex),
    from: PathPlace,
    offer: &Offer,
    end: Option<PathPlace>,
    fate: Fate,
) -> Attempt {
    let Offer { throw, numbers, .. } = *offer;
    let kind = ActionKind::Move;
    let form = ActionForm::PLAIN;
    let action =
        Action { line, kind, colour, pawn, other: None, from, to: from, throw, numbers, captures: false, form };
    Attempt { action, end, fate }
}
