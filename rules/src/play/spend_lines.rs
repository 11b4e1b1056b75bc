//! Look-up tables of the spend lines, by place and duty.

use super::evaluator::Evaluator;
use super::question::Look;
use crate::tables::{Duty, Fact, Moves, Op, Places, Route, Rules, Spend, Verdict, WaySet, With};
use crate::units::{MAX_PAWNS, MAX_SEATS, MAX_STEP, PathPlace, Pips, Seat};

/// Look-up tables of the spend lines. A [`WaySet`] is a mask with one bit for each line.
#[derive(Debug, Clone)]
pub(crate) struct SpendLines {
    /// The lines that may begin on each place.
    from: [WaySet; 128],
    /// The lines that may spend each number, sum or bonus.
    by_number: [WaySet; 256],
    /// For each duty, the lines that spend numbers, and the lines that spend bonuses.
    of: [[WaySet; 2]; 3],
    /// The lines whose condition does not depend on where the move ends.
    asks_first: WaySet,
    /// The lines with a condition that is the same for all numbers and wherever the move ends.
    of_pawn: WaySet,
    /// For each colour and place, the places of the colour's path on the same square. Empty if the place has no square.
    touching: Box<[[Places; 128]; MAX_SEATS]>,
    /// The lines that can have an action with the same text as an action of another line.
    like: WaySet,
    /// The lines that move pawns along the path by exactly the number spent, and whose actions cannot have the same
    /// text as an action of another line.
    plain: WaySet,
    /// The lines that move several pawns together.
    joint: WaySet,
    /// The lines that spend several numbers at once.
    several: WaySet,
    /// The work of trying one part of the hand by each line, in operations of conditions.
    work: Vec<u32>,
    /// For each line and number, the places from which its condition may hold, those from which it surely holds, and
    /// those from which it surely holds for a pawn that stands alone.
    holding: Vec<[[Places; 3]; NUMBERS]>,
}

/// The number of sizes that a number, sum or bonus may have: 0 to [`MAX_STEP`].
const NUMBERS: usize = MAX_STEP.0 as usize + 1;

/// The work of finding where a move of one pawn ends, in operations of conditions.
const WORK_OF_A_PAWN: u32 = 8;

/// The operations of `landing`, `passing` and `must` that judge a move and count as no further work.
const FREE_JUDGING: usize = 128;

/// The operations that may run to judge a move: those of all conditions of `landing`, `passing` and `must`.
fn operations_of_judging(rules: &Rules) -> usize {
    let Moves { must, landing, passing, .. } = &rules.moves;
    let verdicts = landing.asked.iter().chain(&passing.asked).map(|line| line.when);
    let compulsions = must.iter().flat_map(|must| [must.open, must.when, must.least]).flatten();
    verdicts.chain(compulsions).map(|program| rules.operations_of(program)).sum()
}

impl Default for SpendLines {
    fn default() -> Self {
        SpendLines {
            from: [0; 128],
            by_number: [0; 256],
            of: [[0; 2]; 3],
            touching: Box::new([[0; 128]; MAX_SEATS]),
            like: 0,
            plain: 0,
            joint: 0,
            several: 0,
            asks_first: 0,
            of_pawn: 0,
            work: Vec::new(),
            holding: Vec::new(),
        }
    }
}

