//! Many who follow games by server-sent events: what each costs, and when an event has come to all.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::LocalSet;

use crate::client::{Answered, Client, Player};
use crate::wire::{Asked, Broken, Wire};

/// Streams that are opened at a time.
const AT_ONCE: usize = 100;
/// Longest wait for an event to come to all.
const PATIENCE: Duration = Duration::from_secs(20);

/// What watchers have shown.
#[derive(Debug, Default)]
pub struct Watched {
    /// Memory that each idle watcher takes, in KiB.
    pub each: f64,
    /// Milliseconds from asking for a move until all who follow the game have its event: the least, the middle one and
    /// the greatest of the moves.
    pub spread: [f64; 3],
}

/// Opens so many idle streams, then lets moves be followed by `followers`; `memory` in KiB.
pub async fn watch(
    address: SocketAddr,
    idle: usize,
    followers: usize,
    memory: impl Fn() -> u64,
) -> Result<Watched, Broken> {
    LocalSet::new()
        .run_until(async {
            let mut wire = Wire::open(address).await?;
            let [quiet, busy] = [begun(&mut wire).await?, begun(&mut wire).await?];
            let (heard, mut hears) = mpsc::unbounded_channel();
            let before = memory();
            let rest = idle.saturating_sub(followers);
            for (game, count) in [(quiet.path(), rest), (busy.path(), followers)] {
                open(address, game, count, &heard, &mut hears).await?;
            }
            // What opening the streams took is given back meanwhile.
            tokio::time::sleep(Duration::from_secs(2)).await;
            let each = (memory().saturating_sub(before)) as f64 / idle as f64;
            let (mut player, mut request) = (busy, Asked::new());
            let mut times = Vec::new();
            for _ in 0..9 {
                player.ask(&mut request);
                let asked = Instant::now();
                let (status, body) = wire.ask_soon(&request).await?;
                if player.take(status, body) == Answered::Failed {
                    return Err(format!("a move was answered {status}").into());
                }
                for _ in 0..followers {
                    tokio::time::timeout(PATIENCE, hears.recv()).await.map_err(|_| "an event has not come to all")?;
                }
                times.push(asked.elapsed().as_secs_f64() * 1e3);
                // The move's other events come too; when there are no more has no event.
                tokio::time::sleep(Duration::from_millis(300)).await;
                while hears.try_recv().is_ok() {}
            }
            times.sort_by(f64::total_cmp);
            Ok(Watched { each, spread: [times[0], times[times.len() / 2], times[times.len() - 1]] })
        })
        .await
}

/// A game that has just begun.
async fn begun(wire: &mut Wire) -> Result<Player, Broken> {
    let mut player = Player::default();
    let mut request = Asked::new();
    player.ask(&mut request);
    let (status, body) = wire.ask_soon(&request).await?;
    if player.take(status, body) == Answered::Failed {
        return Err(format!("a game could not be begun: {status}").into());
    }
    Ok(player)
}

/// Follows a game on so many connections; each tells that it is there, and whenever something came.
async fn open(
    address: SocketAddr,
    game: &str,
    count: usize,
    heard: &mpsc::UnboundedSender<()>,
    hears: &mut mpsc::UnboundedReceiver<()>,
) -> Result<(), Broken> {
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
                // What keeps a quiet stream alive has no id.
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
    // More events may come than the first: when there are no more has no event.
    tokio::time::sleep(Duration::from_millis(300)).await;
    while hears.try_recv().is_ok() {}
    Ok(())
}
