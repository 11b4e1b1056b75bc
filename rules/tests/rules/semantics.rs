//! Tests the meaning of the words of the language in play, by scenarios with small rule sets. There is a file for each
//! subject.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pagade_rules::play::{Game, Phase, Quiet, Seat};
use pagade_rules::position::PositionSetup;
use pagade_rules::record::{Against, Recorder, Replay};
use pagade_rules::ruleset::{Options, RuleFiles, RuleSet};
use pagade_rules::scenario;
use pagade_rules::source::Source;
use pagade_rules::tables::LineId;
use pagade_rules::units::Pips;

use crate::common::play_at_random;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics")
}

/// Finds the small rule sets of the folder `semantics/sets` by id.
struct Sets;

impl RuleFiles for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let text = fs::read_to_string(folder().join(format!("sets/{name}.yaml"))).ok()?;
        Some(Source { name: format!("{name}.yaml"), text })
    }
}

fn rule_set(id: &str) -> Result<Arc<RuleSet>, String> {
    let source = Sets.find(id).ok_or_else(|| format!("no set is called `{id}`"))?;
    let checked = RuleSet::check(&source, &Sets);
    // Warnings are allowed, because some counters are there only for the expectations of scenarios.
    checked.ruleset.map(Arc::new).ok_or_else(|| format!("{:#?}", checked.problems))
}

#[test]
fn the_first_turn_of_a_game_begins_by_its_rules() {
    let engine = rule_set("early").unwrap().table(&Options::new(), None).unwrap();
    let opening = engine.opening(engine.first_seat());
    // A rule ends south's turn when it begins, so it is east's turn.
    assert_eq!((opening.turn, opening.game[0]), (Seat(1), 2));
    let set_up = engine.set_up(&PositionSetup::default(), &mut Quiet).unwrap();
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
fn the_path_of_a_move_that_turns_back_has_every_place_that_it_walks_over() {
    let walked = |set: &str, line: &str, [from, to]: [&str; 2], number: u8| {
        let engine = rule_set(set).unwrap().table(&Options::new(), None).unwrap();
        let place = |label: &str| engine.board.places().find(|&place| engine.label(place) == label).unwrap();
        let name = |id: LineId| engine.lines[id.index()].name.as_str();
        let spend = engine.moves.spend.iter().find(|spend| name(spend.line) == line).unwrap();
        let path = engine.walked(spend.route, place(from), place(to), Pips(number));
        path.into_iter().map(|place| engine.label(place).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(walked("pacing", "spend.back", ["9", "6"], 3), ["8", "7", "6"]);
    assert_eq!(walked("walls", "spend.go", ["3", "4"], 5), ["4", "5", "6", "5", "4"]);
    assert_eq!(walked("walls", "spend.go", ["6", "4"], 2), ["5", "4"]);
    assert_eq!(walked("walls", "spend.go", ["3", "6"], 3), ["4", "5", "6"]);
    assert_eq!(walked("walls", "spend.go", ["h2", "31"], 6), ["h1", "home", "h1", "h2", "h3", "31"]);
    assert_eq!(walked("walls", "spend.fore", ["18", "17"], 5), ["19", "20", "19", "18", "17"]);
    assert_eq!(walked("walls", "spend.fore", ["20", "18"], 2), ["19", "18"]);
    assert_eq!(walked("walls", "spend.fore", ["10", "12"], 2), ["11", "12"]);
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
