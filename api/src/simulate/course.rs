//! One game from the opening to its end, by chance.

use pagade_rules::play::{Action, ActionKind, Counts, Engine, Game, Happening, Seat, Throw, Watch};
use pagade_rules::tables::{Duty, LineId};

use super::chance::{Chance, Throws};
use super::robots::Robot;

/// Throws and actions a turn, on average, beyond which a game counts as stuck: a rule that grants throws for ever.
const MAX_STEPS_A_TURN: u64 = 64;

/// What is heard while games are played. What a witness does not count costs nothing.
pub trait Witness: Watch {
    /// It wants to hear of rule lines; where nobody does, whole turns are played at once.
    const LINES: bool = true;

    /// What was counted so far.
    fn counts(&mut self) -> &mut Counts;
}

impl Witness for Counts {
    const LINES: bool = false;

    fn counts(&mut self) -> &mut Counts {
        self
    }
}

/// Hears also which rule lines did their work, those that withhold or let pass included.
#[derive(Debug, Clone, Default)]
pub struct ByLine {
    counts: Counts,
    /// How often each line of [`Engine::lines`] did its work.
    pub fired: Vec<u64>,
}

impl ByLine {
    /// Nothing heard yet.
    pub fn new(rules: &Engine) -> Self {
        ByLine { counts: Counts::default(), fired: vec![0; rules.lines.len()] }
    }
}

impl Watch for ByLine {
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        self.counts.event(happening);
    }

    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        // Verdicts that no line gives (an empty square) carry no line.
        if let Some(count) = self.fired.get_mut(usize::from(line)) {
            *count += 1;
        }
    }

    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        true
    }
}

impl Witness for ByLine {
    fn counts(&mut self) -> &mut Counts {
        &mut self.counts
    }
}

/// Writes a game down while it is played.
pub trait Scribe {
    /// Nothing is written: what would be told need not be found out.
    const IDLE: bool = false;

    /// A game begins.
    fn begin(&mut self, first: Seat);

    /// Something was thrown.
    fn throw(&mut self, throw: &Throw);

    /// An action is played.
    fn play(&mut self, action: &Action);
}

/// Writes nothing, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwritten;

impl Scribe for Unwritten {
    const IDLE: bool = true;

    fn begin(&mut self, _: Seat) {}

    fn throw(&mut self, _: &Throw) {}

    fn play(&mut self, _: &Action) {}
}

/// How one game went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Course {
    /// Turns in which something was thrown, passes included.
    pub turns: u32,
    /// Turns until the first seat had finished; 0 if none did.
    pub to_first: u32,
    /// Throws.
    pub throws: u64,
    /// Part-moves and choices; a pass is none.
    pub actions: u64,
    /// The seat that finished first; in teams the one that brought the winning team its last pawn home.
    pub winner: Option<Seat>,
    /// The turn cap of the rule set was reached.
    pub stuck: bool,
    /// The seat that began.
    pub first: Seat,
    /// That seat or its team won.
    pub first_won: bool,
    /// Points with more than one legal action; 0 where rule lines are not heard, as `open`.
    pub decisions: u64,
    /// The legal actions at these points.
    pub open: u64,
}

/// Plays one game, every decision the robot's.
pub fn play<R: Robot, W: Witness, S: Scribe>(
    game: &mut Game<'_>,
    throws: &Throws<'_>,
    chance: &mut Chance,
    robot: &mut R,
    witness: &mut W,
    scribe: &mut S,
) -> Course {
    let rules = game.rules();
    let may_pass = may_pass(rules);
    let most_steps = u64::from(rules.turn.cap) * MAX_STEPS_A_TURN;
    let first = throws.first(chance);
    let mut course = Course { first, ..Course::default() };
    game.restart(first);
    scribe.begin(first);
    while !game.is_over() {
        if game.needs_throw() {
            if game.state().thrown == 0 {
                if course.turns == rules.turn.cap {
                    course.stuck = true;
                    break;
                }
                course.turns += 1;
            }
            course.throws += 1;
            if course.throws + course.actions > most_steps {
                course.stuck = true;
                break;
            }
            let throw = throws.draw(chance);
            if R::BY_CHANCE
                && !W::LINES
                && S::IDLE
                && let Some(played) = game.play_turn(&throw, &mut |n| chance.below(n), witness.counts())
            {
                course.actions += u64::from(played);
            } else {
                scribe.throw(&throw);
                game.throw_drawn(&throw, witness);
            }
        } else {
            if W::LINES && game.open() > 1 {
                course.decisions += 1;
                course.open += game.open() as u64;
            }
            let index = robot.choose(game, chance);
            course.actions += u64::from(!may_pass || game.action(index).kind != ActionKind::Pass);
            if !S::IDLE {
                scribe.play(&game.action(index));
            }
            game.play_nth(index, witness);
        }
        if course.to_first == 0 && game.state().placed > 0 {
            course.to_first = course.turns;
        }
    }
    let state = game.state();
    let mut placed = state.placed();
    course.winner = if rules.seating.teams && game.is_over() { placed.last() } else { placed.next() };
    course.first_won =
        course.winner.is_some_and(|winner| winner == first || winner == rules.seating.partner[first.index()]);
    course
}

/// Whether a pass can ever stand among the open actions.
fn may_pass(rules: &Engine) -> bool {
    rules.turn.may_pass || rules.moves.spend.iter().any(|line| line.duty == Duty::Voluntary)
}