impl SpendLines {
    pub(crate) fn of(rules: &Evaluator) -> SpendLines {
        let mut lines = SpendLines::default();
        let judging = operations_of_judging(rules).saturating_sub(FREE_JUDGING);
        for (index, line) in rules.moves.spend.iter().enumerate() {
            let may_begin = rules.may_hold_by(line.when, Fact::From, lines.from.len());
            for (place, (from, may_begin)) in lines.from.iter_mut().zip(may_begin).enumerate() {
                *from |= WaySet::from(may_begin && line.from >> place & 1 == 1) << index;
            }
            let may_spend = rules.may_hold_by(line.when, Fact::Number, lines.by_number.len());
            for (number, (by_number, may_spend)) in lines.by_number.iter_mut().zip(may_spend).enumerate() {
                let is_allowed = line.exactly.has(Pips(number as u8));
                *by_number |= WaySet::from(may_spend && is_allowed) << index;
            }
            let asked = line.when.map(|when| rules.read_by(when));
            let asks = |what: fn(Op) -> bool| asked.iter().flatten().any(|op| what(*op));
            lines.asks_first |= WaySet::from(!asks(Op::asks_end)) << index;
            let is_of_pawn = asked.is_some() && !asks(Op::asks_end) && !asks(Op::asks_number);
            lines.of_pawn |= WaySet::from(is_of_pawn) << index;
            lines.joint |= WaySet::from(line.mover.is_joint()) << index;
            lines.several |= WaySet::from(!matches!(line.with, With::Die | With::Bonus)) << index;
            lines.of[line.duty as usize][usize::from(line.with == With::Bonus)] |= 1 << index;
            let asked = [line.when, line.steps, line.route.program()].into_iter().flatten();
            let operations: usize = asked.map(|program| rules.operations_of(program)).sum();
            lines.work.push((WORK_OF_A_PAWN + (operations + judging) as u32) * u32::from(rules.pawns.count));
            let others = rules.moves.spend.iter().enumerate().filter(|(other, _)| *other != index);
            let is_like = |other: &Spend| other.from & line.from != 0 && other.reads_like(line);
            lines.like |= WaySet::from(others.map(|(_, other)| other).any(is_like)) << index;
            let is_plain = line.route == Route::Ahead && line.steps.is_none() && lines.like >> index & 1 == 0;
            lines.plain |= WaySet::from(is_plain) << index;
            lines.holding.push(holding(rules, line));
        }
        for (colour, touching) in lines.touching.iter_mut().enumerate() {
            let square = |place: PathPlace| rules.square(Seat(colour as u8), place);
            for place in rules.board.places().filter(|&place| square(place).is_some()) {
                let same = rules.board.places().filter(|&other| square(other) == square(place));
                touching[place.index()] = same.fold(0, |places, other| places | other.alone());
            }
        }
        lines
    }

    /// The places of a colour's path that are on the same square as this one.
    #[inline(always)]
    pub(super) fn touching(&self, colour: Seat, place: PathPlace) -> Places {
        self.touching[colour.index()][place.index() & 127]
    }

    /// The ordinary lines that spend numbers and may begin on a place.
    pub(super) fn ordinary_from(&self, place: PathPlace) -> impl Iterator<Item = u8> + use<> {
        let mut lines = self.from[place.index() & 127] & self.of_duty(Duty::Ordinary, false);
        std::iter::from_fn(move || {
            let line = lines.trailing_zeros() as u8;
            (lines != 0).then(|| {
                lines &= lines - 1;
                line
            })
        })
    }

    /// For each pawn, the lines that may begin on its place, and the lines that any of them may begin.
    #[inline(always)]
    pub(super) fn beginning(&self, pawns: u8, places: &[PathPlace; MAX_PAWNS]) -> ([WaySet; MAX_PAWNS], WaySet) {
        // Entries past the last pawn stay 0.
        let mut begin = [0; MAX_PAWNS];
        let mut begun = 0;
        let count = (pawns as usize).min(MAX_PAWNS);
        for pawn in 0..count {
            begin[pawn] = self.from[places[pawn].index() & 127];
            begun |= begin[pawn];
        }
        (begin, begun)
    }

    /// The lines that may spend a number, a sum or a bonus of this size.
    #[inline(always)]
    pub(super) fn by_number(&self, number: Pips) -> WaySet {
        self.by_number[number.index()]
    }

    /// The spend lines that have this duty. `bonus` selects the lines that spend bonuses instead of those that spend
    /// numbers.
    #[inline(always)]
    pub(super) fn of_duty(&self, duty: Duty, bonus: bool) -> WaySet {
        self.of[duty as usize][usize::from(bonus)]
    }

    /// The lines that cannot be used. `alone` is true if no two pawns stand together; this excludes lines that move
    /// several pawns. `one` is true if only one number is left; this excludes lines that spend several numbers.
    #[inline(always)]
    pub(super) fn idle(&self, alone: bool, one: bool) -> WaySet {
        (if alone { self.joint } else { 0 }) | (if one { self.several } else { 0 })
    }

    /// The lines that may spend several of these numbers of a throw at once.
    #[inline(always)]
    pub(super) fn of_several(&self, numbers: impl Iterator<Item = Pips> + Clone) -> WaySet {
        if self.several == 0 {
            return 0;
        }
        let sum = numbers.clone().fold(0u8, |sum, number| sum.saturating_add(number.0));
        let mut rest = numbers;
        let mut lines = self.by_number(Pips(sum));
        while let Some(number) = rest.next() {
            if rest.clone().any(|other| other == number) {
                lines |= self.by_number(number);
            }
        }
        self.several & lines
    }

    /// The work of trying one part of the hand by a line, in operations of conditions.
    #[inline(always)]
    pub(super) fn work(&self, line: u8) -> u32 {
        self.work[usize::from(line)]
    }

