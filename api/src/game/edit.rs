//! A game while a command changes it: what it becomes, and what happened on the way.

use std::sync::Arc;

use pagade_rules::play::{Engine, Seat, Throw};
use serde_json::value::RawValue;

use crate::error::{Code, Problem};
use crate::game::cache::CachedGame;
use crate::game::event::{Event, EventKind, NumberedEvent};
use crate::game::length;
use crate::game::play::Play;
use crate::game::refused::Refused;
use crate::game::setup::SeatRecord;
use crate::game::stored::Game;
use crate::game::terms::{DiceHolder, Status};
use crate::game::view;
use crate::game::{GameId, entity};
use crate::ground::clock;
use crate::metrics::Metrics;
use crate::model::game::GameView;
use crate::store::{Change, EntityChange, SharedText};

/// What a game becomes by a command.
#[derive(Debug, Clone)]
pub struct Milestones {
    rule_set: String,
    words: Vec<&'static str>,
    /// The status that the game comes to, where that is new.
    pub status: Option<Status>,
    /// Webhooks have events to deliver.
    pub notifies_webhooks: bool,
}

impl Milestones {
    /// Counts them, once they are committed.
    pub fn count(&self, metrics: &Metrics) {
        self.words.iter().for_each(|word| metrics.count_game(&self.rule_set, word));
    }
}

/// The game before the command.
#[derive(Debug, Clone, Copy)]
struct Before {
    version: u64,
    status: Status,
    steps: u64,
    deadline: Option<u64>,
}

/// A game on its way to its next version.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Which game.
    pub id: GameId,
    /// The game as it becomes.
    pub game: Game,
    /// Its rules.
    pub rules: Arc<Engine>,
    /// Its state and legal actions, once it was started.
    pub play: Option<Play>,
    /// What happened.
    pub events: Vec<NumberedEvent>,
    /// The first of the events, as they are stored and answered.
    written: Vec<Box<RawValue>>,
    before: Before,
    /// The time, in milliseconds since 1970.
    now: u64,
}

impl Edit {
    /// Begins with a game before its first version, or one that is replayed.
    pub fn begin(id: GameId, mut game: Game, rules: Arc<Engine>) -> Self {
        let Game { version, status, steps, deadline, .. } = game;
        let before = Before { version, status, steps, deadline };
        game.version += 1;
        let edit = Self { id, game, rules, play: None, events: Vec::new(), written: Vec::new(), before, now: 0 };
        edit.at(clock::milliseconds())
    }

    /// Begins to change a game.
    pub fn of(cached: &CachedGame) -> Self {
        let begun = Self::begin(cached.id, cached.game.clone(), Arc::clone(&cached.rules));
        Self { play: cached.play.clone(), ..begun }
    }

    /// Takes the time from another clock, in milliseconds since 1970.
    #[must_use]
    pub fn at(mut self, now: u64) -> Self {
        self.now = now;
        self.game.updated_at = clock::at(now);
        self
    }

    /// The version that the command found.
    pub fn version_before(&self) -> u64 {
        self.before.version
    }

    /// Adds an event to the list of the game.
    pub fn add(&mut self, event: Event) {
        self.game.events += 1;
        let (id, version, step) = (self.game.events, self.game.version, self.game.steps);
        self.events.push(NumberedEvent { id, version, step, event });
    }

    /// Starts the game; the dice say who begins.
    pub fn start(&mut self) {
        let first = self.game.setup.server_dice().first(&self.rules);
        self.start_with(first);
    }

    /// Starts the game with this seat to move.
    pub fn start_with(&mut self, first: Seat) {
        self.play = Some(Play::opening(&self.rules, first));
        self.game.setup_mut().first = Some(self.rules.seat_name(first).to_owned());
        self.game.status = Status::Playing;
        self.set_deadline();
        self.add(Event::of_seat(EventKind::Started, first));
    }

    /// The seat of a name, among those that play.
    ///
    /// # Errors
    /// No such seat plays.
    pub fn player(&self, name: &str) -> Result<Seat, Problem> {
        self.rules.player(name).map_err(|error| Problem::new(Code::RecordInvalid, error.to_string()))
    }

