//! Plans a new game before anything is stored: checks the request, and chooses the values that it leaves open, such as
//! the seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use pagade_rules::play::Engine;
use uuid::Uuid;

use crate::error::{Code, Detail, Problem, ProblemPart, detail, readable, readable_name};
use crate::game::edit::Edit;
use crate::game::planned::PlannedGame;
use crate::game::setup::{GameSeat, Setup};
use crate::game::stored::NewGame;
use crate::game::terms::{DiceHolder, SeedBy};
use crate::game::wire;
use crate::game::{GAME, GameId, dice};
use crate::ground::pointer::escape;
use crate::ground::token::Token;
use crate::ground::{clock, text};
use crate::model::creation::{CreateGame, CreatedGame};
use crate::rule_sets::library::CompiledRuleSet;
use crate::service::Service;
use crate::service::call::CallPlayer;
use crate::service::reply::Reply;
use crate::service::rule_sets::problems::{no_rule_set, no_seat};

/// The plan of a new game, with its tokens in clear text.
pub(in crate::service) struct DecidedGame {
    pub planned: PlannedGame,
    /// The engine for the rules of the game.
    pub engine: Arc<Engine>,
    pub compiled: Arc<CompiledRuleSet>,
    pub tokens: GameTokens,
}

/// The tokens of a new game, in clear text.
pub(in crate::service) struct GameTokens {
    pub owner: Token,
    /// The token of the invitation to a private game.
    pub invitation: Option<Token>,
    /// The tokens of the players who have a seat from the beginning, by seat.
    pub seats: BTreeMap<String, Token>,
}

impl GameTokens {
    /// Makes a value with only the owner's token.
    pub(in crate::service) fn of_owner(owner: Token) -> Self {
        Self { owner, invitation: None, seats: BTreeMap::new() }
    }

    /// Returns the tokens of the seats in clear text, for an answer.
    pub(in crate::service) fn of_seats(&self) -> BTreeMap<&str, &str> {
        self.seats.iter().map(|(seat, token)| (seat.as_str(), token.reveal())).collect()
    }

    /// Makes the answer to the creation of a game.
    pub(in crate::service) fn answer(&self, edit: &Edit) -> Result<Reply, Problem> {
        let Self { owner, invitation, .. } = self;
        let answer = CreatedGame {
            token: owner.reveal(),
            invitation: invitation.as_ref().map(Token::reveal),
            seats: self.of_seats(),
            game: edit.view(),
        };
        let reply = Reply::new(201, &answer)?.at_version(edit.game.version);
        Ok(reply.at_location(format!("/v1/games/{}", edit.id)))
    }
}

impl Service {
    /// Makes the plan of the game that a request describes. `group` is the id of the group that the game belongs to,
    /// `player` the player whose token the request has.
    ///
    /// # Errors
    /// The rule set does not exist, or the options, seats or texts do not suit it. The error lists every mistake.
    pub(in crate::service) async fn decide_game(
        &self,
        id: GameId,
        wish: &CreateGame,
        group: Option<Uuid>,
        player: Option<&CallPlayer>,
    ) -> Result<DecidedGame, Problem> {
        let mut mistakes = Vec::new();
        if wish.my_seat.is_some() && player.is_none() {
            mistakes.push(ProblemPart::at("/my_seat", detail!("this needs the token of a player")));
        }
        let title = readable("/title", wish.title.as_deref(), &mut mistakes);
        check_combinations(wish, &mut mistakes);
        if !mistakes.is_empty() {
            return Err(Problem::several(Code::BodyInvalid, mistakes));
        }
        let compiled = self.library.find(&wish.rule_set, wish.version.as_deref()).await?;
        let compiled =
            compiled.ok_or_else(|| Problem::body("/rule_set", no_rule_set(&wish.rule_set, wish.version.as_deref())))?;
        let options = wire::options(&wish.options);
        let engine = self.library.table(&compiled, &options, wish.players.as_deref())?;
        let owner = Token::of(GAME.word(), id)?;
        let invitation = if wish.private { Some(Token::of(GAME.word(), id)?) } else { None };
        let new = NewGame {
            title,
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
            stand_in: wish.stand_in.map(|robot| self.stand_in(robot.into())),
            robot_pause: wish.robot_pause_milliseconds.into(),
            group,
            ..NewGame::hot_seat(&compiled.set, &engine, owner.hash())
        };
        let mut setup = Setup::new(new, clock::at(self.store.now()));
        let seats = seat_players(id, &mut setup, wish, player)?;
        seat_robots(&mut setup, wish)?;
        let free = setup.seats.iter().find(|seat| !seat.is_taken());
        if let Some(free) = free.filter(|_| wish.start && !wish.hot_seat) {
            let detail = detail!("nobody sits at `{seat}`: `seats` has no player for it", seat = free.seat);
            return Err(Problem::body("/start", detail));
        }
        let planned = PlannedGame { setup, starts: wish.hot_seat || wish.start };
        Ok(DecidedGame { planned, engine, compiled, tokens: GameTokens { owner, invitation, seats } })
    }
}

