//! Views of rule sets and of the problems in rule texts.

use std::collections::BTreeMap;
use std::iter;

use pagade_rules::bundled;
use pagade_rules::document::{Document, OptionKind, OptionLine};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::{Problem as Found, Severity};

use crate::ground::language::Languages;
use crate::model::creation::OptionValue;
use crate::model::rule_set::{OptionView, RuleProblem, RuleSetSummary, RuleSetView, RuleSeverity};
use crate::rule_sets::library::CompiledRuleSet;
use crate::rule_sets::texts::SaidTexts;

pub(super) fn problem(found: &Found) -> RuleProblem {
    RuleProblem {
        severity: match found.severity {
            Severity::Error => RuleSeverity::Error,
            Severity::Warning => RuleSeverity::Warning,
        },
        code: found.code.to_owned(),
        message: found.message.clone(),
        help: found.help.clone(),
        file: found.file.clone(),
        line: found.span.line,
        column: found.span.column,
        width: found.span.width,
        excerpt: found.excerpt.clone(),
        excerpt_column: found.excerpt_column,
    }
}

pub(super) fn summary(compiled: &CompiledRuleSet, languages: &Languages) -> RuleSetSummary {
    let (title, language) = compiled.title(languages);
    RuleSetSummary {
        id: compiled.set.id().to_owned(),
        version: compiled.set.version().to_owned(),
        digest: compiled.set.digest().to_owned(),
        title,
        language,
        bundled: compiled.bundled,
    }
}

pub(super) fn view(compiled: &CompiledRuleSet, said: SaidTexts) -> RuleSetView {
    let document = compiled.set.document();
    let text = |text: &Option<pagade_rules::document::Text>| text.as_ref().map(|text| text.value.clone());
    RuleSetView {
        id: compiled.set.id().to_owned(),
        version: compiled.set.version().to_owned(),
        digest: compiled.set.digest().to_owned(),
        title: said.text("title").unwrap_or_else(|| compiled.set.title()).to_owned(),
        bundled: compiled.bundled,
        titles: document.titles.iter().map(|(tag, title)| (tag.value.clone(), title.value.clone())).collect(),
        region: text(&document.region),
        period: text(&document.period),
        sources: document.sources.iter().map(|source| source.value.clone()).collect(),
        about: text(&document.about),
        seats: document.board.seats.iter().map(|seat| seat.value.clone()).collect(),
        pawns: document.pawns.each.value,
        length: None,
        options: document.options.iter().map(|line| option(line, &said)).collect(),
        clauses: clauses(document),
        clause_texts: clause_texts(&compiled.set),
        language: said.language,
        texts: said.by_path,
    }
}

fn option(line: &OptionLine, said: &SaidTexts) -> OptionView {
    let (default, one_of, from, to) = match &line.kind {
        OptionKind::OneOf { words, default } => {
            let words = words.iter().map(|word| word.value.clone()).collect();
            (OptionValue::Word(default.value.clone()), words, None, None)
        }
        OptionKind::Truth { default } => (OptionValue::Truth(default.value), Vec::new(), None, None),
        OptionKind::Range { from, to, default } => {
            (OptionValue::Number(default.value), Vec::new(), Some(from.value), Some(to.value))
        }
    };
    OptionView {
        name: line.name.value.clone(),
        text: said.text(&format!("options.{}", line.name.value)).unwrap_or_default().to_owned(),
        default,
        one_of,
        from,
        to,
        clauses: line.clauses.clone(),
    }
}

/// Returns the sentences of the sources of a rule set and of those that it extends, by the ids of the clauses.
fn clause_texts(set: &RuleSet) -> BTreeMap<String, String> {
    let extended = set.sources().iter().skip(1).map(|source| source.name.trim_end_matches(".yaml"));
    iter::once(set.id()).chain(extended).flat_map(bundled::clause_texts).collect()
}

/// Lists, for each clause, the rule lines that name it.
fn clauses(document: &Document) -> BTreeMap<String, Vec<String>> {
    let mut carried = BTreeMap::<String, Vec<String>>::new();
    let mut note = |clauses: &[String], line: String| {
        for clause in clauses {
            carried.entry(clause.clone()).or_default().push(line.clone());
        }
    };
    for option in &document.options {
        note(&option.clauses, format!("options.{}", option.name.value));
    }
    for line in &document.spend {
        note(&line.clauses, format!("spend.{}", line.id.value));
    }
    for line in &document.must {
        note(&line.clauses, format!("must.{}", line.id.value));
    }
    for line in &document.landing {
        note(&line.clauses, format!("landing.{}", line.id.value));
    }
    for line in &document.passing {
        note(&line.clauses, format!("passing.{}", line.id.value));
    }
    for line in &document.on {
        note(&line.clauses, format!("on.{}", line.id.value));
    }
    for line in &document.choices {
        note(&line.clauses, format!("choices.{}", line.id.value));
    }
    for line in &document.board.path {
        note(&line.clauses, format!("board.path.{}", line.id.value));
    }
    for (clauses, _, what) in &document.other_clauses {
        note(clauses, what.clone());
    }
    carried
}
