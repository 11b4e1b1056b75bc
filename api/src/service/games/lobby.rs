//! Games before their start: create a game, join and leave seats, start the game.

use crate::error::{Code, Problem, ProblemPart, detail, readable_name};
use crate::game::edit::Edit;
use crate::game::event::Event;
use crate::game::terms::{DiceHolder, Status};
use crate::game::{GAME, entity};
use crate::ground::token::Token;
use crate::model::creation::{CreateGame, JoinSeat, JoinedSeat};
use crate::model::event_kind::EventKind;
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::games::creation::{DecidedGame, nothing_to_contribute_to, taken_name};
use crate::service::games::queries::game_id;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::{Service, access};

/// Longest time limit for a decision, in seconds: two weeks.
pub(crate) const LONGEST_TIMER: u32 = 1_209_600;

impl Service {
    /// Creates the game that a request describes.
    ///
    /// # Errors
    /// The rule set does not exist, or the options or seats do not suit it.
    pub(crate) async fn create_game(&self, call: &Call, body: &[u8], wish: &CreateGame) -> Result<Reply, Problem> {
        access::no_player_who_is_gone(call)?;
        self.create_once(IdempotentRequest::secret(call, body)?, async |id| {
            let DecidedGame { planned, engine, compiled, tokens } =
                self.decide_game(id, wish, None, call.player.as_ref()).await?;
            if let Some(player) = call.player.as_ref().filter(|_| wish.my_seat.is_some()) {
                self.note_game(player.id, id, None).await?;
            }
            let edit = planned.begin(id, engine, self.store.now())?;
            let reply = tokens.answer(&edit)?;
            Ok((edit, Some(compiled.rule_text()?), reply))
        })
        .await
    }

    /// Takes a seat for a person, who gets a token for the seat. With the token of a player, the seat is that player's.
    ///
    /// # Errors
    /// There is no such seat, the seat is taken, the game has started, or the token is that of a player who is gone.
    pub(crate) async fn join_seat(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
        wish: &JoinSeat,
    ) -> Result<Reply, Problem> {
        access::no_player_who_is_gone(call)?;
        let mut mistakes = Vec::new();
        let player = call.player.as_ref();
        let name = readable_name("/name", wish.name.as_deref(), &mut mistakes);
        let name = name.or_else(|| player.and_then(|player| player.name.clone()));
        let guest = wish.invitation.as_deref().map(|text| call.with_token(Token::sent(text)));
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        let idempotency = IdempotentRequest::secret(call, body)?;
        if let Some(player) = player {
            if let (_, Some(answer)) = self.entity_and_reply(entity(game_id(id)?), call, body).await? {
                return Ok(answer);
            }
            let cached = self.visible_game(guest.as_ref().unwrap_or(call), id).await?;
            // Only a game that has not started can be joined. For any other game, the commit below returns the error.
            if cached.game.status == Status::Open {
                self.note_game(player.id, cached.id, cached.game.setup.group).await?;
            }
        }
        self.change_game(idempotency, id, |edit| {
            access::may_see(&edit.game, guest.as_ref().unwrap_or(call))?;
            check_open(edit, call)?;
            let token = Token::of(GAME.word(), edit.id)?;
            if wish.contribution.is_some() && edit.game.setup.dice == DiceHolder::Players {
                let part = ProblemPart::at("/contribution", nothing_to_contribute_to());
                return Err(Problem::one(Code::DiceHeldByPlayers, part));
            }
            let own = edit
                .game
                .setup
                .seats
                .iter()
                .find(|game_seat| player.is_some_and(|own| game_seat.player == Some(own.id)));
            if let Some(own) = own {
                let detail = detail!("the player sits at `{seat}` already", seat = own.seat);
                return Err(Problem::new(Code::SeatedAlready, detail));
            }
            let game_seat = edit.seat_mut(seat)?;
            if game_seat.is_taken() {
                return Err(Problem::new(Code::SeatTaken, detail!("somebody sits at `{seat}`", seat)));
            }
            game_seat.token = Some(token.hash());
            game_seat.player = player.map(|player| player.id);
            game_seat.name.clone_from(&name);
            game_seat.contribution.clone_from(&wish.contribution);
            if let Some(detail) = taken_name(&edit.game.setup.seats, seat) {
                let part = ProblemPart::at("/name", detail.clone());
                return Err(Problem::new(Code::NameTaken, detail).with(vec![part]));
            }
            self.presence.mark_seen(entity(edit.id), &[seat]);
            edit.moved.extend(player.map(|player| player.id));
            let joined = edit.player(seat)?;
            let event = Event::of_joining(joined, edit.seat_mut(seat)?);
            edit.add(event);
            let answer = JoinedSeat { seat, token: token.reveal(), game: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.game.version))
        })
        .await
    }

    /// Makes a seat free again, at the request of its player or of the owner. The token of the seat is revoked.
    ///
    /// # Errors
    /// There is no such seat, the caller may not free it, or the game has started.
    pub(crate) async fn leave_seat(&self, call: &Call, id: &str, seat: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(None, id, |edit| {
            access::member(&edit.game, call)?;
            edit.seat_mut(seat)?;
            access::owner_or_seat(&edit.game, call, seat)?;
            check_open(edit, call)?;
            let game_seat = edit.seat_mut(seat)?;
            let was_taken = game_seat.is_taken();
            let (left, player) = (game_seat.token.take(), game_seat.player.take());
            (game_seat.name, game_seat.contribution, game_seat.robot) = (None, None, None);
            if was_taken {
                left.into_iter().for_each(|left| edit.game.setup_mut().revoke(left));
                edit.moved.extend(player);
                let freed = edit.player(seat)?;
                edit.add(Event::of_seat(EventKind::LeftSeat, freed));
            }
            Ok(Reply::done(edit.game.version))
        })
        .await
    }

    /// Starts a game.
    ///
    /// # Errors
    /// The caller is not the owner, a seat is free, or the game has started.
    pub(crate) async fn start_game(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            check_open(edit, call)?;
            let free = edit.game.setup.seats.iter().filter(|seat| !seat.is_taken());
            let free = free.map(|seat| seat.seat.as_str()).collect::<Vec<_>>();
            if !free.is_empty() {
                return Err(Problem::new(Code::SeatsFree, detail!("nobody sits at {seats}", seats = free)));
            }
            edit.start();
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }

    /// Returns a copy of a game, on which actions can be tried without a commit.
    pub(crate) async fn edit(&self, id: &str) -> Result<Edit, Problem> {
        Ok(Edit::of(&*self.cached_game(id).await?, self.store.now()))
    }
}

/// Checks that the game has not started, and that the request does not name another version.
fn check_open(edit: &Edit, call: &Call) -> Result<(), Problem> {
    check_seen(edit, call)?;
    match edit.game.status {
        Status::Open => Ok(()),
        _ => Err(Problem::new(Code::GameStarted, "the game has started")),
    }
}
