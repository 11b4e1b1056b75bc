//! So many clients for so long: how many requests were answered, and how soon.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use tokio::time::timeout;

use crate::client::{Answered, Client};
use crate::processes::{Part, spent};
use crate::wire::{Asked, Broken, PATIENCE, Wire};

/// What a round has shown.
#[derive(Debug, Default)]
pub struct Round {
    /// How long each counted request took, sorted when the round is over.
    pub times: Vec<Duration>,
    /// How many failed.
    pub failed: u64,
    /// How long it lasted.
    pub lasted: Duration,
    /// The processor time that each part took; that of the clients last.
    pub spent: Vec<(&'static str, Duration)>,
}

impl Round {
    /// Counted requests a second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.lasted.as_secs_f64()
    }

    /// Microseconds of processor time that a part took for a counted request.
    pub fn cost(&self, part: usize) -> f64 {
        self.spent.get(part).map_or(f64::NAN, |(_, spent)| spent.as_secs_f64() * 1e6 / self.times.len() as f64)
    }

    /// The time that this share of the requests was answered within, in milliseconds.
    pub fn within(&self, share: f64) -> f64 {
        let index = (self.times.len() as f64 * share) as usize;
        self.times.get(index.min(self.times.len().saturating_sub(1))).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }
}

/// Lets clients ask, each on a connection of its own, until the time is over; `parts` are the processes that answer.
pub async fn round<C: Client + 'static>(
    address: SocketAddr,
    clients: usize,
    length: Duration,
    parts: &[Part],
    client: impl Fn(usize) -> C,
) -> Result<Round, Broken> {
    let found = Rc::new(RefCell::new(Round::default()));
    let local = LocalSet::new();
    let parts = parts.iter().copied().chain([("clients", std::process::id())]);
    let before: Vec<_> = parts.map(|(name, process)| (name, process, spent(process))).collect();
    let begun = Instant::now();
    let until = begun + length;
    for number in 0..clients {
        let (found, mut client) = (Rc::clone(&found), client(number));
        local.spawn_local(async move {
            let Ok(mut wire) = Wire::open(address).await else { return found.borrow_mut().failed += 1 };
            let mut request = Asked::new();
            let mut asked = Instant::now();
            while asked < until {
                client.ask(&mut request);
                let answered = match wire.ask(&request).await {
                    Ok((status, body)) => client.take(status, body),
                    Err(_) => Answered::Failed,
                };
                let now = Instant::now();
                match answered {
                    Answered::Counted => found.borrow_mut().times.push(now - asked),
                    Answered::Besides => {}
                    Answered::Failed => return found.borrow_mut().failed += 1,
                }
                asked = now;
            }
        });
    }
    timeout(length + PATIENCE, local).await.map_err(|_| "a request was not answered")?;
    let mut round = found.take();
    round.lasted = begun.elapsed();
    round.spent = before.into_iter().map(|(name, process, before)| (name, spent(process) - before)).collect();
    round.times.sort_unstable();
    Ok(round)
}
