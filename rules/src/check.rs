//! The check of a rule file: its text becomes a [`RuleSet`], or a list of problems.

use crate::document::{Document, OptionLine};
use crate::option_value::OptionValue;
use crate::read::{Reading, read};
use crate::ruleset::{Checked, Options, RuleFiles, RuleSet};
use crate::source::Source;

impl RuleSet {
    /// Reads and checks a file and the files that it extends.
    pub fn check(source: &Source, library: &dyn RuleFiles) -> Checked {
        let Reading { document, flattened, mut report } = read(source, library);
        if let Some(document) = &document {
            crate::build::check(document, &mut report);
            crate::texts::check(document, &mut report);
        }
        let is_sound = !report.has_errors();
        let (sources, problems) = report.finish();
        let ruleset = document.filter(|_| is_sound).map(|document| RuleSet {
            document,
            sources,
            digest: const_hex::encode(blake3::hash(flattened.as_bytes()).as_bytes()),
            flattened,
        });
        Checked { ruleset, problems }
    }

    /// The parsed rule file. A variant is already merged with the file that it extends.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The source texts: the rule file itself, then the files that it extends.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The BLAKE3 digest of [`RuleSet::flattened`], in hexadecimal. Two rule sets with the same rules have the same
    /// digest.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The rule set as one YAML text in normal form. It extends nothing: all parts that a variant takes from other
    /// files are written out in it.
    pub fn flattened(&self) -> &str {
        &self.flattened
    }

    /// The id of the rule set.
    pub fn id(&self) -> &str {
        &self.document.rules.value
    }

    /// The version of the rule set.
    pub fn version(&self) -> &str {
        &self.document.version.value
    }

    /// The title of the game.
    pub fn title(&self) -> &str {
        &self.document.title.value
    }

    /// The table options, in the order of the file.
    pub fn options(&self) -> &[OptionLine] {
        &self.document.options
    }

    /// Converts option values that were read as text to the types that this rule set declares: `yes`, `no`, `true` and
    /// `false` to a truth value, digits to a number. A value that does not fit stays a word, and [`RuleSet::table`]
    /// then reports it.
    pub fn typed(&self, written: &Options) -> Options {
        let typed = |(name, value): (&String, &OptionValue)| {
            let declared = self.options().iter().find(|option| option.name.value == *name);
            (name.clone(), declared.map_or_else(|| value.clone(), |option| option.kind.typed(value)))
        };
        written.iter().map(typed).collect()
    }
}
