//! The legal actions by the only number or bonus that is left, as sets of pawns: a few look-ups for each pawn.

use super::actions::Actions;
use super::by_part::{HandPart, MovesBy, PawnMove};
use super::companions::pawns_of;
use super::engine::Engine;
use super::lanes::all_pawns;
use super::reach::{LINES, OTHER, ReachRow, bits_of_pawns};
use super::stage::HandStage;
use super::state::{Action, ActionForm, ActionKind, State};
use crate::units::{MAX_PAWNS, PathPlace, PawnIndex, PawnSet, Pips, Seat};

/// A set of actions, one bit each: for each line of a row, 8 bits, one for each pawn, or 16 bits if there are more than
/// eight pawns. An action with a lower bit comes earlier in the list of legal actions.
pub(super) type OneNumberBits = u64;

/// The legal actions by one number or bonus.
#[derive(Debug, Clone)]
pub(super) struct OneNumber {
    /// The actions.
    pub bits: OneNumberBits,
    colour: Seat,
    part: HandPart,
    lines: [u8; LINES],
    /// The bits of a line are a power of 2; this is its exponent.
    bits_of_pawns: u32,
    /// For each bit that is set, the place where the action ends, and whether it captures.
    ends: [(PathPlace, bool); OneNumberBits::BITS as usize],
    /// The lines that move groups, one bit each.
    groups: u8,
}

impl Default for OneNumber {
    fn default() -> Self {
        OneNumber {
            bits: 0,
            colour: Seat(0),
            part: HandPart { size: Pips(0), throw: None, numbers: 0 },
            lines: [0; LINES],
            bits_of_pawns: 3,
            ends: [(PathPlace::OUT, false); OneNumberBits::BITS as usize],
            groups: 0,
        }
    }
}

impl OneNumber {
    /// The action that a bit stands for.
    #[inline(always)]
    pub(super) fn action(&self, state: &State, bit: u32) -> Action {
        let rank = (bit >> self.bits_of_pawns & 7) as usize;
        let pawn = PawnIndex::new((bit & ((1 << self.bits_of_pawns) - 1)) as u8 & 15);
        let (to, captures) = self.ends[bit as usize & 63];
        let from = state.place_of(self.colour, pawn);
        let is_mate = |other: &PawnIndex| *other != pawn && state.place_of(self.colour, *other) == from;
        Action {
            line: self.lines[rank],
            kind: ActionKind::Move,
            colour: self.colour,
            pawn,
            other: if self.groups >> rank & 1 == 0 { None } else { PawnIndex::all(MAX_PAWNS as u8).find(is_mate) },
            from,
            to,
            throw: self.part.throw,
            numbers: self.part.numbers,
            captures,
            form: ActionForm::PLAIN,
        }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, pawn: PawnIndex, found: PawnMove) {
        self.note(pawn, found.rank, (found.landing.to, found.landing.answer.captures()), 1);
    }

    /// Adds the action of a pawn if the lowest bit of `is_legal` is set.
    #[inline(always)]
    pub(super) fn note(&mut self, pawn: PawnIndex, rank: u8, end: (PathPlace, bool), is_legal: PawnSet) {
        let bit = (usize::from(rank) << self.bits_of_pawns) + pawn.index() & 63;
        self.bits |= OneNumberBits::from(is_legal & 1) << bit;
        self.ends[bit] = end;
    }
}

impl Engine {
    /// Finds the legal actions by the only number or bonus that is left, without a pass. False if the tables do not
    /// decide.
    #[inline(always)]
    pub(super) fn one_number(&self, state: &State, found: &mut OneNumber) -> bool {
        let part = self.only_part(state).filter(|part| self.reach.holds(part.throw.is_none(), part.size));
        part.is_some_and(|part| self.one_number_by(state, part, found).is_some())
    }

