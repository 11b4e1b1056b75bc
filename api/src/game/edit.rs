//! A game while a command changes it: its next version, and the events of the command.

use std::sync::Arc;

use pagade_rules::play::{Engine, Seat, Throw};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use crate::error::{Code, Problem, detail};
use crate::game::cache::CachedGame;
use crate::game::event::{Event, NumberedEvent};
use crate::game::length;
use crate::game::play::Play;
use crate::game::ranking;
use crate::game::refused::RefusedStep;
use crate::game::setup::GameSeat;
use crate::game::stored::Game;
use crate::game::terms::{DiceHolder, Status};
use crate::game::view;
use crate::game::{GameId, entity};
use crate::ground::clock;
use crate::metrics::Metrics;
use crate::model::event_kind::EventKind;
use crate::model::game::{BriefGame, GameView};
use crate::store::{EntityChange, SharedText};

/// The milestones that a game passed during a command: creation, start, end.
#[derive(Debug, Clone)]
pub(crate) struct Milestones {
    rule_set: String,
    words: Vec<&'static str>,
    /// The new status, if a milestone was reached.
    pub status: Option<Status>,
    /// Whether webhooks have new events to deliver.
    pub notifies_webhooks: bool,
}

impl Milestones {
    /// Counts the milestones in the metrics. Called after the commit.
    pub(crate) fn count(&self, metrics: &Metrics) {
        self.words.iter().for_each(|word| metrics.count_game(&self.rule_set, word));
    }
}

/// Values of the game before the command.
#[derive(Debug, Clone, Copy)]
struct BeforeCommand {
    version: u64,
    status: Status,
    is_private: bool,
    steps: u64,
    deadline: Option<u64>,
}

/// A game that a command changes, until it is committed as its next version.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub id: GameId,
    /// The next version of the game.
    pub game: Game,
    /// The engine for the rules of the game.
    pub engine: Arc<Engine>,
    /// The state and its legal actions; `None` before the start.
    pub play: Option<Play>,
    /// The events of the command, so far.
    pub events: Vec<NumberedEvent>,
    /// The players who join or leave a seat by the command.
    pub moved: Vec<Uuid>,
    /// Whether the command changes who may watch.
    pub has_other_watchers: bool,
    /// The events of the command that were written as JSON so far. The store and the answer share this JSON.
    written: Vec<Box<RawValue>>,
    before: BeforeCommand,
    /// The time of the change, in milliseconds since 1970.
    now: u64,
}

impl Edit {
    /// Begins to change a new game, or a game that is replayed from its start.
    pub(crate) fn begin(id: GameId, game: Game, engine: Arc<Engine>) -> Self {
        Self::begin_at(id, game, engine, clock::milliseconds())
    }

    fn begin_at(id: GameId, mut game: Game, engine: Arc<Engine>, now: u64) -> Self {
        let Game { version, status, steps, deadline, .. } = game;
        let before = BeforeCommand { version, status, is_private: game.setup.private, steps, deadline };
        game.version += 1;
        let edit = Self {
            id,
            game,
            engine,
            play: None,
            events: Vec::new(),
            moved: Vec::new(),
            has_other_watchers: false,
            written: Vec::new(),
            before,
            now,
        };
        edit.at(now)
    }

    /// Begins to change a stored game. `now` is the time of the change, in milliseconds since 1970.
    pub(crate) fn of(cached: &CachedGame, now: u64) -> Self {
        let begun = Self::begin_at(cached.id, cached.game.clone(), Arc::clone(&cached.engine), now);
        Self { play: cached.play.clone(), ..begun }
    }

    /// Sets the time of the change, in milliseconds since 1970.
    #[must_use]
    pub(crate) fn at(mut self, now: u64) -> Self {
        self.now = now;
        self.game.updated_at = clock::at(now);
        self
    }

    /// Returns the time of the change, in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Returns the version of the game before the command.
    pub(crate) fn version_before(&self) -> u64 {
        self.before.version
    }

