//! An independent solver of the Royal Game of Ur: the rules are written out here, and share no code with the solver.

use std::collections::HashMap;

/// A position is seen from the player to throw: the squares 1 to 14 of both as bits, and the pieces at home of both.
pub(super) struct ByHand {
    pieces: u32,
    pub(super) values: HashMap<(u16, u16, u32, u32), f64>,
}

impl ByHand {
    const CHANCES: [f64; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

    /// The positions after a throw, each with whether the same player throws again. A position with all pieces home is
    /// won.
    fn moves(&self, (own, other, home, far): (u16, u16, u32, u32), steps: u32) -> Vec<((u16, u16, u32, u32), bool)> {
        let mut moves = Vec::new();
        let waiting = self.pieces - own.count_ones() - home;
        for from in 0..=14 {
            let stands = if from == 0 { waiting > 0 } else { own >> from & 1 == 1 };
            let to = from + steps;
            if steps == 0 || !stands || to > 15 || to < 15 && own >> to & 1 == 1 {
                continue;
            }
            let left = if from == 0 { own } else { own & !(1 << from) };
            if to == 15 {
                moves.push(((left, other, home + 1, far), false));
                continue;
            }
            let meets = (5..=12).contains(&to) && other >> to & 1 == 1;
            if meets && to == 8 {
                continue;
            }
            let rest = if meets { other & !(1 << to) } else { other };
            moves.push(((left | 1 << to, rest, home, far), [4, 8, 14].contains(&to)));
        }
        moves
    }

    fn after(&self, ((own, other, home, far), again): ((u16, u16, u32, u32), bool)) -> f64 {
        if home == self.pieces {
            1.0
        } else if again {
            self.values.get(&(own, other, home, far)).copied().unwrap_or(0.5)
        } else {
            1.0 - self.values.get(&(other, own, far, home)).copied().unwrap_or(0.5)
        }
    }

    pub(super) fn solved(pieces: u32) -> ByHand {
        let mut by_hand = ByHand { pieces, values: HashMap::from([((0, 0, 0, 0), 0.5)]) };
        let mut waiting = vec![(0, 0, 0, 0)];
        while let Some(position) = waiting.pop() {
            let (own, other, home, far) = position;
            let mut next = vec![(other, own, far, home)];
            for steps in 1..=4 {
                for ((own, other, home, far), again) in by_hand.moves(position, steps) {
                    if home < pieces {
                        next.push(if again { (own, other, home, far) } else { (other, own, far, home) });
                    }
                }
            }
            for position in next {
                if by_hand.values.insert(position, 0.5).is_none() {
                    waiting.push(position);
                }
            }
        }
        let positions: Vec<_> = by_hand.values.keys().copied().collect();
        loop {
            let mut change = 0.0_f64;
            for &position in &positions {
                let (own, other, home, far) = position;
                let mut value = 0.0;
                for (steps, chance) in (0..).zip(Self::CHANCES) {
                    let moves = by_hand.moves(position, steps).into_iter().map(|end| by_hand.after(end));
                    let best = moves.fold(f64::MIN, f64::max);
                    let stays = || by_hand.after(((own, other, home, far), false));
                    value += chance * if best == f64::MIN { stays() } else { best };
                }
                change = change.max((value - by_hand.values[&position]).abs());
                by_hand.values.insert(position, value);
            }
            if change < 1e-12 {
                return by_hand;
            }
        }
    }
}
