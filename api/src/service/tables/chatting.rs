//! The chat of a table.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{Code, Problem, detail, readable};
use crate::model::event_kind::TableEventKind;
use crate::model::table_chat::{ChatLineView, ChatPage, ChatQuery, MutePlayer, SayLine};
use crate::player::PlayerId;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::players::access::player_id;
use crate::service::reply::Reply;
use crate::service::tables::access::{TableRole, master, member, note_address, player, table_id, token};
use crate::service::{Service, page};
use crate::table::chat::{ChatLine, MOST_AT_ONCE, PACE};
use crate::table::edit::TableEdit;
use crate::table::entity;
use crate::table::event::TableEventFields;
use crate::table::stored::{Table, not_found};
use crate::table::view::line as view_of_line;

/// Number of lines on a page if the client names no other number.
const DEFAULT_LINES: u32 = 100;
/// Maximum number of lines on a page.
const MOST_LINES: u32 = 200;

impl Service {
    /// Says a line in the chat of a table.
    ///
    /// # Errors
    /// The caller neither sits at the table nor watches it, was muted, has said too much in a short time, or the text
    /// cannot be shown to people.
    pub(crate) async fn say_at_table(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &SayLine,
    ) -> Result<Reply, Problem> {
        let player = player(call)?;
        let mut mistakes = Vec::new();
        let text = readable("/text", Some(&wish.text), &mut mistakes).unwrap_or_default();
        let id = table_id(id)?;
        let has_moved = AtomicBool::new(false);
        let work = |edit: &mut TableEdit| {
            member(&edit.table, call)?;
            if !mistakes.is_empty() {
                return Err(Problem::several(Code::BodyInvalid, mistakes.clone()));
            }
            edit.check_open()?;
            let now = edit.table.changed_at;
            if edit.table.chat.muted.contains(&player.id) {
                return Err(Problem::new(Code::NotAllowed, "the master of the table has muted the player"));
            }
            if let Some(pause) = edit.table.chat.pause(player.id, now) {
                let (most, seconds) = (MOST_AT_ONCE, PACE / 1000);
                let detail = detail!("a player may say {most} lines in {seconds} seconds", most, seconds);
                return Err(Problem::new(Code::TooManyRequests, detail).after(Duration::from_millis(pause)));
            }
            has_moved.store(note_address(&mut edit.table, edit.id, call), Ordering::Relaxed);
            // The chat shows the name that the player has at this table, where all names differ. The player may have
            // got another name since, which looks like that of somebody here.
            let name = name_at(&edit.table, player.id);
            let line = edit.table.chat.say(player.id, name, text.clone(), now);
            edit.add(TableEventKind::Said, TableEventFields { line: Some(line), ..TableEventFields::default() })?;
            let said = edit.table.chat.lines.back().map(|line| view(line, None));
            Ok(Reply::new(201, &said)?.at_version(edit.table.version))
        };
        let reply = self.change(IdempotentRequest::of(call, body)?, entity(id), work).await?;
        if has_moved.into_inner() {
            // The game in play compares the new address with those of the other players.
            self.settle_or_leave(id).await;
        }
        Ok(reply)
    }

    /// Reads the chat of a table.
    ///
    /// # Errors
    /// The caller neither sits at the table nor watches it.
    pub(crate) async fn read_table_chat(&self, call: &Call, id: &str, query: &ChatQuery) -> Result<Reply, Problem> {
        token(call)?;
        let limit = page::limit(query.limit, MOST_LINES, DEFAULT_LINES)?;
        let after = page::number("after", query.after)?.unwrap_or(0);
        let stored = self.store.entity(entity(table_id(id)?)).await?.ok_or_else(not_found)?;
        let table = Table::read(&stored.snapshot)?;
        let role = member(&table, call)?;
        let later = table.chat.lines.iter().filter(|line| line.number > after).take(limit);
        let lines: Vec<_> = later.map(|line| view(line, Some(role))).collect();
        let next_after = lines.last().map_or(after, |line| line.line);
        Reply::ok(&ChatPage { lines, next_after })
    }

