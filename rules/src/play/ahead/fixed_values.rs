//! Evaluates conditions for all positions that a plan can reach, from the values that are the same in all of them.

use crate::play::engine::Engine;
use crate::play::state::State;
use crate::tables::{Event, Fact, Op, PawnsOf, Places, Program, Whose};
use crate::units::{MAX_PAWNS, PathPlace, PawnIndex, PawnSet, Seat};

/// The values that are the same in every position that a plan can reach, if the locked pawns do not move.
pub(super) struct FixedValues<'s> {
    pub engine: &'s Engine,
    pub state: &'s State,
    pub colour: Seat,
    /// The locked pawns, one bit each. Their places are known, because they do not move.
    pub locked: PawnSet,
    /// The counters of the seat and of the game that may change, one bit each.
    pub counters: [u8; 2],
    /// For each locked pawn, the marks that may change, one bit each.
    pub marks: [u8; MAX_PAWNS],
}

/// The pawn and the event for which a condition is evaluated.
#[derive(Clone, Copy)]
pub(super) struct PawnAndEvent {
    /// The locked pawn that the condition is about. `None` if the condition is about a pawn that is not locked.
    pub pawn: Option<PawnIndex>,
    /// The event, if the condition belongs to an `on` line. `None` if it belongs to a spend line.
    pub event: Option<usize>,
}

/// The range of a value: it is at least `least` and at most `most`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Range {
    least: i32,
    most: i32,
    /// Whether the value is the place of the pawn that moved last.
    is_mover: bool,
}

impl Range {
    const ANY: Range = Range { least: i32::MIN, most: i32::MAX, is_mover: false };
    const TRUTH: Range = Range { least: 0, most: 1, is_mover: false };
    const MOVER: Range = Range { is_mover: true, ..Range::ANY };

    fn only(value: impl Into<i32>) -> Range {
        let value = value.into();
        Range { least: value, most: value, is_mover: false }
    }

    fn exact(self) -> Option<i32> {
        (self.least == self.most).then_some(self.least)
    }

    fn truth(self) -> Option<bool> {
        match self {
            Range { least: 0, most: 0, .. } => Some(false),
            Range { least, most, .. } if least > 0 || most < 0 => Some(true),
            _ => None,
        }
    }

    fn of_truth(truth: Option<bool>) -> Range {
        truth.map_or(Range::TRUTH, Range::only)
    }
}

