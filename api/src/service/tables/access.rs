//! Access to tables: what the token of a request allows.

use crate::error::{Code, Problem};
use crate::game::address::AddressMark;
use crate::ground::token::Token;
use crate::player::PlayerId;
use crate::player::ledger::too_few;
use crate::service::call::{Call, CallPlayer};
use crate::service::entity::Entity;
use crate::table::TableId;
use crate::table::settings::TableSettings;
use crate::table::stored::Table;

/// The role of a caller at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableRole {
    /// The operator of the service, by the admin token.
    Admin,
    /// The master, who sits at the table.
    Master,
    /// A player who sits at the table.
    Seated,
    /// A player who watches.
    Watching,
    /// A player with an invitation, or the holder of the link.
    Invited,
}

pub(in crate::service) fn role(table: &Table, call: &Call) -> Option<TableRole> {
    if call.is_admin {
        return Some(TableRole::Admin);
    }
    let of_player = call.player.as_ref().and_then(|player| role_of(table, player.id));
    of_player.or_else(|| has_link(table, call.token.as_ref()).then_some(TableRole::Invited))
}

fn role_of(table: &Table, player: PlayerId) -> Option<TableRole> {
    match table.seat_of(player) {
        Some(_) if table.master == Some(player) => Some(TableRole::Master),
        Some(_) => Some(TableRole::Seated),
        None if table.is_watched_by(player) => Some(TableRole::Watching),
        None => table.has_invited(player).then_some(TableRole::Invited),
    }
}

/// Tells whether a token is that of the link to the table.
pub(in crate::service) fn has_link(table: &Table, token: Option<&Token>) -> bool {
    table.link.is_some() && table.link == token.map(Token::hash)
}

/// Checks that the caller may follow the table. Returns the caller's role, if there is one.
///
/// # Errors
/// 403 for a private table if the caller has no role there.
pub(in crate::service) fn may_see(table: &Table, call: &Call) -> Result<Option<TableRole>, Problem> {
    call.check()?;
    match role(table, call) {
        None if table.settings.private => {
            Err(Problem::new(Code::NotAllowed, "the table is private, and the caller is not invited"))
        }
        role => Ok(role),
    }
}

/// Checks that the caller sits at the table, watches it, or is the operator of the service. Returns the caller's role.
///
/// # Errors
/// 401 if the token is missing; 403 for a caller without such a role.
pub(in crate::service) fn member(table: &Table, call: &Call) -> Result<TableRole, Problem> {
    token(call)?;
    match role(table, call) {
        Some(role) if role != TableRole::Invited => Ok(role),
        _ if call.player.is_none() => Err(no_player()),
        _ => Err(Problem::new(Code::NotAllowed, "only players at the table and watchers may do this")),
    }
}

/// Checks that the caller sits at the table. Returns the player.
///
/// # Errors
/// 401 if the request has no player's token; 403 if the player does not sit at the table.
pub(in crate::service) fn seated<'c>(table: &Table, call: &'c Call) -> Result<&'c CallPlayer, Problem> {
    let player = player(call)?;
    if table.seat_of(player.id).is_none() {
        return Err(Problem::new(Code::NotAllowed, "only players at the table may do this"));
    }
    Ok(player)
}

/// Checks that the caller is the master of the table or the operator of the service.
///
/// # Errors
/// 401 if the token is missing; 403 for anybody else.
pub(in crate::service) fn master(table: &Table, call: &Call) -> Result<(), Problem> {
    token(call)?;
    match role(table, call) {
        Some(TableRole::Admin | TableRole::Master) => Ok(()),
        _ if call.player.is_none() => Err(no_player()),
        _ => Err(Problem::new(Code::NotAllowed, "only the master of the table may do this")),
    }
}

/// Returns the player whose token the request has.
///
/// # Errors
/// 401 if the token is missing, or is not that of a player.
pub(in crate::service) fn player(call: &Call) -> Result<&CallPlayer, Problem> {
    token(call)?;
    call.player.as_ref().ok_or_else(no_player)
}

/// Notes the network address of a request of a player who sits at the table. Returns whether the address of the
/// player's last request was another one.
pub(in crate::service) fn note_address(table: &mut Table, id: TableId, call: &Call) -> bool {
    let player_and_caller = call.player.as_ref().zip(call.caller);
    player_and_caller.is_some_and(|(player, caller)| table.note_address(player.id, AddressMark::of(caller, id)))
}

/// Checks that a player has enough chips to sit down at a table with these settings.
///
/// # Errors
/// 409 if the bet of the table is higher than the balance of the player.
pub(in crate::service) fn check_balance(settings: &TableSettings, player: &CallPlayer) -> Result<(), Problem> {
    let bet = settings.bet.into();
    if settings.competitive && player.balance < bet { Err(too_few(player.balance, bet)) } else { Ok(()) }
}

fn no_player() -> Problem {
    Problem::new(Code::TokenUnknown, "this needs the token of a player")
}

/// Checks that a command has a token. A command without a token is thus refused before the store is read.
///
/// # Errors
/// 401 if there is no token; 400 if another header is malformed.
pub(in crate::service) fn token(call: &Call) -> Result<(), Problem> {
    if call.token.is_none() {
        return Err(Problem::new(Code::TokenMissing, "this needs the token of a player"));
    }
    call.check()
}

/// Parses the id of a table in a path. Upper-case letters are allowed.
///
/// # Errors
/// 404 if the text is malformed, because no table has such an id.
pub(in crate::service) fn table_id(text: &str) -> Result<TableId, Problem> {
    Table::named(text).map(|entity| entity.id)
}
