//! Access to groups: the role of a request's token, and checks of the role.

use crate::error::{Code, Problem};
use crate::ground::token::Token;
use crate::group::GroupId;
use crate::group::stored::{Group, not_found};
use crate::service::call::Call;
use crate::service::entity::Entity;

/// The role of a token in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupRole {
    /// The operator of the service, by the admin token.
    Admin,
    /// The owner of the group, by the token that its creator got.
    Owner,
    /// A guest, by the token of the invitation. A guest may see and follow the group.
    Guest,
}

/// Returns the role of a token in a group. The token is compared with every hash, so that the time of the answer does
/// not show which of them is equal.
fn role(group: &Group, token: &Token) -> Option<GroupRole> {
    let token = token.hash();
    let is_owner = group.owner == token;
    let is_guest = group.invitation.as_ref().is_some_and(|invitation| *invitation == token);
    match (is_owner, is_guest) {
        (true, _) => Some(GroupRole::Owner),
        (_, true) => Some(GroupRole::Guest),
        _ => None,
    }
}

/// Checks that the caller may see the group. Returns the caller's role, if there is one.
///
/// # Errors
/// 404 for a private group if the token has no role in it; 401 if the token had a role and was revoked.
pub(in crate::service) fn may_see(group: &Group, call: &Call) -> Result<Option<GroupRole>, Problem> {
    call.check()?;
    let role =
        if call.is_admin { Some(GroupRole::Admin) } else { call.token.as_ref().and_then(|token| role(group, token)) };
    let is_revoked = call.token.as_ref().is_some_and(|token| group.revoked.contain(token));
    if role.is_none() && is_revoked {
        return Err(Problem::new(Code::TokenRevoked, "the token was one of this group, and was renewed"));
    }
    if group.private && role.is_none() { Err(not_found()) } else { Ok(role) }
}

/// Checks that the caller is the owner of the group or the operator of the service.
///
/// # Errors
/// 401 if the token has no role in the group; 404 if the group is also private; 403 for any other role.
pub(in crate::service) fn owner(group: &Group, call: &Call) -> Result<(), Problem> {
    token(call)?;
    match may_see(group, call)? {
        Some(GroupRole::Admin | GroupRole::Owner) => Ok(()),
        Some(GroupRole::Guest) => Err(Problem::new(Code::NotAllowed, "only the owner of the group may do this")),
        None => Err(Problem::new(Code::TokenUnknown, "the token was not given out for this group")),
    }
}

/// Checks that a command has a token. A command without a token is thus refused before the store is read.
///
/// # Errors
/// 401 if there is no token; 400 if another header is malformed.
pub(in crate::service) fn token(call: &Call) -> Result<(), Problem> {
    if call.token.is_none() {
        return Err(Problem::new(Code::TokenMissing, "this needs the token of the group"));
    }
    call.check()
}

/// Parses the id of a group in a path. Upper-case letters are allowed. A text that is no id is answered like an unknown
/// id: 404.
pub(in crate::service) fn group_id(text: &str) -> Result<GroupId, Problem> {
    Group::named(text).map(|entity| entity.id)
}
