//! Reads tables, and lists them.

use crate::error::{Problem, detail};
use crate::model::table_list::{PlayerTablesQuery, TableList, TablesQuery};
use crate::player::entity as entity_of_player;
use crate::player::stored::{Player, not_found as no_player};
use crate::service::call::Call;
use crate::service::players::access::{own, player_id, token as token_of_player};
use crate::service::reply::Reply;
use crate::service::tables::access::table_id;
use crate::service::{Service, page};
use crate::store::StoredEntity;
use crate::table::stored::{Table, not_found};
use crate::table::tags::{PlayerRole, TableFilter, tag_of_player};
use crate::table::{TABLE, entity, view};

impl Service {
    /// Reads a table. If a game is in play, the table is first brought in line with it.
    ///
    /// # Errors
    /// The table does not exist.
    pub(crate) async fn read_table(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        call.check()?;
        let id = table_id(id)?;
        let mut stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
        let mut table = Table::read(&stored.snapshot)?;
        if table.current.is_some() || table.wants_game {
            self.settle_or_leave(id).await;
            stored = self.store.entity(entity(id)).await?.ok_or_else(not_found)?;
            table = Table::read(&stored.snapshot)?;
        }
        if call.has_seen(table.version) {
            return Ok(Reply::not_modified(table.version));
        }
        Ok(Reply::ok(&view::table(id, &table))?.at_version(table.version))
    }

    /// Lists a page of the tables that are not closed.
    ///
    /// # Errors
    /// A parameter is invalid.
    pub(crate) async fn list_tables(&self, query: &TablesQuery) -> Result<Reply, Problem> {
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        if let Some(id) = &query.rule_set
            && !(1..=64).contains(&id.chars().count())
        {
            let detail = detail!("it has {least} to {most} characters", least = 1, most = 64);
            return Err(page::parameter("rule_set", detail));
        }
        let wanted = TableFilter {
            free: query.free.unwrap_or(false),
            private: query.private,
            rule_set: query.rule_set.as_deref(),
            time_per_turn: query.time_per_turn,
            bet: query.bet,
        };
        let (listed, next) = self.page_of_tables(wanted.tag(), query.cursor.as_deref(), limit).await?;
        let link = next.as_deref().map(|cursor| {
            let mut path = format!("/v1/tables?limit={limit}&cursor={cursor}");
            query.free.into_iter().for_each(|free| path.push_str(&format!("&free={free}")));
            query.private.into_iter().for_each(|private| path.push_str(&format!("&private={private}")));
            query.time_per_turn.into_iter().for_each(|time| path.push_str(&format!("&time_per_turn={time}")));
            query.bet.into_iter().for_each(|bet| path.push_str(&format!("&bet={bet}")));
            // The id needs no escaping: there is a next page only if the rule set exists.
            query.rule_set.iter().for_each(|rule_set| path.push_str(&format!("&rule_set={rule_set}")));
            path
        });
        answer(&listed, next.as_deref(), None, link)
    }

    /// Lists a page of the tables at which a player sits, which the player watches, or to which the player is invited.
    ///
    /// # Errors
    /// The caller is not the player, or a parameter is invalid.
    pub(crate) async fn list_player_tables(
        &self,
        call: &Call,
        id: &str,
        query: &PlayerTablesQuery,
    ) -> Result<Reply, Problem> {
        token_of_player(call)?;
        let limit = page::limit(query.limit, page::MOST, page::DEFAULT)?;
        let id = player_id(id)?;
        let stored = self.store.entity(entity_of_player(id)).await?.ok_or_else(no_player)?;
        own(&Player::read(&stored.snapshot)?, call)?;
        let role = query.role.map_or(PlayerRole::Seated, Into::into);
        let (listed, next) = self.page_of_tables(tag_of_player(role, id), query.cursor.as_deref(), limit).await?;
        let link = next.as_deref().map(|cursor| {
            let word = query.role.and_then(|role| serde_json::to_value(role).ok());
            let word = word.as_ref().and_then(|word| word.as_str()).map(|word| format!("&role={word}"));
            format!("/v1/players/{id}/tables?limit={limit}&cursor={cursor}{}", word.unwrap_or_default())
        });
        answer(&listed, next.as_deref(), Some(role), link)
    }

    /// Returns a page of tables with a tag, and the cursor of the next page.
    async fn page_of_tables(
        &self,
        tag: String,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<(StoredEntity, Table)>, Option<String>), Problem> {
        let before = cursor.map(page::cursor).transpose()?;
        let mut stored = self.store.list(TABLE, tag, before, limit + 1).await?;
        let more = stored.len() > limit;
        stored.truncate(limit);
        let next = stored.last().filter(|_| more).map(|table| page::cursor_after(table.id.id));
        let read = |stored: StoredEntity| Table::read(&stored.snapshot).map(|table| (stored, table));
        Ok((stored.into_iter().map(read).collect::<Result<_, _>>()?, next))
    }
}

fn answer(
    listed: &[(StoredEntity, Table)],
    next: Option<&str>,
    role: Option<PlayerRole>,
    link: Option<String>,
) -> Result<Reply, Problem> {
    let tables = listed.iter().map(|(stored, table)| view::summary(stored.id.id, table, role)).collect();
    Ok(Reply::ok(&TableList { tables, next_cursor: next })?.with_next(link))
}
