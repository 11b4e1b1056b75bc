//! The lobby: games are created, seats joined and left, the game started.

use crate::error::{Code, Problem, ProblemPart};
use crate::game::dice;
use crate::game::edit::Edit;
use crate::game::entity;
use crate::game::event::{Event, EventKind};
use crate::game::setup::SeatRecord;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::{DiceHolder, SeedBy, Status};
use crate::game::wire;
use crate::ground::clock;
use crate::ground::text;
use crate::ground::token::Token;
use crate::model::game::{CreateGame, CreatedGame, JoinSeat, JoinedSeat};
use crate::service::call::Call;
use crate::service::entity::check_seen;
use crate::service::idempotency::IdempotentRequest;
use crate::service::reply::Reply;
use crate::service::{Service, access};

/// Longest time for a decision, in seconds: two weeks.
pub(crate) const LONGEST_TIMER: u32 = 1_209_600;

impl Service {
    /// Creates a game.
    ///
    /// # Errors
    /// The rule set does not exist, or options or seats do not fit it.
    pub(crate) async fn create_game(&self, call: &Call, body: &[u8], wish: &CreateGame) -> Result<Reply, Problem> {
        let mut mistakes = Vec::new();
        let title = readable("/title", wish.title.as_deref(), &mut mistakes);
        check_timer(wish, &mut mistakes);
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        self.create_once(IdempotentRequest::secret(call, body)?, async |id| {
            let compiled = self.library.find(&wish.rule_set, wish.version.as_deref()).await?;
            let compiled = compiled.ok_or_else(|| Problem::body("/rule_set", no_rule_set(wish)))?;
            let options = wire::options(&wish.options);
            let engine = self.library.table(&compiled, &options, wish.players.as_deref())?;
            let owner = Token::new()?;
            let invitation = if wish.private { Some(Token::new()?) } else { None };
            let new = NewGame {
                title: title.clone(),
                options,
                dice: wish.dice.into(),
                seed: match &wish.seed {
                    Some(seed) => seed.clone(),
                    None => dice::new_seed()?,
                },
                seed_by: if wish.seed.is_some() { SeedBy::Owner } else { SeedBy::Server },
                invitation: invitation.as_ref().map(Token::hash),
                hot_seat: wish.hot_seat,
                timer: wish.turn_timer.map(Into::into),
                ..NewGame::hot_seat(&compiled.set, &engine, owner.hash())
            };
            let now = self.store.now();
            let mut edit = Edit::begin(id, Game::new(new, clock::at(now)), engine).at(now);
            edit.add(Event::of_game(EventKind::Created));
            if wish.hot_seat {
                edit.start();
            }
            let reply = created(&edit, &owner, invitation.as_ref())?;
            Ok((edit, Some(compiled.rule_text()?), reply))
        })
        .await
    }

    /// Joins a seat.
    ///
    /// # Errors
    /// There is no such seat, it is taken, or the game has started.
    pub(crate) async fn join_seat(
        &self,
        call: &Call,
        body: &[u8],
        id: &str,
        seat: &str,
        wish: &JoinSeat,
    ) -> Result<Reply, Problem> {
        let mut mistakes = Vec::new();
        let name = readable("/name", wish.name.as_deref(), &mut mistakes);
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        self.change_game(IdempotentRequest::secret(call, body)?, id, |edit| {
            access::may_see(&edit.game, call)?;
            check_open(edit, call)?;
            let token = Token::new()?;
            if wish.contribution.is_some() && edit.game.setup.dice == DiceHolder::Players {
                let detail = "the players throw their own dice in this game: there is nothing to contribute to";
                return Err(
                    Problem::new(Code::DiceHeldByPlayers, detail).with(vec![ProblemPart::at("/contribution", detail)])
                );
            }
            let record = edit.seat_mut(seat)?;
            if record.token.is_some() {
                return Err(Problem::new(Code::SeatTaken, format!("somebody sits at `{seat}`")));
            }
            record.token = Some(token.hash());
            record.name.clone_from(&name);
            record.contribution.clone_from(&wish.contribution);
            check_names(&edit.game.setup.seats, seat)?;
            self.presence.mark_seen(entity(edit.id), &[seat]);
            let joined = edit.player(seat)?;
            edit.add(Event::of_seat(EventKind::Joined, joined));
            let answer = JoinedSeat { seat, token: token.reveal(), game: edit.view() };
            Ok(Reply::new(201, &answer)?.at_version(edit.game.version))
        })
        .await
    }

