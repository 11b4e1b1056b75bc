//! The options of a table: the catalogue with values, and changes by the master.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pagade_rules::document::{OptionKind, OptionLine};
use pagade_rules::ruleset::{OptionValue as RuleValue, Options, RuleSet};

use crate::error::{Code, Detail, Problem, ProblemPart, ProblemWords, detail, internal};
use crate::game::terms::PinnedRules;
use crate::game::wire;
use crate::ground::language::Languages;
use crate::ground::pointer::escape;
use crate::model::creation::OptionValue;
use crate::model::event_kind::TableEventKind;
use crate::model::table_options::{ChangeOptions, OptionEffect, OptionGroup, TableOption, TableOptions};
use crate::player::{PlayerId, is_registered};
use crate::rule_sets::library::CompiledRuleSet;
use crate::rule_sets::texts::header;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::reply::Reply;
use crate::service::tables::access::{master, may_see, table_id, token};
use crate::table::edit::TableEdit;
use crate::table::entity;
use crate::table::event::TableEventFields;
use crate::table::settings::{TableSetting, TableSettings};
use crate::table::stored::{Table, not_found};

/// The options that were chosen for a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChosenOptions {
    /// The options of the table itself.
    pub settings: TableSettings,
    /// The chosen options of the rule set. An option that is missing here has its default.
    pub rules: Options,
    /// The variant of the table's rule set that the next game plays; `None` if it plays the rule set itself.
    pub variant: Option<PinnedRules>,
}

/// The rule sets that the games of a table may play.
pub(super) struct TableRules {
    base: Arc<CompiledRuleSet>,
    /// The variants of this rule set that come with the program.
    variants: Vec<Arc<CompiledRuleSet>>,
}

impl TableRules {
    /// Returns the rule set that a game plays with this choice of a variant.
    pub(super) fn chosen(&self, variant: Option<&PinnedRules>) -> &CompiledRuleSet {
        let chosen =
            variant.and_then(|rules| self.variants.iter().find(|variant| variant.set.digest() == rules.digest));
        chosen.unwrap_or(&self.base)
    }

    /// Returns the variant that the option of this name switches on; `None` for any other option. Such an option has
    /// the id of the variant as its name.
    fn variant(&self, name: &str) -> Option<&Arc<CompiledRuleSet>> {
        self.variants.iter().find(|variant| variant.set.id() == name)
    }
}

impl Service {
    /// Reads the options of a table. If the caller sits at the table or watches it, the mark that options were changed
    /// is removed.
    ///
    /// # Errors
    /// The table does not exist, or is private.
    pub(crate) async fn read_table_options(
        &self,
        call: &Call,
        id: &str,
        languages: &Languages,
    ) -> Result<Reply, Problem> {
        let id = table_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let mut table = Table::read(&stored.snapshot)?;
        may_see(&table, call)?;
        let rules = self.rules_of(&table).await?;
        let reader = call.player.as_ref().map(|player| player.id);
        let is_marked = reader.is_some_and(|reader| marks(&mut table).any(|(player, mark)| player == reader && *mark));
        if is_marked {
            let unmark = |edit: &mut TableEdit| {
                let own = marks(&mut edit.table).filter(|(player, _)| Some(*player) == reader);
                own.for_each(|(_, mark)| *mark = false);
                answer(listed(&rules, &edit.table, languages), None, edit.table.version)
            };
            return self.change(None, entity(id), unmark).await;
        }
        answer(listed(&rules, &table, languages), None, table.version)
    }

