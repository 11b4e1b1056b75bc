//! Priorities of threads: background work gets less time of the processor than requests do.

/// Background work. Its threads have a lower priority than the threads that answer requests. The number of a variant is
/// the `nice` value of the thread.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Priority {
    /// Deadlines and robots. Next to a thread of usual priority such a thread gets a quarter of a core.
    Schedule = 5,
    /// Simulations. Next to a thread of usual priority such a thread gets a tenth of a core.
    Simulation = 10,
}

/// Lowers the priority of this thread. Does nothing on systems other than Linux, where all threads of a process have
/// one priority.
pub(crate) fn lower(to: Priority) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, to as i32) {
        tracing::warn!(%error, work = ?to, "thread priority unchanged, background work may slow down requests");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = to;
}
