//! Looks: single values read from the state and the context.

use super::code::of_two;
use super::context::Context;
use super::evaluator::Evaluator;
use super::lanes::repeated_of;
use super::question::{Amount, Look};
use super::state::{Banked, State};
use crate::play::standing::is_marked_where_named;
use crate::tables::{Fact, Op, PawnsOf, Program, Whose};
use crate::units::{Due, PathPlace, PawnIndex, PawnSet, Seat};

impl Evaluator {
    /// The value that a look reads.
    ///
    /// Not inlined into the evaluator's loop: the loop would then load the values of all looks before the first one.
    /// Slow looks are functions of their own for the same reason.
    #[inline(never)]
    pub(super) fn look(&self, state: &State, look: Look, context: &Context) -> i32 {
        match look {
            Look::Known(value) => value.into(),
            Look::Fact(Fact::Number) => context.number.0.into(),
            Look::Fact(Fact::From) => context.from.0.into(),
            Look::Fact(Fact::To) => context.to.0.into(),
            Look::Fact(Fact::Total) => state.last.total().into(),
            Look::Fact(Fact::Throws) => state.thrown.into(),
            Look::Fact(Fact::Group) => self.group_at(state, context.own, context.from).into(),
            Look::Fact(fact) => self.fact(state, context, fact),
            Look::Counter(whose, index) => self.counter(state, context, whose, index),
            Look::Mark(bit) => i32::from(state.marks[context.own.index()][context.pawn.index()] >> bit & 1),
            Look::MarkThere(_) | Look::OwnMarkThere(_) | Look::MarkNamed(_) => self.marked(state, look, context),
            Look::Face(index) => state.last.faces[index as usize & 3].into(),
            Look::Pawns(counted, index) => self.counted(context, counted, |seat| self.pawns_in_set(state, seat, index)),
            Look::Pairs(counted, index) => self.counted(context, counted, |seat| self.pairs_in_set(state, seat, index)),
            Look::PawnsWhere(counted, condition) => {
                self.counted(context, counted, |seat| self.pawns_where(state, seat, condition, context))
            }
            Look::Amount(index) => self.amount_of(state, index, context),
            Look::Chain(first) => self.value_from(state, first, context),
        }
    }

    #[inline(never)]
    fn amount_of(&self, state: &State, index: u32, context: &Context) -> i32 {
        let Amount { op, first, second } = self.questions.amounts[index as usize];
        let value = self.look(state, first, context);
        match op {
            Op::CountAt(crowd) => self.count_at(state, context.own, crowd, value),
            op => of_two(op, value, self.look(state, second, context)),
        }
    }

    #[inline(never)]
    fn marked(&self, state: &State, look: Look, context: &Context) -> i32 {
        i32::from(match look {
            Look::MarkThere(bit) => self.is_marked_there(state, context, bit),
            Look::OwnMarkThere(bit) => self.is_own_marked_there(state, context, bit),
            Look::MarkNamed(bit) => is_marked_where_named(state, context, bit),
            _ => false,
        })
    }

    /// A count over the pawns of the seats that it is about.
    #[inline(always)]
    pub(super) fn counted(&self, context: &Context, counted: PawnsOf, count: impl Fn(Seat) -> i32) -> i32 {
        match counted {
            PawnsOf::Own => self.of_colours(context, context.own, count),
            PawnsOf::Other => self.of_colours(context, context.other, count),
            PawnsOf::Enemies => self.enemies(context).map(count).sum(),
        }
    }

    /// A count of pawns of a seat. If the context is about players as a whole, the sum over all colours of the seat's
    /// player.
    #[inline(always)]
    fn of_colours(&self, context: &Context, seat: Seat, count: impl Fn(Seat) -> i32) -> i32 {
        if context.whole && self.seating.shares {
            return self.seating.colours_of(self.seating.player[seat.index()]).map(count).sum();
        }
        count(seat)
    }

