//! The places that pawns can reach, and the spend lines that can be used. The search assumes an empty board and that
//! every condition holds.

use super::TableParts;
use super::bounds::bounds;
use crate::tables::{Board, Dice, Effect, LineId, Mover, Op, Places, Route, Spend, Verdict, With};
use crate::units::{MAX_PLACES, MAX_STEP, PathPlace};

/// A way to spend: the line, its mover, and the numbers that it spends.
pub(crate) type Way = (LineId, u8, u8);

/// The way of a line with this mover and these numbers.
pub(crate) fn way(line: LineId, mover: Mover, with: With) -> Way {
    (line, mover as u8, with as u8)
}

/// The reachable places and usable lines of a table.
pub(crate) struct Reachable {
    /// Places that pawns can reach.
    pub places: Places,
    /// Ways to spend that can be used: a pawn can reach one of their places, and a throw or bonus gives their number.
    pub useful: Vec<Way>,
    /// The other ways.
    pub idle: Vec<Way>,
}

impl Reachable {
    /// Searches from the places of the opening and from those to which rules send pawns.
    pub(super) fn of(parts: &TableParts<'_>, code: &[Op]) -> Reachable {
        let (lines, _) = &*parts.spend;
        let steps: Vec<u64> = lines.iter().map(|line| parts.steps(line, code)).collect();
        let places = flood(&parts.board, parts.sources(), &Ways::of(lines, &steps));
        let is_useful = |(line, steps): &(&Spend, &u64)| line.from & places != 0 && **steps != 0;
        let (useful, idle): (Vec<_>, Vec<_>) = lines.iter().zip(&steps).partition(is_useful);
        let named = |(spend, _): (&Spend, &u64)| way(spend.line, spend.mover, spend.with);
        let ids = |ways: Vec<(&Spend, &u64)>| ways.into_iter().map(named).collect();
        Reachable { places, useful: ids(useful), idle: ids(idle) }
    }
}

/// The lengths of all possible moves from every place, by route.
struct Ways {
    /// Moves ahead, moves that bounce at home, and moves outward: a bit for each length.
    steps: [[u64; MAX_PLACES]; 3],
    /// For every place, the fixed targets of moves from it.
    carried: [Places; MAX_PLACES],
}

impl Ways {
    fn of(lines: &[Spend], steps: &[u64]) -> Ways {
        let mut ways = Ways { steps: [[0; MAX_PLACES]; 3], carried: [0; MAX_PLACES] };
        for (line, &steps) in lines.iter().zip(steps).filter(|(_, steps)| **steps != 0) {
            for place in bits(line.from).map(usize::from).take_while(|&place| place < MAX_PLACES) {
                match line.route {
                    Route::To(to) => ways.carried[place] |= to.alone(),
                    Route::Ahead | Route::Lap => ways.steps[0][place] |= steps,
                    Route::Bounce => ways.steps[1][place] |= steps,
                    Route::Outward | Route::Recoil => ways.steps[2][place] |= steps,
                }
            }
        }
        ways
    }
}

/// Adds all places that pawns can reach from those found.
fn flood(board: &Board, mut found: Places, ways: &Ways) -> Places {
    let home = board.home().0;
    let on_path = u128::MAX >> (127 - home);
    let mut out: [Places; MAX_PLACES] = [0; MAX_PLACES];
    for place in 0..home {
        out[board.outward[place as usize].index()] |= 1 << place;
    }
    let mut open = found;
    while open != 0 {
        let place = open.trailing_zeros() as u8;
        open &= open - 1;
        let [ahead, bounce, outward] = [0, 1, 2].map(|way: usize| ways.steps[way][place as usize]);
        let mut reach = ways.carried[place as usize];
        let forward = u128::from(ahead | bounce);
        reach |= forward << place & on_path;
        // At a closed gate a move goes another lap.
        if place <= board.gate_at.0 {
            for past in bits(forward >> (board.gate_at.0 - place) & !1) {
                let target = board.gate_at.0 + past;
                reach |= board.lands[0][usize::from(target)].map_or(0, PathPlace::alone);
            }
        }
        for step in bits(bounce) {
            let beyond = (place + step).saturating_sub(home);
            if beyond > 0 && beyond < home {
                reach |= 1 << (home - beyond);
            }
        }
        for step in bits(outward) {
            let target = board.outward[place as usize].0 + step;
            if target < home {
                reach |= 1 << target | out[target as usize];
            }
        }
        open |= reach & !found;
        found |= reach;
    }
    found
}

