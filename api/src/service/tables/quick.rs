//! Quick play: one request finds a seat at an open table that suits, or opens one.
//!
//! Tables with the same rule set, number of seats, options and clock are of one class, by which they are listed. If no
//! table of the class has a free seat, callers agree on the next table. Callers at one process take turns. Processes
//! that share a store agree by the id of the table: each of them reserves an id under a key that follows from the
//! newest table of the class, and the store gives all of them the id that was reserved first. So callers who come at
//! the same moment meet at one table, whichever process serves them.
//!
//! A player waits at one table of a class, or plays at one. If two processes have seated the same player at the same
//! moment, the one that comes later leaves the newer table.

use std::collections::BTreeSet;

use crate::error::{Code, Problem, ProblemPart, detail};
use crate::model::creation::OptionValue;
use crate::model::table::{CreateTable, QuickPlay};
use crate::player::PlayerId;
use crate::service::Service;
use crate::service::call::Call;
use crate::service::commit::{CommitFailure, too_many_conflicts};
use crate::service::entity::EntityEdit;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::tables::access::player;
use crate::service::tables::creating::TableToCreate;
use crate::service::tables::seating::sit;
use crate::store::{AnswerOwner, Change, Commit, CopiedAnswer, EntityId};
use crate::table::edit::TableEdit;
use crate::table::settings::TableSetting;
use crate::table::stored::{Table, not_found};
use crate::table::tags::{PlayerRole, tag_of_class, tag_of_open_class, tag_of_player};
use crate::table::{TABLE, TableId, entity, view};

/// Number of open tables that are tried before a new one is opened.
const LOOKED_AT: usize = 20;
/// Maximum number of tables that are opened or joined in turn before the request fails. Each attempt fails only if
/// other players take all seats of a table first.
const TABLE_TRIES: usize = 32;

impl Service {
    /// Finds a seat for a player at an open table, or opens a table. A player who waits or plays at such a table
    /// already stays there, so a repeated request has no further effect.
    ///
    /// # Errors
    /// The request has no player's token, or rule set, number of players or options do not suit each other.
    pub(crate) async fn quick_play(&self, call: &Call, body: &[u8], wish: &QuickPlay) -> Result<Reply, Problem> {
        let caller = player(call)?;
        let idempotency = IdempotentRequest::of(call, body)?;
        if let Some(request) = &idempotency
            && let Some(answer) = self.store.answer(AnswerOwner::Published, request.key).await?
        {
            return request.open(answer);
        }
        let planned = self.quick_table(call, wish).await?;
        let class = planned.table(self.store.now()).class();
        let _turn = self.quick.turn(&class).await;
        let reply = match self.own_table(caller.id, &class).await? {
            Some((_, own)) => own,
            None => {
                let (id, found) = self.find_table(call, &planned, &class).await?;
                // Another process may have seated the same player at another table at the same moment.
                let own = self.own_table(caller.id, &class).await?;
                own.filter(|(own, _)| *own != id).map_or(found, |(_, own)| own)
            }
        };
        match &idempotency {
            Some(request) => self.answer_once(request, reply).await,
            None => Ok(reply),
        }
    }

    /// Stores the answer to a request, and returns it. If another copy of the request was answered at the same moment,
    /// returns the answer that was stored first.
    async fn answer_once(&self, request: &IdempotentRequest, reply: Reply) -> Result<Reply, Problem> {
        let own = request.seal(&reply, self.store.now())?;
        let answers = vec![CopiedAnswer { key: request.key, answer: own.clone(), is_creation: false }];
        self.store.commit(Commit::from(Change::Shared { texts: Vec::new(), answers })).await?;
        match self.store.answer(AnswerOwner::Published, request.key).await? {
            Some(first) if first != own => request.open(first),
            _ => Ok(reply),
        }
    }

