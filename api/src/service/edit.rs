//! A game while a command changes it: what it becomes, and what happened on the way.

use std::sync::Arc;

use pagade_rules::play::State;
use pagade_rules::tables::Rules;

use super::engine::{self, Refused, Told};
use super::game::Game;
use super::known::Known;
use crate::conventions::clock;
use crate::error::{Code, Problem, internal};
use crate::metrics::Metrics;
use crate::model::event::EventView;
use crate::model::game::{DiceHolder, GameStatus};
use crate::store::{Change, GameChange, GameId, RuleText};

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

/// A game on its way to its next version.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Which game.
    pub id: GameId,
    /// The game as it becomes.
    pub game: Game,
    /// Its rules.
    pub rules: Arc<Rules>,
    /// Its state, once it was started.
    pub state: Option<State>,
    /// Steps taken by this command.
    pub steps: Vec<String>,
    /// What happened.
    pub events: Vec<EventView>,
    expected: u64,
    /// The deadline before.
    deadline: Option<u64>,
    /// When it is, in milliseconds since 1970.
    now: u64,
}

impl Edit {
    /// Begins with a game before its start.
    pub fn begin(id: GameId, mut game: Game, rules: Arc<Rules>) -> Self {
        let (expected, deadline) = (game.version, game.deadline);
        game.version += 1;
        let (steps, events) = (Vec::new(), Vec::new());
        let edit = Self { id, game, rules, state: None, steps, events, expected, deadline, now: 0 };
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
        let first = self.game.server_dice().first(&self.rules);
        let name = self.rules.seat_name(first).to_owned();
        self.open(&name, first);
    }

    fn open(&mut self, name: &str, first: pagade_rules::play::Seat) {
        self.state = Some(self.rules.opening(first));
        self.game.first = Some(name.to_owned());
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
            (GameStatus::Finished, _) => Err(Problem::new(Code::GameOver, "the last place is decided")),
            _ => Err(Problem::new(Code::GameNotStarted, "the owner has not started the game")),
        }
    }

    /// The seat to move.
    ///
    /// # Errors
    /// As [`Edit::playing`].
    pub fn turn(&mut self) -> Result<String, Problem> {
        let turn = self.playing()?.turn;
        Ok(self.rules.seat_name(turn).to_owned())
    }

    /// Throws: the server's dice, or what the players threw.
    ///
    /// # Errors
    /// No throw is due, or the wrong one holds the dice, or no dice fall like that.
    pub fn throw(&mut self, thrown: Option<&str>) -> Result<(), Problem> {
        self.playing()?;
        let throw = match (self.game.dice, thrown) {
            (DiceHolder::Server, None) => self.game.server_dice().throw(&self.rules, self.game.throws + 1),
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
        self.take(format!("throw {text}"), told);
        Ok(())
    }

    /// Plays an action.
    ///
    /// # Errors
    /// It cannot be read, or is not legal now; `pointer` names it.
    pub fn play(&mut self, text: &str, pointer: &str) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let (text, told) =
            engine::play(&rules, self.playing()?, text).map_err(|refused: Refused| refused.at(pointer))?;
        self.take(format!("play {text}"), told);
        Ok(())
    }

    fn take(&mut self, step: String, told: Vec<Told>) {
        self.steps.push(step);
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
        let timer = self.game.timer.filter(|_| self.game.status == GameStatus::Playing);
        self.game.deadline = timer.map(|timer| self.now + timer.milliseconds());
    }

    /// What the game becomes by this, for whoever counts games.
    pub fn milestones(&self) -> Milestones {
        let told = |wanted: &str| self.events.iter().any(|event| event.event == wanted);
        let became = [("created", "created"), ("started", "started"), ("game_over", "finished")];
        let became: Vec<_> = became.into_iter().filter(|(event, _)| told(event)).map(|(_, became)| became).collect();
        Milestones {
            is_told: !self.game.webhooks.is_empty() && !self.events.is_empty(),
            rule_set: self.game.known_rule_set(),
            status: (!became.is_empty()).then_some(self.game.status),
            became,
        }
    }

    /// What the store is to do, and the game as it is known when that is done.
    ///
    /// # Errors
    /// The game cannot be written, which its type rules out.
    pub fn into_change(self, rules: Option<RuleText>) -> Result<(Change, Known), Problem> {
        let mut game = self.game;
        game.state = self.state.as_ref().map(|state| engine::encode(&self.rules, state));
        let deadline = game.deadline;
        let events = self.events.iter().map(serde_json::to_vec).collect::<Result<_, _>>().map_err(internal)?;
        let snapshot = game.write()?;
        let change = Change::Game(GameChange {
            id: self.id,
            expected: self.expected,
            snapshot: snapshot.clone(),
            tags: game.tags(),
            steps: self.steps.into_iter().map(String::into_bytes).collect(),
            events,
            rules,
            look: if self.deadline.is_none() { deadline } else { None },
        });
        Ok((change, Known::new(self.id, game, self.rules, self.state, snapshot)))
    }
}
