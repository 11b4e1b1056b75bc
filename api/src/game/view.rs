//! Views of a game, as the API shows it.

use std::collections::BTreeMap;

use pagade_rules::play::{Engine, Phase, Seat, State};
use pagade_rules::position::CounterValue;
use pagade_rules::units::PawnIndex;

use crate::game::GameId;
use crate::game::play::Play;
use crate::game::ranking;
use crate::game::setup::SeatRecord;
use crate::game::stored::Game;
use crate::game::terms::{DiceHolder, Status};
use crate::game::view_cache::CachedParts;
use crate::ground::clock;
use crate::model::ending::EndedBy;
use crate::model::game::{Awaits, BriefGame, GameSummary, GameView, OptionValue, PawnView, RankView, SeatView};
use crate::model::written::{PawnId, WrittenJson};

/// The full view of a game; before the start with the opening position.
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
        ended_by: ended_by(game),
        awaits: awaits(game, play),
        title: game.setup.title.as_deref(),
        rule_set: (&game.setup.rule_set).into(),
        options: game.setup.options_of(engine),
        dice: game.setup.dice.into(),
        seed: game.revealed_seed(),
        seed_by: served.then_some(game.setup.seed_by.into()),
        seed_hash: served.then(|| game.setup.seed_hash()),
        private: game.setup.private,
        hot_seat: game.setup.hot_seat,
        turn_timer: game.setup.timer.map(Into::into),
        deadline: game.deadline.map(clock::at),
        created_at: &game.setup.created_at,
        updated_at: &game.updated_at,
        seats: seats(game, engine, shown, &mut parts),
        turn: decides.and_then(|state| turn(engine, state)),
        moves: decides.and_then(|state| helped(engine, state)),
        throw: decides.and_then(|state| thrown(engine, state)),
        hand: decides.map(|state| engine.hand_texts(state)).unwrap_or_default(),
        legal: deciding.map(|play| play.legal_texts(engine)).unwrap_or_default(),
        legal_complete: deciding.is_none_or(|play| play.legal(engine).is_complete),
        position: parts.position(shown, || position(engine, shown)),
        counters: parts.counters(shown, || counters(engine, shown)),
        ranking: state.map(|state| ranking(engine, state, game)).unwrap_or_default(),
        steps: game.steps,
        events: game.events,
    }
}

/// The brief view of a game: what a client needs to play on. `now` is in milliseconds since 1970.
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
        ended_by: ended_by(game),
        awaits: awaits(game, play),
        deadline: game.deadline.map(clock::at),
        seconds_left: game.deadline.map(|deadline| deadline.saturating_sub(now) / 1000),
        turn: state.and_then(|state| turn(engine, state)),
        moves: state.and_then(|state| helped(engine, state)),
        throw: state.and_then(|state| thrown(engine, state)),
        hand: state.map(|state| engine.hand_texts(state)).unwrap_or_default(),
        legal: play.map(|play| play.legal_texts(engine)).unwrap_or_default(),
        legal_complete: play.is_none_or(|play| play.legal(engine).is_complete),
        events: game.events,
    }
}

/// State and legal actions for the decision that is due: none in a game that was ended.
pub(crate) fn deciding<'a>(game: &Game, play: Option<&'a Play>) -> Option<&'a Play> {
    play.filter(|_| game.setup.ending.is_none())
}

/// The decision that the game waits for.
pub(crate) fn awaits(game: &Game, play: Option<&Play>) -> Awaits {
    match play.map(|play| play.state().phase) {
        _ if game.status == Status::Finished => Awaits::Nothing,
        None => Awaits::Start,
        Some(Phase::Throw) => Awaits::Throw,
        Some(Phase::Choose | Phase::Move | Phase::Declare) => Awaits::Action,
        Some(Phase::Over) => Awaits::Nothing,
    }
}

/// Why the game is over, if it is.
fn ended_by(game: &Game) -> Option<EndedBy> {
    (game.status == Status::Finished).then(|| game.setup.ending.into())
}

/// The view of a game in a list.
pub(crate) fn summary(id: GameId, game: &Game) -> GameSummary {
    let free = |seat: &SeatRecord| game.status == Status::Open && seat.token.is_none();
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
    let view = |record: &'a SeatRecord, seat: Seat| {
        let pawns =
            squares(engine, state, seat).into_iter().zip(PawnIndex::all(engine.pawns.count)).map(|(square, pawn)| {
                let marks = engine.marks_shown(state, seat, pawn);
                PawnView { id: PawnId { seat: engine.seat_name(seat), pawn }, square, marks }
            });
        SeatView {
            seat: &record.seat,
            taken: game.setup.hot_seat || record.token.is_some(),
            name: record.name.as_deref(),
            contribution: record.contribution.as_deref(),
            gave_up: record.gave_up.map(|(_, how)| how.into()),
            agrees_to: record.agreed.map(Into::into),
            paint: engine.seating.seats.get(seat.index()).map_or("", |info| &info.paint),
            pawns: pawns.collect(),
        }
    };
    let shown = game.setup.seats.iter().map(|record| {
        let seat = engine.seat_named(&record.seat).unwrap_or_default();
        parts.seat(state, seat, || view(record, seat))
    });
    shown.collect()
}

/// The labels of all pawns, by seat.
fn position<'a>(engine: &'a Engine, state: &State) -> BTreeMap<&'a str, Vec<&'a str>> {
    engine.seating.players.iter().map(|seat| (engine.seat_name(*seat), squares(engine, state, *seat))).collect()
}

/// The labels of the pawns of a seat.
fn squares<'a>(engine: &'a Engine, state: &State, seat: Seat) -> Vec<&'a str> {
    state.at[seat.index()].iter().take(usize::from(engine.pawns.count)).map(|&place| engine.label(place)).collect()
}

/// The seat to move; `None` after the end.
pub(crate) fn turn<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    (state.phase != Phase::Over).then(|| engine.seat_name(state.turn))
}

/// The last throw of the turn.
fn thrown(engine: &Engine, state: &State) -> Option<String> {
    (state.last.count > 0).then(|| engine.throw_text(&state.last))
}

/// The seat whose pawns are moved, if it is not the seat to move.
fn helped<'a>(engine: &'a Engine, state: &State) -> Option<&'a str> {
    let colour = engine.colour(state);
    (colour != state.turn && state.phase != Phase::Over).then(|| engine.seat_name(colour))
}

fn counters<'a>(engine: &'a Engine, state: &State) -> BTreeMap<&'a str, BTreeMap<&'a str, OptionValue>> {
    let value = |value: CounterValue| match value {
        CounterValue::Truth(truth) => OptionValue::Truth(truth),
        CounterValue::Number(number) => OptionValue::Number(number),
    };
    let shown = engine.counters_shown(state).into_iter();
    shown
        .map(|(whose, counters)| (whose, counters.into_iter().map(|(name, number)| (name, value(number))).collect()))
        .collect()
}

fn ranking<'a>(engine: &'a Engine, state: &State, game: &Game) -> Vec<RankView<'a>> {
    let titles = &engine.finish.ranks;
    // The last seat has the last title, however few seats play.
    let title =
        |index: usize| if index + 1 == engine.seating.players.len() { titles.last() } else { titles.get(index) };
    let ranked = ranking::ranked(engine, state, &game.setup, game.status).into_iter();
    let rank = |(place, seat): (u8, Seat)| RankView {
        place,
        seat: engine.seat_name(seat),
        title: title(usize::from(place.max(1)) - 1).map(String::as_str),
    };
    ranked.map(rank).collect()
}
