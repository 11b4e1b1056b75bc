//! Carries out an action: spends its numbers, moves the pawns, captures, and applies the `on` lines.

use super::companions::pawns_of;
use super::context::Context;
use super::engine::Engine;
use super::passing::Crossed;
use super::state::{Action, ActionKind, State};
use super::watch::{Cause, HappeningKind, Watch, report_pawn_event, report_seat_event};
use crate::tables::{Event, EventSet, Places, Reunite, Route};
use crate::units::{Due, PathPlace, PawnIndex, PawnOfSeat, PawnSet, Seat, SquareId};

impl State {
    /// Clears the record of pawns that moved or parted. Called when the next actions move the pawns of another colour.
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
    pub(crate) fn perform(&self, state: &mut State, action: &Action, watch: &mut impl Watch) {
        let colour = self.colour(state);
        let brings_home = match action.kind {
            ActionKind::Pass => {
                self.pass(state, watch);
                false
            }
            ActionKind::Choice => {
                self.choose(state, action, watch);
                self.homecoming.by_choices
            }
            ActionKind::Move => {
                self.perform_move(state, action.colour, action, watch);
                self.homecoming.by_moves || action.to == self.board.home()
            }
        };
        if brings_home && self.end_moment(state, watch).is_break() {
            return;
        }
        if self.colour(state) != colour {
            state.forget_moves();
        }
    }

    fn pass(&self, state: &mut State, watch: &mut dyn Watch) {
        state.hand.drop_numbers();
        state.hand.drop_bonuses(Due::Now);
        state.hand.drop_bonuses(Due::After);
        if state.owed == [0; 2] {
            state.hand.drop_bonuses(Due::Last);
        }
        report_seat_event(watch, HappeningKind::Passed, state.turn, 0);
    }

    #[inline(always)]
    fn perform_move(&self, state: &mut State, colour: Seat, action: &Action, watch: &mut impl Watch) {
        let line = &self.moves.spend[action.line as usize];
        let may_strike = action.captures || self.swaps || self.cuts_in_passing;
        if !watch.hears_lines() && !may_strike && line.route != Route::Stay && !self.is_answered(Event::PassedOwnPair) {
            return self.perform_alone(state, colour, action, watch);
        }
        watch.fired(line.line);
        if line.route == Route::Stay {
            return self.stay(state, colour, action, watch);
        }
        let mut context = self.asked_of(state, action);
        let (answer, verdict) = self.verdict_at(state, line.mover, &context, self.square(colour, action.to));
        if watch.hears_refusals() {
            self.tell_way(state, line, &context, watch);
        }
        let movers = self.movers_of(state, action);
        let crossed = if self.cuts_in_passing { self.crossed(state, line, &context) } else { Crossed::new() };
        watch.begins(Cause { line: line.line, event: None, seat: colour, pawns: movers });
        self.pay(state, action, movers, colour);
        let passed = self.is_answered(Event::PassedOwnPair)
            && self.has_own_pair(state, colour, self.board.crossed(line.route, context.from, context.to));
        if let Some(verdict) = verdict {
            watch.fired(verdict);
        }
        if crossed.is_empty() {
            self.strike_by((verdict, movers), state, &mut context, answer, watch);
        } else {
            self.strike_along(&crossed, (verdict, movers), state, &mut context, answer, watch);
        }
        for pawn in pawns_of(movers) {
            // The place is read again, because an `on` line for the event `lost` may have moved this pawn.
            self.put(state, &Context { pawn, from: state.place_of(colour, pawn), ..context }, watch);
        }
        state.last_moved = Some(PawnOfSeat::new(colour, action.pawn));
        self.rules_after(state, &context, movers, passed, watch);
        watch.ends();
    }

