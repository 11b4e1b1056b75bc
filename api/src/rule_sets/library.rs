//! Rule sets, checked once and kept: those that come with the program and those that were published.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Checked, Library as Extended, Options, RuleSet};
use pagade_rules::source::Source;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Problem, ProblemPart, internal};
use crate::ground::pointer::escape;
use crate::rule_sets::workers::Workers;
use crate::store::{SharedText, Store};

/// Most rule sets and most tables kept in memory; what is dropped is made again when it is asked for.
const KEPT: usize = 256;
/// Name of a text that is checked, in messages.
pub const TEXT_NAME: &str = "text";

/// A checked rule set with the files it was made of.
#[derive(Debug)]
pub struct Book {
    /// The rule set.
    pub set: RuleSet,
    /// It comes with the program.
    pub bundled: bool,
    /// Its files: itself, then what it extends.
    pub files: Vec<File>,
}

/// A rule file as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name in messages, and what others extend it by.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Book {
    /// Its files as they are stored.
    ///
    /// # Errors
    /// They cannot be written, which their type rules out.
    pub fn rule_text(&self) -> Result<SharedText, Problem> {
        let bytes = serde_json::to_vec(&self.files).map_err(internal)?;
        Ok(SharedText { digest: self.set.digest().to_owned(), bytes })
    }

    /// `id@version`, its name among those published.
    pub fn name(&self) -> String {
        format!("{}@{}", self.set.id(), self.set.version())
    }
}

/// What a check of a text found.
pub struct Examined {
    /// What the compiler says.
    pub checked: Checked,
    /// The files that were read.
    pub files: Vec<File>,
}

/// The rule sets of this server.
pub struct Library {
    store: Arc<dyn Store>,
    workers: Workers,
    bundled: OnceLock<Vec<Arc<Book>>>,
    books: Mutex<HashMap<String, Arc<Book>>>,
    tables: Mutex<HashMap<String, Arc<Engine>>>,
}

impl Library {
    /// Over a store; nothing is read before it is asked for.
    pub fn new(store: Arc<dyn Store>, workers: Workers) -> Self {
        Self { store, workers, bundled: OnceLock::new(), books: Mutex::default(), tables: Mutex::default() }
    }

    fn bundled(&self) -> &[Arc<Book>] {
        self.bundled.get_or_init(|| {
            let texts = pagade_rules::bundled::SETS;
            let known: BTreeMap<&str, &str> = texts.iter().map(|(id, text)| (*id, *text)).collect();
            let books = texts.iter().filter_map(|(id, text)| {
                let shelf = Shelf::new(known.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect());
                let examined = shelf.examine(id, text);
                let Some(set) = examined.checked.ruleset else {
                    tracing::error!(id, problems = ?examined.checked.problems, "a bundled rule set does not compile");
                    return None;
                };
                Some(Arc::new(Book { set, bundled: true, files: examined.files }))
            });
            books.collect()
        })
    }

