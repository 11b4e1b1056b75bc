//! Replays a record and compares every line with the rules.

use std::sync::Arc;

use serde::Deserialize;

use super::recorder::{hand_passed, is_passed_by};
use crate::notation::{ActionError, ThrowError, bracketed};
use crate::play::{Action, Engine, Happening, Phase, Quiet, State, Throw};
use crate::position::{ByName, CounterValue, Marked};
use crate::ruleset::{Options, TableProblem};
use crate::scenario::{RuleSets, WrittenOption};
use crate::tables::PASS_WORD;

/// The rule set and the options for a replay, in place of those that the headers of the record name.
#[derive(Debug, Clone, Default)]
pub struct Against {
    /// The id of the rule set. A record without headers needs it.
    pub ruleset: Option<String>,
    /// Values of table options. They replace the values in the headers.
    pub options: Options,
}

/// Replays a record, line by line.
pub struct Replay<'f> {
    rule_sets: &'f RuleSets<'f>,
    against: Against,
    header: Option<ReadLine>,
    header_line: u64,
    /// The table that was made last, with its key. Most records have the same table for all games, so it is used again.
    table: Option<(TableKey, Arc<Engine>)>,
    game: Option<ReplayedGame>,
    line: u64,
    games: u64,
    decisions: u64,
}

type TableKey = (String, Options, Vec<String>);

/// The game whose lines are being replayed.
#[derive(Clone)]
struct ReplayedGame {
    engine: Arc<Engine>,
    number: Option<u64>,
    ply: Option<u64>,
    state: State,
    /// The throws that the last line listed.
    last_throws: Vec<Throw>,
}

/// A line of a record that contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}", self.sentence())]
pub struct ReplayError {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The part of the line that differs: `position`, `legal`, ..
    pub what: &'static str,
    /// The value in the record.
    pub recorded: String,
    /// The value that the rules give. For a rule set that cannot be found or played, the reason.
    pub given: String,
    /// The reason why the recorded value cannot be read or played. `None` if `given` says everything.
    pub cause: Option<Box<ReplayCause>>,
}

/// The reason why a value of a record cannot be read or played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayCause {
    /// The line is not JSON, or not a line of a record.
    Line,
    /// No seat that plays has the name.
    Seat,
    /// The throw cannot be read.
    Throw(ThrowError),
    /// The action cannot be read, or is not legal.
    Action(ActionError),
    /// Options or seats make no table.
    Table(Vec<TableProblem>),
}

impl ReplayError {
    fn sentence(&self) -> String {
        let ReplayError { what, recorded, given, cause, .. } = self;
        match *what {
            _ if matches!(cause.as_deref(), Some(ReplayCause::Line)) => format!("this is no line of a record: {given}"),
            RULE_SET => format!("the rule set of the record, `{recorded}`: {given}"),
            _ => format!("{what}: the record has {recorded}, the rules give {given}"),
        }
    }
}

/// The part of a line that differs if the rule set of the record cannot be found or played.
const RULE_SET: &str = "ruleset";

/// A line of a record, written by this or by another program. A line that names a rule set and has no action is a
/// header.
#[derive(Debug, Deserialize)]
struct ReadLine {
    game: Option<u64>,
    ply: Option<u64>,
    ruleset: Option<String>,
    players: Option<Vec<String>>,
    #[serde(default)]
    options: ByName<WrittenOption>,
    turn: Option<String>,
    asked: Option<String>,
    #[serde(default)]
    position: ByName<Vec<String>>,
    #[serde(default)]
    state: ByName<ByName<CounterValue>>,
    marks: Option<ByName<Marked>>,
    #[serde(default)]
    throw: Option<String>,
    hand: Option<Vec<String>>,
    #[serde(default)]
    legal: Vec<String>,
    played: Option<String>,
}

/// A difference between a line of the record and the rules.
struct Mismatch {
    what: &'static str,
    recorded: String,
    given: String,
    cause: Option<Box<ReplayCause>>,
}

impl Mismatch {
    fn new(what: &'static str, recorded: impl Into<String>, given: impl Into<String>) -> Self {
        Mismatch { what, recorded: recorded.into(), given: given.into(), cause: None }
    }

    fn because(self, cause: ReplayCause) -> Self {
        Mismatch { cause: Some(Box::new(cause)), ..self }
    }
}

impl<'f> Replay<'f> {
    /// Begins a replay.
    #[must_use]
    pub fn new(rule_sets: &'f RuleSets<'f>, against: Against) -> Self {
        Replay {
            rule_sets,
            against,
            header: None,
            header_line: 0,
            table: None,
            game: None,
            line: 0,
            games: 0,
            decisions: 0,
        }
    }

