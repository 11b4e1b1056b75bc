//! Choices other than moves: lists the choices that are open, and makes a choice.

use super::actions::Actions;
use super::context::Context;
use super::engine::Engine;
use super::evaluator::Evaluator;
use super::state::{Action, ActionForm, ActionKind, Phase, State};
use super::watch::{Cause, Happening, HappeningKind, Watch, report_seat_event};
use crate::tables::{Argument, Asked, Asking, Choice, Fact};
use crate::units::{PathPlace, PawnIndex, Seat};

impl Engine {
    /// Whether any choice asks another seat than the one whose turn it is.
    #[must_use]
    pub fn asks_others(&self) -> bool {
        self.asks_others
    }

    /// Finds the first seat that has a choice at this moment, and asks it. False if no seat has one.
    pub(super) fn ask_first_seat(&self, state: &mut State, asking: Asking, watch: &mut dyn Watch) -> bool {
        state.asked = None;
        if !self.asks[asking as usize] {
            return false;
        }
        self.has_choice(state, asking) || self.ask_next_seat(state, asking, watch)
    }

    /// Finds the next seat, in the order of turns, that has a choice at this moment, and asks it. False if no further
    /// seat has one; then the state is unchanged. A seat that has finished is not asked in the turn of another one.
    pub(super) fn ask_next_seat(&self, state: &mut State, asking: Asking, watch: &mut dyn Watch) -> bool {
        if !self.asks_others {
            return false;
        }
        let (before, mut seat) = (state.asked, state.decider());
        loop {
            seat = self.seating.next[seat.index()];
            if seat == state.turn {
                state.asked = before;
                return false;
            }
            if state.has_finished(seat) {
                continue;
            }
            state.asked = Some(seat);
            if self.has_choice(state, asking) {
                report_seat_event(watch, HappeningKind::Asked, seat, 0);
                return true;
            }
        }
    }

    /// Ends the asking of other seats: the seat whose turn it is decides again.
    pub(super) fn asked_back(&self, state: &mut State, watch: &mut dyn Watch) {
        if state.asked.take().is_some() {
            report_seat_event(watch, HappeningKind::Asked, state.turn, 0);
        }
    }

