//! A tournament while a command changes it: its next version, and the events of the command.

use std::collections::HashSet;

use crate::error::Problem;
use crate::ground::clock;
use crate::model::event_kind::TournamentEventKind;
use crate::model::tournament::TournamentView;
use crate::store::EntityChange;
use crate::tournament::entity;
use crate::tournament::event::{self, EventSubjects};
use crate::tournament::stored::{Tournament, TournamentStatus};
use crate::tournament::{TournamentId, view};

/// A tournament that a command changes, until it is committed as its next version.
pub(crate) struct TournamentEdit {
    pub id: TournamentId,
    /// The next version of the tournament.
    pub tournament: Tournament,
    /// Whether the tournament needs a new deadline, because it is new, or there is something to do for it.
    pub is_new_state: bool,
    /// Whether the tags have changed.
    pub has_new_tags: bool,
    /// The names of entrants and members in the form in which they are compared, once a command has needed them.
    pub names: Option<HashSet<String>>,
    /// The version of the tournament before the command.
    version_before: u64,
    events: Vec<Vec<u8>>,
}

impl TournamentEdit {
    /// Begins to change a tournament, or makes a new one. `now` is in milliseconds since 1970.
    pub(crate) fn begin(id: TournamentId, mut tournament: Tournament, now: u64) -> Self {
        let version_before = tournament.version;
        tournament.version += 1;
        tournament.changed_at = now;
        let is_new = version_before == 0;
        Self {
            id,
            tournament,
            is_new_state: is_new,
            has_new_tags: is_new,
            names: None,
            version_before,
            events: Vec::new(),
        }
    }

    /// Returns the version of the tournament before the command.
    pub(crate) fn version_before(&self) -> u64 {
        self.version_before
    }

    /// Returns the time of the change, in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        self.tournament.changed_at
    }

    /// Appends an event.
    ///
    /// # Errors
    /// The event cannot be written as JSON, which its type makes impossible.
    pub(crate) fn add(&mut self, kind: TournamentEventKind, about: EventSubjects<'_>) -> Result<(), Problem> {
        self.tournament.events += 1;
        self.events.push(event::write(self.tournament.events, kind, &clock::at(self.now()), about)?);
        Ok(())
    }

    /// Gives the tournament another status.
    pub(crate) fn set_status(&mut self, status: TournamentStatus) {
        self.tournament.status = status;
        (self.is_new_state, self.has_new_tags) = (true, true);
    }

    /// Returns the view of the changed tournament.
    pub(crate) fn view(&self) -> TournamentView<'_> {
        view::tournament(self.id, &self.tournament)
    }

    /// Tells whether webhooks have new events to deliver.
    pub(crate) fn notifies_webhooks(&self) -> bool {
        !self.tournament.webhooks.is_empty() && !self.events.is_empty()
    }

    /// Makes the change to commit. Also returns the tournament after it.
    ///
    /// # Errors
    /// The tournament cannot be encoded, which its type makes impossible.
    pub(crate) fn into_change(self) -> Result<(EntityChange, Tournament), Problem> {
        let change = EntityChange {
            id: entity(self.id),
            expected: self.version_before,
            snapshot: self.tournament.write()?,
            changed_at: self.tournament.changed_at,
            is_closed: self.tournament.status == TournamentStatus::Finished,
            tags: self.has_new_tags.then(|| self.tournament.tags()),
            events: self.events,
            text: None,
            deadline: None,
        };
        Ok((change, self.tournament))
    }
}