    /// The number of games replayed so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of decisions so far. All of them agreed with the rules.
    #[must_use]
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// The state of the game after the last line. `None` before the first decision of a game.
    #[must_use]
    pub fn state(&self) -> Option<&State> {
        self.game.as_ref().map(|game| &game.state)
    }

    /// Replays the next line. Blank lines are skipped.
    ///
    /// # Errors
    /// The text is not a line of a record, its rule set or table does not exist, or one of its values (turn, throw,
    /// position, counters, hand, legal actions or action) differs from what the rules give after the previous lines.
    pub fn line(&mut self, text: &str) -> Result<(), ReplayError> {
        self.line += 1;
        if text.trim().is_empty() {
            return Ok(());
        }
        let result = self.take(text);
        result.map_err(|Mismatch { what, recorded, given, cause }| {
            // The header names the rule set, but the rule set is looked up at the first line of a game. The error names
            // the header's line.
            let line = if what == RULE_SET && self.header.is_some() { self.header_line } else { self.line };
            ReplayError { line, what, recorded, given, cause }
        })
    }

    fn take(&mut self, text: &str) -> Result<(), Mismatch> {
        let row: ReadLine = serde_json::from_str(text).map_err(|error| {
            Mismatch::new("line", "no line of a record", error.to_string()).because(ReplayCause::Line)
        })?;
        if row.ruleset.is_some() && row.played.is_none() {
            self.header = Some(row);
            self.header_line = self.line;
            self.game = None;
            return Ok(());
        }
        let goes_on = self.game.as_ref().is_some_and(|game| game.goes_on_with(&row));
        if !goes_on {
            self.game = Some(self.open(&row)?);
            self.games += 1;
        }
        let game = self.game.as_mut().expect("a game was just opened");
        game.follow(&row)?;
        self.decisions += 1;
        Ok(())
    }

    /// Begins the game to which this line belongs: makes its table, and finds the opening that the line describes.
    fn open(&mut self, row: &ReadLine) -> Result<ReplayedGame, Mismatch> {
        let header = self.header.as_ref();
        let id = self.against.ruleset.clone().or_else(|| header.and_then(|header| header.ruleset.clone()));
        let Some(id) = id else {
            return Err(Mismatch::new(RULE_SET, "(none)", "no line before this one names a rule set"));
        };
        let mut options: Options = header.map_or_else(Options::new, |header| {
            header.options.iter().map(|(name, value)| (name.to_string(), value.0.clone())).collect()
        });
        options.extend(self.against.options.clone());
        let players = header.and_then(|header| header.players.clone());
        let players = players.unwrap_or_else(|| row.position.iter().map(|(seat, _)| seat.to_string()).collect());
        let key = (id, options, players);
        let engine = match &self.table {
            Some((known, engine)) if *known == key => Arc::clone(engine),
            _ => {
                let engine = Arc::new(self.lay(&key)?);
                self.table = Some((key, Arc::clone(&engine)));
                engine
            }
        };
        let turn = row.turn.as_deref().unwrap_or_default();
        let first = engine
            .player(turn)
            .map_err(|error| Mismatch::new("turn", turn, error.to_string()).because(ReplayCause::Seat))?;
        // A rule may end the first turn before its first throw. Then the first line does not name the seat that began,
        // so the openings of all seats are tried.
        let openings = engine.seating.players.iter().map(|&seat| engine.opening(seat));
        let game = |state| ReplayedGame {
            engine: Arc::clone(&engine),
            number: row.game,
            ply: None,
            state,
            last_throws: Vec::new(),
        };
        let named = openings.filter(|opening| opening.turn == first).map(game);
        let fitting = named.clone().find(|game| game.clone().follow(row).is_ok()).or_else(|| named.clone().next());
        Ok(fitting.unwrap_or_else(|| game(engine.opening(first))))
    }

    fn lay(&self, (id, options, players): &TableKey) -> Result<Engine, Mismatch> {
        let set = (self.rule_sets)(id).map_err(|error| Mismatch::new(RULE_SET, id.as_str(), error))?;
        set.table(&set.typed(options), Some(players)).map_err(|problems| {
            let messages: Vec<String> = problems.iter().map(|problem| problem.message.to_string()).collect();
            Mismatch::new("table", players.join(", "), messages.join("; ")).because(ReplayCause::Table(problems))
        })
    }
}

