//! Measures how much longer the moves of people take while the service also plays many games of four robots each.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::LocalSet;

use crate::client::{Client, Outcome, Player};
use crate::connection::{Connection, LoadError, RequestBytes, get, post};
use crate::round::Round;

/// The number of simulated people, each in a game of their own.
const PEOPLE: usize = 20;
/// The pause of a person between two moves.
const PAUSE: Duration = Duration::from_millis(100);
/// The length of each of the two measurements: before the games of robots begin, and while they go on.
const LENGTH: Duration = Duration::from_secs(30);
/// A game of four robots, two of which work out the value of every position that they can reach.
const FULL_OF_ROBOTS: &str = r#"{"rule_set": "pagade", "start": true,
    "robots": {"yellow": "learned", "black": "hunter", "red": "learned", "green": "runner"}}"#;

/// The results of the measurement.
#[derive(Debug, Default)]
pub(crate) struct RobotFigures {
    /// The answer times of people's moves before the games of robots begin.
    pub before: Round,
    /// The answer times of people's moves while the games of robots go on.
    pub beside: Round,
    /// Number of moves and throws of all robots in a second.
    pub robot_moves: f64,
}

/// Measures the moves of people, then creates games full of robots and measures them again.
pub(crate) async fn measure(address: SocketAddr, games: usize) -> Result<RobotFigures, LoadError> {
    let before = people(address).await?;
    let (mut connection, mut paths) = (Connection::open(address).await?, Vec::with_capacity(games));
    for _ in 0..games {
        let (status, body) = connection.ask_soon(&post("/v1/games", FULL_OF_ROBOTS)).await?;
        let created: Value = serde_json::from_slice(body)?;
        let id = created["game"]["id"].as_str().ok_or_else(|| format!("a game of robots: {status} {created}"))?;
        paths.push(format!("/v1/games/{id}"));
    }
    let (begun, versions) = (Instant::now(), sum_of_versions(address, &paths).await?);
    let beside = people(address).await?;
    let played = sum_of_versions(address, &paths).await? - versions;
    Ok(RobotFigures { before, beside, robot_moves: played as f64 / begun.elapsed().as_secs_f64() })
}

/// Returns the sum of the versions of these games. Each move or throw raises the version of its game by 1.
async fn sum_of_versions(address: SocketAddr, paths: &[String]) -> Result<u64, LoadError> {
    let (mut connection, mut sum) = (Connection::open(address).await?, 0);
    for path in paths {
        let (_, body) = connection.ask_soon(&get(path)).await?;
        let game: Value = serde_json::from_slice(body)?;
        sum += game["version"].as_u64().ok_or_else(|| format!("{path} has no version: {game}"))?;
    }
    Ok(sum)
}

/// Lets people move, each after a pause, until the measurement ends.
async fn people(address: SocketAddr) -> Result<Round, LoadError> {
    let (found, begun) = (Rc::new(RefCell::new(Round::default())), Instant::now());
    let local = LocalSet::new();
    for number in 0..PEOPLE {
        let found = Rc::clone(&found);
        local.spawn_local(async move {
            let Ok(mut connection) = Connection::open(address).await else { return found.borrow_mut().failed += 1 };
            let (mut player, mut request) = (Player::new(false), RequestBytes::new());
            // The people begin at different times, so that they do not all move at once.
            tokio::time::sleep(PAUSE * number as u32 / PEOPLE as u32).await;
            while begun.elapsed() < LENGTH {
                player.ask(&mut request);
                let asked = Instant::now();
                let outcome = match connection.ask_soon(&request).await {
                    Ok((status, body)) => player.take(status, body),
                    Err(_) => Outcome::Failed,
                };
                match outcome {
                    Outcome::Counted => found.borrow_mut().times.push(asked.elapsed()),
                    Outcome::Besides => {}
                    Outcome::Failed => return found.borrow_mut().failed += 1,
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
    local.await;
    let mut round = found.take();
    if round.failed > 0 {
        return Err(format!("{} people were not answered", round.failed).into());
    }
    round.lasted = begun.elapsed();
    round.times.sort_unstable();
    Ok(round)
}
