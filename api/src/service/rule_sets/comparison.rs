//! Compares two rule sets.

use pagade_rules::compare::{Difference, DifferenceKind, compare};

use super::requested_rules::RulesWish;
use crate::error::Problem;
use crate::model::rule_comparison::{CompareRules, RuleChange, RuleComparison, RuleDifference, RulesRef};
use crate::service::Service;

impl Service {
    /// Lists the differences between two rule sets.
    pub(crate) async fn compare_rules(&self, wish: &CompareRules) -> Result<RuleComparison, Problem> {
        let base = self.given_rules(wished(&wish.base, "/base")).await?;
        let variant = self.given_rules(wished(&wish.variant, "/variant")).await?;
        let (one, other) = (base.clone(), variant.clone());
        let differences = self.workers.work(move || compare(one.set(), other.set())).await?;
        Ok(RuleComparison {
            base: base.reference(),
            variant: variant.reference(),
            differences: differences.into_iter().map(view).collect(),
        })
    }
}

fn wished<'w>(RulesRef { rule_set, version, text }: &'w RulesRef, pointer: &'w str) -> RulesWish<'w> {
    RulesWish { rule_set: rule_set.as_deref(), version: version.as_deref(), text: text.as_deref(), pointer }
}

fn view(Difference { path, change }: Difference) -> RuleDifference {
    let (change, base, variant) = match change {
        DifferenceKind::Added(text) => (RuleChange::Added, None, Some(text)),
        DifferenceKind::Removed(text) => (RuleChange::Removed, Some(text), None),
        DifferenceKind::Changed(base, variant) => (RuleChange::Changed, Some(base), Some(variant)),
        DifferenceKind::Reordered(base, variant) => (RuleChange::Reordered, Some(base), Some(variant)),
    };
    RuleDifference { path, change, base, variant }
}