    /// The work of trying one part of the hand by all lines, in operations of conditions.
    pub(super) fn work_of_a_list(&self) -> u32 {
        self.work.iter().sum()
    }

    /// The places from which the condition of a line may hold for a number, and those from which it surely holds.
    #[inline(always)]
    pub(super) fn holding(&self, line: u8, number: Pips) -> [Places; 2] {
        let [may, sure, _] = self.holding_alone(line, number);
        [may, sure]
    }

    /// The same places, and those from which the condition surely holds for a pawn that stands alone.
    #[inline(always)]
    pub(super) fn holding_alone(&self, line: u8, number: Pips) -> [Places; 3] {
        self.holding[usize::from(line)].get(number.index()).copied().unwrap_or([Places::MAX, 0, 0])
    }

    /// Whether the condition of a line does not depend on where the move ends.
    #[inline(always)]
    pub(super) fn asks_first(&self, line: u8) -> bool {
        self.asks_first >> line & 1 == 1
    }

    /// Whether a line has a condition that is the same for all numbers and wherever the move ends.
    #[inline(always)]
    pub(super) fn is_of_pawn(&self, line: u8) -> bool {
        self.of_pawn >> line & 1 == 1
    }

    /// Whether a line moves pawns along the path by exactly the number spent, and its actions cannot have the same text
    /// as an action of another line.
    #[inline(always)]
    pub(super) fn is_plain(&self, line: u8) -> bool {
        self.plain >> line & 1 == 1
    }

    /// Whether an action of this line may have the same text as an action of another line.
    #[inline(always)]
    pub(super) fn has_like(&self, line: u8) -> bool {
        self.like >> line & 1 == 1
    }
}

/// For each number, the places from which the condition of a line may hold, those from which it surely holds, and those
/// from which it surely holds for a pawn that stands alone.
fn holding(rules: &Evaluator, line: &Spend) -> [[Places; 3]; NUMBERS] {
    let Some(when) = line.when else { return [[Places::MAX; 3]; NUMBERS] };
    let read = rules.read_by(when);
    let reads = |fact: Fact| read.contains(&Op::Fact(fact));
    // The end of a move is known if the line walks ahead by its number and no landing stops a pawn before its target.
    let is_straight = line.route == Route::Ahead && line.steps.is_none();
    let ends_there = is_straight && !rules.moves.landing.can_answer(Verdict::StopBefore);
    let target = |number: usize, place: usize| {
        let [closed, open] = [0, 1].map(|gate| rules.board.lands[gate][(place + number) & 255]);
        open.filter(|_| ends_there && closed == open)
    };
    let under = |number: usize, place: Option<usize>, is_alone: bool| {
        rules.outcomes_under(when, &|look| match look {
            Look::Fact(Fact::Number) => Some(number as i32),
            Look::Fact(Fact::Joint) => Some(line.mover.is_joint().into()),
            Look::Fact(Fact::Group) if is_alone => Some(1),
            Look::Fact(Fact::From) => place.map(|place| place as i32),
            Look::Fact(Fact::To) => target(number, place?).map(|to| to.0.into()),
            _ => None,
        })
    };
    // Whether the condition may hold, whether it surely holds, and whether it does so for a pawn that stands alone.
    let outcomes = |number: usize, place: Option<usize>| {
        let [can_fail, can_hold] = under(number, place, false);
        let holds_alone = reads(Fact::Group) && !line.mover.is_joint() && !under(number, place, true)[0];
        [can_hold, !can_fail, !can_fail || holds_alone]
    };
    let of_number = |number: usize| {
        let everywhere = outcomes(number, None);
        let is_open = everywhere[0] && !everywhere[1];
        if !is_open || !(reads(Fact::From) || reads(Fact::To) && ends_there) {
            return everywhere.map(|is_so| if is_so { Places::MAX } else { 0 });
        }
        let places = rules.board.places().filter(|&place| place.is_in(line.from));
        places.fold([0; 3], |[may, sure, alone], place| {
            let here = outcomes(number, Some(place.index())).map(|is_so| if is_so { place.alone() } else { 0 });
            [may | here[0], sure | here[1], alone | here[2]]
        })
    };
    let reads_number = reads(Fact::Number) || reads(Fact::To) && ends_there;
    let same = of_number(0);
    std::array::from_fn(|number| if reads_number { of_number(number) } else { same })
}

impl Spend {
    /// Whether the actions of two lines are the same if their places and numbers are equal, by whatever route.
    pub(super) fn reads_like(&self, other: &Spend) -> bool {
        self.with == other.with && self.mover == other.mover
    }
}
