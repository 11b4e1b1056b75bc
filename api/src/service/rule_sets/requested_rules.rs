//! The rules that a request is about: a rule set of this server, or a rule text in the request.

use std::sync::Arc;

use pagade_rules::play::Engine;
use pagade_rules::ruleset::{Options, RuleSet};

use super::problems::{no_rule_set, refuse};
use super::{LONGEST_TEXT, check_length, trial_games};
use crate::error::{Code, Problem, ProblemPart, detail};
use crate::model::game::RuleSetRef;
use crate::rule_sets::library::{self, CompiledRuleSet};
use crate::service::Service;

/// A rule set of this server, or one whose text came with the request and need not be published.
#[derive(Debug, Clone)]
pub(in crate::service) enum GivenRules {
    Known(Arc<CompiledRuleSet>),
    Sent(Arc<RuleSet>),
}

/// The fields of a request that name a rule set or contain its text.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct RulesWish<'w> {
    pub rule_set: Option<&'w str>,
    pub version: Option<&'w str>,
    pub text: Option<&'w str>,
    /// JSON Pointer to the object that has these fields.
    pub pointer: &'w str,
}

impl GivenRules {
    pub(in crate::service) fn set(&self) -> &RuleSet {
        match self {
            Self::Known(compiled) => &compiled.set,
            Self::Sent(set) => set,
        }
    }

    pub(in crate::service) fn reference(&self) -> RuleSetRef {
        let set = self.set();
        RuleSetRef { id: set.id().to_owned(), version: set.version().to_owned(), digest: set.digest().to_owned() }
    }
}

impl Service {
    /// Finds the rule set that a request names, or checks its rule text.
    ///
    /// # Errors
    /// The request names no rule set, or names one and has a text; the rule set does not exist; the text has errors,
    /// which the problem lists with their lines.
    pub(in crate::service) async fn given_rules(&self, wish: RulesWish<'_>) -> Result<GivenRules, Problem> {
        let at = |field: &str| format!("{}/{field}", wish.pointer);
        match (wish.rule_set, wish.text) {
            (Some(id), None) => {
                let found = self.library.find(id, wish.version).await?;
                let found = found.ok_or_else(|| Problem::body(&at("rule_set"), no_rule_set(id, wish.version)))?;
                Ok(GivenRules::Known(found))
            }
            (None, Some(text)) => {
                if wish.version.is_some() {
                    return Err(Problem::body(&at("version"), detail!("a rule text has its version in itself")));
                }
                check_length(&at("text"), text, LONGEST_TEXT)?;
                let checked = self.library.check_text(text).await?.checked;
                let set = checked.ruleset.ok_or_else(|| refuse(&checked.problems, &at("text")))?;
                Ok(GivenRules::Sent(Arc::new(set)))
            }
            _ => {
                let part = ProblemPart::at(at("rule_set"), detail!("one of `rule_set` and `text` is needed, not both"));
                Err(Problem::one(Code::BodyInvalid, part))
            }
        }
    }

    /// Returns the engine for rules, options and seats. A rule text that the request contains is first tried like a
    /// text that is to be published ([`trial::play`]).
    ///
    /// # Errors
    /// The options or seats do not suit the rules; or a decision by rules of a text takes too long.
    pub(in crate::service) async fn given_engine(
        &self,
        rules: &GivenRules,
        options: &Options,
        players: Option<&[String]>,
    ) -> Result<Arc<Engine>, Problem> {
        let set = match rules {
            GivenRules::Known(compiled) => return self.library.table(compiled, options, players),
            GivenRules::Sent(set) => Arc::clone(set),
        };
        let (options, players) = (options.clone(), players.map(<[String]>::to_vec));
        let made = self.workers.work(move || {
            let engine = library::table(&set, &options, players.as_deref())?;
            trial_games::play(&set, trial_games::DECISION)?;
            Ok::<_, Problem>(Arc::new(engine))
        });
        made.await?
    }
}
