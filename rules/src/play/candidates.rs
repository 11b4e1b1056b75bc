//! What can be done with the hand at this moment, before looking ahead.

use arrayvec::ArrayVec;

use super::actions::{Actions, PASS};
use super::companions::bits;
use super::program::Ask;
use super::quick::repeated;
use super::state::{Action, ActionKind, Banked, Due, MAX_PAWNS, Place, Seat, State};
use crate::tables::{Answer, Duty, Mover, Must, Rules, Spend, With};

#[cfg(test)]
mod tests;

/// What of the hand is to be spent now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Bonuses that come before the numbers.
    BonusNow,
    /// Numbers.
    Numbers,
    /// Bonuses that come after the numbers.
    BonusAfter,
    /// Bonuses that come after all throws of the turn.
    BonusLast,
    /// Nothing is left.
    Spent,
}

impl Stage {
    /// The bonuses that are taken now.
    pub(crate) fn due(self) -> Option<Due> {
        match self {
            Stage::BonusNow => Some(Due::Now),
            Stage::BonusAfter => Some(Due::After),
            Stage::BonusLast => Some(Due::Last),
            Stage::Numbers | Stage::Spent => None,
        }
    }
}

impl State {
    /// Which part of the hand comes next.
    #[inline(always)]
    pub(crate) fn stage(&self) -> Stage {
        let hand = &self.hand;
        let granted = &hand.bonuses[..hand.granted as usize & 15];
        let waits = |due: Due| hand.granted > 0 && granted.iter().any(|bonus| bonus.due == due);
        if waits(Due::Now) {
            Stage::BonusNow
        } else if self.numbers_left() > 0 {
            Stage::Numbers
        } else if waits(Due::After) {
            Stage::BonusAfter
        } else if waits(Due::Last) && self.owed == [0; 2] {
            Stage::BonusLast
        } else {
            Stage::Spent
        }
    }

    /// How many numbers are not spent.
    #[inline(always)]
    pub(crate) fn numbers_left(&self) -> u32 {
        let throws = self.hand.throws as usize & 31;
        self.hand.banked[..throws.min(self.hand.banked.len())].iter().map(Banked::count_left).sum()
    }
}

/// A decision, as far as it is the same for all lines.
pub(crate) struct Situation {
    colour: Seat,
    stage: Stage,
    gate: bool,
    /// The lines that may begin with each pawn, a bit each, and with any.
    begin: [u32; MAX_PAWNS],
    begun: u32,
    /// The pawns before which another one is listed that stands on the same place, a bit each.
    repeated: u8,
    /// One action is enough: it is only asked whether there is any.
    pub any: bool,
}

impl Situation {
    /// Whether a pawn stands where an action of these lines could begin.
    pub fn may_begin(&self, lines: u32) -> bool {
        lines & self.begun != 0
    }

    /// The lines of a duty that may begin now, a bit each.
    #[inline(always)]
    pub fn lines(&self, rules: &Rules, duty: Duty) -> u32 {
        self.begun & rules.begin.of_duty(duty, self.stage.due().is_some())
    }

    /// The pawns with which a line may begin, a bit each.
    #[inline(always)]
    fn standing(&self, line: usize) -> u8 {
        let pawns = self.begin.iter().enumerate();
        pawns.fold(0, |set, (pawn, lines)| set | ((lines >> line & 1) as u8) << pawn)
    }
}

/// A way to spend something: what it spends and how far it leads.
pub(super) struct Offer {
    pub throw: u8,
    numbers: u8,
    /// What the action's text shows: the number, or the sum.
    pub number: u8,
}

impl Rules {
    /// The actions of one duty that fit now, with the compulsions applied to the ordinary ones.
    ///
    /// Answers whether a compulsion held.
    pub(crate) fn candidates(&self, state: &State, colour: Seat, duty: Duty, out: &mut Actions) -> bool {
        let start = out.len();
        let throws = self.distinct_throws(state);
        let situation = self.situation(state, colour);
        let mut lines = situation.lines(self, duty);
        while lines != 0 {
            self.candidates_by(state, &situation, duty, lines.trailing_zeros() as usize, throws, out);
            lines &= lines - 1;
        }
        duty == Duty::Ordinary && out.len() > start && self.compel(state, colour, start, out)
    }