    /// Every rule set, by id and version.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn all(&self) -> Result<Vec<Arc<Book>>, Problem> {
        self.those(|_| true).await
    }

    async fn those(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<Arc<Book>>, Problem> {
        let mut books = self.bundled().iter().filter(|book| wanted(book.set.id())).cloned().collect::<Vec<_>>();
        for (name, digest) in self.store.published().await? {
            if wanted(name.split('@').next().unwrap_or_default()) {
                books.extend(self.by_digest(&digest).await?);
            }
        }
        books.sort_by_key(|book| order(book));
        Ok(books)
    }

    /// A rule set by id, of a version or the newest.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn find(&self, id: &str, version: Option<&str>) -> Result<Option<Arc<Book>>, Problem> {
        let books = self.those(|known| known == id).await?;
        let fits =
            |book: &&Arc<Book>| book.set.id() == id && version.is_none_or(|version| version == book.set.version());
        Ok(books.iter().rfind(fits).cloned())
    }

    /// A rule set by digest, whatever has become of its name.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn by_digest(&self, digest: &str) -> Result<Option<Arc<Book>>, Problem> {
        if let Some(book) = self.bundled().iter().find(|book| book.set.digest() == digest) {
            return Ok(Some(Arc::clone(book)));
        }
        if let Some(book) = lock(&self.books).get(digest) {
            return Ok(Some(Arc::clone(book)));
        }
        let Some(bytes) = self.store.text(digest.to_owned()).await? else { return Ok(None) };
        let files = serde_json::from_slice::<Vec<File>>(&bytes).map_err(internal)?;
        let compiled = tokio::task::spawn_blocking(move || {
            let (first, others) = files.split_first()?;
            let shelf = Shelf::new(others.iter().map(|file| (file.name.clone(), file.text.clone())).collect());
            let set = shelf.examine(&first.name, &first.text).checked.ruleset?;
            Some((set, files))
        });
        let Some((set, files)) = compiled.await.map_err(internal)? else {
            return Err(internal(format!("the rule set {digest} does not compile any more")));
        };
        let book = Arc::new(Book { set, bundled: false, files });
        keep(&self.books, digest.to_owned(), &book);
        Ok(Some(book))
    }

    /// Checks a text; what it extends is looked for among all rule sets.
    ///
    /// # Errors
    /// The store is not available.
    pub async fn examine(&self, text: &str) -> Result<Examined, Problem> {
        let mut known = BTreeMap::new();
        loop {
            let (shelf, text) = (Shelf::new(known), text.to_owned());
            let examined = self.workers.work(move || {
                let examined = shelf.examine(TEXT_NAME, &text);
                (examined, shelf)
            });
            let (examined, shelf) = examined.await?;
            // What the text extends is known once it was read: fetch it and look again.
            let missing = shelf.missing();
            known = shelf.files;
            let mut fetched = false;
            for name in missing {
                if let Some(book) = self.find(&name, None).await?
                    && let Some(file) = book.files.first()
                {
                    fetched |= known.insert(name, file.text.clone()).is_none();
                }
            }
            if !fetched {
                return Ok(examined);
            }
        }
    }

    /// The rules that are pinned by a digest, for options and seats.
    ///
    /// # Errors
    /// The store is not available, or has lost the rule set.
    pub async fn pinned_table(
        &self,
        digest: &str,
        options: &Options,
        players: &[String],
    ) -> Result<Arc<Engine>, Problem> {
        let key = table_key(digest, options, Some(players));
        if let Some(rules) = lock(&self.tables).get(&key) {
            return Ok(Arc::clone(rules));
        }
        let book = self.by_digest(digest).await?;
        let book = book.ok_or_else(|| internal(format!("the rule set {digest} is lost")))?;
        self.table(&book, options, Some(players))
    }

    /// A table for a rule set, options and seats.
    ///
    /// # Errors
    /// 422 with every option and seat that does not fit.
    pub fn table(&self, book: &Book, options: &Options, players: Option<&[String]>) -> Result<Arc<Engine>, Problem> {
        // Whoever names no players has those of the rules: the table is known under both.
        let wished = table_key(book.set.digest(), options, players);
        if let Some(rules) = lock(&self.tables).get(&wished) {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(self::table(&book.set, options, players)?);
        let names = rules.seating.players.iter().map(|seat| rules.seat_name(*seat).to_owned()).collect::<Vec<_>>();
        let named = table_key(book.set.digest(), options, Some(&names));
        if named != wished {
            keep(&self.tables, named, &rules);
        }
        keep(&self.tables, wished, &rules);
        Ok(rules)
    }
}

/// A table for a rule set, options and seats.
///
/// # Errors
/// 422 with every option and seat that does not fit.
pub fn table(set: &RuleSet, options: &Options, players: Option<&[String]>) -> Result<Engine, Problem> {
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

/// Texts that a rule file may extend, and which of them it did, or would have.
struct Shelf {
    files: BTreeMap<String, String>,
    asked: Mutex<Vec<String>>,
}

impl Shelf {
    fn new(files: BTreeMap<String, String>) -> Self {
        Self { files, asked: Mutex::default() }
    }

    fn examine(&self, name: &str, text: &str) -> Examined {
        let source = Source { name: name.to_owned(), text: text.to_owned() };
        let checked = RuleSet::check(&source, self);
        let mut files = vec![File { name: source.name, text: source.text }];
        for name in lock(&self.asked).iter() {
            if let Some(text) = self.files.get(name)
                && !files.iter().any(|file| file.name == *name)
            {
                files.push(File { name: name.clone(), text: text.clone() });
            }
        }
        Examined { checked, files }
    }

    fn missing(&self) -> Vec<String> {
        lock(&self.asked).iter().filter(|name| !self.files.contains_key(*name)).cloned().collect()
    }
}

impl Extended for Shelf {
    fn find(&self, name: &str) -> Option<Source> {
        lock(&self.asked).push(name.to_owned());
        self.files.get(name).map(|text| Source { name: name.to_owned(), text: text.clone() })
    }
}

/// By id, then by version as people count: 1.10.0 after 1.9.0.
fn order(book: &Book) -> (String, Vec<u64>, String) {
    let version = book.set.version();
    let numbers = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0)).collect();
    (book.set.id().to_owned(), numbers, version.to_owned())
}

fn table_key(digest: &str, options: &Options, players: Option<&[String]>) -> String {
    format!("{digest} {options:?} {players:?}")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep<T>(kept: &Mutex<HashMap<String, Arc<T>>>, key: String, value: &Arc<T>) {
    let mut kept = lock(kept);
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, Arc::clone(value));
}
