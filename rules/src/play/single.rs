//! The actions that move one pawn, before looking ahead.

use super::actions::Actions;
use super::candidates::{Decision, Movers, OfEach, moving};
use super::context::Context;
use super::engine::Engine;
use super::landing::Landing;
use super::offers::Offer;
use super::state::State;
use crate::tables::{Company, Places, Verdict, VerdictEntry};
use crate::units::{MAX_STEP, PathPlace, PawnIndex, PawnSet, Pips, Seat};

impl Engine {
    /// Adds one action for every pawn of `movers` that can move alone by the part of the hand that `offer` names.
    #[inline(always)]
    pub(super) fn single_movers(
        &self,
        state: &State,
        decision: &Decision,
        index: u8,
        movers: Movers,
        offer: &Offer,
        out: &mut Actions,
    ) {
        let &Decision { colour, gate, .. } = decision;
        let line = &self.moves.spend[index as usize];
        if line.steps.is_none() && offer.number > MAX_STEP {
            return;
        }
        let mut context = Context { number: offer.number, throw: offer.throw, ..Context::seat(colour) };
        let holding = if movers.fulfil { [Places::MAX; 2] } else { self.spend_lines.holding(index, offer.number) };
        let [may, sure] = holding;
        if may == 0 {
            return;
        }
        let when = if may == sure { Some(OfEach::ALWAYS) } else { self.asked_of_each(state, line, &context) };
        let Some(when) = when else { return };
        if self.spend_lines.is_plain(index) && !self.may_reunite(state, offer.throw) {
            return self.plain_movers(state, decision, (index, when, holding), movers.pawns, offer, out);
        }
        let asks_first = self.spend_lines.asks_first(index);
        let mut pawns = movers.pawns;
        while pawns != 0 {
            let pawn = PawnIndex::new(pawns.trailing_zeros() as u8);
            pawns &= pawns - 1;
            (context.pawn, context.from) = (pawn, state.place_of(colour, pawn));
            if !context.from.is_in(may) {
                continue;
            }
            if asks_first && !self.holds_of(state, when, &context) {
                continue;
            }
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let Some(landing) = self.landing(state, line, steps, &mut context, gate) else { continue };
            if self.reunites(state, &context, landing.to) || !asks_first && !self.holds_of(state, when, &context) {
                continue;
            }
            let action = moving(index, &context, offer, landing);
            if self.spend_lines.has_like(index) && out.iter().any(|listed| self.is_same_way(state, listed, &action)) {
                continue;
            }
            out.push(action);
            if decision.any {
                return;
            }
        }
    }

    /// Adds one action for every pawn of `movers` that can move by the number of `offer` and by a plain line: along the
    /// path, by as many steps as the number says, at most [`MAX_STEP`]. Call it only while no parted pair has to stay
    /// apart.
    #[inline(always)]
    fn plain_movers(
        &self,
        state: &State,
        decision: &Decision,
        (index, when, [may, sure]): (u8, OfEach, [Places; 2]),
        mut movers: PawnSet,
        offer: &Offer,
        out: &mut Actions,
    ) {
        let &Decision { colour, gate, .. } = decision;
        let places = &state.at[colour.index()];
        let asks_first = self.spend_lines.asks_first(index);
        while movers != 0 {
            let pawn = PawnIndex::new(movers.trailing_zeros() as u8);
            movers &= movers - 1;
            let from = places[pawn.index()];
            if !from.is_in(may) {
                continue;
            }
            let asked = if from.is_in(sure) { OfEach::ALWAYS } else { when };
            let (number, throw) = (offer.number, offer.throw);
            let context = || Context { pawn, from, number, throw, ..Context::seat(colour) };
            if asks_first && !self.holds_of(state, asked, &context()) {
                continue;
            }
            let landing = match self.plain_landing(state, colour, from, number, gate) {
                Ok(landing) => landing,
                Err(()) => self.landing(state, &self.moves.spend[index as usize], number, &mut context(), gate),
            };
            let Some(landing) = landing else { continue };
            if !asks_first && !self.holds_of(state, asked, &Context { to: landing.to, ..context() }) {
                continue;
            }
            out.push(moving(index, &context(), offer, landing));
            if decision.any {
                return;
            }
        }
    }

    /// The landing of one pawn along the path, if the tables decide it without a condition. `Err` if a pawn may bar the
    /// way, or if the verdict depends on a condition or on the places before.
    #[inline(always)]
    fn plain_landing(
        &self,
        state: &State,
        colour: Seat,
        from: PathPlace,
        steps: Pips,
        is_open: bool,
    ) -> Result<Option<Landing>, ()> {
        let gate = usize::from(is_open || from > self.board.gate_at);
        let target = from.ahead(steps) & 255;
        let Some(to) = self.board.lands[gate][target] else { return Ok(None) };
        let squares = &self.board.square[gate][colour.index()];
        let seen = self.companies.seen_by(colour, state.on(squares[target]));
        let row = usize::from(self.board.class[colour.index()][to.index() & 127]) * Company::COUNT;
        let landing = match self.moves.landing.table[row + seen.index()] {
            VerdictEntry::Is(Verdict::Refuse, _) => return Ok(None),
            VerdictEntry::Is(answer, _) if answer != Verdict::StopBefore => Landing { to, answer },
            _ => return Err(()),
        };
        if self.is_clear(state, colour, from, steps, gate) { Ok(Some(landing)) } else { Err(()) }
    }
}