    /// What all lines of a decision share.
    pub(crate) fn situation(&self, state: &State, colour: Seat) -> Situation {
        let begin = self.begin.beginning(self.pawns, &state.at[colour.index()]);
        let begun = begin.iter().fold(0, |all, lines| all | lines);
        let places = u64::from_le_bytes(state.at[colour.index()]);
        let repeated = if self.pawns > 4 { repeated::<8>(places) } else { repeated::<4>(places) };
        let gate = self.gate_is_open(state, colour);
        Situation { colour, stage: state.stage(), gate, begin, begun, repeated, any: false }
    }

    /// The actions of one line and some throws, before any compulsion.
    #[inline(always)]
    pub(crate) fn candidates_by(
        &self,
        state: &State,
        situation: &Situation,
        duty: Duty,
        index: usize,
        throws: u32,
        out: &mut Actions,
    ) {
        let line = &self.spend[index];
        let &Situation { colour, stage, .. } = situation;
        if line.duty != duty || situation.begun >> index & 1 == 0 || !line.fits(stage) {
            return;
        }
        if !self.holds(state, line.open, &Ask::seat(colour)) {
            return;
        }
        let standing = situation.standing(index);
        self.offers(state, line, stage, throws, |offer| {
            if !situation.any || out.is_empty() {
                self.movers(state, situation, index as u8, standing, &offer, out);
            }
        });
    }

    /// The throws of the hand that are not spent, a bit each; of several that nothing tells apart the first.
    #[inline(always)]
    pub(crate) fn distinct_throws(&self, state: &State) -> u32 {
        let hand = &state.hand.banked[..state.hand.throws as usize & 31];
        if let [one] = hand {
            return u32::from(one.left != 0);
        }
        let mut throws = 0u32;
        for (i, thrown) in hand.iter().enumerate() {
            let is_like = |(k, earlier): (usize, &Banked)| earlier == thrown && !self.tells_throw(state, k, i);
            if thrown.left != 0 && !hand[..i].iter().enumerate().any(is_like) {
                throws |= 1 << i;
            }
        }
        throws
    }

    /// Calls with every distinct way to spend something by a line.
    #[inline(always)]
    pub(super) fn offers(
        &self,
        state: &State,
        line: &Spend,
        stage: Stage,
        mut throws: u32,
        mut offer: impl FnMut(Offer),
    ) {
        let hand = &state.hand;
        if line.with == With::Bonus {
            for (index, bonus) in hand.bonuses[..hand.granted as usize].iter().enumerate() {
                let seen = hand.bonuses[..index].iter().any(|earlier| earlier == bonus);
                if !seen && Some(bonus.due) == stage.due() {
                    offer(Offer { throw: 255, numbers: index as u8, number: bonus.steps });
                }
            }
            return;
        }
        while throws != 0 {
            let throw = throws.trailing_zeros() as u8;
            throws &= throws - 1;
            let thrown = &hand.banked[throw as usize];
            match line.with {
                With::Die => {
                    let mut open = thrown.left & 15;
                    let mut known = 0u64;
                    while open != 0 {
                        let one = open & open.wrapping_neg();
                        let number = thrown.numbers[open.trailing_zeros() as usize & 3];
                        open ^= one;
                        let seen = known >> (number & 63) & 1 == 1;
                        known |= 1 << (number & 63);
                        if !seen && (line.exactly == 0 || line.exactly == number) {
                            offer(Offer { throw, numbers: one, number });
                        }
                    }
                }
                With::Sum if thrown.is_whole() && thrown.count() > 1 => {
                    let sum = thrown.sum_of(15);
                    if line.exactly == 0 || line.exactly == sum {
                        offer(Offer { throw, numbers: thrown.left, number: sum });
                    }
                }
                With::Doublet => each_of_equals(thrown, 2, |numbers, number| offer(Offer { throw, numbers, number })),
                With::Triplet => each_of_equals(thrown, 3, |numbers, number| offer(Offer { throw, numbers, number })),
                _ => {}
            }
        }
    }

