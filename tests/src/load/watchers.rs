//! Many watchers follow games by server-sent events. Measures the memory that each needs, and the time until all
//! followers of a game have an event.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use crate::client::{Client, Outcome, Player};
use crate::connection::{Connection, LoadError, RequestBytes};

/// The number of streams that are opened at a time.
const AT_ONCE: usize = 100;
/// Longest time that the measurement waits until all followers have an event.
const PATIENCE: Duration = Duration::from_secs(20);

/// The results of the measurement with watchers.
#[derive(Debug, Default)]
pub(crate) struct WatcherFigures {
    /// The memory of each idle watcher, in KiB.
    pub each: f64,
    /// The milliseconds from the request of a move until all followers have its event: minimum, median and maximum.
    pub spread: [f64; 3],
}

/// Opens `idle` streams, `followers` of them on a game in which moves are then made. `memory` returns the memory of the
/// service in KiB.
pub(crate) async fn watch(
    address: SocketAddr,
    idle: usize,
    followers: usize,
    memory: impl Fn() -> u64,
) -> Result<WatcherFigures, LoadError> {
    LocalSet::new()
        .run_until(async {
            let mut connection = Connection::open(address).await?;
            let [quiet, busy] = [begun(&mut connection).await?, begun(&mut connection).await?];
            let (heard, mut hears) = mpsc::unbounded_channel();
            let before = memory();
            let rest = idle.saturating_sub(followers);
            for (game, count) in [(quiet.path(), rest), (busy.path(), followers)] {
                open(address, game, count, &heard, &mut hears).await?;
            }
            // During this pause the service gives back the memory that it needed only to open the streams.
            tokio::time::sleep(Duration::from_secs(2)).await;
            let each = (memory().saturating_sub(before)) as f64 / idle as f64;
            let (mut player, mut request) = (busy, RequestBytes::new());
            let mut times = Vec::new();
            for _ in 0..9 {
                player.ask(&mut request);
                let asked = Instant::now();
                let (status, body) = connection.ask_soon(&request).await?;
                if player.take(status, body) == Outcome::Failed {
                    return Err(format!("a move was answered {status}").into());
                }
                for _ in 0..followers {
                    tokio::time::timeout(PATIENCE, hears.recv()).await.map_err(|_| "an event has not come to all")?;
                }
                times.push(asked.elapsed().as_secs_f64() * 1e3);
                // One move can have several events. Nothing shows which one is the last, so the test waits, and then
                // drops the messages about them.
                tokio::time::sleep(Duration::from_millis(300)).await;
                while hears.try_recv().is_ok() {}
            }
            times.sort_by(f64::total_cmp);
            Ok(WatcherFigures { each, spread: [times[0], times[times.len() / 2], times[times.len() - 1]] })
        })
        .await
}

/// Creates a game and returns its player.
async fn begun(connection: &mut Connection) -> Result<Player, LoadError> {
    let mut player = Player::default();
    let mut request = RequestBytes::new();
    player.ask(&mut request);
    let (status, body) = connection.ask_soon(&request).await?;
    if player.take(status, body) == Outcome::Failed {
        return Err(format!("a game could not be begun: {status}").into());
    }
    Ok(player)
}

/// Opens `count` streams of a game, and waits for their first events. Each stream sends a message through `heard`
/// whenever it receives events; `hears` receives these messages.
async fn open(
    address: SocketAddr,
    game: &str,
    count: usize,
    heard: &mpsc::UnboundedSender<()>,
    hears: &mut mpsc::UnboundedReceiver<()>,
) -> Result<(), LoadError> {
    let request = format!(
        "GET {game}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: 0\r\n\r\n"
    );
    for opened in (0..count).step_by(AT_ONCE) {
        let now = AT_ONCE.min(count - opened);
        for _ in 0..now {
            let mut stream = TcpStream::connect(address).await?;
            stream.write_all(request.as_bytes()).await?;
            let heard = heard.clone();
            tokio::task::spawn_local(async move {
                let mut buffer = [0; 2048];
                // Heartbeats are not counted: only events have the field `id`.
                while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                    if buffer[..read].windows(4).any(|text| text == b"id: ") && heard.send(()).is_err() {
                        break;
                    }
                }
            });
        }
        for _ in 0..now {
            tokio::time::timeout(PATIENCE, hears.recv()).await.map_err(|_| "a stream did not open")?;
        }
    }
    // A stream may receive several events after it opens. Nothing shows which one is the last, so the test waits, and
    // then drops the messages about them.
    tokio::time::sleep(Duration::from_millis(300)).await;
    while hears.try_recv().is_ok() {}
    Ok(())
}
