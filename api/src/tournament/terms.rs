//! The terms of a tournament, which are fixed when it is created.

use pagade_pairing::{Format, Playable, Points, Seeding, TieBreak};
use pagade_rules::ruleset::Options;
use serde::{Deserialize, Serialize};

use crate::game::terms::{PinnedRules, RobotPause, TurnTimer, stored_options};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// The rule set of all games. A newer version that is published later does not change it.
    pub rule_set: PinnedRules,
    /// The options that were chosen. Other options have the defaults of the rule set.
    #[serde(with = "stored_options")]
    pub options: Options,
    /// The seats that play, in the order of travel: one list for each number of seats that can occur and
    /// that the rule set allows.
    pub boards: Vec<Vec<String>>,
    /// The time limit for decisions; `None` if there is none.
    pub timer: Option<TurnTimer>,
    /// The pause before a robot plays its turn in a game.
    pub robot_pause: RobotPause,
    /// Whether all games of a round have the same seed, so that all tables get the same throws.
    pub same_dice: bool,
    /// The form of the tournament.
    pub format: Format,
    /// The time for which an arena is open, in seconds. Only for arenas.
    pub open_seconds: Option<u32>,
    /// The order before the first round.
    pub seeding: Seeding,
    /// The points for each place.
    pub points: Points,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<TieBreak>,
    /// Number of members of an entrant; 1 if everybody plays alone.
    pub team_size: usize,
    /// Who may enter.
    pub registration: Registration,
    /// Maximum number of entrants who play. Further entrants wait.
    pub most_entrants: usize,
    /// Whether people may enter by themselves after the start.
    pub late_entries: bool,
    /// Whether the next round is paired as soon as all results are in.
    pub is_automatic: bool,
    /// Whether robots may enter.
    pub takes_robots: bool,
    /// The consequences for entrants who do not come; `None`: games wait for them until the time limit for decisions
    /// ends.
    pub no_show: Option<NoShow>,
    /// The prizes for the first places, the first one first.
    pub prizes: Vec<String>,
}

/// The consequences for entrants who do not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NoShow {
    /// Seconds for the first decision of a seat in a game, after which the seat forfeits the game.
    pub seconds: u32,
    /// The entrant is withdrawn after missing this number of tables. `None`: never.
    pub withdraw_after: Option<u32>,
}

/// Who may enter a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Registration {
    /// Everybody.
    Open,
    /// Everybody who has the invitation.
    Invited,
    /// Only entrants whom the organiser enters.
    List,
}

impl Terms {
    /// Tells whether the tournament is an arena.
    pub(crate) fn is_arena(&self) -> bool {
        matches!(self.format, Format::Arena { .. })
    }

    /// Returns the sizes of tables that the tournament has.
    pub(crate) fn playable(&self) -> Playable {
        Playable::new(|entrants| self.boards.iter().any(|seats| seats.len() == entrants * self.team_size))
    }
}
