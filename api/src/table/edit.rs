//! A table while a command changes it: the next version, and the events of the command.

use crate::error::{Code, Problem};
use crate::ground::clock;
use crate::model::event_kind::TableEventKind;
use crate::model::table::TableView;
use crate::player::PlayerId;
use crate::store::EntityChange;
use crate::table::event::{self, TableEventFields};
use crate::table::notice::{self, Notice, NoticeKind};
use crate::table::stored::Table;
use crate::table::view;
use crate::table::{TableId, entity};

/// A table that a command changes, until it is committed as its next version.
pub(crate) struct TableEdit {
    pub id: TableId,
    /// The next version of the table.
    pub table: Table,
    /// Whether the table needs a new expiry, because it is new or was closed.
    pub is_new_state: bool,
    /// The version of the table before the command.
    version_before: u64,
    tags_before: Vec<String>,
    events: Vec<Vec<u8>>,
    /// Number of notices before the command.
    noticed_before: u64,
}

impl TableEdit {
    /// Begins to change a table, or makes a new one. `now` is in milliseconds since 1970.
    pub(crate) fn begin(id: TableId, mut table: Table, now: u64) -> Self {
        let (version_before, noticed_before) = (table.version, table.noticed);
        let tags_before = if version_before == 0 { Vec::new() } else { table.tags() };
        table.version += 1;
        table.changed_at = now;
        Self {
            id,
            table,
            is_new_state: version_before == 0,
            version_before,
            tags_before,
            events: Vec::new(),
            noticed_before,
        }
    }

    /// Returns the version of the table before the command.
    pub(crate) fn version_before(&self) -> u64 {
        self.version_before
    }

    /// Checks that the table is not closed.
    ///
    /// # Errors
    /// 409 if the last player has left.
    pub(crate) fn check_open(&self) -> Result<(), Problem> {
        if self.table.is_closed {
            return Err(Problem::new(Code::TableClosed, "the last player has left this table"));
        }
        Ok(())
    }

    /// Appends an event.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn add(&mut self, kind: TableEventKind, fields: TableEventFields) -> Result<(), Problem> {
        if let Some(player) = fields.player.filter(|player| !self.table.visitors.contains(player)) {
            self.table.visitors.push(player);
        }
        self.table.events += 1;
        self.events.push(event::write(self.table.events, kind, &clock::at(self.table.changed_at), &fields)?);
        Ok(())
    }

    /// Removes these players from the visitors, after they were removed from the events of the table.
    pub(crate) fn forget_visitors(&mut self, visitors: &[PlayerId]) {
        self.table.visitors.retain(|visitor| !visitors.contains(visitor));
    }

    /// Returns the fields of an event about a player, with the seat if the player sits here.
    pub(crate) fn of_player(&self, player: PlayerId) -> TableEventFields {
        let seat = self.table.seat_of(player).map(str::to_owned);
        TableEventFields { seat, player: Some(player), ..TableEventFields::default() }
    }

    /// Adds a notice for the inbox of a player.
    pub(crate) fn notify(&mut self, player: PlayerId, kind: NoticeKind) {
        let table = &mut self.table;
        table.noticed += 1;
        table.notices.push_back(Notice { number: table.noticed, player, kind, at: table.changed_at });
        if table.notices.len() > notice::MOST_NOTICES {
            table.notices.pop_front();
        }
    }

    /// Tells whether there are new notices for the inboxes of players.
    pub(crate) fn has_notices(&self) -> bool {
        self.table.noticed > self.noticed_before
    }

    /// Returns the view of the changed table.
    pub(crate) fn view(&self) -> TableView<'_> {
        view::table(self.id, &self.table)
    }

    /// Tells whether webhooks have new events to deliver.
    pub(crate) fn notifies_webhooks(&self) -> bool {
        !self.table.webhooks.is_empty() && !self.events.is_empty()
    }

    /// Makes the change to commit.
    ///
    /// # Errors
    /// The table cannot be encoded, which its type makes impossible.
    pub(crate) fn into_change(self) -> Result<EntityChange, Problem> {
        let tags = self.table.tags();
        Ok(EntityChange {
            id: entity(self.id),
            expected: self.version_before,
            snapshot: self.table.write()?,
            changed_at: self.table.changed_at,
            is_closed: self.table.is_closed && self.table.current.is_none(),
            tags: (self.version_before == 0 || tags != self.tags_before).then_some(tags),
            events: self.events,
            text: None,
            deadline: None,
        })
    }
}
