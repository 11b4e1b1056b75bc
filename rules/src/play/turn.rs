//! The course of a turn: throws, spending, what is left over, whose turn is next.

use super::actions::Actions;
use super::candidates::Stage;
use super::game::Open;
use super::perform::tell;
use super::program::Ask;
use super::state::{Action, ActionKind, Banked, Before, Due, MAX_BANKED, Phase, Seat, State, Throw};
use super::watch::{HappeningKind, Quiet, Watch};
use crate::tables::{Argument, Asking, Choice, Event, Reunite, Rules};

/// Turns that may end by themselves one after another before a throw is asked for all the same.
///
/// A rule that ends every turn as it begins would otherwise never stop; missed turns stay far below.
const MAX_SKIPPED_TURNS: u32 = 64;

/// Why something cannot be done in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A throw where none is due.
    #[error("no throw is due: an action must be played first")]
    NoThrowDue,
    /// An action where a throw is due.
    #[error("a throw is due before any action")]
    ThrowDue,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// An action that is not among the legal ones.
    #[error("the action is not legal in this position")]
    NotLegal,
    /// Faces that the dice do not have.
    #[error("the dice cannot fall like that")]
    NoSuchThrow,
}

impl State {
    /// Forgets all that lasts for a turn.
    pub(crate) fn clear_turn(&mut self) {
        self.hand.drop_numbers();
        if self.hand.granted > 0 {
            self.hand.bonuses = Default::default();
            self.hand.granted = 0;
        }
        self.apart = Default::default();
        self.owed = [0; 2];
        self.thrown = 0;
        self.mover = 255;
        self.ending = false;
        self.last = Throw::default();
        if self.before.kept {
            self.before = Before::default();
        }
    }

    pub(crate) fn drop_throw(&mut self, all: bool) {
        if all {
            self.hand.drop_numbers();
        }
        self.last.count |= DROPPED;
    }
}

/// Set in the count of the last throw while its rules run: its numbers are not added to the hand.
const DROPPED: u8 = 0x80;

impl Rules {
    /// The opening position: the first turn has begun, by the rules that answer it.
    pub fn opening(&self, first: Seat) -> State {
        let mut state = self.laid_out(first);
        self.start_turn(&mut state, &mut Quiet);
        state
    }

    /// The pawns where they start; no turn has begun.
    pub(crate) fn laid_out(&self, first: Seat) -> State {
        let mut state = State::empty();
        for &seat in &self.players {
            state.at[seat.index()] = self.start;
            for (value, counter) in state.counters[seat.index()].iter_mut().zip(&self.counters) {
                *value = counter.start;
            }
        }
        for (value, counter) in state.game.iter_mut().zip(&self.game_counters) {
            *value = counter.start;
        }
        self.settle_position(&mut state);
        state.turn = first;
        state
    }

    /// Takes what was thrown.
    ///
    /// # Errors
    /// No throw is due, or the dice cannot fall like that.
    pub fn throw(&self, state: &mut State, throw: &Throw, watch: &mut dyn Watch) -> Result<(), Refusal> {
        self.throw_into(state, throw, &mut Actions::default(), watch)
    }

    /// As [`Rules::throw`]; leaves the legal actions of the new state in `actions`.
    ///
    /// # Errors
    /// As [`Rules::throw`].
    pub fn throw_into(
        &self,
        state: &mut State,
        throw: &Throw,
        actions: &mut Actions,
        watch: &mut dyn Watch,
    ) -> Result<(), Refusal> {
        self.check_throw(state, throw)?;
        self.thrown_into(state, throw, actions, watch);
        Ok(())
    }

    pub(crate) fn check_throw(&self, state: &State, throw: &Throw) -> Result<(), Refusal> {
        match state.phase {
            Phase::Throw if self.can_fall(throw) => Ok(()),
            Phase::Throw => Err(Refusal::NoSuchThrow),
            Phase::Over => Err(Refusal::Over),
            _ => Err(Refusal::NoThrowDue),
        }
    }

