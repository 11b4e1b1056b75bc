//! Sitting down at a table, leaving it, and watching.

use crate::error::{Code, Problem, readable_name};
use crate::ground::token::Token;
use crate::model::table::{JoinTable, SeatRobot};
use crate::player::PlayerId;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::players::access::player_id;
use crate::service::reply::Reply;
use crate::service::tables::access::{
    TableRole, check_balance, has_link, master, note_address, player, role, table_id,
};
use crate::table::edit::TableEdit;
use crate::table::entity;
use crate::table::stored::Table;

/// Gives a seat to the player who sends the request.
///
/// # Errors
/// The errors of [`TableEdit::sit`]; 409 if the player has too few chips for the bet of the table.
pub(super) fn sit(edit: &mut TableEdit, call: &Call, seat: &str, name: Option<String>) -> Result<(), Problem> {
    let player = player(call)?;
    edit.sit(seat, player.id, name)?;
    check_balance(&edit.table.settings, player)?;
    note_address(&mut edit.table, edit.id, call);
    Ok(())
}

impl Service {
    /// Gives a free seat of a table to the player.
    ///
    /// # Errors
    /// There is no such seat, it is taken, the player sits at the table already, or the table is private and the player
    /// is not invited.
    pub(crate) async fn take_table_seat(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
        wish: &JoinTable,
    ) -> Result<Reply, Problem> {
        player(call)?;
        let (name, friend) = (name_of(call, wish)?, self.friend_at(call, id).await?);
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            check_invited(&edit.table, call, wish, friend)?;
            sit(edit, call, seat, name.clone())?;
            edit.count_votes()?;
            Ok(Reply::new(201, &edit.view())?.at_version(edit.table.version))
        })
        .await
    }

    /// Gives a seat of a table to a robot, from the next game on.
    ///
    /// # Errors
    /// The caller is not the master, there is no such seat, or a player sits there.
    pub(crate) async fn seat_table_robot(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
        wish: &SeatRobot,
    ) -> Result<Reply, Problem> {
        self.change_table(call, body, id, |edit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            edit.seat_robot(seat, wish.robot.into())?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.table.version))
        })
        .await
    }

    /// Frees a seat of a table, at the request of its player or of the master. The master cannot remove a player while
    /// a game is in play.
    ///
    /// # Errors
    /// There is no such seat, or the caller may not free it.
    pub(crate) async fn leave_table_seat(&self, call: &Call, id: &str, seat: &str) -> Result<Reply, Problem> {
        self.change_table(call, b"", id, |edit| {
            let table_seat = &edit.table.seats[edit.index_of(seat)?];
            let sitter = table_seat.sitter.as_ref().map(|sitter| sitter.player);
            let is_own = sitter.is_some() && sitter == call.player.as_ref().map(|player| player.id);
            if !is_own {
                master(&edit.table, call)?;
            }
            check_seen(edit, call)?;
            if !is_own && edit.table.current.is_some() && sitter.is_some() {
                return Err(Problem::new(Code::TablePlaying, "a game is in play at this table"));
            }
            if let Some(sitter) = sitter {
                note_address(&mut edit.table, edit.id, call);
                edit.leave(sitter)?;
                edit.count_votes()?;
            }
            edit.free_robot(seat)?;
            Ok(Reply::done(edit.table.version))
        })
        .await
    }

    /// Returns the master of a private table if the caller is a friend of the master.
    async fn friend_at(&self, call: &Call, id: &str) -> Result<Option<PlayerId>, Problem> {
        let (player, id) = (player(call)?.id, entity(table_id(id)?));
        // A request may be repeated after the table has expired.
        let Some(stored) = self.store.entity(id).await? else { return Ok(None) };
        let table = Table::read(&stored.snapshot)?;
        match table.master.filter(|_| table.settings.private) {
            Some(master) if self.are_friends(master, player).await? => Ok(Some(master)),
            _ => Ok(None),
        }
    }

    /// Lets the player watch a table and its games.
    ///
    /// # Errors
    /// Nobody may watch, the table is private and the player is not invited, the player sits at the table, or another
    /// sitter or watcher has that name, or one that looks like it.
    pub(crate) async fn watch_table(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &JoinTable,
    ) -> Result<Reply, Problem> {
        let player = player(call)?;
        let (name, friend) = (name_of(call, wish)?, self.friend_at(call, id).await?);
        self.change_table(call, body, id, |edit| {
            check_seen(edit, call)?;
            if !edit.table.is_watched_by(player.id) {
                check_invited(&edit.table, call, wish, friend)?;
            }
            edit.watch(player.id, name.clone())?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.table.version))
        })
        .await
    }

    /// Removes a player from the watchers, at the request of this player or of the master.
    ///
    /// # Errors
    /// The caller is neither this player nor the master.
    pub(crate) async fn stop_watching_table(&self, call: &Call, id: &str, watcher: &str) -> Result<Reply, Problem> {
        let watcher = player_id(watcher)?;
        self.change_table(call, b"", id, |edit| {
            if call.player.as_ref().map(|player| player.id) != Some(watcher) {
                master(&edit.table, call)?;
            }
            check_seen(edit, call)?;
            edit.stop_watching(watcher)?;
            Ok(Reply::done(edit.table.version))
        })
        .await
    }
}

/// Returns the name under which the player comes to the table.
fn name_of(call: &Call, wish: &JoinTable) -> Result<Option<String>, Problem> {
    let mut mistakes = Vec::new();
    let name = readable_name("/name", wish.name.as_deref(), &mut mistakes);
    if !mistakes.is_empty() {
        return Err(Problem::several(Code::BodyInvalid, mistakes));
    }
    Ok(name.or_else(|| call.player.as_ref().and_then(|player| player.name.clone())))
}

/// Checks that the table is public, or that the player has an invitation, the link, or a seat at the table already, or
/// is a friend of the master. `friend` is the master whose friend the player is.
fn check_invited(table: &Table, call: &Call, wish: &JoinTable, friend: Option<PlayerId>) -> Result<(), Problem> {
    let is_friend = friend.is_some() && friend == table.master;
    // A watcher may have an invitation, too, although the role shows only that the player watches.
    let is_invited = call.player.as_ref().is_some_and(|player| table.has_invited(player.id));
    let is_known = is_invited || matches!(role(table, call), Some(role) if role != TableRole::Watching);
    let has_link = wish.link.as_deref().is_some_and(|link| has_link(table, Some(&Token::sent(link))));
    if table.settings.private && !table.is_closed && !is_known && !has_link && !is_friend {
        return Err(Problem::new(Code::NotAllowed, "the table is private, and the caller is not invited"));
    }
    Ok(())
}
