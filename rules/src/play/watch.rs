//! What playing tells whoever wants to know.

use crate::tables::LineId;
use crate::units::{PathPlace, Seat};

/// Hears what happens; every method does nothing unless it is written.
pub trait Watch {
    /// Something happened, in this order.
    #[inline(always)]
    fn event(&mut self, happening: Happening) {
        let _ = happening;
    }

    /// A rule line decided something that was played; with [`Watch::hears_refusals`], or that was not.
    #[inline(always)]
    fn fired(&mut self, line: LineId) {
        let _ = line;
    }

    /// Whether lines are told too that only withhold or let pass: those that refuse, compel, or open a way.
    ///
    /// Finding them out takes about as long as playing.
    #[inline(always)]
    fn hears_refusals(&self) -> bool {
        false
    }
}

/// Hears nothing, at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quiet;

impl Watch for Quiet {}

/// Hears captures and passes only, for playing many games fast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pawns captured.
    pub cuts: u64,
    /// Throws of which nothing was played, and passes chosen.
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

/// Something that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Happening {
    /// What.
    pub kind: HappeningKind,
    /// Whose pawn, or whose turn.
    pub seat: Seat,
    /// Which pawn of that colour, where it is about one.
    pub pawn: Option<u8>,
    /// Where it stood.
    pub from: PathPlace,
    /// Where it stands.
    pub to: PathPlace,
    /// The number spent, the bonus granted, the place reached.
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