impl ReplayedGame {
    fn goes_on_with(&self, row: &ReadLine) -> bool {
        let same_game = row.game.is_none() || row.game == self.number;
        let later = match (self.ply, row.ply) {
            (Some(last), Some(ply)) => ply > last,
            _ => true,
        };
        same_game && later
    }

    fn follow(&mut self, row: &ReadLine) -> Result<(), Mismatch> {
        let engine = Arc::clone(&self.engine);
        let mut throws = Vec::new();
        for text in row.throw.as_deref().unwrap_or_default().split_whitespace() {
            throws.push(
                engine.parse_throw(text).map_err(|error| {
                    Mismatch::new("throw", text, error.to_string()).because(ReplayCause::Throw(error))
                })?,
            );
        }
        let played = match self.state.phase {
            Phase::Over => Err(Mismatch::new("game", "another decision", "the game is over")),
            Phase::Throw => self.follow_throws(&engine, row, &throws),
            Phase::Move if row.throw.is_some() && throws != self.last_throws => {
                let texts: Vec<String> = self.last_throws.iter().map(|throw| engine.throw_text(throw)).collect();
                Err(Mismatch::new("throw", row.throw.as_deref().unwrap_or_default(), texts.join(" ")))
            }
            _ => decide(&engine, self.state, row),
        };
        self.state = played?;
        self.last_throws = throws;
        self.ply = row.ply.or(self.ply);
        Ok(())
    }

    /// Makes the new throws of a line, then plays its action.
    ///
    /// The throws of a line either continue the throws of the previous line, or are all new. Both cases are tried.
    fn follow_throws(&self, engine: &Engine, row: &ReadLine, throws: &[Throw]) -> Result<State, Mismatch> {
        let anew = || throw_and_decide(engine, self.state, row, throws);
        match throws.strip_prefix(&self.last_throws[..]) {
            Some(more) if self.state.thrown > 0 && !self.last_throws.is_empty() && !more.is_empty() => {
                throw_and_decide(engine, self.state, row, more).or_else(|difference| anew().map_err(|_| difference))
            }
            _ => anew(),
        }
    }
}

fn throw_and_decide(engine: &Engine, before: State, row: &ReadLine, throws: &[Throw]) -> Result<State, Mismatch> {
    let turn = engine.seat_name(before.turn);
    if row.turn.as_deref() != Some(turn) {
        return Err(Mismatch::new("turn", row.turn.as_deref().unwrap_or_default(), turn));
    }
    if throws.is_empty() {
        return Err(Mismatch::new("throw", "none", "a throw is due"));
    }
    let mut state = before;
    let mut passed = None;
    for throw in throws {
        let seen = state;
        let mut events: Vec<Happening> = Vec::new();
        let due = state.turn == before.turn && engine.throw(&mut state, throw, &mut events).is_ok();
        if !due {
            let given = "an action is due before this throw";
            return Err(Mismatch::new("throw", engine.throw_text(throw), given));
        }
        let kinds: Vec<_> = events.iter().map(|happening| happening.kind).collect();
        passed = is_passed_by(&state, &kinds).then(|| (seen, hand_passed(engine, &seen, throw, &kinds)));
    }
    match passed {
        Some((seen, hand)) => pass(engine, [&seen, &before], state, &hand, row),
        None => decide(engine, state, row),
    }
}

/// Checks the line of a pass. `before` has two states: the one before the last throw of the line, and the one before
/// its first throw.
fn pass(
    engine: &Engine,
    before: [&State; 2],
    after: State,
    given: &[String],
    row: &ReadLine,
) -> Result<State, Mismatch> {
    // A throw can change the position. A [`Recorder`](super::Recorder) writes the position before the last throw of the
    // line. Some programs write the position before all throws of the line, others the position after them.
    let [last, first] = before;
    let others = || [first, &after].into_iter().any(|state| check_seen(engine, state, row).is_ok());
    check_seen(engine, last, row).or_else(|difference| if others() { Ok(()) } else { Err(difference) })?;
    // Some programs write the hand as it is after the pass, which is empty.
    if let Some(hand) = row.hand.as_ref().filter(|hand| !hand.is_empty() && sorted(hand) != sorted(given)) {
        return Err(Mismatch::new("hand", bracketed(hand), bracketed(given)));
    }
    if !(row.legal.is_empty() || row.legal == [PASS_WORD]) {
        return Err(Mismatch::new("legal", bracketed(&row.legal), bracketed(&[PASS_WORD])));
    }
    match row.played.as_deref() {
        None | Some(PASS_WORD | "") => Ok(after),
        Some(played) => Err(Mismatch::new("played", played, PASS_WORD)),
    }
}

