//! Plays one game of a simulation from the opening to its end.

use pagade_rules::play::{Action, ActionKind, Counts, Engine, Game, Happening, Seat, Throw, Watch};
use pagade_rules::tables::{Duty, LineId};

use super::chance::{Chance, ThrowTable};
use super::robots::Robot;

/// A game may have at most the turn cap of the rule set (`engine.turn.cap`) times this number of throws and actions. A
/// game with more of them counts as stuck: a rule may grant throws for ever.
const MAX_STEPS_A_TURN: u64 = 64;

/// A [`Watch`] that keeps counts while games are played. Games are played faster if rule lines are not counted.
pub trait Observer: Watch {
    /// Whether the observer counts how often rule lines fire. If it does not, the engine may play a whole turn in one
    /// call.
    const LINES: bool = true;

    /// Returns the counts so far.
    fn counts(&mut self) -> &mut Counts;
}

impl Observer for Counts {
    const LINES: bool = false;

    fn counts(&mut self) -> &mut Counts {
        self
    }
}

/// An observer that also counts how often each rule line fired. The counts include lines that refuse a landing, and
/// lines that let a pawn pass.
#[derive(Debug, Clone, Default)]
pub struct LineCounts {
    counts: Counts,
    /// How often each line of [`Rules::lines`](pagade_rules::tables::Rules::lines) fired.
    pub fired: Vec<u64>,
}

impl LineCounts {
    /// Makes an observer whose counts are all 0.
    pub fn new(engine: &Engine) -> Self {
        LineCounts { counts: Counts::default(), fired: vec![0; engine.lines.len()] }
    }
}

impl Watch for LineCounts {
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        self.counts.event(happening);
    }

    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        self.fired[line.index()] += 1;
    }

    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        true
    }
}

impl Observer for LineCounts {
    fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }
}

/// Records a game while it is played.
pub trait GameRecorder {
    /// Whether the recorder ignores throws and actions. If it does, the engine may play a whole turn in one call.
    const IDLE: bool = false;

    /// Records the beginning of a game, with the seat that begins.
    fn begin(&mut self, first: Seat);

    /// Records a throw.
    fn throw(&mut self, throw: &Throw);

    /// Records an action.
    fn play(&mut self, action: &Action);

    /// Tells whether the game has to stop before its next throw or action.
    fn is_stopped(&mut self) -> bool {
        false
    }
}

/// A recorder that records nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRecording;

impl GameRecorder for NoRecording {
    const IDLE: bool = true;

    fn begin(&mut self, _: Seat) {}

    fn throw(&mut self, _: &Throw) {}

    fn play(&mut self, _: &Action) {}
}

/// The result of one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlayedGame {
    /// Number of turns. A turn without a move counts, too.
    pub turns: u32,
    /// Number of turns until the first seat finished; `None` if no seat finished.
    pub to_first: Option<u32>,
    /// Number of throws.
    pub throws: u64,
    /// Number of moves and choices; passes do not count.
    pub actions: u64,
    /// The seat that finished first. In a game of teams: the seat that brought the winning team's last pawn home.
    pub winner: Option<Seat>,
    /// Whether the game was stopped before its end: it reached the turn cap of the rule set, or had too many steps.
    pub stuck: bool,
    /// The seat that began: the first one that had a decision. Seats before it whose turn the rules ended at once do
    /// not count.
    pub first: Seat,
    /// Whether the seat that began, or its team, won.
    pub first_won: bool,
    /// Throwing seats and decisions. `None` if the observer does not count rule lines.
    pub counts: Option<DecisionCounts>,
}

/// The seats that threw in a game, and its decisions: moments with more than one legal action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// The seats that threw, a bit for each.
    pub threw: u8,
    /// Number of decisions.
    pub decisions: u64,
    /// Sum of the numbers of legal actions, over all decisions.
    pub open: u64,
}

/// Plays one game. The robot takes all decisions of all seats. A game that the recorder stops has no useful result.
pub fn play<R: Robot, W: Observer, S: GameRecorder>(
    game: &mut Game<'_>,
    throws: &ThrowTable<'_>,
    chance: &mut Chance,
    robot: &mut R,
    observer: &mut W,
    recorder: &mut S,
) -> PlayedGame {
    let engine = game.rules();
    let may_pass = may_pass(engine);
    let most_steps = u64::from(engine.turn.cap) * MAX_STEPS_A_TURN;
    let first = throws.first(chance);
    game.restart_heard(first, observer);
    recorder.begin(first);
    let first = game.state().turn;
    let mut played_game = PlayedGame { first, ..PlayedGame::default() };
    let mut counts = DecisionCounts::default();
    // The seat whose turn is counted already, because a choice was made before its first throw.
    let mut counted = None;
    while !game.is_over() && !recorder.is_stopped() {
        let begins = game.state().thrown == 0 && counted != Some(game.state().turn);
        if begins && played_game.turns == engine.turn.cap || played_game.throws + played_game.actions >= most_steps {
            played_game.stuck = true;
            break;
        }
        played_game.turns += u32::from(begins);
        if game.needs_throw() {
            counted = None;
            played_game.throws += 1;
            if W::LINES {
                counts.threw |= 1 << game.state().turn.index();
            }
            let throw = throws.draw(chance);
            if R::IS_RANDOM
                && !W::LINES
                && S::IDLE
                && let Some(actions) = game.play_turn(&throw, &mut |n| chance.below(n), observer.counts())
            {
                played_game.actions += u64::from(actions);
            } else {
                recorder.throw(&throw);
                game.throw_drawn(&throw, observer);
            }
        } else {
            if W::LINES && game.open() > 1 {
                counts.decisions += 1;
                counts.open += game.open() as u64;
            }
            let index = robot.choose(game, chance);
            played_game.actions += u64::from(!may_pass || game.action(index).kind != ActionKind::Pass);
            if !S::IDLE {
                recorder.play(&game.action(index));
            }
            let seat = game.state().turn;
            game.play_nth(index, observer);
            let (state, is_counted) = (game.state(), begins || counted == Some(seat));
            let is_before_throw = state.thrown == 0 && (game.needs_throw() || state.asked.is_some());
            let goes_on = is_counted && state.turn == seat && is_before_throw;
            counted = goes_on.then_some(seat);
        }
        if played_game.to_first.is_none() && game.state().placed > 0 {
            played_game.to_first = Some(played_game.turns);
        }
    }
    played_game.counts = W::LINES.then_some(counts);
    played_game.winner = engine.winner(game.state());
    played_game.first_won =
        played_game.winner.is_some_and(|winner| winner == first || winner == engine.seating.partner[first.index()]);
    played_game
}

/// Tells whether the legal actions of this table can include a pass.
fn may_pass(engine: &Engine) -> bool {
    engine.turn.may_pass || engine.moves.spend.iter().any(|line| line.duty == Duty::Voluntary)
}
