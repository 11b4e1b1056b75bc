//! The rule sets: listed, read, checked, published.

mod trial;
mod view;

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_rules::source::{Problem as Found, Severity};

use crate::error::{Code, Problem, ProblemPart};
use crate::limits::Policy;
use crate::model::rule_set::{CheckAnswer, RuleSetList, RuleSetView, RuleText};
use crate::rule_sets::library::{CheckedText, CompiledRuleSet};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::commit::{CommitFailure, too_many_conflicts};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::rule_sets::view::{problem, summary, view};
use crate::store::{AnswerOwner, Change};

/// Longest rule text, in bytes.
pub(crate) const LONGEST_TEXT: usize = 1_000_000;

impl Service {
    /// Lists the newest version of every rule set.
    ///
    /// # Errors
    /// The store is not available.
    pub(crate) async fn list_rule_sets(&self) -> Result<RuleSetList, Problem> {
        let mut newest = BTreeMap::new();
        for compiled in self.library.all().await? {
            newest.insert(compiled.set.id().to_owned(), summary(&compiled));
        }
        Ok(RuleSetList { rule_sets: newest.into_values().collect() })
    }

    /// Lists every version of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist.
    pub(crate) async fn list_versions(&self, id: &str) -> Result<RuleSetList, Problem> {
        let compiled_sets = self.library.all().await?;
        let rule_sets = compiled_sets
            .iter()
            .filter(|compiled| compiled.set.id() == id)
            .map(|compiled| summary(compiled))
            .collect::<Vec<_>>();
        if rule_sets.is_empty() { Err(not_found(id, None)) } else { Ok(RuleSetList { rule_sets }) }
    }

    /// Reads the description of a rule set.
    ///
    /// # Errors
    /// The rule set does not exist.
    pub(crate) async fn read_rule_set(&self, id: &str, version: Option<&str>) -> Result<RuleSetView, Problem> {
        Ok(view(&*self.compiled(id, version).await?))
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
    pub(crate) async fn check_rule_text(&self, wish: &RuleText) -> Result<CheckAnswer, Problem> {
        check_length(wish)?;
        let checked_text = self.library.check_text(&wish.text).await?;
        let problems = checked_text.checked.problems.iter().map(problem).collect();
        let rule_set = checked_text
            .checked
            .ruleset
            .map(|set| summary(&CompiledRuleSet { set, bundled: false, files: Vec::new() }));
        Ok(CheckAnswer { playable: rule_set.is_some(), rule_set, problems })
    }

    /// Publishes a rule text, so that games can be created with it.
    ///
    /// # Errors
    /// The text has errors, or its id and version are taken.
    pub(crate) async fn publish_rule_set(&self, call: &Call, body: &[u8], wish: &RuleText) -> Result<Reply, Problem> {
        check_length(wish)?;
        let CheckedText { checked, files } = self.library.check_text(&wish.text).await?;
        let Some(set) = checked.ruleset else { return Err(refuse(&checked.problems)) };
        let (tried, set) = self.workers.work(move || (trial::play(&set, trial::DECISION), set)).await?;
        tried?;
        let compiled = CompiledRuleSet { set, bundled: false, files };
        let own = self.library.find(compiled.set.id(), None).await?;
        if own.is_some_and(|own| own.bundled) {
            let detail = format!("`{}` comes with the program: call a variant by a name of its own", compiled.set.id());
            return Err(Problem::new(Code::RuleSetExists, detail));
        }
        let reply = Reply::new(201, &view(&compiled))?.at_location(format!("/v1/rule-sets/{}", compiled.set.id()));
        let change = Change::Publish { name: compiled.name(), text: compiled.rule_text()? };
        self.publish_once(call, IdempotentRequest::secret(call, body)?, change, reply).await
    }

    async fn publish_once(
        &self,
        call: &Call,
        idempotency: Option<IdempotentRequest>,
        change: Change,
        reply: Reply,
    ) -> Result<Reply, Problem> {
        if let Some(idempotency) = &idempotency
            && let Some(answer) = self.store.answer(AnswerOwner::Published, idempotency.key).await?
        {
            return idempotency.open(answer);
        }
        let most = self.bounds.rule_sets;
        if self.store.published().await?.len() >= most {
            let detail = format!("{most} rule sets are published here, and no more are taken");
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

    /// Finds a rule set by id, of this version or the newest.
    pub(crate) async fn compiled(&self, id: &str, version: Option<&str>) -> Result<Arc<CompiledRuleSet>, Problem> {
        self.library.find(id, version).await?.ok_or_else(|| not_found(id, version))
    }
}

fn not_found(id: &str, version: Option<&str>) -> Problem {
    let version = version.map(|version| format!(" of version `{version}`")).unwrap_or_default();
    Problem::new(Code::RuleSetNotFound, format!("there is no rule set `{id}`{version}"))
}

fn check_length(wish: &RuleText) -> Result<(), Problem> {
    if (1..=LONGEST_TEXT).contains(&wish.text.len()) {
        return Ok(());
    }
    Err(Problem::body("/text", format!("it has {} bytes, 1 to {LONGEST_TEXT} are taken", wish.text.len())))
}

fn refuse(problems: &[Found]) -> Problem {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let parts = errors.map(|problem| ProblemPart {
        pointer: Some("/text".to_owned()),
        code: Some(problem.code.to_owned()),
        detail: problem.message.clone(),
        help: problem.help.clone(),
        line: Some(problem.span.line),
        column: Some(problem.span.column),
        ..ProblemPart::default()
    });
    let parts = parts.collect::<Vec<_>>();
    let detail = parts.first().map_or_else(String::new, |part| part.detail.clone());
    Problem::new(Code::RuleTextInvalid, detail).with(parts)
}