impl FixedValues<'_> {
    /// Whether a condition is false in every position that plans can reach.
    pub(super) fn never_holds(&self, condition: Program, about: PawnAndEvent) -> bool {
        self.range(condition, about).truth() == Some(false)
    }

    /// Whether a counter of the seat or the game surely has this value, so that setting it changes nothing.
    pub(super) fn is_now(&self, whose: Whose, index: u8, value: Program, about: PawnAndEvent) -> bool {
        let now = self.counter(whose, index).exact();
        now.is_some() && now == self.range(value, about).exact()
    }

    fn range(&self, program: Program, about: PawnAndEvent) -> Range {
        let mut stack = [Range::ANY; Op::STACK];
        let mut top = 0;
        for op in self.engine.ops(program) {
            let (taken, value) = match *op {
                Op::AndThen(_) | Op::OrElse(_) => continue,
                Op::In(places) => (1, is_in(stack[top - 1], places)),
                Op::Not => (1, Range::of_truth(stack[top - 1].truth().map(|truth| !truth))),
                Op::Half | Op::CountAt(_) => (1, Range::ANY),
                Op::Pick => (3, pick(stack[top - 2], stack[top - 1], stack[top - 3])),
                Op::Add | Op::Sub | Op::Mul | Op::Rem | Op::Eq | Op::Lt | Op::Le | Op::And | Op::Or => {
                    (2, self.of_two(*op, stack[top - 2], stack[top - 1], about))
                }
                op => (0, self.asked(op, about)),
            };
            top -= taken;
            stack[top] = value;
            top += 1;
        }
        stack[0]
    }

    fn of_two(&self, op: Op, a: Range, b: Range, about: PawnAndEvent) -> Range {
        let decided = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
        let truth = match op {
            Op::Add => {
                let (least, most) = (a.least.saturating_add(b.least), a.most.saturating_add(b.most));
                return Range { least, most, is_mover: false };
            }
            Op::Eq if a.is_mover || b.is_mover => {
                let place = if a.is_mover { b } else { a };
                decided(false, place.exact().is_some_and(|place| self.is_no_new_pair(place, about)))
            }
            Op::Eq => decided(a.exact().is_some() && a == b, a.most < b.least || b.most < a.least),
            Op::Lt => decided(a.most < b.least, a.least >= b.most),
            Op::Le => decided(a.most <= b.least, a.least > b.most),
            Op::And => match (a.truth(), b.truth()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Op::Or => match (a.truth(), b.truth()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => return Range::ANY,
        };
        Range::of_truth(truth)
    }

    /// Whether the event is `pair_formed` and two locked pawns stand on a place. No pair can be formed there: a pawn
    /// that arrives is the third one.
    fn is_no_new_pair(&self, place: i32, about: PawnAndEvent) -> bool {
        let is_there = |pawn: &PawnIndex| i32::from(self.state.place_of(self.colour, *pawn).0) == place;
        about.event == Some(Event::PairFormed as usize) && self.locked_pawns().filter(is_there).count() > 1
    }

    fn asked(&self, op: Op, about: PawnAndEvent) -> Range {
        let standing = |places: Places| self.locked_pawns().filter(move |pawn| self.place(*pawn).is_in(places)).count();
        let all = i32::from(self.engine.pawns.count);
        match op {
            Op::Push(value) => Range::only(value),
            Op::Counter(whose, index) => self.counter(whose, index),
            Op::Mark(bit) => match about.pawn {
                Some(pawn) if self.marks[pawn.index()] >> bit & 1 == 0 => {
                    Range::only(self.state.marks[self.colour.index()][pawn.index()] >> bit & 1)
                }
                _ => Range::TRUTH,
            },
            Op::Pawns(PawnsOf::Own, places) => Range { least: standing(places) as i32, most: all, is_mover: false },
            Op::Pairs(PawnsOf::Own, places) => Range { least: self.pairs(places), most: all / 2, is_mover: false },
            Op::Fact(Fact::From) => about.pawn.map_or(Range::ANY, |pawn| Range::only(self.place(pawn).0)),
            Op::Fact(Fact::LastMovedAt) => Range::MOVER,
            Op::Fact(Fact::InPair) => match about.pawn {
                Some(pawn) if self.stays_in_pair(pawn) => Range::only(true),
                _ => Range::TRUTH,
            },
            Op::Fact(Fact::Finished) if self.state.has_finished(self.colour) => Range::only(true),
            _ => Range::ANY,
        }
    }

    fn counter(&self, whose: Whose, index: u8) -> Range {
        let (seat, game) = (self.counters[0] >> (index & 7) & 1 == 0, self.counters[1] >> (index & 7) & 1 == 0);
        match whose {
            Whose::Game if game => Range::only(self.state.game[index as usize & 7]),
            Whose::Own if seat => Range::only(self.state.counters[self.colour.index()][index as usize & 7]),
            _ => Range::ANY,
        }
    }

    fn locked_pawns(&self) -> impl Iterator<Item = PawnIndex> {
        crate::play::companions::pawns_of(self.locked)
    }

    fn place(&self, pawn: PawnIndex) -> PathPlace {
        self.state.place_of(self.colour, pawn)
    }

    /// Number of places of a set on which two locked pawns stand.
    fn pairs(&self, places: Places) -> i32 {
        let (mut once, mut twice) = (0, 0);
        for pawn in self.locked_pawns() {
            let place = self.place(pawn).alone() & places;
            twice |= once & place;
            once |= place;
        }
        twice.count_ones() as i32
    }

    /// Whether a locked pawn shares its place with another locked pawn, and pairs count on this place.
    fn stays_in_pair(&self, pawn: PawnIndex) -> bool {
        let place = self.place(pawn);
        let is_beside = |other: &PawnIndex| *other != pawn && self.place(*other) == place;
        place.is_in(self.engine.board.pairing) && self.locked_pawns().any(|other| is_beside(&other))
    }
}

/// Whether a place is in a set.
fn is_in(place: Range, places: Places) -> Range {
    let is_in = |place: i32| (0..128).contains(&place) && places >> place & 1 == 1;
    Range::of_truth(place.exact().map(is_in))
}

fn pick(condition: Range, then: Range, other: Range) -> Range {
    match condition.truth() {
        Some(true) => then,
        Some(false) => other,
        None => Range { least: then.least.min(other.least), most: then.most.max(other.most), is_mover: false },
    }
}