    /// Adds the actions of a set to a list, in the order of the list.
    pub(super) fn one_number_into(&self, state: &State, found: &OneNumber, out: &mut Actions) {
        let mut bits = found.bits;
        while bits != 0 {
            out.push(found.action(state, bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }

    /// The part of the hand that is next, if it is a single number or bonus.
    #[inline(always)]
    fn only_part(&self, state: &State) -> Option<HandPart> {
        let hand = &state.hand;
        if hand.granted > 0 {
            match state.stage() {
                HandStage::Numbers => {}
                HandStage::Spent => return None,
                _ if hand.granted > 1 => return None,
                _ => return Some(HandPart { size: hand.bonuses[0].steps, throw: None, numbers: 0 }),
            }
        }
        state.only_number().map(HandPart::from)
    }

    /// Finds the legal actions by the part `part` of the hand, without a pass. `None` if the tables do not decide.
    #[inline(never)]
    fn one_number_by(&self, state: &State, part: HandPart, found: &mut OneNumber) -> Option<()> {
        let colour = self.colour(state);
        let gate = self.gate_is_open(state, colour);
        let row = self.row_by(colour, part, gate)?;
        (found.bits, found.colour, found.part, found.lines) = (0, colour, part, row.lines);
        (found.bits_of_pawns, found.groups) = (bits_of_pawns(self.pawns.count), row.groups);
        let moves = self.moves_by(state, colour, part, row, gate);
        if moves.is_plain() {
            self.add_plain(state, &moves, found)?
        } else {
            self.add_any(state, &moves, found)?
        }
        if found.bits == 0 || self.moves.must.is_empty() { Some(()) } else { self.one_number_under(state, row, found) }
    }

    /// Adds the moves of a decision that [is plain](MovesBy::is_plain). `None` if the tables do not decide.
    #[inline(always)]
    fn add_plain(&self, state: &State, moves: &MovesBy, found: &mut OneNumber) -> Option<()> {
        let shown = all_pawns(self.pawns.count) & !moves.hidden_twins(0)?;
        moves.add_plain(self.free_pawns(state, shown, moves.part), found);
        Some(())
    }

    /// Adds the moves of any decision. `None` if the tables do not decide.
    #[inline(always)]
    fn add_any(&self, state: &State, moves: &MovesBy, found: &mut OneNumber) -> Option<()> {
        let standing = self.standing(state, moves.colour, moves.row);
        if standing.flags == 0 {
            return Some(());
        }
        // A bonus may be due before numbers. The last number is spent by every action.
        let looks_ahead = moves.part.throw.is_none() && (self.has_due() || state.must_spend_all());
        if standing.flags & OTHER != 0 || looks_ahead {
            return None;
        }
        let shown = standing.pawns & !moves.hidden_twins(standing.flags)?;
        for pawn in pawns_of(self.free_pawns(state, shown, moves.part)) {
            let reach = moves.first(pawn);
            let first = moves.single(pawn, reach);
            if let Some(first) = first {
                found.add(pawn, first);
            }
            if moves.has_further(pawn, reach) {
                for further in moves.further(pawn, first)?.into_iter().flatten() {
                    found.add(pawn, further);
                }
            }
        }
        Some(())
    }

    /// Keeps the actions that the first matching compulsion leaves. `None` if a compulsion has a condition that has to
    /// be evaluated by the list.
    #[inline(never)]
    fn one_number_under(&self, state: &State, row: &ReachRow, found: &mut OneNumber) -> Option<()> {
        let width = found.bits_of_pawns;
        let all_pawns = (1 << (1 << width)) - 1;
        for must in &self.moves.must {
            if must.actions & row.all_lines == 0 {
                continue;
            }
            let mut matching = 0;
            let mut rest = found.bits;
            while rest != 0 {
                let rank = rest.trailing_zeros() >> width;
                let of_line = found.bits & all_pawns << (rank << width);
                rest &= !of_line;
                if must.actions >> found.lines[rank as usize & 7] & 1 == 0 {
                    continue;
                }
                if must.in_hand || must.open.is_some() || must.least.is_some() {
                    return None;
                }
                matching |= match must.when {
                    None => of_line,
                    Some(when) => {
                        let [mask, values] = self.marks_asked(when);
                        let marks = &state.marks[found.colour.index()];
                        let pawns = pawns_of((of_line >> (rank << width)) as PawnSet);
                        let bit = |pawn: PawnIndex| (rank << width) + pawn.index() as u32;
                        let is_asked = |pawn: &PawnIndex| {
                            let context = || self.asked_of(state, &found.action(state, bit(*pawn)));
                            match mask {
                                0 => self.holds(state, must.when, &context()),
                                _ => marks[pawn.index()] & mask == values,
                            }
                        };
                        pawns.filter(is_asked).fold(0, |all, pawn| all | 1 << bit(pawn))
                    }
                };
            }
            if matching != 0 {
                found.bits = matching;
                break;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::actions::Actions;
    use super::super::quick::tests::{Chance, drawn, walk};
    use super::super::state::Phase;
    use super::OneNumber;
    use crate::bundled;

    #[test]
    fn the_tables_give_the_actions_that_the_search_of_any_hand_finds() {
        let (mut chance, mut compared) = (Chance(5), 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let tables = (0..4).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                walk(&engine, &mut chance, 600, |state| {
                    if state.phase == Phase::Move && engine.quick.is_none() {
                        let mut searched = Actions::default();
                        engine.moves_of_any_hand_into(state, &mut searched);
                        assert_eq!(searched[..], engine.legal(state)[..], "{}: {state:?}", engine.identity.id);
                        let by_tables = engine.one_number(state, &mut OneNumber::default())
                            || engine.several_numbers_into(state, &mut Actions::default());
                        compared += u32::from(by_tables);
                    }
                });
            }
        }
        assert!(compared > 20_000, "{compared} positions only");
    }
}
