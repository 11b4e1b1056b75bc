//! Value iteration: the values of a set of positions are computed again and again, until they hardly change. Each time
//! is a sweep. The threads divide the set into units (`units.rs`). The edges of a unit are the positions and ends of
//! games to which the throws in its positions lead (`values.rs`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use pagade_rules::play::{Engine, Phase};

use super::expand::{Ends, Expander};
use super::positions::{KnownPositions, Positions};
use super::units::Unit;
use super::values::{PositionValues, put_edges};
use crate::workers::Pending;

/// The edges of a unit, kept in memory between sweeps.
#[derive(Debug)]
struct KeptEdges {
    edges: Box<[u32]>,
    /// The best edge of each throw, by the last sweep that compared them all.
    best: Box<[AtomicU32]>,
}

/// A set of positions whose values are computed.
#[derive(Debug)]
pub(super) struct Sweep<'s> {
    engine: &'s Engine,
    positions: &'s Positions,
    values: &'s PositionValues,
    units: Vec<Unit>,
    /// The edges of each unit, while there is memory for them. The throws in other units are played anew in every
    /// sweep.
    kept: Vec<OnceLock<KeptEdges>>,
    /// By how much the value of each position has grown in the last sweep, in the order of the units: the bits of
    /// 32-bit numbers.
    growth: Vec<AtomicU32>,
    /// Bytes that are left for `kept`.
    memory: AtomicUsize,
    /// The indices of the units that this sweep has still to compute.
    pub(super) pending: Pending,
    /// Number of positions that this sweep has computed, by units.
    pub(super) done: AtomicUsize,
}

impl<'s> Sweep<'s> {
    pub(super) fn new(
        engine: &'s Engine,
        positions: &'s Positions,
        values: &'s PositionValues,
        units: Vec<Unit>,
        memory: usize,
    ) -> Self {
        let count: usize = units.iter().map(|unit| unit.count).sum();
        Sweep {
            engine,
            positions,
            values,
            kept: units.iter().map(|_| OnceLock::new()).collect(),
            growth: (0..count).map(|_| AtomicU32::new(0)).collect(),
            memory: AtomicUsize::new(memory.saturating_sub(size_of::<u32>() * count)),
            pending: Pending::new(0..units.len() as u64),
            units,
            done: AtomicUsize::new(0),
        }
    }

    /// Prepares the next sweep.
    pub(super) fn restart(&self) {
        self.pending.restart();
        self.done.store(0, Relaxed);
    }

    /// Number of positions.
    pub(super) fn len(&self) -> usize {
        self.growth.len()
    }

    /// Number of positions whose throws are played anew in every sweep.
    pub(super) fn anew(&self) -> usize {
        let kept = self.kept.iter().map(|kept| kept.get().is_some());
        self.units.iter().zip(kept).filter(|(_, kept)| !kept).map(|(unit, _)| unit.count).sum()
    }

    /// Computes units until none is left. Without `compares`, values follow from the best edges of the last sweep that
    /// has compared, where they are kept.
    pub(super) fn work(&self, compares: bool) -> Growth {
        let mut expander = Expander::new(self.engine, &self.positions.dice, self.positions.keys());
        let (mut edges, mut growth) = (Vec::new(), Growth::default());
        while let Some(index) = self.pending.take() {
            let index = index as usize;
            let unit = &self.units[index];
            match self.kept[index].get() {
                Some(kept) if compares => self.compare(unit, &kept.edges, &kept.best, &mut growth),
                Some(kept) => self.follow(unit, &kept.best, &mut growth),
                None => {
                    edges.clear();
                    self.play(unit, &mut expander, &mut edges);
                    match self.keep(index, &edges) {
                        Some(kept) => self.compare(unit, &kept.edges, &kept.best, &mut growth),
                        None => self.compare(unit, &edges, &[], &mut growth),
                    }
                }
            }
            self.done.fetch_add(unit.count, Relaxed);
        }
        growth
    }

