//! Watching a game: the engine reports the happenings of play to its caller.

use crate::tables::{Event, LineId};
use crate::units::{PathPlace, PawnIndex, PawnSet, Pips, Seat};

/// Receives the happenings of a game. By default every method does nothing.
pub trait Watch {
    /// Receives a happening. Happenings come in the order of play.
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        let _ = happening;
    }

    /// Receives a rule line that decided something. Lines that only prevent actions are received only if
    /// [`Watch::hears_refusals`] is true.
    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        let _ = line;
    }

    /// Receives the cause of the reports that follow, up to the matching call of [`Watch::ends`]. Causes may be nested.
    #[inline(always)]
    fn begins(&mut self, cause: Cause) {
        let _ = cause;
    }

    /// Receives the end of the innermost cause: the latest one that has not ended yet.
    #[inline(always)]
    fn ends(&mut self) {}

    /// Receives a change of the state for which there is no happening: a counter, a mark, or a pawn that is put back.
    #[inline(always)]
    fn changed(&mut self, change: StateChange) {
        let _ = change;
    }

    /// Whether `fired` also receives lines that refuse an action, compel another action, or allow passing.
    ///
    /// The search for these lines takes about as much time as the play itself.
    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        false
    }

    /// Whether the watcher needs more than captures and passes. If not, the engine reports nothing else, which saves
    /// time.
    #[inline(always)]
    fn hears_lines(&self) -> bool {
        true
    }

    /// Whether the watched play is a search of the engine (looking ahead). Then only lines that matter to the search
    /// run.
    #[doc(hidden)]
    #[inline(always)]
    fn looks_ahead(&self) -> bool {
        false
    }
}

impl<W: Watch + ?Sized> Watch for &mut W {
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        (**self).event(happening);
    }

    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        (**self).fired(line);
    }

    #[inline(always)]
    fn begins(&mut self, cause: Cause) {
        (**self).begins(cause);
    }

    #[inline(always)]
    fn ends(&mut self) {
        (**self).ends();
    }

    #[inline(always)]
    fn changed(&mut self, change: StateChange) {
        (**self).changed(change);
    }

    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        (**self).hears_refusals()
    }

    #[inline(always)]
    fn hears_lines(&self) -> bool {
        (**self).hears_lines()
    }

    #[inline(always)]
    fn looks_ahead(&self) -> bool {
        (**self).looks_ahead()
    }
}

/// A watcher that ignores all reports. It costs no time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Watch for Quiet {
    #[inline(always)]
    fn hears_lines(&self) -> bool {
        false
    }
}

/// The watcher of the actions that the engine tries while it looks ahead. It ignores all reports.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead;

impl Watch for Ahead {
    #[inline(always)]
    fn hears_lines(&self) -> bool {
        false
    }

    #[inline(always)]
    fn looks_ahead(&self) -> bool {
        true
    }
}

/// A watcher that only counts captures and passes, for playing many games fast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of captured pawns.
    pub cuts: u64,
    /// Number of hands of which no number could be spent, plus the passes that players chose.
    pub passes: u64,
}

impl Watch for Counts {
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        match happening.kind {
            HappeningKind::Cut => self.cuts += 1,
            HappeningKind::Passed => self.passes += 1,
            _ => {}
        }
    }

    #[inline(always)]
    fn hears_lines(&self) -> bool {
        false
    }
}

/// Forwards captures and passes to a watcher that needs nothing else (see [`Watch::hears_lines`]).
pub(super) struct Counting<'w>(&'w mut dyn Watch);

impl<'w> Counting<'w> {
    /// Wraps a watcher. Returns the watcher itself as an error if it needs more than captures and passes.
    #[inline(always)]
    pub(super) fn of(watch: &'w mut dyn Watch) -> Result<Counting<'w>, &'w mut dyn Watch> {
        if watch.hears_lines() { Err(watch) } else { Ok(Counting(watch)) }
    }
}

impl Watch for Counting<'_> {
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        if matches!(happening.kind, HappeningKind::Cut | HappeningKind::Passed) {
            self.0.event(happening);
        }
    }

    #[inline(always)]
    fn hears_lines(&self) -> bool {
        false
    }
}

impl Watch for Vec<Happening> {
    fn event(&mut self, happening: Happening) {
        self.push(happening);
    }
}

/// The cause of happenings: a rule line, and the pawns that the line is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The rule line: it spends, captures, answers an event, or declares a choice.
    pub line: LineId,
    /// The event that the line answers; `None` if the line is no `on` line.
    pub event: Option<Event>,
    /// The seat that owns the pawns.
    pub seat: Seat,
    /// The pawns that move together, capture, or brought the event about, as a set. 0 means none.
    pub pawns: PawnSet,
}