/// Checks the line of a decision and plays its action.
fn decide(engine: &Engine, mut state: State, row: &ReadLine) -> Result<State, Mismatch> {
    let turn = engine.seat_name(state.turn);
    if row.turn.as_deref() != Some(turn) {
        return Err(Mismatch::new("turn", row.turn.as_deref().unwrap_or_default(), turn));
    }
    // Records of other programs may leave out which seat is asked, because the rules say it.
    let asked = engine.seat_name(state.decider());
    if let Some(recorded) = row.asked.as_deref().filter(|recorded| *recorded != asked) {
        return Err(Mismatch::new("asked", recorded, asked));
    }
    check_seen(engine, &state, row)?;
    if let Some(hand) = &row.hand {
        let given = engine.hand_texts(&state);
        if sorted(hand) != sorted(&given) {
            return Err(Mismatch::new("hand", bracketed(hand), bracketed(&given)));
        }
    }
    let legal = engine.listed_by(&row.legal, &engine.one_of_each(&state, &engine.legal(&state)));
    let texts: Vec<String> = legal.iter().map(|action| engine.action_text(&state, action)).collect();
    if sorted(&texts) != sorted(&row.legal) && !means_the_same(engine, &state, &legal, &row.legal) {
        return Err(Mismatch::new("legal", bracketed(&row.legal), bracketed(&texts)));
    }
    let played = row.played.as_deref().unwrap_or_default();
    let action = match texts.iter().position(|text| text == played) {
        Some(index) => legal[index],
        None => (engine.parse_action(&state, played)).map_err(|error| {
            let told = Mismatch::new("played", format!("`{played}`"), error.to_string());
            told.because(ReplayCause::Action(error))
        })?,
    };
    let result = engine.play(&mut state, &action, &mut Quiet);
    result.map_err(|refusal| Mismatch::new("played", played, refusal.to_string()))?;
    Ok(state)
}

/// Whether the texts name exactly the legal actions, even if another program writes these actions differently.
fn means_the_same(engine: &Engine, state: &State, legal: &[Action], texts: &[String]) -> bool {
    let mut open = legal.to_vec();
    let each = texts.iter().all(|text| match engine.meant(state, legal, text).as_deref() {
        Ok([action]) => {
            open.retain(|other| other != action);
            true
        }
        _ => false,
    });
    each && open.is_empty()
}

/// Compares the position and the counters of a line with a state. Counters that the rules do not declare are ignored.
fn check_seen(engine: &Engine, state: &State, row: &ReadLine) -> Result<(), Mismatch> {
    for (name, squares) in engine.position(state).iter() {
        let recorded = row.position.get(name);
        if recorded.is_none_or(|recorded| sorted(recorded) != sorted(squares)) {
            let recorded = recorded.map_or("nothing".to_string(), |squares| bracketed(squares));
            let recorded = format!("{name} {recorded}");
            return Err(Mismatch::new("position", recorded, format!("{name} {}", bracketed(squares))));
        }
    }
    for (seat, values) in row.state.iter() {
        for (name, recorded) in values.iter() {
            match engine.counter_value(state, seat, name) {
                Ok(given) if given.as_number() != recorded.as_number() => {
                    let what = format!("{seat} {name} ");
                    return Err(Mismatch::new("state", format!("{what}{recorded}"), format!("{what}{given}")));
                }
                _ => {}
            }
        }
    }
    let Some(recorded) = &row.marks else { return Ok(()) };
    let given = engine.marks_by_seat(state);
    let (recorded, given) = (listed(recorded), listed(&given));
    if recorded == given { Ok(()) } else { Err(Mismatch::new("marks", bracketed(&recorded), bracketed(&given))) }
}

/// Marks as texts of seat, mark and place: `north fresh 12`. The order of seats, marks and pawns makes no difference.
fn listed(marks: &ByName<Marked>) -> Vec<String> {
    let of_seat = |(seat, marked): (&str, &Marked)| {
        let texts = marked.iter().flat_map(|(mark, labels)| labels.iter().map(move |label| format!("{mark} {label}")));
        texts.map(|text| format!("{seat} {text}")).collect::<Vec<_>>()
    };
    let mut listed: Vec<String> = marks.iter().flat_map(of_seat).collect();
    listed.sort_unstable();
    listed
}

fn sorted(texts: &[String]) -> Vec<&str> {
    let mut sorted: Vec<&str> = texts.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted
}