    #[inline(never)]
    fn pawns_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let set = &self.questions.sets[set as usize];
        let pawns = &state.at[seat.index()][..self.pawns.count as usize & 31];
        pawns.iter().map(|&at| i32::from(set.has(at))).sum()
    }

    /// The number of pawns of a seat for which a condition holds.
    pub(super) fn pawns_where(&self, state: &State, seat: Seat, condition: Program, context: &Context) -> i32 {
        self.chosen(state, seat, condition, context).count_ones() as i32
    }

    /// The pawns of a seat for which a condition holds: a bit for each.
    #[inline(never)]
    pub(super) fn chosen(&self, state: &State, seat: Seat, condition: Program, context: &Context) -> PawnSet {
        let context = &self.about_colour(context, seat);
        let first = context.of_pawn(seat, PawnIndex::FIRST, state.place_of(seat, PawnIndex::FIRST));
        if self.value_for_all(state, condition, &first) == Some(0) {
            return 0;
        }
        PawnIndex::all(self.pawns.count).fold(0, |chosen, pawn| {
            let each = context.of_pawn(seat, pawn, state.place_of(seat, pawn));
            if self.value(state, condition, &each) != 0 { chosen | pawn.alone() } else { chosen }
        })
    }

    /// The context for a colour: if the context is about its player as a whole, the same with the colour as `own`.
    #[inline(always)]
    pub(super) fn about_colour(&self, context: &Context, colour: Seat) -> Context {
        Context { own: if self.is_about(context, colour) { colour } else { context.own }, ..*context }
    }

    #[inline(never)]
    fn pairs_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let repeated = repeated_of(PathPlace::word(&state.at[seat.index()]), self.pawns.count);
        if repeated == 0 { 0 } else { self.pairs_in(state, seat, self.questions.sets[set as usize].places()) }
    }

    pub(super) fn counter(&self, state: &State, context: &Context, whose: Whose, index: u8) -> i32 {
        let seat = match whose {
            Whose::Own => context.own,
            Whose::Other => context.other,
            Whose::Partner => self.seating.partner[context.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return i32::from(state.game[index as usize & 7]),
        };
        i32::from(state.counters[self.seating.player[seat.index()].index()][index as usize & 7])
    }

    #[inline(never)]
    pub(super) fn fact(&self, state: &State, context: &Context, fact: Fact) -> i32 {
        let doublet = || match state.hand.thrown(context.throw) {
            Some(banked) => banked.flags & Banked::DOUBLET != 0,
            None => state.last.is_doublet(),
        };
        let player = |seat: Seat| self.seating.player[seat.index()];
        let truth = match fact {
            Fact::Doublet => doublet(),
            Fact::Joint => context.joint,
            Fact::Finished => state.has_finished(player(context.own)),
            Fact::OtherFinished => state.has_finished(player(context.other)),
            Fact::InPair => self.stands_in_pair(state, context.own, context.pawn),
            Fact::Helping => self.colour(state) != state.turn,
            Fact::OtherIsRight => self.seating.right[player(context.own).index()] == player(context.other),
            Fact::IsTurn => state.turn == player(context.own),
            Fact::AnyMoved => state.last_moved.is_some_and(|last| player(last.seat()) == player(context.own)),
            _ => return self.amount(state, context, fact),
        };
        i32::from(truth)
    }

    fn amount(&self, state: &State, context: &Context, fact: Fact) -> i32 {
        let amount = match fact {
            Fact::Total => state.last.total(),
            Fact::Number => context.number.0,
            Fact::Unplayed => context.unplayed,
            Fact::ThrowNumber => context.throw.map_or(0, |throw| throw.number() + 1),
            Fact::Throws => state.thrown,
            Fact::Owed => state.owed[0] + state.owed[1],
            Fact::From => context.from.0,
            Fact::To => context.to.0,
            Fact::Victims => context.victims,
            Fact::OwnThere => self.own_on(state, context.own, context.to),
            Fact::EnemiesThere => self.enemies_on(state, context.own, context.to),
            Fact::PawnsThere => self.pawns_on(state, context.own, context.to),
            Fact::Group => self.group_at(state, context.own, context.from),
            Fact::GroupThere => self.group_faced(state, context.own, context.to),
            Fact::SeatNumber => context.own.0 + 1,
            Fact::Players => self.seating.players.len() as u8,
            Fact::LastMovedAt => Fact::place(state.last_moved.map(|last| state.place_of(last.seat(), last.pawn()))),
            Fact::ToAsOther => Fact::place(self.board.seen_as(context.own, context.other, context.to)),
            Fact::Argument => context.argument.0,
            Fact::BonusesNow => {
                state.hand.bonuses.iter().filter(|bonus| bonus.due == Due::Now && bonus.steps.0 > 0).count() as u8
            }
            Fact::NumbersLeft => state.numbers_left() as u8,
            _ => 0,
        };
        i32::from(amount)
    }
}