/// A change of a state that has no [`Happening`] of its own: a new value of a counter or mark, or a pawn that is put
/// back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateChange {
    /// A counter has another value.
    Counter {
        /// The seat that owns the counter. `None` means the game.
        seat: Option<Seat>,
        /// The index of the counter among those of a seat, or of the game.
        index: u8,
        /// The new value.
        value: i16,
    },
    /// A pawn has got a mark, or lost it.
    Mark {
        /// The seat that owns the pawn.
        seat: Seat,
        /// The pawn.
        pawn: PawnIndex,
        /// The index of the mark.
        index: u8,
        /// Whether the pawn has the mark now.
        is_set: bool,
    },
    /// A pawn stands again where it stood before the turn, because the turn was taken back.
    PutBack {
        /// The seat that owns the pawn.
        seat: Seat,
        /// The pawn.
        pawn: PawnIndex,
        /// The place where the pawn stood until the turn was taken back.
        from: PathPlace,
        /// The place where the pawn stands again.
        to: PathPlace,
    },
}

/// A happening in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Happening {
    /// The kind of the happening.
    pub kind: HappeningKind,
    /// The seat that owns the pawn, or whose turn it is.
    pub seat: Seat,
    /// The number of the pawn. `None` if the happening concerns the seat as a whole.
    pub pawn: Option<PawnIndex>,
    /// The place of the pawn before the happening.
    pub from: PathPlace,
    /// The place of the pawn after the happening. For a choice, the place that it names.
    pub to: PathPlace,
    /// A number whose meaning depends on the kind, for example pips spent, steps granted, the index of a choice, or the
    /// rank of a seat that finished.
    pub number: u8,
}

/// Kinds of happenings; their names in lists of events are in snake case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "their names say it")]
pub enum HappeningKind {
    Thrown,
    Moved,
    Stayed,
    Entered,
    Cut,
    PairFormed,
    Home,
    Left,
    BonusGranted,
    BonusForfeited,
    DiceDropped,
    TakenBack,
    ThrowGranted,
    Sent,
    Asked,
    Chosen,
    Passed,
    PlayerWon,
    PlayerFinished,
    Turn,
    GameOver,
}

impl HappeningKind {
    /// Every kind.
    pub const ALL: [HappeningKind; 21] = {
        use HappeningKind as K;
        [
            K::Thrown,
            K::Moved,
            K::Stayed,
            K::Entered,
            K::Cut,
            K::PairFormed,
            K::Home,
            K::Left,
            K::BonusGranted,
            K::BonusForfeited,
            K::DiceDropped,
            K::TakenBack,
            K::ThrowGranted,
            K::Sent,
            K::Asked,
            K::Chosen,
            K::Passed,
            K::PlayerWon,
            K::PlayerFinished,
            K::Turn,
            K::GameOver,
        ]
    };

    /// The word in lists of events.
    pub fn word(self) -> &'static str {
        match self {
            Self::Thrown => "thrown",
            Self::Moved => "moved",
            Self::Stayed => "stayed",
            Self::Entered => "entered",
            Self::Cut => "cut",
            Self::PairFormed => "pair_formed",
            Self::Home => "home",
            Self::Left => "left",
            Self::BonusGranted => "bonus_granted",
            Self::BonusForfeited => "bonus_forfeited",
            Self::DiceDropped => "dice_dropped",
            Self::TakenBack => "taken_back",
            Self::ThrowGranted => "throw_granted",
            Self::Sent => "sent",
            Self::Asked => "asked",
            Self::Chosen => "chosen",
            Self::Passed => "passed",
            Self::PlayerWon => "player_won",
            Self::PlayerFinished => "player_finished",
            Self::Turn => "turn",
            Self::GameOver => "game_over",
        }
    }
}

/// Reports an event that concerns a pawn.
#[inline(always)]
pub(super) fn report_pawn_event(
    watch: &mut (impl Watch + ?Sized),
    kind: HappeningKind,
    seat: Seat,
    pawn: PawnIndex,
    from: PathPlace,
    to: PathPlace,
    number: Pips,
) {
    watch.event(Happening { kind, seat, pawn: Some(pawn), from, to, number: number.0 });
}

/// Reports an event that concerns a seat and no single pawn.
#[inline(always)]
pub(super) fn report_seat_event(watch: &mut (impl Watch + ?Sized), kind: HappeningKind, seat: Seat, number: u8) {
    watch.event(Happening { kind, seat, pawn: None, from: PathPlace::OUT, to: PathPlace::OUT, number });
}
