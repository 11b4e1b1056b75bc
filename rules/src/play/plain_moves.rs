//! The moves of all pawns in a plain decision, by masks: hardly any step depends on what stands where, so that the
//! processor rarely guesses wrong.

use super::by_part::MovesBy;
use super::companions::pawns_of;
use super::one_number::OneNumber;
use super::reach::{OPEN, WALKS};
use super::short_verdicts::{ASKS, CAPTURES, LANDS};
use crate::units::{MAX_PAWNS, PawnSet};

impl MovesBy<'_> {
    /// Adds the moves of those of `pawns` that may move, in a decision that [is plain](MovesBy::is_plain).
    #[inline(always)]
    pub(super) fn add_plain(&self, pawns: PawnSet, found: &mut OneNumber) {
        let (engine, state, colour) = (self.engine, self.state, self.colour);
        let mut asked: PawnSet = 0;
        let count = usize::from(engine.pawns.count).min(MAX_PAWNS);
        let open = (0..count).fold(0, |open, index| {
            let place = state.at[colour.index()][index];
            open | (self.row.first[place.index() & 127].flags & OPEN) << index
        });
        for pawn in pawns_of(open & pawns) {
            let reach = self.first(pawn);
            let seen = engine.companies.seen_by(colour, state.occupied[usize::from(reach.square_index)]);
            let verdict = engine.short_verdicts.at(reach.class, seen);
            let asks = verdict & ASKS != 0 || verdict != 0 && reach.flags & WALKS != 0 && self.meets_bars(pawn, reach);
            asked |= PawnSet::from(asks) << pawn.index();
            let is_sure = PawnSet::from(verdict & LANDS) & PawnSet::from(!asks);
            found.note(pawn, reach.rank, (reach.to, verdict & CAPTURES != 0), is_sure);
        }
        for pawn in pawns_of(asked) {
            if let Some(only) = self.only(pawn) {
                found.add(pawn, only);
            }
        }
    }
}
