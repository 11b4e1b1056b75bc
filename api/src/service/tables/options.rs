//! The options of a table: the catalogue with values, and changes by the master.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_rules::document::{OptionKind, OptionLine};
use pagade_rules::ruleset::{OptionValue as RuleValue, Options};

use crate::error::{Code, Problem, ProblemPart, detail, internal};
use crate::game::wire;
use crate::ground::language::Languages;
use crate::ground::pointer::escape;
use crate::model::creation::OptionValue;
use crate::model::table_options::{ChangeOptions, OptionEffect, OptionGroup, TableOption, TableOptions};
use crate::player::{PlayerId, is_registered};
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::reply::Reply;
use crate::service::tables::access::{master, may_see, table_id, token};
use crate::table::edit::TableEdit;
use crate::table::entity;
use crate::table::event::{TableEventFields, TableEventKind};
use crate::table::settings::{Setting, Settings};
use crate::table::stored::{Table, not_found};

/// The options that were chosen for a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ChosenOptions {
    /// The options of the table itself.
    pub settings: Settings,
    /// The options of the rule set. Others have their defaults.
    pub rules: Options,
}

impl Service {
    /// Reads the options of a table. If the caller sits at the table or watches it, the mark that options were changed
    /// is removed.
    ///
    /// # Errors
    /// The table does not exist, or is private.
    pub(crate) async fn read_table_options(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        let id = table_id(id)?;
        let stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let mut table = Table::read(&stored.snapshot)?;
        may_see(&table, call)?;
        let compiled = self.rule_set_of(&table).await?;
        let reader = call.player.as_ref().map(|player| player.id);
        let is_marked = reader.is_some_and(|reader| marks(&mut table).any(|(player, mark)| player == reader && *mark));
        if is_marked {
            let unmark = |edit: &mut TableEdit| {
                let own = marks(&mut edit.table).filter(|(player, _)| Some(*player) == reader);
                own.for_each(|(_, mark)| *mark = false);
                let answer = TableOptions { options: listed(&compiled, &edit.table), changed: None };
                Ok(Reply::ok(&answer)?.at_version(edit.table.version))
            };
            return self.change(None, entity(id), unmark).await;
        }
        Ok(Reply::ok(&TableOptions { options: listed(&compiled, &table), changed: None })?.at_version(table.version))
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
    ) -> Result<Reply, Problem> {
        token(call)?;
        let stored = self.store.entity(entity(table_id(id)?)).await?.ok_or_else(not_found)?;
        let compiled = self.rule_set_of(&Table::read(&stored.snapshot)?).await?;
        self.change_table(call, body, id, |edit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            edit.check_open()?;
            let table = &edit.table;
            let mut chosen = ChosenOptions { settings: table.settings.clone(), rules: table.options.clone() };
            let mut mistakes = Vec::new();
            self.choose_options(&compiled, &wish.options, &mut chosen, &mut mistakes);
            if !mistakes.is_empty() {
                return Err(Problem::several(Code::BodyInvalid, mistakes));
            }
            check_guests(&edit.table, &chosen.settings)?;
            let values = |table: &Table| {
                let all = listed(&compiled, table).into_iter();
                all.map(|option| (option.name, option.value)).collect::<Vec<_>>()
            };
            let before = values(&edit.table);
            (edit.table.settings, edit.table.options) = (chosen.settings, chosen.rules);
            let after = values(&edit.table).into_iter().zip(before);
            let changed: Vec<_> = after.filter(|(now, before)| now != before).map(|((name, _), _)| name).collect();
            if !changed.is_empty() {
                note_change(edit, call, &changed)?;
            }
            let answer = TableOptions { options: listed(&compiled, &edit.table), changed: Some(changed) };
            Ok(Reply::ok(&answer)?.at_version(edit.table.version))
        })
        .await
    }

    /// Returns the rule set of a table.
    async fn rule_set_of(&self, table: &Table) -> Result<Arc<CompiledRuleSet>, Problem> {
        let compiled = self.library.by_digest(&table.rule_set.digest).await?;
        compiled.ok_or_else(|| internal("the rule set of a table is missing"))
    }

    /// Sets options to the values that a request has. Adds a mistake for each option that does not exist, and for each
    /// value that does not fit.
    pub(super) fn choose_options(
        &self,
        compiled: &CompiledRuleSet,
        wish: &BTreeMap<String, OptionValue>,
        chosen: &mut ChosenOptions,
        mistakes: &mut Vec<ProblemPart>,
    ) {
        let mut of_rules = BTreeMap::new();
        for (name, value) in wish {
            let Some(setting) = Setting::parse(name) else {
                of_rules.insert(name.clone(), value.clone());
                continue;
            };
            if let Err(detail) = setting.set(&mut chosen.settings, value) {
                mistakes.push(ProblemPart::at(format!("/options/{}", escape(name)), detail));
            }
        }
        chosen.rules.extend(wire::options(&of_rules));
        if let Err(problem) = self.library.table(compiled, &chosen.rules, None) {
            // The start of a game checks whether the players at the table can play with these options.
            let is_of_options = |part: &ProblemPart| part.pointer.as_deref() != Some("/players");
            mistakes.extend(problem.parts.into_iter().filter(is_of_options));
        }
    }
}

/// Checks that no guest sits at a table whose games are to count.
///
/// # Errors
/// 409 if a guest sits there.
fn check_guests(table: &Table, chosen: &Settings) -> Result<(), Problem> {
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
    edit.changes_game = true;
    let fields = TableEventFields { options: changed.to_vec(), ..TableEventFields::default() };
    edit.add(TableEventKind::OptionsChanged, fields)
}

/// Returns the players who sit at a table or watch it, with their marks that options were changed.
fn marks(table: &mut Table) -> impl Iterator<Item = (PlayerId, &mut bool)> {
    let seated = table.seats.iter_mut().filter_map(|seat| seat.sitter.as_mut());
    let seated = seated.map(|sitter| (sitter.player, &mut sitter.options_changed));
    seated.chain(table.watchers.iter_mut().map(|watcher| (watcher.player, &mut watcher.options_changed)))
}

/// Lists the options of a table with their values: first those of the table itself, then those of its rule set. An
/// option of a rule set that has the name of one of the table cannot be chosen, and is left out.
fn listed(compiled: &CompiledRuleSet, table: &Table) -> Vec<TableOption> {
    let said = compiled.texts(&Languages::default(), |path| path.starts_with("options."));
    let own = Setting::ALL.map(|setting| own(setting, &table.settings));
    let lines = compiled.set.document().options.iter().filter(|line| Setting::parse(&line.name.value).is_none());
    let of_rules = lines.map(|line| {
        let text = said.text(&format!("options.{}", line.name.value));
        of_rule_set(line, text, table.options.get(&line.name.value))
    });
    own.into_iter().chain(of_rules).collect()
}

fn own(setting: Setting, settings: &Settings) -> TableOption {
    TableOption {
        name: setting.name().to_owned(),
        group: OptionGroup::Table,
        text: setting.text().to_owned(),
        value: setting.value(settings),
        default: setting.value(&Settings::default()),
        one_of: Vec::new(),
        from: setting.range().map(|(from, _)| from),
        to: setting.range().map(|(_, to)| to),
        effective: if setting.acts_now() { OptionEffect::Now } else { OptionEffect::NextGame },
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
    }
}
