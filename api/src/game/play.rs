//! A game in play: its state and its legal actions, which are found once.

use std::sync::{Arc, OnceLock};

use pagade_rules::play::{Action, Actions, Engine, Happening, HappeningKind, Phase, Refusal, Seat, State, Throw};

use crate::error::{Code, Problem, internal};
use crate::game::event::Event;
use crate::game::refused::Refused;

/// A state with its legal actions. A clone shares the list of legal actions.
#[derive(Debug, Clone)]
pub(crate) struct Play {
    state: State,
    legal: OnceLock<Arc<Legal>>,
}

/// The legal actions of a state.
#[derive(Debug)]
pub(crate) struct Legal {
    /// The actions as the engine lists them; several may have the same text.
    pub actions: Box<[Action]>,
    /// Whether the engine searched to the end; it stops early with a very long hand, and some actions may be missing.
    pub is_complete: bool,
    texts: OnceLock<Vec<String>>,
}

impl Legal {
    fn of(actions: &Actions) -> Arc<Self> {
        Arc::new(Self { actions: (**actions).into(), is_complete: actions.is_complete(), texts: OnceLock::new() })
    }
}

impl From<State> for Play {
    fn from(state: State) -> Self {
        Self { state, legal: OnceLock::new() }
    }
}

impl Play {
    /// The opening of a game, with this seat to move.
    pub(crate) fn opening(engine: &Engine, first: Seat) -> Self {
        engine.opening(first).into()
    }

    /// Reads a stored state.
    ///
    /// # Errors
    /// The state is damaged.
    pub(crate) fn decode(engine: &Engine, text: &str) -> Result<Self, Problem> {
        let bytes = const_hex::decode(text).map_err(internal)?;
        engine.decode(&bytes).map(Self::from).map_err(internal)
    }

    /// The state as it is stored.
    pub(crate) fn encode(&self, engine: &Engine) -> String {
        const_hex::encode(engine.encode(&self.state))
    }

    /// The state.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The legal actions.
    pub(crate) fn legal(&self, engine: &Engine) -> &Legal {
        self.legal.get_or_init(|| Legal::of(&engine.legal(&self.state)))
    }

    /// The legal actions as text, each once.
    pub(crate) fn legal_texts(&self, engine: &Engine) -> &[String] {
        let legal = self.legal(engine);
        legal.texts.get_or_init(|| {
            let distinct = engine.one_of_each(&self.state, &legal.actions);
            distinct.iter().map(|action| engine.action_text(&self.state, action)).collect()
        })
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.state.phase == Phase::Over
    }

    /// Whether a throw is due.
    pub(crate) fn awaits_throw(&self) -> bool {
        self.state.phase == Phase::Throw
    }

    /// Plays a throw. Returns its events.
    ///
    /// # Errors
    /// No throw is due, or the dice cannot show this throw.
    pub(crate) fn throw(&mut self, engine: &Engine, throw: &Throw) -> Result<Vec<Event>, Refused> {
        if self.state.phase == Phase::Choose {
            return Err(Refused::new(Code::ChoiceNeeded, "a choice is open before the throw"));
        }
        let (mut happenings, mut actions) = (Vec::<Happening>::new(), Actions::default());
        engine.throw_into(&mut self.state, throw, &mut actions, &mut happenings)?;
        self.set_legal(engine, &actions);
        let event = |happening: &Happening| match happening.kind {
            HappeningKind::Thrown => Event::of_throw(happening, *throw),
            _ => Event::of_happening(happening),
        };
        Ok(happenings.iter().map(event).collect())
    }

    /// Plays an action. Returns its events; the first one names the action as the engine writes it.
    ///
    /// # Errors
    /// The action is malformed or not legal.
    pub(crate) fn play(&mut self, engine: &Engine, text: &str) -> Result<Vec<Event>, Refused> {
        match self.state.phase {
            Phase::Throw => return Err(Refusal::ThrowDue.into()),
            Phase::Over => return Err(Refusal::Over.into()),
            Phase::Choose | Phase::Move | Phase::Declare => {}
        }
        let action = engine.parse_action_among(&self.state, &self.legal(engine).actions, text)?;
        self.take(engine, &action)
    }

    /// Plays the legal action with this index. Returns its events, as [`Play::play`] does.
    ///
    /// # Errors
    /// There are fewer legal actions.
    pub(crate) fn play_nth(&mut self, engine: &Engine, index: usize) -> Result<Vec<Event>, Refused> {
        let action = self.legal(engine).actions.get(index).copied().ok_or(Refusal::NotLegal)?;
        self.take(engine, &action)
    }

    fn take(&mut self, engine: &Engine, action: &Action) -> Result<Vec<Event>, Refused> {
        let text = engine.action_text(&self.state, action);
        let (mut happenings, mut actions) = (Vec::<Happening>::new(), Actions::default());
        engine.play_unchecked(&mut self.state, action, &mut actions, &mut happenings);
        self.set_legal(engine, &actions);
        let mut events: Vec<_> = happenings.iter().map(Event::of_happening).collect();
        // INVARIANT: every action has an event. Replays read the action from it.
        let first = events.first_mut().ok_or_else(|| Refused::new(Code::Internal, "an action without an event"))?;
        first.action = Some(text);
        Ok(events)
    }

    /// Takes over the legal actions that the engine found for the new state.
    fn set_legal(&mut self, engine: &Engine, actions: &Actions) {
        debug_assert_eq!(**actions, *engine.legal(&self.state), "the engine's list equals a fresh search");
        self.legal = OnceLock::from(Legal::of(actions));
    }
}
