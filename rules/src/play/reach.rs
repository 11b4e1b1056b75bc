//! Where each number leads from each place, as tables: the spend lines that lead there, the place and its square.

use super::evaluator::Evaluator;
use super::question::Look;
use super::spend_lines::SpendLines;
use crate::tables::{Dice, Duty, Effect, Fact, Mover, Op, Route, Spend, WaySet, With};
use crate::units::{MAX_STEP, PathPlace, PawnSet, Pips, Seat, SquareId};

/// Maximum number of lines of one row. With more than eight pawns, it is half as many.
pub(super) const LINES: usize = 8;

/// Number of bits that stand for the pawns of a line in a set of actions, as a power of 2.
#[inline(always)]
pub(super) fn bits_of_pawns(pawns: u8) -> u32 {
    if pawns <= 8 { 3 } else { 4 }
}

/// The move of one pawn from a place by one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PawnReach {
    /// A mask of [`OPEN`], [`ASKED`], [`ASKED_OF_GROUP`], [`MARKED`], [`SECOND`], [`WALKS`], [`LAPS`], [`GROUP`],
    /// [`JOINT`] and [`OTHER`]. 0 if no line begins here.
    pub flags: u16,
    /// The index of the line in [`ReachRow::lines`].
    pub rank: u8,
    pub to: PathPlace,
    /// The slot of the square on which the move ends.
    pub square_index: u8,
    /// The class of the place on which the move ends.
    pub class: u8,
    pub steps: u8,
}

/// A line leads a single pawn from here.
pub(super) const OPEN: u16 = 1;
/// The condition of the line has to be evaluated.
pub(super) const ASKED: u16 = 1 << 1;
/// A second line leads a pawn from here; [`ReachRow::second`] has its move.
pub(super) const SECOND: u16 = 1 << 2;
/// The pawn walks along the path, where other pawns may bar the way.
pub(super) const WALKS: u16 = 1 << 3;
/// A line leads several pawns from here, in a way that the table does not hold.
pub(super) const JOINT: u16 = 1 << 4;
/// The pawn walks past the gate for another lap.
pub(super) const LAPS: u16 = 1 << 6;
/// A line leads pawns from here in a way that the table does not hold.
pub(super) const OTHER: u16 = 1 << 5;
/// The condition of the line has to be evaluated for a pawn that does not stand alone.
pub(super) const ASKED_OF_GROUP: u16 = 1 << 8;
/// The condition of the line asks for marks of the pawn only; [`ReachRow::marks`] has them.
pub(super) const MARKED: u16 = 1 << 9;
/// A line leads a whole group from here; [`ReachRow::group`] has its move.
pub(super) const GROUP: u16 = 1 << 7;

/// The moves of one colour by one number or bonus, with the gate open or closed.
#[derive(Debug)]
pub(super) struct ReachRow {
    /// The move from each place.
    pub first: [PawnReach; 128],
    /// The move from each place by a second line, where `first` has the flag [`SECOND`].
    pub second: [PawnReach; 128],
    /// The move of all pawns that stand there together.
    pub group: [PawnReach; 128],
    /// The lines of the moves, in the order of the rule set.
    pub lines: [u8; LINES],
    /// The lines with a condition that is the same for all moves of a decision ([`Spend::open`]), one bit each by their
    /// index in `lines`.
    pub asks_once: u8,
    /// For each line, a mask of the marks of the pawn that its condition asks for, and their values.
    pub marks: [[u8; 2]; LINES],
    /// The lines that move groups, one bit each by their index in `lines`.
    pub groups: u8,
    /// The lines of the rule set that are among `lines`, one bit each.
    pub all_lines: WaySet,
    /// Whether at most one line leads from each place, without a condition that has to be evaluated.
    pub is_plain: bool,
}

/// The rows of all numbers and bonuses.
#[derive(Debug)]
pub(super) struct ReachTable {
    /// For numbers and for bonuses, and for each size, one more than the index of its first row. Its rows are ordered
    /// by gate, then by colour. 0 if the table does not hold this size.
    at: [[u16; MAX_STEP.0 as usize + 1]; 2],
    colours: usize,
    rows: Vec<ReachRow>,
}

