//! Carries out an action: spends its numbers, moves the pawns, captures, and applies the `on` lines.

use crate::units::{Due, MAX_PAWNS, PathPlace, PawnIndex, PawnOfSeat, Pips, Seat, SquareId};
use arrayvec::ArrayVec;

use super::companions::pawns_of;
use super::context::Context;
use super::state::{Action, ActionKind, State};
use super::watch::{Happening, HappeningKind, Watch};
use crate::play::engine::Engine;
use crate::tables::{Event, LineId, Mover, NO_LINE, Reunite, Verdict};

impl State {
    /// Forgets which pawns moved and which parted, because the following actions move the pawns of another colour.
    pub(crate) fn forget_moves(&mut self) {
        for thrown in &mut self.hand.banked[..self.hand.throws as usize] {
            (thrown.moved, thrown.parted) = (0, 0);
        }
        self.apart = Default::default();
    }
}

impl Engine {
    /// Carries out a legal action. Seats may finish by it, and the game may be over. The caller decides whose turn is
    /// next.
    pub(crate) fn perform(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) {
        let colour = self.colour(state);
        match action.kind {
            ActionKind::Pass => {
                state.hand.drop_numbers();
                state.hand.drop_bonuses(Due::Now);
                state.hand.drop_bonuses(Due::After);
                if state.owed == [0; 2] {
                    state.hand.drop_bonuses(Due::Last);
                }
                tell_of_seat(watch, HappeningKind::Passed, state.turn, 0);
            }
            ActionKind::Choice => self.choose(state, action, watch),
            ActionKind::Move => self.perform_move(state, action, watch),
        }
        let comes_home = action.kind == ActionKind::Move && action.to == self.board.home();
        if (comes_home || self.brings_home) && self.end_moment(state, watch).is_break() {
            return;
        }
        if self.colour(state) != colour {
            state.forget_moves();
        }
    }

    fn perform_move(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) {
        let colour = self.colour(state);
        let line = &self.moves.spend[action.line as usize];
        watch.fired(line.line);
        let mut context = self.asked_of(state, colour, action);
        let (answer, verdict) = self.answer_to(state, line.mover, &context, action);
        if watch.hears_refusals() {
            self.tell_way(state, line, &context, watch);
        }
        let moving = self.movers_of(state, action);
        self.pay(state, action, moving, colour);
        let movers: ArrayVec<PawnIndex, MAX_PAWNS> = pawns_of(moving).collect();
        let passed = !self.events.on[Event::PassedOwnPair as usize].is_empty() && self.passes_own_pair(state, &context);
        if verdict != NO_LINE {
            watch.fired(verdict);
        }
        self.strike(state, &mut context, answer, watch);
        for &pawn in &movers {
            context.pawn = pawn;
            context.from = state.place_of(colour, pawn);
            self.put(state, &context, watch);
        }
        context.from = action.from;
        context.pawn = action.pawn;
        state.last_moved = Some(PawnOfSeat::new(colour, action.pawn));
        self.rules_after(state, &context, &movers, passed, watch);
    }

    /// The verdict for the landing of an action, and the line that gives it.
    fn answer_to(&self, state: &State, mover: Mover, context: &Context, action: &Action) -> (Verdict, LineId) {
        let square = self.square(context.own, action.to);
        self.verdict_at(state, mover, context, square)
    }

    fn pay(&self, state: &mut State, action: &Action, moving: u8, colour: Seat) {
        let hand = &mut state.hand;
        if let Some(throw) = action.throw {
            let thrown = &mut hand.banked[throw.index()];
            thrown.left &= !action.numbers;
            thrown.moved |= moving;
        } else {
            let index = action.numbers as usize;
            hand.bonuses.copy_within(index + 1.., index);
            hand.granted -= 1;
            hand.bonuses[hand.granted as usize..].fill(Default::default());
        }
        if self.turn.reunite == Reunite::Throw {
            // A pawn that has moved since does not count as left behind.
            let throws = &mut state.hand.banked[..state.hand.throws as usize & 31];
            throws.iter_mut().for_each(|thrown| thrown.parted &= !moving);
        }
        self.part(state, action, colour);
    }

