//! A game while a command changes it: what it becomes, and what happened on the way.

use std::sync::Arc;

use pagade_rules::play::{Engine, Seat, State};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Code, Problem, internal};
use crate::game::cache::Known;
use crate::game::engine;
use crate::game::engine::{Refused, Told};
use crate::game::stored::Game;
use crate::game::{GameId, entity};
use crate::ground::clock;
use crate::metrics::Metrics;
use crate::model::event::EventView;
use crate::model::game::{DiceHolder, GameStatus};
use crate::store::{Change, EntityChange, SharedText};

/// What a game becomes.
#[derive(Debug, Clone)]
pub struct Milestones {
    rule_set: String,
    became: Vec<&'static str>,
    /// The status that the game comes to.
    pub status: Option<GameStatus>,
    /// Webhooks are to be told.
    pub is_told: bool,
}

impl Milestones {
    /// Counts it, once it is committed.
    pub fn count(&self, metrics: &Metrics) {
        self.became.iter().for_each(|became| metrics.became(&self.rule_set, became));
    }
}

/// What a game was.
#[derive(Debug, Clone, Copy)]
struct Before {
    version: u64,
    status: GameStatus,
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
    /// Its state, once it was started.
    pub state: Option<State>,
    /// What happened.
    pub events: Vec<EventView>,
    /// Of these as many as were written, on the wire.
    pub written: Vec<Box<RawValue>>,
    before: Before,
    /// When it is, in milliseconds since 1970.
    now: u64,
}

impl Edit {
    /// Begins with a game before its start.
    pub fn begin(id: GameId, mut game: Game, rules: Arc<Engine>) -> Self {
        let Game { version, status, steps, deadline, .. } = game;
        let before = Before { version, status, steps, deadline };
        game.version += 1;
        let edit = Self { id, game, rules, state: None, events: Vec::new(), written: Vec::new(), before, now: 0 };
        edit.at(clock::milliseconds())
    }

    /// Begins to change a game.
    pub fn of(known: &Known) -> Self {
        let begun = Self::begin(known.id, known.game.clone(), Arc::clone(&known.rules));
        Self { state: known.state, ..begun }
    }

    /// With the time by another clock, in milliseconds since 1970.
    #[must_use]
    pub fn at(mut self, now: u64) -> Self {
        self.now = now;
        self.game.updated_at = clock::at(now);
        self
    }

    /// Notes that something happened; number, time, version and step are filled in.
    pub fn tell(&mut self, event: EventView) {
        self.game.events += 1;
        self.events.push(EventView {
            id: self.game.events,
            at: self.game.updated_at.clone(),
            version: self.game.version,
            step: self.game.steps,
            ..event
        });
    }

    /// Starts the game.
    pub fn start(&mut self) {
        let first = self.game.setup.server_dice().first(&self.rules);
        let name = self.rules.seat_name(first).to_owned();
        self.open(&name, first);
    }

    fn open(&mut self, name: &str, first: Seat) {
        self.state = Some(self.rules.opening(first));
        self.game.setup_mut().first = Some(name.to_owned());
        self.game.status = GameStatus::Playing;
        self.set_deadline();
        self.tell(EventView { event: "started".to_owned(), seat: Some(name.to_owned()), ..EventView::default() });
    }

    /// Starts the game with this seat to move.
    ///
    /// # Errors
    /// No such seat plays.
    pub fn start_with(&mut self, seat: &str) -> Result<(), Problem> {
        let first = self.rules.player(seat).map_err(|error| Problem::new(Code::RecordInvalid, error.to_string()))?;
        self.open(seat, first);
        Ok(())
    }

    /// The state, where the game is being played.
    ///
    /// # Errors
    /// 409 before the start and after the end.
    pub fn playing(&mut self) -> Result<&mut State, Problem> {
        match (self.game.status, &mut self.state) {
            (GameStatus::Playing, Some(state)) => Ok(state),
            (status, _) => Err(not_playing(status)),
        }
    }

    /// The seat to move.
    ///
    /// # Errors
    /// As [`Edit::playing`].
    pub fn turn(&self) -> Result<Seat, Problem> {
        match (self.game.status, &self.state) {
            (GameStatus::Playing, Some(state)) => Ok(state.turn),
            (status, _) => Err(not_playing(status)),
        }
    }

    /// Its name.
    ///
    /// # Errors
    /// As [`Edit::playing`].
    pub fn turn_name(&self) -> Result<&str, Problem> {
        self.turn().map(|seat| self.rules.seat_name(seat))
    }

