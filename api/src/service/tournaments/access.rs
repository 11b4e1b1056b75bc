//! Access to tournaments: what the token of a request allows.

use crate::error::{Code, Problem};
use crate::service::call::Call;
use crate::service::entity::Entity;
use crate::tournament::TournamentId;
use crate::tournament::stored::Tournament;

/// The role of a token in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TournamentRole {
    /// The operator of the service, by the admin token.
    Admin,
    /// The organiser, by the token that the creator of the tournament got.
    Organiser,
    /// An arbiter, by the token that arbiters share.
    Arbiter,
    /// The entrant with this number, by the token of a member or of a player.
    Entrant(u32),
}

/// Returns the role of a request in a tournament. The token is compared with every hash, so that the time of the answer
/// does not show which of them is equal.
fn role(tournament: &Tournament, call: &Call) -> Option<TournamentRole> {
    let token = call.token.as_ref()?.hash();
    let player = call.player.as_ref().map(|player| player.id);
    let mut role = None;
    for entrant in tournament.entrants.iter() {
        for member in &entrant.members {
            let is_player = player.is_some() && member.player == player;
            let is_member = member.token == token;
            // If a person withdrew and entered again, the later entrant counts.
            if is_player || is_member {
                role = Some(TournamentRole::Entrant(entrant.number));
            }
        }
    }
    if tournament.arbiter == token {
        role = Some(TournamentRole::Arbiter);
    }
    if tournament.organiser == token {
        role = Some(TournamentRole::Organiser);
    }
    role
}

/// Returns the role of the caller; `None` if the caller has no role. Everybody may see a tournament.
///
/// # Errors
/// 401 if the token had a role and was renewed; 400 if another header is malformed.
pub(in crate::service) fn may_see(tournament: &Tournament, call: &Call) -> Result<Option<TournamentRole>, Problem> {
    call.check()?;
    let role = if call.is_admin { Some(TournamentRole::Admin) } else { role(tournament, call) };
    let is_revoked = call.token.as_ref().is_some_and(|token| tournament.revoked.contain(token));
    if role.is_none() && is_revoked {
        return Err(Problem::new(Code::TokenRevoked, "the token was one of this tournament, and was renewed"));
    }
    Ok(role)
}

/// Checks that the caller is the organiser or the operator of the service.
///
/// # Errors
/// 401 if the token has no role in the tournament; 403 for any other role.
pub(in crate::service) fn organiser(tournament: &Tournament, call: &Call) -> Result<(), Problem> {
    match member(tournament, call)? {
        TournamentRole::Admin | TournamentRole::Organiser => Ok(()),
        _ => Err(Problem::new(Code::NotAllowed, "only the organiser of the tournament may do this")),
    }
}

/// Checks that the caller is the organiser, an arbiter, or the operator of the service.
///
/// # Errors
/// 401 if the token has no role in the tournament; 403 for any other role.
pub(in crate::service) fn arbiter(tournament: &Tournament, call: &Call) -> Result<(), Problem> {
    match member(tournament, call)? {
        TournamentRole::Entrant(_) => {
            Err(Problem::new(Code::NotAllowed, "only the organiser and the arbiters of the tournament may do this"))
        }
        _ => Ok(()),
    }
}

/// Checks that the caller is this entrant, the organiser, or the operator of the service. Returns the role.
///
/// # Errors
/// 401 if the token has no role in the tournament; 403 for any other role.
pub(in crate::service) fn entrant(
    tournament: &Tournament,
    call: &Call,
    number: u32,
) -> Result<TournamentRole, Problem> {
    match member(tournament, call)? {
        role @ (TournamentRole::Admin | TournamentRole::Organiser) => Ok(role),
        role @ TournamentRole::Entrant(own) if own == number => Ok(role),
        _ => Err(Problem::new(Code::NotAllowed, "only this entrant and the organiser may do this")),
    }
}

/// Returns the role of the sender of a command.
///
/// # Errors
/// 401 if the token has no role in the tournament.
pub(in crate::service) fn member(tournament: &Tournament, call: &Call) -> Result<TournamentRole, Problem> {
    token(call)?;
    may_see(tournament, call)?.ok_or_else(unknown_token)
}

/// Makes the problem of a token without a role in the tournament.
pub(in crate::service) fn unknown_token() -> Problem {
    Problem::new(Code::TokenUnknown, "the token was not given out for this tournament")
}

/// Checks that a command has a token. A command without a token is thus refused before the store is read.
///
/// # Errors
/// 401 if there is no token; 400 if another header is malformed.
pub(in crate::service) fn token(call: &Call) -> Result<(), Problem> {
    if call.token.is_none() {
        return Err(Problem::new(Code::TokenMissing, "this needs a token of the tournament"));
    }
    call.check()
}

/// Parses the id of a tournament in a path.
///
/// # Errors
/// 404 if the text does not have the form of an id, because then no tournament has it.
pub(in crate::service) fn tournament_id(text: &str) -> Result<TournamentId, Problem> {
    Tournament::named(text).map(|entity| entity.id)
}
