//! The values of positions, and how they follow from one another.
//!
//! An edge is a number of 32 bits for a position that a throw may lead to, or for the end of a game: the index of the
//! value, and the bits [`OTHER_MOVES`] and [`LAST`].

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::expand::Ends;
use super::key::{DRAWN, LOST, PositionKey, TURNED, WON, is_end};
use super::positions::Positions;

/// Bit of an edge: in the position to which it leads, the other seat is to move.
const OTHER_MOVES: u32 = 1 << 31;
/// Bit of an edge: the edge is the last of its throw.
const LAST: u32 = 1 << 30;

/// Number of values for ended games: won, lost and drawn.
pub(super) const ENDS: usize = 3;

/// The value of every position: the chance of the seat to move to win. Threads read and write them at the same time.
#[derive(Debug)]
pub(super) struct PositionValues {
    /// The bits of each value; then the values of games that are won, lost and drawn.
    list: Vec<AtomicU64>,
}

impl PositionValues {
    /// The values of the positions, in their order.
    pub(super) fn new(values: impl Iterator<Item = f64>) -> PositionValues {
        let all = values.chain([1.0, 0.0, 0.5]);
        PositionValues { list: all.map(|value| AtomicU64::new(value.to_bits())).collect() }
    }

    /// The values, in the order of the positions.
    pub(super) fn to_list(&self) -> impl ExactSizeIterator<Item = f64> {
        self.list[..self.list.len() - ENDS].iter().map(|value| f64::from_bits(value.load(Relaxed)))
    }

    #[inline]
    pub(super) fn at(&self, number: u32) -> f64 {
        f64::from_bits(self.list[number as usize].load(Relaxed))
    }

    /// Writes a value. Returns by how much it has grown.
    #[inline]
    pub(super) fn change(&self, number: u32, value: f64) -> f64 {
        let before = self.at(number);
        self.list[number as usize].store(value.to_bits(), Relaxed);
        value - before
    }

    /// The edge to a position or end of a game, without the bit [`LAST`]. `None` if the position was not found.
    #[inline]
    pub(super) fn edge(&self, positions: &Positions, key: PositionKey) -> Option<u32> {
        if is_end(key) {
            let index = [WON, LOST, DRAWN].iter().position(|end| *end == key)?;
            return Some((positions.len + index) as u32);
        }
        let turned = if key & TURNED != 0 { OTHER_MOVES } else { 0 };
        Some(positions.number(key)? | turned)
    }

    /// The value that an edge leads to.
    #[inline]
    pub(super) fn of_edge(&self, edge: u32) -> f64 {
        let value = self.at(edge & (LAST - 1));
        if edge & OTHER_MOVES != 0 { 1.0 - value } else { value }
    }

    /// Computes the value of a position from the edges of all its throws, and removes these edges from the front of
    /// `edges`. Calls `chosen` with the best edge of each throw.
    #[inline]
    pub(super) fn computed(&self, edges: &mut &[u32], chances: &[f64], mut chosen: impl FnMut(u32)) -> f64 {
        let mut sum = 0.0;
        for chance in chances {
            let (mut best, mut best_edge, mut used) = (-1.0_f64, 0, 0);
            for edge in *edges {
                used += 1;
                let value = self.of_edge(*edge);
                if value > best {
                    (best, best_edge) = (value, *edge);
                }
                if edge & LAST != 0 {
                    break;
                }
            }
            *edges = &edges[used..];
            chosen(best_edge);
            sum += chance * best;
        }
        sum
    }
}

/// Appends the edges of a position, in the order in which [`PositionValues::computed`] takes them.
#[inline]
pub(super) fn put_edges(positions: &Positions, values: &PositionValues, ends: &Ends, edges: &mut Vec<u32>) {
    let mut begin = 0;
    for &bound in &ends.bounds {
        for key in &ends.keys[begin..bound] {
            edges.push(values.edge(positions, *key).expect("every position that an action leads to was found"));
        }
        *edges.last_mut().expect("every throw leads somewhere") |= LAST;
        begin = bound;
    }
}

/// The value of a position by the positions to which its throws lead.
pub(super) fn value_of(positions: &Positions, values: &PositionValues, ends: &Ends, edges: &mut Vec<u32>) -> f64 {
    edges.clear();
    put_edges(positions, values, ends, edges);
    let certain = [1.0];
    let chances = if ends.bounds.len() == 1 { &certain } else { &positions.dice.chances[..] };
    values.computed(&mut &edges[..], chances, |_| {})
}
