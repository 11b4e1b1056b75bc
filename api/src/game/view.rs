//! Views of a game: the forms in which the API shows it.

use std::collections::BTreeMap;

use pagade_rules::play::{Engine, Phase, Seat, State};
use pagade_rules::position::CounterValue;
use pagade_rules::units::PawnIndex;

use crate::game::GameId;
use crate::game::play::Play;
use crate::game::ranking;
use crate::game::setup::GameSeat;
use crate::game::stored::Game;
use crate::game::terms::EndedBy;
use crate::game::terms::{Absence, DiceHolder, Status};
use crate::game::view_cache::CachedParts;
use crate::ground::clock;
use crate::model::creation::OptionValue;
use crate::model::event::NextDecision;
use crate::model::game::{Awaits, BriefGame, GameView, PawnView, RankView, SeatView};
use crate::model::game_list::GameSummary;
use crate::model::scoring::{NotScored, ScoringView};
use crate::model::written::{PawnId, SquareId, WrittenJson};

/// Makes the full view of a game. Before the start, it shows the opening position.
pub(crate) fn game<'a>(id: GameId, game: &'a Game, engine: &'a Engine, play: Option<&'a Play>) -> GameView<'a> {
    let state = play.map(Play::state);
    let opening;
    let shown = match state {
        Some(state) => state,
        None => {
            opening = engine.opening(engine.first_seat());
            &opening
        }
    };
    let served = game.setup.dice == DiceHolder::Server;
    let deciding = deciding(game, play);
    let decides = deciding.map(Play::state);
    let mut parts = game.setup.views().lock();
    GameView {
        id,
        version: game.version,
        status: game.status.into(),
        ended_by: ended_by(game).map(Into::into),
        awaits: awaits(game, play),
        title: game.setup.title.as_deref(),
        group: game.setup.group,
        table: game.setup.table,
        tournament: game.setup.tournament,
        scoring: game.setup.score.as_ref().map(|score| ScoringView {
            counts: !score.is_at_one_address,
            reason: score.is_at_one_address.then_some(NotScored::SharedIp),
            bet: score.bet,
            pot: score.bet * game.setup.seats.len() as u64,
        }),
        rule_set: (&game.setup.rule_set).into(),
        options: game.setup.options_of(engine),
        dice: game.setup.dice.into(),
        seed: game.revealed_seed(),
        seed_by: served.then_some(game.setup.seed_by.into()),
        seed_hash: served.then(|| game.setup.seed_hash()),
        private: game.setup.private,
        hot_seat: game.setup.hot_seat,
        turn_timer: game.setup.timer.map(Into::into),
        stand_in: game.setup.stand_in.map(|stand_in| stand_in.robot.into()),
        robot_pause_milliseconds: game.setup.robot_pause.shown(),
        deadline: game.deadline.map(clock::at),
        created_at: &game.setup.created_at,
        updated_at: &game.updated_at,
        seats: seats(game, engine, shown, &mut parts),
        turn: decides.and_then(|state| turn(engine, state)),
        asked: decides.and_then(|state| asked(engine, state)),
        moves: decides.and_then(|state| helped(engine, state)),
        throw: decides.and_then(|state| thrown(engine, state)),
        hand: decides.map(|state| engine.hand_texts(state)).unwrap_or_default(),
        legal: deciding.map(|play| play.legal_texts(engine)).unwrap_or_default(),
        legal_complete: deciding.is_none_or(|play| play.legal(engine).is_complete),
        position: parts.position(shown, || position(engine, shown)),
        counters: parts.counters(shown, || counters(engine, shown)),
        roll_off: game.setup.roll_off(engine),
        ranking: state.map(|state| ranking(engine, state, game)).unwrap_or_default(),
        steps: game.steps,
        events: game.events,
    }
}