    #[inline(always)]
    pub(crate) fn thrown_into(&self, state: &mut State, throw: &Throw, actions: &mut impl Open, watch: &mut dyn Watch) {
        actions.clear();
        let colour = self.colour(state);
        if self.undoes && state.thrown == 0 {
            state.before = state.kept();
        }
        state.last = *throw;
        state.thrown = state.thrown.saturating_add(1);
        state.owed[0] = state.owed[0].saturating_sub(1);
        tell(watch, HappeningKind::Thrown, state.turn, 255, 0, 0, throw.faces.iter().sum());
        let ask = Ask::seat(colour);
        let banked = self.numbers_of(state, &ask, watch);
        self.answer(state, Event::Throw, &ask, watch);
        if self.colour(state) != colour {
            state.forget_moves();
        }
        let dropped = state.last.count & DROPPED != 0;
        state.last.count &= !DROPPED;
        if !dropped && banked.left != 0 && (state.hand.throws as usize) < MAX_BANKED {
            state.hand.banked[state.hand.throws as usize] = banked;
            state.hand.throws += 1;
        }
        self.go_on(state, actions, watch);
    }

    /// The numbers that the last throw gives.
    pub(crate) fn numbers_of(&self, state: &State, ask: &Ask, watch: &mut dyn Watch) -> Banked {
        let mut banked = Banked { numbers: state.last.faces, ..Banked::default() };
        if let Some(line) = self.numbers.iter().find(|line| self.holds(state, line.when, ask)) {
            watch.fired(line.line);
            banked.numbers = [0; 4];
            for (number, program) in banked.numbers.iter_mut().zip(&line.numbers) {
                *number = self.value(state, *program, ask).clamp(0, 32) as u8;
            }
            banked.flags |= if line.all_or_none { Banked::ALL_OR_NONE } else { 0 };
        }
        for (i, &number) in banked.numbers.iter().enumerate() {
            banked.left |= u8::from(number > 0) << i;
        }
        if state.last.is_doublet() {
            banked.flags |= Banked::DOUBLET;
        }
        banked
    }

    /// Plays a legal action.
    ///
    /// # Errors
    /// The action is not among the legal ones.
    pub fn play(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) -> Result<(), Refusal> {
        let mut actions = Actions::default();
        self.legal_into(state, &mut actions);
        if !actions.contains(action) {
            return Err(match state.phase {
                Phase::Over => Refusal::Over,
                Phase::Throw => Refusal::ThrowDue,
                _ => Refusal::NotLegal,
            });
        }
        self.play_unchecked(state, action, &mut actions, watch);
        Ok(())
    }

    /// Plays an action of the list that [`Rules::legal_into`] or the last step left; leaves the next list in `actions`.
    ///
    /// # Panics
    /// May panic, or leave a state that no game reaches, if the action is not legal.
    pub fn play_unchecked(&self, state: &mut State, action: &Action, actions: &mut Actions, watch: &mut dyn Watch) {
        self.play_open(state, action, actions, watch);
    }

    #[inline(always)]
    pub(crate) fn play_open(&self, state: &mut State, action: &Action, actions: &mut impl Open, watch: &mut dyn Watch) {
        let declared = state.phase == Phase::Declare;
        let spared = if self.on[Event::Spared as usize].is_empty() { 0 } else { self.spared_by(state, action) };
        let colour = self.colour(state);
        self.perform(state, action, watch);
        if spared != 0 {
            self.answer_spared(state, colour, spared, watch);
        }
        actions.clear();
        if state.phase == Phase::Over {
            return;
        }
        if declared {
            self.end_turn(state, actions, watch);
        } else if action.kind == ActionKind::Choice {
            self.after_choice(state, actions, watch);
        } else {
            self.go_on(state, actions, watch);
        }
    }

    /// The pawns that could capture now, where an action captures nothing; a bit each.
    fn spared_by(&self, state: &State, action: &Action) -> u8 {
        if state.phase != Phase::Move || action.captures {
            return 0;
        }
        let colour = self.colour(state);
        let at = &state.at[colour.index()][..self.pawns as usize];
        let open = self.legal(state);
        let cutting = |place: u8| open.iter().any(|action| action.captures && action.from == place);
        (0..self.pawns).filter(|&pawn| cutting(at[pawn as usize])).fold(0, |all, pawn| all | 1 << pawn)
    }

    fn answer_spared(&self, state: &mut State, colour: Seat, pawns: u8, watch: &mut dyn Watch) {
        for pawn in (0..self.pawns).filter(|pawn| pawns >> pawn & 1 == 1) {
            if state.phase == Phase::Over {
                return;
            }
            let place = state.at[colour.index()][pawn as usize];
            let ask = Ask { pawn, from: place, to: place, ..Ask::seat(colour) };
            self.answer(state, Event::Spared, &ask, watch);
        }
    }

