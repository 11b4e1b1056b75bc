//! Rounds: clients send requests for some seconds. The result is how many were answered, and how fast.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::client::{Client, Outcome};
use crate::connection::{Connection, LoadError, PATIENCE, RequestBytes};
use crate::processes::{ServerProcess, processor_time};

/// The results of one round.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// The answer time of each counted request, sorted at the end of the round.
    pub times: Vec<Duration>,
    /// The number of requests that failed.
    pub failed: u64,
    /// The length of the round.
    pub lasted: Duration,
    /// The processor time of each process. The last one is the process of the clients.
    pub processor_times: Vec<(&'static str, Duration)>,
}

impl Round {
    /// The number of counted requests a second.
    pub(crate) fn rate(&self) -> f64 {
        self.times.len() as f64 / self.lasted.as_secs_f64()
    }

    /// The processor time that a process took for each counted request, in microseconds. `process` is an index in
    /// `processor_times`.
    pub(crate) fn cost(&self, process: usize) -> f64 {
        self.processor_times
            .get(process)
            .map_or(f64::NAN, |(_, spent)| spent.as_secs_f64() * 1e6 / self.times.len() as f64)
    }

    /// The time within which this share of the requests was answered, in milliseconds.
    pub(crate) fn within(&self, share: f64) -> f64 {
        let index = (self.times.len() as f64 * share) as usize;
        self.times.get(index.min(self.times.len().saturating_sub(1))).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }
}

/// Runs a round with one connection for each client. `servers` are the processes whose processor time is measured.
pub(crate) async fn round<C: Client + 'static>(
    address: SocketAddr,
    clients: usize,
    length: Duration,
    servers: &[ServerProcess],
    client: impl Fn(usize) -> C,
) -> Result<Round, LoadError> {
    let found = Rc::new(RefCell::new(Round::default()));
    let local = LocalSet::new();
    let servers = servers.iter().copied().chain([("clients", std::process::id())]);
    let before: Vec<_> = servers.map(|(name, process)| (name, process, processor_time(process))).collect();
    let begun = Instant::now();
    let until = begun + length;
    for number in 0..clients {
        let (found, mut client) = (Rc::clone(&found), client(number));
        local.spawn_local(async move {
            let Ok(mut connection) = Connection::open(address).await else { return found.borrow_mut().failed += 1 };
            let mut request = RequestBytes::new();
            let mut asked = Instant::now();
            while asked < until {
                client.ask(&mut request);
                let answered = match connection.ask(&request).await {
                    Ok((status, body)) => client.take(status, body),
                    Err(_) => Outcome::Failed,
                };
                let now = Instant::now();
                match answered {
                    Outcome::Counted => found.borrow_mut().times.push(now - asked),
                    Outcome::Besides => {}
                    Outcome::Failed => return found.borrow_mut().failed += 1,
                }
                asked = now;
            }
        });
    }
    timeout(length + PATIENCE, local).await.map_err(|_| "a request was not answered")?;
    let mut round = found.take();
    round.lasted = begun.elapsed();
    round.processor_times =
        before.into_iter().map(|(name, process, before)| (name, processor_time(process) - before)).collect();
    round.times.sort_unstable();
    Ok(round)
}