    /// Leaves a seat, or frees it for the owner. The token of the seat is revoked.
    ///
    /// # Errors
    /// There is no such seat, the token does not allow it, or the game has started.
    pub(crate) async fn leave_seat(&self, call: &Call, id: &str, seat: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(None, id, |edit| {
            access::member(&edit.game, call)?;
            edit.seat_mut(seat)?;
            access::owner_or_seat(&edit.game, call, seat)?;
            check_open(edit, call)?;
            let record = edit.seat_mut(seat)?;
            let left = record.token.take();
            (record.name, record.contribution) = (None, None);
            if let Some(left) = left {
                edit.game.setup_mut().revoke(left);
                let freed = edit.player(seat)?;
                edit.add(Event::of_seat(EventKind::LeftSeat, freed));
            }
            Ok(Reply::done(edit.game.version))
        })
        .await
    }

    /// Starts the game.
    ///
    /// # Errors
    /// The caller is not the owner, seats are free, or it has started.
    pub(crate) async fn start_game(&self, call: &Call, body: &[u8], id: &str) -> Result<Reply, Problem> {
        access::token(call)?;
        self.change_game(IdempotentRequest::of(call, body)?, id, |edit| {
            access::owner(&edit.game, call)?;
            check_open(edit, call)?;
            let free = edit.game.setup.seats.iter().filter(|seat| seat.token.is_none());
            let free = free.map(|seat| format!("`{}`", seat.seat)).collect::<Vec<_>>();
            if !free.is_empty() {
                return Err(Problem::new(Code::SeatsFree, format!("nobody sits at {}", free.join(", "))));
            }
            edit.start();
            Ok(Reply::ok(&edit.view())?.at_version(edit.game.version))
        })
        .await
    }

    /// A copy of a game, to try actions on without a commit.
    pub(crate) async fn edit(&self, id: &str) -> Result<Edit, Problem> {
        Ok(Edit::of(&*self.cached_game(id).await?))
    }
}

/// Checks that seats may still change, and that a version in the request is current.
fn check_open(edit: &Edit, call: &Call) -> Result<(), Problem> {
    check_seen(edit, call)?;
    match edit.game.status {
        Status::Open => Ok(()),
        _ => Err(Problem::new(Code::GameStarted, "the game has started")),
    }
}

/// The answer to the creation of a game, with the owner's token.
pub(crate) fn created(edit: &Edit, owner: &Token, invitation: Option<&Token>) -> Result<Reply, Problem> {
    let answer = CreatedGame { token: owner.reveal(), invitation: invitation.map(Token::reveal), game: edit.view() };
    let reply = Reply::new(201, &answer)?.at_version(edit.game.version);
    Ok(reply.at_location(format!("/v1/games/{}", edit.id)))
}

fn no_rule_set(wish: &CreateGame) -> String {
    match &wish.version {
        Some(version) => format!("there is no rule set `{}` of version `{version}`", wish.rule_set),
        None => format!("there is no rule set `{}`", wish.rule_set),
    }
}

/// Returns a name or title in its normal form. If the text cannot be shown to people, adds a mistake at `pointer` and
/// returns `None`.
fn readable(pointer: &str, text: Option<&str>, mistakes: &mut Vec<ProblemPart>) -> Option<String> {
    match text::for_people(text?) {
        Ok(text) => Some(text),
        Err(unreadable) => {
            mistakes.push(ProblemPart::at(pointer, unreadable.reason()));
            None
        }
    }
}

/// Checks that nobody else at the table has the name of this seat, or one that looks like it.
fn check_names(seats: &[SeatRecord], seat: &str) -> Result<(), Problem> {
    let name = |record: &SeatRecord| record.name.as_deref().map(text::alike);
    let own = seats.iter().find(|record| record.seat == seat).and_then(name);
    let other = seats.iter().find(|record| record.seat != seat && own.is_some() && name(record) == own);
    let Some(other) = other else { return Ok(()) };
    let detail = format!("`{}` is the name of who sits at `{}`", other.name.as_deref().unwrap_or_default(), other.seat);
    Err(Problem::new(Code::NameTaken, detail.clone()).with(vec![ProblemPart::at("/name", detail)]))
}

fn check_timer(wish: &CreateGame, mistakes: &mut Vec<ProblemPart>) {
    if wish.turn_timer.is_some() && DiceHolder::from(wish.dice) == DiceHolder::Players {
        mistakes.push(ProblemPart::at("/turn_timer", "the server cannot throw the dice that players hold"));
    }
}
