//! A game in progress: a state and its legal actions, for playing many games fast.

use super::actions::{Actions, PASS};
use super::one_number::{OneNumber, OneNumberBits};
use super::quick::{Quick, Sight};
use super::refusal::Refusal;
use super::spared_captures::Spared;
use super::state::{Action, Phase, State, Throw};
use super::watch::{Counts, Quiet, Watch};
use crate::play::engine::Engine;
use crate::play::open::OpenActions;
use crate::units::Seat;

/// The legal actions of a state: bits, or a list where bits cannot stand for them.
#[derive(Debug, Clone, Default)]
struct OpenSet {
    /// The actions as bits: those of the fast engine ([`Engine::quick_moves`]) for a plain rule set, else those of
    /// `one`.
    bits: OneNumberBits,
    /// The actions by the only number or bonus that is left, for a rule set that is not plain.
    one: OneNumber,
    /// Whether the player may also pass. The pass comes last.
    may_pass: bool,
    list: Actions,
}

impl OpenActions for OpenSet {
    #[inline(always)]
    fn clear(&mut self) {
        (self.bits, self.may_pass) = (0, false);
        self.list.clear();
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.bits == 0 && self.list.is_empty()
    }

    #[inline(always)]
    fn find_moves(&mut self, engine: &Engine, state: &State) {
        self.clear();
        let found = match &engine.quick {
            Some(quick) => engine.quick_moves(quick, state).map(OneNumberBits::from),
            None => engine.one_number(state, &mut self.one).then_some(self.one.bits),
        };
        match found {
            Some(bits) => (self.bits, self.may_pass) = (bits, engine.turn.may_pass && bits != 0),
            None => engine.moves_of_several_into(state, &mut self.list),
        }
    }

    fn find_choices(&mut self, engine: &Engine, state: &State) {
        self.clear();
        engine.choices_into(state, &mut self.list);
    }
}

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Game<'r> {
    engine: &'r Engine,
    state: State,
    open: OpenSet,
    /// The tables with which whole turns are played at once. `None` if the fast engine does not support this.
    turns: Option<&'r Quick>,
    sight: Sight,
}

impl<'r> Game<'r> {
    /// A new game.
    pub fn new(engine: &'r Engine, first: Seat) -> Self {
        let turns = engine.quick.as_ref().filter(|quick| quick.plays_whole_turns());
        let mut game =
            Game { engine, state: engine.opening(first), open: OpenSet::default(), turns, sight: Sight::default() };
        game.list_choices();
        game
    }

    /// Begins a new game in this value, without a new allocation.
    pub fn restart(&mut self, first: Seat) {
        self.restart_heard(first, &mut Quiet);
    }

    /// Begins a new game as [`Game::restart`] does. The watcher hears what rules do as the first turn begins.
    pub fn restart_heard(&mut self, first: Seat, watch: &mut dyn Watch) {
        self.state = self.engine.opening_heard(first, watch);
        self.open.clear();
        self.sight.forget();
        self.list_choices();
    }

    /// Lists the choices with which the first turn may begin.
    fn list_choices(&mut self) {
        if self.state.phase == Phase::Choose {
            self.open.find_choices(self.engine, &self.state);
        }
    }

    /// The current state.
    #[inline(always)]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The engine that the game is played with.
    pub fn rules(&self) -> &'r Engine {
        self.engine
    }

    /// Whether the game is over.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.state.phase == Phase::Over
    }

    /// Whether a throw is due.
    #[inline(always)]
    pub fn needs_throw(&self) -> bool {
        self.state.phase == Phase::Throw
    }

    /// Number of legal actions.
    #[inline(always)]
    pub fn open(&self) -> usize {
        match self.open.bits {
            0 => self.open.list.len(),
            bits => bits.count_ones() as usize + usize::from(self.open.may_pass),
        }
    }

    /// The legal actions, if they are kept as a list.
    #[inline(always)]
    pub(super) fn listed(&self) -> Option<&[Action]> {
        (self.open.bits == 0).then_some(&self.open.list)
    }

    /// One of the legal actions, by its index.
    ///
    /// # Panics
    /// `index` must be below [`Game::open`].
    #[inline(always)]
    pub fn action(&self, index: usize) -> Action {
        let bits = self.open.bits;
        match &self.engine.quick {
            _ if bits == 0 => self.open.list[index],
            Some(quick) => self.engine.quick_action(quick, &self.state, nth_bit(bits, index)),
            None if self.open.may_pass && index == bits.count_ones() as usize => PASS,
            None => self.open.one.action(&self.state, nth_bit(bits, index)),
        }
    }

    /// Plays a throw and all actions by it at once, if the fast engine (`play/quick`) supports this for the rule set.
    /// `choose(n)` decides between `n` legal actions. The turn ends, unless another throw was granted.
    ///
    /// Returns the number of actions played; the state is the same as after playing them one by one. `None` means that
    /// the fast engine cannot play whole turns of this rule set, and that the game is unchanged.
    pub fn play_turn(&mut self, throw: &Throw, choose: &mut dyn FnMut(u32) -> u32, counts: &mut Counts) -> Option<u32> {
        let quick = self.turns?;
        Some(self.engine.play_turn(quick, &mut self.state, &mut self.sight, throw, choose, counts))
    }

    /// Plays a throw.
    ///
    /// # Errors
    /// No throw is due, or the throw is impossible with these dice.
    pub fn throw(&mut self, throw: &Throw, watch: &mut dyn Watch) -> Result<(), Refusal> {
        self.engine.check_throw(&self.state, throw)?;
        self.sight.forget();
        self.engine.thrown_into(&mut self.state, throw, &mut self.open, watch);
        Ok(())
    }

    /// Plays a throw that [`Engine::draw`] made, without checking it. A throw must be due.
    pub fn throw_drawn(&mut self, throw: &Throw, watch: &mut dyn Watch) {
        debug_assert!(self.needs_throw());
        self.sight.forget();
        self.engine.thrown_into(&mut self.state, throw, &mut self.open, watch);
    }

    /// Plays one of the legal actions, by its index.
    ///
    /// # Panics
    /// `index` must be below [`Game::open`].
    pub fn play_nth(&mut self, index: usize, watch: &mut dyn Watch) {
        let action = self.action(index);
        let spared = if self.engine.may_spare(&self.state, &action) {
            self.engine.spared_among(&self.state, (0..self.open()).map(|index| self.action(index)))
        } else {
            Spared::new()
        };
        self.engine.play_open(&mut self.state, &action, &spared, &mut self.open, watch);
    }
}

/// The position of the n-th bit that is set.
#[inline(always)]
fn nth_bit(bits: OneNumberBits, n: usize) -> u32 {
    let without_first = |bits: OneNumberBits| bits & bits.wrapping_sub(1);
    // Most lists are short. Without a loop, the processor need not guess how often it runs.
    let second = without_first(bits);
    let third = without_first(second);
    let short = [bits, second, third, without_first(third)];
    let rest = match short.get(n) {
        Some(rest) => *rest,
        None => (3..n).fold(short[3], |rest, _| without_first(rest)),
    };
    rest.trailing_zeros()
}
