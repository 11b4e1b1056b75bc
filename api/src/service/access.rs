//! Who may do what.

use crate::error::{Code, Problem};
use crate::game::stored::Game;
pub use crate::game::stored::not_found;
use crate::ground::token::Token;
use crate::service::call::Call;

/// What a token stands for in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Runs the service.
    Admin,
    /// Created it.
    Owner,
    /// Was invited to see and join it.
    Guest,
    /// Sits there.
    Seat(String),
}

/// What the token stands for. Every hash is compared, so that the time tells nothing.
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

/// A command without a token is refused before anything is looked up.
///
/// # Errors
/// 401; 400 where another header cannot be read.
pub fn token(call: &Call) -> Result<&Token, Problem> {
    let token =
        call.token.as_ref().ok_or_else(|| Problem::new(Code::TokenMissing, "this needs a token of the game"))?;
    call.check()?;
    Ok(token)
}

/// Whether the caller may see the game; its role, if it has one.
///
/// # Errors
/// 404 for a private game without one of its tokens.
pub fn may_see(game: &Game, call: &Call) -> Result<Option<Role>, Problem> {
    call.check()?;
    let role = if call.is_admin { Some(Role::Admin) } else { call.token.as_ref().and_then(|token| role(game, token)) };
    if game.setup.private && role.is_none() { Err(not_found()) } else { Ok(role) }
}

/// The caller's role, for commands.
///
/// # Errors
/// 401 without a token of this game, 404 where the game is private.
pub fn member(game: &Game, call: &Call) -> Result<Role, Problem> {
    token(call)?;
    may_see(game, call)?.ok_or_else(|| {
        Problem::new(Code::TokenUnknown, "the token was not given out for this game, or its seat was left")
    })
}

/// Only the owner may, and whoever runs the service.
///
/// # Errors
/// As [`member`]; 403 for others of the game.
pub fn owner(game: &Game, call: &Call) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, "only the owner of the game may do this")),
    }
}

/// The one who sits there may, the owner, and whoever runs the service.
///
/// # Errors
/// As [`owner`].
pub fn owner_or_seat(game: &Game, call: &Call, seat: &str) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        Role::Seat(own) if own == seat => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, format!("only who sits at `{seat}` or the owner may do this"))),
    }
}

/// A player may, whoever's turn it is.
///
/// # Errors
/// As [`member`]; 403 for those who play no seat.
pub fn player(game: &Game, call: &Call) -> Result<Role, Problem> {
    match member(game, call)? {
        Role::Owner if !game.setup.hot_seat => {
            Err(Problem::new(Code::NotAllowed, "the owner's token plays no seat of this game: join one"))
        }
        Role::Admin => Err(Problem::new(Code::NotAllowed, "the admin token plays no seat")),
        Role::Guest => Err(Problem::new(Code::NotAllowed, "the invitation plays no seat: join one")),
        role => Ok(role),
    }
}

/// It is this player's turn.
///
/// # Errors
/// 409 where it is another's.
pub fn has_turn(role: &Role, turn: &str) -> Result<(), Problem> {
    match role {
        Role::Seat(seat) if seat != turn => {
            Err(Problem::new(Code::NotYourTurn, format!("it is the turn of `{turn}`, this token plays `{seat}`")))
        }
        _ => Ok(()),
    }
}
