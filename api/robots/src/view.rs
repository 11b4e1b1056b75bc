//! What a robot sees: the rules, a position, and the legal actions with their effects.

use pagade_rules::play::{Action, ActionKind, Actions, Engine, PathPlace, Phase, Quiet, Seat, State};
use pagade_rules::tables::Duty;
use pagade_rules::units::PawnIndex;

/// A position with its legal actions.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'v> {
    pub engine: &'v Engine,
    pub state: &'v State,
    /// The legal actions; never empty.
    pub open: &'v [Action],
}

impl<'v> View<'v> {
    /// Makes the view of a position for the seat that decides.
    pub(super) fn new(engine: &'v Engine, state: &'v State, open: &'v [Action]) -> Self {
        View { engine, state, open }
    }

    /// Lists the ordinary actions, each with its index in the list of legal actions: moves that are not voluntary.
    /// Passes and choices are left out.
    pub(super) fn ordinary(&self) -> impl Iterator<Item = (usize, &'v Action)> {
        let is_ordinary = |action: &Action| action.kind == ActionKind::Move && !is_voluntary(self.engine, action);
        self.open.iter().enumerate().filter(move |(_, action)| is_ordinary(action))
    }

    /// Returns the index of the pass, if passing is legal.
    pub(super) fn pass(&self) -> Option<usize> {
        self.open.iter().position(|action| action.kind == ActionKind::Pass)
    }

    /// Returns the state after a legal action. The turn may have ended by then.
    pub(super) fn after(&self, action: &Action) -> State {
        let (mut state, mut actions) = (*self.state, Actions::default());
        self.engine.play_fitting(&mut state, action, &mut actions, &mut Quiet);
        state
    }

    /// Tells whether a seat plays against the seat that decides.
    pub(super) fn is_enemy(&self, seat: Seat) -> bool {
        !self.engine.seating.is_of_side(seat, self.state.decider())
    }

    /// Returns the number of steps that the pawns of all enemies lose between the present state and `after`. The
    /// steps of a pawn are the index of its place on its own path. A path of several laps has separate places for each
    /// lap.
    pub(super) fn steps_lost(&self, after: &State) -> u32 {
        let enemies = self.engine.seating.colours.iter().filter(|&&seat| self.is_enemy(seat));
        let pawns = enemies.flat_map(|&seat| self.pawns().map(move |pawn| (seat, pawn)));
        pawns.map(|(seat, pawn)| steps_back(self.state, after, seat, pawn)).sum()
    }

    /// Returns the number of throws that the turn wins between the present state and `after`: none if another seat
    /// decides.
    pub(super) fn throws_won(&self, after: &State) -> u8 {
        let throws = |state: &State| {
            let is_due = state.turn == self.state.turn && state.phase == Phase::Throw;
            state.owed[0] + state.owed[1] + u8::from(is_due)
        };
        let is_own = self.state.asked.is_none() && after.turn == self.state.turn;
        if is_own { throws(after).saturating_sub(throws(self.state)) } else { 0 }
    }

    /// Returns the number of own pawns that come home between the present state and `after`.
    pub(super) fn brought_home(&self, after: &State) -> usize {
        let home = self.engine.board.home();
        let comes_home = |colour, pawn| {
            let is_home = |state: &State| state.place_of(colour, pawn) == home;
            is_home(after) && !is_home(self.state)
        };
        let colours = self.engine.moving_colours(self.state).into_iter();
        colours.map(|colour| self.pawns().filter(|&pawn| comes_home(colour, pawn)).count()).sum()
    }

    fn pawns(&self) -> impl Iterator<Item = PawnIndex> {
        PawnIndex::all(self.engine.pawns.count)
    }
}

/// Tells whether an action is a voluntary move.
pub(super) fn is_voluntary(engine: &Engine, action: &Action) -> bool {
    action.kind == ActionKind::Move && engine.moves.spend[usize::from(action.line)].duty == Duty::Voluntary
}

fn steps_back(before: &State, after: &State, seat: Seat, pawn: PawnIndex) -> u32 {
    let steps = |state: &State| -> u32 {
        let PathPlace(place) = state.place_of(seat, pawn);
        place.into()
    };
    steps(before).saturating_sub(steps(after))
}
