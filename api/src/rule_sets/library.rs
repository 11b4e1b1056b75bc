//! The library: the rule sets of the program, and those published in the store, compiled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Checked, Options, RuleFiles, RuleSet};
use pagade_rules::source::Source;
use pagade_rules::texts::Translation;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Detail, Problem, ProblemPart, internal};
use crate::ground::pointer::escape;
use crate::ground::recent::Recent;
use crate::model::rule_set::GameLength;
use crate::rule_sets::workers::Workers;
use crate::store::{SharedText, Store};

/// Minimum number of recently compiled entries that each of two caches keeps: rule sets, and engines. An entry that was
/// dropped is compiled again when it is needed.
const GENERATION: usize = 128;
/// Name, in messages, of a rule text that a client sends. Such a text has no file name.
pub(crate) const TEXT_NAME: &str = "text";

/// A rule set with the files that it was compiled from.
#[derive(Debug)]
pub(crate) struct CompiledRuleSet {
    pub set: RuleSet,
    /// Whether the rule set is part of the program.
    pub bundled: bool,
    /// The rule file, then the files that it extends, then the translations.
    pub files: Vec<StoredRuleFile>,
    /// The translations that were published with the rule set, then those of the rule sets that it extends.
    pub translations: Vec<Translation>,
    /// How long games last, once measured; `None` if the games took too long to play.
    pub length: OnceLock<Option<GameLength>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredRuleFile {
    /// The name of the file in messages, and in `extends` of other files.
    pub name: String,
    /// The YAML text of the file.
    pub text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_translation: bool,
}

impl StoredRuleFile {
    /// Makes the file of a translation. The name of the file is the tag of the language.
    pub(crate) fn of_translation(language: &str, text: &str) -> Self {
        Self { name: language.to_owned(), text: text.to_owned(), is_translation: true }
    }
}

impl CompiledRuleSet {
    /// Joins a rule set with the files that it was compiled from, and reads the translations among them. A translation
    /// that has errors is left out.
    pub(crate) fn new(set: RuleSet, bundled: bool, files: Vec<StoredRuleFile>) -> Self {
        let translations = files.iter().filter(|file| file.is_translation).filter_map(|file| {
            let source = Source { name: file.name.clone(), text: file.text.clone() };
            Translation::of_rule_sets(&source).0
        });
        Self { translations: translations.collect(), set, bundled, files, length: OnceLock::new() }
    }

    /// Returns the rule files in the form in which the store has them.
    ///
    /// # Errors
    /// The files cannot be written as JSON, which their type makes impossible.
    pub(crate) fn rule_text(&self) -> Result<SharedText, Problem> {
        let bytes = serde_json::to_vec(&self.files).map_err(internal)?;
        Ok(SharedText { digest: self.set.digest().to_owned(), bytes })
    }

    /// Returns the name of the file that the rule set extends; `None` if it extends none.
    pub(crate) fn base(&self) -> Option<&str> {
        self.files.get(1).filter(|file| !file.is_translation).map(|file| file.name.as_str())
    }

    /// Returns the name under which the rule set is published: `id@version`.
    pub(crate) fn name(&self) -> String {
        format!("{}@{}", self.set.id(), self.set.version())
    }
}

/// The result of checking a rule text.
pub(crate) struct CheckedText {
    /// The problems of the text, and the rule set if none of them is an error.
    pub checked: Checked,
    /// The rule text and the files that it extends, then the translations of these files.
    pub files: Vec<StoredRuleFile>,
}

/// All rule sets. Those of the program are compiled together at the first use, once a process; a rule set of the store
/// is compiled when it is needed.
pub(crate) struct Library {
    store: Arc<dyn Store>,
    workers: Workers,
    compiled_sets: Recent<String, Arc<CompiledRuleSet>, GENERATION>,
    tables: Recent<String, Arc<Engine>, GENERATION>,
}

impl Library {
    /// Makes a library with the rule sets of the program and the published ones of this store. Nothing is read or
    /// compiled yet.
    pub(crate) fn new(store: Arc<dyn Store>, workers: Workers) -> Self {
        Self { store, workers, compiled_sets: Recent::default(), tables: Recent::default() }
    }

    fn bundled(&self) -> &'static [Arc<CompiledRuleSet>] {
        static BUNDLED: OnceLock<Vec<Arc<CompiledRuleSet>>> = OnceLock::new();
        BUNDLED.get_or_init(|| {
            let texts = pagade_rules::bundled::SETS;
            let texts_by_id: BTreeMap<&str, &str> = texts.iter().map(|(id, text)| (*id, *text)).collect();
            let compiled_sets = texts.iter().filter_map(|(id, text)| {
                let base_texts = BaseTexts::new(
                    texts_by_id.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect(),
                );
                let checked_text = base_texts.check_text(id, text);
                let Some(set) = checked_text.checked.ruleset else {
                    tracing::error!(id, problems = ?checked_text.checked.problems, "bundled rule set does not compile");
                    return None;
                };
                Some(Arc::new(CompiledRuleSet::new(set, true, checked_text.files)))
            });
            compiled_sets.collect()
        })
    }

