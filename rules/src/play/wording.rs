//! The wording of actions: the values by which players distinguish them.

use super::state::{Action, ActionKind, State};
use crate::play::engine::Engine;
use crate::tables::Argument;
use crate::units::{MAX_NUMBERS, PathPlace, Pips};

/// The values of an action that its text shows. The text does not show which of several pawns on a place moves, or
/// which of several equal throws is spent.
///
/// Two legal actions with equal wordings are interchangeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wording {
    /// The kind of the action.
    pub kind: ActionKind,
    /// The index of the choice, or 0 for other actions.
    pub choice: u8,
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
        let mut wording = Wording {
            kind: action.kind,
            choice: 0,
            from: PathPlace::OUT,
            to: PathPlace::OUT,
            joint: false,
            captures: false,
            bonus: false,
            numbers: Default::default(),
        };
        match action.kind {
            ActionKind::Pass => {}
            ActionKind::Choice => {
                wording.choice = action.line;
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
