//! Clients for the measurements. They play and read games of the service, and of the yardstick: the smallest possible
//! server, with which the service is compared.

use memchr::{memchr, memmem};
use pagade_rules::bundled::SETS;

use crate::connection::{RequestBytes, get, head, post, put};

/// The media type of brief answers, without the whole game.
const BRIEF: &str = "application/vnd.pagade.brief+json";

/// The result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The request succeeded, and its time is measured.
    Counted,
    /// The request succeeded but is not measured, such as one that creates a game.
    Besides,
    /// The request failed.
    Failed,
}

/// A client that sends its requests over one connection.
pub(crate) trait Client {
    /// Writes the next request into `asked`.
    fn ask(&mut self, asked: &mut RequestBytes);
    /// Reads the answer to the last request.
    fn take(&mut self, status: u16, body: &[u8]) -> Outcome;
}

/// Plays games of the service, one after another. It moves for every seat, always by the first legal action.
#[derive(Debug, Default)]
pub(crate) struct Player {
    /// Whether the player asks for brief answers, as robots do. Otherwise each answer has the full game.
    is_brief: bool,
    game: Option<Playing>,
}

impl Player {
    /// Makes a player that has no game yet.
    pub(crate) fn new(is_brief: bool) -> Self {
        Self { is_brief, game: None }
    }

    /// The path of the current game. Empty before the first game.
    pub(crate) fn path(&self) -> &str {
        self.game.as_ref().map_or("", |game| &game.path)
    }
}

/// The current game of a player.
#[derive(Debug)]
struct Playing {
    path: String,
    /// The head of requests that throw. `actions` is the head of requests that play actions.
    throws: String,
    actions: String,
    version: u64,
    /// The first legal action. `None` if a throw is due.
    action: Option<String>,
}

/// The fields of an answer that a player needs. They are found without parsing the whole JSON, which saves processor
/// time.
struct AnswerFields<'a> {
    id: &'a str,
    version: u64,
    is_over: bool,
    legal: Option<&'a str>,
}

impl<'a> AnswerFields<'a> {
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

/// The bytes after the first occurrence of `words`. `None` if `words` does not occur.
fn behind<'a>(body: &'a [u8], words: &[u8]) -> Option<&'a [u8]> {
    body.get(memmem::find(body, words)? + words.len()..)
}

/// The text from the end of `words` up to the byte `end`.
fn text<'a>(body: &'a [u8], words: &[u8], end: u8) -> Option<&'a str> {
    up_to(behind(body, words)?, end)
}

fn up_to(body: &[u8], end: u8) -> Option<&str> {
    str::from_utf8(&body[..memchr(end, body)?]).ok()
}

/// The body of a request for a new game. The game has the first bundled rule set, and one token plays all its seats.
fn beginning() -> String {
    format!(r#"{{"rule_set": "{}", "hot_seat": true}}"#, SETS[0].0)
}

/// Whether the status means success.
fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

impl Client for Player {
    fn ask(&mut self, asked: &mut RequestBytes) {
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

    fn take(&mut self, status: u16, body: &[u8]) -> Outcome {
        let (true, Some(shown)) = (is_success(status), AnswerFields::find(body)) else {
            return Outcome::Failed;
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
                Outcome::Besides
            }
            Some(game) => {
                (game.version, game.action) = (shown.version, action);
                if shown.is_over {
                    self.game = None;
                }
                Outcome::Counted
            }
        }
    }
}

/// Creates a game of the service and then reads it again and again.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    game: Option<RequestBytes>,
}

impl Client for Reader {
    fn ask(&mut self, asked: &mut RequestBytes) {
        match &self.game {
            Some(game) => asked.clone_from(game),
            None => *asked = post("/v1/games", &beginning()),
        }
    }

    fn take(&mut self, status: u16, body: &[u8]) -> Outcome {
        if !is_success(status) {
            return Outcome::Failed;
        }
        if self.game.is_some() {
            return Outcome::Counted;
        }
        let Some(shown) = AnswerFields::find(body) else { return Outcome::Failed };
        self.game = Some(get(&format!("/v1/games/{}", shown.id)));
        Outcome::Besides
    }
}

/// Moves in one game of the yardstick.
#[derive(Debug)]
pub(crate) struct YardstickMover {
    head: String,
    version: u64,
}

impl YardstickMover {
    /// Makes a client for the game with this number, which has just begun.
    pub(crate) fn new(number: usize) -> Self {
        Self { head: head(&format!("/game/{number}/move"), ""), version: 0 }
    }
}

impl Client for YardstickMover {
    fn ask(&mut self, asked: &mut RequestBytes) {
        let body = format!(r#"{{"version":{},"player":1,"piece":{},"die":5}}"#, self.version, self.version % 16);
        put(asked, &self.head, "", &body);
    }

    fn take(&mut self, status: u16, _: &[u8]) -> Outcome {
        self.version += 1;
        if is_success(status) { Outcome::Counted } else { Outcome::Failed }
    }
}

/// Reads one game of the yardstick again and again.
#[derive(Debug)]
pub(crate) struct YardstickReader(RequestBytes);

impl YardstickReader {
    /// Makes a client for the game with this number.
    pub(crate) fn new(number: usize) -> Self {
        Self(get(&format!("/game/{number}")))
    }
}

impl Client for YardstickReader {
    fn ask(&mut self, asked: &mut RequestBytes) {
        asked.clone_from(&self.0);
    }

    fn take(&mut self, status: u16, _: &[u8]) -> Outcome {
        if is_success(status) { Outcome::Counted } else { Outcome::Failed }
    }
}
