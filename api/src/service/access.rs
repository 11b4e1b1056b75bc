//! Access to games by token.

use crate::error::{Code, Problem};
use crate::game::stored::Game;
pub(crate) use crate::game::stored::not_found;
use crate::ground::token::Token;
use crate::service::call::Call;

/// The role of a token in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// The operator of the service.
    Admin,
    /// The creator of the game.
    Owner,
    /// A guest with the invitation, who may see and join the game.
    Guest,
    /// The player of this seat.
    Seat(String),
}

/// The role of a token. Every hash is compared, so that the time of the answer reveals nothing.
fn role(game: &Game, token: &Token) -> Option<Role> {
    let mut role = None;
    let token = token.hash();
    if game.setup.owner == token {
        role = Some(Role::Owner);
    }
    if game.setup.invitation.as_ref().is_some_and(|invitation| *invitation == token) {
        role = Some(Role::Guest);
    }
    for seat in &game.setup.seats {
        if seat.token.as_ref().is_some_and(|hash| *hash == token) {
            role = Some(Role::Seat(seat.seat.clone()));
        }
    }
    role
}

/// Whether a token has lost its role. Every hash is compared, as in [`role`].
fn is_revoked(game: &Game, token: &Token) -> bool {
    let token = token.hash();
    game.setup.revoked.iter().fold(false, |found, revoked| found | (*revoked == token))
}

/// The token of a command. Checked before the store is read.
///
/// # Errors
/// 401 without a token; 400 if another header is malformed.
pub(crate) fn token(call: &Call) -> Result<&Token, Problem> {
    let token =
        call.token.as_ref().ok_or_else(|| Problem::new(Code::TokenMissing, "this needs a token of the game"))?;
    call.check()?;
    Ok(token)
}

/// Checks that the caller may see the game. Returns the caller's role, if there is one.
///
/// # Errors
/// 404 for a private game if the token has no role in it; 401 if it had one.
pub(crate) fn may_see(game: &Game, call: &Call) -> Result<Option<Role>, Problem> {
    call.check()?;
    let role = if call.is_admin { Some(Role::Admin) } else { call.token.as_ref().and_then(|token| role(game, token)) };
    if role.is_none() && call.token.as_ref().is_some_and(|token| is_revoked(game, token)) {
        // The sender was let in before: that the game exists is no news.
        return Err(Problem::new(Code::TokenRevoked, "the token was one of this game, and was renewed or revoked"));
    }
    if game.setup.private && role.is_none() { Err(not_found()) } else { Ok(role) }
}

/// The role of the sender of a command.
///
/// # Errors
/// 401 without a token of this game; 404 if the game is private.
pub(crate) fn member(game: &Game, call: &Call) -> Result<Role, Problem> {
    token(call)?;
    may_see(game, call)?.ok_or_else(|| {
        Problem::new(Code::TokenUnknown, "the token was not given out for this game, or its seat was left")
    })
}

/// Checks that the caller is the owner or the operator.
///
/// # Errors
/// As [`member`]; 403 for any other role.
pub(crate) fn owner(game: &Game, call: &Call) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, "only the owner of the game may do this")),
    }
}

/// Checks that the caller plays this seat, or is the owner or the operator.
///
/// # Errors
/// As [`owner`].
pub(crate) fn owner_or_seat(game: &Game, call: &Call, seat: &str) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        Role::Seat(own) if own == seat => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, format!("only who sits at `{seat}` or the owner may do this"))),
    }
}

/// Checks that the caller plays a seat, and returns the role. It need not be that seat's turn.
///
/// # Errors
/// As [`member`]; 403 for a role that plays no seat.
pub(crate) fn player(game: &Game, call: &Call) -> Result<Role, Problem> {
    match member(game, call)? {
        Role::Owner if !game.setup.hot_seat => {
            Err(Problem::new(Code::NotAllowed, "the owner's token plays no seat of this game: join one"))
        }
        Role::Admin => Err(Problem::new(Code::NotAllowed, "the admin token plays no seat")),
        Role::Guest => Err(Problem::new(Code::NotAllowed, "the invitation plays no seat: join one")),
        role => Ok(role),
    }
}

/// Checks that the role may move for the seat `turn`.
///
/// # Errors
/// 409 if it is the turn of another seat.
pub(crate) fn has_turn(role: &Role, turn: &str) -> Result<(), Problem> {
    match role {
        Role::Seat(seat) if seat != turn => {
            Err(Problem::new(Code::NotYourTurn, format!("it is the turn of `{turn}`, this token plays `{seat}`")))
        }
        _ => Ok(()),
    }
}