/// Makes the brief view of a game: the fields that a client needs to play on. `now` is in milliseconds since 1970.
pub(crate) fn brief<'a>(
    id: GameId,
    game: &Game,
    engine: &'a Engine,
    play: Option<&'a Play>,
    now: u64,
) -> BriefGame<'a> {
    let play = deciding(game, play);
    let state = play.map(Play::state);
    BriefGame {
        id,
        version: game.version,
        status: game.status.into(),
        ended_by: ended_by(game).map(Into::into),
        awaits: awaits(game, play),
        deadline: game.deadline.map(clock::at),
        seconds_left: game.deadline.map(|deadline| deadline.saturating_sub(now) / 1000),
        turn: state.and_then(|state| turn(engine, state)),
        asked: state.and_then(|state| asked(engine, state)),
        moves: state.and_then(|state| helped(engine, state)),
        throw: state.and_then(|state| thrown(engine, state)),
        hand: state.map(|state| engine.hand_texts(state)).unwrap_or_default(),
        legal: play.map(|play| play.legal_texts(engine)).unwrap_or_default(),
        legal_complete: play.is_none_or(|play| play.legal(engine).is_complete),
        events: game.events,
    }
}

/// Returns the state and its legal actions; `None` before the start, and if the game ended before its rules ended it.
pub(crate) fn deciding<'a>(game: &Game, play: Option<&'a Play>) -> Option<&'a Play> {
    play.filter(|_| game.setup.ending.is_none())
}

/// Returns the next step that the game waits for: its start, a throw, an action, or nothing.
pub(crate) fn awaits(game: &Game, play: Option<&Play>) -> Awaits {
    match play.map(|play| play.state().phase) {
        _ if game.status == Status::Finished => Awaits::Nothing,
        None => Awaits::Start,
        Some(Phase::Throw) => Awaits::Throw,
        Some(Phase::Choose | Phase::Move | Phase::Declare) => Awaits::Action,
        Some(Phase::Over) => Awaits::Nothing,
    }
}

/// Returns the reason why the game is over; `None` if it is not over.
pub(crate) fn ended_by(game: &Game) -> Option<EndedBy> {
    (game.status == Status::Finished).then(|| game.setup.ending.into())
}

/// Makes the view of a game in a list.
pub(crate) fn summary(id: GameId, game: &Game) -> GameSummary {
    let free = |seat: &GameSeat| game.status == Status::Open && !seat.is_taken();
    GameSummary {
        id: id.to_string(),
        version: game.version,
        status: game.status.into(),
        free_seats: game.setup.seats.iter().filter(|seat| free(seat)).map(|seat| seat.seat.clone()).collect(),
        title: game.setup.title.clone(),
        rule_set: (&game.setup.rule_set).into(),
        created_at: game.setup.created_at.clone(),
        updated_at: game.updated_at.clone(),
    }
}

fn seats<'a>(game: &'a Game, engine: &'a Engine, state: &State, parts: &mut CachedParts) -> Vec<WrittenJson> {
    let view = |game_seat: &'a GameSeat, seat: Seat| SeatView {
        seat: &game_seat.seat,
        taken: game.setup.hot_seat || game_seat.is_taken(),
        name: game_seat.name.as_deref(),
        player: game_seat.player,
        robot: game_seat.robot_now(&game.setup).map(Into::into),
        control: if game.setup.hot_seat && game_seat.robot.is_none() {
            None
        } else {
            game_seat.control().map(Into::into)
        },
        return_until: match game_seat.absence {
            Some(Absence::Away { until }) => Some(clock::at(until)),
            _ => None,
        },
        contribution: game_seat.contribution.as_deref(),
        gave_up: game_seat.gave_up.map(|(_, how)| how.into()),
        agrees_to: game_seat.agreed.map(Into::into),
        paint: engine.seating.seats.get(seat.index()).map_or("", |info| &info.paint),
        pawns: pawns_of_player(engine, state, seat),
    };
    let shown = game.setup.seats.iter().map(|game_seat| {
        let seat = engine.seat_named(&game_seat.seat).unwrap_or_default();
        parts.seat(state, seat, engine.seating.colours_of(seat), || view(game_seat, seat))
    });
    shown.collect()
}

fn pawns_of<'a>(engine: &'a Engine, state: &State, seat: Seat) -> Vec<PawnView<'a>> {
    let view = |pawn| {
        let place = state.place_of(seat, pawn);
        PawnView {
            id: PawnId { seat: engine.seat_name(seat), pawn },
            place: engine.label(place),
            square: engine.square(seat, place).map(|square| SquareId(engine.square_name(square))),
            marks: engine.marks_shown(state, seat, pawn),
        }
    };
    PawnIndex::all(engine.pawns.count).map(view).collect()
}

