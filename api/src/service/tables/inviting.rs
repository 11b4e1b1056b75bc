//! Invitations to a table: of single players, and by a link.

use crate::error::Problem;
use crate::ground::clock;
use crate::ground::token::Token;
use crate::model::event_kind::TableEventKind;
use crate::model::table::{InvitePlayer, TableInvitation, TableInvitationList, TableLink};
use crate::service::Service;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::players::access::player_id;
use crate::service::reply::Reply;
use crate::service::tables::access::{master, note_address, seated, table_id, token};
use crate::table::edit::TableEdit;
use crate::table::event::TableEventFields;
use crate::table::stored::{Table, not_found};
use crate::table::{TABLE, entity};

impl Service {
    /// Invites a player to a table. The player gets a notice in the inbox.
    ///
    /// # Errors
    /// The caller does not sit at the table, there is no such player, too many players are invited, or the caller has
    /// sent too many invitations.
    pub(crate) async fn invite_to_table(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &InvitePlayer,
    ) -> Result<Reply, Problem> {
        token(call)?;
        let (stored, answer) = self.entity_and_reply(entity(table_id(id)?), call, body).await?;
        if let Some(answer) = answer {
            return Ok(answer);
        }
        let stored = stored.ok_or_else(not_found)?;
        // The seat is checked before the player is read, so a caller without a seat cannot find out whether a player
        // exists.
        let table = Table::read(&stored.snapshot)?;
        let caller = seated(&table, call)?.id;
        let invited = player_id(&wish.player)?;
        self.check_reachable(invited, caller).await?;
        if !table.has_invited(invited) {
            self.meter.invite(caller)?;
        }
        self.change_table(call, body, id, |edit| {
            let by = seated(&edit.table, call)?.id;
            check_seen(edit, call)?;
            edit.invite(invited, by)?;
            Ok(Reply::new(201, &listed(&edit.table))?.at_version(edit.table.version))
        })
        .await
    }

    /// Lists the open invitations of a table.
    ///
    /// # Errors
    /// The caller does not sit at the table.
    pub(crate) async fn list_table_invitations(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let stored = self.store.entity(entity(table_id(id)?)).await?.ok_or_else(not_found)?;
        let table = Table::read(&stored.snapshot)?;
        if !call.is_admin {
            seated(&table, call)?;
        }
        Ok(Reply::ok(&listed(&table))?.at_version(table.version))
    }

    /// Ends an invitation, at the request of the invited player, of the player who has invited, or of the master.
    ///
    /// # Errors
    /// The caller is none of these.
    pub(crate) async fn end_table_invitation(&self, call: &Call, id: &str, invited: &str) -> Result<Reply, Problem> {
        let invited = player_id(invited)?;
        self.change_table(call, b"", id, |edit| {
            let caller = call.player.as_ref().map(|player| player.id);
            let invitation = edit.table.invitations.iter().find(|invitation| invitation.player == invited);
            let is_own = caller == Some(invited) || invitation.is_some_and(|invitation| caller == Some(invitation.by));
            if !is_own {
                master(&edit.table, call)?;
            }
            check_seen(edit, call)?;
            edit.end_invitation(invited)?;
            Ok(Reply::done(edit.table.version))
        })
        .await
    }

    /// Makes a new link to a table. The old one is no longer valid.
    ///
    /// # Errors
    /// The caller is not the master.
    pub(crate) async fn renew_table_link(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        token(call)?;
        let id = table_id(id)?;
        let renew = |edit: &mut TableEdit| {
            master(&edit.table, call)?;
            check_seen(edit, call)?;
            edit.check_open()?;
            let link = Token::of(TABLE.word(), id)?;
            edit.table.link = Some(link.hash());
            note_address(&mut edit.table, id, call);
            edit.add(TableEventKind::LinkChanged, TableEventFields::default())?;
            let answer = TableLink { link: link.reveal(), table: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.table.version))
        };
        let reply = self.change(IdempotentRequest::secret(call, body)?, entity(id), renew).await?;
        self.settle_or_leave(id).await;
        Ok(reply)
    }
}

fn listed(table: &Table) -> TableInvitationList {
    let invitations = table.invitations.iter().map(|invitation| TableInvitation {
        player: invitation.player,
        by: invitation.by,
        at: clock::at(invitation.at),
    });
    TableInvitationList { invitations: invitations.collect() }
}
