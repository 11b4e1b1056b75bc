//! The legal actions by the only number or bonus that is left, as sets of pawns: a few look-ups for each pawn.

use super::actions::Actions;
use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::landing::{Landing, Road};
use super::reach::{ASKED, JOINT, LAPS, LINES, OPEN, OTHER, PawnReach, ReachRow, SECOND, WALKS};
use super::stage::HandStage;
use super::state::{Action, ActionForm, ActionKind, State};
use crate::tables::{Company, Verdict, VerdictEntry};
use crate::units::{MAX_PAWNS, PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

/// A set of actions, one bit each: for each line of a row, 16 bits, one for each pawn. An action with a lower bit comes
/// earlier in the list of legal actions.
pub(super) type OneNumberBits = u64;

/// The only part of the hand that can be spent next.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnlyPart {
    pub size: Pips,
    /// The throw. `None` for a bonus.
    pub throw: Option<ThrowIndex>,
    /// The bit of the number, or the index of the bonus.
    pub numbers: u8,
}

/// The legal actions by one number or bonus.
#[derive(Debug, Clone)]
pub(super) struct OneNumber {
    /// The actions.
    pub bits: OneNumberBits,
    colour: Seat,
    part: OnlyPart,
    lines: [u8; LINES],
    /// For each bit that is set, the place where the action ends, and whether it captures.
    ends: [(PathPlace, bool); OneNumberBits::BITS as usize],
}

impl Default for OneNumber {
    fn default() -> Self {
        OneNumber {
            bits: 0,
            colour: Seat(0),
            part: OnlyPart { size: Pips(0), throw: None, numbers: 0 },
            lines: [0; LINES],
            ends: [(PathPlace::OUT, false); OneNumberBits::BITS as usize],
        }
    }
}

impl OneNumber {
    /// The action that a bit stands for.
    #[inline(always)]
    pub(super) fn action(&self, state: &State, bit: u32) -> Action {
        let pawn = PawnIndex::new(bit as u8 & 15);
        let (to, captures) = self.ends[bit as usize & 63];
        Action {
            line: self.lines[bit as usize / 16 & 3],
            kind: ActionKind::Move,
            colour: self.colour,
            pawn,
            other: None,
            from: state.place_of(self.colour, pawn),
            to,
            throw: self.part.throw,
            numbers: self.part.numbers,
            captures,
            form: ActionForm::PLAIN,
        }
    }

