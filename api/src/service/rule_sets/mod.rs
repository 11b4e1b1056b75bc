//! The use cases of rule sets: list, read, check, publish.

mod comparison;
mod layout;
mod length;
pub(in crate::service) mod problems;
pub(in crate::service) mod requested_rules;
mod scenarios;
mod translations;
pub(in crate::service) mod trial_games;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pagade_rules::source::MOST_BYTES;
use pagade_rules::texts::{ENGLISH, names};

use crate::error::{Code, Problem, detail};
use crate::ground::language::Languages;
use crate::limits::Policy;
use crate::model::rule_set::{CheckAnswer, RuleSetList, RuleSetSummary, RuleSetView, RuleText};
use crate::rule_sets::library::{CheckedText, CompiledRuleSet};
use crate::rule_sets::texts::header;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::commit::{CommitFailure, too_many_conflicts};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::{InLanguage, Reply};
use crate::service::rule_sets::problems::{not_found, refuse};
use crate::service::rule_sets::view::{problem, summary, view};
use crate::store::{AnswerOwner, Change};

/// Maximum size of a rule text, in bytes.
pub(crate) const LONGEST_TEXT: usize = MOST_BYTES;

impl Service {
    /// Lists the newest version of every rule set.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn list_rule_sets(&self, languages: &Languages) -> Result<InLanguage<RuleSetList>, Problem> {
        let mut newest = BTreeMap::new();
        for compiled in self.library.all().await? {
            newest.insert(compiled.set.id().to_owned(), summary(&compiled, languages));
        }
        Ok(list(newest.into_values().collect(), languages))
    }

    /// Lists every version of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist.
    pub(crate) async fn list_versions(
        &self,
        id: &str,
        languages: &Languages,
    ) -> Result<InLanguage<RuleSetList>, Problem> {
        let compiled_sets = self.library.all().await?;
        let rule_sets = compiled_sets
            .iter()
            .filter(|compiled| compiled.set.id() == id)
            .map(|compiled| summary(compiled, languages))
            .collect::<Vec<_>>();
        if rule_sets.is_empty() { Err(not_found(id, None)) } else { Ok(list(rule_sets, languages)) }
    }

    /// Reads the description of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist.
    pub(crate) async fn read_rule_set(
        &self,
        id: &str,
        version: Option<&str>,
        languages: &Languages,
    ) -> Result<InLanguage<RuleSetView>, Problem> {
        let compiled = self.compiled(id, version).await?;
        let said = compiled.texts(languages, |_| true);
        let length = self.length_of(&compiled).await;
        Ok(InLanguage { languages: said.header(), body: RuleSetView { length, ..view(&compiled, said) } })
    }

    /// Reads the YAML text of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist.
    pub(crate) async fn read_source(&self, id: &str, version: Option<&str>) -> Result<String, Problem> {
        let compiled = self.compiled(id, version).await?;
        Ok(compiled.files.first().map(|file| file.text.clone()).unwrap_or_default())
    }

    /// Checks a rule text without publishing it.
    ///
    /// # Errors
    /// The text is too long, or the store is not available.
    pub(crate) async fn check_rule_text(&self, wish: &RuleText, with_board: bool) -> Result<CheckAnswer, Problem> {
        check_length("/text", &wish.text, LONGEST_TEXT)?;
        let checked_text = self.library.check_text(&wish.text).await?;
        let problems = checked_text.checked.problems.iter().map(problem).collect();
        let Some(set) = checked_text.checked.ruleset else {
            let translations = translations::check(&wish.translations, None);
            return Ok(CheckAnswer {
                playable: false,
                rule_set: None,
                board: None,
                problems,
                missing_texts: Vec::new(),
                translations,
            });
        };
        let named = names(set.document()).into_iter();
        let missing_texts = named.filter(|name| name.text.is_none()).map(|name| name.path).collect();
        let translations = translations::check(&wish.translations, Some(&set));
        let board = if with_board { Some(layout::of_default_table(&set)?) } else { None };
        let rule_set = Some(summary(&CompiledRuleSet::new(set, false, checked_text.files), &Languages::default()));
        Ok(CheckAnswer { playable: true, rule_set, board, problems, missing_texts, translations })
    }

    /// Publishes a rule text, so that games can be created with it.
    ///
    /// # Errors
    /// The text has errors, its decisions take too long, its id and version are used already, or the service takes no
    /// more rule sets.
    pub(crate) async fn publish_rule_set(&self, call: &Call, body: &[u8], wish: &RuleText) -> Result<Reply, Problem> {
        check_length("/text", &wish.text, LONGEST_TEXT)?;
        let idempotency = IdempotentRequest::secret(call, body)?;
        // The stored answer is read before the text is checked: a rule set that the text extends may have got another
        // version since the first request.
        if let Some(idempotency) = &idempotency
            && let Some(answer) = self.store.answer(AnswerOwner::Published, idempotency.key).await?
        {
            return idempotency.open(answer);
        }
        let own = translations::files(&wish.translations)?;
        let CheckedText { checked, mut files } = self.library.check_text(&wish.text).await?;
        let Some(set) = checked.ruleset else { return Err(refuse(&checked.problems, "/text")) };
        let (tried, set) = self.workers.work(move || (trial_games::play(&set, trial_games::DECISION), set)).await?;
        tried?;
        let first = files.iter().position(|file| file.is_translation).unwrap_or(files.len());
        files.splice(first..first, own);
        let compiled = CompiledRuleSet::new(set, false, files);
        let own = self.library.find(compiled.set.id(), None).await?;
        if own.is_some_and(|own| own.bundled) {
            let id = compiled.set.id();
            let detail = detail!("`{id}` is a bundled rule set: give your variant another name", id);
            return Err(Problem::new(Code::RuleSetExists, detail));
        }
        let reply = Reply::new(201, &view(&compiled, compiled.texts(&Languages::default(), |_| true)))?
            .at_location(format!("/v1/rule-sets/{}?version={}", compiled.set.id(), compiled.set.version()));
        let change = Change::Publish { name: compiled.name(), text: compiled.rule_text()? };
        self.publish_once(call, idempotency, change, reply).await
    }

    async fn publish_once(
        &self,
        call: &Call,
        idempotency: Option<IdempotentRequest>,
        change: Change,
        reply: Reply,
    ) -> Result<Reply, Problem> {
        let most = self.bounds.rule_sets;
        if self.store.published().await?.len() >= most {
            let detail = detail!("the service has {most} rule sets, which is the limit", most);
            return Err(Problem::new(Code::RuleSetsFull, detail));
        }
        if let Some(caller) = call.caller {
            self.meter.count(Policy::Publish, caller).map_err(|refused| refused.problem)?;
        }
        match self.commit(change, idempotency.as_ref(), &reply).await {
            Ok(()) => Ok(reply),
            Err(CommitFailure::Answered(reply)) => Ok(reply),
            Err(CommitFailure::Conflict(_)) => Err(too_many_conflicts("rule set")),
            Err(CommitFailure::Problem(problem)) => Err(problem),
        }
    }

    /// Finds a rule set by its id and version. Without a version, finds the newest one.
    pub(crate) async fn compiled(&self, id: &str, version: Option<&str>) -> Result<Arc<CompiledRuleSet>, Problem> {
        self.library.find(id, version).await?.ok_or_else(|| not_found(id, version))
    }
}

/// Checks the size of a text, which may have `most` bytes; the schema of the request limits only its characters.
/// `pointer` is the position of the text in the body.
fn check_length(pointer: &str, text: &str, most: usize) -> Result<(), Problem> {
    if (1..=most).contains(&text.len()) {
        return Ok(());
    }
    let bytes = text.len();
    Err(Problem::body(pointer, detail!("the text has {bytes} bytes, 1 to {most} are allowed", bytes, most)))
}

/// Makes the list of rule sets. Its header field names the languages of the titles, the one that suits the client best
/// first.
fn list(rule_sets: Vec<RuleSetSummary>, languages: &Languages) -> InLanguage<RuleSetList> {
    let used = rule_sets.iter().map(|summary| summary.language.as_str()).collect::<BTreeSet<_>>();
    let chosen = languages.choose(&used.iter().copied().collect::<Vec<_>>()).unwrap_or(ENGLISH);
    InLanguage { languages: header(chosen, used.into_iter()), body: RuleSetList { rule_sets } }
}
