//! Records of games: exports them, and imports them as new games.

mod header;
mod text;
mod verify;

pub use header::RecordHeader;
pub use verify::{Unproven, VerifiedRecord, verify};

use std::sync::Arc;

use pagade_rules::play::Engine;
use pagade_rules::play::Quiet;
use pagade_rules::record::{Against, Header, Recorder, Replay, ReplayCause, ReplayError};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::tables::PASS_WORD;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Detail, Problem, ProblemPart, detail, internal};
use crate::game::dice;
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::play::Play;
use crate::game::refused::RefusedStep;
use crate::game::steps::Step;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::DiceHolder;
use crate::game::{GAME, GameId};
use crate::ground::clock;
use crate::ground::token::Token;
use crate::model::event_kind::EventKind;
use crate::rule_sets::library;
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::creation::GameTokens;
use crate::service::games::history::GameHistory;
use crate::service::idempotency::IdempotentRequest;
use crate::service::records::header::{HeaderDice, is_text, refuse};
use crate::service::reply::Reply;
use crate::service::rule_sets::problems::no_rule_set;

/// Maximum number of lines in a record to import. No game has a longer record, because its number of events is limited.
const MOST_LINES: usize = 100_000;

/// The first line of an exported record.
#[derive(Debug, Serialize)]
struct WrittenHeader {
    #[serde(flatten)]
    header: Header,
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<HeaderDice>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<WrittenPlace>,
}

/// The place of a game among the games of its tournament.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct InTournament {
    /// The number of the game among the records, the first is 0.
    pub number: u64,
    /// The number of the round, the first is 1.
    pub round: usize,
    /// The number of the table, the first is 1.
    pub table: usize,
}

/// The fields by which the record of a game is found again in its tournament.
#[derive(Debug, Serialize)]
struct WrittenPlace {
    id: GameId,
    round: usize,
    table: usize,
}

/// The fields of a record's line that are needed to play its steps.
#[derive(Debug, Deserialize)]
struct RecordStep {
    turn: String,
    #[serde(default)]
    throw: String,
    played: Option<String>,
}

impl Service {
    /// Exports a record as NDJSON: a header, then one line for each decision.
    ///
    /// # Errors
    /// The game does not exist.
    pub(crate) async fn read_record(&self, call: &Call, id: &str) -> Result<String, Problem> {
        self.with_history(call, id, |history| ndjson(history, None)).await
    }

    /// Exports a record as text: one line for each turn.
    ///
    /// # Errors
    /// The game does not exist.
    pub(crate) async fn read_record_text(&self, call: &Call, id: &str) -> Result<String, Problem> {
        self.with_history(call, id, |history| {
            let first = first_of(&history.game)?;
            let mut opening = history.game.clone();
            opening.state = None;
            let mut edit = Edit::begin(history.id, opening, history.engine);
            let first = edit.player(first)?;
            edit.start_with(first);
            text::write(&history.game, edit, &history.steps)
        })
        .await
    }

    /// Imports a record as a new game, which continues where the record ends. Its players throw the dice from then on.
    ///
    /// # Errors
    /// The record is malformed, or contradicts the rules.
    pub(crate) async fn import_record(&self, call: &Call, text: &str) -> Result<Reply, Problem> {
        if text.lines().nth(MOST_LINES).is_some() {
            return Err(refuse(MOST_LINES as u32 + 1, detail!("it has more than {most} lines", most = MOST_LINES)));
        }
        let header = Arc::new(read_header(text)?);
        let idempotency = IdempotentRequest::secret(call, text.as_bytes())?;
        let text = Arc::<str>::from(text);
        self.create_once(idempotency, async |id| {
            let compiled = self.book_of(&header).await?;
            let options = header.options_for(&compiled.set);
            let engine = self.library.table(&compiled, &options, header.players.as_deref()).map_err(header_problem)?;
            let owner = Token::of(GAME.word(), id)?;
            let (book_of, header, owner_of, text) =
                (Arc::clone(&compiled), Arc::clone(&header), owner.clone(), Arc::clone(&text));
            let played = self.workers.work(move || played(id, &book_of.set, engine, &header, &owner_of, &text));
            let edit = played.await??;
            let reply = GameTokens::of_owner(owner.clone()).answer(&edit)?;
            Ok((edit, Some(compiled.rule_text()?), reply))
        })
        .await
    }

    async fn book_of(&self, header: &RecordHeader) -> Result<Arc<CompiledRuleSet>, Problem> {
        if let Some(digest) = &header.digest
            && let Some(compiled) = self.library.by_digest(digest).await?
        {
            return Ok(compiled);
        }
        // No rule set has this digest, so the game is replayed with the rule set of this id. The replay shows whether
        // its rules fit the record.
        let compiled = self.library.find(&header.ruleset, header.version.as_deref()).await?;
        compiled.ok_or_else(|| refuse(1, no_rule_set(&header.ruleset, header.version.as_deref())))
    }
}

fn first_of(game: &Game) -> Result<&str, Problem> {
    let unstarted = || Problem::new(Code::GameNotStarted, "the game has not started, so it has no record");
    game.setup.first.as_deref().ok_or_else(unstarted)
}

/// Writes the record of a game of a tournament as NDJSON, as one of many records in a text.
///
/// # Errors
/// The game has not started.
pub(in crate::service) fn numbered_ndjson(history: GameHistory, place: InTournament) -> Result<String, Problem> {
    ndjson(history, Some(place))
}

