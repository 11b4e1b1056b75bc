//! Why entrants sit at a table, or have a bye: values for programs, and a sentence for people.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::entrant::EntrantId;
use super::score::Score;

/// Why the entrants of a table sit together, and why in these seats.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TableWhy {
    /// The rule that brought these entrants together.
    pub rule: TableRule,
    /// The reasons of each seat, in the order of the seats.
    pub seats: Vec<SeatWhy>,
    /// Pairs who have met before and could not be kept apart, or meet again by the schedule.
    pub meetings: Vec<Meeting>,
    /// Whether the search for a division without repeated meetings gave up, so that the meetings of this table may be
    /// avoidable.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub may_be_avoidable: bool,
}

/// The rule that brings entrants together.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "rule")]
pub enum TableRule {
    /// The Berger tables, the schedule for tables of two.
    Berger {
        /// The group of the entrants, the first is 1.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        group: Option<usize>,
        /// The cycle of the schedule, the first is 1.
        cycle: usize,
        /// The round of the cycle, the first is 1.
        round: usize,
    },
    /// A balanced first round, rotated by one place in each further round.
    Rotation {
        /// The group of the entrants, the first is 1.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        group: Option<usize>,
        /// The cycle of the schedule, the first is 1.
        cycle: usize,
        /// The round of the cycle, the first is 1.
        round: usize,
    },
    /// Entrants with similar scores meet.
    ScoreGroup {
        /// The highest score at the table.
        highest: Score,
        /// The lowest score at the table.
        lowest: Score,
    },
    /// The table belongs to a bracket.
    Bracket {
        /// The number of places in this round of the bracket, empty ones too, such as 8 in the quarter-finals of duels.
        of: usize,
        /// The number of the table in its round of the bracket, the first is 1.
        table: usize,
    },
    /// The losers of the semi-finals play for the third place.
    ThirdPlace,
    /// Entrants of an arena who were free at the same time.
    Free,
    /// The organiser has put these entrants together.
    Own {
        /// The organiser's reason, for people.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        note: Option<String>,
    },
}

/// Why an entrant has this seat at this table.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SeatWhy {
    /// The entrant.
    pub entrant: EntrantId,
    /// The entrant's score before the round.
    pub score: Score,
    /// The direction in which the entrant leaves their score group for this table. `None`: the entrant stays in the
    /// group.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub float: Option<Float>,
    /// Entrants with the same score whom this entrant has met before, and does not meet in this round.
    pub avoided: Vec<EntrantId>,
    /// How many games the entrant has begun before.
    pub begun: u32,
    /// How many games the entrant has played before.
    pub played: u32,
    /// How often the entrant sat in this seat before.
    pub in_this_seat: u32,
}

/// The direction in which an entrant leaves their score group.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Float {
    /// The opponents have more points, on the mean.
    Up,
    /// The opponents have fewer points, on the mean.
    Down,
}

/// Earlier meetings of two entrants.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// The two entrants.
    pub entrants: [EntrantId; 2],
    /// How often they have met before.
    pub before: u32,
}

/// The reasons of a bye.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ByeWhy {
    /// The rule by which the entrant has a bye.
    pub rule: ByeRule,
    /// The entrant's score before the round.
    pub score: Score,
    /// How many rounds the entrant sat out before with a bye, or because nobody else came. For an entrant who waits in
    /// an arena: in how many rounds the entrant has waited before.
    pub before: u32,
    /// The organiser's reason, for people. Only if the organiser gave the bye.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// The rule by which an entrant has a bye.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ByeRule {
    /// The tables have no room for all entrants. The entrants with the fewest byes sit out, the lowest score first.
    LeftOver,
    /// The entrant has a free round by the schedule.
    Schedule,
    /// The opponents of the schedule or bracket are absent, and too few are left for a table.
    OpponentsAway,
    /// The bracket has an empty place beside this entrant.
    EmptyPlace,
    /// The entrant waits for the next free opponents.
    Waits,
    /// The organiser has given the bye.
    Own,
}

impl fmt::Display for TableWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            TableRule::Berger { cycle, round, .. } => write!(f, "Berger tables, cycle {cycle}, round {round}")?,
            TableRule::Rotation { cycle, round, .. } => write!(f, "rotation, cycle {cycle}, round {round}")?,
            TableRule::ScoreGroup { highest, lowest } if highest == lowest => write!(f, "all have {highest} points")?,
            TableRule::ScoreGroup { highest, lowest } => write!(f, "scores from {lowest} to {highest} points")?,
            TableRule::Bracket { of, table } => write!(f, "bracket of {of}, table {table}")?,
            TableRule::ThirdPlace => write!(f, "losers of the semi-finals")?,
            TableRule::Free => write!(f, "free at the same time")?,
            TableRule::Own { note: None } => write!(f, "uploaded by the organiser")?,
            TableRule::Own { note: Some(note) } => write!(f, "uploaded by the organiser: {note}")?,
        }
        if let TableRule::Berger { group: Some(group), .. } | TableRule::Rotation { group: Some(group), .. } = self.rule
        {
            write!(f, ", group {group}")?;
        }
        for seat in &self.seats {
            match seat.float {
                Some(Float::Up) => write!(f, "; {} floats up from {}", seat.entrant, seat.score)?,
                Some(Float::Down) => write!(f, "; {} floats down from {}", seat.entrant, seat.score)?,
                None => {}
            }
        }
        for seat in self.seats.iter().filter(|seat| !seat.avoided.is_empty()) {
            let avoided: Vec<String> = seat.avoided.iter().map(EntrantId::to_string).collect();
            write!(f, "; {} has met {}", seat.entrant, avoided.join(", "))?;
        }
        for Meeting { entrants: [a, b], before } in &self.meetings {
            write!(f, "; {a} and {b} meet again, met before: {before}")?;
        }
        if self.may_be_avoidable {
            write!(f, "; the search gave up: this may be avoidable")?;
        }
        if let Some(first) = self.seats.first() {
            write!(f, "; {} begins, has begun {} of {} games", first.entrant, first.begun, first.played)?;
        }
        Ok(())
    }
}

impl fmt::Display for ByeWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self.rule {
            ByeRule::LeftOver => "left over, with the fewest byes and the lowest score that can be left over",
            ByeRule::Schedule => "free by the schedule",
            ByeRule::OpponentsAway => "the opponents are away",
            ByeRule::EmptyPlace => "an empty place in the bracket",
            ByeRule::Waits => "waits for free opponents",
            ByeRule::Own => "uploaded by the organiser",
        };
        write!(f, "{rule}")?;
        if let Some(note) = &self.note {
            write!(f, ": {note}")?;
        }
        let counted = if self.rule == ByeRule::Waits { "waits" } else { "byes" };
        write!(f, "; {} points, {} {counted} before", self.score, self.before)
    }
}
