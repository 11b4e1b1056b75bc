//! What a connection asks for, one request after another: moves and reads of the service, and the yardstick's.

use bytes::Bytes;
use hyper::StatusCode;
use pagade_rules::bundled::SETS;

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

/// What of an answer is needed to play on, found without reading the rest: the machine is to be busy with the service.
struct Shown<'a> {
    token: Option<&'a str>,
    id: &'a str,
    version: u64,
    is_over: bool,
    legal: Option<&'a str>,
}

impl<'a> Shown<'a> {
    fn find(body: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(body).ok()?;
        let (before, game) = text.split_once(r#""game":{"id":""#)?;
        Some(Self {
            token: after(before, r#""token":""#, '"').or_else(|| after(game, r#""token":""#, '"')),
            id: game.split('"').next()?,
            version: after(game, r#""version":"#, ',')?.parse().ok()?,
            is_over: after(game, r#""status":""#, '"')? != "playing",
            legal: after(game, r#""legal":[""#, '"'),
        })
    }
}

/// What stands behind these words, up to an end.
fn after<'a>(text: &'a str, words: &str, end: char) -> Option<&'a str> {
    text.split_once(words)?.1.split(end).next()
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
        let (true, Some(shown)) = (status.is_success(), Shown::find(body)) else {
            return Answered::Failed;
        };
        let action = shown.legal.map(str::to_owned);
        match &mut self.game {
            None => {
                let (id, token) = (shown.id.to_owned(), shown.token.unwrap_or_default().to_owned());
                self.game = Some(Playing { id, token, version: shown.version, action });
                Answered::Besides
            }
            Some(game) => {
                (game.version, game.action) = (shown.version, action);
                if shown.is_over {
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
        let Some(shown) = Shown::find(body) else { return Answered::Failed };
        self.path = Some(format!("/v1/games/{}", shown.id));
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
