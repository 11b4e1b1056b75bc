//! What one look at the state, or at the action in question, shows.

use super::ask::Ask;
use super::evaluator::Evaluator;
use super::lanes::repeated;
use super::question::Look;
use super::state::{Banked, State};
use crate::play::standing::is_marked_where_named;
use crate::tables::{Fact, Whose};
use crate::units::{Due, Seat};

impl Evaluator {
    /// What one look shows.
    ///
    /// Apart from the loop above: within it, all that any look might need would be fetched before the first. What
    /// takes longer stands apart from it in turn.
    #[inline(never)]
    pub(super) fn look(&self, state: &State, look: Look, ask: &Ask) -> i32 {
        match look {
            Look::Known(value) => value.into(),
            Look::Fact(Fact::Number) => ask.number.into(),
            Look::Fact(Fact::From) => ask.from.into(),
            Look::Fact(Fact::To) => ask.to.into(),
            Look::Fact(Fact::Total) => total(state).into(),
            Look::Fact(Fact::Throws) => state.thrown.into(),
            Look::Fact(fact) => self.fact(state, ask, fact),
            Look::Counter(whose, index) => self.counter(state, ask, whose, index),
            Look::Mark(bit) => i32::from(state.marks[ask.own.index()][ask.pawn as usize & 7] >> bit & 1),
            Look::MarkThere(_) | Look::MarkNamed(_) => self.marked(state, look, ask),
            Look::Face(index) => state.last.faces[index as usize & 3].into(),
            Look::Pawns(index) => self.pawns_in_set(state, ask.own, index),
            Look::OtherPawns(index) => self.pawns_in_set(state, ask.other, index),
            Look::Pairs(index) => self.pairs_in_set(state, ask.own, index),
            Look::OtherPairs(index) => self.pairs_in_set(state, ask.other, index),
            Look::Part(part) => self.value_by_code(state, part, ask),
        }
    }

    #[inline(never)]
    fn marked(&self, state: &State, look: Look, ask: &Ask) -> i32 {
        i32::from(match look {
            Look::MarkThere(bit) => self.is_marked_there(state, ask, bit),
            Look::MarkNamed(bit) => is_marked_where_named(state, ask, bit),
            _ => false,
        })
    }

    #[inline(never)]
    fn pawns_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let set = &self.questions.sets[set as usize];
        let pawns = &state.at[seat.index()][..self.pawns.count as usize & 15];
        pawns.iter().map(|&at| i32::from(set.has(at))).sum()
    }

    #[inline(never)]
    fn pairs_in_set(&self, state: &State, seat: Seat, set: u32) -> i32 {
        let places = u64::from_le_bytes(state.at[seat.index()]);
        let repeated = if self.pawns.count > 4 { repeated::<8>(places) } else { repeated::<4>(places) };
        if repeated == 0 { 0 } else { self.pairs_in(state, seat, self.questions.sets[set as usize].places()) }
    }

    pub(super) fn counter(&self, state: &State, ask: &Ask, whose: Whose, index: u8) -> i32 {
        let seat = match whose {
            Whose::Own => ask.own,
            Whose::Other => ask.other,
            Whose::Partner => self.seating.partner[ask.own.index()],
            Whose::Turn => state.turn,
            Whose::Game => return i32::from(state.game[index as usize & 3]),
        };
        i32::from(state.counters[seat.index()][index as usize & 7])
    }

    #[inline(never)]
    pub(super) fn fact(&self, state: &State, ask: &Ask, fact: Fact) -> i32 {
        let doublet = || match state.hand.banked.get(ask.throw as usize) {
            Some(banked) => banked.flags & Banked::DOUBLET != 0,
            None => state.last.is_doublet(),
        };
        let truth = match fact {
            Fact::Doublet => doublet(),
            Fact::Joint => ask.joint,
            Fact::Finished => state.has_finished(ask.own),
            Fact::OtherFinished => state.has_finished(ask.other),
            Fact::InPair => self.stands_in_pair(state, ask.own, ask.pawn),
            Fact::Helping => self.colour(state) != state.turn,
            Fact::OtherIsRight => self.seating.right[ask.own.index()] == ask.other,
            Fact::IsTurn => state.turn == ask.own,
            Fact::AnyMoved => state.mover != 255 && state.mover >> 4 == ask.own.0,
            _ => return self.amount(state, ask, fact),
        };
        i32::from(truth)
    }

    fn amount(&self, state: &State, ask: &Ask, fact: Fact) -> i32 {
        let amount = match fact {
            Fact::Total => total(state),
            Fact::Number | Fact::Unplayed => ask.number,
            Fact::ThrowNumber => ask.throw.wrapping_add(1),
            Fact::Throws => state.thrown,
            Fact::Owed => state.owed[0] + state.owed[1],
            Fact::From => ask.from,
            Fact::To => ask.to,
            Fact::Victims => ask.victims,
            Fact::OwnThere => self.own_on(state, ask.own, ask.to),
            Fact::EnemiesThere => self.enemies_on(state, ask.own, ask.to),
            Fact::PawnsThere => self.pawns_on(state, ask.own, ask.to),
            Fact::Group => self.group_at(state, ask.own, ask.from),
            Fact::GroupThere => self.group_faced(state, ask.own, ask.to),
            Fact::Players => self.seating.players.len() as u8,
            Fact::LastMovedAt => match state.mover {
                255 => 255,
                mover => state.at[(mover >> 4) as usize & 3][mover as usize & 7],
            },
            Fact::ToAsOther => {
                let seen = &self.board.seen[ask.own.index()][ask.other.index()];
                seen.get(ask.to as usize).copied().unwrap_or(255)
            }
            Fact::Argument => ask.argument,
            Fact::BonusesNow => {
                state.hand.bonuses.iter().filter(|bonus| bonus.due == Due::Now && bonus.steps > 0).count() as u8
            }
            Fact::NumbersLeft => state.numbers_left() as u8,
            _ => 0,
        };
        i32::from(amount)
    }
}

/// The sum of the last throw.
#[inline(always)]
fn total(state: &State) -> u8 {
    let [a, b, c, d] = state.last.faces;
    a + b + c + d
}
