//! Records of games: written from the steps that are stored, and read in as games of their own.

mod head;
mod text;
mod verify;

pub use verify::{Unproven, Verified, verify};

use std::sync::Arc;

use pagade_rules::play::Engine;
use pagade_rules::play::Quiet;
use pagade_rules::record::{Against, Header, Recorder, Replay};
use pagade_rules::ruleset::RuleSet;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, ProblemPart, internal};
use crate::game::GameId;
use crate::game::dice;
use crate::game::edit::Edit;
use crate::game::event::{Event, EventKind};
use crate::game::play::Play;
use crate::game::steps::Step;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::DiceHolder;
use crate::game::wire;
use crate::ground::clock;
use crate::ground::token::Token;
use crate::rule_sets::library;
use crate::rule_sets::library::Book;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::history::History;
use crate::service::games::lobby;
use crate::service::once::Once;
use crate::service::records::head::{Head, HeadDice, is_text, refuse};
use crate::service::reply::Reply;

/// Most lines of a record that is read in: more than the longest game has.
const MOST_LINES: usize = 100_000;

/// The first line of a record that the service writes.
#[derive(Debug, Serialize)]
struct ServedHeader {
    #[serde(flatten)]
    header: Header,
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<HeadDice>,
}

/// A line of a record, as far as it is needed to play it.
#[derive(Debug, Deserialize)]
struct Row {
    turn: String,
    #[serde(default)]
    throw: String,
    played: Option<String>,
}

impl Service {
    /// The record as NDJSON: a header, then a line for every decision.
    ///
    /// # Errors
    /// The game is unknown.
    pub async fn read_record(&self, call: &Call, id: &str) -> Result<String, Problem> {
        self.with_history(call, id, ndjson).await
    }

    /// The record as text: one turn a line.
    ///
    /// # Errors
    /// The game is unknown.
    pub async fn read_record_text(&self, call: &Call, id: &str) -> Result<String, Problem> {
        self.with_history(call, id, |all| {
            let first = first_of(&all.game)?;
            let mut opening = all.game.clone();
            opening.state = None;
            let mut edit = Edit::begin(all.id, opening, all.rules);
            let first = edit.player(first)?;
            edit.start_with(first);
            text::write(&all.game, edit, &all.steps)
        })
        .await
    }

    /// Makes a game of a record: played to where the record ends, its dice thrown by the players from there on.
    ///
    /// # Errors
    /// The record cannot be read, or does not follow from the rules.
    pub async fn import_record(&self, call: &Call, text: &str) -> Result<Reply, Problem> {
        if text.lines().count() > MOST_LINES {
            return Err(refuse(0, format!("it has more than {MOST_LINES} lines")));
        }
        let head = head_of(text)?;
        let book = self.book_of(&head).await?;
        let rules =
            self.library.table(&book, &wire::options(&head.options), head.players.as_deref()).map_err(of_head)?;
        let once = Once::of(call, text.as_bytes())?;
        let (head, text) = (Arc::new(head), Arc::<str>::from(text));
        self.create_once(once, async |id| {
            let owner = Token::new()?;
            let (book_of, rules, head, owner_of, text) =
                (Arc::clone(&book), Arc::clone(&rules), Arc::clone(&head), owner.clone(), Arc::clone(&text));
            let played = self.workers.work(move || played(id, &book_of.set, rules, &head, &owner_of, &text));
            let edit = played.await??;
            let reply = lobby::created(&edit, &owner, None)?;
            Ok((edit, Some(book.rule_text()?), reply))
        })
        .await
    }

    async fn book_of(&self, head: &Head) -> Result<Arc<Book>, Problem> {
        if let Some(digest) = &head.digest
            && let Some(book) = self.library.by_digest(digest).await?
        {
            return Ok(book);
        }
        // Of another digest: what counts is whether the game follows from the rules known here.
        let book = self.library.find(&head.ruleset, head.version.as_deref()).await?;
        book.ok_or_else(|| refuse(1, format!("there is no rule set `{}` of that version here", head.ruleset)))
    }
}

fn first_of(game: &Game) -> Result<&str, Problem> {
    let unstarted = || Problem::new(Code::GameNotStarted, "there is nothing to record");
    game.setup.first.as_deref().ok_or_else(unstarted)
}

