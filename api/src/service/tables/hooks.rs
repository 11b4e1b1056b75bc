//! The webhooks of tables.

use crate::error::Problem;
use crate::follow::Webhook;
use crate::model::event_kind::TableEventKind;
use crate::service::call::Call;
use crate::service::tables::access::master;
use crate::service::webhooks::HookedEntity;
use crate::table::TableId;
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::stored::Table;

impl HookedEntity for Table {
    fn has_event(word: &str) -> bool {
        TableEventKind::parse(word).is_some()
    }

    fn webhooks(&self) -> &[Webhook] {
        &self.webhooks
    }

    fn webhooks_mut(&mut self) -> &mut Vec<Webhook> {
        &mut self.webhooks
    }

    fn note_webhooks(edit: &mut TableEdit) -> Result<(), Problem> {
        edit.add(TableEventKind::WebhooksChanged, TableEventFields::default())
    }

    fn check_hook_owner(&self, call: &Call) -> Result<(), Problem> {
        master(self, call)
    }

    fn webhooks_path(id: TableId) -> String {
        format!("/v1/tables/{id}/webhooks")
    }
}
