//! What a connection asks for, one request after another: moves and reads of the service, and the yardstick's.

use memchr::{memchr, memmem};
use pagade_rules::bundled::SETS;

use crate::wire::{Asked, get, head, post, put};

/// The media type of brief answers.
const BRIEF: &str = "application/vnd.pagade.brief+json";

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
    /// Writes the next request.
    fn ask(&mut self, asked: &mut Asked);
    /// Takes the answer.
    fn take(&mut self, status: u16, body: &[u8]) -> Answered;
}

/// Plays games of the service, all seats of one after another, always by the first action listed.
#[derive(Debug, Default)]
pub struct Player {
    /// Brief answers are asked for, as robots do; otherwise each shows the whole game.
    is_brief: bool,
    game: Option<Playing>,
}

impl Player {
    /// Who asks for such answers.
    pub fn new(is_brief: bool) -> Self {
        Self { is_brief, game: None }
    }

    /// The path of the game that is played; empty before it has begun.
    pub fn path(&self) -> &str {
        self.game.as_ref().map_or("", |game| &game.path)
    }
}

/// A game as far as who plays the first action needs it.
#[derive(Debug)]
struct Playing {
    path: String,
    /// What requests to throw and to play begin with.
    throws: String,
    actions: String,
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

/// The answer tells of success.
fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

impl Client for Player {
    fn ask(&mut self, asked: &mut Asked) {
        let Some(game) = &self.game else {
            *asked = post("/v1/games", &beginning());
            return;
        };
        let version = format!("If-Match: \"{}\"\r\n", game.version);
        match &game.action {
            None => put(asked, &game.throws, &version, "{}"),
            Some(action) => put(asked, &game.actions, &version, &format!(r#"{{"actions": ["{action}"]}}"#)),
        }
    }

    fn take(&mut self, status: u16, body: &[u8]) -> Answered {
        let (true, Some(shown)) = (is_success(status), Shown::find(body)) else {
            return Answered::Failed;
        };
        let action = shown.legal.map(str::to_owned);
        match &mut self.game {
            None => {
                let path = format!("/v1/games/{}", shown.id);
                let token = text(body, br#""token":""#, b'"').unwrap_or_default();
                let accept = if self.is_brief { BRIEF } else { "application/json" };
                let headers = format!("Authorization: Bearer {token}\r\nAccept: {accept}\r\n");
                let at = |step: &str| head(&format!("{path}/{step}"), &headers);
                let (throws, actions) = (at("throws"), at("actions"));
                self.game = Some(Playing { path, throws, actions, version: shown.version, action });
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
    game: Option<Asked>,
}

impl Client for Reader {
    fn ask(&mut self, asked: &mut Asked) {
        match &self.game {
            Some(game) => asked.clone_from(game),
            None => *asked = post("/v1/games", &beginning()),
        }
    }

    fn take(&mut self, status: u16, body: &[u8]) -> Answered {
        if !is_success(status) {
            return Answered::Failed;
        }
        if self.game.is_some() {
            return Answered::Counted;
        }
        let Some(shown) = Shown::find(body) else { return Answered::Failed };
        self.game = Some(get(&format!("/v1/games/{}", shown.id)));
        Answered::Besides
    }
}

/// Moves in one game of the yardstick.
#[derive(Debug)]
pub struct YardstickMover {
    head: String,
    version: u64,
}

impl YardstickMover {
    /// In a game that was just begun.
    pub fn new(number: usize) -> Self {
        Self { head: head(&format!("/game/{number}/move"), ""), version: 0 }
    }
}

impl Client for YardstickMover {
    fn ask(&mut self, asked: &mut Asked) {
        let body = format!(r#"{{"version":{},"player":1,"piece":{},"die":5}}"#, self.version, self.version % 16);
        put(asked, &self.head, "", &body);
    }

    fn take(&mut self, status: u16, _: &[u8]) -> Answered {
        self.version += 1;
        if is_success(status) { Answered::Counted } else { Answered::Failed }
    }
}

/// Reads one game of the yardstick.
#[derive(Debug)]
pub struct YardstickReader(Asked);

impl YardstickReader {
    /// Of the game of this number.
    pub fn new(number: usize) -> Self {
        Self(get(&format!("/game/{number}")))
    }
}

impl Client for YardstickReader {
    fn ask(&mut self, asked: &mut Asked) {
        asked.clone_from(&self.0);
    }

    fn take(&mut self, status: u16, _: &[u8]) -> Answered {
        if is_success(status) { Answered::Counted } else { Answered::Failed }
    }
}
