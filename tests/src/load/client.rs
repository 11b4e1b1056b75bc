//! What a connection asks for, one request after another: moves and reads of the service, and the yardstick's.

use bytes::Bytes;
use hyper::header::HeaderValue;
use hyper::{StatusCode, Uri};
use memchr::{memchr, memmem};
use pagade_rules::bundled::SETS;

use crate::wire::{Asked, get_at, post, post_at, post_on, read};

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
        let throws = self.game.as_ref().map(|game| game.throws.path()).unwrap_or_default();
        throws.trim_end_matches("/throws").to_owned()
    }
}

/// A game as far as who plays the first action needs it.
#[derive(Debug)]
struct Playing {
    throws: Uri,
    actions: Uri,
    bearer: HeaderValue,
    version: u64,
    /// `None`: a throw is due.
    action: Option<String>,
}

/// What of an answer is needed to play on, found without reading the rest: the machine is to be busy with the service.
struct Shown<'a> {
    id: &'a str,
    version: u64,
    is_over: bool,
    legal: Option<&'a str>,
}

impl<'a> Shown<'a> {
    fn find(body: &'a [u8]) -> Option<Self> {
        let game = behind(body, br#""game":{"id":""#)?;
        Some(Self {
            id: up_to(game, b'"')?,
            version: text(game, br#""version":"#, b',')?.parse().ok()?,
            is_over: text(game, br#""status":""#, b'"')? != "playing",
            legal: text(game, br#""legal":[""#, b'"'),
        })
    }
}

/// What stands behind these words.
fn behind<'a>(body: &'a [u8], words: &[u8]) -> Option<&'a [u8]> {
    body.get(memmem::find(body, words)? + words.len()..)
}

/// What stands behind these words, up to an end.
fn text<'a>(body: &'a [u8], words: &[u8], end: u8) -> Option<&'a str> {
    up_to(behind(body, words)?, end)
}

fn up_to(body: &[u8], end: u8) -> Option<&str> {
    str::from_utf8(&body[..memchr(end, body)?]).ok()
}

/// The body that begins a game of the first bundled rule set, all seats of which have one token.
fn beginning() -> String {
    format!(r#"{{"rule_set": "{}", "hot_seat": true}}"#, SETS[0].0)
}

impl Client for Player {
    fn ask(&mut self) -> Asked {
        let Some(game) = &self.game else { return post("/v1/games", beginning()) };
        let (path, body) = match &game.action {
            None => (&game.throws, "{}".to_owned()),
            Some(action) => (&game.actions, format!(r#"{{"actions": ["{action}"]}}"#)),
        };
        post_on(path.clone(), game.bearer.clone(), game.version, body)
    }

    fn take(&mut self, status: StatusCode, body: &Bytes) -> Answered {
        let (true, Some(shown)) = (status.is_success(), Shown::find(body)) else {
            return Answered::Failed;
        };
        let action = shown.legal.map(str::to_owned);
        match &mut self.game {
            None => {
                let at = |step: &str| read(&format!("/v1/games/{}/{step}", shown.id));
                let token = text(body, br#""token":""#, b'"').unwrap_or_default();
                let Ok(bearer) = format!("Bearer {token}").try_into() else {
                    return Answered::Failed;
                };
                let (throws, actions) = (at("throws"), at("actions"));
                self.game = Some(Playing { throws, actions, bearer, version: shown.version, action });
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
    path: Option<Uri>,
}

impl Client for Reader {
    fn ask(&mut self) -> Asked {
        self.path.clone().map_or_else(|| post("/v1/games", beginning()), get_at)
    }

    fn take(&mut self, status: StatusCode, body: &Bytes) -> Answered {
        if !status.is_success() {
            return Answered::Failed;
        }
        if self.path.is_some() {
            return Answered::Counted;
        }
        let Some(shown) = Shown::find(body) else { return Answered::Failed };
        self.path = Some(read(&format!("/v1/games/{}", shown.id)));
        Answered::Besides
    }
}

/// Moves in one game of the yardstick.
#[derive(Debug)]
pub struct YardstickMover {
    path: Uri,
    version: u64,
}

impl YardstickMover {
    /// In a game that was just begun.
    pub fn new(number: usize) -> Self {
        Self { path: read(&format!("/game/{number}/move")), version: 0 }
    }
}

impl Client for YardstickMover {
    fn ask(&mut self) -> Asked {
        let body = format!(r#"{{"version":{},"player":1,"piece":{},"die":5}}"#, self.version, self.version % 16);
        post_at(self.path.clone(), body)
    }

    fn take(&mut self, status: StatusCode, _: &Bytes) -> Answered {
        self.version += 1;
        if status.is_success() { Answered::Counted } else { Answered::Failed }
    }
}

/// Reads one game of the yardstick.
#[derive(Debug)]
pub struct YardstickReader(Uri);

impl YardstickReader {
    /// Of the game of this number.
    pub fn new(number: usize) -> Self {
        Self(read(&format!("/game/{number}")))
    }
}

impl Client for YardstickReader {
    fn ask(&mut self) -> Asked {
        get_at(self.0.clone())
    }

    fn take(&mut self, status: StatusCode, _: &Bytes) -> Answered {
        if status.is_success() { Answered::Counted } else { Answered::Failed }
    }
}
