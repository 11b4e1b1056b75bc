//! The wording of actions: the values by which players distinguish them.

use std::num::{NonZeroU8, NonZeroU16};

use super::companions::pawns_of;
use super::state::{Action, ActionKind, State};
use crate::play::engine::Engine;
use crate::tables::Argument;
use crate::units::{MAX_NUMBERS, PathPlace, PawnIndex, Pips, Seat};

/// The values of an action that its text shows. The text shows which of several pawns on a square moves, and which of
/// several throws is spent, only if the [form](super::ActionForm) of the action says so.
///
/// Two legal actions with equal wordings are interchangeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wording {
    /// The kind of the action.
    pub kind: ActionKind,
    /// The index of the choice, if the action is one.
    pub choice: Option<u8>,
    /// The colour of the pawns that move. The text names it only where a player has several colours.
    pub colour: Seat,
    /// The place where the move begins, or the place that a choice names.
    pub from: PathPlace,
    /// The place where the move ends.
    pub to: PathPlace,
    /// Whether several pawns move together.
    pub joint: bool,
    /// Whether the action captures.
    pub captures: bool,
    /// Whether the action spends a bonus, not numbers.
    pub bonus: bool,
    /// The numbers spent, in the order thrown, or the steps of the bonus. Unused entries are 0.
    pub numbers: [Pips; MAX_NUMBERS],
    /// The number of the throw that is spent, counted from 1 in the order thrown. `None` if the text does not name it.
    pub throw: Option<NonZeroU8>,
    /// The numbers of the pawns that move, one bit each; bit 0 is number 1. `None` if the text does not name them. The
    /// own pawns of a square are numbered from 1, first by their places on the path.
    pub pawns: Option<NonZeroU16>,
}

impl Wording {
    /// The numbers spent, without unused entries.
    #[must_use]
    pub fn spent(&self) -> &[Pips] {
        let count = (self.numbers.iter()).take_while(|number| number.0 > 0);
        &self.numbers[..count.count()]
    }
}

impl Engine {
    /// The wording of an action in this state.
    #[must_use]
    pub fn wording(&self, state: &State, action: &Action) -> Wording {
        let mut wording = self.plain_wording(state, action);
        if action.form.names_throw {
            wording.throw = action.throw.and_then(|throw| NonZeroU8::new(throw.index() as u8 + 1));
        }
        if action.form.names_pawns {
            wording.pawns = NonZeroU16::new(self.numbers_of_pawns(state, action));
        }
        wording
    }

    /// The wording of an action whose text names neither the throw nor the pawns.
    pub(crate) fn plain_wording(&self, state: &State, action: &Action) -> Wording {
        let mut wording = Wording {
            kind: action.kind,
            choice: None,
            colour: action.colour,
            from: PathPlace::OUT,
            to: PathPlace::OUT,
            joint: false,
            captures: false,
            bonus: false,
            numbers: Default::default(),
            throw: None,
            pawns: None,
        };
        match action.kind {
            ActionKind::Pass => {}
            ActionKind::Choice => {
                wording.choice = Some(action.line);
                if self.events.choices[usize::from(action.line)].of != Argument::None {
                    wording.from = action.from;
                }
            }
            ActionKind::Move => {
                wording.from = action.from;
                wording.to = action.to;
                wording.joint = action.is_joint();
                wording.captures = action.captures;
                wording.bonus = action.spends_bonus();
                wording.numbers = spent(state, action);
            }
        }
        wording
    }

    /// The numbers of the pawns that an action moves, one bit each (see [`Wording::pawns`]).
    fn numbers_of_pawns(&self, state: &State, action: &Action) -> u16 {
        let colour = action.colour;
        let rank = |pawn: PawnIndex| (state.place_of(colour, pawn), pawn);
        let number = |pawn: PawnIndex| {
            let place = state.place_of(colour, pawn);
            let before = |other: &PawnIndex| {
                rank(*other) < rank(pawn) && self.is_same_square(colour, state.place_of(colour, *other), place)
            };
            PawnIndex::all(self.pawns.count).filter(before).count()
        };
        pawns_of(self.movers_of(state, action)).fold(0, |numbers, pawn| numbers | 1 << number(pawn))
    }
}

/// The numbers that an action spends, or the steps of its bonus.
fn spent(state: &State, action: &Action) -> [Pips; MAX_NUMBERS] {
    let mut numbers = [Pips::default(); MAX_NUMBERS];
    if action.spends_bonus() {
        let bonus = state.hand.bonuses.get(usize::from(action.numbers));
        numbers[0] = bonus.map_or(Pips(0), |bonus| bonus.steps);
    } else if let Some(banked) = state.hand.thrown(action.throw) {
        let taken = (banked.numbers.iter().enumerate())
            .filter(|(i, _)| action.numbers >> i & 1 == 1)
            .map(|(_, &number)| number);
        for (slot, number) in numbers.iter_mut().zip(taken) {
            *slot = number;
        }
    }
    numbers
}