    /// Returns the table of a class at which a player waits for the first game, or plays. The player leaves all other
    /// tables of the class at which the next game begins by itself and no game is in play, so that nobody there waits
    /// for this player.
    async fn own_table(&self, player: PlayerId, class: &str) -> Result<Option<(TableId, Reply)>, Problem> {
        let seated = self.store.list(TABLE, tag_of_player(PlayerRole::Seated, player), None, LOOKED_AT).await?;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for stored in seated {
            let table = Table::read(&stored.snapshot)?;
            if table.class() == class {
                let (id, plays) = (stored.id.id, table.is_played_by(player));
                match plays || table.takes_strangers() {
                    true => own.push((!plays, id, table)),
                    false => others.extend(is_left(&table).then_some(id)),
                }
            }
        }
        // A game in play comes first, then the table that was opened first.
        own.sort_by_key(|(waits, id, _)| (*waits, *id));
        let mut own = own.into_iter();
        let kept = own.next();
        others.extend(own.filter(|(_, _, table)| is_left(table)).map(|(_, id, _)| id));
        for id in others {
            self.leave_quickly(id, player).await?;
        }
        let Some((_, id, table)) = kept else { return Ok(None) };
        Ok(Some((id, Reply::ok(&view::table(id, &table))?.at_version(table.version))))
    }

    /// Frees the seat of a player at a table, unless a game is in play there.
    async fn leave_quickly(&self, id: TableId, player: PlayerId) -> Result<(), Problem> {
        let leave = |edit: &mut TableEdit| {
            if !is_left(&edit.table) || edit.table.seat_of(player).is_none() {
                return Err(not_found());
            }
            edit.leave(player)?;
            edit.count_votes()?;
            Ok(Reply::default())
        };
        match self.change(None, entity(id), leave).await {
            Err(problem) if problem.code != Code::TableNotFound => Err(problem),
            _ => {
                self.settle_or_leave(id).await;
                Ok(())
            }
        }
    }

    /// Finds a seat for a player at an open table, or opens a table. Returns the id of the table.
    async fn find_table(&self, call: &Call, planned: &TableToCreate, class: &str) -> Result<(TableId, Reply), Problem> {
        let open = self.store.list(TABLE, tag_of_open_class(class), None, LOOKED_AT).await?;
        let newest = self.store.list(TABLE, tag_of_class(class), None, 1).await?;
        let mut after = newest.first().map_or(TableId::nil(), |stored| stored.id.id);
        // The newest table may have been opened after the open tables were listed.
        for id in open.iter().map(|stored| stored.id.id).chain([after]) {
            if let Some(reply) = self.sit_quickly(id, call, planned, class).await? {
                return Ok((id, reply));
            }
        }
        for _ in 0..TABLE_TRIES {
            let seed = [class.as_bytes(), after.as_bytes().as_slice()].concat();
            let key = blake3::derive_key("pagade quick play v1", &seed);
            let (next, _) = self.store.reserve(key, EntityId::new(TABLE, TableId::now_v7())).await?;
            if let Some(reply) = self.open_quickly(next.id, call, planned).await? {
                return Ok((next.id, reply));
            }
            if let Some(reply) = self.sit_quickly(next.id, call, planned, class).await? {
                return Ok((next.id, reply));
            }
            after = next.id;
        }
        Err(too_many_conflicts(TABLE.word()))
    }

    /// Makes the plan of the table that a request for quick play describes.
    async fn quick_table(&self, call: &Call, wish: &QuickPlay) -> Result<TableToCreate, Problem> {
        if wish.options.get(TableSetting::Private.name()).is_some_and(|private| *private != OptionValue::Truth(false)) {
            let detail = detail!("strangers cannot find a private table");
            return Err(Problem::one(Code::BodyInvalid, ProblemPart::at("/options/private", detail)));
        }
        let mut options = wish.options.clone();
        options.entry(TableSetting::StartWhenFull.name().to_owned()).or_insert(OptionValue::Truth(true));
        let table = CreateTable {
            rule_set: wish.rule_set.clone(),
            version: wish.version.clone(),
            title: None,
            seats: None,
            my_seat: None,
            name: wish.name.clone(),
            options,
        };
        let planned = self.plan_table(call, &table).await?;
        let tables = planned.playable_tables()?;
        let least = tables.iter().map(Vec::len).min().unwrap_or_default();
        let wanted = wish.players.map_or(least, usize::from);
        match tables.iter().find(|players| players.len() == wanted) {
            Some(seats) => Ok(planned.with_seats(seats.clone())),
            None => {
                let counts: BTreeSet<_> = tables.iter().map(|players| players.len().to_string()).collect();
                let counts: Vec<_> = counts.into_iter().collect();
                Err(Problem::body("/players", detail!("the number of players is one of {counts}", counts)))
            }
        }
    }