    /// Adds the action of every distinct pawn of `standing` that can take an offer.
    #[inline(always)]
    fn movers(&self, state: &State, situation: &Situation, index: u8, standing: u8, offer: &Offer, out: &mut Actions) {
        let &Situation { colour, gate, repeated, .. } = situation;
        let line = &self.spend[index as usize];
        let pawns = &state.at[colour.index()];
        let moved = state.hand.banked.get(offer.throw as usize).map_or(0, |thrown| thrown.moved);
        let mut ask = Ask { number: offer.number, throw: offer.throw, ..Ask::seat(colour) };
        let mut movers = if self.turn.once_per_throw { standing & !moved } else { standing };
        let again = if self.begin.has_like(index) { u8::MAX } else { repeated };
        while movers != 0 {
            let pawn = movers.trailing_zeros() as usize & 7;
            movers &= movers - 1;
            let from = pawns[pawn];
            let stands_for = |action: &Action| self.are_alike(state, colour, action.pawn, pawn as u8);
            let is_listed = |action: &Action| is_same(action, self, index, from, offer) && stands_for(action);
            if again >> pawn & 1 == 1 && out.iter().rev().any(is_listed) {
                continue;
            }
            ask.pawn = pawn as u8;
            ask.from = from;
            let others = self.others_of(state, colour, line.mover, pawn, moved);
            ask.joint = line.mover.is_joint();
            if ask.joint && others == 0 {
                continue;
            }
            let steps = match line.steps {
                None => i32::from(offer.number),
                Some(steps) => self.value(state, steps, &ask),
            };
            let Ok(steps @ 1..=32) = u8::try_from(steps) else { continue };
            let Some(landing) = self.landing(state, line, steps, &mut ask, gate) else { continue };
            if line.mover == Mover::Pawn && self.reunites(state, &ask, landing.to) {
                continue;
            }
            if !self.holds(state, line.when, &ask) {
                continue;
            }
            let action = Action {
                line: index,
                kind: ActionKind::Move,
                pawn: pawn as u8,
                other: 255,
                from,
                to: landing.to,
                throw: offer.throw,
                numbers: offer.numbers,
                captures: matches!(landing.answer, Answer::Cut | Answer::CutLast | Answer::CutLastOfAll),
            };
            let known = out.len();
            let joins = |other: u8| self.stays_together(state, line, steps, other, &ask, gate);
            match line.mover {
                Mover::Pawn => out.push(action),
                Mover::Pair => self.push_joint(state, colour, action, others, joins, out),
                Mover::Group if bits(others).all(joins) => {
                    out.push(Action { other: others.trailing_zeros() as u8, ..action });
                }
                Mover::Group => {}
            }
            if situation.any && out.len() > known {
                return;
            }
        }
    }

    /// Adds a joint move with every distinct one of `others` that joins it, by their places on the path.
    fn push_joint(
        &self,
        state: &State,
        colour: Seat,
        action: Action,
        others: u8,
        joins: impl Fn(u8) -> bool,
        out: &mut Actions,
    ) {
        let known = out.len();
        let places = &state.at[colour.index()];
        let place = |other: u8| places[usize::from(other) & 7];
        let mut others: ArrayVec<u8, MAX_PAWNS> = bits(others).collect();
        others.sort_unstable_by_key(|&other| (place(other), other));
        for other in others {
            let stands_for =
                |one: &Action| place(one.other) == place(other) && self.are_alike(state, colour, one.other, other);
            if joins(other) && !out[known..].iter().any(stands_for) {
                out.push(Action { other, ..action });
            }
        }
    }

    /// Whether it is all one which of two pawns of a place moves: they bear the same marks, and moved and left alike.
    #[inline(always)]
    fn are_alike(&self, state: &State, colour: Seat, pawn: u8, other: u8) -> bool {
        pawn == other || !self.ahead.tells_pawns && state.hand.throws < 2 || self.look_alike(state, colour, pawn, other)
    }

    #[inline(never)]
    fn look_alike(&self, state: &State, colour: Seat, pawn: u8, other: u8) -> bool {
        let differ = |bits: u8| (bits >> (pawn & 7) ^ bits >> (other & 7)) & 1 == 1;
        let [one, another] = [pawn, other].map(|pawn| {
            let pawn = pawn as usize & 7;
            let apart = if self.ahead.asks_apart { state.apart[pawn] } else { 0 };
            (state.marks[colour.index()][pawn], apart)
        });
        let throws = &state.hand.banked[..state.hand.throws as usize & 31];
        one == another
            && !throws.iter().any(|thrown| thrown.left != 0 && (differ(thrown.moved) || differ(thrown.parted)))
    }

    /// Whether another pawn may go along: it comes to the same place, and the line holds for it too.
    fn stays_together(&self, state: &State, line: &Spend, steps: u8, other: u8, first: &Ask, gate: bool) -> bool {
        let mut ask = Ask { pawn: other, from: state.at[first.own.index()][other as usize], ..*first };
        let landing = self.landing(state, line, steps, &mut ask, gate);
        landing.is_some_and(|landing| landing.to == first.to) && self.holds(state, line.when, &ask)
    }

