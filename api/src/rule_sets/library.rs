//! The library: bundled and published rule sets, each compiled once in a process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Checked, Library as Extended, Options, RuleSet};
use pagade_rules::source::Source;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, ProblemPart, internal};
use crate::ground::pointer::escape;
use crate::ground::recent::Recent;
use crate::rule_sets::workers::Workers;
use crate::store::{SharedText, Store};

/// The last rule sets, and the last tables, that stay in memory at least. Dropped ones are compiled again when they are
/// needed.
const GENERATION: usize = 128;
/// Name of a checked text in messages.
pub(crate) const TEXT_NAME: &str = "text";

/// A rule set with the files that it was compiled from.
#[derive(Debug)]
pub(crate) struct CompiledRuleSet {
    /// The rule set.
    pub set: RuleSet,
    /// Whether the rule set is part of the program.
    pub bundled: bool,
    /// The rule file, then the files that it extends.
    pub files: Vec<File>,
}

/// A rule file as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct File {
    /// The name of the file in messages, and in `extends` of other files.
    pub name: String,
    /// The YAML text of the file.
    pub text: String,
}

impl CompiledRuleSet {
    /// The files, as the store keeps them.
    ///
    /// # Errors
    /// The files cannot be serialized. Their type rules this out.
    pub(crate) fn rule_text(&self) -> Result<SharedText, Problem> {
        let bytes = serde_json::to_vec(&self.files).map_err(internal)?;
        Ok(SharedText { digest: self.set.digest().to_owned(), bytes })
    }

    /// The name under which the rule set is published: `id@version`.
    pub(crate) fn name(&self) -> String {
        format!("{}@{}", self.set.id(), self.set.version())
    }
}

/// The result of checking a rule text.
pub(crate) struct CheckedText {
    /// Problems, and the rule set if there is no error.
    pub checked: Checked,
    /// The files that were read.
    pub files: Vec<File>,
}

/// The library of rule sets.
pub(crate) struct Library {
    store: Arc<dyn Store>,
    workers: Workers,
    bundled: OnceLock<Vec<Arc<CompiledRuleSet>>>,
    compiled_sets: Recent<String, Arc<CompiledRuleSet>, GENERATION>,
    tables: Recent<String, Arc<Engine>, GENERATION>,
}

impl Library {
    /// A library on a store. Rule sets are read when they are needed.
    pub(crate) fn new(store: Arc<dyn Store>, workers: Workers) -> Self {
        Self { store, workers, bundled: OnceLock::new(), compiled_sets: Recent::default(), tables: Recent::default() }
    }

    fn bundled(&self) -> &[Arc<CompiledRuleSet>] {
        self.bundled.get_or_init(|| {
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
                Some(Arc::new(CompiledRuleSet { set, bundled: true, files: checked_text.files }))
            });
            compiled_sets.collect()
        })
    }

    /// All rule sets, sorted by id and version.
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

    /// Finds a rule set by id, of this version or the newest.
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

    /// Finds a rule set by digest, even if its name is no longer published.
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
        let files = serde_json::from_slice::<Vec<File>>(&bytes).map_err(internal)?;
        let compiled = tokio::task::spawn_blocking(move || {
            let (first, others) = files.split_first()?;
            let base_texts = BaseTexts::new(others.iter().map(|file| (file.name.clone(), file.text.clone())).collect());
            let set = base_texts.check_text(&first.name, &first.text).checked.ruleset?;
            Some((set, files))
        });
        let Some((set, files)) = compiled.await.map_err(internal)? else {
            return Err(internal(format!("the rule set {digest} does not compile")));
        };
        let compiled = Arc::new(CompiledRuleSet { set, bundled: false, files });
        self.compiled_sets.keep(digest.to_owned(), Arc::clone(&compiled));
        Ok(Some(compiled))
    }

    /// Checks a rule text. It may extend any rule set of the library.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn check_text(&self, text: &str) -> Result<CheckedText, Problem> {
        let mut base_files = BTreeMap::new();
        loop {
            let (base_texts, text) = (BaseTexts::new(base_files), text.to_owned());
            let checked_text = self.workers.work(move || {
                let checked_text = base_texts.check_text(TEXT_NAME, &text);
                (checked_text, base_texts)
            });
            let (checked_text, base_texts) = checked_text.await?;
            // The check finds out which files the text extends: fetch those, and check again.
            let missing = base_texts.missing();
            base_files = base_texts.files;
            let mut fetched = false;
            for name in missing {
                if let Some(compiled) = self.find(&name, None).await?
                    && let Some(file) = compiled.files.first()
                {
                    fetched |= base_files.insert(name, file.text.clone()).is_none();
                }
            }
            if !fetched {
                return Ok(checked_text);
            }
        }
    }

    /// The engine for a pinned rule set, by digest, options and seats.
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

    /// The engine for a rule set, options and seats.
    ///
    /// # Errors
    /// 422 with every option and seat that does not fit.
    pub(crate) fn table(
        &self,
        compiled: &CompiledRuleSet,
        options: &Options,
        players: Option<&[String]>,
    ) -> Result<Arc<Engine>, Problem> {
        // Without `players` all seats of the rule set play: the cache has the engine under both keys.
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
            ProblemPart {
                code: Some(problem.code.to_owned()),
                help: problem.help,
                ..ProblemPart::at(pointer, problem.message)
            }
        });
        let parts: Vec<_> = parts.collect();
        let detail = parts.first().map_or_else(String::new, |part| part.detail.clone());
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
        let mut files = vec![File { name: source.name, text: source.text }];
        for name in lock(&self.requested).iter() {
            if let Some(text) = self.files.get(name)
                && !files.iter().any(|file| file.name == *name)
            {
                files.push(File { name: name.clone(), text: text.clone() });
            }
        }
        CheckedText { checked, files }
    }

    fn missing(&self) -> Vec<String> {
        lock(&self.requested).iter().filter(|name| !self.files.contains_key(*name)).cloned().collect()
    }
}

impl Extended for BaseTexts {
    fn find(&self, name: &str) -> Option<Source> {
        lock(&self.requested).push(name.to_owned());
        self.files.get(name).map(|text| Source { name: name.to_owned(), text: text.clone() })
    }
}

/// Sorts by id, then by version number: 1.10.0 after 1.9.0.
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
