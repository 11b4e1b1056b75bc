//! The state of a game, and its legal actions. The legal actions of a state are searched only once.

use std::sync::{Arc, OnceLock};

use pagade_rules::play::{Action, Actions, Engine, Phase, Refusal, Seat, State, StepReport, Throw};

use crate::error::{Code, Problem, internal};
use crate::game::event::Event;
use crate::game::refused::RefusedStep;
use crate::game::step_events;
use crate::game::why;

/// A state with its legal actions. A clone shares the list of legal actions.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    // Boxed, because a game is moved several times while a command changes it.
    state: Box<State>,
    legal: OnceLock<Arc<Legal>>,
}

/// The legal actions of a state.
#[derive(Debug)]
pub(crate) struct Legal {
    /// The actions as the engine lists them; several may have the same text.
    pub actions: Box<[Action]>,
    /// Whether all legal actions were found. With a very long hand, the engine stops its search early.
    pub is_complete: bool,
    listed: OnceLock<ListedActions>,
}

/// The legal actions as they are listed: of the actions with one text, only the first.
#[derive(Debug)]
struct ListedActions {
    actions: Vec<Action>,
    /// The text of each action.
    texts: Vec<String>,
}

impl Legal {
    fn of(actions: &Actions) -> Arc<Self> {
        Arc::new(Self { actions: (**actions).into(), is_complete: actions.is_complete(), listed: OnceLock::new() })
    }
}

impl From<State> for Play {
    fn from(state: State) -> Self {
        Self { state: Box::new(state), legal: OnceLock::new() }
    }
}

impl Play {
    /// Makes the opening state of a game, in which this seat has the first turn.
    pub(crate) fn opening(engine: &Engine, first: Seat) -> Self {
        engine.opening(first).into()
    }

    /// Decodes a stored state.
    ///
    /// # Errors
    /// The state is damaged.
    pub(crate) fn decode(engine: &Engine, state: &[u8]) -> Result<Self, Problem> {
        engine.decode(state).map(Self::from).map_err(internal)
    }

    /// Encodes the state in its stored form.
    pub(crate) fn encode(&self, engine: &Engine) -> Vec<u8> {
        engine.encode(&self.state)
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Returns the legal actions.
    pub(crate) fn legal(&self, engine: &Engine) -> &Legal {
        self.legal.get_or_init(|| Legal::of(&engine.legal(&self.state)))
    }

    /// Returns the legal actions as texts. Each text is listed once.
    pub(crate) fn legal_texts(&self, engine: &Engine) -> &[String] {
        &self.listed(engine).texts
    }

    fn listed(&self, engine: &Engine) -> &ListedActions {
        let legal = self.legal(engine);
        legal.listed.get_or_init(|| {
            let actions = engine.one_of_each(&self.state, &legal.actions);
            let texts = actions.iter().map(|action| engine.action_text(&self.state, action)).collect();
            ListedActions { actions, texts }
        })
    }

    /// Tells whether the rules have ended the game.
    pub(crate) fn is_over(&self) -> bool {
        self.state.phase == Phase::Over
    }

    /// Tells whether a throw is due.
    pub(crate) fn awaits_throw(&self) -> bool {
        self.state.phase == Phase::Throw
    }

    /// Plays a throw. Returns its events.
    ///
    /// # Errors
    /// No throw is due, or the dice cannot show this throw.
    pub(crate) fn throw(&mut self, engine: &Engine, throw: &Throw) -> Result<Vec<Event>, RefusedStep> {
        if self.state.phase == Phase::Choose {
            return Err(RefusedStep::new(Code::ChoiceNeeded, "a choice is open before the throw"));
        }
        let (mut report, mut actions) = (StepReport::default(), Actions::default());
        engine.throw_into(&mut self.state, throw, &mut actions, &mut report)?;
        self.set_legal(engine, &actions);
        let mut events = step_events::events(engine, None, &report);
        // INVARIANT: the throw itself is the first event of its step. Replays read the throw from it.
        let first = events.first_mut().ok_or_else(|| RefusedStep::new(Code::Internal, "a throw without an event"))?;
        first.throw = Some(*throw);
        Ok(events)
    }

    /// Plays an action. Returns its events; the first one names the action as the engine writes it.
    ///
    /// # Errors
    /// The action is malformed or not legal.
    pub(crate) fn play(&mut self, engine: &Engine, text: &str) -> Result<Vec<Event>, RefusedStep> {
        match self.state.phase {
            Phase::Throw => return Err(Refusal::ThrowDue.into()),
            Phase::Over => return Err(Refusal::Over.into()),
            Phase::Choose | Phase::Move | Phase::Declare => {}
        }
        // Most clients send a text as it was listed. Such a text stands for the listed action only.
        let listed = self.listed(engine);
        if let Some(index) = listed.texts.iter().position(|known| known == text) {
            let action = listed.actions[index];
            return self.take(engine, &action, text.to_owned());
        }
        let (state, legal) = (&self.state, &self.legal(engine).actions);
        let action = engine.parse_action_among(state, legal, text);
        let action =
            action.map_err(|error| RefusedStep::from(error).because(why::reasons(engine, state, legal, text)))?;
        let text = engine.action_text(state, &action);
        self.take(engine, &action, text)
    }

    /// Plays the legal action with this index. Returns its events; the first one names the action.
    ///
    /// # Errors
    /// There is no legal action with this index.
    pub(crate) fn play_nth(&mut self, engine: &Engine, index: usize) -> Result<Vec<Event>, RefusedStep> {
        let action = self.legal(engine).actions.get(index).copied().ok_or(Refusal::NotLegal)?;
        let text = engine.action_text(&self.state, &action);
        self.take(engine, &action, text)
    }

    /// Plays an action. `text` is the action as the engine writes it.
    fn take(&mut self, engine: &Engine, action: &Action, text: String) -> Result<Vec<Event>, RefusedStep> {
        let (mut report, mut actions) = (StepReport::default(), Actions::default());
        engine.play_unchecked(&mut self.state, action, &mut actions, &mut report);
        self.set_legal(engine, &actions);
        let mut events = step_events::events(engine, Some(action), &report);
        // INVARIANT: every action has an event. A replay of the game reads the action from this event.
        let first = events.first_mut().ok_or_else(|| RefusedStep::new(Code::Internal, "an action without an event"))?;
        first.action = Some(text);
        Ok(events)
    }

    /// Stores the legal actions that the engine has found for the new state.
    fn set_legal(&mut self, engine: &Engine, actions: &Actions) {
        debug_assert_eq!(**actions, *engine.legal(&self.state), "the engine's list equals a fresh search");
        self.legal = OnceLock::from(Legal::of(actions));
    }
}