    /// Appends an event to the game.
    pub(crate) fn add(&mut self, event: Event) {
        self.game.events += 1;
        let (id, version, step) = (Some(self.game.events), self.game.version, self.game.steps);
        self.events.push(NumberedEvent { id, version, step, event });
    }

    /// Starts the game. The rules name the seat that begins, or the server's dice choose it.
    pub(crate) fn start(&mut self) {
        let first = self.game.setup.server_dice().first(&self.engine);
        self.start_with(first);
    }

    /// Starts the game. This seat has the first turn.
    pub(crate) fn start_with(&mut self, first: Seat) {
        self.play = Some(Play::opening(&self.engine, first));
        self.game.setup_mut().first = Some(self.engine.seat_name(first).to_owned());
        self.game.status = Status::Playing;
        self.finish_if_over();
        self.set_deadline();
        let mut started = Event::of_seat(EventKind::Started, first);
        if let Some(play) = &self.play {
            let more = started.more_mut();
            more.pawns = written(&view::pawns(&self.engine, play.state()));
            more.counters = written(&view::counters(&self.engine, play.state()));
            more.roll_off = self.game.setup.roll_off(&self.engine).map(ToOwned::to_owned);
        }
        self.add(started);
        self.conclude(&[]);
    }

    /// Lists the seats that have a rank, best first, each with its rank.
    pub(crate) fn ranked(&self) -> Vec<(u8, Seat)> {
        let ranked = |play: &Play| ranking::ranked(&self.engine, play.state(), &self.game.setup, self.game.status);
        self.play.as_ref().map(ranked).unwrap_or_default()
    }

    /// Tells whether a side of a game in play has won, and the others play on for the remaining ranks.
    pub(crate) fn is_won(&self) -> bool {
        self.game.status == Status::Playing && !self.ranked().is_empty()
    }

    /// Tells whether a seat of a game in play has its final rank already, so that it has no more turns.
    pub(crate) fn has_place(&self, name: &str) -> bool {
        let is_it = |seat: Seat| self.engine.seat_name(seat) == name;
        self.game.status == Status::Playing && self.ranked().iter().any(|(_, seat)| is_it(*seat))
    }

    /// Adds to the last event the decision that the game waits for, and the ranking if it differs from `ranked_before`.
    pub(crate) fn conclude(&mut self, ranked_before: &[(u8, Seat)]) {
        let next = written(&view::next(&self.game, &self.engine, self.play.as_ref()));
        let ranked = self.play.as_ref().filter(|_| self.ranked() != ranked_before);
        let ranking = ranked.and_then(|play| written(&view::ranking(&self.engine, play.state(), &self.game)));
        if let Some(last) = self.events.last_mut() {
            let more = last.event.more_mut();
            (more.next, more.ranking) = (next, ranking);
        }
    }

    /// Finds a seat in play by its name.
    ///
    /// # Errors
    /// No seat in play has this name.
    pub(crate) fn player(&self, name: &str) -> Result<Seat, Problem> {
        self.engine.player(name).map_err(|_| {
            let seats = self.game.setup.players();
            Problem::new(
                Code::RecordInvalid,
                detail!("no seat is named `{seat}`; the seats are {seats}", seat = name, seats),
            )
        })
    }