    #[inline(always)]
    fn add(&mut self, reach: &PawnReach, pawn: usize, landing: Landing) {
        let bit = 16 * usize::from(reach.rank & 3) + (pawn & 15);
        self.bits |= 1 << bit;
        self.ends[bit] = (landing.to, landing.answer.captures());
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
    fn only_part(&self, state: &State) -> Option<OnlyPart> {
        let hand = &state.hand;
        if hand.granted > 0 {
            match state.stage() {
                HandStage::Numbers => {}
                HandStage::Spent => return None,
                _ if hand.granted > 1 => return None,
                _ => return Some(OnlyPart { size: hand.bonuses[0].steps, throw: None, numbers: 0 }),
            }
        }
        state.only_number().map(|only| OnlyPart { size: only.number, throw: only.throw, numbers: only.numbers })
    }

    /// Finds the legal actions by the part `part` of the hand, without a pass. `None` if the tables do not decide.
    #[inline(never)]
    fn one_number_by(&self, state: &State, part: OnlyPart, found: &mut OneNumber) -> Option<()> {
        let colour = self.colour(state);
        let road = Road { gate: self.gate_is_open(state, colour), barred: self.bars != 0 };
        let row = self.reach.row(part.throw.is_none(), part.size, road.gate, colour)?;
        let (at, count) = (&state.at[colour.index()], usize::from(self.pawns.count).min(MAX_PAWNS));
        (found.bits, found.colour, found.part, found.lines) = (0, colour, part, row.lines);
        let (mut flags, mut standing) = (0, 0u32);
        for (pawn, place) in at[..count].iter().enumerate() {
            let here = row.first[place.index() & 127].flags;
            flags |= here;
            standing |= u32::from(here & OPEN) << pawn;
        }
        if flags == 0 {
            return Some(());
        }
        let is_due = part.throw.is_none() && self.has_due();
        if flags & OTHER != 0 || is_due || state.must_spend_all() || self.may_reunite(state, part.throw) {
            return None;
        }
        standing &= !u32::from(self.hidden_twins(state, colour, flags, part.throw.is_some())?);
        if self.turn.once_per_throw {
            standing &= !u32::from(state.hand.thrown(part.throw).map_or(0, |thrown| thrown.moved));
        }
        while standing != 0 {
            let pawn = standing.trailing_zeros() as usize & 15;
            standing &= standing - 1;
            let reach = &row.first[at[pawn].index() & 127];
            let landing = self.reached_by(state, colour, PawnIndex::new(pawn as u8), row, reach, part, road);
            if let Some(landing) = landing {
                found.add(reach, pawn, landing);
            }
            if reach.flags & SECOND != 0 {
                self.add_second(state, colour, pawn, row, (reach, landing), part, road, found)?;
            }
        }
        if found.bits == 0 || self.moves.must.is_empty() { Some(()) } else { self.one_number_under(state, row, found) }
    }

    /// Adds the action of a pawn by a second line that leads from its place. `first` is the first line, and where it
    /// lands.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "as `reached_by`")]
    fn add_second(
        &self,
        state: &State,
        colour: Seat,
        pawn: usize,
        row: &ReachRow,
        first: (&PawnReach, Option<Landing>),
        part: OnlyPart,
        road: Road,
        found: &mut OneNumber,
    ) -> Option<()> {
        let second = &row.second[state.at[colour.index()][pawn].index() & 127];
        let index = PawnIndex::new(pawn as u8);
        let Some(landing) = self.reached_by(state, colour, index, row, second, part, road) else { return Some(()) };
        if first.1.is_some_and(|first| first.to == landing.to) {
            // The lines lead to the same place. If their actions differ in more than the line, both may be legal.
            let line = |reach: &PawnReach| &self.moves.spend[usize::from(row.lines[usize::from(reach.rank) & 3])];
            return line(first.0).reads_like(line(second)).then_some(());
        }
        found.add(second, pawn, landing);
        Some(())
    }

    /// The pawns that are interchangeable with a pawn of a lower number, so that they are not listed. `None` if pairs
    /// may move, or if only some pawns of a place are interchangeable. `flags` are those of the places of all pawns.
    #[inline(always)]
    pub(super) fn hidden_twins(&self, state: &State, colour: Seat, flags: u8, by_numbers: bool) -> Option<PawnSet> {
        let repeated = self.repeated(state, colour);
        let may_pair = || self.assumptions.pairs_across || self.counts_as_pair(state, colour, repeated);
        if flags & JOINT != 0 && may_pair() {
            return None;
        }
        (repeated == 0 || self.twins(state, colour, repeated, by_numbers) == repeated).then_some(repeated)
    }

    /// The landing of a pawn. `None` if it is not allowed.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "a pawn, its move, and what all pawns share")]
    pub(super) fn reached_by(
        &self,
        state: &State,
        colour: Seat,
        pawn: PawnIndex,
        row: &ReachRow,
        reach: &PawnReach,
        part: OnlyPart,
        road: Road,
    ) -> Option<Landing> {
        if reach.flags & OPEN == 0 {
            return None;
        }
        let seen = self.companies.seen_by(colour, state.occupied[usize::from(reach.slot)]);
        let mut landing = match self.moves.landing.table[usize::from(reach.class) * Company::COUNT + seen.index()] {
            VerdictEntry::Is(Verdict::Refuse, _) => return None,
            VerdictEntry::Is(answer, _) if answer != Verdict::StopBefore => Some(Landing { to: reach.to, answer }),
            _ => None,
        };
        if reach.flags & WALKS != 0 && road.barred && landing.is_some() {
            let from = state.place_of(colour, pawn);
            let gate = usize::from(reach.flags & LAPS == 0 && (road.gate || from > self.board.gate_at));
            let squares = &self.board.square[gate][colour.index()];
            let way = squares.get(from.index() + 1..from.index() + usize::from(reach.steps)).unwrap_or_default();
            if way.iter().any(|&square| state.on(square) & self.bars != 0) {
                landing = None;
            }
        }
        if landing.is_some() && reach.flags & ASKED == 0 {
            return landing;
        }
        self.reached_if(state, colour, pawn, row, reach, part, road, landing)
    }

    /// The landing of a pawn whose way or verdict has to be looked up by the lines (`known` is `None`), or whose line
    /// has a condition.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "as `reached_by`")]
    fn reached_if(
        &self,
        state: &State,
        colour: Seat,
        pawn: PawnIndex,
        row: &ReachRow,
        reach: &PawnReach,
        part: OnlyPart,
        road: Road,
        known: Option<Landing>,
    ) -> Option<Landing> {
        let line = &self.moves.spend[usize::from(row.lines[usize::from(reach.rank) & 3])];
        let from = state.place_of(colour, pawn);
        let mut context = Context { pawn, from, number: part.size, throw: part.throw, ..Context::seat(colour) };
        let landing = match known {
            Some(landing) => landing,
            None => self.landing(state, line, Pips(reach.steps), &mut context, road)?,
        };
        let context = Context { to: landing.to, ..context };
        (reach.flags & ASKED == 0 || self.holds(state, line.when, &context)).then_some(landing)
    }

    /// Keeps the actions that the first matching compulsion leaves. `None` if a compulsion has a condition that has to
    /// be evaluated by the list.
    #[inline(never)]
    fn one_number_under(&self, state: &State, row: &ReachRow, found: &mut OneNumber) -> Option<()> {
        for must in &self.moves.must {
            let mut matching = 0;
            for rank in 0..LINES {
                let of_line = found.bits & 0xffff << (16 * rank);
                if of_line == 0 || must.actions >> row.lines[rank] & 1 == 0 {
                    continue;
                }
                if must.in_hand || must.open.is_some() {
                    return None;
                }
                matching |= match must.when {
                    None => of_line,
                    Some(when) => {
                        let [mask, values] = self.marks_asked(when);
                        let marks = &state.marks[found.colour.index()];
                        let pawns = pawns_of((of_line >> (16 * rank)) as PawnSet);
                        let bit = |pawn: PawnIndex| 16 * rank + pawn.index();
                        let is_asked = |pawn: &PawnIndex| {
                            let context = || self.asked_of(state, &found.action(state, bit(*pawn) as u32));
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
    use super::super::quick::tests::{Chance, drawn};
    use super::super::state::Phase;
    use super::super::watch::Quiet;
    use super::OneNumber;
    use crate::bundled;

    #[test]
    fn the_tables_give_the_actions_that_the_search_of_any_hand_finds() {
        let (mut chance, mut compared) = (Chance(5), 0);
        for ruleset in bundled::SETS.iter().filter_map(|(id, _)| bundled::ruleset(id)) {
            let tables = (0..4).filter_map(|_| ruleset.table(&drawn(&ruleset, &mut chance), None).ok());
            for engine in tables.collect::<Vec<_>>() {
                let (mut state, mut open) = (engine.opening(engine.first_seat()), Actions::default());
                for _ in 0..600 {
                    if state.phase == Phase::Over {
                        break;
                    } else if state.phase == Phase::Throw {
                        let throw = engine.draw(&mut |n| chance.below(n));
                        engine.throw_into(&mut state, &throw, &mut open, &mut Quiet).unwrap();
                        continue;
                    }
                    if state.phase == Phase::Move && engine.quick.is_none() {
                        let mut searched = Actions::default();
                        engine.moves_of_any_hand_into(&state, &mut searched);
                        assert_eq!(searched[..], engine.legal(&state)[..], "{}: {state:?}", engine.identity.id);
                        let by_tables = engine.one_number(&state, &mut OneNumber::default())
                            || engine.two_numbers_into(&state, &mut Actions::default());
                        compared += u32::from(by_tables);
                    }
                    engine.legal_into(&state, &mut open);
                    let action = open[chance.below(open.len() as u32) as usize];
                    engine.play_unchecked(&mut state, &action, &mut open, &mut Quiet);
                }
            }
        }
        assert!(compared > 20_000, "{compared} positions only");
    }
}