    /// Restricts the actions from `start` on to the first compulsion that one of them meets.
    fn compel(&self, state: &State, colour: Seat, start: usize, out: &mut Actions) -> bool {
        let Some((must, first)) = self.compelling(state, colour, &out[start..]) else { return false };
        let mut index = 0;
        out.retain_from(start, |action| {
            index += 1;
            index > first && (index == first + 1 || self.is_asked_for(state, colour, must, action))
        });
        true
    }

    /// The first compulsion of the moment that one of the actions meets, and the first of these actions.
    #[inline(always)]
    pub(super) fn compelling(&self, state: &State, colour: Seat, actions: &[Action]) -> Option<(&Must, usize)> {
        let lines = actions.iter().fold(0u32, |lines, action| lines | 1 << (action.line & 31));
        self.must.iter().filter(|must| !must.in_hand && must.actions & lines != 0).find_map(|must| {
            let first = || actions.iter().position(|action| self.is_asked_for(state, colour, must, action));
            let first = if self.holds(state, must.open, &Ask::seat(colour)) { first() } else { None };
            first.map(|first| (must, first))
        })
    }

    /// Whether an action is one that a compulsion asks for.
    #[inline(always)]
    pub(super) fn is_asked_for(&self, state: &State, colour: Seat, must: &Must, action: &Action) -> bool {
        must.actions >> action.line & 1 == 1
            && (must.when.is_none() || self.holds(state, must.when, &self.asked_of(state, colour, action)))
    }

    /// The question about an action as a whole.
    pub(crate) fn asked_of(&self, state: &State, colour: Seat, action: &Action) -> Ask {
        Ask {
            pawn: action.pawn,
            from: action.from,
            to: action.to,
            number: self.number_of(state, action),
            throw: action.throw,
            joint: action.other != 255,
            ..Ask::seat(colour)
        }
    }

    /// The number, sum or bonus that an action spends; for a joint move one of the doublet.
    pub fn number_of(&self, state: &State, action: &Action) -> u8 {
        let Some(thrown) = state.hand.banked.get(action.throw as usize) else {
            return state.hand.bonuses.get(action.numbers as usize).map_or(0, |bonus| bonus.steps);
        };
        let sum = thrown.sum_of(action.numbers);
        match self.spend.get(action.line as usize).map(|line| line.with) {
            Some(With::Doublet) => sum / 2,
            Some(With::Triplet) => sum / 3,
            _ => sum,
        }
    }

    /// `pass` beside voluntary actions, or where the rules let anyone pass.
    pub(crate) fn add_pass(&self, out: &mut Actions) {
        out.push(PASS);
    }
}

/// Calls with the first `count` equal numbers that are not spent, of every number that is there so often.
#[inline(always)]
fn each_of_equals(thrown: &Banked, count: u32, mut each: impl FnMut(/* bits */ u8, /* number */ u8)) {
    let open = (0..thrown.numbers.len()).filter(|i| thrown.left >> i & 1 == 1);
    for first in open.clone() {
        let number = thrown.numbers[first];
        let equal = open.clone().filter(|&i| thrown.numbers[i] == number).fold(0u8, |all, i| all | 1 << i);
        if equal.trailing_zeros() as usize == first && equal.count_ones() >= count {
            let beyond = (count..equal.count_ones()).fold(equal, |left, _| left & !(1 << (7 - left.leading_zeros())));
            each(beyond, number);
        }
    }
}

impl Spend {
    /// Whether it spends what is to be spent now.
    #[inline(always)]
    pub(super) fn fits(&self, stage: Stage) -> bool {
        match stage {
            Stage::Numbers => self.with != With::Bonus,
            Stage::BonusNow | Stage::BonusAfter | Stage::BonusLast => self.with == With::Bonus,
            Stage::Spent => false,
        }
    }
}

/// Whether an action already listed spends the same from the same place in the same way.
#[inline(always)]
fn is_same(action: &Action, rules: &Rules, line: u8, from: Place, offer: &Offer) -> bool {
    action.from == from
        && (action.line == line || rules.spend[action.line as usize].reads_like(&rules.spend[line as usize]))
        && action.throw == offer.throw
        && action.numbers == offer.numbers
}