    /// Gives the first free seat of a table to a player; `None` if the table has none, no longer suits, or brings
    /// together players of whom one has blocked the other.
    async fn sit_quickly(
        &self,
        id: TableId,
        call: &Call,
        planned: &TableToCreate,
        class: &str,
    ) -> Result<Option<Reply>, Problem> {
        let caller = player(call)?;
        for _ in 0..TABLE_TRIES {
            let Some(stored) = self.store.entity(entity(id)).await? else { return Ok(None) };
            let table = Table::read(&stored.snapshot)?;
            let there: Vec<_> = table.sitters().map(|(_, sitter)| sitter.player).collect();
            if free_seat(&table, class).is_none() || self.avoids_anybody(caller.id, &there).await? {
                return Ok(None);
            }
            let sit = |edit: &mut TableEdit| {
                let is_known = edit.table.sitters().all(|(_, sitter)| there.contains(&sitter.player));
                match free_seat(&edit.table, class).filter(|_| is_known) {
                    Some(seat) => {
                        match sit(edit, call, &seat, planned.name.clone()) {
                            // Another player at the table has this name. The caller sits down without a name.
                            Err(problem) if problem.code == Code::NameTaken => sit(edit, call, &seat, None)?,
                            sat => sat?,
                        }
                        edit.count_votes()?;
                        Ok(Reply::ok(&edit.view())?.at_version(edit.table.version))
                    }
                    // Another player came first. The error prevents the commit, and the loop reads the table again.
                    None => Err(not_found()),
                }
            };
            match self.change(None, entity(id), sit).await {
                Ok(reply) => {
                    self.settle_or_leave(id).await;
                    return Ok(Some(reply));
                }
                Err(problem) if problem.code == Code::TableNotFound => {}
                Err(problem) if problem.code.status() < 500 => return Ok(None),
                Err(problem) => return Err(problem),
            }
        }
        Ok(None)
    }

    /// Opens a table under a reserved id; `None` if it exists already.
    async fn open_quickly(&self, id: TableId, call: &Call, planned: &TableToCreate) -> Result<Option<Reply>, Problem> {
        if self.store.entity(entity(id)).await?.is_some() {
            return Ok(None);
        }
        let edit = planned.begin(id, call, self.store.now())?;
        let reply = Reply::new(201, &edit.view())?.at_version(edit.table.version);
        let (change, effects) = edit.finish(self, Some(planned.compiled.rule_text()?))?;
        match self.commit(Change::Entity(change), None, &Reply::default()).await {
            Ok(()) => {
                TableEdit::apply(self, effects);
                self.settle_or_leave(id).await;
                Ok(Some(reply.at_location(format!("/v1/tables/{id}"))))
            }
            Err(CommitFailure::Problem(problem)) => Err(problem),
            Err(CommitFailure::Conflict(_) | CommitFailure::Answered(_)) => Ok(None),
        }
    }

    /// Tells whether one of these other players has blocked the player, or the other way round.
    async fn avoids_anybody(&self, player: PlayerId, others: &[PlayerId]) -> Result<bool, Problem> {
        for other in others {
            if self.avoid_each_other(player, *other).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Tells whether quick play frees the seats of a player at this table when the player has another table of the class.
fn is_left(table: &Table) -> bool {
    table.is_open() && table.settings.start_when_full && !table.settings.private
}

/// Returns the first free seat of a table; `None` if it has none, is not of this class, or does not take strangers.
fn free_seat(table: &Table, class: &str) -> Option<String> {
    let suits = table.takes_strangers() && table.class() == class;
    let mut free = table.seats.iter().filter(|seat| suits && !seat.is_taken());
    free.next().map(|seat| seat.seat.clone())
}
