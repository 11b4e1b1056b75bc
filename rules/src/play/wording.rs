//! Actions as players tell them apart: by squares and numbers, not by pawns and throws.

use super::state::{Action, ActionKind, State};
use crate::play::engine::Engine;
use crate::tables::Argument;
use crate::units::{MAX_NUMBERS, PathPlace};

/// What an action says, without which pawn of a square it is or which of two like throws pays.
///
/// Two legal actions of one wording are alike: either may be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wording {
    /// What kind of action.
    pub kind: ActionKind,
    /// For a choice: its index.
    pub choice: u8,
    /// Where it begins, or the argument of a choice.
    pub from: PathPlace,
    /// Where it ends.
    pub to: PathPlace,
    /// Two pawns move.
    pub joint: bool,
    /// Something is captured.
    pub captures: bool,
    /// A bonus is spent, not numbers.
    pub bonus: bool,
    /// The numbers (or the bonus) spent, in the order thrown; 0 past the last.
    pub numbers: [u8; MAX_NUMBERS],
}

impl Wording {
    /// The numbers spent.
    #[must_use]
    pub fn spent(&self) -> &[u8] {
        let count = (self.numbers.iter()).take_while(|&&number| number > 0);
        &self.numbers[..count.count()]
    }
}

impl Engine {
    /// What an action says in this state.
    #[must_use]
    pub fn wording(&self, state: &State, action: &Action) -> Wording {
        let mut wording = Wording {
            kind: action.kind,
            choice: 0,
            from: 0,
            to: 0,
            joint: false,
            captures: false,
            bonus: false,
            numbers: [0; MAX_NUMBERS],
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

/// The numbers that an action takes out of the hand, or the steps of its bonus.
fn spent(state: &State, action: &Action) -> [u8; MAX_NUMBERS] {
    let mut numbers = [0; MAX_NUMBERS];
    if action.spends_bonus() {
        let bonus = state.hand.bonuses.get(usize::from(action.numbers));
        numbers[0] = bonus.map_or(0, |bonus| bonus.steps);
    } else if let Some(banked) = state.hand.banked.get(usize::from(action.throw)) {
        let taken = (banked.numbers.iter().enumerate())
            .filter(|(i, _)| action.numbers >> i & 1 == 1)
            .map(|(_, &number)| number);
        for (slot, number) in numbers.iter_mut().zip(taken) {
            *slot = number;
        }
    }
    numbers
}