fn ndjson(history: GameHistory, place: Option<InTournament>) -> Result<String, Problem> {
    let GameHistory { id, game, engine, steps } = history;
    let first = engine.player(first_of(&game)?).map_err(internal)?;
    let number = place.map_or(0, |place| place.number);
    let mut recorder = Recorder::from(&engine, number, engine.opening(first));
    let header = WrittenHeader {
        header: recorder.header(game.revealed_seed().map(str::to_owned)),
        dice: HeaderDice::of(&game),
        place: place.map(|InTournament { round, table, .. }| WrittenPlace { id, round, table }),
    };
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

/// Plays a record again, without a store.
///
/// # Errors
/// The options or seats do not suit the rule set, or the record contradicts the rules.
pub(crate) fn replayed(set: &RuleSet, header: &RecordHeader, text: &str) -> Result<Edit, Problem> {
    let engine = library::table(set, &header.options_for(set), header.players.as_deref()).map_err(header_problem)?;
    played(GameId::nil(), set, Arc::new(engine), header, &Token::new()?, text)
}

fn played(
    id: GameId,
    set: &RuleSet,
    engine: Arc<Engine>,
    header: &RecordHeader,
    owner: &Token,
    text: &str,
) -> Result<Edit, Problem> {
    let new = NewGame {
        options: header.options_for(set),
        dice: DiceHolder::Players,
        seed: dice::new_seed()?,
        ..NewGame::hot_seat(set, &engine, owner.hash())
    };
    let mut edit = Edit::begin(id, Game::new(new, clock::now()), engine);
    edit.add(Event::of_game(EventKind::Created));
    if is_text(text) {
        text::play(&mut edit, text)?;
    } else {
        play(&mut edit, set, header, text)?;
    }
    Ok(edit)
}

/// Converts a problem with options or seats to a problem of the record's first line, which is the header.
fn header_problem(problem: Problem) -> Problem {
    let detail = problem.said();
    let parts = problem.parts.into_iter().map(|part| ProblemPart { pointer: None, line: Some(1), ..part });
    Problem::new(Code::RecordInvalid, detail).with(parts.collect())
}

/// Plays an NDJSON record in the game. The engine also compares every line of the record with the rules.
fn play(edit: &mut Edit, set: &RuleSet, header: &RecordHeader, text: &str) -> Result<(), Problem> {
    let find = |_: &str| Ok(Arc::new(set.clone()));
    let mut replay = Replay::new(&find, Against { ruleset: Some(header.ruleset.clone()), ..Against::default() });
    let mut known_throws = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        replay.line(line).map_err(|error| refuse(number, contradiction(edit, error)))?;
        if replay.games() > 1 {
            return Err(refuse(number, detail!("a second game begins: send one game at a time")));
        }
        if number == 1 || line.trim().is_empty() {
            continue;
        }
        let row = serde_json::from_str::<RecordStep>(line).map_err(|error| {
            let column = error.column();
            refuse(number, detail!("the line is not a decision of a record, from column {column} on", column))
        })?;
        if edit.play.is_none() {
            let first = edit.player(&row.turn).map_err(|problem| refuse(number, problem.said()))?;
            edit.start_with(first);
        }
        follow(edit, &row, &mut known_throws).map_err(|problem| refuse(number, problem.said()))?;
        edit.check_length()?;
    }
    match (edit.play.as_ref().map(Play::state), replay.state()) {
        (None, _) => Err(refuse(2, detail!("the record has no decision"))),
        (Some(own), Some(replayed)) if own == replayed => Ok(()),
        _ => Err(internal("a record replays to another state than its steps")),
    }
}

/// Says how a line of a record contradicts the rules.
fn contradiction(edit: &Edit, error: ReplayError) -> Detail {
    let ReplayError { what, recorded, given, cause, .. } = error;
    match cause.map(|cause| *cause) {
        Some(ReplayCause::Line) => detail!("the line is not a decision of a record"),
        Some(ReplayCause::Seat) => match edit.player(&recorded) {
            Err(problem) => problem.said(),
            Ok(_) => detail!("`{seat}` does not play in this game", seat = recorded),
        },
        Some(ReplayCause::Throw(error)) => Problem::from(RefusedStep::from(error)).said(),
        Some(ReplayCause::Action(error)) => Problem::from(RefusedStep::from(error)).said(),
        Some(ReplayCause::Table(problems)) => {
            problems.into_iter().next().map(|problem| problem.message.into()).unwrap_or_default()
        }
        None => {
            detail!("`{field}` is {recorded} in the record, but the rules give {given}", field = what, recorded, given)
        }
    }
}

/// Plays the steps of a line: the throws that the line before does not have, then the action.
fn follow(edit: &mut Edit, row: &RecordStep, known_throws: &mut Vec<String>) -> Result<(), Problem> {
    let throws = row.throw.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if edit.play.as_ref().is_some_and(Play::awaits_throw) {
        let goes_on = edit.play.as_ref().is_some_and(|play| play.state().thrown > 0) && !known_throws.is_empty();
        let more = throws.strip_prefix(&known_throws[..]).filter(|more| goes_on && !more.is_empty());
        // The events of earlier lines, which may be many, are set aside here, so that `edit.clone()` copies only new
        // events.
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
    *known_throws = throws;
    let played = row.played.as_deref().unwrap_or(PASS_WORD);
    // If the engine has passed by itself, the turn is over, and the `pass` in the record is not played.
    let passed = played == PASS_WORD && !text::is_legal(edit, played);
    if passed { Ok(()) } else { edit.act(played, "") }
}

fn throw_all(edit: &mut Edit, throws: &[String]) -> Result<(), Problem> {
    throws.iter().try_for_each(|text| {
        let throw = edit.read_throw(text, "")?;
        edit.throw(&throw)
    })
}

/// Reads the header of a record in either form, NDJSON or text.
///
/// # Errors
/// The header is missing or malformed.
pub(crate) fn read_header(text: &str) -> Result<RecordHeader, Problem> {
    if is_text(text) { text::header(text) } else { header::header(text) }
}
