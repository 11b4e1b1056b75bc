//! Compares the tables of bundled rule sets with facts about the games from other sources.

use pagade_rules::perft::perft;
use pagade_rules::play::Engine;
use pagade_rules::ruleset::{OptionValue, Options, RuleFiles, RuleSet};
use pagade_rules::source::Source;
use pagade_rules::tables::{Counter, Event, Fact, First, Op, With};
use pagade_rules::units::{PathPlace, Seat};

/// Finds the rule sets in the folder `sets` by id.
struct Sets;

impl RuleFiles for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let path = format!("{}/sets/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).ok()?;
        Some(Source { name: format!("sets/{name}.yaml"), text })
    }
}

fn bundled() -> RuleSet {
    set("pagade")
}

fn set(id: &str) -> RuleSet {
    let checked = RuleSet::check(&Sets.find(id).unwrap(), &Sets);
    assert_eq!(checked.problems, []);
    checked.ruleset.unwrap()
}

fn table(ruleset: &RuleSet, options: &[(&str, OptionValue)], players: Option<&[&str]>) -> Engine {
    let options: Options = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let players: Option<Vec<String>> = players.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    ruleset.table(&options, players.as_deref()).unwrap()
}

fn word(word: &str) -> OptionValue {
    OptionValue::Word(word.to_owned())
}

#[test]
fn four_bellies_and_a_loop_make_96_squares() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    assert_eq!((board.squares, board.cells.len(), board.len), (96, 96, 85));
    assert_eq!(board.labels[board.len as usize - 1], "home");
    let place = |label: &str| board.labels.iter().position(|other| other == label).unwrap();
    let at = |label: &str| PathPlace(place(label) as u8);
    assert_eq!(board.home().index() - place("6"), 78, "from 6 to home");
    assert_eq!(place("8r"), place("75") + 1);
    assert_eq!(board.outward[place("h1")], at("1"));
    assert_eq!(board.outward[place("8r")], at("8"));
    assert_eq!(board.gate_at, at("8r"));
}

#[test]
fn the_loop_is_numbered_alike_from_every_arm() {
    let rules = table(&bundled(), &[], None);
    let seen = &rules.board.seen;
    for own in 8..=75u8 {
        for (k1, row) in seen.iter().enumerate() {
            for (k2, numbering) in row.iter().enumerate() {
                let expected = (i32::from(own) - 8 + 17 * (k1 as i32 - k2 as i32)).rem_euclid(68) + 8;
                assert_eq!(i32::from(numbering[own as usize].unwrap().0), expected, "{own} of {k1} for {k2}");
            }
        }
    }
    assert!(seen[0][1][1..=7].iter().all(|&place| place.is_none()), "a belly is private");
}

#[test]
fn a_closed_gate_sends_round_again() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    let (gate, home) = (board.gate_at.index(), board.home().index());
    assert_eq!(board.labels[board.lands[0][gate + 1].unwrap().index()], "9");
    assert_eq!(board.labels[board.lands[1][gate + 1].unwrap().index()], "h7");
    assert_eq!(board.square[0][2][gate + 1], board.square[1][2][9]);
    assert_eq!(board.square[1][0][home], None);
    assert_eq!(board.lands[1][home..home + 2], [Some(board.home()), None]);
    let waiting = table(&bundled(), &[("if_closed", word("wait"))], None);
    assert_eq!(waiting.board.lands[0][gate + 1], None);
}

#[test]
fn colours_stand_on_the_same_square_where_their_paths_meet() {
    let rules = table(&bundled(), &[], None);
    let board = &rules.board;
    for own in 8..=75usize {
        for colour in 0..4 {
            let theirs = board.seen[0][colour][own].unwrap().index();
            assert_eq!(board.square[1][0][own], board.square[1][colour][theirs]);
        }
    }
}

#[test]
fn seats_play_in_the_order_asked_for() {
    let backward = [("turn_order", word("backward"))];
    let rules = table(&bundled(), &backward, None);
    assert_eq!(rules.seating.next[..4], [Seat(3), Seat(0), Seat(1), Seat(2)]);
    assert_eq!(rules.seating.right[..4], [Seat(1), Seat(2), Seat(3), Seat(0)]);
    let two = table(&bundled(), &backward, Some(&["yellow", "red"]));
    assert_eq!(
        (two.seating.players.as_slice(), two.seating.next[0], two.seating.next[2]),
        (&[Seat(0), Seat(2)][..], Seat(2), Seat(0))
    );
    assert_eq!(two.seating.partner[0], Seat(0));
    let teams = table(&bundled(), &[("mode", word("partnership"))], None);
    assert!(teams.seating.teams);
    assert_eq!(teams.seating.partner[..4], [Seat(2), Seat(3), Seat(0), Seat(1)]);
}

