//! The chance that a pawn is captured before its next turn: exact over all throws of the enemies, if each capture takes
//! one number or one sum of a throw.

use pagade_rules::play::{Engine, Seat, State};
use pagade_rules::tables::With;
use pagade_rules::units::{PawnIndex, Pips, SquareId};

/// The numbers and sums that one throw offers to a pawn: bit `n` stands for `n` steps.
type Steps = u64;

/// The throws of a rule set, as sets of steps.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// Each set of steps with its probability.
    throws: Vec<(Steps, f32)>,
    /// All steps that any throw offers.
    all: Steps,
}

impl Reach {
    /// Lists the throws of these dice.
    pub(super) fn new(engine: &Engine) -> Reach {
        let adds_up = !engine.turn.once_per_throw || engine.moves.spend.iter().any(|line| line.with == With::Sum);
        let outcomes = engine.outcomes();
        let total: u64 = outcomes.iter().map(|(_, ways)| ways).sum();
        let mut throws: Vec<(Steps, f32)> = Vec::new();
        for (throw, ways) in outcomes {
            let faces = &throw.faces[..usize::from(throw.count).min(throw.faces.len())];
            let steps = steps_of(faces, adds_up);
            let chance = ways as f32 / total.max(1) as f32;
            match throws.iter_mut().find(|(other, _)| *other == steps) {
                Some((_, sum)) => *sum += chance,
                None => throws.push((steps, chance)),
            }
        }
        let all = throws.iter().fold(0, |all, (steps, _)| all | steps);
        Reach { throws, all }
    }

    /// Calls `found` with each square on which this enemy can capture, and the probability that its next throw offers
    /// the steps for it.
    pub(super) fn threats(&self, engine: &Engine, state: &State, enemy: Seat, found: &mut impl FnMut(SquareId, f32)) {
        let mut squares: [(Option<SquareId>, Steps); 16] = [(None, 0); 16];
        for pawn in PawnIndex::all(engine.pawns.count) {
            let mut rest = self.all;
            while rest != 0 {
                let steps = rest.trailing_zeros();
                rest &= rest - 1;
                let Some(square) = engine.captures_with(state, enemy, pawn, Pips(steps as u8)) else { continue };
                let slot = squares.iter_mut().find(|(other, _)| other.is_none_or(|other| other == square));
                if let Some((other, set)) = slot {
                    (*other, *set) = (Some(square), *set | 1 << steps);
                }
            }
        }
        for (square, steps) in squares.into_iter().map_while(|(square, steps)| Some((square?, steps))) {
            found(square, self.throws.iter().filter(|(throw, _)| throw & steps != 0).map(|(_, chance)| chance).sum());
        }
    }
}

/// The sums of all parts of a throw, or its single numbers only.
fn steps_of(faces: &[u8], adds_up: bool) -> Steps {
    let mut steps = 0;
    for part in 1_u32..1 << faces.len() {
        if part.count_ones() > 1 && !adds_up {
            continue;
        }
        let sum: u32 =
            faces.iter().enumerate().filter(|(i, _)| part >> i & 1 == 1).map(|(_, &face)| u32::from(face)).sum();
        if sum > 0 && sum < 64 {
            steps |= 1 << sum;
        }
    }
    steps
}
