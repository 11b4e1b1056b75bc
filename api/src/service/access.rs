//! Access to games: the role of a request's token, and checks of the role.

use crate::error::{Code, Problem, detail};
use crate::game::absence::abandoned;
use crate::game::stored::Game;
pub(crate) use crate::game::stored::not_found;
use crate::game::tournament_terms::is_withheld;
use crate::ground::token::Token;
use crate::player::PLAYER;
use crate::service::call::Call;

/// The role of a token in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// The operator of the service, by the admin token.
    Admin,
    /// The owner of the game, by the token that its creator got.
    Owner,
    /// A guest, by the token of the invitation. A guest may see and join the game.
    Guest,
    /// A player who watches the game at its table, by the token of the player.
    Watcher,
    /// The player of this seat, by the token of the seat or of the player.
    Seat(String),
}

/// Returns the role of a request in a game, by a token of the game or the token of a player. The token is compared with
/// every hash, so that the time of the answer does not show which of them is equal.
fn role(game: &Game, call: &Call) -> Option<Role> {
    let mut role = None;
    let token = call.token.as_ref()?.hash();
    let player = call.player.as_ref().map(|player| player.id);
    if game.setup.owner == token {
        role = Some(Role::Owner);
    }
    if game.setup.invitation.as_ref().is_some_and(|invitation| *invitation == token) {
        role = Some(Role::Guest);
    }
    if player.is_some_and(|player| game.setup.watchers.contains(&player)) {
        role = Some(Role::Watcher);
    }
    for seat in &game.setup.seats {
        let is_player = player.is_some() && seat.player == player;
        if is_player || seat.token.as_ref().is_some_and(|hash| *hash == token) {
            role = Some(Role::Seat(seat.seat.clone()));
        }
    }
    role
}

/// Returns the token of a command. A command without a token is thus refused before the store is read.
///
/// # Errors
/// 401 if there is no token; 400 if another header is malformed.
pub(crate) fn token(call: &Call) -> Result<&Token, Problem> {
    let token =
        call.token.as_ref().ok_or_else(|| Problem::new(Code::TokenMissing, "this needs a token of the game"))?;
    call.check()?;
    Ok(token)
}

/// Checks that the caller may see the game. Returns the caller's role, if there is one.
///
/// # Errors
/// 404 for a private or withheld game if the token has no role in it; 401 if the token had a role and was revoked; 403
/// if the player watched the game and may no longer watch it.
pub(crate) fn may_see(game: &Game, call: &Call) -> Result<Option<Role>, Problem> {
    call.check()?;
    let role = if call.is_admin { Some(Role::Admin) } else { role(game, call) };
    if role.is_none() && call.token.as_ref().is_some_and(|token| game.setup.revoked.contain(token)) {
        // The token gave access to the game before, so its sender may learn that the game exists.
        return Err(Problem::new(Code::TokenRevoked, "the token was one of this game, and was renewed or revoked"));
    }
    match role {
        None if game.setup.is_withheld => Err(is_withheld()),
        None if call.player.as_ref().is_some_and(|player| game.setup.is_dismissed(player.id)) => {
            Err(Problem::new(Code::NotAllowed, "only players at the table and watchers may do this"))
        }
        None if game.setup.private => Err(not_found()),
        role => Ok(role),
    }
}

/// Returns the role of the sender of a command.
///
/// # Errors
/// 401 if the token has no role in the game; 404 instead if the game is private.
pub(crate) fn member(game: &Game, call: &Call) -> Result<Role, Problem> {
    token(call)?;
    may_see(game, call)?.ok_or_else(|| {
        Problem::new(Code::TokenUnknown, "the token was not given out for this game, or its seat was left")
    })
}

/// Checks that a token with the form of a player's token belongs to a player. Otherwise a player who was deleted could
/// still take a seat: as a person without a player, whose name no later deletion erases.
///
/// # Errors
/// 401 if the player was deleted or claimed, or the token was renewed.
pub(crate) fn no_player_who_is_gone(call: &Call) -> Result<(), Problem> {
    let is_of_player = |token: &Token| token.entity().is_some_and(|(kind, _)| kind == PLAYER.word());
    if call.player.is_none() && call.token.as_ref().is_some_and(is_of_player) { Err(unknown_token()) } else { Ok(()) }
}

/// Makes the problem of a token that belongs to no game, player or other entity.
pub(crate) fn unknown_token() -> Problem {
    Problem::new(Code::TokenUnknown, "the token is unknown, or its game, player or table was removed")
}

/// Checks that the caller is the owner of the game or the operator of the service.
///
/// # Errors
/// The errors of [`member`]; 403 for any other role.
pub(crate) fn owner(game: &Game, call: &Call) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, "only the owner of the game may do this")),
    }
}

/// Checks that the caller plays this seat, or is the owner of the game or the operator of the service.
///
/// # Errors
/// The errors of [`member`]; 403 for any other role.
pub(crate) fn owner_or_seat(game: &Game, call: &Call, seat: &str) -> Result<(), Problem> {
    match member(game, call)? {
        Role::Admin | Role::Owner => Ok(()),
        Role::Seat(own) if own == seat => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, detail!("only the player at `{seat}` or the owner may do this", seat))),
    }
}

/// Checks that the caller plays a seat, whether or not it is the turn of the seat. Returns the role of the caller.
///
/// # Errors
/// The errors of [`member`]; 403 for a role without a seat.
pub(crate) fn player(game: &Game, call: &Call) -> Result<Role, Problem> {
    match member(game, call)? {
        Role::Owner if !game.setup.hot_seat => {
            Err(Problem::new(Code::NotAllowed, "the owner's token has no seat in this game: join a seat"))
        }
        Role::Admin => Err(Problem::new(Code::NotAllowed, "the admin token has no seat")),
        Role::Watcher => Err(Problem::new(Code::NotAllowed, "a watcher has no seat in this game")),
        Role::Guest => Err(Problem::new(Code::NotAllowed, "the invitation has no seat: join a seat")),
        role => Ok(role),
    }
}

/// Checks that the seat of a player has not given up. The token of a game that has one token for all seats passes.
///
/// # Errors
/// 403 if the seat has given up.
pub(crate) fn is_in_play(game: &Game, role: &Role) -> Result<(), Problem> {
    match role {
        Role::Seat(own) if game.setup.has_given_up(own) => {
            Err(Problem::new(Code::NotAllowed, "the seat of this token has given up"))
        }
        _ => Ok(()),
    }
}

/// Checks that the player of a seat has not left the game for good. The token of a game that has one token for all
/// seats passes.
///
/// # Errors
/// 409 if the player has left, or was away for too long.
pub(crate) fn has_not_left(game: &Game, role: &Role) -> Result<(), Problem> {
    match role {
        Role::Seat(own) if game.setup.is_abandoned(own) && !game.setup.has_given_up(own) => Err(abandoned(own)),
        _ => Ok(()),
    }
}

/// Checks that a player with this role may act when the seat `decider` has to decide, in the turn of the seat `turn`.
///
/// # Errors
/// 409 if another seat has to decide.
pub(crate) fn has_turn(role: &Role, turn: &str, decider: &str) -> Result<(), Problem> {
    match role {
        Role::Seat(seat) if seat != decider && turn != decider => Err(Problem::new(
            Code::NotYourTurn,
            detail!("the rules ask `{asked}`, this token plays `{seat}`", asked = decider, seat),
        )),
        Role::Seat(seat) if seat != decider => Err(Problem::new(
            Code::NotYourTurn,
            detail!("it is the turn of `{turn}`, this token plays `{seat}`", turn, seat),
        )),
        _ => Ok(()),
    }
}
