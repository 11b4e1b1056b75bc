//! Features of a position, which the tables of any rule set give.

use pagade_rules::play::{Engine, PathPlace, Phase, Seat, State};
use pagade_rules::units::{MAX_SEATS, PawnIndex, SquareId};

use super::reach::Reach;

/// Number of features of one side.
const OF_SIDE: usize = 7;
/// Number of features of a position: of the own side, of the enemies on average, and of the enemy that is ahead; the
/// throws that the seat has still, and a constant.
pub(super) const COUNT: usize = 3 * OF_SIDE + 2;

/// The features of a position, each between -1 and 1.
pub(super) type Features = [f32; COUNT];

/// Computes features for one table.
#[derive(Debug, Clone)]
pub(super) struct Evaluation {
    reach: Reach,
}

impl Evaluation {
    /// Prepares for the dice of this table.
    pub(super) fn new(engine: &Engine) -> Evaluation {
        Evaluation { reach: Reach::new(engine) }
    }

    /// Computes the features of a state for a seat.
    ///
    /// Of a side: steps done, pawns home, pawns off the board, whether its gate is closed, the steps that it has to
    /// expect to lose before its next turn, pawns in pairs, and the steps of its last pawn. All are shares of their
    /// greatest value.
    pub(super) fn features(&self, engine: &Engine, state: &State, seat: Seat) -> Features {
        let players = &engine.seating.players;
        let mut sides = [[0.0_f32; OF_SIDE]; MAX_SEATS];
        for &player in players {
            sides[player.index()] = side(engine, state, player);
        }
        for &enemy in players {
            let mut hit = |square, chance: f32| {
                for &victim in players {
                    if victim != enemy && engine.seating.partner[enemy.index()] != victim {
                        sides[victim.index()][4] += chance * steps_at(engine, state, victim, square);
                    }
                }
            };
            self.reach.threats(engine, state, enemy, &mut hit);
        }
        let mut features = [0.0; COUNT];
        let (mut enemies, mut ahead) = (0, [f32::MIN; OF_SIDE]);
        let partner = engine.seating.partner[seat.index()];
        let own_share = if partner == seat { 1.0 } else { 0.5 };
        for &player in players {
            let values = &sides[player.index()];
            if player == seat || player == partner {
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
