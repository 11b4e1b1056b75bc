//! Forgets the oldest visitors of a table that had very many, so that the table stays small.

use crate::error::{Code, Problem};
use crate::game::erasing::without_id;
use crate::service::Service;
use crate::service::reply::Reply;
use crate::table::edit::TableEdit;
use crate::table::stored::{Table, not_found};
use crate::table::{TableId, entity};

impl Service {
    /// Removes the ids of old visitors from the events of a table, and then forgets these visitors. Does nothing if the
    /// table has few visitors.
    ///
    /// # Errors
    /// The store is not available.
    pub(in crate::service) async fn forget_old_visitors(&self, id: TableId) -> Result<(), Problem> {
        let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(()) };
        let old = Table::read(&stored.snapshot)?.old_visitors();
        if old.is_empty() {
            return Ok(());
        }
        self.erase_from_events(entity(id), &old, without_id, |_| false).await?;
        let forget = |edit: &mut TableEdit| {
            // A visitor who has come again in the meantime is named by new events, and is not forgotten.
            let still_old = edit.table.old_visitors();
            let old: Vec<_> = old.iter().filter(|visitor| still_old.contains(visitor)).copied().collect();
            if old.is_empty() {
                return Err(not_found());
            }
            edit.forget_visitors(&old);
            Ok(Reply::default())
        };
        match self.change(None, entity(id), forget).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::watch;

    use super::*;
    use crate::config::ServeConfig;
    use crate::game::terms::PinnedRules;
    use crate::player::PlayerId;
    use crate::service::entity::EntityEdit;
    use crate::service::lamp::tests::{on_both_stores, until};
    use crate::store::{Change, Commit};
    use crate::table::stored::{MOST_VISITORS, TableSeat};
    use crate::table::tags::tag_of_named;

    #[test]
    fn events_name_only_the_newest_of_very_many_visitors() {
        on_both_stores(async |store| {
            let (_closing, closed) = watch::channel(false);
            let service = Service::new(Arc::clone(&store), &ServeConfig::default(), closed);
            let (id, now) = (TableId::now_v7(), store.now());
            let rule_set = PinnedRules { id: "x".to_owned(), version: "1".to_owned(), digest: "d".to_owned() };
            let table = Table::new(None, rule_set, vec![TableSeat::free("red".to_owned())], now);
            let mut edit = TableEdit::begin(id, table, now);
            edit.table.settings.competitive = false;
            let visitors: Vec<_> = (0..MOST_VISITORS + 200).map(|_| PlayerId::now_v7()).collect();
            edit.sit("red", visitors[0], None).unwrap();
            for visitor in &visitors[1..] {
                edit.watch(*visitor, None).unwrap();
                edit.stop_watching(*visitor).unwrap();
            }
            let (change, effects) = edit.finish(&service, None).unwrap();
            store.commit(Commit::from(Change::Entity(change))).await.unwrap();
            TableEdit::apply(&service, effects);
            let is_listed = async |visitor| {
                !store.list(crate::table::TABLE, tag_of_named(visitor), None, 9).await.unwrap().is_empty()
            };
            until("the oldest visitors are forgotten", async || !is_listed(visitors[1]).await).await;
            let (stored, events) = store.entity_and_events(entity(id), 0, usize::MAX).await.unwrap();
            let table = Table::read(&stored.unwrap().snapshot).unwrap();
            assert_eq!(table.visitors.len(), MOST_VISITORS + 1, "the oldest one sits at the table");
            let events = String::from_utf8(events.concat()).unwrap();
            for (number, visitor) in visitors.iter().enumerate() {
                let is_known = number == 0 || number >= 200;
                assert_eq!(events.contains(&visitor.to_string()), is_known, "{number}");
            }
            assert!(is_listed(visitors[0]).await && is_listed(visitors[200]).await);
            service.forget_old_visitors(id).await.unwrap();
            assert_eq!(store.entity(entity(id)).await.unwrap().unwrap().version, 2, "nothing is left to do");
        });
    }
}
