//! Describes a token: its game, group, player, table or tournament, its role there, and the operations that it allows.

use uuid::Uuid;

use crate::error::{Code, Problem};
use crate::game::stored::Game;
use crate::game::{GAME, entity as entity_of_game, view as view_of_game};
use crate::group::stored::Group;
use crate::group::{GROUP, entity as entity_of_group, view as view_of_group};
use crate::model::me::{Me, TokenRole};
use crate::player::stored::Player;
use crate::player::{PLAYER, entity as entity_of_player, view as view_of_player};
use crate::service::Service;
use crate::service::access::{Role, may_see, token, unknown_token};
use crate::service::call::Call;
use crate::service::groups::access::{GroupRole, may_see as may_see_group};
use crate::service::players::access::{claimed, own as check_player};
use crate::service::reply::Reply;
use crate::service::tables::access::has_link;
use crate::service::tournaments::access::{TournamentRole, may_see as may_see_tournament};
use crate::table::stored::Table;
use crate::table::{TABLE, entity as entity_of_table, view as view_of_table};
use crate::tournament::stored::Tournament;
use crate::tournament::{TOURNAMENT, entity as entity_of_tournament, view as view_of_tournament};

/// The operations that are allowed to every caller who may see a game.
const SEE: &[&str] = &[
    "read_game",
    "list_events",
    "list_legal_actions",
    "draw_game_board",
    "read_dice",
    "read_presence",
    "read_record",
    "try_turn",
    "join_seat",
    "create_ticket",
];
/// The operations that the player of a seat may use. The owner may use them if the owner's token plays every seat.
const PLAY: &[&str] = &["throw_dice", "play_actions", "resign_seat", "agree_to_end", "return_to_seat"];
/// The operations that the player of a seat, the owner and the operator may use.
const SIT: &[&str] = &["leave_seat", "renew_seat_token", "revoke_seat_token", "abort_game"];
/// The operations that the owner of a game and the operator may use.
const OWN: &[&str] = &[
    "start_game",
    "delete_game",
    "renew_owner_token",
    "renew_invitation",
    "create_webhook",
    "list_webhooks",
    "delete_webhook",
    "redeliver_webhook",
];
/// The operations that are allowed to every caller who may see a group.
const SEE_GROUP: &[&str] = &["read_group", "list_group_games", "list_group_events", "create_group_ticket"];
/// The operations that the owner of a group and the operator may use.
const OWN_GROUP: &[&str] = &[
    "create_games",
    "complete_group",
    "renew_group_token",
    "renew_group_invitation",
    "create_group_webhook",
    "list_group_webhooks",
    "delete_group_webhook",
    "redeliver_group_webhook",
];
/// The operations that a player and the operator may use.
const OWN_PLAYER: &[&str] = &[
    "read_player",
    "read_player_statistics",
    "list_player_games",
    "list_player_tables",
    "list_player_events",
    "change_player",
    "renew_player_token",
    "delete_player",
    "export_player",
    "list_friends",
    "ask_friend",
    "end_friend",
    "block_player",
    "unblock_player",
    "claim_guest",
    "create_player_ticket",
    "create_player_webhook",
    "list_player_webhooks",
    "delete_player_webhook",
    "redeliver_player_webhook",
];
/// The operations on the service as a whole that only the operator may use.
const OPERATE: &[&str] = &["read_bank"];

/// The operations that the link to a table allows to its holder. The link is also part of the body of the requests by
/// which a player sits down or watches.
const SEE_TABLE: &[&str] = &["read_table", "list_table_events", "read_table_options", "create_table_ticket"];
/// The operations on tables that the operator may use.
const OPERATE_TABLE: &[&str] = &[
    "read_table",
    "list_table_events",
    "read_table_options",
    "change_table_options",
    "start_table_game",
    "seat_table_robot",
    "leave_table_seat",
    "stop_watching_table",
    "list_table_invitations",
    "end_table_invitation",
    "renew_table_link",
    "read_table_chat",
    "remove_chat_line",
    "mute_at_table",
    "create_table_ticket",
    "create_table_webhook",
    "list_table_webhooks",
    "delete_table_webhook",
    "redeliver_table_webhook",
];

/// The operations that are allowed to everybody in a tournament.
const SEE_TOURNAMENT: &[&str] = &[
    "read_tournament",
    "read_round",
    "read_standings",
    "export_tournament",
    "list_tournament_events",
    "create_tournament_ticket",
];
/// The operations that an entrant, the organiser and the operator may use.
const ENTER: &[&str] = &["withdraw_entrant", "return_entrant", "note_absence"];
/// The operations that an arbiter, the organiser and the operator may use.
const JUDGE: &[&str] = &["pair_round", "enter_result"];
/// The operations that the organiser of a tournament and the operator may use.
const ORGANISE: &[&str] = &[
    "enter_tournament",
    "start_tournament",
    "finish_tournament",
    "renew_tournament_token",
    "renew_arbiter_token",
    "renew_tournament_invitation",
    "create_tournament_webhook",
    "list_tournament_webhooks",
    "delete_tournament_webhook",
    "redeliver_tournament_webhook",
];

