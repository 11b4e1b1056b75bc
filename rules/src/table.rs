//! From a checked rule set to a table.

use crate::play::Engine;
use crate::ruleset::{Options, RuleSet, TableProblem};
use crate::tables::Rules;

impl RuleSet {
    /// Builds the table for these options (defaults for the rest) and seats (`None`: the full table).
    ///
    /// # Errors
    /// Every option or seat that does not fit.
    pub fn rules(&self, options: &Options, players: Option<&[String]>) -> Result<Rules, Vec<TableProblem>> {
        crate::build::table(&self.document, &self.digest, options, players)
    }

    /// Makes an engine that plays by this rule set, with these options (defaults for the rest) and seats (`None`: the
    /// full table).
    ///
    /// # Errors
    /// Every option or seat that does not fit.
    pub fn table(&self, options: &Options, players: Option<&[String]>) -> Result<Engine, Vec<TableProblem>> {
        self.rules(options, players).map(Engine::new)
    }
}