    /// Throws: the server's dice, or what the players threw.
    ///
    /// # Errors
    /// No throw is due, or the wrong one holds the dice, or no dice fall like that.
    pub fn throw(&mut self, thrown: Option<&str>) -> Result<(), Problem> {
        self.playing()?;
        let throw = match (self.game.setup.dice, thrown) {
            (DiceHolder::Server, None) => self.game.setup.server_dice().throw(&self.rules, self.game.throws + 1),
            (DiceHolder::Server, Some(_)) => {
                return Err(Problem::new(
                    Code::DiceHeldByServer,
                    "`throw` was sent, but the server throws in this game",
                ));
            }
            (DiceHolder::Players, Some(text)) => engine::read_throw(&self.rules, text, "/throw")?,
            (DiceHolder::Players, None) => {
                return Err(Problem::new(Code::DiceHeldByPlayers, "`throw` is missing: what did the dice show?"));
            }
        };
        let text = self.rules.throw_text(&throw);
        self.throw_this(&text)
    }

    /// Throws this, whoever holds the dice.
    ///
    /// # Errors
    /// No throw is due, or no dice fall like that.
    pub fn throw_this(&mut self, text: &str) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let told = engine::throw(&rules, self.playing()?, text).map_err(Problem::from)?;
        self.game.throws += 1;
        self.take(told);
        Ok(())
    }

    /// Plays an action.
    ///
    /// # Errors
    /// It cannot be read, or is not legal now; `pointer` names it.
    pub fn play(&mut self, text: &str, pointer: &str) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let told = engine::play(&rules, self.playing()?, text).map_err(|refused: Refused| refused.at(pointer))?;
        self.take(told);
        Ok(())
    }

    fn take(&mut self, told: Vec<Told>) {
        self.game.steps += 1;
        for happened in told {
            self.tell(happened);
        }
        if self.state.as_ref().is_some_and(engine::is_over) {
            self.game.status = GameStatus::Finished;
        }
        self.set_deadline();
    }

    /// The next decision has its time from now on.
    fn set_deadline(&mut self) {
        let is_awaited = self.game.status == GameStatus::Playing && !self.is_nearly_full();
        let timer = self.game.setup.timer.filter(|_| is_awaited);
        self.game.deadline = timer.map(|timer| self.now + timer.milliseconds());
    }

    /// What the game becomes by this, for whoever counts games.
    pub fn milestones(&self) -> Milestones {
        let told = |wanted: &str| self.events.iter().any(|event| event.event == wanted);
        let became = [("created", "created"), ("started", "started"), ("game_over", "finished")];
        let became: Vec<_> = became.into_iter().filter(|(event, _)| told(event)).map(|(_, became)| became).collect();
        Milestones {
            is_told: !self.game.setup.webhooks.is_empty() && !self.events.is_empty(),
            rule_set: if became.is_empty() { String::new() } else { self.game.setup.known_rule_set() },
            status: (!became.is_empty()).then_some(self.game.status),
            became,
        }
    }

    /// Something was thrown or played.
    pub fn has_played(&self) -> bool {
        self.game.steps > self.before.steps
    }

    /// Writes the events that are not yet: for the answer and for the store once.
    ///
    /// # Errors
    /// They cannot be written, which their type rules out.
    pub fn write_events(&mut self) -> Result<(), Problem> {
        for event in &self.events[self.written.len()..] {
            self.written.push(to_raw_value(event).map_err(internal)?);
        }
        Ok(())
    }

    /// What the store is to do, and the game as it is known when that is done.
    ///
    /// # Errors
    /// The game would have too many events.
    pub fn into_change(mut self, rules: Option<SharedText>) -> Result<(Change, Known), Problem> {
        self.check_length()?;
        self.write_events()?;
        let mut game = self.game;
        game.state = self.state.as_ref().map(|state| engine::encode(&self.rules, state));
        let events = self.written.into_iter().map(|event| Box::<str>::from(event).into_string().into_bytes());
        let snapshot = game.write()?;
        let change = Change::Entity(EntityChange {
            id: entity(self.id),
            expected: self.before.version,
            snapshot: snapshot.clone(),
            changed_at: self.now,
            is_closed: game.status == GameStatus::Finished,
            tags: (self.before.version == 0 || self.before.status != game.status).then(|| game.tags()),
            events: events.collect(),
            text: rules,
            deadline: if self.before.deadline.is_none() { game.deadline } else { None },
        });
        Ok((change, Known::new(self.id, game, self.rules, self.state, snapshot)))
    }
}

fn not_playing(status: GameStatus) -> Problem {
    match status {
        GameStatus::Finished => Problem::new(Code::GameOver, "the last place is decided"),
        GameStatus::Open | GameStatus::Playing => {
            Problem::new(Code::GameNotStarted, "the owner has not started the game")
        }
    }
}