impl Service {
    /// Describes the caller's token.
    ///
    /// # Errors
    /// 401 if the token is missing, revoked or unknown.
    pub(crate) async fn read_me(&self, call: &Call) -> Result<Reply, Problem> {
        let token = token(call)?;
        if call.is_admin {
            let may = [
                SEE,
                SIT,
                OWN,
                SEE_GROUP,
                OWN_GROUP,
                OWN_PLAYER,
                OPERATE_TABLE,
                SEE_TOURNAMENT,
                ENTER,
                JUDGE,
                ORGANISE,
                OPERATE,
            ]
            .concat();
            return Reply::ok(&Me::of(TokenRole::Admin, may));
        }
        match token.entity() {
            Some((kind, id)) if kind == GAME.word() => self.me_in_game(call, id).await,
            Some((kind, id)) if kind == GROUP.word() => self.me_in_group(call, id).await,
            Some((kind, id)) if kind == PLAYER.word() => self.me_as_player(call, id).await,
            Some((kind, id)) if kind == TABLE.word() => self.me_at_table(call, id).await,
            Some((kind, id)) if kind == TOURNAMENT.word() => self.me_in_tournament(call, id).await,
            _ => Err(unknown_token()),
        }
    }

    async fn me_as_player(&self, call: &Call, id: Uuid) -> Result<Reply, Problem> {
        let stored = self.store.entity(entity_of_player(id)).await?.ok_or_else(unknown_token)?;
        let player = Player::read_any(&stored.snapshot)?;
        if player.is_deleted {
            return Err(unknown_token());
        }
        check_player(&player, call)?;
        if player.claimed_by.is_some() {
            return Err(claimed());
        }
        let mut may = OWN_PLAYER.to_vec();
        // The tokens of a registered player come from the identity provider. Only such a player claims guests.
        may.retain(|operation| match *operation {
            "renew_player_token" => !player.is_registered,
            "claim_guest" => player.is_registered,
            _ => true,
        });
        let role = TokenRole::Player;
        let player = Some(view_of_player::player(id, &player));
        Reply::ok(&Me { player, ..Me::of(role, may) })
    }

    async fn me_in_game(&self, call: &Call, id: Uuid) -> Result<Reply, Problem> {
        let stored = self.store.entity(entity_of_game(id)).await?.ok_or_else(unknown_token)?;
        let game = Game::read(&stored.snapshot)?;
        let own = match may_see(&game, call) {
            Ok(own) => own.ok_or_else(unknown_token)?,
            Err(problem) if problem.code == Code::GameNotFound => return Err(unknown_token()),
            Err(problem) => return Err(problem),
        };
        let (role, may, seat) = match &own {
            Role::Owner if game.setup.hot_seat => (TokenRole::Owner, [SEE, PLAY, SIT, OWN].concat(), None),
            Role::Owner | Role::Admin => (TokenRole::Owner, [SEE, SIT, OWN].concat(), None),
            Role::Guest | Role::Watcher => (TokenRole::Guest, SEE.to_vec(), None),
            Role::Seat(seat) => (TokenRole::Seat, [SEE, PLAY, SIT].concat(), Some(seat.as_str())),
        };
        Reply::ok(&Me { game: Some(view_of_game::summary(id, &game)), seat, ..Me::of(role, may) })
    }

    async fn me_in_group(&self, call: &Call, id: Uuid) -> Result<Reply, Problem> {
        let stored = self.store.entity(entity_of_group(id)).await?.ok_or_else(unknown_token)?;
        let group = Group::read(&stored.snapshot)?;
        let own = match may_see_group(&group, call) {
            Ok(own) => own.ok_or_else(unknown_token)?,
            Err(problem) if problem.code == Code::GroupNotFound => return Err(unknown_token()),
            Err(problem) => return Err(problem),
        };
        let (role, may) = match own {
            GroupRole::Owner | GroupRole::Admin => (TokenRole::Owner, [SEE_GROUP, OWN_GROUP].concat()),
            GroupRole::Guest => (TokenRole::Guest, SEE_GROUP.to_vec()),
        };
        Reply::ok(&Me { group: Some(view_of_group::group(id, &group)), ..Me::of(role, may) })
    }

    /// Describes the link to a table. It is the only token that a table gives out.
    async fn me_at_table(&self, call: &Call, id: Uuid) -> Result<Reply, Problem> {
        let stored = self.store.entity(entity_of_table(id)).await?.ok_or_else(unknown_token)?;
        let table = Table::read(&stored.snapshot)?;
        if !has_link(&table, call.token.as_ref()) {
            return Err(unknown_token());
        }
        let summary = view_of_table::summary(id, &table, None);
        Reply::ok(&Me { table: Some(summary), ..Me::of(TokenRole::Guest, SEE_TABLE.to_vec()) })
    }

    async fn me_in_tournament(&self, call: &Call, id: Uuid) -> Result<Reply, Problem> {
        let stored = self.store.entity(entity_of_tournament(id)).await?.ok_or_else(unknown_token)?;
        let tournament = Tournament::read(&stored.snapshot)?;
        let summary = view_of_tournament::summary(id, &tournament);
        let own = may_see_tournament(&tournament, call)?;
        if own.is_none() && tournament.is_invitation(token(call)?) {
            // Everybody may see a tournament. Only callers with a role in it get tickets.
            let may = SEE_TOURNAMENT.iter().copied().filter(|operation| *operation != "create_tournament_ticket");
            return Reply::ok(&Me { tournament: Some(summary), ..Me::of(TokenRole::Guest, may.collect()) });
        }
        let (role, may, entrant) = match own.ok_or_else(unknown_token)? {
            TournamentRole::Organiser | TournamentRole::Admin => {
                (TokenRole::Organiser, [SEE_TOURNAMENT, ENTER, JUDGE, ORGANISE].concat(), None)
            }
            TournamentRole::Arbiter => (TokenRole::Arbiter, [SEE_TOURNAMENT, JUDGE].concat(), None),
            TournamentRole::Entrant(number) => (TokenRole::Entrant, [SEE_TOURNAMENT, ENTER].concat(), Some(number)),
        };
        Reply::ok(&Me { tournament: Some(summary), entrant, ..Me::of(role, may) })
    }
}