#[test]
fn options_decide_which_places_make_pairs() {
    let plain = table(&bundled(), &[], None);
    let belly = table(&bundled(), &[("belly_pairs", OptionValue::Truth(true))], None);
    assert_eq!(plain.board.pairing >> 7 & 3, 0b10);
    assert_eq!(belly.board.pairing >> 7 & 3, 0b11);
}

#[test]
fn what_no_pawn_decides_is_asked_once() {
    let rules = table(&bundled(), &[], None);
    let names: Vec<&str> = rules.moves.spend.iter().map(|line| rules.lines[line.line.index()].name.as_str()).collect();
    assert_eq!(names, ["spend.enter", "spend.enter-sum", "spend.die", "spend.sum", "spend.joint"]);
    assert!(rules.moves.spend[1].open.is_some() && rules.moves.spend[1].when.is_none());
    assert!(rules.moves.spend.iter().all(|line| line.steps.is_none()));
    assert_eq!((rules.moves.must[0].actions, rules.seating.first), (0b11, First::Seat(Seat(0))));
    assert_eq!(rules.events.on[Event::Cut as usize].len(), 1);
    let total = table(&bundled(), &[("pair_distance", word("sum")), ("sum_move", word("two_hops"))], None);
    let joint = total.moves.spend.iter().find(|line| line.with == With::Doublet).unwrap();
    let steps = joint.steps.unwrap();
    let code = &total.code.ops[steps.start as usize..][..steps.len as usize];
    assert_eq!(code, [Op::Push(2), Op::Fact(Fact::Number), Op::Mul]);
    assert!(!total.moves.spend.iter().any(|line| line.with == With::Sum && line.from != 1));
}

#[test]
fn options_and_seats_that_do_not_fit_are_all_named() {
    let ruleset = bundled();
    let wrong = Options::from([
        ("mdoe".to_owned(), word("partnership")),
        ("min_cuts".to_owned(), OptionValue::Number(9)),
        ("play_on".to_owned(), word("sometimes")),
    ]);
    let problems = ruleset.table(&wrong, None).unwrap_err();
    let told: Vec<_> = problems.iter().map(|problem| (problem.code, problem.field.as_str())).collect();
    assert_eq!(told, [("unknown-option", "mdoe"), ("bad-option-value", "min_cuts"), ("bad-option-value", "play_on")]);
    assert_eq!(problems[0].help.as_ref().map(ToString::to_string).as_deref(), Some("did you mean `mode`?"));
    let seats = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        ruleset.table(&Options::new(), Some(&names)).map(|_| ()).map_err(|problems| problems[0].code)
    };
    assert_eq!(seats(&["red", "black"]), Err("seats-not-playable"));
    assert_eq!(seats(&["red", "red", "yellow"]), Err("seats-not-playable"));
    assert_eq!(seats(&["red", "yelow"]), Err("unknown-seat"));
    assert_eq!(seats(&["yellow", "red"]), Ok(()));
}

#[test]
fn who_begins_and_how_long_it_may_last() {
    let first = |how: &str| table(&bundled(), &[("first_player", word(how))], None).seating.first;
    assert_eq!(
        [first("red"), first("random"), first("highest")],
        [First::Seat(Seat(0)), First::Random, First::Highest]
    );
    let rules = table(&bundled(), &[], None);
    assert_eq!(rules.seating.first, First::Seat(Seat(0)));
    assert_eq!(rules.turn.cap, 20_000);
    assert_eq!(rules.finish.ranks, ["winner", "first runner-up", "second runner-up", "loser"]);
    let hidden: Vec<_> = rules.counters.seat.iter().map(|counter| (counter.name.as_str(), counter.hidden)).collect();
    assert_eq!(hidden, [("cuts", false), ("missed", true)]);
}

#[test]
fn number_options_end_where_the_rules_do() {
    let ruleset = bundled();
    for (name, from, to) in
        [("reentry_origin", 0, 1), ("max_on_square", 2, 3), ("min_cuts", 0, 8), ("miss_turns", 0, 4)]
    {
        let lays = |value: i64| {
            let options = Options::from([(name.to_owned(), OptionValue::Number(value))]);
            ruleset.table(&options, None).is_ok()
        };
        assert_eq!([from - 1, from, to, to + 1].map(lays), [false, true, true, false], "{name}");
    }
}

