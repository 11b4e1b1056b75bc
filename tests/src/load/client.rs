//! What a connection asks for, one request after another: moves and reads of the service, and the yardstick's.

use bytes::Bytes;
use hyper::StatusCode;
use pagade_rules::bundled::SETS;
use serde::Deserialize;

use crate::wire::{Asked, get, post};

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// What is measured.
    Counted,
    /// What has to be done besides, such as beginning a game.
    Besides,
    /// What must not happen.
    Failed,
}

/// One client on one connection.
pub trait Client {
    /// The next request.
    fn ask(&mut self) -> Asked;
    /// Takes the answer.
    fn take(&mut self, status: StatusCode, body: &Bytes) -> Answered;
}

/// Plays games of the service, all seats of one after another, always by the first action listed.
#[derive(Debug, Default)]
pub struct Player {
    game: Option<Playing>,
}

impl Player {
    /// The path of the game that is played; empty before it has begun.
    pub fn path(&self) -> String {
        self.game.as_ref().map(|game| format!("/v1/games/{}", game.id)).unwrap_or_default()
    }
}

/// A game as far as who plays the first action needs it.
#[derive(Debug)]
struct Playing {
    id: String,
    token: String,
    version: u64,
    /// `None`: a throw is due.
    action: Option<String>,
}

#[derive(Deserialize)]
struct Answer<'a> {
    token: Option<&'a str>,
    #[serde(borrow)]
    game: Shown<'a>,
}

#[derive(Deserialize)]
struct Shown<'a> {
    id: &'a str,
    version: u64,
    status: &'a str,
    #[serde(borrow, default)]
    legal: Vec<&'a str>,
}

/// The body that begins a game of the first bundled rule set, all seats of which have one token.
fn beginning() -> String {
    format!(r#"{{"rule_set": "{}", "hot_seat": true}}"#, SETS[0].0)
}

impl Client for Player {
    fn ask(&mut self) -> Asked {
        let Some(game) = &self.game else { return post("/v1/games", None, beginning()) };
        let (step, body) = match &game.action {
            None => ("throws", "{}".to_owned()),
            Some(action) => ("actions", format!(r#"{{"actions": ["{action}"]}}"#)),
        };
        post(&format!("/v1/games/{}/{step}", game.id), Some((&game.token, game.version)), body)
    }

    fn take(&mut self, status: StatusCode, body: &Bytes) -> Answered {
        let (true, Ok(answer)) = (status.is_success(), serde_json::from_slice::<Answer<'_>>(body)) else {
            return Answered::Failed;
        };
        let action = answer.game.legal.first().map(|&action| action.to_owned());
        match &mut self.game {
            None => {
                let (id, token) = (answer.game.id.to_owned(), answer.token.unwrap_or_default().to_owned());
                self.game = Some(Playing { id, token, version: answer.game.version, action });
                Answered::Besides
            }
            Some(game) => {
                (game.version, game.action) = (answer.game.version, action);
                if answer.game.status != "playing" {
                    self.game = None;
                }
                Answered::Counted
            }
        }
    }
}

/// Reads one game of the service again and again.
#[derive(Debug, Default)]
pub struct Reader {
    path: Option<String>,
}

impl Client for Reader {
    fn ask(&mut self) -> Asked {
        self.path.as_deref().map_or_else(|| post("/v1/games", None, beginning()), get)
    }

    fn take(&mut self, status: StatusCode, body: &Bytes) -> Answered {
        if !status.is_success() {
            return Answered::Failed;
        }
        if self.path.is_some() {
            return Answered::Counted;
        }
        match serde_json::from_slice::<Answer<'_>>(body) {
            Ok(answer) => self.path = Some(format!("/v1/games/{}", answer.game.id)),
            Err(_) => return Answered::Failed,
        }
        Answered::Besides
    }
}

/// Moves in one game of the yardstick.
#[derive(Debug)]
pub struct YardstickMover {
    path: String,
    version: u64,
}

impl YardstickMover {
    /// In a game that was just begun.
    pub fn new(number: usize) -> Self {
        Self { path: format!("/game/{number}/move"), version: 0 }
    }
}

impl Client for YardstickMover {
    fn ask(&mut self) -> Asked {
        let body = format!(r#"{{"version":{},"player":1,"piece":{},"die":5}}"#, self.version, self.version % 16);
        post(&self.path, None, body)
    }

    fn take(&mut self, status: StatusCode, _: &Bytes) -> Answered {
        self.version += 1;
        if status.is_success() { Answered::Counted } else { Answered::Failed }
    }
}

/// Reads one game of the yardstick.
#[derive(Debug)]
pub struct YardstickReader(pub usize);

impl Client for YardstickReader {
    fn ask(&mut self) -> Asked {
        get(&format!("/game/{}", self.0))
    }

    fn take(&mut self, status: StatusCode, _: &Bytes) -> Answered {
        if status.is_success() { Answered::Counted } else { Answered::Failed }
    }
}