    fn after_choice(&self, state: &mut State, actions: &mut impl Open, watch: &mut dyn Watch) {
        if state.ending {
            self.end_turn(state, actions, watch);
        } else {
            state.phase = Phase::Throw;
        }
    }

    /// After a throw or an action: what the game waits for next.
    fn go_on(&self, state: &mut State, actions: &mut impl Open, watch: &mut dyn Watch) {
        if state.phase == Phase::Over {
            return;
        }
        if state.ending {
            return self.wind_up(state, actions, watch);
        }
        if state.owed[0] > 0 {
            state.phase = Phase::Throw;
            return;
        }
        state.phase = Phase::Move;
        let fresh = state.hand.banked[..state.hand.throws as usize].iter().all(Banked::is_whole);
        let mut unplayed = 0;
        loop {
            let stage = state.stage();
            if stage == Stage::Spent {
                break;
            }
            actions.find_moves(self, state);
            if watch.hears_refusals() {
                self.tell_withheld(state, watch);
            }
            if !actions.is_empty() {
                return;
            }
            if let Some(due) = stage.due() {
                tell(watch, HappeningKind::BonusForfeited, state.turn, 255, 0, 0, state.hand.granted);
                state.hand.drop_bonuses(due);
            } else {
                let kind = if fresh { HappeningKind::Passed } else { HappeningKind::DiceDropped };
                unplayed = state.numbers_left() as u8;
                tell(watch, kind, state.turn, 255, 0, 0, unplayed);
                state.hand.drop_numbers();
            }
        }
        state.hand.drop_numbers();
        self.answer(state, Event::Spent, &Ask { number: unplayed, ..Ask::seat(self.colour(state)) }, watch);
        if state.ending {
            return self.wind_up(state, actions, watch);
        }
        if state.owed[0] + state.owed[1] > 0 {
            state.owed[0] = state.owed[0].saturating_sub(1);
            if state.owed[0] == 0 {
                state.owed[1] = state.owed[1].saturating_sub(1);
            }
            if self.turn.reunite == Reunite::Roll {
                state.apart = Default::default();
            }
            state.phase = Phase::Throw;
            return;
        }
        self.wind_up(state, actions, watch);
    }

    /// Asks for a declaration where one is due, else ends the turn.
    fn wind_up(&self, state: &mut State, actions: &mut impl Open, watch: &mut dyn Watch) {
        state.hand.drop_numbers();
        for due in [Due::Now, Due::After, Due::Last] {
            state.hand.drop_bonuses(due);
        }
        if !self.choices.is_empty() {
            state.phase = Phase::Declare;
            actions.find_choices(self, state);
            if !actions.is_empty() {
                return;
            }
        }
        self.end_turn(state, actions, watch);
    }

    fn end_turn(&self, state: &mut State, actions: &mut impl Open, watch: &mut dyn Watch) {
        self.pass_on(state, watch);
        self.start_turn(state, watch);
        actions.clear();
        if state.phase == Phase::Choose {
            actions.find_choices(self, state);
        }
    }

    /// Ends the running turn and names the next seat.
    fn pass_on(&self, state: &mut State, watch: &mut dyn Watch) {
        let ended = state.turn;
        self.answer(state, Event::TurnEnd, &Ask::seat(ended), watch);
        if !self.on[Event::AnyTurnEnd as usize].is_empty() {
            for &seat in &self.players {
                self.answer(state, Event::AnyTurnEnd, &Ask { other: ended, ..Ask::seat(seat) }, watch);
            }
        }
        state.clear_turn();
        state.turn = self.next[ended.index()];
        tell(watch, HappeningKind::Turn, state.turn, 255, 0, 0, 0);
    }

    /// Begins the turn of the seat whose turn it is, or of the next one that has something to do.
    pub(crate) fn start_turn(&self, state: &mut State, watch: &mut dyn Watch) {
        for _ in 0..MAX_SKIPPED_TURNS {
            self.skip_idle(state);
            let seat = state.turn;
            self.answer(state, Event::TurnStart, &Ask::seat(seat), watch);
            if !state.ending {
                break;
            }
            self.pass_on(state, watch);
        }
        state.ending = false;
        state.phase = if self.has_choice(state, Asking::BeforeThrow) { Phase::Choose } else { Phase::Throw };
    }

    /// Goes on to the next seat that has pawns to move, or something to decide.
    pub(crate) fn skip_idle(&self, state: &mut State) {
        for _ in 0..self.players.len() {
            let seat = state.turn;
            if !state.has_finished(seat) || self.colour(state) != seat || self.stays(state, seat) {
                break;
            }
            state.turn = self.next[seat.index()];
        }
    }