    /// Carries out a move that moves no pawns of other colours, for a watcher that hears no lines.
    #[inline(always)]
    fn perform_alone(&self, state: &mut State, colour: Seat, action: &Action, watch: &mut impl Watch) {
        let movers = if action.is_joint() { self.movers_of(state, action) } else { action.pawn.alone() };
        let is_followed = self.answered & OF_MOVES != 0;
        let context = if is_followed { self.asked_of(state, action) } else { Context::seat(colour) };
        self.pay(state, action, movers, colour);
        for pawn in pawns_of(movers) {
            self.advance(state, colour, pawn, [state.place_of(colour, pawn), action.to]);
        }
        state.last_moved = Some(PawnOfSeat::new(colour, action.pawn));
        if is_followed {
            self.rules_after(state, &context, movers, false, watch);
        }
    }

    /// Spends a number on pawns that stay where they stand, and applies the `on` lines for the event.
    #[inline(never)]
    fn stay(&self, state: &mut State, colour: Seat, action: &Action, watch: &mut impl Watch) {
        let (context, movers) = (self.asked_of(state, action), self.movers_of(state, action));
        watch.begins(Cause {
            line: self.moves.spend[action.line as usize].line,
            event: None,
            seat: colour,
            pawns: movers,
        });
        self.spend(state, action, movers);
        for pawn in pawns_of(movers) {
            let context = Context { pawn, ..context };
            self.tell_move(watch, HappeningKind::Stayed, &context);
            self.answer(state, Event::Stayed, &context, watch);
        }
        watch.ends();
    }

    /// Pays for a move: spends its number or bonus, and records which pawns the moving pawns leave behind.
    pub(super) fn pay(&self, state: &mut State, action: &Action, moving: PawnSet, colour: Seat) {
        self.spend(state, action, moving);
        if self.turn.reunite == Reunite::Throw {
            // A pawn that an earlier move left behind no longer counts as left behind when it moves itself.
            let throws = &mut state.hand.banked[..state.hand.throws as usize & 31];
            throws.iter_mut().for_each(|thrown| thrown.parted &= !moving);
        }
        self.part(state, action, colour);
    }

    /// Takes the number or bonus of an action out of the hand.
    #[inline(always)]
    fn spend(&self, state: &mut State, action: &Action, moving: PawnSet) {
        let hand = &mut state.hand;
        if let Some(throw) = action.throw {
            let thrown = &mut hand.banked[throw.index()];
            thrown.left &= !action.numbers;
            if self.turn.asks_moved() {
                thrown.moved |= moving;
            }
        } else {
            let index = action.numbers as usize;
            hand.bonuses.copy_within(index + 1.., index);
            hand.granted -= 1;
            hand.bonuses[hand.granted as usize..].fill(Default::default());
        }
    }

    /// Records which pawns a moving pawn leaves behind, on a place where pairs count, if any rule asks for them.
    fn part(&self, state: &mut State, action: &Action, colour: Seat) {
        if self.turn.reunite == Reunite::Free || !action.from.is_in(self.board.pairing) || action.is_joint() {
            return;
        }
        let square = self.square(colour, action.from);
        if state.count_on(square, colour) < 2 {
            return;
        }
        let left = self.standing_on(state, colour, square) & !action.pawn.alone();
        if self.turn.asks_apart() {
            state.apart[action.pawn.index()] |= left;
            pawns_of(left).for_each(|pawn| state.apart[pawn.index()] |= action.pawn.alone());
        } else if let Some(throw) = action.throw {
            state.hand.banked[throw.index()].parted |= left;
        }
    }

    /// Moves one pawn of `context.own` from `context.from` to `context.to`.
    #[inline(always)]
    pub(crate) fn put(&self, state: &mut State, context: &Context, watch: &mut impl Watch) {
        self.advance(state, context.own, context.pawn, [context.from, context.to]);
        self.tell_move(watch, HappeningKind::Moved, context);
        if context.from == PathPlace::OUT {
            self.tell_move(watch, HappeningKind::Entered, context);
        }
        if context.to == self.board.home() {
            self.tell_move(watch, HappeningKind::Home, context);
        }
    }