    /// Returns the state and the legal actions of a game in play.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub(crate) fn playing(&self) -> Result<&Play, Problem> {
        match (self.game.status, &self.play) {
            (Status::Playing, Some(play)) => Ok(play),
            (status, _) => Err(not_playing(status)),
        }
    }

    /// Returns the seat whose turn it is.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub(crate) fn turn(&self) -> Result<Seat, Problem> {
        self.playing().map(|play| play.state().turn)
    }

    /// Returns the name of the seat whose turn it is.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub(crate) fn turn_name(&self) -> Result<&str, Problem> {
        self.turn().map(|seat| self.engine.seat_name(seat))
    }

    /// Returns the seat that has to decide: the seat whose turn it is, or another one that a choice asks.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub(crate) fn decider(&self) -> Result<Seat, Problem> {
        self.playing().map(|play| play.state().decider())
    }

    /// Returns the name of the seat that has to decide.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub(crate) fn decider_name(&self) -> Result<&str, Problem> {
        self.decider().map(|seat| self.engine.seat_name(seat))
    }

    /// Reads a throw from text.
    ///
    /// # Errors
    /// The dice cannot show this throw. `pointer` is the JSON Pointer to the text in the request.
    pub(crate) fn read_throw(&self, text: &str, pointer: &str) -> Result<Throw, Problem> {
        self.engine.parse_throw(text).map_err(|error| RefusedStep::from(error).at(pointer))
    }

    /// Returns the next throw: that of the server's dice, or the throw that a player has sent.
    ///
    /// # Errors
    /// A throw was sent although the server throws, or is missing although the players throw; or the dice cannot show
    /// it.
    pub(crate) fn next_throw(&self, thrown: Option<&str>) -> Result<Throw, Problem> {
        match (self.game.setup.dice, thrown) {
            (DiceHolder::Server, None) => Ok(self.game.setup.server_dice().throw(&self.engine, self.game.throws + 1)),
            (DiceHolder::Server, Some(_)) => {
                let detail = detail!("`throw` was sent, but the server throws in this game");
                Err(Problem::new(Code::DiceHeldByServer, detail))
            }
            (DiceHolder::Players, Some(text)) => self.read_throw(text, "/throw"),
            (DiceHolder::Players, None) => {
                let detail = detail!("`throw` is missing: what did the dice show?");
                Err(Problem::new(Code::DiceHeldByPlayers, detail))
            }
        }
    }

    fn playing_mut(&mut self) -> Result<(&mut Play, &Engine), Problem> {
        match (self.game.status, &mut self.play) {
            (Status::Playing, Some(play)) => Ok((play, &self.engine)),
            (status, _) => Err(not_playing(status)),
        }
    }

    /// Plays a throw in the state, and adds its events.
    ///
    /// # Errors
    /// No throw is due, or the dice cannot show this throw.
    pub(crate) fn throw(&mut self, throw: &Throw) -> Result<(), Problem> {
        let ranked_before = self.ranked();
        let (play, engine) = self.playing_mut()?;
        let events = play.throw(engine, throw)?;
        self.end_step(events, &ranked_before);
        self.game.throws += 1;
        Ok(())
    }

    /// Plays an action, and adds its events.
    ///
    /// # Errors
    /// The action is malformed or not legal. `pointer` is the JSON Pointer to the action in the request.
    pub(crate) fn act(&mut self, text: &str, pointer: &str) -> Result<(), Problem> {
        let ranked_before = self.ranked();
        let (play, engine) = self.playing_mut()?;
        let events = play.play(engine, text).map_err(|refused| refused.at(pointer))?;
        self.end_step(events, &ranked_before);
        Ok(())
    }

    /// Plays the legal action with this index, and adds its events.
    ///
    /// # Errors
    /// No action is due, or there is no legal action with this index.
    pub(crate) fn act_nth(&mut self, index: usize) -> Result<(), Problem> {
        let ranked_before = self.ranked();
        let (play, engine) = self.playing_mut()?;
        let events = play.play_nth(engine, index)?;
        self.end_step(events, &ranked_before);
        Ok(())
    }

    /// Adds the events of a step, which is a throw or an action, and what follows from it. `ranked_before` are the
    /// seats that had a rank before the step.
    fn end_step(&mut self, events: Vec<Event>, ranked_before: &[(u8, Seat)]) {
        self.game.steps += 1;
        for event in events {
            self.add(event);
        }
        self.finish_if_over();
        self.set_deadline();
        self.conclude(ranked_before);
    }

    /// Ends the game if its rules have ended it. Some rule sets can end a game when the first turn begins.
    fn finish_if_over(&mut self) {
        if self.play.as_ref().is_some_and(Play::is_over) {
            self.game.status = Status::Finished;
        }
    }

    /// Returns a seat, to change it.
    ///
    /// # Errors
    /// No seat has this name.
    pub(crate) fn seat_mut(&mut self, name: &str) -> Result<&mut GameSeat, Problem> {
        let seats = self.game.setup.players();
        let seat = self.game.setup_mut().seats.iter_mut().find(|seat| seat.seat == name);
        seat.ok_or_else(|| {
            Problem::new(
                Code::SeatNotFound,
                detail!("no seat is named `{seat}`; the seats are {seats}", seat = name, seats),
            )
        })
    }

    /// Returns the view of the changed game.
    pub(crate) fn view(&self) -> GameView<'_> {
        view::game(self.id, &self.game, &self.engine, self.play.as_ref())
    }

    /// Returns the brief view of the changed game.
    pub(crate) fn brief(&self) -> BriefGame<'_> {
        view::brief(self.id, &self.game, &self.engine, self.play.as_ref(), self.now)
    }

    /// Returns the milestones among the events of the command.
    pub(crate) fn milestones(&self) -> Milestones {
        let words: Vec<_> = self.events.iter().filter_map(|numbered| numbered.event.kind.milestone()).collect();
        Milestones {
            notifies_webhooks: !self.game.setup.webhooks.is_empty() && !self.events.is_empty(),
            rule_set: if words.is_empty() { String::new() } else { self.game.setup.rule_set_label() },
            status: (!words.is_empty()).then_some(self.game.status),
            words,
        }
    }

    /// Checks that an imported game does not have too many events.
    ///
    /// # Errors
    /// 409 if it has too many events.
    pub(crate) fn check_length(&self) -> Result<(), Problem> {
        length::check_import(self.game.events)
    }

    /// Writes the new events as JSON. Each event is written only once.
    ///
    /// # Errors
    /// An event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn write_events(&mut self) -> Result<(), Problem> {
        for event in &self.events[self.written.len()..] {
            self.written.push(event.write(&self.engine, &self.game.updated_at)?);
        }
        Ok(())
    }

    /// Returns the events that were written as JSON so far.
    pub(crate) fn written(&self) -> &[Box<RawValue>] {
        &self.written
    }

    /// Makes the change to commit, and the cache entry to add after the commit.
    ///
    /// # Errors
    /// The game would have too many events.
    pub(crate) fn into_change(mut self, rule_text: Option<SharedText>) -> Result<(EntityChange, CachedGame), Problem> {
        length::check(self.game.events, self.game.steps > self.before.steps)?;
        if self.game.status == Status::Finished {
            self.forget_addresses();
        }
        self.write_events()?;
        let mut game = self.game;
        game.state = self.play.as_ref().map(|play| play.encode(&self.engine));
        let events = self.written.into_iter().map(|event| Box::<str>::from(event).into_string().into_bytes());
        let snapshot = game.write()?;
        let decision = game.deadline.filter(|at| self.before.deadline.is_none_or(|before| *at < before));
        let starts = self.before.status != Status::Playing && game.status == Status::Playing;
        let absence = game.setup.stand_in.filter(|_| starts).map(|stand_in| self.now + stand_in.after);
        let is_listed_anew = self.before.status != game.status || self.before.is_private != game.setup.private;
        let is_named_anew = !self.moved.is_empty() || self.has_other_watchers;
        let needs_tags = self.before.version == 0 || is_listed_anew || is_named_anew;
        let change = EntityChange {
            id: entity(self.id),
            expected: self.before.version,
            snapshot: snapshot.clone(),
            changed_at: self.now,
            is_closed: game.status == Status::Finished,
            tags: needs_tags.then(|| game.tags()),
            events: events.collect(),
            text: rule_text,
            // The earlier deadline of the two. A worker that comes at this time sets the deadline again for what is not
            // due yet.
            deadline: decision.into_iter().chain(absence).min(),
        };
        Ok((change, CachedGame::new(self.id, game, self.engine, self.play, snapshot)))
    }
}

/// Writes a part of a view as JSON. The result is never `None`, because names, words and numbers can always be written.
fn written(part: &impl Serialize) -> Option<Box<RawValue>> {
    to_raw_value(part).ok()
}

fn not_playing(status: Status) -> Problem {
    match status {
        Status::Finished => Problem::new(Code::GameOver, "the game is over"),
        Status::Open | Status::Playing => Problem::new(Code::GameNotStarted, "the owner has not started the game"),
    }
}
