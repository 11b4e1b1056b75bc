//! Plays a game and writes its record.

use std::ops::ControlFlow;

use super::line::{Header, RecordLine};
use crate::notation::ActionError;
use crate::option_value::OptionValue;
use crate::play::watch::{Happening, HappeningKind, Watch};
use crate::play::{Action, Engine, Phase, Quiet, Refusal, State, Throw};
use crate::tables::{LineId, PASS_WORD};
use crate::units::Seat;

/// A game that is played and recorded.
#[derive(Debug)]
pub struct Recorder<'r> {
    engine: &'r Engine,
    state: State,
    game: u64,
    ply: u64,
    /// The throws that the next line of the record lists.
    throws: Vec<Throw>,
    /// Whether a line was written since the last throw. If so, and if the hand is empty, the next throw begins a new
    /// list of throws.
    told: bool,
    /// The events since the last line was written.
    events: Vec<HappeningKind>,
}

/// Collects events, and also passes them on to another watcher.
struct Both<'w> {
    events: &'w mut Vec<HappeningKind>,
    watch: &'w mut dyn Watch,
}

impl Watch for Both<'_> {
    fn event(&mut self, happening: Happening) {
        self.events.push(happening.kind);
        self.watch.event(happening);
    }

    fn fired(&mut self, line: LineId) {
        self.watch.fired(line);
    }
}

impl<'r> Recorder<'r> {
    /// Begins a new game. `game` is its number in the record, `first` the seat that begins.
    #[must_use]
    pub fn new(engine: &'r Engine, game: u64, first: Seat) -> Self {
        Recorder::from(engine, game, engine.opening(first))
    }

    /// Begins the record of a game at `state`, which must be the beginning of a turn.
    #[must_use]
    pub fn from(engine: &'r Engine, game: u64, state: State) -> Self {
        Recorder { engine, state, game, ply: 0, throws: Vec::new(), told: true, events: Vec::new() }
    }

    /// The engine by whose rules the game is played.
    #[must_use]
    pub fn rules(&self) -> &'r Engine {
        self.engine
    }

    /// The present state of the game.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The header of the record, which stands before the lines of the game.
    #[must_use]
    pub fn header(&self, seed: Option<String>) -> Header {
        let engine = self.engine;
        let options = engine.identity.options.iter().map(|(name, value)| (name.clone(), option_value(value)));
        Header {
            game: self.game,
            ruleset: engine.identity.id.clone(),
            version: engine.identity.version.clone(),
            digest: engine.identity.digest.clone(),
            players: engine.seating.players.iter().map(|&seat| engine.seat_name(seat).to_string()).collect(),
            options: options.collect(),
            seed,
        }
    }

    /// Plays a throw. If the throw leads to no decision, returns the line of the pass.
    ///
    /// # Errors
    /// No throw is due.
    pub fn throw(&mut self, throw: &Throw, watch: &mut dyn Watch) -> Result<Option<RecordLine>, Refusal> {
        let before = self.state;
        let mut events = std::mem::take(&mut self.events);
        let count_before = events.len();
        let result = self.engine.throw(&mut self.state, throw, &mut Both { events: &mut events, watch });
        self.events = events;
        result?;
        if before.thrown == 0 || self.told && before.hand.throws == 0 {
            self.throws.clear();
        }
        self.told = false;
        self.throws.push(*throw);
        if !is_passed_by(&self.state, &self.events[count_before..]) {
            return Ok(None);
        }
        let mut line = self.line(&before);
        line.hand = Some(hand_passed(self.engine, &before, throw, &self.events[count_before..]));
        line.legal = vec![PASS_WORD.to_string()];
        line.played = PASS_WORD.to_string();
        Ok(Some(self.finish(line)))
    }

    /// Plays a legal action and returns the line that records it.
    ///
    /// # Errors
    /// The action is not legal.
    pub fn play(&mut self, action: &Action, watch: &mut dyn Watch) -> Result<RecordLine, Refusal> {
        let mut line = self.line(&self.state);
        line.legal = self.engine.legal_texts(&self.state);
        line.played = self.engine.action_text(&self.state, action);
        let mut events = std::mem::take(&mut self.events);
        let result = self.engine.play(&mut self.state, action, &mut Both { events: &mut events, watch });
        self.events = events;
        result?;
        Ok(self.finish(line))
    }

    /// Plays an action that is written as text.
    ///
    /// # Errors
    /// The text is no legal action.
    pub fn play_text(&mut self, text: &str, watch: &mut dyn Watch) -> Result<RecordLine, ActionError> {
        let action = self.engine.parse_action(&self.state, text)?;
        Ok(self.play(&action, watch).expect("a parsed action is one of the legal ones"))
    }

    /// Begins the line for a decision in the state `seen`. The caller adds the action and its events.
    fn line(&self, seen: &State) -> RecordLine {
        let throws: Vec<String> = self.throws.iter().map(|throw| self.engine.throw_text(throw)).collect();
        // The line of a choice before the first throw of a turn names no throw.
        let throw = if seen.phase == Phase::Choose { String::new() } else { throws.join(" ") };
        let counters = self.engine.counters_shown(seen).into_iter();
        RecordLine {
            game: self.game,
            ply: self.ply,
            turn: self.engine.seat_name(seen.turn).to_string(),
            asked: seen.asked.map(|seat| self.engine.seat_name(seat).to_string()),
            position: self.engine.position(seen),
            state: counters.map(|(whose, values)| (whose, values.into_iter().collect())).collect(),
            marks: self.engine.shows_marks().then(|| self.engine.marks_by_seat(seen)),
            throw,
            hand: Some(self.engine.hand_texts(seen)),
            legal: Vec::new(),
            played: String::new(),
            events: Vec::new(),
        }
    }

    fn finish(&mut self, mut line: RecordLine) -> RecordLine {
        let events = self.events.drain(..).filter(|&kind| kind != HappeningKind::Thrown);
        line.events = events.map(|kind| kind.word().to_string()).collect();
        self.ply += 1;
        self.told = true;
        line
    }
}

/// Whether a throw has ended in a pass: no decision is due after it, and it was not banked for later in the turn.
pub(crate) fn is_passed_by(state: &State, events: &[HappeningKind]) -> bool {
    let over = [HappeningKind::Passed, HappeningKind::Turn, HappeningKind::GameOver];
    !matches!(state.phase, Phase::Move | Phase::Declare) && events.iter().any(|kind| over.contains(kind))
}

/// The hand that the line of a pass shows: the banked numbers and the numbers of the throw, without those that a rule
/// dropped. Empty if the throw ended the turn without a pass.
pub(crate) fn hand_passed(engine: &Engine, before: &State, throw: &Throw, events: &[HappeningKind]) -> Vec<String> {
    if !events.contains(&HappeningKind::Passed) {
        return Vec::new();
    }
    let mut thrown = *before;
    // `Break` needs no handling: a game that ends with the throw has no pass.
    let _: ControlFlow<()> = engine.take_up(&mut thrown, throw, &mut Quiet);
    // The line has the bonuses from before the throw, not those that the throw grants. Records that were written
    // earlier have the same.
    (thrown.hand.bonuses, thrown.hand.granted) = (before.hand.bonuses, before.hand.granted);
    engine.hand_texts(&thrown)
}

/// Converts the value of an option to JSON.
fn option_value(value: &OptionValue) -> serde_json::Value {
    match value {
        OptionValue::Truth(truth) => (*truth).into(),
        OptionValue::Number(number) => (*number).into(),
        OptionValue::Word(word) => word.as_str().into(),
    }
}