    /// Changes options of a table.
    ///
    /// # Errors
    /// The caller is not the master, an option does not exist, or a value does not fit. Then nothing is changed.
    pub(crate) async fn change_table_options(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &ChangeOptions,
        languages: &Languages,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let (stored, before) = self.entity_and_reply(entity(table_id(id)?), call, body).await?;
        if let Some(before) = before {
            return Ok(before);
        }
        let rules = self.rules_of(&Table::read(&stored.ok_or_else(not_found)?.snapshot)?).await?;
        self.change_table(call, body, id, |edit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            edit.check_open()?;
            let table = &edit.table;
            let (settings, variant) = (table.settings.clone(), table.variant.clone());
            let mut chosen = ChosenOptions { settings, rules: table.options.clone(), variant };
            let mut mistakes = Vec::new();
            self.choose_options(&rules, &wish.options, &mut chosen, &mut mistakes);
            if !mistakes.is_empty() {
                return Err(Problem::several(Code::BodyInvalid, mistakes));
            }
            check_guests(&edit.table, &chosen.settings)?;
            let values = |table: &Table| {
                let all = listed(&rules, table, languages).options.into_iter();
                all.map(|option| (option.name, option.value)).collect::<BTreeMap<_, _>>()
            };
            let before = values(&edit.table);
            (edit.table.settings, edit.table.options) = (chosen.settings, chosen.rules);
            edit.table.variant = chosen.variant;
            let names = listed(&rules, &edit.table, languages).options.into_iter().map(|option| option.name);
            let after = values(&edit.table);
            let changed: Vec<_> = names.filter(|name| after.get(name) != before.get(name)).collect();
            edit.start_if_full();
            if !changed.is_empty() {
                note_change(edit, call, &changed)?;
            }
            answer(listed(&rules, &edit.table, languages), Some(changed), edit.table.version)
        })
        .await
    }

    /// Returns the rule sets that the games of a table may play.
    async fn rules_of(&self, table: &Table) -> Result<TableRules, Problem> {
        let compiled = self.library.by_digest(&table.rule_set.digest).await?;
        Ok(self.rules_with(compiled.ok_or_else(|| internal("the rule set of a table is missing"))?))
    }

    /// Returns the rule sets that the games of a table with this rule set may play.
    pub(super) fn rules_with(&self, base: Arc<CompiledRuleSet>) -> TableRules {
        let variants = if base.bundled { self.library.variants_of(base.set.id()) } else { Vec::new() };
        TableRules { base, variants }
    }

    /// Sets options to the values that a request has. Adds a mistake for each option that does not exist, and for each
    /// value that does not fit.
    pub(super) fn choose_options(
        &self,
        rules: &TableRules,
        wish: &BTreeMap<String, OptionValue>,
        chosen: &mut ChosenOptions,
        mistakes: &mut Vec<ProblemPart>,
    ) {
        let mut of_rules = BTreeMap::new();
        for (name, value) in wish {
            if TableSetting::parse(name).is_none()
                && let Some(variant) = rules.variant(name)
            {
                if let Err(detail) = choose_variant(&mut chosen.variant, &variant.set, value) {
                    mistakes.push(ProblemPart::at(format!("/options/{}", escape(name)), detail));
                }
                continue;
            }
            let Some(setting) = TableSetting::parse(name) else {
                of_rules.insert(name.clone(), value.clone());
                continue;
            };
            if let Err(detail) = setting.set(&mut chosen.settings, value) {
                mistakes.push(ProblemPart::at(format!("/options/{}", escape(name)), detail));
            }
        }
        let compiled = rules.chosen(chosen.variant.as_ref());
        // An option that the rule set of the next game does not have is no longer chosen.
        let lines = &compiled.set.document().options;
        chosen.rules.retain(|name, _| lines.iter().any(|line| line.name.value == *name));
        chosen.rules.extend(wire::options(&of_rules));
        if let Err(problem) = self.library.table(compiled, &chosen.rules, None) {
            // The start of a game checks whether the players at the table can play with these options.
            let is_of_options = |part: &ProblemPart| part.pointer.as_deref() != Some("/players");
            mistakes.extend(problem.parts.into_iter().filter(is_of_options));
        }
    }
}

/// Checks that no guest sits at a table whose games become competitive.
///
/// # Errors
/// 409 if a guest sits there.
fn check_guests(table: &Table, chosen: &TableSettings) -> Result<(), Problem> {
    let has_guest = table.sitters().any(|(_, sitter)| !is_registered(sitter.player));
    if chosen.competitive && !table.settings.competitive && has_guest {
        let detail = detail!("a guest sits at the table, and plays for practice only");
        return Err(Problem::new(Code::NotAvailable, detail));
    }
    Ok(())
}

/// Marks the options as changed for all players and watchers except the caller, and adds the event. Removes all
/// watchers if the options no longer allow watching.
fn note_change(edit: &mut TableEdit, call: &Call, changed: &[String]) -> Result<(), Problem> {
    let own = call.player.as_ref().map(|player| player.id);
    marks(&mut edit.table).filter(|(player, _)| Some(*player) != own).for_each(|(_, mark)| *mark = true);
    if !edit.table.settings.spectators_allowed {
        edit.table.watchers.clear();
    }
    let fields = TableEventFields { options: changed.to_vec(), ..TableEventFields::default() };
    edit.add(TableEventKind::OptionsChanged, fields)
}

/// Returns each player who sits at a table or watches it, with the mark that options were changed.
fn marks(table: &mut Table) -> impl Iterator<Item = (PlayerId, &mut bool)> {
    let seated = table.seats.iter_mut().filter_map(|seat| seat.sitter.as_mut());
    let seated = seated.map(|sitter| (sitter.player, &mut sitter.options_changed));
    seated.chain(table.watchers.iter_mut().map(|watcher| (watcher.player, &mut watcher.options_changed)))
}

