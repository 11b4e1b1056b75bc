//! The cache of decoded tournaments: most parts of a large tournament stay the same from version to version.

use std::sync::Arc;

use crate::error::Problem;
use crate::ground::recent::Recent;
use crate::store::StoredEntity;
use crate::tournament::TournamentId;
use crate::tournament::stored::Tournament;

/// A cache of at least 8 tournaments. One of a thousand entrants and ten rounds takes some 10 MB.
///
/// A part of an entry is used only where a stored tournament has the same bytes, so an entry may be of any version,
/// even of a version that was never committed.
#[derive(Default)]
pub(crate) struct TournamentCache(Recent<TournamentId, Arc<Tournament>, 8>);

impl TournamentCache {
    /// Decodes a stored tournament.
    ///
    /// # Errors
    /// The stored tournament is damaged.
    pub(crate) fn read(&self, stored: &StoredEntity) -> Result<Tournament, Problem> {
        let cached = self.0.get(&stored.id.id);
        let tournament = Tournament::read_knowing(&stored.snapshot, cached.as_deref())?;
        self.keep(stored.id.id, &tournament);
        Ok(tournament)
    }

    /// Adds a tournament that was decoded or encoded.
    pub(crate) fn keep(&self, id: TournamentId, tournament: &Tournament) {
        self.0.keep(id, Arc::new(tournament.clone()));
    }
}