    /// Keeps the edges of a unit if there is memory for them.
    fn keep(&self, index: usize, edges: &[u32]) -> Option<&KeptEdges> {
        let unit = &self.units[index];
        let best = unit.count * self.chances(unit).len();
        let bytes = size_of::<u32>() * (edges.len() + best);
        self.memory.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).ok()?;
        let best = (0..best).map(|_| AtomicU32::new(0)).collect();
        Some(self.kept[index].get_or_init(|| KeptEdges { edges: edges.into(), best }))
    }

    /// Lets the values of units grow by a multiple of their growth in the last sweep, until no unit is left.
    pub(super) fn jump(&self, factor: f64) {
        while let Some(index) = self.pending.take() {
            let unit = &self.units[index as usize];
            let mut index = unit.begin;
            for row in unit.rows(self.positions) {
                self.positions.each_in(row, unit.columns(), |_, number| {
                    let grown = f64::from(f32::from_bits(self.growth[index].load(Relaxed)));
                    self.values.change(number, (self.values.at(number) + factor * grown).clamp(0.0, 1.0));
                    index += 1;
                });
            }
        }
    }

    /// Plays all throws in the positions of a unit.
    fn play(&self, unit: &Unit, expander: &mut Expander<'_, KnownPositions<'_>>, edges: &mut Vec<u32>) {
        let mut ends = Ends::default();
        for row in unit.rows(self.positions) {
            self.positions.each_in(row, unit.columns(), |column, _| {
                let state = expander.keys.state(self.engine, row.id, column);
                expander.expand(&state, &mut ends).expect("all positions have numbers");
                put_edges(self.positions, self.values, &ends, edges);
            });
        }
    }

    /// The probabilities of the throws in the positions of a unit. A choice before the throw is certain.
    fn chances(&self, unit: &Unit) -> &[f64] {
        let is_choice = self.positions.contexts.list[unit.context as usize].phase == Phase::Choose;
        if is_choice { &[1.0] } else { &self.positions.dice.chances }
    }

    /// Computes the values of a unit by all its edges. Notes the best edges in `best`, as far as `best` has room.
    fn compare(&self, unit: &Unit, mut edges: &[u32], best: &[AtomicU32], growth: &mut Growth) {
        let chances = self.chances(unit);
        let mut best = best.iter();
        self.each_of(unit, growth, || {
            self.values.computed(&mut edges, chances, |edge| {
                if let Some(best) = best.next() {
                    best.store(edge, Relaxed);
                }
            })
        });
    }

    /// Computes the values of a unit by its best edges.
    fn follow(&self, unit: &Unit, best: &[AtomicU32], growth: &mut Growth) {
        let chances = self.chances(unit);
        let mut best = best.chunks_exact(chances.len());
        self.each_of(unit, growth, || {
            let edges = best.next().unwrap_or_default().iter().zip(chances);
            edges.map(|(edge, chance)| chance * self.values.of_edge(edge.load(Relaxed))).sum()
        });
    }

    /// Writes a value for every position of a unit.
    #[inline]
    fn each_of(&self, unit: &Unit, growth: &mut Growth, mut value: impl FnMut() -> f64) {
        let mut index = unit.begin;
        for row in unit.rows(self.positions) {
            self.positions.each_in(row, unit.columns(), |_, number| {
                let grown = self.values.change(number, value());
                let before = f32::from_bits(self.growth[index].swap((grown as f32).to_bits(), Relaxed));
                growth.note(grown, f64::from(before));
                index += 1;
            });
        }
    }
}

/// By how much values have grown in a sweep, and how this compares with the sweep before.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Growth {
    /// The greatest change of a value.
    pub(super) greatest: f64,
    /// Sum, over all values, of the growth in this sweep times the growth in the sweep before.
    product: f64,
    /// Sum of the squares of each value's growth in the sweep before.
    square: f64,
}

impl Growth {
    #[inline]
    fn note(&mut self, grown: f64, before: f64) {
        self.greatest = self.greatest.max(grown.abs());
        self.product += grown * before;
        self.square += before * before;
    }

    pub(super) fn and(self, other: Growth) -> Growth {
        Growth {
            greatest: self.greatest.max(other.greatest),
            product: self.product + other.product,
            square: self.square + other.square,
        }
    }

    /// The ratio of the growth in this sweep to the growth in the sweep before.
    pub(super) fn ratio(&self) -> f64 {
        if self.square > 0.0 { self.product / self.square } else { 0.0 }
    }
}
