//! Laws of events and legal actions, over games of every bundled set.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pagade_rules::bundled::{self, SETS};
use serde_json::{Map, Value, json};

use crate::game::GameId;
use crate::game::dice::GameDice;
use crate::game::edit::Edit;
use crate::game::legal;
use crate::game::stored::{Game, NewGame};
use crate::game::terms::{Agreement, GaveUp, Status};
use crate::ground::clock;
use crate::ground::token::Token;
use crate::model::event_word::{CAUSE, CAUSE_MORE, EventShape, HEAD, TAIL};

/// Steps within which a game is searched for an event.
const MOST_STEPS: u64 = 1_500;
/// Steps after which a careless game is abandoned. Its actions are all chosen by chance, so voluntary moves may go on
/// for ever.
const CARELESS_STEPS: u64 = 800;
/// Number of steps after which all legal actions are tried again.
const TRIED: u64 = 16;

/// The state of a game, computed from its events alone.
#[derive(Debug, Default)]
struct Folded {
    /// Place and marks of every pawn, by its id.
    pawns: BTreeMap<String, (String, BTreeSet<String>)>,
    counters: Map<String, Value>,
    ranking: Value,
    next: Value,
}

impl Folded {
    fn add(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        for pawn in event["pawns"].as_array().into_iter().flatten() {
            let marks = pawn["marks"].as_array().into_iter().flatten().map(|mark| mark.as_str().unwrap().to_owned());
            let place = pawn["place"].as_str().unwrap().to_owned();
            self.pawns.insert(pawn["id"].as_str().unwrap().to_owned(), (place, marks.collect()));
        }
        if let Some(counters) = event["counters"].as_object() {
            self.counters.clone_from(counters);
        }
        if event["ranking"].is_array() {
            self.ranking = event["ranking"].clone();
        }
        if event["next"].is_object() {
            self.next = event["next"].clone();
        }
        match event["event"].as_str().unwrap() {
            "moved" | "cut" | "sent" | "put_back" => {
                let pawn = self.pawns.get_mut(&text("pawn")).unwrap();
                assert_eq!(pawn.0, text("from"), "{event}");
                pawn.0 = text("to");
            }
            "mark_changed" => {
                let marks = &mut self.pawns.get_mut(&text("pawn")).unwrap().1;
                let is_new =
                    if event["set"] == true { marks.insert(text("mark")) } else { marks.remove(&text("mark")) };
                assert!(is_new, "{event}");
            }
            "counter_changed" => {
                let owner = event["seat"].as_str().unwrap_or("game");
                self.counters[owner][&text("counter")] = event["value"].clone();
            }
            _ => {}
        }
    }

    fn check(&self, view: &Value, context: &str) {
        let pawns = view["seats"].as_array().unwrap().iter().flat_map(|seat| seat["pawns"].as_array().unwrap());
        for pawn in pawns {
            let (place, marks) = &self.pawns[pawn["id"].as_str().unwrap()];
            assert_eq!(pawn["place"], *place, "{context}: {pawn}");
            let shown = pawn["marks"].as_array().into_iter().flatten().map(|mark| mark.as_str().unwrap().to_owned());
            assert_eq!(shown.collect::<BTreeSet<_>>(), *marks, "{context}: {pawn}");
        }
        assert_eq!(view["counters"], Value::Object(self.counters.clone()), "{context}");
        let ranking = if self.ranking.is_null() { json!([]) } else { self.ranking.clone() };
        assert_eq!(view["ranking"], ranking, "{context}");
        for field in ["awaits", "turn", "asked", "moves", "throw", "hand"] {
            assert_eq!(view[field], self.next[field], "{context}: {field}");
        }
    }
}

/// Checks that an event has the fields of its shape, and that the path of a move ends where the move ends.
fn check_shape(event: &Value) {
    let shape = EventShape::of(event["event"].as_str().unwrap()).unwrap();
    let causes = if shape.has_cause { &[CAUSE][..] } else { &[] };
    let causes_more = if shape.has_cause { CAUSE_MORE } else { &[] };
    let always = HEAD.iter().chain(causes).chain(shape.has);
    let may = causes_more.iter().chain(shape.may).chain(TAIL);
    for field in event.as_object().unwrap().keys() {
        assert!(always.clone().chain(may.clone()).any(|known| known == field), "{field} in {event}");
    }
    assert!(always.clone().all(|field| !event[*field].is_null()), "{event}");
    if event["event"] == "moved" {
        assert_eq!(event["path"].as_array().unwrap().last(), Some(&event["to"]), "{event}");
    }
}