impl TableParts<'_> {
    /// Whether another table has the same parts, as far as [`Reachable::of`] uses them.
    pub(crate) fn reaches_like(&self, other: &TableParts<'_>) -> bool {
        self.spend.is(&other.spend)
            && self.on.is(&other.on)
            && self.choices.is(&other.choices)
            && self.verdicts.is(&other.verdicts)
            && self.board.is(&other.board)
            && self.pawns.is(&other.pawns)
            && self.dice.is(&other.dice)
            && self.numbers.is(&other.numbers)
    }

    /// Places that pawns reach without a move: at the opening, by a capture, and by effects.
    fn sources(&self) -> Places {
        let start = &self.pawns.start[..usize::from(self.pawns.count)];
        let mut places = start.iter().fold(0, |all, &place| all | place.alone());
        let [landing, _] = &self.verdicts.tables;
        if [Verdict::Cut, Verdict::CutLast, Verdict::CutLastOfAll].iter().any(|&answer| landing.can_answer(answer)) {
            places |= self.pawns.cut_to.alone();
        }
        for effect in self.effects() {
            match effect {
                // The target can be any square of the board.
                Effect::Pounce(_) => places |= (1..self.board.len - 1).fold(0, |all, place| all | 1 << place),
                effect => places |= effect.target().map_or(0, PathPlace::alone),
            }
        }
        places
    }

    /// The effects of all rules and choices.
    fn effects(&self) -> impl Iterator<Item = &Effect> {
        let rules = self.on.iter().flatten().flat_map(|rule| &rule.effects);
        rules.chain(self.choices.iter().flat_map(|choice| &choice.effects))
    }

    /// The lengths of a line's moves, a bit for each: the numbers that can be spent, or all that an expression may
    /// compute from them.
    fn steps(&self, line: &Spend, code: &[Op]) -> u64 {
        let any = (1u64 << (MAX_STEP.0 + 1)) - 2;
        let as_thrown = self.numbers.is_empty() || line.with == With::Bonus;
        let numbers = if as_thrown { self.thrown(line, code) } else { any };
        let numbers = match line.exactly {
            None => numbers,
            Some(exactly) => numbers & 1u64.checked_shl(u32::from(exactly.0)).unwrap_or(0),
        };
        match line.steps {
            Some(steps) if numbers != 0 => {
                self.computed(&code[steps.start as usize..][..usize::from(steps.len)], numbers)
            }
            _ => numbers & any,
        }
    }

    /// The lengths of moves that an expression computes from these numbers.
    fn computed(&self, code: &[Op], numbers: u64) -> u64 {
        let least = i64::from(numbers.trailing_zeros());
        let most = i64::from(u64::BITS - 1 - numbers.leading_zeros());
        let [seat, game, _] = &*self.counters;
        let (from, to) = bounds(code, (least, most), [seat, game]).unwrap_or((1, i64::from(MAX_STEP.0)));
        (1..=i64::from(MAX_STEP.0)).filter(|step| (from..=to).contains(step)).fold(0, |all, step| all | 1 << step)
    }

    /// The numbers that a line may spend, if a throw gives its faces.
    fn thrown(&self, line: &Spend, code: &[Op]) -> u64 {
        let (count, die) = match &*self.dice {
            Dice::Faces { count, faces } => (*count, faces.iter().fold(0, |all, face| all | 1u64 << (face & 63))),
            Dice::Lots { values, .. } => (1, values.iter().fold(0, |all, value| all | 1u64 << (value & 63))),
        };
        let faces = || (0..=MAX_STEP.0).filter(|face| die >> face & 1 == 1);
        match line.with {
            With::Die => die,
            With::Doublet if count > 1 => die,
            With::Sum if count > 1 => (0..count).fold(1, |sums: u64, _| {
                faces().fold(0, |all, face| all | sums.checked_shl(u32::from(face)).unwrap_or(0))
            }),
            With::Triplet if count > 2 => die,
            With::Doublet | With::Triplet | With::Sum => 0,
            With::Bonus => self.bonuses(code),
        }
    }

    /// The bonuses that rules grant, a bit for each. All bits are set if a bonus is computed during play.
    fn bonuses(&self, code: &[Op]) -> u64 {
        self.effects().fold(0, |all, effect| match effect {
            Effect::Bonus(program, _) => match code.get(program.start as usize) {
                Some(Op::Push(steps)) if program.len == 1 => all | 1u64 << (steps & 63),
                _ => u64::MAX,
            },
            _ => all,
        })
    }
}

/// Lists the bits that are set, the lowest first.
fn bits(set: impl Into<u128>) -> impl Iterator<Item = u8> {
    let mut left = set.into();
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as u8);
        left &= left.wrapping_sub(1);
        next
    })
}
