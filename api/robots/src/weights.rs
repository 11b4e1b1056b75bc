//! Weights of a position's features: those made by hand, and those that self-play has found.

use super::features::{COUNT, Features, OF_SIDE};

/// The weights by which a robot values positions. The weighted sum of the features is the value: the higher, the better
/// for the seat. Learned weights are scaled so that the logistic function of the value is the chance to win.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// The weight of each feature of `features.rs`.
    pub general: Features,
    /// The weight of the share of the own side's pawns on each place of the path. Empty if places are not weighted.
    pub own: Vec<f32>,
    /// The weight of the share of the enemies' pawns on each place of their path. As many as in `own`.
    pub enemies: Vec<f32>,
}

impl Weights {
    /// Weights for any rule set, made by hand. Steps count most, and pawns in danger count as partly lost.
    pub(crate) const BY_HAND: Weights = Weights {
        general: [
            10.0, 0.5, -0.5, -2.0, -6.0, 0.0, -1.0, // the own side
            -10.0, -0.5, 0.5, 2.0, 1.0, 0.0, 1.0, // the enemies
            -2.0, -0.5, 0.0, 0.0, 0.5, 0.0, 0.0, // the enemy that is ahead
            2.0, 0.0, // throws, constant
        ],
        own: Vec::new(),
        enemies: Vec::new(),
    };

    /// Makes weights with which training begins, for paths of this number of places.
    pub(crate) fn to_begin(places: usize) -> Weights {
        // With half of the weights made by hand, a lead of a tenth of all steps is a chance to win of 62 %.
        let general = Weights::BY_HAND.general.map(|weight| weight / 2.0);
        Weights { general, own: vec![0.0; places], enemies: vec![0.0; places] }
    }

    /// Weights of a bolder robot. A robot that knows only others like itself becomes careful; among several robots that
    /// hunt and run, more is won by holding the enemies up and by bringing one pawn home after the other. So the steps
    /// of the enemies count more, and a place counts more, the nearer home it is.
    pub(crate) fn bolder(&self) -> Weights {
        const ENEMY_STEPS: [usize; 2] = [OF_SIDE, 2 * OF_SIDE];
        const TIMES: f32 = 3.0;
        const AT_HOME: f32 = 5.0;
        let mut weights = self.clone();
        ENEMY_STEPS.iter().for_each(|&index| weights.general[index] *= TIMES);
        let places = weights.own.len().max(1) as f32;
        for (place, weight) in weights.own.iter_mut().enumerate() {
            *weight += AT_HOME * (place as f32 / places).powi(3);
        }
        weights
    }

    pub(crate) fn len(&self) -> usize {
        COUNT + self.own.len() + self.enemies.len()
    }

    /// Adds a change to each weight. The order is that of [`Weights::at_mut`].
    pub(crate) fn add(&mut self, change: &[f64]) {
        for (index, change) in change.iter().enumerate() {
            *self.at_mut(index) += *change as f32;
        }
    }

    /// The weight with this index: first the general features, then the places of the own side, then those of the
    /// enemies.
    fn at_mut(&mut self, index: usize) -> &mut f32 {
        let places = self.own.len();
        match index {
            general if general < COUNT => &mut self.general[general],
            own if own < COUNT + places => &mut self.own[own - COUNT],
            enemies => &mut self.enemies[enemies - COUNT - places],
        }
    }

    /// Rounds each weight to hundredths, as files have them.
    pub(crate) fn rounded(&self) -> Weights {
        let round = |weight: f32| (weight * 100.0).round() / 100.0;
        let all = |weights: &[f32]| weights.iter().copied().map(round).collect();
        Weights { general: self.general.map(round), own: all(&self.own), enemies: all(&self.enemies) }
    }
}