#[test]
fn seats_for_two_go_with_the_options() {
    let ruleset = bundled();
    let sits = |options: &[(&str, &str)], seats: [&str; 2]| {
        let options: Options = options.iter().map(|(name, value)| ((*name).to_owned(), word(value))).collect();
        ruleset.table(&options, Some(&seats.map(str::to_owned))).is_ok()
    };
    let (opposite, neighbours) = (["red", "yellow"], ["red", "black"]);
    assert_eq!([opposite, neighbours].map(|seats| sits(&[], seats)), [true, false]);
    let beside = [("two_player_seats", "neighbours")];
    assert_eq!([opposite, neighbours].map(|seats| sits(&beside, seats)), [false, true]);
    let teams = [("mode", "partnership")];
    assert_eq!([opposite, neighbours].map(|seats| sits(&teams, seats)), [false, false]);
}

#[test]
fn the_first_moves_are_as_many_as_counted_elsewhere() {
    let rules = table(&bundled(), &[], None);
    assert_eq!(perft(&rules, &rules.opening(Seat(0)), 2), 6345);
    let rules = table(&bundled(), &[], Some(&["red", "yellow"]));
    assert_eq!(perft(&rules, &rules.opening(Seat(0)), 2), 6345);
}

#[test]
fn chopat_is_laid_as_its_options_say() {
    let ruleset = set("chopat");
    let first = |how: &str| table(&ruleset, &[("first_player", word(how))], None).seating.first;
    assert_eq!(
        [first("black"), first("random"), first("highest")],
        [First::Seat(Seat(0)), First::Random, First::Highest]
    );
    assert_eq!(table(&ruleset, &[], Some(&["red", "green"])).seating.first, First::Seat(Seat(1)), "black is not there");
    let rules = table(&ruleset, &[], None);
    assert_eq!((rules.seating.first, rules.seating.players.len()), (First::Seat(Seat(0)), 4));
    let shown = |counters: &[Counter]| {
        counters.iter().filter(|counter| !counter.hidden).map(|counter| counter.name.clone()).collect::<Vec<_>>()
    };
    let seat = ["kajalvun", "lifted", "ool", "missed_turns", "first_throw_done"];
    assert_eq!((shown(&rules.counters.seat), shown(&rules.counters.game)), (seat.map(str::to_owned).to_vec(), vec![]));
    let sits = |mode: &str, seats: &[&str]| {
        let seats: Vec<String> = seats.iter().map(|seat| (*seat).to_owned()).collect();
        ruleset.table(&Options::from([("mode".to_owned(), word(mode))]), Some(&seats)).is_ok()
    };
    let tables: [&[&str]; 4] =
        [&["black", "yellow"], &["red", "green"], &["black", "red", "yellow", "green"], &["black", "red"]];
    assert_eq!(tables.map(|seats| sits("individual", seats)), [true, true, true, false]);
    assert_eq!(tables.map(|seats| sits("partnership", seats)), [false, false, true, false]);
    assert_eq!(tables.map(|seats| sits("duel", seats)), [true, true, false, false]);
    assert_eq!(table(&ruleset, &[("mode", word("duel"))], None).seating.players.as_slice(), [Seat(0), Seat(2)]);
    for (name, from, to) in [
        ("max_throws", 0, 20),
        ("max_on_square", 2, 3),
        ("reentry_origin", 0, 1),
        ("min_cuts", 0, 4),
        ("miss_turns", 1, 4),
    ] {
        let lays = |value: i64| {
            let options = Options::from([(name.to_owned(), OptionValue::Number(value))]);
            ruleset.table(&options, None).is_ok()
        };
        assert_eq!([from - 1, from, to, to + 1].map(lays), [false, true, true, false], "{name}");
    }
}

#[test]
fn options_that_a_text_holds_are_read_as_the_rule_set_declares_them() {
    let text = "rules: answers\nversion: 1.0.0\ntitle: Answers\nextends: pagade\nsources: [A village]\noptions:\n\
        \x20 pace: {one_of: [slow, fast], default: slow, text: A word}\n\
        \x20 sure: {yes_no: no, text: A truth value}\n\
        \x20 count: {from: 0, to: 9, default: 0, text: A number}\n";
    let source = Source { name: "answers.yaml".to_owned(), text: text.to_owned() };
    let checked = RuleSet::check(&source, &Sets);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems));
    let typed = |name: &str, text: &str| set.typed(&Options::from([(name.to_owned(), word(text))]))[name].clone();
    assert_eq!(typed("pace", "fast"), word("fast"));
    assert_eq!(typed("sure", "yes"), OptionValue::Truth(true));
    assert_eq!(typed("sure", "false"), OptionValue::Truth(false));
    assert_eq!(typed("count", "7"), OptionValue::Number(7));
    assert_eq!(typed("count", "many"), word("many"), "the table refuses it");
    assert_eq!(typed("unknown", "yes"), word("yes"), "the table refuses it");
}
