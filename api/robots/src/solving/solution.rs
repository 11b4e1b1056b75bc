//! A table that is solved, or on the way to it.

use std::sync::atomic::Ordering::Relaxed;

use pagade_rules::play::{Action, ActionKind, Actions, Engine, Phase, Quiet, State};
use pagade_rules::tables::Duty;

use super::class::{Class, components};
use super::expand::end_of;
use super::key::TURNED;
use super::pace::Pace;
use super::positions::Positions;
use super::search::{beginners, find};
use super::sweep::{Growth, Sweep};
use super::units::units;
use super::values::PositionValues;
use super::{Progress, SolveError, SolveSettings, SolveStage};
use crate::workers::{on_threads, on_threads_with_ticks};

/// Greatest difference of two values that count as equal when an action is chosen. The error that an iteration leaves
/// is far below it, and depends on the order in which threads work.
const EQUAL: f64 = 1e-7;

/// The positions of a table with their values.
#[derive(Debug)]
pub struct Solution {
    pub(super) positions: Positions,
    pub(super) values: PositionValues,
    /// Number of positions whose values are final.
    pub(super) done: usize,
    /// Number of sweeps so far, over all sets of positions.
    pub(super) sweeps: u32,
    /// Greatest change of a value in the last sweep over its set, of the sets whose values are final.
    pub(super) change: f64,
}

