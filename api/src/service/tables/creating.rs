//! Creates tables.

use std::collections::BTreeSet;

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::game::address::AddressMark;
use crate::model::table::CreateTable;
use crate::player::is_registered;
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::games::creation::readable;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::rule_sets::refused::no_rule_set;
use crate::service::tables::access::{check_balance, player};
use crate::service::tables::options::ChosenOptions;
use crate::table::edit::TableEdit;
use crate::table::event::{TableEventFields, TableEventKind};
use crate::table::settings::Setting;
use crate::table::stored::{Table, TableSeat};

impl Service {
    /// Creates a table. The player who creates it sits down first, and is the master.
    ///
    /// # Errors
    /// The request has no player's token, or rule set, seats, options or texts do not fit. The error lists every
    /// mistake.
    pub(crate) async fn create_table(&self, call: &Call, body: &[u8], wish: &CreateTable) -> Result<Reply, Problem> {
        let player = player(call)?;
        let mut mistakes = Vec::new();
        let title = readable("/title", wish.title.as_deref(), &mut mistakes);
        let name = readable("/name", wish.name.as_deref(), &mut mistakes).or_else(|| player.name.clone());
        let Some(compiled) = self.library.find(&wish.rule_set, wish.version.as_deref()).await? else {
            return Err(Problem::body("/rule_set", no_rule_set(&wish.rule_set, wish.version.as_deref())));
        };
        let seats = seats_of(&compiled, wish, &mut mistakes);
        let mut chosen = ChosenOptions::default();
        self.choose_options(&compiled, &wish.options, &mut chosen, &mut mistakes);
        if !is_registered(player.id) && !wish.options.contains_key(Setting::Competitive.name()) {
            // A guest plays for practice only.
            chosen.settings.competitive = false;
        }
        check_balance(&chosen.settings, player)?;
        let own = wish.my_seat.clone().or_else(|| seats.first().cloned()).unwrap_or_default();
        if !seats.contains(&own) {
            mistakes.push(ProblemPart::at("/my_seat", no_seat(&own, &seats)));
        }
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        self.create(IdempotentRequest::of(call, body)?, async |id| {
            let now = self.store.now();
            let seats = seats.iter().map(|seat| TableSeat { seat: seat.clone(), sitter: None });
            let mut table = Table::new(title.clone(), (&compiled.set).into(), seats.collect(), now);
            (table.options, table.settings) = (chosen.rules.clone(), chosen.settings.clone());
            let mut edit = TableEdit::begin(id, table, now);
            edit.add(TableEventKind::Created, TableEventFields::default())?;
            edit.sit(&own, player.id, name.clone())?;
            edit.note_address(player.id, call.caller.map(|caller| AddressMark::of(caller, id)));
            let reply = Reply::new(201, &edit.view())?.at_version(edit.table.version);
            Ok((edit, Some(compiled.rule_text()?), reply.at_location(format!("/v1/tables/{id}"))))
        })
        .await
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

fn no_seat(seat: &str, seats: &[String]) -> Detail {
    let shown: String = seat.chars().take(32).collect();
    detail!("no seat is named `{seat}`; the seats are {seats}", seat = shown, seats)
}
