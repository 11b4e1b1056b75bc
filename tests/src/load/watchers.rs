//! Many followers of games by server-sent events: the memory of each, and the time until all have an event.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use crate::client::{Client, Outcome, Player};
use crate::connection::{Connection, LoadError, RequestBytes};

/// Streams opened at a time.
const AT_ONCE: usize = 100;
/// Longest wait until all followers have an event.
const PATIENCE: Duration = Duration::from_secs(20);

/// The figures of watchers.
#[derive(Debug, Default)]
pub(crate) struct WatcherFigures {
    /// The memory of each idle watcher, in KiB.
    pub each: f64,
    /// Milliseconds from the request of a move until all followers have its event: minimum, median and maximum.
    pub spread: [f64; 3],
}

/// Opens `idle` streams, `followers` of them on a game that then has moves; `memory` returns KiB.
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
            // The memory for opening the streams is given back meanwhile.
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
                // The move has more events; nothing shows that all have come.
                tokio::time::sleep(Duration::from_millis(300)).await;
                while hears.try_recv().is_ok() {}
            }
            times.sort_by(f64::total_cmp);
            Ok(WatcherFigures { each, spread: [times[0], times[times.len() / 2], times[times.len() - 1]] })
        })
        .await
}

/// Begins a game.
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

/// Follows a game on so many connections; each reports to `heard` when it is open and whenever an event comes.
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
                // Heartbeats have no id.
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
    // More events than the first may come; nothing shows that all have come.
    tokio::time::sleep(Duration::from_millis(300)).await;
    while hears.try_recv().is_ok() {}
    Ok(())
}
