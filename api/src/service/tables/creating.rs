//! Creates tables.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::error::{Code, Problem, ProblemPart, internal, readable, readable_name};
use crate::model::event_kind::TableEventKind;
use crate::model::table::CreateTable;
use crate::player::is_registered;
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::rule_sets::problems::{no_rule_set, no_seat};
use crate::service::tables::access::player;
use crate::service::tables::options::{ChosenOptions, TableRules};
use crate::service::tables::seating::sit;
use crate::table::TableId;
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::settings::TableSetting;
use crate::table::stored::{Table, TableSeat};

/// The plan of a new table, after all checks of the request.
pub(super) struct TableToCreate {
    pub compiled: Arc<CompiledRuleSet>,
    rules: TableRules,
    title: Option<String>,
    seats: Vec<String>,
    chosen: ChosenOptions,
    /// The seat of the player who creates the table.
    own: String,
    /// The name of this player at the table.
    pub name: Option<String>,
}

impl TableToCreate {
    /// Makes the table, before its first commit and without players. `now` is in milliseconds since 1970.
    pub(super) fn table(&self, now: u64) -> Table {
        let seats = self.seats.iter().map(|seat| TableSeat::free(seat.clone()));
        let mut table = Table::new(self.title.clone(), (&self.compiled.set).into(), seats.collect(), now);
        (table.options, table.settings) = (self.chosen.rules.clone(), self.chosen.settings.clone());
        table.variant.clone_from(&self.chosen.variant);
        table
    }

    /// Begins the table with its first player, who sends the request.
    ///
    /// # Errors
    /// The player has too few chips for the bet.
    pub(super) fn begin(&self, id: TableId, call: &Call, now: u64) -> Result<TableEdit, Problem> {
        let mut edit = TableEdit::begin(id, self.table(now), now);
        edit.add(TableEventKind::Created, TableEventFields::default())?;
        sit(&mut edit, call, &self.own, self.name.clone())?;
        Ok(edit)
    }

    /// Lists the seats of every table that can be played with these options.
    ///
    /// # Errors
    /// The options contradict each other, which was checked before.
    pub(super) fn playable_tables(&self) -> Result<Vec<Vec<String>>, Problem> {
        let set = &self.rules.chosen(self.chosen.variant.as_ref()).set;
        let tables = set.playable_tables(&self.chosen.rules);
        let tables = tables.map_err(|problems| internal(format!("{problems:?}")))?;
        Ok(tables.into_iter().map(|table| table.players).collect())
    }

    /// Returns the same table with other seats, of which the first is that of the player who creates it.
    pub(super) fn with_seats(self, seats: Vec<String>) -> Self {
        Self { own: seats.first().cloned().unwrap_or_default(), seats, ..self }
    }
}

impl Service {
    /// Creates a table. The player who creates it sits down first, and is the master.
    ///
    /// # Errors
    /// The request has no player's token, or rule set, seats, options or texts do not fit. The error lists every
    /// mistake.
    pub(crate) async fn create_table(&self, call: &Call, body: &[u8], wish: &CreateTable) -> Result<Reply, Problem> {
        player(call)?;
        self.create(IdempotentRequest::of(call, body)?, async |id| {
            let planned = self.plan_table(call, wish).await?;
            let edit = planned.begin(id, call, self.store.now())?;
            let reply = Reply::new(201, &edit.view())?.at_version(edit.table.version);
            Ok((edit, Some(planned.compiled.rule_text()?), reply.at_location(format!("/v1/tables/{id}"))))
        })
        .await
    }

    /// Checks a table to create.
    ///
    /// # Errors
    /// The request has no player's token, or rule set, seats, options or texts do not fit. The error lists every
    /// mistake.
    pub(super) async fn plan_table(&self, call: &Call, wish: &CreateTable) -> Result<TableToCreate, Problem> {
        let player = player(call)?;
        let mut mistakes = Vec::new();
        let title = readable("/title", wish.title.as_deref(), &mut mistakes);
        let name = readable_name("/name", wish.name.as_deref(), &mut mistakes).or_else(|| player.name.clone());
        let Some(compiled) = self.library.find(&wish.rule_set, wish.version.as_deref()).await? else {
            return Err(Problem::body("/rule_set", no_rule_set(&wish.rule_set, wish.version.as_deref())));
        };
        let seats = seats_of(&compiled, wish, &mut mistakes);
        let (mut chosen, rules) = (ChosenOptions::default(), self.rules_with(Arc::clone(&compiled)));
        self.choose_options(&rules, &wish.options, &mut chosen, &mut mistakes);
        if !is_registered(player.id) && !wish.options.contains_key(TableSetting::Competitive.name()) {
            // A guest plays for practice only.
            chosen.settings.competitive = false;
        }
        let own = wish.my_seat.clone().or_else(|| seats.first().cloned()).unwrap_or_default();
        if !seats.contains(&own) {
            mistakes.push(ProblemPart::at("/my_seat", no_seat(&own, &seats)));
        }
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        Ok(TableToCreate { compiled, rules, title, seats, chosen, own, name })
    }
}

/// Returns the seats that a request names, in the order of travel; all seats of the rule set if it names none.
fn seats_of(compiled: &CompiledRuleSet, wish: &CreateTable, mistakes: &mut Vec<ProblemPart>) -> Vec<String> {
    let all: Vec<_> = compiled.set.document().board.seats.iter().map(|seat| seat.value.clone()).collect();
    let Some(named) = &wish.seats else { return all };
    for (index, seat) in named.iter().enumerate().filter(|(_, seat)| !all.contains(seat)) {
        mistakes.push(ProblemPart::at(format!("/seats/{index}"), no_seat(seat, &all)));
    }
    let named: BTreeSet<_> = named.iter().collect();
    all.iter().filter(|seat| named.contains(seat)).cloned().collect()
}