impl ReachTable {
    pub(super) fn of(rules: &Evaluator, lines: &SpendLines) -> ReachTable {
        let colours = rules.seating.colours.iter().map(|seat| seat.index() + 1).max().unwrap_or_default();
        let mut table = ReachTable { at: [[0; MAX_STEP.0 as usize + 1]; 2], colours, rows: Vec::new() };
        if rules.seating.shares || rules.moves.spend.iter().any(|line| line.duty != Duty::Ordinary) {
            return table;
        }
        for (bonus, sizes) in [sizes_of_numbers(rules), sizes_of_bonuses(rules)].iter().enumerate() {
            for &size in sizes.iter().filter(|size| (Pips(1)..=MAX_STEP).contains(size)) {
                let from = table.rows.len();
                for gate in 0..2 {
                    for colour in 0..colours {
                        let row = ReachRow::of(rules, lines, bonus == 1, size, gate, Seat(colour as u8));
                        table.rows.extend(row);
                    }
                }
                if table.rows.len() == from + 2 * colours {
                    table.at[bonus][size.index()] = from as u16 + 1;
                } else {
                    table.rows.truncate(from);
                }
            }
        }
        table
    }

    /// The moves of a colour by a number, or by a bonus. `None` if the table does not hold them.
    #[inline(always)]
    pub(super) fn row(&self, bonus: bool, size: Pips, gate: bool, colour: Seat) -> Option<&ReachRow> {
        let at = *self.at[usize::from(bonus)].get(size.index())?;
        let first = usize::from(at).checked_sub(1)?;
        self.rows.get(first + usize::from(gate) * self.colours + colour.index())
    }

    /// Whether the table holds the moves by a number, or by a bonus.
    #[inline(always)]
    pub(super) fn holds(&self, bonus: bool, size: Pips) -> bool {
        self.at[usize::from(bonus)].get(size.index()).is_some_and(|at| *at != 0)
    }
}

/// The faces of the dice or the values of the lots, and the constants in lines of `numbers`.
fn sizes_of_numbers(rules: &Evaluator) -> Vec<Pips> {
    let constants = rules.throws.numbers.iter().flat_map(|line| &line.numbers);
    let constants = constants.filter_map(|&program| match rules.ops(program) {
        [Op::Push(number)] => u8::try_from(*number).ok().map(Pips),
        _ => None,
    });
    let (Dice::Faces { faces: values, .. } | Dice::Lots { values, .. }) = &rules.throws.dice;
    distinct(values.iter().map(|&value| Pips(value)).chain(constants))
}

fn sizes_of_bonuses(rules: &Evaluator) -> Vec<Pips> {
    distinct(rules.events.effects().filter_map(|effect| match *effect {
        Effect::Bonus(steps, _) => match rules.ops(steps) {
            [Op::Push(number)] => u8::try_from(*number).ok().map(Pips),
            _ => None,
        },
        _ => None,
    }))
}