/// Checks that a pawn walks from place to place along its path, onward or back. The last place is not checked: if the
/// path crosses a square twice, the pawn may end on the other place of this square.
fn check_path(edges: &BTreeSet<(String, String)>, event: &Value) {
    let path = event["path"].as_array().into_iter().flatten().map(|place| place.as_str().unwrap().to_owned());
    let path = path.collect::<Vec<_>>();
    for step in path.split_last().map_or(&[][..], |(_, before)| before).windows(2) {
        let (from, to) = (step[0].clone(), step[1].clone());
        assert!(edges.contains(&(from.clone(), to.clone())) || edges.contains(&(to, from)), "{step:?} in {event}");
    }
}

/// Random numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(count.max(1))).unwrap()
    }
}

fn opened(id: &str, seed: u64) -> Edit {
    let set = bundled::ruleset(id).unwrap();
    let tables = set.playable_tables(&BTreeMap::new()).unwrap();
    let players = &tables[usize::try_from(seed).unwrap() % tables.len()].players;
    let engine = Arc::new(set.table(&BTreeMap::new(), Some(players)).unwrap());
    let new = NewGame { seed: seed.to_string(), ..NewGame::hot_seat(&set, &engine, Token::new().unwrap().hash()) };
    let mut edit = Edit::begin(GameId::nil(), Game::new(new, clock::now()), engine);
    edit.start();
    edit
}

/// Takes one step: a throw, or an action by chance.
fn step(edit: &mut Edit, dice: &GameDice, chance: &mut Chance, is_careful: bool) {
    let play = edit.playing().unwrap();
    if play.awaits_throw() {
        let throw = dice.throw(&edit.engine, edit.game.throws + 1);
        return edit.throw(&throw).unwrap();
    }
    let open = &play.legal(&edit.engine).actions;
    let index = match is_careful {
        true => edit.engine.pick(open, &mut |count| chance.below(count)),
        false => chance.below(u32::try_from(open.len()).unwrap()) as usize,
    };
    edit.act_nth(index).unwrap();
}

/// The events that came since the last call, as clients get them.
fn new_events(edit: &mut Edit) -> Vec<Value> {
    let events = std::mem::take(&mut edit.events);
    events
        .iter()
        .map(|event| {
            serde_json::from_str(event.write(&edit.engine, "2026-11-21T09:00:05.000Z").unwrap().get()).unwrap()
        })
        .collect()
}

/// Compares the description of every legal action with the events that the action causes.
fn try_legal(edit: &Edit, context: &str) {
    let play = edit.playing().unwrap();
    let listed = legal::explained(&edit.engine, play);
    let texts = listed.iter().map(|action| action.action.clone()).collect::<Vec<_>>();
    assert_eq!(texts, play.legal_texts(&edit.engine), "{context}");
    let view = serde_json::to_value(edit.view()).unwrap();
    let pawns = view["seats"].as_array().unwrap().iter().flat_map(|seat| seat["pawns"].as_array().unwrap());
    let pawns = pawns.map(|pawn| (pawn["id"].as_str().unwrap(), pawn)).collect::<BTreeMap<_, _>>();
    for action in listed {
        let mut tried = edit.clone();
        tried.events.clear();
        tried.act(&action.action, "").unwrap();
        let context = format!("{context}: {action:?}");
        let events = new_events(&mut tried);
        let of = |word: &str| events.iter().filter(|event| event["event"] == word).collect::<Vec<_>>();
        let fallen = of("cut").iter().map(|event| event["pawn"].as_str().unwrap()).collect::<BTreeSet<_>>();
        assert!(action.captured.iter().all(|pawn| fallen.contains(pawn.as_str())), "{context}: {events:#?}");
        assert!(!action.captures || !action.captured.is_empty(), "{context}");
        assert!(action.movers.iter().all(|pawn| action.pawns.contains(pawn)), "{context}");
        let Some(from) = &action.from else {
            assert!(action.pawns.is_empty() && action.path.is_empty(), "{context}");
            continue;
        };
        let moved = of("moved");
        assert_eq!(moved[0]["path"], json!(action.path), "{context}: {events:#?}");
        let movers = moved.iter().take(action.movers.len()).map(|event| event["pawn"].as_str().unwrap());
        assert_eq!(movers.collect::<BTreeSet<_>>(), action.movers.iter().map(String::as_str).collect(), "{context}");
        for pawn in action.pawns.iter().map(|pawn| pawns[pawn.as_str()]) {
            let square = |pawn: &Value| pawn["square"].as_str().map(str::to_owned);
            let is_there = pawn["place"] == **from
                || square(pawn).is_some_and(|there| square(pawns[&*action.movers[0]]) == Some(there));
            assert!(is_there, "{context}: {pawn}");
        }
    }
}