    /// Removes a line from the chat, at the request of the player who said it or of the master.
    ///
    /// # Errors
    /// There is no such line, or the caller may not remove it.
    pub(crate) async fn remove_chat_line(&self, call: &Call, id: &str, line: &str) -> Result<Reply, Problem> {
        token(call)?;
        let work = |edit: &mut TableEdit| {
            member(&edit.table, call)?;
            let said = line_of(edit, line)?.clone();
            if call.player.as_ref().map(|player| player.id) != Some(said.player) {
                master(&edit.table, call)?;
            }
            check_seen(edit, call)?;
            if said.text.is_some() {
                line_of(edit, line)?.text = None;
                let fields = TableEventFields { line: Some(said.number), ..TableEventFields::default() };
                edit.add(TableEventKind::LineRemoved, fields)?;
            }
            Ok(Reply::done(edit.table.version))
        };
        self.change_table(call, b"", id, work).await
    }

    /// Reports a line of the chat to the master. Does nothing if the player, or enough other players, have reported the
    /// line before.
    ///
    /// # Errors
    /// There is no such line, or the caller neither sits at the table nor watches it.
    pub(crate) async fn report_chat_line(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        line: &str,
    ) -> Result<Reply, Problem> {
        let player = player(call)?;
        let work = |edit: &mut TableEdit| {
            member(&edit.table, call)?;
            let said = line_of(edit, line)?;
            // The event does not name the line, because everybody at the table reads it. The master sees the line in
            // the chat.
            if said.report(player.id) {
                edit.add(TableEventKind::LineReported, TableEventFields::default())?;
            }
            Ok(Reply::done(edit.table.version))
        };
        self.change_table(call, body, id, work).await
    }

    /// Mutes a player at a table, or lets the player speak again.
    ///
    /// # Errors
    /// The caller is not the master, or the player neither sits at the table nor watches it.
    pub(crate) async fn mute_at_table(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        muted: &str,
        wish: &MutePlayer,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let muted = player_id(muted)?;
        let work = |edit: &mut TableEdit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            let is_muted = edit.table.chat.muted.contains(&muted);
            let is_here = edit.table.seat_of(muted).is_some() || edit.table.is_watched_by(muted);
            if !is_here && !is_muted {
                return Err(Problem::new(Code::PlayerNotFound, "no player with this id is at the table"));
            }
            if is_muted != wish.muted {
                edit.table.chat.mute(muted, wish.muted);
                let fields = TableEventFields { muted: Some(wish.muted), ..edit.of_player(muted) };
                edit.add(TableEventKind::MuteChanged, fields)?;
            }
            Ok(Reply::done(edit.table.version))
        };
        self.change_table(call, body, id, work).await
    }
}

fn name_at(table: &Table, player: PlayerId) -> Option<String> {
    let seated = table.sitters().find(|(_, sitter)| sitter.player == player).map(|(_, sitter)| sitter.name.clone());
    let watching = || table.watchers.iter().find(|watcher| watcher.player == player).map(|known| known.name.clone());
    seated.or_else(watching).flatten()
}

/// Finds a line by its number in a path.
fn line_of<'e>(edit: &'e mut TableEdit, line: &str) -> Result<&'e mut ChatLine, Problem> {
    let number = line.parse().ok();
    let line = number.and_then(|number| edit.table.chat.line_mut(number));
    line.ok_or_else(|| Problem::new(Code::LineNotFound, "the chat has no line with this number, or no longer has it"))
}

fn view(line: &ChatLine, role: Option<TableRole>) -> ChatLineView<'_> {
    let is_master = matches!(role, Some(TableRole::Master | TableRole::Admin));
    view_of_line(line, is_master)
}
