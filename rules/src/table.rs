//! Makes a table from a checked rule set: the rules prepared for chosen options and seats.

use crate::play::Engine;
use crate::ruleset::{Options, PlayableTable, RuleSet, TableProblem};
use crate::tables::Rules;

impl RuleSet {
    /// Prepares the rules for these options and seats. An option that is not given has its default. Without `players`
    /// all seats of the full table play.
    ///
    /// # Errors
    /// Every option or seat that does not fit the rule set is reported.
    pub fn rules(&self, options: &Options, players: Option<&[String]>) -> Result<Rules, Vec<TableProblem>> {
        let mut rules = crate::build::table(&self.document, &self.digest, options, players)?;
        let id = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).trim_end_matches(".yaml").to_owned();
        rules.identity.bases = self.sources.iter().skip(1).map(|source| id(&source.name)).collect();
        Ok(rules)
    }

    /// Makes an engine that plays by this rule set. An option that is not given has its default. Without `players` all
    /// seats of the full table play.
    ///
    /// # Errors
    /// Every option or seat that does not fit the rule set is reported.
    pub fn table(&self, options: &Options, players: Option<&[String]>) -> Result<Engine, Vec<TableProblem>> {
        self.rules(options, players).map(Engine::new)
    }

    /// Lists every group of seats that can play together. The last group is the full table. An option that is not given
    /// has its default.
    ///
    /// # Errors
    /// Every option that does not fit the rule set is reported.
    pub fn playable_tables(&self, options: &Options) -> Result<Vec<PlayableTable>, Vec<TableProblem>> {
        crate::build::playable_tables(&self.document, options)
    }
}
