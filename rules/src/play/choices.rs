//! Choices other than moves: listing the open ones, and making one.

use super::actions::Actions;
use super::context::Context;
use super::engine::Engine;
use super::state::{Action, ActionKind, Form, Phase, State};
use super::watch::{Cause, Happening, HappeningKind, Watch};
use crate::tables::{Argument, Asking, Choice, Fact};
use crate::units::{PathPlace, PawnIndex, Seat};

impl Engine {
    pub(super) fn has_choice(&self, state: &State, asking: Asking) -> bool {
        let mut any = false;
        self.each_choice(state, asking, |_| any = true);
        any
    }

    pub(crate) fn choices_into(&self, state: &State, out: &mut Actions) {
        let asking = if state.phase == Phase::Declare { Asking::BeforeTurnEnd } else { Asking::BeforeThrow };
        self.each_choice(state, asking, |action| out.push(action));
    }

    fn each_choice(&self, state: &State, asking: Asking, mut each: impl FnMut(Action)) {
        for (index, choice) in self.events.choices.iter().enumerate().filter(|(_, choice)| choice.at == asking) {
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
                        captures: matches!(choice.of, Argument::RightPawn | Argument::PreviousPawn),
                        form: Form::PLAIN,
                    });
                }
            };
            match choice.of {
                Argument::None => offer(PathPlace::OUT),
                Argument::OwnPair => {
                    let colour = self.colour(state);
                    let pairs = self.distinct_places(state, colour).filter(|&place| {
                        let square = self.square(colour, place);
                        place.is_in(self.board.pairing) && state.count_on(square, colour) > 1
                    });
                    pairs.for_each(offer);
                }
                Argument::RightPawn | Argument::PreviousPawn => {
                    self.distinct_places(state, self.named_seat(state, choice)).for_each(offer);
                }
            }
        }
    }

    /// The seat that is `own` in the context of a choice: before a throw, the seat whose turn it is; at the end of the
    /// turn, the moving colour.
    fn decider(&self, state: &State, asking: Asking) -> Seat {
        if asking == Asking::BeforeThrow { state.turn } else { self.colour(state) }
    }

    /// The seat whose pawns a choice names. For a choice without an argument, the seat whose turn it is.
    pub(crate) fn named_seat(&self, state: &State, choice: &Choice) -> Seat {
        match choice.of {
            Argument::None => state.turn,
            Argument::OwnPair => self.colour(state),
            Argument::RightPawn => self.seating.right[state.turn.index()],
            Argument::PreviousPawn => self.previous(state),
        }
    }

    /// The seat that comes before the present one in the order of turns. Seats that have finished are skipped.
    fn previous(&self, state: &State) -> Seat {
        let before =
            |seat: Seat| self.seating.players.iter().copied().find(|other| self.seating.next[other.index()] == seat);
        let mut seat = before(state.turn).unwrap_or(state.turn);
        while state.has_finished(seat) && seat != state.turn {
            seat = before(seat).unwrap_or(state.turn);
        }
        seat
    }

    fn distinct_places<'s>(&'s self, state: &'s State, seat: Seat) -> impl Iterator<Item = PathPlace> + 's {
        let pawns = &state.at[seat.index()][..self.pawns.count as usize];
        pawns.iter().enumerate().filter(|(i, at)| !pawns[..*i].contains(at)).map(|(_, &at)| at)
    }

    /// The context for a choice. `argument` is the place that the choice names. `pawn` is the first own pawn there.
    ///
    /// `to` is the same square as a place of the own path, or a position beyond its end if that path does not lead
    /// there.
    fn choosing(&self, state: &State, choice: &Choice, argument: PathPlace) -> Context {
        let (own, other) = (self.decider(state, choice.at), self.named_seat(state, choice));
        let pawn = state.at[own.index()].iter().position(|&at| at == argument).unwrap_or(0) as u8;
        let to = match choice.of {
            Argument::None | Argument::OwnPair => argument,
            Argument::RightPawn | Argument::PreviousPawn => {
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
        watch.begins(Cause { line: choice.line, event: None, seat: state.turn, pawns: 0 });
        let (seat, to, number) = (state.turn, action.from, action.line);
        watch.event(Happening { kind: HappeningKind::Chosen, seat, pawn: None, from: PathPlace::OUT, to, number });
        let context = self.choosing(state, choice, action.from);
        self.affect(state, &choice.effects, &context, watch);
        watch.ends();
    }
}