    /// Records which pawns a moving pawn leaves behind, on a place where pairs count.
    fn part(&self, state: &mut State, action: &Action, colour: Seat) {
        if !action.from.is_in(self.board.pairing) || action.is_joint() {
            return;
        }
        let square = self.square(colour, action.from);
        if self.seen_by(state, colour, square) & 3 < 2 {
            return;
        }
        let mut left = 0u8;
        for pawn in PawnIndex::all(self.pawns.count) {
            if pawn != action.pawn && self.square(colour, state.place_of(colour, pawn)) == square {
                left |= pawn.alone();
                state.apart[pawn.index()] |= action.pawn.alone();
            }
        }
        state.apart[action.pawn.index()] |= left;
        if let Some(throw) = action.throw {
            state.hand.banked[throw.index()].parted |= left;
        }
    }

    /// Moves one pawn of `context.own` from `context.from` to `context.to`.
    pub(crate) fn put(&self, state: &mut State, context: &Context, watch: &mut dyn Watch) {
        let colour = context.own;
        let (from, to) = (self.square(colour, context.from), self.square(colour, context.to));
        state.at[colour.index()][context.pawn.index()] = context.to;
        self.leave(state, colour, from);
        self.arrive(state, colour, to);
        if self.tracks_newest {
            self.note_newest(state, context, to);
        }
        tell(watch, HappeningKind::Moved, colour, context.pawn, context.from, context.to, context.number);
        if context.from == PathPlace::OUT {
            tell(watch, HappeningKind::Entered, colour, context.pawn, context.from, context.to, context.number);
        }
        if context.to == self.board.home() {
            tell(watch, HappeningKind::Home, colour, context.pawn, context.from, context.to, context.number);
        }
    }

    fn note_newest(&self, state: &mut State, context: &Context, square: Option<SquareId>) {
        let alone = square.is_some() && state.on(square) == 1 << (2 * context.own.0);
        let seats = if alone { &[] } else { &self.seating.players[..] };
        for &seat in seats {
            for pawn in PawnIndex::all(self.pawns.count) {
                if self.square(seat, state.place_of(seat, pawn)) == square {
                    state.newest[seat.index()] &= !pawn.alone();
                }
            }
        }
        state.newest[context.own.index()] |= context.pawn.alone();
    }

    /// The enemy pawn that came last to the square of `context.to`: its seat and index. With `partners_too`, the
    /// partner's pawns count as enemies.
    fn newest_on(&self, state: &State, context: &Context, partners_too: bool) -> Option<(Seat, PawnIndex)> {
        let mut last = None;
        self.each_enemy(state, context, partners_too, |seat, pawn| {
            let newest = pawn.is_in(state.newest[seat.index()]);
            if last.is_none() || newest {
                last = Some((seat, pawn));
            }
        });
        last
    }

    fn each_enemy(&self, state: &State, context: &Context, partners_too: bool, mut each: impl FnMut(Seat, PawnIndex)) {
        let partners_too = partners_too || self.partners_fall(state, context);
        let square = self.square(context.own, context.to);
        let here = state.on(square);
        for &seat in &self.seating.players {
            let spared = seat == context.own || seat == self.seating.partner[context.own.index()] && !partners_too;
            if spared || here >> (2 * seat.0) & 3 == 0 {
                continue;
            }
            for pawn in PawnIndex::all(self.pawns.count) {
                if self.square(seat, state.place_of(seat, pawn)) == square {
                    each(seat, pawn);
                }
            }
        }
    }

    /// Captures the pawns that a verdict names. If any pawn is captured, sets `victims` to their count and `other` to
    /// the seat of the pawn that came last.
    pub(crate) fn strike(&self, state: &mut State, context: &mut Context, answer: Verdict, watch: &mut dyn Watch) {
        let last = match answer {
            Verdict::Cut | Verdict::CutLast => self.newest_on(state, context, false),
            Verdict::CutLastOfAll => self.newest_on(state, context, true),
            _ => None,
        };
        let Some((captured, pawn)) = last else { return };
        let only = (answer != Verdict::Cut).then_some((captured, pawn));
        context.victims = self.capture(state, context, only, watch);
        context.other = captured;
    }

    /// Whether a capture takes the partner's pawns: it does if no enemy stands on the square.
    fn partners_fall(&self, state: &State, context: &Context) -> bool {
        let here = state.on(self.square(context.own, context.to));
        let partner = self.seating.partner[context.own.index()];
        !self
            .seating
            .players
            .iter()
            .any(|&seat| seat != context.own && seat != partner && here >> (2 * seat.0) & 3 != 0)
    }