/// Switches a variant of the table's rule set on or off. Only one variant is on at a time.
///
/// # Errors
/// The value is not a truth value.
fn choose_variant(chosen: &mut Option<PinnedRules>, set: &RuleSet, value: &OptionValue) -> Result<(), Detail> {
    match value {
        OptionValue::Truth(true) => *chosen = Some(set.into()),
        OptionValue::Truth(false) => drop(chosen.take_if(|rules| rules.digest == set.digest())),
        _ => return Err(detail!("the value must be `true` or `false`")),
    }
    Ok(())
}

/// The options of a table with their texts, and the languages of these texts as the value of a header field.
struct ListedOptions {
    options: Vec<TableOption>,
    languages: String,
}

/// Makes the answer that lists the options of a table.
fn answer(listed: ListedOptions, changed: Option<Vec<String>>, version: u64) -> Result<Reply, Problem> {
    let body = TableOptions { options: listed.options, changed };
    Ok(Reply::ok(&body)?.at_version(version).in_language(None, Some(listed.languages)))
}

/// Lists the options of a table with their values: first those of the table itself, then one for each variant of its
/// rule set, then those of the rule set that the next game plays. An option of a rule set with the same name as an
/// option of the table itself cannot be chosen, and is left out. Each text is in the language that suits the client
/// best.
fn listed(rules: &TableRules, table: &Table, languages: &Languages) -> ListedOptions {
    let compiled = rules.chosen(table.variant.as_ref());
    let said = compiled.texts(languages, |path| path.starts_with("options."));
    let words = ProblemWords::in_one_of(languages);
    let mut used: BTreeSet<String> = said.languages;
    used.insert(words.language().to_owned());
    let own = TableSetting::ALL.map(|setting| own(setting, &table.settings, words));
    let variants = rules.variants.iter().map(|variant| {
        let (title, language) = variant.title(languages);
        used.insert(language);
        of_variant(&variant.set, title, table)
    });
    let is_own = |name: &str| TableSetting::parse(name).is_some() || rules.variant(name).is_some();
    let lines = compiled.set.document().options.iter().filter(|line| !is_own(&line.name.value));
    let of_rules = lines.map(|line| {
        let path = format!("options.{}", line.name.value);
        let text = said.by_path.get(&path).cloned().unwrap_or_default();
        of_rule_set(line, text, table.options.get(&line.name.value))
    });
    let options = own.into_iter().chain(variants).chain(of_rules).collect();
    ListedOptions { options, languages: header(&said.language, used.iter().map(String::as_str)) }
}

/// Returns the option by which the next game plays a variant of the table's rule set.
fn of_variant(set: &RuleSet, title: String, table: &Table) -> TableOption {
    TableOption {
        name: set.id().to_owned(),
        group: OptionGroup::Variants,
        text: title,
        value: OptionValue::Truth(table.variant.as_ref().is_some_and(|rules| rules.digest == set.digest())),
        default: OptionValue::Truth(false),
        one_of: Vec::new(),
        from: None,
        to: None,
        effective: OptionEffect::NextGame,
        needs: None,
    }
}

fn own(setting: TableSetting, settings: &TableSettings, words: ProblemWords) -> TableOption {
    TableOption {
        name: setting.name().to_owned(),
        group: OptionGroup::Table,
        text: words.option(setting.text()).to_owned(),
        value: setting.value(settings),
        default: setting.value(&TableSettings::default()),
        one_of: setting.words(),
        from: setting.range().map(|(from, _)| from),
        to: setting.range().map(|(_, to)| to),
        effective: if setting.acts_now() { OptionEffect::Now } else { OptionEffect::NextGame },
        needs: setting.needs().map(TableSetting::name),
    }
}

fn of_rule_set(line: &OptionLine, text: String, chosen: Option<&RuleValue>) -> TableOption {
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
    let value = match chosen {
        None => default.clone(),
        Some(RuleValue::Truth(truth)) => OptionValue::Truth(*truth),
        Some(RuleValue::Number(number)) => OptionValue::Number(*number),
        Some(RuleValue::Word(word)) => OptionValue::Word(word.clone()),
    };
    let effective = OptionEffect::NextGame;
    TableOption {
        name: line.name.value.clone(),
        group: OptionGroup::Rules,
        text,
        value,
        default,
        one_of,
        from,
        to,
        effective,
        needs: None,
    }
}
