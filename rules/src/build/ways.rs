//! The moves by which numbers bring pawns from place to place, on an empty board and as if every condition held.

use crate::tables::{Board, Places, Route, Spend, Wall};
use crate::units::{MAX_PLACES, PathPlace};

/// The lengths of all possible moves from every place, by route.
pub(super) struct Ways {
    /// The lengths of moves from every place, a bit for each length. The three tables are for moves ahead, moves that
    /// bounce at home, and moves outward.
    steps: [[u64; MAX_PLACES]; 3],
    /// For every place, the places to which spend lines with a fixed target (`to`) lead from there.
    pub carried: [Places; MAX_PLACES],
}

impl Ways {
    pub(super) fn of(lines: &[Spend], steps: &[u64], board: &Board, pairing: Places) -> Ways {
        let mut ways = Ways { steps: [[0; MAX_PLACES]; 3], carried: [0; MAX_PLACES] };
        for (line, &steps) in lines.iter().zip(steps).filter(|(_, steps)| **steps != 0) {
            for place in bits(line.moves_from(pairing)).map(usize::from).take_while(|&place| place < MAX_PLACES) {
                match line.route {
                    Route::Along(over) => ways.carried[place] |= along(board, over, place, steps),
                    Route::To(to) => ways.carried[place] |= to.alone(),
                    Route::Ahead | Route::Lap => ways.steps[0][place] |= steps,
                    Route::Bounce(Wall::Home) => ways.steps[1][place] |= steps,
                    Route::Bounce(Wall::Place(wall)) => {
                        ways.bounce_at(place, wall.index(), steps, board.gate_at.index());
                    }
                    Route::Bounce(Wall::Obstacle) => ways.bounce_anywhere(place, steps),
                    Route::Back => ways.carried[place] |= behind(place, steps),
                    Route::Outward | Route::Recoil => ways.steps[2][place] |= steps,
                    // `TableParts::carry` adds the places to which these lines lead.
                    Route::Computed(_) => {}
                    Route::Stay => {}
                }
            }
        }
        ways
    }

    /// Adds the moves from `place` that turn back on the place `wall`. `steps` has one bit for each length of a move.
    ///
    /// Some moves do not turn back on the wall: those of a pawn that is past it, and those of a pawn that goes another
    /// lap because the gate before the wall is closed.
    fn bounce_at(&mut self, place: usize, wall: usize, steps: u64, gate_at: usize) {
        let may_miss = place > wall || place <= gate_at && wall > gate_at;
        let before = if may_miss { u64::MAX } else { (2u64 << (wall - place).min(62)) - 1 };
        self.steps[1][place] |= steps & before;
        let turning = if place > wall { 0 } else { steps & !((2u64 << (wall - place).min(62)) - 1) };
        for beyond in bits(turning).map(|step| place + usize::from(step) - wall) {
            self.carried[place] |= wall.checked_sub(beyond).filter(|to| *to > 0).map_or(0, |to| 1 << to);
        }
    }

    /// Adds the moves from `place` that turn back on any place. `steps` has one bit for each length of a move.
    fn bounce_anywhere(&mut self, place: usize, steps: u64) {
        self.steps[1][place] |= steps;
        for step in bits(steps) {
            let (step, back) = (usize::from(step), behind(place, 1 << step));
            let turns = (1..step).filter_map(|turn| (place + 2 * turn).checked_sub(step).filter(|to| *to > 0));
            let turns = turns.filter(|to| *to < MAX_PLACES);
            self.carried[place] |= turns.fold(back, |all, to| all | 1 << to);
        }
    }

    /// For every place, the places to which one move leads from it.
    pub(super) fn onward(&self, board: &Board) -> [Places; MAX_PLACES] {
        let home = board.home().0;
        let on_path = u128::MAX >> (127 - home);
        let mut out: [Places; MAX_PLACES] = [0; MAX_PLACES];
        for place in 0..home {
            out[board.outward[place as usize].index()] |= 1 << place;
        }
        let mut onward = [0; MAX_PLACES];
        for (place, reach) in (0..home).zip(&mut onward) {
            let [ahead, bounce, outward] = [0, 1, 2].map(|way: usize| self.steps[way][place as usize]);
            let forward = u128::from(ahead | bounce);
            *reach = (self.carried[place as usize] | forward << place) & on_path;
            // A pawn that moves past the closed gate goes another lap.
            if place <= board.gate_at.0 {
                for past in bits(forward >> (board.gate_at.0 - place) & !1) {
                    let target = board.gate_at.0 + past;
                    *reach |= board.lands[0][usize::from(target)].map_or(0, PathPlace::alone);
                }
            }
            for step in bits(bounce) {
                let beyond = (place + step).saturating_sub(home);
                if beyond > 0 && beyond < home {
                    *reach |= 1 << (home - beyond);
                }
            }
            for step in bits(outward) {
                let target = board.outward[place as usize].0 + step;
                if target < home {
                    *reach |= 1 << target | out[target as usize];
                }
            }
        }
        onward
    }
}

/// The places that lie before `place` by one of the counts in `steps`, which has one bit for each count. The place off
/// the board is left out.
fn behind(place: usize, steps: u64) -> Places {
    bits(steps).filter_map(|step| place.checked_sub(step.into())).filter(|to| *to > 0).fold(0, |all, to| all | 1 << to)
}

/// The places to which a walk over some places leads from `place` by one of the counts in `steps`, with the gate open
/// or closed.
fn along(board: &Board, over: Places, place: usize, steps: u64) -> Places {
    let past = usize::from(place > board.gate_at.index());
    let walks = (past..2).flat_map(|gate| (1..).zip(board.along(over, PathPlace(place as u8), gate)));
    walks.filter(|(step, _)| steps >> step & 1 == 1).fold(0, |all, (_, to)| all | to.alone())
}

/// Returns `found` and all places that pawns can reach from there. `onward` has, for every place, the places to which
/// one move leads from it.
pub(super) fn flood(mut found: Places, onward: &[Places; MAX_PLACES]) -> Places {
    let mut open = found;
    while open != 0 {
        let reach = onward[open.trailing_zeros() as usize];
        open &= open - 1;
        open |= reach & !found;
        found |= reach;
    }
    found
}

/// Returns a place and all places from which pawns can reach it. `onward` has, for every place, the places to which one
/// move leads from it.
pub(super) fn leading_to(place: PathPlace, onward: &[Places; MAX_PLACES]) -> Places {
    let mut leading = place.alone();
    loop {
        let more = (0..).zip(onward).filter(|(_, reach)| **reach & leading != 0);
        let more = more.fold(leading, |all, (from, _)| all | PathPlace(from).alone());
        if more == leading {
            return leading;
        }
        leading = more;
    }
}

/// Lists the bits of a set that are 1, the lowest first.
pub(super) fn bits(set: impl Into<u128>) -> impl Iterator<Item = u8> {
    let mut left = set.into();
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as u8);
        left &= left.wrapping_sub(1);
        next
    })
}
