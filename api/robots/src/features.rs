//! Features of a position: numbers that can be computed for any rule set, and by which a robot values the position.

use pagade_rules::play::{Engine, PathPlace, Phase, Seat, State};
use pagade_rules::units::{MAX_SEATS, PawnIndex, SquareId};

use super::reach::Reach;
use super::weights::Weights;

/// Number of features of one side.
pub(super) const OF_SIDE: usize = 7;
/// Number of features of a position: of the own side, of the enemies on average, and of the enemy that is ahead; the
/// throws that the seat has still, and a constant.
pub(super) const COUNT: usize = 3 * OF_SIDE + 2;

/// The features of a position, each between -1 and 1.
pub(super) type Features = [f32; COUNT];

/// Computes features for one table.
#[derive(Debug, Clone)]
pub(super) struct Evaluation {
    reach: Reach,
    /// Whether the order of arrival on a square matters.
    pub tracks_newest: bool,
}

impl Evaluation {
    /// Prepares the evaluation of positions for the dice of a table.
    pub(super) fn new(engine: &Engine) -> Evaluation {
        Evaluation { reach: Reach::new(engine), tracks_newest: engine.tracks_newest() }
    }

    /// Computes the value of a state for a seat: the weighted sum of its features.
    pub(super) fn value(&self, engine: &Engine, state: &State, seat: Seat, weights: &Weights) -> f32 {
        let features = self.features(engine, state, seat);
        let mut value: f32 = weights.general.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
        if !weights.own.is_empty() {
            each_pawn(engine, state, seat, |is_own, place, share| {
                let weights = if is_own { &weights.own } else { &weights.enemies };
                value += share * weights.get(place.index()).copied().unwrap_or_default();
            });
        }
        value
    }

    /// Lists the features of a state for a seat that are not 0, each with the index of its weight in [`Weights`]. A
    /// place on which several pawns stand is listed for each of them.
    pub(super) fn sparse(&self, engine: &Engine, state: &State, seat: Seat, list: &mut Vec<(u32, f32)>) {
        list.clear();
        let features = self.features(engine, state, seat);
        list.extend((0..).zip(features).filter(|(_, feature)| *feature != 0.0));
        let places = u32::from(engine.board.len);
        each_pawn(engine, state, seat, |is_own, place, share| {
            let first = COUNT as u32 + if is_own { 0 } else { places };
            list.push((first + u32::from(place.0), share));
        });
    }

    /// Computes the features of a state for a seat, without the places of pawns.
    ///
    /// Of a side: steps done, pawns home, pawns off the board, whether its gate is closed, the steps that it has to
    /// expect to lose before its next turn, pawns in pairs, and the steps of its last pawn. All are shares of their
    /// greatest value.
    pub(super) fn features(&self, engine: &Engine, state: &State, seat: Seat) -> Features {
        let colours = &engine.seating.colours;
        let mut sides = [[0.0_f32; OF_SIDE]; MAX_SEATS];
        for &colour in colours {
            sides[colour.index()] = side(engine, state, colour);
        }
        for &enemy in colours {
            let mut hit = |square, chance: f32| {
                for &victim in colours {
                    if victim != enemy && !engine.seating.is_friend(enemy, victim) {
                        sides[victim.index()][4] += chance * steps_at(engine, state, victim, square);
                    }
                }
            };
            self.reach.threats(engine, state, enemy, &mut hit);
        }
        let mut features = [0.0; COUNT];
        let (mut enemies, mut ahead) = (0, [f32::MIN; OF_SIDE]);
        let is_own = |colour: Seat| engine.seating.is_of_side(colour, seat);
        let own_share = 1.0 / colours.iter().filter(|colour| is_own(**colour)).count().max(1) as f32;
        for &colour in colours {
            let values = &sides[colour.index()];
            if is_own(colour) {
                (0..OF_SIDE).for_each(|i| features[i] += own_share * values[i]);
            } else {
                enemies += 1;
                (0..OF_SIDE).for_each(|i| features[OF_SIDE + i] += values[i]);
                if values[0] > ahead[0] {
                    ahead = *values;
                }
            }
        }
        for i in 0..OF_SIDE {
            features[OF_SIDE + i] /= enemies.max(1) as f32;
            features[2 * OF_SIDE + i] = if enemies > 1 { ahead[i] } else { 0.0 };
        }
        let throws = state.owed[0] + state.owed[1] + u8::from(state.phase == Phase::Throw);
        features[3 * OF_SIDE] = if state.turn == seat { f32::from(throws.min(4)) / 4.0 } else { 0.0 };
        features[3 * OF_SIDE + 1] = 1.0;
        features
    }
}

/// Calls `found` for every pawn with whether it belongs to the side of `seat`, its place, and its share of the pawns of
/// that side. The shares of each side have the sum 1.
fn each_pawn(engine: &Engine, state: &State, seat: Seat, mut found: impl FnMut(bool, PathPlace, f32)) {
    let colours = &engine.seating.colours;
    let is_own = |colour: Seat| engine.seating.is_of_side(colour, seat);
    let own = colours.iter().filter(|colour| is_own(**colour)).count().max(1);
    let enemies = colours.len().saturating_sub(own).max(1);
    let pawns = usize::from(engine.pawns.count.max(1));
    for &colour in colours {
        let is_own = is_own(colour);
        let share = 1.0 / (pawns * if is_own { own } else { enemies }) as f32;
        for pawn in PawnIndex::all(engine.pawns.count) {
            found(is_own, state.place_of(colour, pawn), share);
        }
    }
}

/// The features of one side, without the steps that it may lose.
fn side(engine: &Engine, state: &State, seat: Seat) -> [f32; OF_SIDE] {
    let (home, pawns) = (engine.board.home(), engine.pawns.count);
    let all = f32::from(pawns.max(1));
    let (mut steps, mut at_home, mut out, mut paired, mut last) = (0.0, 0.0, 0.0, 0.0, f32::from(home.0));
    for pawn in PawnIndex::all(pawns) {
        let place = state.place_of(seat, pawn);
        steps += f32::from(place.0);
        last = last.min(f32::from(place.0));
        at_home += f32::from(u8::from(place == home));
        out += f32::from(u8::from(place == PathPlace::OUT));
        let beside = |other: PawnIndex| other != pawn && state.place_of(seat, other) == place;
        let is_paired = place.is_in(engine.board.pairing) && PawnIndex::all(pawns).any(beside);
        paired += f32::from(u8::from(is_paired));
    }
    let length = f32::from(home.0.max(1));
    let closed = f32::from(u8::from(!engine.is_gate_open(state, seat)));
    [steps / (all * length), at_home / all, out / all, closed, 0.0, paired / all, last / length]
}

/// The steps that the pawns of a seat on a square lose when they are captured, as a share of the steps of all its
/// pawns.
fn steps_at(engine: &Engine, state: &State, seat: Seat, square: SquareId) -> f32 {
    let pawns = PawnIndex::all(engine.pawns.count);
    let places =
        pawns.map(|pawn| state.place_of(seat, pawn)).filter(|&place| engine.square(seat, place) == Some(square));
    let lost: u32 = places.map(|place| u32::from(place.0.saturating_sub(engine.pawns.cut_to.0))).sum();
    let most = u32::from(engine.board.home().0.max(1)) * u32::from(engine.pawns.count.max(1));
    lost as f32 / most as f32
}
