//! The places that pawns can reach, and the spend lines that can be used. The search assumes an empty board and that
//! every condition holds.

use super::TableParts;
use crate::tables::bounds::{Given, bounds};
use crate::tables::{
    Board, Dice, Effect, Goal, Jumper, LineId, Mover, Op, Places, Program, Route, Spend, Verdict, Wall, With,
};
use crate::units::{MAX_PLACES, MAX_STEP, PathPlace};

/// A way to spend, as three indexes: its line, its mover, and the kind of numbers that it spends.
pub(crate) type Way = (LineId, u8, u8);

/// The way to spend of this line, with this mover and this kind of numbers.
pub(crate) fn way(line: LineId, mover: Mover, with: With) -> Way {
    (line, mover as u8, with as u8)
}

/// The reachable places and usable lines of a table.
pub(crate) struct Reachable {
    /// Places that pawns can reach.
    pub places: Places,
    /// Ways to spend that can be used: a pawn can reach one of their places, and a throw or bonus gives their number.
    pub useful: Vec<Way>,
    /// Ways to spend that cannot be used.
    pub idle: Vec<Way>,
}

impl Reachable {
    /// Searches from the places of the opening and from the places to which effects and captures send pawns.
    pub(super) fn of(parts: &TableParts<'_>, code: &[Op]) -> Reachable {
        let (lines, _) = &*parts.spend;
        let steps: Vec<u64> = lines.iter().map(|line| parts.steps(line, code)).collect();
        let mut ways = Ways::of(lines, &steps, parts.board.gate_at);
        parts.carry(lines, &steps, code, &mut ways);
        let places = flood(&parts.board, parts.sources(code), &ways);
        let is_useful = |(line, steps): &(&Spend, &u64)| line.from & places != 0 && **steps != 0;
        let (useful, idle): (Vec<_>, Vec<_>) = lines.iter().zip(&steps).partition(is_useful);
        let named = |(spend, _): (&Spend, &u64)| way(spend.line, spend.mover, spend.with);
        let ids = |ways: Vec<(&Spend, &u64)>| ways.into_iter().map(named).collect();
        Reachable { places, useful: ids(useful), idle: ids(idle) }
    }
}

/// The lengths of all possible moves from every place, by route.
struct Ways {
    /// The lengths of moves from every place, a bit for each length. The three tables are for moves ahead, moves that
    /// bounce at home, and moves outward.
    steps: [[u64; MAX_PLACES]; 3],
    /// For every place, the places to which spend lines with a fixed target (`to`) lead from there.
    carried: [Places; MAX_PLACES],
}