/// Plays a game and compares the folded events with the state after every step.
fn follow(id: &str, seed: u64) {
    let mut edit = opened(id, seed);
    let (dice, mut chance) = (GameDice::new(&format!("{id} {seed}"), []), Chance(seed));
    let is_careful = seed % 3 != 2;
    let mut folded = Folded::default();
    let steps = edit.engine.path_steps().into_iter();
    let edges = steps.map(|step| (edit.engine.label(step.from).to_owned(), edit.engine.label(step.to).to_owned()));
    let edges = edges.collect();
    loop {
        let context = format!("{id} {seed}, step {}", edit.game.steps);
        let events = new_events(&mut edit);
        for event in &events {
            check_shape(event);
            check_path(&edges, event);
            folded.add(event);
        }
        assert!(events.last().unwrap()["next"].is_object(), "{context}");
        folded.check(&serde_json::to_value(edit.view()).unwrap(), &context);
        if edit.game.status != Status::Playing || !is_careful && edit.game.steps >= CARELESS_STEPS {
            break;
        }
        if edit.game.steps.is_multiple_of(TRIED) && !edit.playing().unwrap().awaits_throw() {
            try_legal(&edit, &context);
        }
        step(&mut edit, &dice, &mut chance, is_careful);
    }
}

/// `PAGADE_GAMES` is the number of games for each set. Every third game is careless: its actions are all chosen by
/// chance.
#[test]
fn whoever_folds_the_events_has_the_state_after_every_step() {
    let games = std::env::var("PAGADE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(3_u64);
    for (id, _) in SETS {
        for seed in 0..games {
            follow(id, seed);
        }
    }
}

#[test]
fn whoever_folds_the_events_knows_how_a_game_was_ended() {
    for (id, is_agreed) in [("pagade", false), ("chopat", true), ("ludo", false)] {
        let mut edit = opened(id, 1);
        let (dice, mut chance) = (GameDice::new(id, []), Chance(1));
        (0..60).for_each(|_| step(&mut edit, &dice, &mut chance, true));
        let players = edit.engine.seating.players.clone();
        if is_agreed {
            edit.agree(&players, Agreement::End).unwrap();
        } else {
            players.iter().skip(1).for_each(|seat| {
                if edit.game.status == Status::Playing {
                    edit.give_up(*seat, GaveUp::Resigned).unwrap();
                }
            });
        }
        assert_eq!(edit.game.status, Status::Finished, "{id}");
        let mut folded = Folded::default();
        new_events(&mut edit).iter().for_each(|event| {
            check_shape(event);
            folded.add(event);
        });
        assert!(folded.ranking.is_array(), "{id}");
        folded.check(&serde_json::to_value(edit.view()).unwrap(), id);
    }
}

/// Finds an event in games of a set.
fn find(id: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    for seed in 0..40 {
        let mut edit = opened(id, seed);
        let (dice, mut chance) = (GameDice::new(&format!("{id} {seed}"), []), Chance(seed));
        while edit.game.status == Status::Playing && edit.game.steps < MOST_STEPS {
            if let Some(found) = new_events(&mut edit).into_iter().find(&is_it) {
                return found;
            }
            step(&mut edit, &dice, &mut chance, true);
        }
    }
    panic!("no game of {id} has such an event");
}

#[test]
fn an_event_says_who_did_it_and_why() {
    let cut = find("parchesi-us", |event| event["event"] == "cut");
    assert!(cut["rule"].as_str().unwrap().starts_with("landing."), "{cut}");
    assert!(!cut["by"].as_array().unwrap().is_empty() && cut["by"] != json!([cut["pawn"]]), "{cut}");
    let bonus = find("parchesi-us", |event| event["event"] == "bonus_granted" && event["because"] == "cut");
    assert!(bonus["rule"].as_str().unwrap().starts_with("on.") && bonus["number"] == 20, "{bonus}");
    let pair = find("pagade", |event| event["event"] == "moved" && event["with"].is_array());
    assert_eq!(pair["with"].as_array().map(Vec::len), Some(1), "{pair}");
    assert!(pair["rule"].as_str().unwrap().starts_with("spend.") && pair["by"].is_null(), "{pair}");
    let counter = find("pagade", |event| event["event"] == "counter_changed");
    assert!(counter["counter"].is_string() && counter["rule"].is_string(), "{counter}");
    let mark = find("chopat", |event| event["event"] == "mark_changed");
    assert!(mark["mark"].is_string() && mark["set"].is_boolean(), "{mark}");
}
