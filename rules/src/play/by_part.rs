//! The moves of pawns by one part of the hand: a number or a bonus. They are read from the tables of
//! [`reach`](super::reach); only what the tables leave open is looked up by the lines.

use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::landing::Landing;
use super::offers::Offer;
use super::reach::{
    ASKED, ASKED_OF_GROUP, GROUP, JOINT, LAPS, MARKED, OPEN, OTHER, PawnReach, ReachRow, RowStart, SECOND, WALKS,
};
use super::state::State;
use crate::tables::{Company, Verdict, VerdictEntry};
use crate::units::{MAX_PAWNS, PathPlace, PawnIndex, PawnSet, Pips, Seat, ThrowIndex};

#[derive(Debug, Clone, Copy)]
pub(super) struct HandPart {
    pub size: Pips,
    /// The throw. `None` for a bonus.
    pub throw: Option<ThrowIndex>,
    /// The bit of the number, or the index of the bonus.
    pub numbers: u8,
}

impl From<Offer> for HandPart {
    fn from(offer: Offer) -> HandPart {
        HandPart { size: offer.number, throw: offer.throw, numbers: offer.numbers }
    }
}

/// What the moves of all pawns of a colour by one part of the hand share.
pub(super) struct MovesBy<'a> {
    pub engine: &'a Engine,
    pub state: &'a State,
    pub colour: Seat,
    pub part: HandPart,
    pub row: &'a ReachRow,
    /// Whether the gate is open.
    gate: bool,
    /// The lines of the row whose condition for the whole decision is false, one bit each.
    shut: u8,
    /// Whether pawns of a parted pair may not meet again.
    is_parted: bool,
    /// The pawns that share their place with a pawn of a lower number, one bit each.
    pub repeated: PawnSet,
}

/// Where a pawn, or the group that it leads, may move.
#[derive(Clone, Copy)]
pub(super) struct PawnMove {
    /// The index of the line in [`ReachRow::lines`].
    pub rank: u8,
    pub landing: Landing,
    /// The first of the pawns that move along.
    pub other: Option<PawnIndex>,
}

impl Engine {
    /// The moves of a colour by a part of the hand, of which `row` is the row.
    #[inline(always)]
    pub(super) fn moves_by<'a>(
        &'a self,
        state: &'a State,
        colour: Seat,
        part: HandPart,
        row: &'a ReachRow,
        gate: bool,
    ) -> MovesBy<'a> {
        let shut = if row.asks_once == 0 { 0 } else { self.shut_lines(state, colour, row) };
        let is_parted = self.may_reunite(state, part.throw);
        let repeated = self.repeated(state, colour);
        MovesBy { engine: self, state, colour, part, row, gate, shut, is_parted, repeated }
    }

    /// The row of the moves of a colour by a part of the hand. `None` if the tables do not hold them.
    #[inline(always)]
    pub(super) fn row_by(&self, colour: Seat, part: HandPart, gate: bool) -> Option<&ReachRow> {
        self.reach.row(part.throw.is_none(), part.size, gate, colour)
    }

    /// The pawns of a colour from whose places the lines of a row lead.
    #[inline(always)]
    pub(super) fn standing(&self, state: &State, colour: Seat, row: &ReachRow) -> RowStart {
        let count = usize::from(self.pawns.count).min(MAX_PAWNS);
        row.standing(&state.at[colour.index()][..count])
    }

    /// Those of some pawns that a part of the hand may still move.
    #[inline(always)]
    pub(super) fn free_pawns(&self, state: &State, pawns: PawnSet, part: HandPart) -> PawnSet {
        if self.turn.once_per_throw {
            pawns & !state.hand.thrown(part.throw).map_or(0, |thrown| thrown.moved)
        } else {
            pawns
        }
    }

    #[inline(never)]
    fn shut_lines(&self, state: &State, colour: Seat, row: &ReachRow) -> u8 {
        let (mut asked, mut shut) = (row.asks_once, 0);
        while asked != 0 {
            let rank = asked.trailing_zeros() as usize;
            let open = self.moves.spend[usize::from(row.lines[rank & 7])].open;
            shut |= u8::from(!self.holds(state, open, &Context::seat(colour))) << rank;
            asked &= asked - 1;
        }
        shut
    }
}

