//! A simulation at the process that runs it: the thread that plays the games, and its progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use pagade_robots::simulate::{Plan, Tally, play_part};
use pagade_rules::play::Engine;
use tokio::sync::Notify;

use super::results::results;
use super::stored::StoredSimulation;
use crate::ground::priority::{self, Priority};
use crate::model::simulation::{SimulationEnd, SimulationStatus};

/// Longest processor time of a simulation.
pub(crate) const PROCESSOR_TIME: Duration = Duration::from_secs(30);
/// Longest time of a simulation by the clock. A simulation gets no processor time while the machine is busy otherwise.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// Time that a part of the games should take: after each part, the statistics are computed anew.
const PART: Duration = Duration::from_millis(100);
/// Number of throws and actions between two looks at the clocks, which take longer than an action.
const LOOK_AFTER: u32 = 16;

/// The table and the plan of the games of a simulation.
pub(super) struct SimulationTask {
    pub engine: Arc<Engine>,
    pub plan: Plan,
}

/// A simulation that waits or runs at this process.
#[derive(Debug)]
pub(super) struct Job {
    now: Mutex<StoredSimulation>,
    is_cancelled: AtomicBool,
    /// Wakes a job that waits for its place, when it is cancelled.
    pub cancelled: Notify,
}

impl Job {
    pub(super) fn new(kept: StoredSimulation) -> Self {
        Self { now: Mutex::new(kept), is_cancelled: AtomicBool::new(false), cancelled: Notify::new() }
    }

    /// Returns the simulation as it is now.
    pub(super) fn kept(&self) -> StoredSimulation {
        self.lock().clone()
    }

    /// Stops the games before the next throw or action.
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.cancelled.notify_one();
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Ends the simulation, unless it has ended already.
    pub(super) fn end(&self, by: SimulationEnd) {
        let mut now = self.lock();
        if now.view.status != SimulationStatus::Ended {
            now.version += 1;
            now.view.status = SimulationStatus::Ended;
            now.view.ended_by = Some(by);
        }
    }

    fn lock(&self) -> MutexGuard<'_, StoredSimulation> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the progress: the number of games played, the processor time, and the statistics.
    fn note(&self, task: &SimulationTask, tally: &Tally, used: Duration) {
        let results = (tally.games > 0).then(|| results(&task.engine, &task.plan, tally));
        let mut now = self.lock();
        now.version += 1;
        now.view.status = SimulationStatus::Running;
        now.view.played = tally.games;
        now.view.seconds = (used.as_secs_f64() * 1000.0).round() / 1000.0;
        now.view.results = results;
    }

    /// Plays the games in this thread, part by part, until all are played or the simulation has to end. Returns the
    /// reason of its end.
    pub(super) fn play(&self, task: &SimulationTask) -> SimulationEnd {
        priority::lower(Priority::Simulation);
        let (began, clock) = (Instant::now(), ThreadTime::now());
        let mut tally = Tally::new(task.plan.lines);
        let mut size = 1;
        self.note(task, &tally, Duration::ZERO);
        while tally.games < task.plan.games {
            let part = tally.games..(tally.games + size).min(task.plan.games);
            let (before, mut asked, mut is_late) = (clock.elapsed(), 0_u32, false);
            let mut must_stop = || {
                asked = asked.wrapping_add(1);
                if asked.is_multiple_of(LOOK_AFTER) {
                    is_late = clock.elapsed() > PROCESSOR_TIME || began.elapsed() > LONGEST;
                }
                is_late || self.is_cancelled()
            };
            let Some(played) = play_part(&task.engine, &task.plan, part, &mut must_stop) else {
                return if is_late { SimulationEnd::Time } else { SimulationEnd::Cancel };
            };
            tally.merge(&played);
            let used = clock.elapsed();
            self.note(task, &tally, used);
            size = match used.saturating_sub(before) {
                took if took < PART / 2 => size * 2,
                took if took > PART => (size / 2).max(1),
                _ => size,
            };
        }
        SimulationEnd::Complete
    }
}