fn distinct(sizes: impl Iterator<Item = Pips>) -> Vec<Pips> {
    let mut sizes: Vec<Pips> = sizes.collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The pawns of a decision: those from whose places a line leads.
#[derive(Clone, Copy)]
pub(super) struct RowStart {
    /// The pawns that a line may lead on, one bit each.
    pub pawns: PawnSet,
    /// The flags of all their places.
    pub flags: u16,
}

impl ReachRow {
    /// The pawns from whose places lines lead.
    #[inline(always)]
    pub(super) fn standing(&self, places: &[PathPlace]) -> RowStart {
        let mut standing = RowStart { pawns: 0, flags: 0 };
        for (pawn, place) in places.iter().enumerate() {
            let here = self.first[place.index() & 127].flags;
            standing.flags |= here;
            standing.pawns |= PawnSet::from(here & (OPEN | GROUP) != 0) << (pawn & 15);
        }
        standing
    }

    /// The row of a size. `None` if more than [`LINES`] lines move pawns by this size.
    fn of(
        rules: &Evaluator,
        lines: &SpendLines,
        bonus: bool,
        size: Pips,
        gate: usize,
        colour: Seat,
    ) -> Option<ReachRow> {
        let nowhere = [PawnReach::default(); 128];
        let mut row = ReachRow {
            first: nowhere,
            second: nowhere,
            group: nowhere,
            lines: [0; LINES],
            asks_once: 0,
            marks: [[0; 2]; LINES],
            groups: 0,
            all_lines: 0,
            is_plain: false,
        };
        let most = LINES.min(64 >> bits_of_pawns(rules.pawns.count));
        let mut ranks = 0;
        let with = if bonus { With::Bonus } else { With::Die };
        for (index, line) in rules.moves.spend.iter().enumerate() {
            if line.with != with || lines.by_number(size) >> index & 1 == 0 {
                continue;
            }
            let [may, sure, sure_alone] = lines.holding_alone(index as u8, size);
            let mut is_used = false;
            let steps = steps_of(rules, line, size);
            let marks = line.when.map_or([0; 2], |when| rules.marks_asked(when));
            let asked = if marks[0] == 0 { ASKED } else { MARKED };
            for place in rules.board.places().filter(|place| place.is_in(line.from & may)) {
                if line.mover.is_joint() && !place.is_in(rules.board.pairing) {
                    continue;
                }
                let reach = reached(rules, line, steps, gate, colour, place);
                if let Some(mut reach) = reach {
                    let asked_of_some = if place.is_in(sure_alone) { ASKED_OF_GROUP } else { asked };
                    (reach.flags, reach.rank) =
                        (reach.flags | if place.is_in(sure) { 0 } else { asked_of_some }, ranks);
                    is_used |= row.add(line.mover, lines.has_like(index as u8), place, reach);
                }
            }
            if is_used {
                if usize::from(ranks) == most {
                    return None;
                }
                row.lines[usize::from(ranks)] = index as u8;
                row.asks_once |= u8::from(line.open.is_some()) << ranks;
                row.marks[usize::from(ranks)] = marks;
                row.groups |= u8::from(line.mover == Mover::Group) << ranks;
                row.all_lines |= 1 << index;
                ranks += 1;
            }
        }
        row.is_plain = row.asks_once == 0 && row.first.iter().all(|reach| reach.flags & !(OPEN | WALKS | LAPS) == 0);
        Some(row)
    }

    /// Adds the move from a place by a line. Returns whether the row holds it.
    fn add(&mut self, mover: Mover, has_like: bool, place: PathPlace, reach: PawnReach) -> bool {
        let first = &mut self.first[place.index()];
        if mover.is_joint() {
            let is_held = mover == Mover::Group && !has_like && reach.flags & OTHER == 0 && first.flags & GROUP == 0;
            first.flags |= if is_held { GROUP } else { JOINT };
            if is_held {
                self.group[place.index()] = reach;
            }
            return is_held;
        }
        match first.flags & (OPEN | SECOND) {
            0 => *first = PawnReach { flags: reach.flags | first.flags, ..reach },
            OPEN => {
                first.flags |= SECOND | reach.flags & OTHER;
                self.second[place.index()] = reach;
            }
            _ => first.flags |= OTHER,
        }
        true
    }
}

/// The count of steps by which a line moves pawns for a number. `None` if it depends on more than the number.
fn steps_of(rules: &Evaluator, line: &Spend, size: Pips) -> Option<i32> {
    let Some(steps) = line.steps else { return Some(size.0.into()) };
    let settled = rules.settled(&|look| (look == Look::Fact(Fact::Number)).then_some(size.0.into()));
    rules.questions.constant(settled.comes_to(rules.questions.first[steps.start as usize]))
}

/// The move of a pawn from a place by a line, by a count of steps. `None` if there is none, whatever the position.
fn reached(
    rules: &Evaluator,
    line: &Spend,
    steps: Option<i32>,
    gate: usize,
    colour: Seat,
    from: PathPlace,
) -> Option<PawnReach> {
    let other = Some(PawnReach { flags: OPEN | OTHER, ..PawnReach::default() });
    let Some(steps) = steps else { return other };
    if !(1..=i32::from(MAX_STEP.0)).contains(&steps) {
        return None;
    }
    let ahead = usize::from(from.0) + steps as usize;
    let walks = |gate: usize| {
        let target = ahead & 255;
        rules.board.lands[gate][target].map(|to| (OPEN | WALKS, to, rules.board.square[gate][colour.index()][target]))
    };
    let (flags, to, square) = match line.route {
        Route::Ahead => walks(usize::from(gate == 1 || from > rules.board.gate_at))?,
        Route::Lap if gate == 1 && from <= rules.board.gate_at && ahead > rules.board.gate_at.index() => {
            let (flags, to, square) = walks(0)?;
            (flags | LAPS, to, square)
        }
        Route::Lap => return None,
        Route::To(place) if place == from => return None,
        Route::To(place) => (OPEN, place, rules.square(colour, place)),
        _ => return other,
    };
    let class = rules.board.class[colour.index()][to.index() & 127];
    Some(PawnReach { flags, rank: 0, to, square_index: SquareId::table_index(square) as u8, class, steps: steps as u8 })
}
