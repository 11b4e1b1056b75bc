//! The legal actions of plain rule sets, as sets of pawns.

use super::landings::{CUTS, Sets};
use super::sight::{Fresh, Sees};
use super::squares::LandingIndex;
use super::tables::{ASKED_DIE, FIRST, FIRST_BY, JOINT, Quick, SECOND, SUM, UNLINED};
use super::{PAWNS, bits, index_of, squares};
use crate::play::context::Context;
use crate::play::engine::Engine;
use crate::play::lanes::{hidden, lane, repeated};
use crate::play::quick::plain::GateTest;
use crate::play::state::{Action, ActionForm, ActionKind, State};
use crate::tables::Reunite;
use crate::units::{PathPlace, PawnIndex, Pips, Seat, SquareId, ThrowIndex};

/// A set of distinct actions, one bit each. The bit of an action is `8 * way + pawn`.
pub(crate) type Bits = u32;

/// The steps of each way to spend the dice, one byte for each way.
#[derive(Clone, Copy)]
pub(super) struct WaySteps(u32);

impl WaySteps {
    #[inline(always)]
    pub(super) fn new(a: Pips, b: Pips) -> WaySteps {
        let (Pips(a), Pips(b)) = (a, b);
        WaySteps(u32::from_le_bytes([a, b, a + b, a]))
    }

    #[inline(always)]
    pub(super) fn is_doublet(self) -> bool {
        self.steps(FIRST) == self.steps(SECOND)
    }

    #[inline(always)]
    pub(super) fn steps(self, way: usize) -> Pips {
        Pips((self.0 >> (8 * (way & 3))) as u8)
    }
}

/// The result of an action with one die: the pawn that moved, and the pawns that it left behind.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    /// The pawn that the die moved.
    pub pawn: u8,
    /// The pawns that stood together with the moved pawn, one bit each.
    pub parted: u8,
}

/// The move of an action: the pawn, where it starts, where it lands, and whether it captures.
#[derive(Clone, Copy)]
pub(super) struct MoveTarget {
    pub pawn: u8,
    pub from: PathPlace,
    pub to: PathPlace,
    pub square: Option<SquareId>,
    pub cuts: bool,
    /// The number that is spent: a die, the sum, or one die of a doublet.
    pub number: Pips,
}

/// The moving colour, with all data that its decision needs.
pub(super) struct Side<'a, S> {
    pub engine: &'a Engine,
    pub quick: &'a Quick,
    pub state: &'a State,
    pub sees: &'a S,
    pub colour: Seat,
    /// Whether the gate is open for the colour.
    pub gate: bool,
    /// The places of the colour's pawns, one byte each.
    pub at: u64,
    /// The indices from which the steps of the pawns are counted, one byte each. See [`Quick::starts`].
    pub starts: u64,
}

impl<S> Clone for Side<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Side<'_, S> {}

impl<'a, S: Sees> Side<'a, S> {
    #[inline(always)]
    pub(super) fn of(engine: &'a Engine, quick: &'a Quick, state: &'a State, sees: &'a S, colour: Seat) -> Self {
        let at = PathPlace::word(&state.at[colour.index()]) as u64;
        let gate = engine.quick_gate(quick, state, colour);
        Side { engine, quick, state, sees, colour, gate, at, starts: quick.starts(at) }
    }

    /// The indices of the colour's pawns.
    #[inline(always)]
    pub(super) fn pawns(&self) -> std::ops::Range<usize> {
        0..(self.engine.pawns.count as usize).min(PAWNS)
    }

    /// The target (a square, a place without a square, or beyond the path) that a pawn reaches with `steps`.
    #[inline(always)]
    pub(super) fn cell_ahead(&self, pawn: usize, steps: Pips) -> LandingIndex {
        let cells = &self.quick.cells[usize::from(self.gate)][index_of(self.colour)];
        squares::ahead(cells, steps)[lane(self.starts, pawn) as usize]
    }