impl<'a> MovesBy<'a> {
    #[inline(always)]
    pub(super) fn line(&self, rank: u8) -> u8 {
        self.row.lines[usize::from(rank) & (self.row.lines.len() - 1)]
    }

    /// The moves from the place of a pawn by the first of the lines that lead single pawns.
    #[inline(always)]
    pub(super) fn first(&self, pawn: PawnIndex) -> &'a PawnReach {
        &self.row.first[self.state.place_of(self.colour, pawn).index() & 127]
    }

    /// The only move of a pawn in a decision that [is plain](MovesBy::is_plain). `None` if it is not allowed.
    #[inline(always)]
    pub(super) fn only(&self, pawn: PawnIndex) -> Option<PawnMove> {
        let reach = self.first(pawn);
        if reach.flags == 0 {
            return None;
        }
        let landing = match self.tabled(pawn, reach, false)? {
            Some(landing) => landing,
            None => self.landing_if(pawn, reach, false, None)?,
        };
        Some(PawnMove { rank: reach.rank, landing, other: None })
    }

    /// The move of a pawn by a line. `None` if it is not allowed.
    #[inline(always)]
    pub(super) fn single(&self, pawn: PawnIndex, reach: &PawnReach) -> Option<PawnMove> {
        if !self.is_open(pawn, reach) {
            return None;
        }
        let landing = self.landing(pawn, reach, false)?;
        if self.is_parted {
            let context = self.context(pawn, false, landing.to);
            if self.engine.reunites(self.state, &context, landing.to) {
                return None;
            }
        }
        Some(PawnMove { rank: reach.rank, landing, other: None })
    }

    /// Whether [`MovesBy::only`] gives all moves: the part is a number of a [plain](ReachRow::is_plain) row, and no
    /// pair is parted.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.row.is_plain && !self.is_parted && self.part.throw.is_some()
    }

    /// Whether a pawn may have further moves than the first one from its place.
    #[inline(always)]
    pub(super) fn has_further(&self, pawn: PawnIndex, reach: &PawnReach) -> bool {
        reach.flags & SECOND != 0 || reach.flags & GROUP != 0 && !self.stands_alone(pawn)
    }

    /// The pawns that are interchangeable with a pawn of a lower number, so that they are not listed. `None` if pairs
    /// may move, or if only some pawns of a place are interchangeable. `flags` are those of the places of all pawns.
    #[inline(always)]
    pub(super) fn hidden_twins(&self, flags: u16) -> Option<PawnSet> {
        let (engine, repeated) = (self.engine, self.repeated);
        let may_pair = || engine.assumptions.pairs_across || engine.counts_as_pair(self.state, self.colour, repeated);
        if flags & JOINT != 0 && may_pair() {
            return None;
        }
        let by_numbers = self.part.throw.is_some();
        (repeated == 0 || engine.twins(self.state, self.colour, repeated, by_numbers) == repeated).then_some(repeated)
    }

    /// The further moves of a pawn, by the second line and with its group. `first` is its move by the first line.
    /// `None` if the tables do not decide.
    #[inline(never)]
    pub(super) fn further(&self, pawn: PawnIndex, first: Option<PawnMove>) -> Option<[Option<PawnMove>; 2]> {
        let place = self.state.place_of(self.colour, pawn).index() & 127;
        let flags = self.row.first[place].flags;
        let mut second = None;
        if flags & SECOND != 0 {
            second = self.single(pawn, &self.row.second[place]);
            if let (Some(first), Some(second)) = (first, second)
                && first.landing.to == second.landing.to
            {
                // The lines lead to the same place. If their actions differ in more than the line, both may be legal.
                let line = |found: PawnMove| &self.engine.moves.spend[usize::from(self.line(found.rank))];
                return line(first).reads_like(line(second)).then_some([None, self.with_group(pawn)]);
            }
        }
        Some([second, self.with_group(pawn)])
    }

    /// The move of a pawn by its first line, or with its group. `None` if the pawn may move both ways, or if the tables
    /// do not decide. No second line leads from its place.
    #[inline(always)]
    pub(super) fn alone_or_together(&self, pawn: PawnIndex) -> Option<Option<PawnMove>> {
        let reach = self.first(pawn);
        let alone = self.single(pawn, reach);
        if !self.has_further(pawn, reach) {
            return Some(alone);
        }
        match self.further(pawn, alone)? {
            [_, Some(together)] => alone.is_none().then_some(Some(together)),
            [_, None] => Some(alone),
        }
    }

    /// The move of the group that a pawn leads.
    #[inline(always)]
    fn with_group(&self, pawn: PawnIndex) -> Option<PawnMove> {
        let (engine, state) = (self.engine, self.state);
        let place = state.place_of(self.colour, pawn);
        let reach = &self.row.group[place.index() & 127];
        if self.repeated == 0 || !self.is_open(pawn, reach) {
            return None;
        }
        let line = &engine.moves.spend[usize::from(self.line(reach.rank))];
        let moved = state.hand.thrown(self.part.throw).map_or(0, |thrown| thrown.moved);
        let others = engine.others_of(state, self.colour, line.mover, pawn, moved);
        if others == 0 {
            return None;
        }
        let landing = self.landing(pawn, reach, true)?;
        let first = pawns_of(others).next();
        // The others stand on the same place, so that a pawn that no rule can tell from the first one can move as well.
        let context = self.context(pawn, true, landing.to);
        let joins = |other: PawnIndex| {
            engine.are_alike(state, self.colour, pawn, other)
                || engine.stays_together(state, line, Pips(reach.steps), other, &context, self.gate)
        };
        if !pawns_of(others).all(joins) {
            return None;
        }
        Some(PawnMove { rank: reach.rank, landing, other: first })
    }

    fn context(&self, pawn: PawnIndex, joint: bool, to: PathPlace) -> Context {
        let from = self.state.place_of(self.colour, pawn);
        let (number, throw) = (self.part.size, self.part.throw);
        Context { pawn, from, to, number, throw, joint, ..Context::seat(self.colour) }
    }

    /// The landing of a pawn, or of the group that it leads. `None` if it is not allowed.
    #[inline(always)]
    fn landing(&self, pawn: PawnIndex, reach: &PawnReach, joint: bool) -> Option<Landing> {
        let landing = self.tabled(pawn, reach, joint)?;
        if landing.is_some() && !self.is_asked(pawn, reach) {
            return landing;
        }
        self.landing_if(pawn, reach, joint, landing)
    }

    /// The landing of a pawn, or of the group that it leads, by the tables. `None` if it is not allowed, `Some(None)`
    /// if the way or the verdict has to be looked up by the lines.
    #[inline(always)]
    fn tabled(&self, pawn: PawnIndex, reach: &PawnReach, joint: bool) -> Option<Option<Landing>> {
        let (engine, state) = (self.engine, self.state);
        let seen = engine.companies.seen_by(self.colour, state.occupied[usize::from(reach.square_index)]);
        let table = &engine.moves.landing;
        let row = usize::from(reach.class) + if joint { usize::from(table.classes) } else { 0 };
        let landing = match table.table[row * Company::COUNT + seen.index()] {
            VerdictEntry::Is(Verdict::Refuse, _) => return None,
            VerdictEntry::Is(answer, _) if answer != Verdict::StopBefore => Landing { to: reach.to, answer },
            _ => return Some(None),
        };
        let is_free = reach.flags & WALKS == 0 || !self.meets_bars(pawn, reach);
        Some(is_free.then_some(landing))
    }

    /// Whether pawns that may bar the way stand between a pawn and the place that it reaches.
    #[inline(always)]
    pub(super) fn meets_bars(&self, pawn: PawnIndex, reach: &PawnReach) -> bool {
        let from = self.state.place_of(self.colour, pawn);
        let gate = usize::from(reach.flags & LAPS == 0 && (self.gate || from > self.engine.board.gate_at));
        !self.engine.is_clear(self.state, self.colour, from, Pips(reach.steps), gate)
    }

    /// Whether a line leads on from the place of a pawn: no condition on the decision or on the marks of the pawn shuts
    /// it.
    #[inline(always)]
    fn is_open(&self, pawn: PawnIndex, reach: &PawnReach) -> bool {
        reach.flags & OPEN != 0
            && self.shut >> reach.rank & 1 == 0
            && (reach.flags & MARKED == 0 || self.has_marks(pawn, reach))
    }

    /// Whether the condition of the line has to be evaluated for a pawn.
    #[inline(always)]
    fn is_asked(&self, pawn: PawnIndex, reach: &PawnReach) -> bool {
        reach.flags & ASKED != 0 || reach.flags & ASKED_OF_GROUP != 0 && !self.stands_alone(pawn)
    }

    /// Whether a pawn has the marks that the condition of the line asks for.
    #[inline(always)]
    fn has_marks(&self, pawn: PawnIndex, reach: &PawnReach) -> bool {
        let [mask, values] = self.row.marks[usize::from(reach.rank) & (self.row.marks.len() - 1)];
        self.state.marks[self.colour.index()][pawn.index()] & mask == values
    }

    /// Whether no other pawn of the colour is on the place of a pawn.
    #[inline(always)]
    fn stands_alone(&self, pawn: PawnIndex) -> bool {
        let at = &self.state.at[self.colour.index()][..usize::from(self.engine.pawns.count) & 31];
        let place = self.state.place_of(self.colour, pawn);
        self.repeated == 0 || at.iter().filter(|&&other| other == place).count() == 1
    }

    /// The landing of a pawn or group whose way or verdict has to be looked up by the lines (`known` is `None`), or
    /// whose line has a condition.
    #[inline(never)]
    fn landing_if(&self, pawn: PawnIndex, reach: &PawnReach, joint: bool, known: Option<Landing>) -> Option<Landing> {
        let (engine, state) = (self.engine, self.state);
        let line = &engine.moves.spend[usize::from(self.line(reach.rank))];
        let mut context = self.context(pawn, joint, PathPlace::OUT);
        let landing = match known {
            Some(landing) => landing,
            None => engine.landing(state, line, Pips(reach.steps), &mut context, self.gate)?,
        };
        context.to = landing.to;
        (!self.is_asked(pawn, reach) || engine.holds(state, line.when, &context)).then_some(landing)
    }

    /// Whether any pawn can move. `None` if the tables do not decide.
    pub(super) fn are_any(&self) -> Option<bool> {
        let (engine, state) = (self.engine, self.state);
        let RowStart { pawns, flags } = engine.standing(state, self.colour, self.row);
        if flags == 0 {
            return Some(false);
        }
        if flags & OTHER != 0 {
            return None;
        }
        let pawns = engine.free_pawns(state, pawns, self.part);
        for pawn in pawns_of(pawns) {
            let reach = self.first(pawn);
            if self.single(pawn, reach).is_some() {
                return Some(true);
            }
            if self.has_further(pawn, reach) && self.further(pawn, None)?.iter().any(Option::is_some) {
                return Some(true);
            }
        }
        let may_pair = || engine.assumptions.pairs_across || engine.counts_as_pair(state, self.colour, self.repeated);
        if flags & JOINT != 0 && may_pair() { None } else { Some(false) }
    }
}