    /// Returns all rule sets, sorted by id and version.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn all(&self) -> Result<Vec<Arc<CompiledRuleSet>>, Problem> {
        self.matching(|_| true).await
    }

    async fn matching(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<Arc<CompiledRuleSet>>, Problem> {
        let mut compiled_sets =
            self.bundled().iter().filter(|compiled| wanted(compiled.set.id())).cloned().collect::<Vec<_>>();
        for (name, digest) in self.store.published().await? {
            if wanted(name.split('@').next().unwrap_or_default()) {
                compiled_sets.extend(self.by_digest(&digest).await?);
            }
        }
        compiled_sets.sort_by_key(|compiled| order(compiled));
        Ok(compiled_sets)
    }

    /// Finds a rule set by its id and version. Without a version, finds the newest one.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn find(&self, id: &str, version: Option<&str>) -> Result<Option<Arc<CompiledRuleSet>>, Problem> {
        let compiled_sets = self.matching(|other| other == id).await?;
        let fits = |compiled: &&Arc<CompiledRuleSet>| {
            compiled.set.id() == id && version.is_none_or(|version| version == compiled.set.version())
        };
        Ok(compiled_sets.iter().rfind(fits).cloned())
    }

    /// Returns the variants of a rule set that are part of the program: those that extend it directly.
    pub(crate) fn variants_of(&self, id: &str) -> Vec<Arc<CompiledRuleSet>> {
        self.bundled().iter().filter(|compiled| compiled.base() == Some(id)).cloned().collect()
    }

    /// Finds a rule set by its digest, even if it is no longer published under a name.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn by_digest(&self, digest: &str) -> Result<Option<Arc<CompiledRuleSet>>, Problem> {
        if let Some(compiled) = self.bundled().iter().find(|compiled| compiled.set.digest() == digest) {
            return Ok(Some(Arc::clone(compiled)));
        }
        if let Some(compiled) = self.compiled_sets.get(&digest.to_owned()) {
            return Ok(Some(compiled));
        }
        let Some(bytes) = self.store.text(digest.to_owned()).await? else { return Ok(None) };
        let files = serde_json::from_slice::<Vec<StoredRuleFile>>(&bytes).map_err(internal)?;
        let compiled = tokio::task::spawn_blocking(move || {
            let (first, others) = files.split_first()?;
            let others = others.iter().filter(|file| !file.is_translation);
            let base_texts = BaseTexts::new(others.map(|file| (file.name.clone(), file.text.clone())).collect());
            let set = base_texts.check_text(&first.name, &first.text).checked.ruleset?;
            Some((set, files))
        });
        let Some((set, files)) = compiled.await.map_err(internal)? else {
            return Err(internal(format!("the rule set {digest} does not compile")));
        };
        let compiled = Arc::new(CompiledRuleSet::new(set, false, files));
        self.compiled_sets.keep(digest.to_owned(), Arc::clone(&compiled));
        Ok(Some(compiled))
    }

    /// Checks a rule text. The text may extend any rule set of the library.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn check_text(&self, text: &str) -> Result<CheckedText, Problem> {
        let mut base_files = BTreeMap::new();
        let mut translations = Vec::new();
        loop {
            let (base_texts, text) = (BaseTexts::new(base_files), text.to_owned());
            let checked_text = self.workers.work(move || {
                let checked_text = base_texts.check_text(TEXT_NAME, &text);
                (checked_text, base_texts)
            });
            let (mut checked_text, base_texts) = checked_text.await?;
            // The check has listed the files that the text extends. Missing files are fetched here, and the text is
            // checked again.
            let missing = base_texts.missing();
            base_files = base_texts.files;
            let mut fetched = false;
            for name in missing {
                if let Some(compiled) = self.find(&name, None).await?
                    && let Some(file) = compiled.files.first()
                {
                    // A variant has the translations of its base among its own files.
                    for file in compiled.files.iter().filter(|file| file.is_translation) {
                        if !translations.contains(file) {
                            translations.push(file.clone());
                        }
                    }
                    fetched |= base_files.insert(name, file.text.clone()).is_none();
                }
            }
            if !fetched {
                checked_text.files.extend(translations);
                return Ok(checked_text);
            }
        }
    }

    /// Returns the engine for the rule set with this digest, and for options and seats, as a game stores them.
    ///
    /// # Errors
    /// The store is not available, or the rule set is missing.
    pub(crate) async fn pinned_table(
        &self,
        digest: &str,
        options: &Options,
        players: &[String],
    ) -> Result<Arc<Engine>, Problem> {
        let key = table_key(digest, options, Some(players));
        if let Some(engine) = self.tables.get(&key) {
            return Ok(engine);
        }
        let compiled = self.by_digest(digest).await?;
        let compiled = compiled.ok_or_else(|| internal(format!("the rule set {digest} is missing")))?;
        self.table(&compiled, options, Some(players))
    }

    /// Returns the engine for a rule set, options and seats.
    ///
    /// # Errors
    /// 422 with every option and seat that does not fit.
    pub(crate) fn table(
        &self,
        compiled: &CompiledRuleSet,
        options: &Options,
        players: Option<&[String]>,
    ) -> Result<Arc<Engine>, Problem> {
        // Without `players`, all seats of the rule set play. The cache then has the engine under two keys: without
        // `players`, and with the names of all seats.
        let requested_key = table_key(compiled.set.digest(), options, players);
        if let Some(engine) = self.tables.get(&requested_key) {
            return Ok(engine);
        }
        let engine = Arc::new(self::table(&compiled.set, options, players)?);
        let names = engine.seating.players.iter().map(|seat| engine.seat_name(*seat).to_owned()).collect::<Vec<_>>();
        let named = table_key(compiled.set.digest(), options, Some(&names));
        if named != requested_key {
            self.tables.keep(named, Arc::clone(&engine));
        }
        self.tables.keep(requested_key, Arc::clone(&engine));
        Ok(engine)
    }
}

