//! The places that pawns can reach, the places from which numbers bring them home, and the spend lines that can be
//! used. The search assumes an empty board and that every condition holds.

use super::TableParts;
use super::ways::{Ways, bits, flood, leading_to};
use crate::tables::bounds::{KnownBounds, bounds};
use crate::tables::{
    Dice, Effect, Goal, Jumper, LineId, Mover, Op, Places, Program, Route, Spend, Verdict, With, effects,
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
    /// Places from which numbers can bring a pawn home.
    pub homeward: Places,
    /// Ways to spend that can be used: a pawn can reach one of their places, and a throw or bonus gives their number.
    pub useful: Vec<Way>,
    /// Ways to spend that cannot be used.
    pub idle: Vec<Way>,
    /// Lines with a way to spend that can begin somewhere: one for pawns, or one for pairs or groups where they count.
    pub joining: Vec<LineId>,
}

impl Reachable {
    /// Searches from the places of the opening and from the places to which effects and captures send pawns.
    pub(super) fn of(parts: &TableParts<'_>, code: &[Op]) -> Reachable {
        let (lines, _) = &*parts.spend;
        let steps: Vec<u64> = lines.iter().map(|line| parts.steps(line, code)).collect();
        let onward = parts.onward(&steps, code);
        let places = flood(parts.sources(code), &onward);
        let is_useful = |(line, steps): &(&Spend, &u64)| line.moves_from(parts.pairing) & places != 0 && **steps != 0;
        let (useful, idle): (Vec<_>, Vec<_>) = lines.iter().zip(&steps).partition(is_useful);
        let named = |(spend, _): (&Spend, &u64)| way(spend.line, spend.mover, spend.with);
        let ids = |ways: Vec<(&Spend, &u64)>| ways.into_iter().map(named).collect();
        let joining = lines.iter().filter(|line| line.moves_from(parts.pairing) != 0).map(|line| line.line);
        let joining = joining.collect();
        let homeward = leading_to(parts.board.home(), &onward);
        Reachable { places, homeward, useful: ids(useful), idle: ids(idle), joining }
    }
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
            && self.pairing == other.pairing
            && self.pawns.is(&other.pawns)
            && self.dice.is(&other.dice)
            && self.numbers.is(&other.numbers)
    }

    /// The places to which pawns come at the opening and by a capture.
    pub(super) fn starts(&self) -> Places {
        let places = self.opening();
        let [landing, passing] = &self.verdicts.tables;
        let cuts = [Verdict::Cut, Verdict::CutLast, Verdict::CutLastOfAll];
        let is_cut = cuts.iter().any(|&answer| landing.can_answer(answer) || passing.can_answer(answer));
        if is_cut { places | self.pawns.cut_to.alone() } else { places }
    }

    /// The places where pawns begin the game.
    pub(super) fn opening(&self) -> Places {
        let colours = self.seats.colours.iter().map(|seat| &self.pawns.start[seat.index()]);
        let start = colours.flat_map(|places| &places[..usize::from(self.pawns.count)]);
        start.fold(0, |all, &place| all | place.alone())
    }

    /// The places to which pawns come without a move: at the opening, by a capture, and by effects.
    fn sources(&self, code: &[Op]) -> Places {
        let [landing, _] = &self.verdicts.tables;
        // An effect with a computed goal may send pawns off the board.
        let mut places = self.starts() | PathPlace::OUT.alone();
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

    /// For every place, the places to which numbers may bring a pawn from there. `steps` has the lengths of the moves
    /// of each spend line, a bit for each.
    pub(super) fn onward(&self, steps: &[u64], code: &[Op]) -> [Places; MAX_PLACES] {
        let (lines, _) = &*self.spend;
        let mut ways = Ways::of(lines, steps, &self.board, self.pairing);
        self.carry(lines, steps, code, &mut ways);
        ways.onward(&self.board)
    }

    /// Adds the places to which spend lines with a computed goal bring pawns.
    fn carry(&self, lines: &[Spend], steps: &[u64], code: &[Op], ways: &mut Ways) {
        for (line, &steps) in lines.iter().zip(steps).filter(|(_, steps)| **steps != 0) {
            let Route::Computed(program) = line.route else { continue };
            for from in bits(line.moves_from(self.pairing)) {
                let at = (i64::from(from), i64::from(from));
                for number in bits(steps).map(i64::from) {
                    let given = KnownBounds { number: (number, number), from: at, ..self.nothing_known() };
                    let reach = bounds(program.of(code), &given).unwrap_or((1, i64::from(self.board.home().0)));
                    ways.carried[usize::from(from)] |= self.between(reach);
                }
            }
        }
    }

    pub(super) fn nothing_known(&self) -> KnownBounds<'_> {
        let [seat, game, _] = &*self.counters;
        KnownBounds::nothing([seat, game])
    }

    /// The places from `least` to `most`, without the place off the board.
    fn between(&self, (least, most): (i64, i64)) -> Places {
        let home = i64::from(self.board.home().0);
        (least.max(1)..=most.min(home)).fold(0, |places, place| places | 1 << place)
    }

    /// The effects of all rules and choices.
    pub(super) fn effects(&self) -> impl Iterator<Item = &Effect> {
        effects(&*self.on, &self.choices)
    }

    /// The lengths of a line's moves, a bit for each: the numbers that can be spent, or all lengths that the expression
    /// under `steps` may compute from these numbers.
    pub(super) fn steps(&self, line: &Spend, code: &[Op]) -> u64 {
        let any = (1u64 << (MAX_STEP.0 + 1)) - 2;
        let as_thrown = self.numbers.is_empty() || line.with == With::Bonus;
        let numbers = if as_thrown { self.thrown(line, code) } else { any };
        let numbers = numbers & line.exactly.bits();
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
        let given = KnownBounds { number: (least, most), ..self.nothing_known() };
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
