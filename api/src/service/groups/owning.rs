//! Creates and completes groups, and renews their tokens.

use crate::error::{Code, Problem, readable};
use crate::ground::token::{Token, TokenHash};
use crate::group::edit::GroupEdit;
use crate::group::event::GroupEventKind;
use crate::group::stored::{Group, GroupStatus};
use crate::group::{GROUP, entity};
use crate::model::group::{CreateGroup, CreatedGroup, NewGroupToken};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::groups::access::{group_id, owner, token};
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;

impl Service {
    /// Creates a group without games.
    ///
    /// # Errors
    /// The title cannot be shown to people.
    pub(crate) async fn create_group(&self, call: &Call, body: &[u8], wish: &CreateGroup) -> Result<Reply, Problem> {
        let mut mistakes = Vec::new();
        let title = readable("/title", wish.title.as_deref(), &mut mistakes);
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        self.create(IdempotentRequest::secret(call, body)?, async |id| {
            let owner = Token::of(GROUP.word(), id)?;
            let invitation = if wish.private { Some(Token::of(GROUP.word(), id)?) } else { None };
            let now = self.store.now();
            let group = Group::new(title.clone(), owner.hash(), invitation.as_ref().map(Token::hash), now);
            let mut edit = GroupEdit::begin(id, group, now);
            edit.add(GroupEventKind::Created)?;
            let answer = CreatedGroup {
                token: owner.reveal(),
                invitation: invitation.as_ref().map(Token::reveal),
                group: edit.view(),
            };
            let reply = Reply::new(201, &answer)?.at_version(edit.group.version);
            Ok((edit, None, reply.at_location(format!("/v1/groups/{id}"))))
        })
        .await
    }

    /// Notes that no more games will be added to a group. The streams of the group end when all its games are over.
    ///
    /// # Errors
    /// The caller is not the owner, or the group is complete already.
    pub(crate) async fn complete_group(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        token(call)?;
        self.change(IdempotentRequest::of(call, body)?, entity(group_id(id)?), |edit: &mut GroupEdit| {
            owner(&edit.group, call)?;
            check_seen(edit, call)?;
            if edit.group.status != GroupStatus::Open {
                return Err(Problem::new(Code::GroupComplete, "the group is complete already"));
            }
            edit.complete()?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.group.version))
        })
        .await
    }

    /// Gives the owner of a group a new token, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the owner.
    pub(crate) async fn renew_group_token(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        self.renew_in_group(call, body, id, |group, new| Ok(Some(std::mem::replace(&mut group.owner, new.hash()))))
            .await
    }

    /// Creates a new invitation to a private group, and revokes the old one.
    ///
    /// # Errors
    /// The caller is not the owner, or the group is public.
    pub(crate) async fn renew_group_invitation(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        self.renew_in_group(call, body, id, |group, new| {
            if !group.private {
                return Err(Problem::new(Code::NotPrivate, "everybody may see this group"));
            }
            Ok(group.invitation.replace(new.hash()))
        })
        .await
    }

    /// Makes a new token of a group. `replace` stores its hash in the group, and returns the hash of the old token.
    async fn renew_in_group(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        replace: impl Fn(&mut Group, &Token) -> Result<Option<TokenHash>, Problem>,
    ) -> Result<Reply, Problem> {
        token(call)?;
        self.change(IdempotentRequest::secret(call, body)?, entity(group_id(id)?), |edit: &mut GroupEdit| {
            owner(&edit.group, call)?;
            check_seen(edit, call)?;
            let new = Token::of(GROUP.word(), edit.id)?;
            if let Some(old) = replace(&mut edit.group, &new)? {
                edit.group.revoke(old);
            }
            edit.add(GroupEventKind::TokenChanged)?;
            let answer = NewGroupToken { token: new.reveal(), group: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.group.version))
        })
        .await
    }
}