    /// Whether players may have a choice before a throw, and at the end of a turn.
    pub(super) fn asks_of(rules: &Evaluator) -> [bool; 2] {
        [Asking::BeforeThrow, Asking::BeforeTurnEnd]
            .map(|at| rules.events.choices.iter().any(|choice| choice.at == at && !rules.is_never(choice.when)))
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

    /// Whether a choice that asks the seats `who` asks the seat that has to decide now.
    pub(crate) fn is_asked(&self, state: &State, who: Asked) -> bool {
        let Some(seat) = state.asked else { return who == Asked::Mover };
        match who {
            Asked::Mover => false,
            Asked::Next => seat == self.following(state),
            Asked::Previous => seat == self.previous(state),
            Asked::Partner => seat == self.seating.partner[state.turn.index()],
            Asked::Others => true,
        }
    }

    fn each_choice(&self, state: &State, asking: Asking, mut each: impl FnMut(Action)) {
        let choices = self.events.choices.iter().enumerate();
        for (index, choice) in choices.filter(|(_, choice)| choice.at == asking && self.is_asked(state, choice.who)) {
            let mut offer = |argument: PathPlace| {
                let context = self.choosing(state, choice, argument);
                if self.holds(state, choice.when, &context) && self.can_be_chosen(state, &choice.effects, &context) {
                    each(Action {
                        line: index as u8,
                        kind: ActionKind::Choice,
                        colour: state.turn,
                        pawn: PawnIndex::FIRST,
                        other: None,
                        from: argument,
                        to: argument,
                        throw: None,
                        numbers: 0,
                        captures: match choice.of {
                            Argument::RightPawn | Argument::PreviousPawn => true,
                            Argument::TurnPawn => state.asked.is_some(),
                            Argument::None | Argument::OwnPair | Argument::TurnPair => false,
                        },
                        form: ActionForm::PLAIN,
                    });
                }
            };
            match choice.of {
                _ if !self.may_be_marked(state, choice) => {}
                Argument::None => offer(PathPlace::OUT),
                Argument::OwnPair | Argument::TurnPair => {
                    let colour = self.named_seat(state, choice);
                    let pairs = self.distinct_places(state, colour).filter(|&place| {
                        let square = self.square(colour, place);
                        place.is_in(self.board.pairing) && state.count_on(square, colour) > 1
                    });
                    pairs.for_each(offer);
                }
                Argument::RightPawn | Argument::PreviousPawn | Argument::TurnPawn => {
                    self.distinct_places(state, self.named_seat(state, choice)).for_each(offer);
                }
            }
        }
    }

    /// Whether the named seat has a pawn with the mark that the condition of a choice asks for, if it asks for one on
    /// the named place.
    fn may_be_marked(&self, state: &State, choice: &Choice) -> bool {
        let asked = choice.when.and_then(|when| self.mark_asked_where_named(when));
        asked.is_none_or(|bit| {
            let marks = &state.marks[self.named_seat(state, choice).index()];
            marks.iter().any(|marks| marks >> bit & 1 == 1)
        })
    }

    /// The seat that is `own` in the context of a choice: the seat that is asked in the turn of another one; before a
    /// throw, the seat whose turn it is; at the end of the turn, the moving colour.
    fn chooser(&self, state: &State, asking: Asking) -> Seat {
        match state.asked {
            Some(seat) => seat,
            None if asking == Asking::BeforeTurnEnd => self.colour(state),
            None => state.turn,
        }
    }

    /// The seat whose pawns a choice names. For a choice without an argument, the seat whose turn it is.
    pub(crate) fn named_seat(&self, state: &State, choice: &Choice) -> Seat {
        match choice.of {
            Argument::None => state.turn,
            Argument::OwnPair => state.asked.unwrap_or_else(|| self.colour(state)),
            Argument::RightPawn => self.seating.right[state.decider().index()],
            Argument::PreviousPawn => self.previous(state),
            Argument::TurnPair | Argument::TurnPawn => self.colour(state),
        }
    }

    /// The seat that comes before the current seat in the order of turns. Seats that have finished are skipped.
    fn previous(&self, state: &State) -> Seat {
        let before =
            |seat: Seat| self.seating.players.iter().copied().find(|other| self.seating.next[other.index()] == seat);
        let mut seat = before(state.turn).unwrap_or(state.turn);
        while state.has_finished(seat) && seat != state.turn {
            seat = before(seat).unwrap_or(state.turn);
        }
        seat
    }

    /// The seat that comes after the current seat in the order of turns. Seats that have finished are skipped.
    fn following(&self, state: &State) -> Seat {
        let mut seat = self.seating.next[state.turn.index()];
        while state.has_finished(seat) && seat != state.turn {
            seat = self.seating.next[seat.index()];
        }
        seat
    }

    fn distinct_places<'s>(&'s self, state: &'s State, seat: Seat) -> impl Iterator<Item = PathPlace> + 's {
        let pawns = &state.at[seat.index()][..self.pawns.count as usize];
        pawns.iter().enumerate().filter(|(i, at)| !pawns[..*i].contains(at)).map(|(_, &at)| at)
    }

    /// The context for a choice. `argument` is the place that the choice names. `pawn` is the first own pawn there.
    ///
    /// `to` is the place of the own path on the same square, or an index beyond the end of the path if the path does
    /// not use that square.
    fn choosing(&self, state: &State, choice: &Choice, argument: PathPlace) -> Context {
        let (own, other) = (self.chooser(state, choice.at), self.named_seat(state, choice));
        let pawn = state.at[own.index()].iter().position(|&at| at == argument).unwrap_or(0) as u8;
        let to = match choice.of {
            Argument::None | Argument::OwnPair => argument,
            Argument::RightPawn | Argument::PreviousPawn | Argument::TurnPair | Argument::TurnPawn => {
                PathPlace(Fact::place(self.board.seen_as(other, own, argument)))
            }
        };
        let pawn = PawnIndex::new(pawn);
        Context { other, argument, to, from: to, pawn, ..Context::player(own) }
    }

    /// Makes a choice: runs its effects.
    pub(crate) fn choose(&self, state: &mut State, action: &Action, watch: &mut dyn Watch) {
        let choice = &self.events.choices[action.line as usize];
        watch.fired(choice.line);
        let seat = state.decider();
        watch.begins(Cause { line: choice.line, event: None, seat, pawns: 0 });
        let (to, number) = (action.from, action.line);
        watch.event(Happening { kind: HappeningKind::Chosen, seat, pawn: None, from: PathPlace::OUT, to, number });
        let context = self.choosing(state, choice, action.from);
        self.affect(state, &choice.effects, &context, watch);
        watch.ends();
    }
}