fn ndjson(all: History) -> Result<String, Problem> {
    let History { game, rules, steps, .. } = all;
    let first = rules.player(first_of(&game)?).map_err(internal)?;
    let mut recorder = Recorder::from(&rules, 0, rules.opening(first));
    let header =
        ServedHeader { header: recorder.header(game.told_seed().map(str::to_owned)), dice: HeadDice::of(&game) };
    let mut lines = vec![serde_json::to_string(&header).map_err(internal)?];
    for step in steps {
        let line = match step {
            Step::Throw(throw) => recorder.throw(&throw, &mut Quiet).map_err(internal)?,
            Step::Act(text) => Some(recorder.play_text(&text, &mut Quiet).map_err(internal)?),
        };
        lines.extend(line.map(|line| line.to_json()));
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// A record played once more, by itself.
///
/// # Errors
/// Options or seats do not fit the rules, or the record does not follow from them.
pub fn replayed(set: &RuleSet, head: &Head, text: &str) -> Result<Edit, Problem> {
    let rules = library::table(set, &wire::options(&head.options), head.players.as_deref()).map_err(of_head)?;
    played(GameId::nil(), set, Arc::new(rules), head, &Token::new()?, text)
}

fn played(
    id: GameId,
    set: &RuleSet,
    rules: Arc<Engine>,
    head: &Head,
    owner: &Token,
    text: &str,
) -> Result<Edit, Problem> {
    let new = NewGame {
        options: wire::options(&head.options),
        dice: DiceHolder::Players,
        seed: dice::new_seed()?,
        ..NewGame::hot_seat(set, &rules, owner.hash())
    };
    let mut edit = Edit::begin(id, Game::new(new, clock::now()), rules);
    edit.add(Event::of_game(EventKind::Created));
    if is_text(text) {
        text::play(&mut edit, text)?;
    } else {
        play(&mut edit, set, head, text)?;
    }
    Ok(edit)
}

/// What does not fit of the head stands in the first line.
fn of_head(problem: Problem) -> Problem {
    let parts = problem.parts.into_iter().map(|part| ProblemPart { pointer: None, line: Some(1), ..part });
    Problem::new(Code::RecordInvalid, problem.detail).with(parts.collect())
}

/// Plays an NDJSON record: once compared line by line with the rules, once as steps of the game.
fn play(edit: &mut Edit, set: &RuleSet, head: &Head, text: &str) -> Result<(), Problem> {
    let find = |_: &str| Ok(Arc::new(set.clone()));
    let mut replay = Replay::new(&find, Against { ruleset: Some(head.ruleset.clone()), ..Against::default() });
    let mut known = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        replay.line(line).map_err(|error| refuse(number, error.to_string()))?;
        if replay.games() > 1 {
            return Err(refuse(number, "a second game begins: send one game at a time"));
        }
        if number == 1 || line.trim().is_empty() {
            continue;
        }
        let row = serde_json::from_str::<Row>(line).map_err(|error| refuse(number, error.to_string()))?;
        if edit.play.is_none() {
            let first = edit.player(&row.turn)?;
            edit.start_with(first);
        }
        follow(edit, &row, &mut known).map_err(|problem| refuse(number, problem.detail))?;
        edit.check_length()?;
    }
    match (edit.play.as_ref().map(Play::state), replay.state()) {
        (None, _) => Err(refuse(2, "the record has no decision")),
        (Some(own), Some(replayed)) if own == replayed => Ok(()),
        _ => Err(internal("a record replays to another state than its steps")),
    }
}

/// Takes the steps of a line: throws that are new in it, then what was played.
fn follow(edit: &mut Edit, row: &Row, known: &mut Vec<String>) -> Result<(), Problem> {
    let throws = row.throw.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if edit.play.as_ref().is_some_and(Play::awaits_throw) {
        let goes_on = edit.play.as_ref().is_some_and(|play| play.state().thrown > 0) && !known.is_empty();
        let more = throws.strip_prefix(&known[..]).filter(|more| goes_on && !more.is_empty());
        // What has happened before, which may be much, is not tried again.
        let mut before = std::mem::take(&mut edit.events);
        let longer = more.map(|more| {
            let mut tried = edit.clone();
            throw_all(&mut tried, more).map(|()| tried)
        });
        match longer {
            Some(Ok(tried)) => *edit = tried,
            _ => throw_all(edit, &throws)?,
        }
        before.append(&mut edit.events);
        edit.events = before;
    }
    *known = throws;
    let played = row.played.as_deref().unwrap_or("pass");
    // A pass that the engine took by itself has moved the turn on already.
    let passed = played == "pass" && !text::is_legal(edit, played);
    if passed { Ok(()) } else { edit.act(played, "") }
}

fn throw_all(edit: &mut Edit, throws: &[String]) -> Result<(), Problem> {
    throws.iter().try_for_each(|text| {
        let throw = edit.read_throw(text, "")?;
        edit.throw(&throw)
    })
}

/// Reads the head of a record, in NDJSON or as text.
///
/// # Errors
/// It has none.
pub fn head_of(text: &str) -> Result<Head, Problem> {
    if is_text(text) { text::head(text) } else { head::head(text) }
}
