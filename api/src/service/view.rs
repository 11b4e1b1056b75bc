//! A game as the API shows it.

use std::collections::BTreeMap;

use pagade_rules::play::{Seat, State};
use pagade_rules::position::CounterValue;
use pagade_rules::tables::Rules;

use super::{engine, game::Game};
use crate::conventions::clock;
use crate::dice;
use crate::model::game::{
    Awaits, DiceHolder, GameStatus, GameSummary, GameView, OptionValue, PawnView, RankView, SeatView,
};
use crate::store::GameId;

/// A game with this state; before the start with the opening position.
pub fn game(id: GameId, game: &Game, rules: &Rules, state: Option<&State>) -> GameView {
    let opening = rules.opening(rules.first_seat());
    let shown = state.unwrap_or(&opening);
    let served = game.dice == DiceHolder::Server;
    GameView {
        id: id.to_string(),
        version: game.version,
        status: game.status,
        awaits: state.map_or(Awaits::Start, engine::awaits),
        title: game.title.clone(),
        rule_set: game.rule_set.clone(),
        options: rules.options.iter().map(|(name, text)| (name.clone(), option_value(text))).collect(),
        dice: game.dice,
        seed: game.told_seed(),
        seed_by: served.then_some(game.seed_by),
        seed_hash: served.then(|| dice::seed_hash(&game.seed)),
        private: game.private,
        hot_seat: game.hot_seat,
        turn_timer: game.timer,
        deadline: game.deadline.map(clock::at),
        created_at: game.created_at.clone(),
        updated_at: game.updated_at.clone(),
        seats: seats(game, rules, shown),
        turn: state.filter(|state| !engine::is_over(state)).map(|state| rules.seat_name(state.turn).to_owned()),
        moves: state.and_then(|state| helped(rules, state)),
        throw: state.filter(|state| state.last.count > 0).map(|state| rules.throw_text(&state.last)),
        hand: state.map(|state| rules.hand_texts(state)).unwrap_or_default(),
        legal: state.map(|state| rules.legal_texts(state)).unwrap_or_default(),
        position: rules.position(shown).0.into_iter().collect(),
        counters: counters(rules, shown),
        ranking: state.map(|state| ranking(rules, state)).unwrap_or_default(),
        steps: game.steps,
        events: game.events,
    }
}

/// A game in a list.
pub fn summary(id: GameId, game: Game) -> GameSummary {
    let free = |seat: &super::game::SeatRecord| game.status == GameStatus::Open && seat.token.is_none();
    GameSummary {
        id: id.to_string(),
        version: game.version,
        status: game.status,
        free_seats: game.seats.iter().filter(|seat| free(seat)).map(|seat| seat.seat.clone()).collect(),
        title: game.title,
        rule_set: game.rule_set,
        created_at: game.created_at,
        updated_at: game.updated_at,
    }
}

fn seats(game: &Game, rules: &Rules, state: &State) -> Vec<SeatView> {
    let view = |record: &super::game::SeatRecord| {
        let seat = rules.seat_named(&record.seat).unwrap_or_default();
        let pawns = state.at[seat.index()].iter().take(usize::from(rules.pawns)).zip(0..).map(|(&place, pawn)| {
            let marks = rules.marks_shown(state, seat, pawn).into_iter().map(str::to_owned).collect();
            PawnView { id: engine::pawn_id(rules, seat, pawn), square: rules.label(place).to_owned(), marks }
        });
        SeatView {
            seat: record.seat.clone(),
            taken: game.hot_seat || record.token.is_some(),
            name: record.name.clone(),
            contribution: record.contribution.clone(),
            paint: rules.seats.get(seat.index()).map(|info| info.paint.clone()).unwrap_or_default(),
            pawns: pawns.collect(),
        }
    };
    game.seats.iter().map(view).collect()
}

/// The colour that the seat to move plays, where it is another's.
fn helped(rules: &Rules, state: &State) -> Option<String> {
    let colour = rules.colour(state);
    (colour != state.turn && !engine::is_over(state)).then(|| rules.seat_name(colour).to_owned())
}

fn counters(rules: &Rules, state: &State) -> BTreeMap<String, BTreeMap<String, OptionValue>> {
    let value = |value: CounterValue| match value {
        CounterValue::Truth(truth) => OptionValue::Truth(truth),
        CounterValue::Number(number) => OptionValue::Number(number),
    };
    let shown = rules.counters_shown(state).0.into_iter();
    shown
        .map(|(seat, counters)| (seat, counters.0.into_iter().map(|(name, number)| (name, value(number))).collect()))
        .collect()
}

fn ranking(rules: &Rules, state: &State) -> Vec<RankView> {
    let placed = state.ranking.iter().take(usize::from(state.placed));
    let titles = &rules.finish.ranks;
    // Whoever comes last is that, however few play.
    let title = |index: usize| if index + 1 == rules.players.len() { titles.last() } else { titles.get(index) };
    let rank = |(index, &seat): (usize, &u8)| RankView {
        place: u8::try_from(index + 1).unwrap_or(u8::MAX),
        seat: rules.seat_name(Seat(seat)).to_owned(),
        title: title(index).cloned(),
    };
    placed.enumerate().map(rank).collect()
}

/// An option's value from its text.
pub fn option_value(text: &str) -> OptionValue {
    match (text, text.parse()) {
        ("true", _) => OptionValue::Truth(true),
        ("false", _) => OptionValue::Truth(false),
        (_, Ok(number)) => OptionValue::Number(number),
        _ => OptionValue::Word(text.to_owned()),
    }
}