/// Makes the views of the pawns that a player moves: those of its seat, then those of its other colours.
fn pawns_of_player<'a>(engine: &'a Engine, state: &State, player: Seat) -> Vec<PawnView<'a>> {
    let others = engine.seating.colours_of(player).filter(|colour| *colour != player);
    std::iter::once(player).chain(others).flat_map(|colour| pawns_of(engine, state, colour)).collect()
}

pub(crate) fn pawns<'a>(engine: &'a Engine, state: &State) -> Vec<PawnView<'a>> {
    engine.seating.colours.iter().flat_map(|seat| pawns_of(engine, state, *seat)).collect()
}

/// Makes the view of the decision that the game waits for, as events have it.
pub(crate) fn next<'a>(game: &Game, engine: &'a Engine, play: Option<&Play>) -> NextDecision<'a> {
    let state = deciding(game, play).map(Play::state);
    NextDecision {
        awaits: awaits(game, play),
        turn: state.and_then(|state| turn(engine, state)),
        asked: state.and_then(|state| asked(engine, state)),
        moves: state.and_then(|state| helped(engine, state)),
        throw: state.and_then(|state| thrown(engine, state)),
        hand: state.map(|state| engine.hand_texts(state)).unwrap_or_default(),
    }
}

/// Returns the labels of the places of all pawns, by seat.
fn position<'a>(engine: &'a Engine, state: &State) -> BTreeMap<&'a str, Vec<&'a str>> {
    engine.seating.colours.iter().map(|seat| (engine.seat_name(*seat), places(engine, state, *seat))).collect()
}

/// Returns the labels of the places of a seat's pawns.
fn places<'a>(engine: &'a Engine, state: &State, seat: Seat) -> Vec<&'a str> {
    state.at[seat.index()].iter().take(usize::from(engine.pawns.count)).map(|&place| engine.label(place)).collect()
}

/// Returns the seat whose turn it is; `None` after the end.
pub(crate) fn turn<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    (state.phase != Phase::Over).then(|| engine.seat_name(state.turn))
}

/// Returns the seat that a choice asks in the turn of another seat.
pub(crate) fn asked<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    state.asked.map(|seat| engine.seat_name(seat))
}

/// Returns the seat that has to decide; `None` after the end.
pub(crate) fn decider<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    asked(engine, state).or_else(|| turn(engine, state))
}

/// Returns the last throw of the turn, as text.
fn thrown(engine: &Engine, state: &State) -> Option<String> {
    (state.last.count > 0).then(|| engine.throw_text(&state.last))
}

/// Returns the seat whose pawns move, if it is not the seat whose turn it is.
fn helped<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    let colour = engine.colour(state);
    let is_shown = colour != state.turn && state.asked.is_none() && state.phase != Phase::Over;
    is_shown.then(|| engine.seat_name(colour))
}

/// Returns the counters that are not hidden: those of each seat, and those of the game under the name `game`.
pub(crate) fn counters<'a>(engine: &'a Engine, state: &State) -> BTreeMap<&'a str, BTreeMap<&'a str, OptionValue>> {
    let value = |value: CounterValue| match value {
        CounterValue::Truth(truth) => OptionValue::Truth(truth),
        CounterValue::Number(number) => OptionValue::Number(number),
    };
    let shown = engine.counters_shown(state).into_iter();
    shown
        .map(|(whose, counters)| (whose, counters.into_iter().map(|(name, number)| (name, value(number))).collect()))
        .collect()
}

/// Makes the views of the seats that have a rank, with their titles.
pub(crate) fn ranking<'a>(engine: &'a Engine, state: &State, game: &Game) -> Vec<RankView<'a>> {
    let titles = &engine.finish.ranks;
    // The last seat gets the last title, even if fewer seats play than there are titles. The team that lost gets the
    // last title, too.
    let is_last = |index: usize| index + 1 == engine.seating.players.len() || engine.seating.teams && index > 0;
    let title = |index: usize| if is_last(index) { titles.last() } else { titles.get(index) };
    let ranked = ranking::ranked(engine, state, &game.setup, game.status).into_iter();
    let rank = |(place, seat): (u8, Seat)| RankView {
        place,
        seat: engine.seat_name(seat),
        title: title(usize::from(place.max(1)) - 1).map(String::as_str),
    };
    ranked.map(rank).collect()
}