impl Ways {
    fn of(lines: &[Spend], steps: &[u64], gate_at: PathPlace) -> Ways {
        let mut ways = Ways { steps: [[0; MAX_PLACES]; 3], carried: [0; MAX_PLACES] };
        for (line, &steps) in lines.iter().zip(steps).filter(|(_, steps)| **steps != 0) {
            for place in bits(line.from).map(usize::from).take_while(|&place| place < MAX_PLACES) {
                match line.route {
                    Route::To(to) => ways.carried[place] |= to.alone(),
                    Route::Ahead | Route::Lap => ways.steps[0][place] |= steps,
                    Route::Bounce(Wall::Home) => ways.steps[1][place] |= steps,
                    Route::Bounce(Wall::Place(wall)) => {
                        ways.bounce_at(place, wall.index(), steps, gate_at.index());
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
}

/// The places that lie before `place` by one of the counts in `steps`, which has one bit for each count. The place off
/// the board is left out.
fn behind(place: usize, steps: u64) -> Places {
    bits(steps).filter_map(|step| place.checked_sub(step.into())).filter(|to| *to > 0).fold(0, |all, to| all | 1 << to)
}

/// Returns `found` and all places that pawns can reach from there.
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
        reach |= forward << place;
        reach &= on_path;
        // A pawn that moves past the closed gate goes another lap.
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
    /// Whether another table shares all parts that [`Reachable::of`] uses, so that its search would find the same
    /// places and lines.
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

    /// The places to which pawns come without a move: at the opening, by a capture, and by effects.
    fn sources(&self, code: &[Op]) -> Places {
        let start = self.pawns.start.iter().flat_map(|places| &places[..usize::from(self.pawns.count)]);
        let mut places = start.fold(0, |all, &place| all | place.alone());
        let [landing, passing] = &self.verdicts.tables;
        let cuts = [Verdict::Cut, Verdict::CutLast, Verdict::CutLastOfAll];
        if cuts.iter().any(|&answer| landing.can_answer(answer) || passing.can_answer(answer)) {
            places |= self.pawns.cut_to.alone();
        }
        let anywhere = || (1..self.board.len - 1).fold(0, |all, place| all | 1 << place);
        if landing.can_answer(Verdict::Swap) {
            // A swap puts pawns on the square that an opponent's pawn leaves, which may be any square.
            places |= anywhere();
        }
        for effect in self.effects() {
            match effect {
                // A pounce can carry a pawn to any square of the board.
                Effect::Pounce(_) => places |= anywhere(),
                effect => places |= self.brought_to(effect, code),
            }
        }
        places
    }

    /// The places to which an effect may bring pawns in any state of the game.
    fn brought_to(&self, effect: &Effect, code: &[Op]) -> Places {
        let all = self.between((1, i64::from(self.board.home().0)));
        let given = self.nothing_known();
        let value = |program: Program| bounds(program.of(code), &given);
        match (effect, effect.goal()) {
            (_, None) => 0,
            (_, Some(Goal::Place(place))) => place.alone(),
            (_, Some(Goal::Computed(program))) => value(program).map_or(all, |places| self.between(places)),
            (Effect::Jump(Jumper::On(from), _), Some(Goal::By(program))) => {
                let from = i64::from(from.0);
                value(program).map_or(all, |(least, most)| self.between((from + least, from + most)))
            }
            (_, Some(Goal::By(_))) => all,
        }
    }

    /// Adds the places to which spend lines with a computed goal bring pawns.
    fn carry(&self, lines: &[Spend], steps: &[u64], code: &[Op], ways: &mut Ways) {
        for (line, &steps) in lines.iter().zip(steps).filter(|(_, steps)| **steps != 0) {
            let Route::Computed(program) = line.route else { continue };
            for from in bits(line.from) {
                let at = (i64::from(from), i64::from(from));
                for number in bits(steps).map(i64::from) {
                    let given = Given { number: (number, number), from: at, ..self.nothing_known() };
                    let reach = bounds(program.of(code), &given).unwrap_or((1, i64::from(self.board.home().0)));
                    ways.carried[usize::from(from)] |= self.between(reach);
                }
            }
        }
    }

    fn nothing_known(&self) -> Given<'_> {
        let [seat, game, _] = &*self.counters;
        Given::nothing([seat, game])
    }

    /// The places from `least` to `most`, without the place off the board.
    fn between(&self, (least, most): (i64, i64)) -> Places {
        let home = i64::from(self.board.home().0);
        (least.max(1)..=most.min(home)).fold(0, |places, place| places | 1 << place)
    }

    /// The effects of all rules and choices.
    fn effects(&self) -> impl Iterator<Item = &Effect> {
        let rules = self.on.iter().flatten().flat_map(|rule| &rule.effects);
        rules.chain(self.choices.iter().flat_map(|choice| &choice.effects))
    }

    /// The lengths of a line's moves, a bit for each: the numbers that can be spent, or all lengths that the expression
    /// under `steps` may compute from these numbers.
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

    /// The lengths of moves that an expression computes from these numbers, a bit for each.
    fn computed(&self, code: &[Op], numbers: u64) -> u64 {
        let least = i64::from(numbers.trailing_zeros());
        let most = i64::from(u64::BITS - 1 - numbers.leading_zeros());
        let given = Given { number: (least, most), ..self.nothing_known() };
        let (from, to) = bounds(code, &given).unwrap_or((1, i64::from(MAX_STEP.0)));
        (1..=i64::from(MAX_STEP.0)).filter(|step| (from..=to).contains(step)).fold(0, |all, step| all | 1 << step)
    }

    /// The numbers that a line may spend if the numbers of a throw are the faces of the dice, a bit for each.
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

/// Lists the bits of a set that are 1, the lowest first.
fn bits(set: impl Into<u128>) -> impl Iterator<Item = u8> {
    let mut left = set.into();
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as u8);
        left &= left.wrapping_sub(1);
        next
    })
}
