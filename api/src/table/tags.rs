//! The tags by which tables are listed: filters of clients, the players at a table, and its class.

use crate::player::PlayerId;
use crate::table::settings::TableSettings;
use crate::table::stored::Table;

impl Table {
    /// Returns the tags by which the table is listed. A closed table has only those of its players and its class.
    pub(crate) fn tags(&self) -> Vec<String> {
        let mut tags = vec![tag_of_class(&self.class())];
        if self.takes_strangers() {
            tags.push(tag_of_open_class(&self.class()));
        }
        if !self.is_closed {
            let settings = &self.settings;
            for wanted in TableFilter::combinations(settings, &self.rule_set.id, self.has_free_seat()) {
                tags.push(wanted.tag());
            }
        }
        tags.extend(self.sitters().map(|(_, sitter)| tag_of_player(PlayerRole::Seated, sitter.player)));
        tags.extend(self.watchers.iter().map(|watcher| tag_of_player(PlayerRole::Watching, watcher.player)));
        tags.extend(self.invitations.iter().map(|invitation| tag_of_player(PlayerRole::Invited, invitation.player)));
        tags.extend(self.named().chain(self.visitors.iter().copied()).map(tag_of_named));
        tags.sort();
        tags.dedup();
        tags
    }
}

/// The role of a player at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlayerRole {
    /// The player sits at the table.
    Seated,
    /// The player watches the table.
    Watching,
    Invited,
}

/// Returns the tag of tables of a class, also of closed ones.
pub(crate) fn tag_of_class(class: &str) -> String {
    format!("class/{class}")
}

/// Returns the tag of the tables of a class that take strangers.
pub(crate) fn tag_of_open_class(class: &str) -> String {
    format!("class/{class}/open")
}

/// The filters of a list of tables that are not closed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TableFilter<'a> {
    /// Whether only tables with a free seat are listed.
    pub free: bool,
    /// Only private tables, or only public ones; `None` for both.
    pub private: Option<bool>,
    /// The id of the rule set; `None` for any.
    pub rule_set: Option<&'a str>,
    /// The time for a decision, in seconds; `None` for any.
    pub time_per_turn: Option<u32>,
    /// The bet; `None` for any.
    pub bet: Option<u32>,
}

impl<'a> TableFilter<'a> {
    /// Returns all combinations of filters that find a table with these settings: each filter has the value of the
    /// table, or none.
    fn combinations(settings: &TableSettings, rule_set: &'a str, has_free_seat: bool) -> Vec<Self> {
        let mut all = vec![Self::default()];
        let mut add = |with: &dyn Fn(Self) -> Self| all.extend(all.clone().into_iter().map(with));
        if has_free_seat {
            add(&|wanted| Self { free: true, ..wanted });
        }
        add(&|wanted| Self { private: Some(settings.private), ..wanted });
        add(&|wanted| Self { rule_set: Some(rule_set), ..wanted });
        add(&|wanted| Self { time_per_turn: Some(settings.seconds_per_turn()), ..wanted });
        add(&|wanted| Self { bet: Some(settings.bet), ..wanted });
        all
    }

    /// Returns the tag of the tables that fit. A tag leaves out a bet of `None`: tables in older stores have tags
    /// without bets, and have to be listed still.
    pub(crate) fn tag(&self) -> String {
        let free = if self.free { "free" } else { "any" };
        let private = match self.private {
            None => "any",
            Some(true) => "private",
            Some(false) => "public",
        };
        let time = self.time_per_turn.map_or_else(|| "any".to_owned(), |seconds| seconds.to_string());
        let bet = self.bet.map(|chips| format!("bet/{chips}/")).unwrap_or_default();
        format!("{bet}{free}/{private}/{time}/{}", self.rule_set.unwrap_or_default())
    }
}

/// Returns the tag of tables at which a player has this role.
pub(crate) fn tag_of_player(role: PlayerRole, player: PlayerId) -> String {
    let role = match role {
        PlayerRole::Seated => "seated",
        PlayerRole::Watching => "watching",
        PlayerRole::Invited => "invited",
    };
    format!("player/{}/{role}", player.simple())
}

/// Returns the tag of tables that name this player anywhere, also in their events.
pub(crate) fn tag_of_named(player: PlayerId) -> String {
    format!("player/{}/named", player.simple())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::terms::PinnedRules;
    use crate::table::stored::TableSeat;

    #[test]
    fn a_table_is_listed_by_the_tags_that_were_stored_before_there_were_bets() {
        let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
        let mut table = Table::new(None, rule_set, vec![TableSeat::free("red".to_owned())], 0);
        table.settings.bet = 100;
        let mut before = Vec::new();
        for free in ["any", "free"] {
            for private in ["any", "public"] {
                for time in ["any", "30"] {
                    before.extend(["", "x"].map(|rule_set| format!("{free}/{private}/{time}/{rule_set}")));
                }
            }
        }
        let tags = table.tags();
        assert!(before.iter().all(|tag| tags.contains(tag)), "{tags:?}");
        assert!(before.iter().all(|tag| tags.contains(&format!("bet/100/{tag}"))), "{tags:?}");
        let wanted = TableFilter { rule_set: Some("x"), ..TableFilter::default() };
        assert_eq!(
            (wanted.tag(), TableFilter::default().tag()),
            ("any/any/any/x".to_owned(), "any/any/any/".to_owned())
        );
        // Beside the tags of the filters, a table has the two tags of its class.
        assert_eq!(tags.len(), 2 * before.len() + 2);
    }
}
