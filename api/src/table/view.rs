//! Views of a table: the forms in which the API shows it.

use crate::game::terms::Control;
use crate::ground::clock;
use crate::model::player_export::{ExportedTable, ExportedTableGame, ExportedVote};
use crate::model::scoring::NotScored;
use crate::model::table::{
    CurrentGameView, GamePlayerView, PastGameView, StakesView, TableIcon, TableInvitation, TableSeatView, TableStatus,
    TableView, VoteOn, VoteView, WatcherView,
};
use crate::model::table_chat::ChatLineView;
use crate::model::table_list::{PlayerAtTable, TableSummary};
use crate::player::PlayerId;
use crate::table::TableId;
use crate::table::chat::ChatLine;
use crate::table::purse::PurseStage;
use crate::table::stored::{CurrentGame, GamePlayer, Invitation, PastGame, Table, TableSeat};
use crate::table::tags::PlayerRole;
use crate::table::vote::{Vote, VoteQuestion};

pub(crate) fn table(id: TableId, table: &Table) -> TableView<'_> {
    let seats = table.seats.iter().map(|seat| {
        let sitter = seat.sitter.as_ref();
        TableSeatView {
            seat: &seat.seat,
            taken: seat.is_taken(),
            robot: seat.robot.map(Into::into),
            control: control_of(table, seat).map(Into::into),
            player: sitter.map(|sitter| sitter.player),
            name: sitter.and_then(|sitter| sitter.name.as_deref()),
            star: sitter.is_some_and(|sitter| table.master == Some(sitter.player)),
            options_changed: sitter.is_some_and(|sitter| sitter.options_changed),
            muted: sitter.is_some_and(|sitter| table.chat.muted.contains(&sitter.player)),
        }
    });
    let watchers = table.watchers.iter().map(|watcher| WatcherView {
        player: watcher.player,
        name: watcher.name.as_deref(),
        options_changed: watcher.options_changed,
        muted: table.chat.muted.contains(&watcher.player),
    });
    TableView {
        id,
        version: table.version,
        status: status(table),
        title: table.title.as_deref(),
        rule_set: (&table.rule_set).into(),
        variant: table.variant.as_ref().map(Into::into),
        seats: seats.collect(),
        master: table.master,
        private: table.settings.private,
        spectators_allowed: table.settings.spectators_allowed,
        time_per_turn: table.settings.seconds_per_turn(),
        icon: icon(table),
        bet: table.settings.bet,
        watchers: watchers.collect(),
        game: table.current.as_ref().map(current),
        past_games: table.past.iter().rev().map(past).collect(),
        vote: table.vote.as_ref().map(vote),
        lines: table.chat.said,
        created_at: clock::at(table.created_at),
        updated_at: clock::at(table.changed_at),
        events: table.events,
    }
}

/// Returns who decides for a seat: in the game in play, if the player or robot at the seat plays in it; otherwise the
/// player or the robot itself.
fn control_of(table: &Table, seat: &TableSeat) -> Option<Control> {
    let player = seat.sitter.as_ref().map(|sitter| sitter.player);
    let playing = table.current.iter().flat_map(|current| &current.players);
    let mut playing = playing
        .filter(|game_player| game_player.seat == seat.seat && game_player.player == player && !game_player.has_left);
    let in_game = playing.next().filter(|_| seat.is_taken()).and_then(|game_player| game_player.control);
    let robot = seat.robot.map(|_| Control::Robot);
    in_game.or(robot).or_else(|| player.map(|_| Control::Player))
}

fn status(table: &Table) -> TableStatus {
    match (table.is_closed, &table.current) {
        (true, _) => TableStatus::Closed,
        (false, Some(_)) => TableStatus::Playing,
        (false, None) => TableStatus::Open,
    }
}

/// Returns the kind of the game in play or, between games, that of the next game. Only a game that counts has a purse.
fn icon(table: &Table) -> TableIcon {
    let counts = match &table.current {
        Some(current) => current.purse.is_some(),
        None => table.next_game_counts(),
    };
    if counts { TableIcon::Competitive } else { TableIcon::Practice }
}

fn current(game: &CurrentGame) -> CurrentGameView<'_> {
    CurrentGameView {
        id: game.id,
        number: game.number,
        started_at: clock::at(game.started_at),
        amicable_end: game.can_end_amicably,
        stakes: game.purse.as_ref().map(|purse| StakesView {
            bet: purse.bet,
            pot: purse.bet * purse.members.len() as u64,
            season: purse.season.as_deref(),
            paid: matches!(purse.stage, PurseStage::Settled { .. }),
        }),
        players: game.players.iter().map(|game_player| player(game_player, None)).collect(),
    }
}

fn past(game: &PastGame) -> PastGameView<'_> {
    PastGameView {
        id: game.id,
        number: game.number,
        started_at: clock::at(game.started_at),
        ended_at: clock::at(game.ended_at),
        ended_by: game.ended_by.map(Into::into),
        bet: game.score.as_ref().map(|score| score.bet),
        not_scored: game.score.as_ref().filter(|score| score.is_at_one_address).map(|_| NotScored::SharedIp),
        players: game.players.iter().map(|(game_player, place)| player(game_player, *place)).collect(),
    }
}

fn player(game_player: &GamePlayer, place: Option<u8>) -> GamePlayerView<'_> {
    GamePlayerView {
        seat: &game_player.seat,
        player: game_player.player,
        name: game_player.name.as_deref(),
        robot: game_player.robot.map(Into::into),
        control: game_player.control.map(Into::into),
        left: game_player.has_left,
        place,
        chips: game_player.won.as_ref().map(|won| won.chips),
        experience: game_player.won.as_ref().map(|won| won.experience),
    }
}

