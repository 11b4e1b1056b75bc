//! Writes records of games and replays them.

use pagade_rules::bundled::Bundled;
use pagade_rules::play::{Engine, Phase, Quiet};
use pagade_rules::record::{Against, RecordLine, Recorder, Replay, ReplayError, TurnLine, TurnStep};
use pagade_rules::ruleset::{Options, RuleSet};
use pagade_rules::source::Source;

use crate::common::{Chance, play_at_random, rule_set, table};

fn written(engine: &Engine, games: u64, with_header: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for game in 0..games {
        if with_header {
            lines.push(Recorder::new(engine, game, engine.first_seat()).header(None).to_json());
        }
        play_at_random(engine, game, game + 7, 5000, |line, _| lines.push(line.to_json()));
    }
    lines
}

fn replayed(lines: &[String], ruleset: Option<&str>) -> Result<(u64, u64), ReplayError> {
    let against = Against { ruleset: ruleset.map(str::to_string), ..Against::default() };
    let mut replay = Replay::new(&rule_set, against);
    for line in lines {
        replay.line(line)?;
    }
    Ok((replay.games(), replay.decisions()))
}

#[test]
fn a_record_with_headers_follows_from_the_rules_it_names() {
    let lines = written(&table("pagade", None), 3, true);
    assert_eq!(replayed(&lines, None), Ok((3, lines.len() as u64 - 3)));
}

#[test]
fn a_record_without_headers_follows_with_the_players_it_shows() {
    for players in [&["red", "yellow"][..], &["red", "black", "yellow", "green"]] {
        let lines = written(&table("pagade", Some(players)), 2, false);
        assert_eq!(replayed(&lines, Some("pagade")), Ok((2, lines.len() as u64)));
    }
    let lines = written(&table("pagade", None), 1, false);
    let error = replayed(&lines, None).unwrap_err();
    assert_eq!((error.what, error.line), ("ruleset", 1));
    assert_eq!(
        error.to_string(),
        "line 1: the rule set of the record, `(none)`: no line before this one names a rule set"
    );
}

/// A game whose first turn ends before its first throw, and whose throws change marks. Its first line names the seat
/// that throws first, and has the marks after the throw.
#[test]
fn a_record_whose_first_turn_ends_at_once_follows_from_its_rules() {
    let text = "rules: passed-over\nversion: 1.0.0\ntitle: A turn that ends at once\nsources: Written for tests\nboard:\n  \
                grid: 9 x 3\n  seats: [north, south]\n  turned: mirrored\n  path:\n    - {zone: out, squares: out, \
                off_board: yes}\n    - {zone: row, squares: 1..9, walk: \"from 0,0 E8\", private: yes}\n    - {zone: home, \
                squares: home}\npawns: {each: 1, start: [1]}\ndice: {count: 1, faces: [1, 2]}\nturn: {first: south, \
                use_dice: any}\ncounters: {pawn: {seen: {truth: yes}}}\nspend:\n  - {id: go, move: pawn, from: row, with: \
                die}\non:\n  - {id: thrown, event: throw, do: each pawn.seen = yes}\n  - {id: skip, event: turn_start, when: \
                seat_number = 2, do: [each pawn.seen = yes, end turn]}\nfinish: {play_on: no}\n";
    let source = Source { name: "passed-over.yaml".to_owned(), text: text.to_owned() };
    let checked = RuleSet::check(&source, &Bundled);
    let set = std::sync::Arc::new(checked.ruleset.expect("the rules are sound"));
    let engine = set.table(&Options::new(), None).unwrap();
    let lines = written(&engine, 2, true);
    let rule_sets = |_: &str| Ok(std::sync::Arc::clone(&set));
    let mut replay = Replay::new(&rule_sets, Against::default());
    for line in &lines {
        replay.line(line).unwrap();
    }
    assert_eq!(replay.decisions(), lines.len() as u64 - 2);
}

#[test]
fn a_rule_set_that_is_not_there_is_told_at_the_header_that_names_it() {
    let mut lines = written(&table("pagade", None), 1, true);
    lines[0] = lines[0].replacen("\"pagade\"", "\"goose\"", 1);
    lines.insert(0, String::new());
    let error = replayed(&lines, None).unwrap_err();
    assert_eq!((error.line, error.what, error.recorded.as_str()), (2, "ruleset", "goose"));
    assert_eq!(error.to_string(), format!("line 2: the rule set of the record, `goose`: {}", error.given));
}

#[test]
fn a_record_of_another_program_follows() {
    // Another program may write records without state, hand and events, with unknown keys, with pawns in another order,
    // and with a pass as the first action.
    let lines = [
        r#"{"turn":"red","clock":7,"position":{"yellow":["12","12","7","6"],"red":["12","7","12","6"]},"throw":"3+6",
            "legal":["12-15:3","12-18:6","12-21:3+6","6-9:3","6-15:3+6","7-10:3","7-13:6","7-16:3+6"],"played":"6-15"}"#,
        r#"{"turn":"yellow","position":{"red":["7","12","12","15"],"yellow":["6","7","12","12"]},"throw":"1+1",
            "legal":["6-7","6-8","7-8","7-9","12-13","12=13","12-14"],"played":"12=13:1+1"}"#,
    ];
    let lines = lines.map(str::to_string);
    assert_eq!(replayed(&lines, Some("pagade")), Ok((1, 2)));
}