    /// Captures the enemies on the square of `context.to`, or only the pawn `only`. Returns the count of captured
    /// pawns.
    pub(crate) fn capture(
        &self,
        state: &mut State,
        context: &Context,
        only: Option<(Seat, PawnIndex)>,
        watch: &mut dyn Watch,
    ) -> u8 {
        let mut fallen = [(Seat(0), PawnIndex::FIRST, PathPlace::OUT); 32];
        let mut count = 0;
        self.each_enemy(state, context, only.is_some(), |seat, pawn| {
            if only.is_none_or(|one| one == (seat, pawn)) {
                fallen[count] = (seat, pawn, state.place_of(seat, pawn));
                count += 1;
            }
        });
        for &(seat, pawn, from) in &fallen[..count] {
            self.send_off(state, seat, pawn, self.pawns.cut_to);
            tell(watch, HappeningKind::Cut, seat, pawn, from, self.pawns.cut_to, Pips(0));
        }
        for &(seat, pawn, from) in &fallen[..count] {
            if self.events.on[Event::Lost as usize].is_empty() {
                break;
            }
            let victims = fallen[..count].iter().filter(|&&(other, ..)| other == seat).count() as u8;
            let lost =
                Context { own: seat, other: context.own, pawn, from, to: self.pawns.cut_to, victims, ..*context };
            self.answer(state, Event::Lost, &lost, watch);
        }
        count as u8
    }

    /// Puts a pawn on a place, without a landing there.
    pub(crate) fn send_off(&self, state: &mut State, seat: Seat, pawn: PawnIndex, place: PathPlace) {
        let square = self.square(seat, state.place_of(seat, pawn));
        state.at[seat.index()][pawn.index()] = place;
        self.leave(state, seat, square);
        self.arrive(state, seat, self.square(seat, place));
    }

    pub(crate) fn passes_own_pair(&self, state: &State, context: &Context) -> bool {
        context.to > context.from
            && state.at[context.own.index()].iter().take(self.pawns.count as usize).any(|&place| {
                context.from < place
                    && place < context.to
                    && place.is_in(self.board.pairing)
                    && self.seen_by(state, context.own, self.square(context.own, place)) & 3 > 1
            })
    }

    /// Applies the `on` lines for the events of a move, in a fixed order of events.
    pub(crate) fn rules_after(
        &self,
        state: &mut State,
        context: &Context,
        movers: &[PawnIndex],
        passed: bool,
        watch: &mut dyn Watch,
    ) {
        let home = self.board.home();
        for &pawn in movers {
            let context = Context { pawn, ..*context };
            self.answer(state, Event::Moved, &context, watch);
            if context.from == PathPlace::OUT {
                self.answer(state, Event::Entered, &context, watch);
            }
            if context.to < context.from && !(self.board.gate.is_some() && context.from <= self.board.gate_at) {
                tell(watch, HappeningKind::Left, context.own, pawn, context.from, context.to, context.number);
                self.answer(state, Event::Left, &context, watch);
            }
        }
        if context.victims > 0 {
            self.answer(state, Event::Cut, context, watch);
        }
        if passed {
            self.answer(state, Event::PassedOwnPair, context, watch);
        }
        if context.to.is_in(self.board.pairing) {
            let own = self.seen_by(state, context.own, self.square(context.own, context.to)) & 3;
            if movers.len() > 1 {
                self.answer(state, Event::PairMoved, context, watch);
            } else if own == 2 {
                tell(
                    watch,
                    HappeningKind::PairFormed,
                    context.own,
                    context.pawn,
                    context.from,
                    context.to,
                    context.number,
                );
                self.answer(state, Event::PairFormed, context, watch);
            }
        }
        if context.to == home {
            for &pawn in movers {
                self.answer(state, Event::Home, &Context { pawn, ..*context }, watch);
            }
        }
    }
}

#[inline(always)]
pub(super) fn tell(
    watch: &mut dyn Watch,
    kind: HappeningKind,
    seat: Seat,
    pawn: PawnIndex,
    from: PathPlace,
    to: PathPlace,
    number: Pips,
) {
    watch.event(Happening { kind, seat, pawn: Some(pawn), from, to, number: number.0 });
}

/// Reports an event that concerns a seat and no single pawn.
#[inline(always)]
pub(super) fn tell_of_seat(watch: &mut dyn Watch, kind: HappeningKind, seat: Seat, number: u8) {
    watch.event(Happening { kind, seat, pawn: None, from: PathPlace::OUT, to: PathPlace::OUT, number });
}