    /// Looks up what every pawn would reach. Returns, for each count of steps, the landing flags of the targets that
    /// the pawns would reach, as sets of pawns; then a union of the place flags (such as [`UNLINED`]) of all places
    /// where the colour's pawns stand.
    #[inline(always)]
    pub(in crate::play) fn look<const N: usize, const WAYS: usize>(&self, steps: [Pips; WAYS]) -> ([Sets; WAYS], u8) {
        let cells = &self.quick.cells[usize::from(self.gate)][index_of(self.colour)];
        let ahead = steps.map(|steps| squares::ahead(cells, steps));
        let (mut sets, mut flags) = ([Sets::default(); WAYS], 0);
        for pawn in 0..N {
            if N > 4 && pawn >= self.engine.pawns.count as usize {
                break;
            }
            flags |= self.quick.flags[(lane(self.at, pawn) & 127) as usize];
            let start = lane(self.starts, pawn) as usize;
            for way in 0..WAYS {
                let cell = ahead[way][start];
                sets[way].add(self.sees.word(self.quick, self.state, self.colour, cell), pawn);
            }
        }
        (sets, flags)
    }

    /// The legal actions while both dice are unspent, [packed](bits::packed).
    #[inline(always)]
    pub(super) fn with_both<const N: usize>(self, dice: WaySteps) -> u32 {
        let doublet = dice.is_doublet();
        let (mut sets, flags) = self.look::<N, 3>([FIRST, SECOND, SUM].map(|way| dice.steps(way)));
        let paired = if doublet { self.paired::<N>() } else { 0 };
        let mut joint = if paired != 0 { self.joint(paired, dice.steps(JOINT)) } else { 0 };
        let mut may = sets.map(Sets::may);
        if flags != 0 {
            (sets, may, joint) = self.restricted(sets, joint, flags);
        }
        let firsts = !repeated::<N>(self.at);
        let single = [may[0] & firsts, if doublet { 0 } else { may[1] & firsts }];
        let wholes = [may[2] & firsts, joint];
        if !self.engine.turn.most {
            return bits::packed::<N>([single[0], single[1], wholes[0], wholes[1]]);
        }
        // With `use_dice: most`, a single die may only be spent if another pawn can then spend the other die. Usually
        // the landing flags decide this without playing the action.
        let unsteady = if self.gate && self.quick.steady { 0 } else { u8::MAX };
        let mut followed = [0; 2];
        let mut open = [0; 2];
        for way in [FIRST, SECOND] {
            let next = sets[1 - way];
            let cuts = sets[way].cuts() & unsteady;
            followed[way] = single[way] & bits::beside(next.sure()) & !(cuts | paired);
            open[way] = single[way] & !followed[way] & (bits::beside(next.perhaps()) | cuts);
        }
        let is_unforeseen = flags & ASKED_DIE != 0 || self.may_turn_gate(dice);
        if is_unforeseen {
            (followed, open) = ([0; 2], single);
        }
        if open != [0; 2] {
            let more = self.followed(open, &sets, is_unforeseen, dice);
            followed = [followed[0] | more[0], followed[1] | more[1]];
        }
        match bits::packed::<N>([followed[0], followed[1], wholes[0], wholes[1]]) {
            0 => bits::packed::<N>([single[0], single[1], 0, 0]),
            most => most,
        }
    }

    /// Whether an action with one die may open or close the gate, and a pawn stands so near that this matters for the
    /// other die.
    #[inline(always)]
    fn may_turn_gate(&self, dice: WaySteps) -> bool {
        let gate_at = self.engine.board.gate_at;
        let far = dice.steps(FIRST).max(dice.steps(SECOND));
        let is_near = |place: PathPlace| place <= gate_at && place.ahead(far) > gate_at.index();
        self.quick.gate_turns && self.pawns().any(|pawn| is_near(PathPlace(lane(self.at, pawn))))
    }

    /// The legal actions with the second die, after the first one is spent.
    #[inline(always)]
    pub(super) fn with_one<const N: usize>(self, steps: Pips, spent: Spent) -> u8 {
        let ([set], flags) = self.look::<N, 1>([steps]);
        let mut may = set.may() & !(1 << (spent.pawn & 7));
        if spent.parted != 0 && self.engine.turn.reunite == Reunite::Throw {
            may &= !self.kept_apart(spent, steps);
        }
        if flags & (UNLINED | ASKED_DIE | FIRST_BY[0]) != 0 {
            may = self.restricted_die(may, flags);
        }
        may & !repeated::<N>(hidden(self.at, spent.pawn))
    }

