//! The actions that move one pawn, before looking ahead.

use super::actions::Actions;
use super::candidates::{Decision, Movers, OfEach, moving};
use super::context::Context;
use super::engine::Engine;
use super::landing::Landing;
use super::offers::Offer;
use super::state::{Action, ActionForm, ActionKind, State};
use crate::tables::{Company, Verdict, VerdictEntry};
use crate::units::{MAX_STEP, PawnIndex, PawnSet};

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
        let &Decision { colour, road, .. } = decision;
        let line = &self.moves.spend[index as usize];
        let mut context = Context { number: offer.number, throw: offer.throw, ..Context::seat(colour) };
        let when = if movers.fulfil { Some(OfEach::ALWAYS) } else { self.asked_of_each(state, line, &context) };
        let Some(when) = when else { return };
        if line.steps.is_none() && offer.number > MAX_STEP {
            return;
        }
        if when == OfEach::ALWAYS
            && self.spend_lines.is_plain(index)
            && !road.barred
            && !self.may_reunite(state, offer.throw)
        {
            return self.plain_movers(state, decision, index, movers.pawns, offer, out);
        }
        let asks_first = self.spend_lines.asks_first(index);
        let mut pawns = movers.pawns;
        while pawns != 0 {
            let pawn = PawnIndex::new(pawns.trailing_zeros() as u8);
            pawns &= pawns - 1;
            (context.pawn, context.from) = (pawn, state.place_of(colour, pawn));
            if asks_first && !self.holds_of(state, when, &context) {
                continue;
            }
            let Some(steps) = self.steps_of(state, line, &context) else { continue };
            let Some(landing) = self.landing(state, line, steps, &mut context, road) else { continue };
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
    /// path, by as many steps as the number says, at most [`MAX_STEP`]. Call it only while no pawns can bar the way and
    /// no parted pair has to stay apart.
    #[inline(always)]
    fn plain_movers(
        &self,
        state: &State,
        decision: &Decision,
        index: u8,
        mut movers: PawnSet,
        offer: &Offer,
        out: &mut Actions,
    ) {
        let &Decision { colour, road, .. } = decision;
        let (places, class) = (&state.at[colour.index()], &self.board.class[colour.index()]);
        while movers != 0 {
            let pawn = PawnIndex::new(movers.trailing_zeros() as u8);
            movers &= movers - 1;
            let from = places[pawn.index()];
            let gate = usize::from(road.gate || from > self.board.gate_at);
            let target = from.ahead(offer.number) & 255;
            let Some(to) = self.board.lands[gate][target] else { continue };
            let seen = self.companies.seen_by(colour, state.on(self.board.square[gate][colour.index()][target]));
            let row = usize::from(class[to.index() & 127]) * Company::COUNT;
            let landing = match self.moves.landing.table[row + seen.index()] {
                VerdictEntry::Is(Verdict::Refuse, _) => None,
                VerdictEntry::Is(answer, _) if answer != Verdict::StopBefore => Some(Landing { to, answer }),
                _ => {
                    let line = &self.moves.spend[index as usize];
                    let (number, throw) = (offer.number, offer.throw);
                    let mut context = Context { pawn, from, number, throw, ..Context::seat(colour) };
                    self.landing(state, line, number, &mut context, road)
                }
            };
            if let Some(landing) = landing {
                out.push(Action {
                    line: index,
                    kind: ActionKind::Move,
                    colour,
                    pawn,
                    other: None,
                    from,
                    to: landing.to,
                    throw: offer.throw,
                    numbers: offer.numbers,
                    captures: landing.answer.captures(),
                    form: ActionForm::PLAIN,
                });
                if decision.any {
                    return;
                }
            }
        }
    }
}
