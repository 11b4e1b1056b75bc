//! Views of a player: the forms in which the API shows a player.

use crate::ground::clock;
use crate::model::player::{PlayerProfile, PlayerView};
use crate::model::statistics::{BadgeView, PlayerStatistics, RatingView, RuleSetRecord, SeasonView};
use crate::player::PlayerId;
use crate::player::stored::Player;
use crate::score::awards::Awards;
use crate::score::career::{EarnedBadge, RuleSetCareer};

/// Makes the view of a player for this player alone.
pub(crate) fn player(id: PlayerId, player: &Player) -> PlayerView<'_> {
    PlayerView {
        id,
        version: player.version,
        name: player.name.as_deref(),
        registered: player.is_registered,
        created_at: clock::at(player.created_at),
        updated_at: clock::at(player.changed_at),
        unfinished_games: player.games.iter().filter(|game| game.seat.is_some()).count() as u64,
        balance: player.ledger.balance,
        staked: player.ledger.staked(),
        events: player.events,
    }
}

/// Makes the view of a player's results in competitive games.
pub(crate) fn statistics<'p>(id: PlayerId, player: &'p Player, awards: &Awards) -> PlayerStatistics<'p> {
    let career = &player.career;
    let (level, next_level) = awards.level(career.experience);
    let badge = |earned: &'p EarnedBadge| BadgeView {
        id: &earned.id,
        text: awards.badge(&earned.id).map(|badge| badge.text.clone()),
        at: clock::at(earned.at),
    };
    PlayerStatistics {
        player: id,
        name: player.name.as_deref(),
        experience: career.experience,
        level,
        next_level,
        played: career.played,
        won: career.won,
        lost: career.played - career.won,
        streak: career.streak,
        badges: career.badges.iter().map(badge).collect(),
        rule_sets: career.records.iter().rev().map(record).collect(),
    }
}

fn record(record: &RuleSetCareer) -> RuleSetRecord<'_> {
    RuleSetRecord {
        rule_set: &record.rule_set,
        played: record.played,
        won: record.won,
        lost: record.played - record.won,
        experience: record.experience,
        rating: RatingView { value: record.rating.value, uncertainty: record.rating.uncertainty },
        seasons: record
            .seasons
            .iter()
            .rev()
            .map(|season| SeasonView { season: &season.season, experience: season.experience })
            .collect(),
    }
}

/// Makes the view of a player for everybody.
pub(crate) fn profile(id: PlayerId, player: &Player) -> PlayerProfile<'_> {
    PlayerProfile { id, name: player.name.as_deref(), created_at: clock::at(player.created_at) }
}