#[test]
fn the_first_line_that_does_not_follow_is_told() {
    let lines = written(&table("pagade", None), 1, false);
    let changed = |from: &str, to: &str| {
        let mut lines = lines.clone();
        let line = lines.iter().position(|line| line.contains(from)).expect("a line to change");
        lines[line] = lines[line].replacen(from, to, 1);
        let error = replayed(&lines, Some("pagade")).unwrap_err();
        assert_eq!(error.line, line as u64 + 1);
        error.what
    };
    assert_eq!(changed(r#""position":{"red":["6""#, r#""position":{"red":["5""#), "position");
    assert_eq!(changed(r#""legal":["6-"#, r#""legal":["5-"#), "legal");
    assert_eq!(changed(r#""hand":[""#, r#""hand":["9",""#), "hand");
    assert_eq!(changed(r#""cuts":0"#, r#""cuts":1"#), "state");
    assert_eq!(changed(r#""turn":"black""#, r#""turn":"green""#), "turn");
    assert_eq!(changed(r#""played":""#, r#""played":"1-2x-"#), "played");
    assert_eq!(changed("{", "["), "line");
}

/// Plays a random game and records it in two forms: a line for each decision, and a line for each turn.
fn played(engine: &Engine, seed: u64) -> (Vec<RecordLine>, Vec<TurnLine>) {
    let mut recorder = Recorder::new(engine, 0, engine.first_seat());
    let (mut lines, mut turns, mut chance) = (Vec::new(), Vec::new(), Chance(seed));
    while lines.len() < 5000 && recorder.state().phase != Phase::Over {
        let before = *recorder.state();
        let seat = engine.seat_name(before.turn);
        if before.phase == Phase::Throw {
            let throw = engine.draw(&mut |n| chance.below(n));
            let step = TurnStep::Throw(engine.throw_text(&throw));
            TurnLine::add(&mut turns, seat, before.thrown == 0, step);
            if let Some(line) = recorder.throw(&throw, &mut Quiet).unwrap() {
                TurnLine::add(&mut turns, seat, false, TurnStep::Play(line.played.clone()));
                lines.push(line);
            }
        } else {
            let open = engine.legal(&before);
            let action = open[chance.below(open.len() as u32) as usize];
            TurnLine::add(&mut turns, seat, false, TurnStep::Play(engine.action_text(&before, &action)));
            lines.push(recorder.play(&action, &mut Quiet).unwrap());
        }
    }
    (lines, turns)
}

#[test]
fn a_game_reads_one_turn_a_line_and_is_the_same_game() {
    let engine = table("pagade", None);
    let (lines, turns) = played(&engine, 99);
    assert!(turns.len() > 50, "{} turns", turns.len());
    let mut recorder = Recorder::new(&engine, 0, engine.first_seat());
    let mut again = Vec::new();
    for turn in turns {
        let read: TurnLine = turn.to_string().parse().unwrap();
        assert_eq!(read, turn);
        assert_eq!(read.seat, engine.seat_name(recorder.state().turn));
        for step in read.steps {
            match step {
                TurnStep::Throw(throw) => {
                    again.extend(recorder.throw(&engine.parse_throw(&throw).unwrap(), &mut Quiet).unwrap());
                }
                // If the player had no choice, the throw has already played the pass.
                TurnStep::Play(action) if action == "pass" && recorder.state().phase != Phase::Move => {}
                TurnStep::Play(action) => again.push(recorder.play_text(&action, &mut Quiet).unwrap()),
            }
        }
    }
    assert_eq!(again, lines);
}

#[test]
fn the_line_of_a_pass_leaves_out_the_numbers_that_a_rule_dropped() {
    let text = "rules: dropping\nversion: 1.0.0\ntitle: Dropping\nextends: ludo\nturn: {first: red}\non:\n\
                \x20 - {id: bank, event: throw, when: total = 1, do: throw again}\n\
                \x20 - {id: lost, event: throw, when: total = 2, do: drop throw}\n";
    let source = Source { name: "dropping.yaml".to_owned(), text: text.to_owned() };
    let set = RuleSet::check(&source, &Bundled).ruleset.expect("the rule set has no errors");
    let engine = set.table(&Options::new(), None).unwrap();
    let mut recorder = Recorder::new(&engine, 0, engine.first_seat());
    let throw = |face: &str| engine.parse_throw(face).unwrap();
    assert!(recorder.throw(&throw("1"), &mut Quiet).unwrap().is_none());
    let line = recorder.throw(&throw("2"), &mut Quiet).unwrap().expect("no pawn can leave the yard by a 1");
    assert_eq!(line.hand.as_deref(), Some(&["1".to_owned()][..]));
}

#[test]
fn marks_that_are_shown_are_recorded_and_compared() {
    let lines = written(&table("parques", None), 3, true);
    let marked = lines.iter().position(|line| line.contains(r#""marks":{"yellow":{"fresh":["0""#)).unwrap();
    assert!(replayed(&lines, None).is_ok());
    let mut changed = lines.clone();
    changed[marked] = changed[marked].replace(r#"{"yellow":{"fresh":["0""#, r#"{"yellow":{"due":["0""#);
    let refused = replayed(&changed, None).unwrap_err();
    assert_eq!((refused.line, refused.what), (marked as u64 + 1, "marks"));
    let without = lines.iter().map(|line| without_marks(line)).collect::<Vec<_>>();
    assert!(replayed(&without, None).is_ok(), "records of before have no marks");
}

fn without_marks(line: &str) -> String {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
    value.as_object_mut().unwrap().remove("marks");
    value.to_string()
}