impl Solution {
    /// Finds all positions of a table. At first their values are even chances.
    ///
    /// # Errors
    /// The table does not have two players, its positions do not fit into the memory, or `tick` returned false.
    pub fn find(
        engine: &Engine,
        settings: &SolveSettings,
        tick: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Solution, SolveError> {
        let positions = find(engine, settings, tick)?;
        let values = PositionValues::new(std::iter::repeat_n(0.5, positions.len));
        Ok(Solution { positions, values, done: 0, sweeps: 0, change: 0.0 })
    }

    /// Computes the values, set by set. Final values are not computed again.
    ///
    /// # Errors
    /// `tick` returned false.
    pub fn solve(
        &mut self,
        engine: &Engine,
        settings: &SolveSettings,
        tick: &mut dyn FnMut(&Solution, &Progress) -> bool,
    ) -> Result<(), SolveError> {
        let classes = self.positions.classes();
        let names: Vec<Class> = classes.iter().map(|(class, _)| *class).collect();
        let sets = if settings.in_parts { components(&names, &self.positions.arcs) } else { vec![names] };
        let mut before = 0;
        for set in sets {
            let count: usize = classes.iter().filter(|(class, _)| set.contains(class)).map(|(_, count)| count).sum();
            before += count;
            if before > self.done {
                let (sweeps, change) = self.solve_set(engine, settings, &set, tick)?;
                self.sweeps += sweeps;
                self.change = self.change.max(change);
                self.done = before;
            }
        }
        Ok(())
    }

    /// Computes the values of some classes. Returns the number of sweeps, and the greatest change in the last one.
    fn solve_set(
        &self,
        engine: &Engine,
        settings: &SolveSettings,
        set: &[Class],
        tick: &mut dyn FnMut(&Solution, &Progress) -> bool,
    ) -> Result<(u32, f64), SolveError> {
        let used = self.positions.bytes() + 8 * self.positions.len;
        let units = units(&self.positions, set);
        let memory = settings.memory.saturating_sub(used);
        let sweep = Sweep::new(engine, &self.positions, &self.values, units, memory);
        let (mut sweeps, mut change, mut pace) = (0, f64::INFINITY, Pace::default());
        loop {
            sweep.restart();
            let mut report = || {
                let done = self.done + if sweeps == 0 { sweep.done.load(Relaxed) } else { sweep.len() };
                let (stage, positions) = (SolveStage::Values, self.positions.len);
                let anew = if sweeps == 0 { 0 } else { sweep.anew() };
                if !tick(self, &Progress { stage, positions, done, sweeps, change, anew }) {
                    sweep.pending.stop();
                }
            };
            let compares = pace.compares();
            let growth = on_threads_with_ticks(settings.threads, || sweep.work(compares), &mut report);
            if sweep.pending.is_stopped() {
                return Err(SolveError::Stopped);
            }
            let growth = growth.into_iter().fold(Growth::default(), Growth::and);
            sweeps += 1;
            change = growth.greatest;
            if compares && change <= settings.tolerance {
                return Ok((sweeps, change));
            }
            if let Some(factor) = pace.after(change, growth.ratio(), settings.tolerance) {
                sweep.restart();
                on_threads(settings.threads, || sweep.jump(factor));
            }
        }
    }

    /// Number of positions. If [`Solution::is_mirrored`], every one stands for two.
    pub fn len(&self) -> usize {
        self.positions.len
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.len == 0
    }

    /// Whether both seats have the same rules, so that a position with the seats exchanged has the same value.
    pub fn is_mirrored(&self) -> bool {
        self.positions.split.mirrored
    }

    /// Marks all values as not final. The values stay, so that the next iteration begins with them.
    pub fn begin_again(&mut self) {
        (self.done, self.change) = (0, 0.0);
    }

    /// Number of positions whose values are final.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Number of sweeps so far, over all sets of positions.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    /// Greatest change of a value in the last sweep over its set.
    pub fn change(&self) -> f64 {
        self.change
    }

    /// For each seat that may begin: its name, and its chance to win if it begins.
    pub fn chances_to_begin(&self, engine: &Engine) -> Vec<(String, f64)> {
        let seats = beginners(engine, self.positions.split.seats).into_iter();
        let chance = |seat| Some((engine.seat_name(seat).to_owned(), self.chance_in(engine, &engine.opening(seat))?));
        seats.filter_map(chance).collect()
    }

    /// The chance of the seat whose turn it is to win, if both play as well as possible. `None` if no game leads to
    /// this position, or no throw is due.
    pub(crate) fn chance_in(&self, engine: &Engine, state: &State) -> Option<f64> {
        let key = self.positions.keys().key(engine, state)?;
        self.positions.number(key).map(|number| self.values.at(number))
    }

    /// Chooses the best of the legal actions `open`, and returns its index.
    pub fn choose(&self, engine: &Engine, state: &State, open: &[Action]) -> usize {
        self.best(engine, state, open).1
    }

    /// The best value for the seat whose turn it is, and the index of the action that leads to it. Of several equally
    /// good actions, it is the first that is neither a pass nor voluntary.
    fn best(&self, engine: &Engine, state: &State, open: &[Action]) -> (f64, usize) {
        let is_wait = |action: &Action| {
            let is_voluntary = || engine.moves.spend[usize::from(action.line)].duty == Duty::Voluntary;
            action.kind == ActionKind::Pass || action.kind == ActionKind::Move && is_voluntary()
        };
        let mut next = Actions::default();
        let value = |action: &Action| {
            let mut after = *state;
            engine.play_unchecked(&mut after, action, &mut next, &mut Quiet);
            self.value(engine, state, &after, &next)
        };
        let values: Vec<f64> = open.iter().map(value).collect();
        let Some(best) = values.iter().copied().reduce(f64::max) else { return (0.5, 0) };
        let good = (0..open.len()).filter(|index| values[*index] >= best - EQUAL);
        (best, good.min_by_key(|index| (is_wait(&open[*index]), *index)).unwrap_or(0))
    }

    /// The chance of the seat that acted in `before`, after an action. `open` are the legal actions that follow.
    pub(super) fn value(&self, engine: &Engine, before: &State, state: &State, open: &[Action]) -> f64 {
        let mover = before.turn;
        if let Some(end) = end_of(engine, before, state, mover) {
            return self.values.edge(&self.positions, end).map_or(0.5, |edge| self.values.of_edge(edge));
        }
        if !matches!(state.phase, Phase::Throw | Phase::Choose) {
            return self.best(engine, state, open).0;
        }
        let turned = if state.turn == mover { 0 } else { TURNED };
        let key = self.positions.keys().key(engine, state).map(|key| key | turned);
        let edge = key.and_then(|key| self.values.edge(&self.positions, key));
        edge.map_or(0.5, |edge| self.values.of_edge(edge))
    }
}
