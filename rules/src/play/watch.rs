//! Watching a game: the engine reports to its caller what happens while it plays.

use crate::tables::LineId;
use crate::units::{PathPlace, PawnIndex, Seat};

/// Receives the happenings of a game. By default every method does nothing.
pub trait Watch {
    /// Receives a happening. Happenings come in the order of play.
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        let _ = happening;
    }

    /// Receives a rule line that decided something. Lines that only prevent actions come with [`Watch::hears_refusals`]
    /// only.
    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        let _ = line;
    }

    /// Whether `fired` also receives lines that refuse, compel or let pass.
    ///
    /// The search for these lines takes about as much time as the play itself.
    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        false
    }
}

/// Ignores everything, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Watch for Quiet {}

/// Counts captures and passes only, for playing many games fast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of captured pawns.
    pub cuts: u64,
    /// Number of throws without any legal action, plus passes chosen.
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
}

impl Watch for Vec<Happening> {
    fn event(&mut self, happening: Happening) {
        self.push(happening);
    }
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
    /// The place of the pawn before.
    pub from: PathPlace,
    /// The place of the pawn after.
    pub to: PathPlace,
    /// A number whose meaning depends on the kind: pips spent, steps granted, or the rank of a seat that finished.
    pub number: u8,
}

/// Kinds of happenings; their names in lists of events are in snake case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[expect(missing_docs, reason = "their names say it")]
pub enum HappeningKind {
    Thrown,
    Moved,
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
    Chosen,
    Passed,
    PlayerWon,
    PlayerFinished,
    Turn,
    GameOver,
}

impl HappeningKind {
    /// Every kind.
    pub const ALL: [HappeningKind; 19] = {
        use HappeningKind as K;
        [
            K::Thrown,
            K::Moved,
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
            Self::Chosen => "chosen",
            Self::Passed => "passed",
            Self::PlayerWon => "player_won",
            Self::PlayerFinished => "player_finished",
            Self::Turn => "turn",
            Self::GameOver => "game_over",
        }
    }
}
