//! Games that players end: they resign, abort, agree to end the game, or delete it before its start.

use pagade_rules::play::Seat;

use crate::error::{Code, Problem, detail};
use crate::game::edit::Edit;
use crate::game::stored::Game;
use crate::game::terms::{Ending, GaveUp, Status};
use crate::game::{GAME, entity};
use crate::group::entity as entity_of_group;
use crate::model::ending::{Agree, AgreesTo, Resign};
use crate::player::entity as entity_of_player;
use crate::service::Service;
use crate::service::access::{self, Role};
use crate::service::call::Call;
use crate::service::commit::too_many_conflicts;
use crate::service::entity::check_seen;
use crate::service::games::queries::game_id;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::store::{Change, Commit, StoreError};

/// Maximum number of attempts to delete a game. An attempt fails if another command, such as joining a seat, changes
/// the game first.
const DELETION_TRIES: usize = 16;

impl Service {
    /// Resigns a seat: its player gives up.
    ///
    /// # Errors
    /// The token does not play this seat, or the game is not in play.
    pub(crate) async fn resign_seat(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &Resign,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            let seats = own_seats(edit, call)?;
            let seat = match (&wish.seat, &seats[..]) {
                (None, [only]) => *only,
                (None, _) => {
                    return Err(Problem::body("/seat", detail!("the token plays several seats: which one resigns?")));
                }
                (Some(name), _) => {
                    edit.seat_mut(name)?;
                    let seat = edit.player(name)?;
                    if !seats.contains(&seat) {
                        let detail = detail!("only the player at `{seat}` may resign this seat", seat = name);
                        return Err(Problem::new(Code::NotAllowed, detail));
                    }
                    seat
                }
            };
            let name = edit.engine.seat_name(seat).to_owned();
            edit.note_address(&name, call.caller);
            edit.give_up(seat, GaveUp::Resigned)?;
            edit.settle()?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }

    /// Notes the proposal that a player agrees to, and ends the game when all players agree to the same proposal.
    ///
    /// # Errors
    /// The token has no seat, or the game is not in play.
    pub(crate) async fn agree_to_end(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        wish: &Agree,
    ) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            let seats = own_seats(edit, call)?;
            check_no_table(edit)?;
            if matches!(wish.to, AgreesTo::Abort) {
                check_no_tournament(edit)?;
            }
            come_back(edit, &seats)?;
            edit.agree(&seats, wish.to.into())?;
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }

    /// Aborts a game in which no pawn has moved.
    ///
    /// # Errors
    /// The caller is neither a player nor the owner, or a pawn has moved.
    pub(crate) async fn abort_game(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            match access::member(&edit.game, call)? {
                Role::Guest => return Err(Problem::new(Code::NotAllowed, "the invitation has no seat")),
                Role::Watcher => return Err(Problem::new(Code::NotAllowed, "a watcher has no seat in this game")),
                Role::Seat(_) => check_no_tournament(edit).and_then(|()| check_no_table(edit))?,
                Role::Admin | Role::Owner => check_no_table(edit)?,
            }
            check_seen(edit, call)?;
            edit.playing()?;
            if edit.game.steps > edit.game.throws {
                return Err(Problem::new(Code::GameUnderWay, "a player has moved already"));
            }
            edit.end(Ending::Abort);
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }

    /// Deletes a game before its start.
    ///
    /// # Errors
    /// The caller is not the owner, or the game has started.
    pub(crate) async fn delete_game(&self, call: &Call, id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        let id = entity(game_id(id)?);
        for _ in 0..DELETION_TRIES {
            let (stored, (delivered, _)) = self.store.entity_and_deliveries(id).await?;
            let stored = stored.ok_or_else(access::not_found)?;
            let game = Game::read(&stored.snapshot)?;
            access::owner(&game, call)?;
            if call.if_match.is_some() {
                call.check_version(GAME, stored.version)?;
            }
            if game.status != Status::Open {
                return Err(Problem::new(Code::GameStarted, "the game has started: it can be ended, not deleted"));
            }
            let change = Change::Remove { id, expected: stored.version, delivered };
            match self.store.commit(Commit::from(change)).await {
                Ok(()) => {
                    self.metrics.count_game(&game.setup.rule_set_label(), "deleted");
                    let group = game.setup.group.map(entity_of_group);
                    let players = game.setup.seated_players().map(entity_of_player);
                    group.into_iter().chain(players).for_each(|followed| self.wake_gatherer(followed, id.id));
                    return Ok(Reply::gone());
                }
                Err(StoreError::Conflict(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_many_conflicts("game"))
    }
}

/// Gives seats that a robot or the server plays meanwhile back to their player, who has sent the request.
fn come_back(edit: &mut Edit, seats: &[Seat]) -> Result<(), Problem> {
    for seat in seats {
        let name = edit.engine.seat_name(*seat).to_owned();
        edit.come_back(&name)?;
    }
    Ok(())
}

/// Checks that the game is not played at a table, where the players end it by a vote.
fn check_no_table(edit: &Edit) -> Result<(), Problem> {
    match edit.game.setup.table {
        Some(table) => {
            let detail = detail!("the game belongs to the table {table}: its players vote there", table);
            Err(Problem::new(Code::NotAvailable, detail))
        }
        None => Ok(()),
    }
}

/// Checks that a game is none of a tournament, whose players may not decide that it does not count: its table needs a
/// result.
fn check_no_tournament(edit: &Edit) -> Result<(), Problem> {
    if edit.game.setup.tournament.is_none() {
        return Ok(());
    }
    Err(Problem::new(
        Code::NotAvailable,
        "the players of a tournament cannot abort a game: they can resign, and an arbiter can decide the table",
    ))
}

/// Returns the seats that the caller plays in a game in play: the caller's own seat, or all seats if the game has one
/// token for all. Seats of robots, and seats that gave up, are left out.
fn own_seats(edit: &Edit, call: &Call) -> Result<Vec<Seat>, Problem> {
    let role = access::player(&edit.game, call)?;
    check_seen(edit, call)?;
    edit.playing()?;
    access::is_in_play(&edit.game, &role)?;
    access::has_not_left(&edit.game, &role)?;
    let names = match role {
        Role::Seat(own) => vec![own],
        _ => edit.game.setup.players(),
    };
    let setup = &edit.game.setup;
    let is_played = |name: &String| !setup.has_given_up(name) && setup.robot_at(name).is_none();
    let names = names.into_iter().filter(is_played).collect::<Vec<_>>();
    if names.is_empty() {
        return Err(Problem::new(Code::NotAllowed, "the seat of this token has given up"));
    }
    names.iter().map(|name| edit.player(name)).collect()
}