    fn stays(&self, state: &State, seat: Seat) -> bool {
        self.finish.stays.is_some_and(|stays| self.value(state, stays, &Ask::seat(seat)) != 0)
    }

    fn has_choice(&self, state: &State, asking: Asking) -> bool {
        let mut any = false;
        self.each_choice(state, asking, |_| any = true);
        any
    }

    pub(crate) fn choices_into(&self, state: &State, out: &mut Actions) {
        let asking = if state.phase == Phase::Declare { Asking::BeforeTurnEnd } else { Asking::BeforeThrow };
        self.each_choice(state, asking, |action| out.push(action));
    }

    fn each_choice(&self, state: &State, asking: Asking, mut each: impl FnMut(Action)) {
        for (index, choice) in self.choices.iter().enumerate().filter(|(_, choice)| choice.at == asking) {
            let mut offer = |other: Seat, argument: u8| {
                let ask = self.choosing(state, choice, other, argument);
                if self.holds(state, choice.when, &ask) && self.can_be_chosen(state, &choice.effects, &ask) {
                    each(Action {
                        line: index as u8,
                        kind: ActionKind::Choice,
                        pawn: 0,
                        other: other.0,
                        from: argument,
                        to: argument,
                        throw: 255,
                        numbers: 0,
                        captures: matches!(choice.of, Argument::RightPawn | Argument::PreviousPawn),
                    });
                }
            };
            match choice.of {
                Argument::None => offer(state.turn, 0),
                Argument::OwnPair => {
                    let colour = self.colour(state);
                    let pairs = self.distinct_places(state, colour).filter(|&place| {
                        let square = self.square(colour, place);
                        self.board.pairing >> place & 1 == 1 && self.seen_by(state, colour, square) & 3 > 1
                    });
                    pairs.for_each(|place| offer(colour, place));
                }
                Argument::RightPawn => {
                    let right = self.right[state.turn.index()];
                    self.distinct_places(state, right).for_each(|place| offer(right, place));
                }
                Argument::PreviousPawn => {
                    let previous = self.previous(state);
                    self.distinct_places(state, previous).for_each(|place| offer(previous, place));
                }
            }
        }
    }

    /// Whose counters a choice is about: before a throw the seat's own, before the turn ends those of the colour it moved.
    fn decider(&self, state: &State, asking: Asking) -> Seat {
        if asking == Asking::BeforeThrow { state.turn } else { self.colour(state) }
    }

    /// The seat that played before: the nearest one that still has pawns to move.
    fn previous(&self, state: &State) -> Seat {
        let before = |seat: Seat| self.players.iter().copied().find(|other| self.next[other.index()] == seat);
        let mut seat = before(state.turn).unwrap_or(state.turn);
        while state.has_finished(seat) && seat != state.turn {
            seat = before(seat).unwrap_or(state.turn);
        }
        seat
    }

    fn distinct_places<'s>(&'s self, state: &'s State, seat: Seat) -> impl Iterator<Item = u8> + 's {
        let pawns = &state.at[seat.index()][..self.pawns as usize];
        pawns.iter().enumerate().filter(|(i, at)| !pawns[..*i].contains(at)).map(|(_, &at)| at)
    }

    /// The question about a choice: the pawn is the first own one at the argument.
    ///
    /// `to` is the place by the own count, 255 where no own path leads.
    fn choosing(&self, state: &State, choice: &Choice, other: Seat, argument: u8) -> Ask {
        let own = self.decider(state, choice.at);
        let pawn = state.at[own.index()].iter().position(|&at| at == argument).unwrap_or(0) as u8;
        let to = match choice.of {
            Argument::None | Argument::OwnPair => argument,
            Argument::RightPawn | Argument::PreviousPawn => {
                self.board.seen[other.index()][own.index()][argument as usize]
            }
        };
        Ask { other, argument, to, from: to, pawn, ..Ask::seat(own) }
    }

    /// Makes a declared choice.
    pub(crate) fn choose(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) {
        let choice = &self.choices[action.line as usize];
        watch.fired(choice.line);
        tell(watch, HappeningKind::Chosen, state.turn, 255, 0, action.from, action.line);
        let ask = self.choosing(state, choice, Seat(action.other), action.from);
        self.affect(state, &choice.effects, &ask, watch);
    }
}
