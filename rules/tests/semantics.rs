//! The meaning of the language's words in play: scenarios with small rule sets, a file for each subject.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::play_at_random;
use pagade_rules::play::{Game, Phase, Quiet, Seat};
use pagade_rules::position::Setup;
use pagade_rules::record::{Against, Recorder, Replay};
use pagade_rules::ruleset::{Library, Options, RuleSet};
use pagade_rules::scenario;
use pagade_rules::source::Source;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics")
}

/// Finds the small rule sets by id.
struct Sets;

impl Library for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let text = fs::read_to_string(folder().join(format!("sets/{name}.yaml"))).ok()?;
        Some(Source { name: format!("{name}.yaml"), text })
    }
}

fn rule_set(id: &str) -> Result<Arc<RuleSet>, String> {
    let source = Sets.find(id).ok_or_else(|| format!("no set is called `{id}`"))?;
    let checked = RuleSet::check(&source, &Sets);
    // Warnings are allowed: some counters are only there for the expectations.
    checked.ruleset.map(Arc::new).ok_or_else(|| format!("{:#?}", checked.problems))
}

#[test]
fn the_first_turn_of_a_game_begins_by_its_rules() {
    let engine = rule_set("early").unwrap().table(&Options::new(), None).unwrap();
    let opening = engine.opening(engine.first_seat());
    // South's turn ends as it begins, and east's begins.
    assert_eq!((opening.turn, opening.game[0]), (Seat(1), 2));
    let set_up = engine.set_up(&Setup::default(), &mut Quiet).unwrap();
    assert!(set_up == opening);

    let mut recorder = Recorder::new(&engine, 0, engine.first_seat());
    let mut lines = vec![recorder.header(None).to_json()];
    for text in ["6+1", "1+2"] {
        let line = recorder.throw(&engine.parse_throw(text).unwrap(), &mut Quiet).unwrap();
        lines.extend(line.map(|line| line.to_json()));
        while recorder.state().phase == Phase::Move {
            let first = engine.legal(recorder.state())[0];
            lines.push(recorder.play(&first, &mut Quiet).unwrap().to_json());
        }
    }
    let mut replay = Replay::new(&rule_set, Against::default());
    for line in &lines {
        replay.line(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
    assert!(replay.decisions() > 1);
}

#[test]
fn the_first_turn_of_a_game_asks_what_others_ask() {
    let engine = rule_set("asked").unwrap().table(&Options::new(), None).unwrap();
    let mut game = Game::new(&engine, Seat(0));
    assert_eq!(game.open(), 2);
    game.play_nth(0, &mut Quiet);
    assert_eq!((game.state().turn, game.open()), (Seat(1), 2));
    game.restart(Seat(0));
    assert_eq!(game.open(), 2);
    game.play_nth(1, &mut Quiet);
    assert!(game.needs_throw());
}

#[test]
fn every_record_of_a_small_set_follows() {
    for entry in fs::read_dir(folder().join("sets")).unwrap() {
        let path = entry.unwrap().path();
        let id = path.file_stem().unwrap().to_str().unwrap();
        let engine = rule_set(id).unwrap().table(&Options::new(), None).unwrap();
        let mut replay = Replay::new(&rule_set, Against::default());
        for game in 0..3 {
            let header = Recorder::new(&engine, game, engine.first_seat()).header(None).to_json();
            let mut lines = vec![header];
            play_at_random(&engine, game, game, 300, |line, _| lines.push(line.to_json()));
            for line in &lines {
                replay.line(line).unwrap_or_else(|error| panic!("{id}: {error}: {line}"));
            }
        }
    }
}

#[test]
fn words_mean_in_play_what_the_reference_says() {
    let mut wrong = Vec::new();
    let mut passed = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match scenario::run(&name, &fs::read_to_string(&path).unwrap(), &rule_set) {
            Ok(report) => {
                passed += report.passed();
                wrong.extend(report.failures().map(ToString::to_string));
            }
            Err(error) => wrong.push(format!("{name}:{}: {}", error.line, error.message)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(passed > 10, "{passed}");
}