/// Compiles the engine for a rule set, options and seats.
///
/// # Errors
/// 422 with every option and seat that does not fit.
pub(crate) fn table(set: &RuleSet, options: &Options, players: Option<&[String]>) -> Result<Engine, Problem> {
    set.table(options, players).map_err(|problems| {
        let parts = problems.into_iter().map(|problem| {
            let pointer = match problem.field.as_str() {
                "players" => "/players".to_owned(),
                option => format!("/options/{}", escape(option)),
            };
            let mut part = ProblemPart::at(pointer, problem.message).helped(problem.help.map(Detail::from));
            part.args.insert("field".to_owned(), problem.field.into());
            ProblemPart { code: Some(problem.code.to_owned()), ..part }
        });
        let parts: Vec<_> = parts.collect();
        let detail = parts.first().map(ProblemPart::detail).unwrap_or_default();
        Problem::new(Code::BodyInvalid, detail).with(parts)
    })
}

/// The texts that a rule file can extend, and the names of the texts that a check looked for.
struct BaseTexts {
    files: BTreeMap<String, String>,
    requested: Mutex<Vec<String>>,
}

impl BaseTexts {
    fn new(files: BTreeMap<String, String>) -> Self {
        Self { files, requested: Mutex::default() }
    }

    fn check_text(&self, name: &str, text: &str) -> CheckedText {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        let checked = RuleSet::check(&source, self);
        let mut files = vec![StoredRuleFile { name: source.name, text: source.text, is_translation: false }];
        for name in lock(&self.requested).iter() {
            if let Some(text) = self.files.get(name)
                && !files.iter().any(|file| file.name == *name)
            {
                files.push(StoredRuleFile { name: name.clone(), text: text.clone(), is_translation: false });
            }
        }
        CheckedText { checked, files }
    }

    fn missing(&self) -> Vec<String> {
        lock(&self.requested).iter().filter(|name| !self.files.contains_key(*name)).cloned().collect()
    }
}

impl RuleFiles for BaseTexts {
    fn find(&self, name: &str) -> Option<Source> {
        lock(&self.requested).push(name.to_owned());
        self.files.get(name).map(|text| Source { name: name.to_owned(), text: text.clone() })
    }
}

/// Returns a key that sorts rule sets by id, then by version number: 1.10.0 comes after 1.9.0.
fn order(compiled: &CompiledRuleSet) -> (String, Vec<u64>, String) {
    let version = compiled.set.version();
    let numbers = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0)).collect();
    (compiled.set.id().to_owned(), numbers, version.to_owned())
}

fn table_key(digest: &str, options: &Options, players: Option<&[String]>) -> String {
    format!("{digest} {options:?} {players:?}")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use uuid::Uuid;

    use super::*;
    use crate::store::embedded::Embedded;
    use crate::store::{Change, Commit, Phrases};

    /// Nothing is packed: the test stores no event.
    static NO_PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(&[], &[]));

    #[tokio::test]
    async fn a_variant_of_a_published_variant_has_each_translation_once() {
        let directory = std::env::temp_dir().join(Uuid::now_v7().to_string());
        let library = Library::new(Arc::new(Embedded::open(&directory, &NO_PHRASES).unwrap()), Workers::default());
        let kannada = StoredRuleFile::of_translation(
            "kn",
            "translation: kn\nchecked: a neighbour\ntexts:\n  seats: {Rose: ಗುಲಾಬಿ}\n",
        );
        for (id, base, more) in
            [("garden", "pagade", "texts:\n  seats: {red: Rose}\n"), ("lawn", "garden", ""), ("meadow", "lawn", "")]
        {
            let text = format!("rules: {id}\nversion: 1.0.0\ntitle: The {id}\nextends: {base}\n{more}");
            let CheckedText { checked, mut files } = library.check_text(&text).await.unwrap();
            let inherited = files.iter().filter(|file| file.is_translation).count();
            assert_eq!(inherited, usize::from(id != "garden"), "{id}");
            if id == "garden" {
                files.push(kannada.clone());
            }
            let compiled = CompiledRuleSet::new(checked.ruleset.unwrap(), false, files);
            let change = Change::Publish { name: compiled.name(), text: compiled.rule_text().unwrap() };
            library.store.commit(Commit::from(change)).await.unwrap();
        }
        drop(library);
        std::fs::remove_dir_all(directory).unwrap();
    }
}