fn vote(vote: &Vote) -> VoteView<'_> {
    VoteView { on: vote.on.into(), by: vote.by, deadline: clock::at(vote.deadline), agreed: &vote.agreed }
}

/// Makes the view of a table in the export of a player, without the events and the webhooks of the table.
pub(crate) fn exported(id: TableId, table: &Table, own: PlayerId) -> ExportedTable<'_> {
    let (sitter, watcher) = (
        table.sitters().find(|(_, sitter)| sitter.player == own),
        table.watchers.iter().find(|watcher| watcher.player == own),
    );
    let lines = || table.chat.lines.iter();
    let invitation = |invitation: &Invitation| TableInvitation {
        player: invitation.player,
        by: invitation.by,
        at: clock::at(invitation.at),
    };
    let roles = [
        sitter.map(|_| PlayerAtTable::Seated),
        watcher.map(|_| PlayerAtTable::Watching),
        table.has_invited(own).then_some(PlayerAtTable::Invited),
    ];
    let in_play = table.current.iter().flat_map(|current| {
        current.players.iter().map(move |game_player| (current.id, current.number, game_player, None))
    });
    let over = table.past.iter().rev().flat_map(|past| {
        past.players.iter().map(move |(game_player, place)| (past.id, past.number, game_player, *place))
    });
    let games = in_play.chain(over).filter(|(_, _, game_player, _)| game_player.player == Some(own));
    let vote = table.vote.as_ref().filter(|vote| vote.by == own || vote.agreed.contains(&own));
    ExportedTable {
        table: summary(id, table, None),
        my_roles: roles.into_iter().flatten().collect(),
        my_seat: sitter.map(|(seat, _)| seat),
        my_name: sitter
            .map(|(_, sitter)| &sitter.name)
            .or(watcher.map(|watcher| &watcher.name))
            .and_then(|name| name.as_deref()),
        muted: table.chat.muted.contains(&own),
        my_lines: lines().filter(|line| line.player == own).map(|chat_line| line(chat_line, false)).collect(),
        my_reports: lines().filter(|line| line.reported_by.contains(&own)).map(|line| line.number).collect(),
        invitation: table.invitations.iter().find(|invitation| invitation.player == own).map(invitation),
        invited_by_me: table.invitations.iter().filter(|invitation| invitation.by == own).map(invitation).collect(),
        my_vote: vote.map(|vote| ExportedVote {
            on: vote.on.into(),
            opened: vote.by == own,
            agreed: vote.agreed.contains(&own),
        }),
        my_webhooks: Vec::new(),
        my_games: games
            .map(|(id, number, game_player, place)| ExportedTableGame { id, number, me: player(game_player, place) })
            .collect(),
        events: Vec::new(),
    }
}

/// Makes the view of a line of the chat. Only the master sees how many players have reported the line.
pub(crate) fn line(line: &ChatLine, for_master: bool) -> ChatLineView<'_> {
    ChatLineView {
        line: line.number,
        at: clock::at(line.at),
        player: line.player,
        name: line.name.as_deref(),
        text: line.text.as_deref(),
        reports: for_master.then_some(line.reported_by.len() as u64),
    }
}

/// Makes the view of a table in a list. `role` is the role of the player whose list it is.
pub(crate) fn summary(id: TableId, table: &Table, role: Option<PlayerRole>) -> TableSummary<'_> {
    let free = table.seats.iter().filter(|seat| !seat.is_taken());
    let master = table.sitters().find(|(_, sitter)| table.master == Some(sitter.player));
    TableSummary {
        id,
        version: table.version,
        status: status(table),
        title: table.title.as_deref(),
        rule_set: (&table.rule_set).into(),
        variant: table.variant.as_ref().map(Into::into),
        seats: table.seats.len() as u64,
        free_seats: free.map(|seat| seat.seat.as_str()).collect(),
        private: table.settings.private,
        spectators_allowed: table.settings.spectators_allowed,
        time_per_turn: table.settings.seconds_per_turn(),
        icon: icon(table),
        bet: table.settings.bet,
        master_name: master.and_then(|(_, sitter)| sitter.name.as_deref()),
        role: role.map(Into::into),
        created_at: clock::at(table.created_at),
        updated_at: clock::at(table.changed_at),
    }
}

impl From<VoteQuestion> for VoteOn {
    fn from(question: VoteQuestion) -> Self {
        match question {
            VoteQuestion::End => Self::End,
            VoteQuestion::NextGame => Self::NextGame,
        }
    }
}

impl From<VoteOn> for VoteQuestion {
    fn from(on: VoteOn) -> Self {
        match on {
            VoteOn::End => Self::End,
            VoteOn::NextGame => Self::NextGame,
        }
    }
}

impl From<PlayerRole> for PlayerAtTable {
    fn from(role: PlayerRole) -> Self {
        match role {
            PlayerRole::Seated => Self::Seated,
            PlayerRole::Watching => Self::Watching,
            PlayerRole::Invited => Self::Invited,
        }
    }
}

impl From<PlayerAtTable> for PlayerRole {
    fn from(role: PlayerAtTable) -> Self {
        match role {
            PlayerAtTable::Seated => Self::Seated,
            PlayerAtTable::Watching => Self::Watching,
            PlayerAtTable::Invited => Self::Invited,
        }
    }
}