    /// Puts a pawn from its place on another one.
    #[inline(always)]
    pub(super) fn advance(&self, state: &mut State, colour: Seat, pawn: PawnIndex, [from, to]: [PathPlace; 2]) {
        let [left, reached] = [from, to].map(|place| self.square(colour, place));
        state.at[colour.index()][pawn.index()] = to;
        self.leave(state, colour, left);
        self.arrive(state, colour, reached);
        if self.tracks_newest {
            self.note_newest(state, PawnOfSeat::new(colour, pawn), reached);
        }
    }

    #[inline(never)]
    fn note_newest(&self, state: &mut State, arrived: PawnOfSeat, square: Option<SquareId>) {
        let (colour, pawn) = (arrived.seat(), arrived.pawn());
        let alone = square.is_some() && state.on(square) == 1 << (2 * colour.0);
        let seats = if alone { &[] } else { &self.seating.colours[..] };
        for &seat in seats {
            state.newest[seat.index()] &= !self.standing_on(state, seat, square);
        }
        state.newest[colour.index()] |= pawn.alone();
    }

    /// Whether two pawns of a colour stand on one square of these places, where pairs count.
    pub(crate) fn has_own_pair(&self, state: &State, colour: Seat, places: Places) -> bool {
        state.at[colour.index()].iter().take(self.pawns.count as usize).any(|&place| {
            place.is_in(self.board.pairing & places) && state.count_on(self.square(colour, place), colour) > 1
        })
    }

    /// Applies the `on` lines for the events of a move, in a fixed order of events. `movers` has one bit for each pawn
    /// that moved.
    #[inline(always)]
    pub(crate) fn rules_after(
        &self,
        state: &mut State,
        context: &Context,
        movers: PawnSet,
        passed: bool,
        watch: &mut impl Watch,
    ) {
        let is_joint = movers & movers.wrapping_sub(1) != 0;
        let left = context.to < context.from && context.from > self.board.gate_at;
        // The lines for the first events may move the pawns on.
        let is_paired = context.to.is_in(self.board.pairing);
        let forms = is_paired && !is_joint && state.count_on(self.square(context.own, context.to), context.own) == 2;
        if !is_joint && (left || self.answered & OF_EACH_MOVER != 0) {
            self.answer_mover(state, context, left, watch);
        } else if left || self.answered & OF_EACH_MOVER != 0 {
            for pawn in pawns_of(movers) {
                self.answer_mover(state, &Context { pawn, ..*context }, left, watch);
            }
        }
        if context.victims > 0 {
            self.answer(state, Event::Cut, context, watch);
        }
        if passed {
            self.answer(state, Event::PassedOwnPair, context, watch);
        }
        if is_paired && is_joint {
            self.answer(state, Event::PairMoved, context, watch);
        } else if forms {
            self.tell_move(watch, HappeningKind::PairFormed, context);
            self.answer(state, Event::PairFormed, context, watch);
        }
        if context.to == self.board.home() && self.is_answered(Event::Home) {
            for pawn in pawns_of(movers) {
                self.answer(state, Event::Home, &Context { pawn, ..*context }, watch);
            }
        }
    }

    /// Applies the `on` lines for the events that a joint move raises once for each pawn.
    #[inline(always)]
    fn answer_mover(&self, state: &mut State, context: &Context, left: bool, watch: &mut impl Watch) {
        self.answer(state, Event::Moved, context, watch);
        if context.from == PathPlace::OUT {
            self.answer(state, Event::Entered, context, watch);
        }
        if left {
            self.tell_move(watch, HappeningKind::Left, context);
            self.answer(state, Event::Left, context, watch);
        }
    }

    #[inline(always)]
    fn tell_move(&self, watch: &mut impl Watch, kind: HappeningKind, context: &Context) {
        report_pawn_event(watch, kind, context.own, context.pawn, context.from, context.to, context.number);
    }
}

/// The events that a joint move raises once for each pawn, except `Home`.
const OF_EACH_MOVER: EventSet = Event::Moved.alone() | Event::Entered.alone() | Event::Left.alone();

/// The events of a move that captures nothing.
const OF_MOVES: EventSet = OF_EACH_MOVER | Event::PairMoved.alone() | Event::PairFormed.alone() | Event::Home.alone();