    /// The move of a pawn by one way to spend the dice.
    #[inline(always)]
    pub(super) fn target(&self, way: usize, pawn: u8, dice: WaySteps) -> MoveTarget {
        let steps = dice.steps(way);
        let cell = self.cell_ahead(pawn as usize, steps);
        let index = lane(self.starts, pawn as usize).wrapping_add(steps.0);
        let word = match way {
            JOINT => self.pair_word(cell),
            _ => self.sees.word(self.quick, self.state, self.colour, cell),
        };
        MoveTarget {
            pawn,
            from: PathPlace(lane(self.at, pawn as usize)),
            to: self.quick.lands[usize::from(self.gate)][index as usize],
            square: cell.landed(),
            cuts: word & CUTS != 0,
            number: steps,
        }
    }
}

/// Whether the fast engine can spend this hand: a single throw with two unspent dice, or with one after a pawn has
/// moved.
#[inline(always)]
pub(crate) fn is_quick_hand(state: &State) -> bool {
    let thrown = &state.hand.banked[0];
    let is_open = matches!((thrown.left, thrown.moved.count_ones()), (0b11, 0) | (0b01 | 0b10, 1));
    state.hand.throws == 1 && state.hand.granted == 0 && is_open
}

impl Engine {
    #[inline(always)]
    fn quick_gate(&self, quick: &Quick, state: &State, colour: Seat) -> bool {
        match quick.gate {
            GateTest::Open => true,
            GateTest::AtLeast(index, least) => state.counters[colour.index()][index as usize & 7] >= least,
            GateTest::Ask(program) => self.value(state, program, &Context::seat(colour)) != 0,
        }
    }

    /// The legal actions as bits. `None` if the general engine has to decide: the hand has a bonus, or it is not a
    /// single throw with one or two dice left.
    #[inline(never)]
    pub(crate) fn quick_moves(&self, quick: &Quick, state: &State) -> Option<Bits> {
        if !is_quick_hand(state) {
            return None;
        }
        let thrown = &state.hand.banked[0];
        let dice = WaySteps::new(thrown.numbers[0], thrown.numbers[1]);
        let spent = Spent { pawn: thrown.moved.trailing_zeros() as u8, parted: thrown.parted as u8 };
        let side = Side::of(self, quick, state, &Fresh, self.colour(state));
        match (thrown.left, thrown.moved.count_ones()) {
            (0b11, 0) => Some(side.with_both::<8>(dice)),
            (0b01, 1) => Some(Bits::from(side.with_one::<8>(dice.steps(FIRST), spent))),
            (0b10, 1) => Some(Bits::from(side.with_one::<8>(dice.steps(SECOND), spent)) << 8),
            _ => None,
        }
    }

    /// The action that a bit stands for.
    pub(crate) fn quick_action(&self, quick: &Quick, state: &State, bit: u32) -> Action {
        let colour = self.colour(state);
        let [a, b, ..] = state.hand.banked[0].numbers;
        let way = (bit >> 3) as usize & 3;
        let side = Side::of(self, quick, state, &Fresh, colour);
        let target = side.target(way, bit as u8 & 7, WaySteps::new(a, b));
        let kind = [0, 0, 1, 2][way];
        let other = if way == JOINT { side.companion(target.pawn, a) } else { None };
        Action {
            line: quick.line[kind][target.from.index() & 127].expect("a line begins where an action is open"),
            kind: ActionKind::Move,
            colour,
            pawn: PawnIndex::new(target.pawn),
            other,
            from: target.from,
            to: target.to,
            throw: Some(ThrowIndex::new(0)),
            numbers: [0b01, 0b10, 0b11, 0b11][way],
            captures: target.cuts,
            form: ActionForm::PLAIN,
        }
    }
}
