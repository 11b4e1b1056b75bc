//! A proxy between the service and Redis. It counts round trips and can cut the connections.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many bytes of a round trip are shown.
const LONGEST_SHOWN: usize = 300;

/// All connections of a service to Redis, through the proxy.
pub(crate) struct RedisWire {
    port: u16,
    trips: Arc<AtomicU64>,
    /// What was sent in each round trip.
    sent: Arc<Mutex<Vec<String>>>,
    reports: Arc<AtomicU64>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
    slow: Arc<Mutex<Option<(&'static str, Duration)>>>,
}

impl RedisWire {
    pub(crate) fn to(redis: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (trips, reports) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(Mutex::new(Vec::new()));
        let slow = Arc::new(Mutex::new(None));
        let wire = Self {
            port,
            trips: Arc::clone(&trips),
            sent: Arc::clone(&sent),
            reports: Arc::clone(&reports),
            connections: Arc::clone(&connections),
            slow: Arc::clone(&slow),
        };
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(("127.0.0.1", redis)) else { continue };
                connections.lock().unwrap().extend([near.try_clone().unwrap(), far.try_clone().unwrap()]);
                // Whether the last bytes on this connection came from Redis, not from the service.
                let answered = Arc::new(AtomicBool::new(true));
                let (asks, says) = ((near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near));
                let (trips, reports, asked) = (Arc::clone(&trips), Arc::clone(&reports), Arc::clone(&answered));
                let (slow, sent) = (Arc::clone(&slow), Arc::clone(&sent));
                std::thread::spawn(move || {
                    pass(asks.0, asks.1, |bytes| {
                        reports.fetch_add(u64::from(has(bytes, b"{spent}")), Ordering::SeqCst);
                        let is_new =
                            commands(bytes).any(|command| !is_own(command)) && asked.swap(false, Ordering::SeqCst);
                        if is_new {
                            let begin = &bytes[..bytes.len().min(LONGEST_SHOWN)];
                            sent.lock().unwrap().push(String::from_utf8_lossy(begin).replace("\r\n", " "));
                            trips.fetch_add(1, Ordering::SeqCst);
                        }
                        let pause = *slow.lock().unwrap();
                        if let Some((word, pause)) = pause
                            && has(bytes, word.as_bytes())
                        {
                            std::thread::sleep(pause);
                        }
                    });
                });
                std::thread::spawn(move || pass(says.0, says.1, |_| answered.store(true, Ordering::SeqCst)));
            }
        });
        wire
    }

    pub(crate) fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The number of round trips so far. Commands that are sent together are one trip.
    pub(crate) fn trips(&self) -> u64 {
        self.trips.load(Ordering::SeqCst)
    }

    /// What was sent in the round trips after the first `trips`, for messages of tests.
    pub(crate) fn sent_since(&self, trips: u64) -> Vec<String> {
        self.sent.lock().unwrap().iter().skip(trips as usize).cloned().collect()
    }

    /// Waits until no more round trips happen, and returns their number. Nothing else shows that the service is done.
    pub(crate) fn trips_when_quiet(&self) -> u64 {
        let mut before = u64::MAX;
        while self.trips() != before {
            before = self.trips();
            std::thread::sleep(Duration::from_millis(900));
        }
        before
    }

    /// How often the service has reported spent quotas to Redis.
    pub(crate) fn quota_reports(&self) -> u64 {
        self.reports.load(Ordering::SeqCst)
    }

    /// Delays each command that contains this word, and all commands behind it, by this time.
    pub(crate) fn slow_down(&self, word: &'static str, pause: Duration) {
        *self.slow.lock().unwrap() = Some((word, pause));
    }

    /// Cuts all connections. New connections are accepted.
    pub(crate) fn cut(&self) {
        for connection in self.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

/// Splits bytes into Redis commands. A value that contains the separator is split, too; that does no harm, because only
/// whether all commands are the service's own is asked.
fn commands(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let borders = bytes.windows(3).enumerate().filter(|(_, part)| part == b"\r\n*").map(|(at, _)| at + 2);
    let ends = borders.clone().chain([bytes.len()]);
    [0].into_iter().chain(borders).zip(ends).map(|(from, to)| &bytes[from..to])
}

/// Whether the service sends a command by itself, not for a request: deadlines, presence, quotas, deliveries, and the
/// search for games that were not listed within twenty seconds.
fn is_own(command: &[u8]) -> bool {
    let own =
        [&b"schedule"[..], b"HSET", b"HDEL", b"PEXPIRE", b"{spent}", b":deliveries", b":unsettled\r\n$5\r\n20000\r\n"];
    own.iter().any(|word| has(command, word))
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|part| part == word)
}

fn pass(mut from: TcpStream, mut to: TcpStream, heard: impl Fn(&[u8])) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        heard(&buffer[..count]);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}