/// Gives seats to players, and returns their tokens.
fn seat_players(
    id: GameId,
    setup: &mut Setup,
    wish: &CreateGame,
    player: Option<&CallPlayer>,
) -> Result<BTreeMap<String, Token>, Problem> {
    let (mut tokens, mut mistakes) = (BTreeMap::new(), Vec::new());
    let names = setup.players();
    let mut wishes: BTreeMap<_, _> = wish.seats.iter().map(|(seat, wish)| (seat, wish.clone())).collect();
    if let Some(seat) = &wish.my_seat {
        wishes.entry(seat).or_default();
    }
    for (seat, joins) in wishes {
        let player = player.filter(|_| wish.my_seat.as_ref() == Some(seat));
        let pointer = match wish.seats.contains_key(seat) {
            true => format!("/seats/{}", escape(seat)),
            false => "/my_seat".to_owned(),
        };
        let Some(game_seat) = setup.seats.iter_mut().find(|game_seat| game_seat.seat == *seat) else {
            mistakes.push(ProblemPart::at(&pointer, no_seat(seat, &names)));
            continue;
        };
        let token = Token::of(GAME.word(), id)?;
        game_seat.token = Some(token.hash());
        game_seat.name = readable_name(&format!("{pointer}/name"), joins.name.as_deref(), &mut mistakes);
        game_seat.contribution.clone_from(&joins.contribution);
        if let Some(CallPlayer { id, name, .. }) = player {
            game_seat.player = Some(*id);
            game_seat.name = game_seat.name.take().or_else(|| name.clone());
        }
        if joins.invitation.is_some() {
            mistakes.push(ProblemPart::at(format!("{pointer}/invitation"), detail!("a new game needs no invitation")));
        }
        if let Some(detail) = taken_name(&setup.seats, seat) {
            mistakes.push(ProblemPart::at(format!("{pointer}/name"), detail));
        }
        if joins.contribution.is_some() && setup.dice == DiceHolder::Players {
            mistakes.push(ProblemPart::at(format!("{pointer}/contribution"), nothing_to_contribute_to()));
        }
        tokens.insert(seat.clone(), token);
    }
    if mistakes.is_empty() { Ok(tokens) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}

fn seat_robots(setup: &mut Setup, wish: &CreateGame) -> Result<(), Problem> {
    let mut mistakes = Vec::new();
    if !wish.robots.is_empty() && setup.dice == DiceHolder::Players {
        mistakes.push(ProblemPart::at("/robots", detail!("the server cannot throw the dice that players hold")));
    }
    for (seat, robot) in &wish.robots {
        let pointer = format!("/robots/{}", escape(seat));
        match setup.seats.iter_mut().find(|game_seat| game_seat.seat == *seat) {
            None => mistakes.push(ProblemPart::at(pointer, no_seat(seat, &setup.players()))),
            Some(game_seat) if game_seat.is_taken() => {
                mistakes.push(ProblemPart::at(pointer, detail!("somebody sits at `{seat}`", seat)));
            }
            Some(game_seat) => game_seat.robot = Some((*robot).into()),
        }
    }
    if mistakes.is_empty() { Ok(()) } else { Err(Problem::several(Code::BodyInvalid, mistakes)) }
}

/// Makes the detail for a contribution to the dice of a game whose players throw the dice themselves.
pub(in crate::service) fn nothing_to_contribute_to() -> Detail {
    detail!("the players throw their own dice in this game: there is nothing to contribute to")
}

/// Returns the detail of a problem if another player of the game has the name of this seat's player, or a name that
/// looks like it.
pub(in crate::service) fn taken_name(seats: &[GameSeat], seat: &str) -> Option<Detail> {
    let name = |game_seat: &GameSeat| game_seat.name.as_deref().map(text::alike);
    let own = seats.iter().find(|game_seat| game_seat.seat == seat).and_then(name);
    let other = seats.iter().find(|game_seat| game_seat.seat != seat && own.is_some() && name(game_seat) == own)?;
    let name = other.name.as_deref().unwrap_or_default();
    Some(detail!("`{name}` is the name of the player at `{seat}`", name, seat = other.seat))
}

/// Checks the fields of the request that cannot be combined.
fn check_combinations(wish: &CreateGame, mistakes: &mut Vec<ProblemPart>) {
    if wish.turn_timer.is_some() && DiceHolder::from(wish.dice) == DiceHolder::Players {
        mistakes.push(ProblemPart::at("/turn_timer", detail!("the server cannot throw the dice that players hold")));
    }
    if wish.stand_in.is_some() && DiceHolder::from(wish.dice) == DiceHolder::Players {
        mistakes.push(ProblemPart::at("/stand_in", detail!("the server cannot throw the dice that players hold")));
    }
    let stand_in = ("/stand_in", wish.stand_in.is_some());
    for (pointer, is_there) in [stand_in, ("/seats", !wish.seats.is_empty()), ("/my_seat", wish.my_seat.is_some())] {
        if wish.hot_seat && is_there {
            mistakes.push(ProblemPart::at(pointer, detail!("with `hot_seat` the creator's token plays every seat")));
        }
    }
}