    /// The game in play.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub fn playing(&self) -> Result<&Play, Problem> {
        match (self.game.status, &self.play) {
            (Status::Playing, Some(play)) => Ok(play),
            (status, _) => Err(not_playing(status)),
        }
    }

    /// The seat to move.
    ///
    /// # Errors
    /// As [`Edit::playing`].
    pub fn turn(&self) -> Result<Seat, Problem> {
        self.playing().map(|play| play.state().turn)
    }

    /// Its name.
    ///
    /// # Errors
    /// As [`Edit::playing`].
    pub fn turn_name(&self) -> Result<&str, Problem> {
        self.turn().map(|seat| self.rules.seat_name(seat))
    }

    /// Reads a throw.
    ///
    /// # Errors
    /// No dice fall like that; `pointer` names the text.
    pub fn read_throw(&self, text: &str, pointer: &str) -> Result<Throw, Problem> {
        self.rules.parse_throw(text).map_err(|error| Refused::from(error).at(pointer))
    }

    /// What is thrown next: by the server's dice, or as the players say.
    ///
    /// # Errors
    /// The wrong one holds the dice, or no dice fall like that.
    pub fn next_throw(&self, thrown: Option<&str>) -> Result<Throw, Problem> {
        match (self.game.setup.dice, thrown) {
            (DiceHolder::Server, None) => Ok(self.game.setup.server_dice().throw(&self.rules, self.game.throws + 1)),
            (DiceHolder::Server, Some(_)) => {
                let detail = "`throw` was sent, but the server throws in this game";
                Err(Problem::new(Code::DiceHeldByServer, detail))
            }
            (DiceHolder::Players, Some(text)) => self.read_throw(text, "/throw"),
            (DiceHolder::Players, None) => {
                let detail = "`throw` is missing: what did the dice show?";
                Err(Problem::new(Code::DiceHeldByPlayers, detail))
            }
        }
    }

    /// Throws.
    ///
    /// # Errors
    /// No throw is due, or no dice fall like that.
    pub fn throw(&mut self, throw: &Throw) -> Result<(), Problem> {
        self.playing()?;
        let Self { play: Some(play), rules, .. } = self else { return Err(not_playing(self.game.status)) };
        let events = play.throw(rules, throw)?;
        self.game.throws += 1;
        self.take(events);
        Ok(())
    }

    /// Plays an action.
    ///
    /// # Errors
    /// It cannot be read, or is not legal now; `pointer` names it.
    pub fn act(&mut self, text: &str, pointer: &str) -> Result<(), Problem> {
        self.playing()?;
        let Self { play: Some(play), rules, .. } = self else { return Err(not_playing(self.game.status)) };
        let events = play.play(rules, text).map_err(|refused| refused.at(pointer))?;
        self.take(events);
        Ok(())
    }

    fn take(&mut self, events: Vec<Event>) {
        self.game.steps += 1;
        for event in events {
            self.add(event);
        }
        if self.play.as_ref().is_some_and(Play::is_over) {
            self.game.status = Status::Finished;
        }
        self.set_deadline();
    }

    /// The next decision has its time from now on.
    fn set_deadline(&mut self) {
        let is_awaited = self.game.status == Status::Playing && !length::is_nearly_full(self.game.events);
        let timer = self.game.setup.timer.filter(|_| is_awaited);
        self.game.deadline = timer.map(|timer| self.now + timer.milliseconds());
    }

    /// The record of a seat, to be changed.
    ///
    /// # Errors
    /// No seat has this name.
    pub fn seat_mut(&mut self, name: &str) -> Result<&mut SeatRecord, Problem> {
        let names = self.game.setup.players().join(", ");
        let seat = self.game.setup_mut().seats.iter_mut().find(|seat| seat.seat == name);
        seat.ok_or_else(|| {
            Problem::new(Code::SeatNotFound, format!("no seat is named `{name}`; the seats are {names}"))
        })
    }

    /// The game as it becomes, on the wire.
    pub fn view(&self) -> GameView<'_> {
        view::game(self.id, &self.game, &self.rules, self.play.as_ref())
    }

    /// What the game becomes by the events.
    pub fn milestones(&self) -> Milestones {
        let words: Vec<_> = self.events.iter().filter_map(|numbered| numbered.event.kind.milestone()).collect();
        Milestones {
            notifies_webhooks: !self.game.setup.webhooks.is_empty() && !self.events.is_empty(),
            rule_set: if words.is_empty() { String::new() } else { self.game.setup.known_rule_set() },
            status: (!words.is_empty()).then_some(self.game.status),
            words,
        }
    }

    /// The game may have as many events as it has by now.
    ///
    /// # Errors
    /// 409 where it may not.
    pub fn check_length(&self) -> Result<(), Problem> {
        length::check(self.game.events, self.game.steps > self.before.steps)
    }

    /// Writes the events that are not written yet: each once, for the answer and for the store.
    ///
    /// # Errors
    /// They cannot be written, which their type rules out.
    pub fn write_events(&mut self) -> Result<(), Problem> {
        for event in &self.events[self.written.len()..] {
            self.written.push(event.write(&self.rules, &self.game.updated_at)?);
        }
        Ok(())
    }

    /// The events that are written.
    pub fn written(&self) -> &[Box<RawValue>] {
        &self.written
    }

    /// The commit, and the game as the cache keeps it when that is done.
    ///
    /// # Errors
    /// The game would have too many events.
    pub fn into_change(mut self, rules: Option<SharedText>) -> Result<(Change, CachedGame), Problem> {
        self.check_length()?;
        self.write_events()?;
        let mut game = self.game;
        game.state = self.play.as_ref().map(|play| play.encode(&self.rules));
        let events = self.written.into_iter().map(|event| Box::<str>::from(event).into_string().into_bytes());
        let snapshot = game.write()?;
        let change = Change::Entity(EntityChange {
            id: entity(self.id),
            expected: self.before.version,
            snapshot: snapshot.clone(),
            changed_at: self.now,
            is_closed: game.status == Status::Finished,
            tags: (self.before.version == 0 || self.before.status != game.status).then(|| game.tags()),
            events: events.collect(),
            text: rules,
            deadline: if self.before.deadline.is_none() { game.deadline } else { None },
        });
        Ok((change, CachedGame::new(self.id, game, self.rules, self.play, snapshot)))
    }
}

fn not_playing(status: Status) -> Problem {
    match status {
        Status::Finished => Problem::new(Code::GameOver, "the last place is decided"),
        Status::Open | Status::Playing => Problem::new(Code::GameNotStarted, "the owner has not started the game"),
    }
}
