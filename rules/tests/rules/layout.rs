//! Tests the description of the board: its squares, its steps, and the tables that can be played.

use std::collections::BTreeSet;

use pagade_rules::bundled::Bundled;
use pagade_rules::layout::GateState;
use pagade_rules::picture::svg;
use pagade_rules::play::PathPlace;
use pagade_rules::ruleset::{OptionValue, Options, RuleSet};
use pagade_rules::source::Source;

use crate::common::sets::ids;
use crate::common::{rule_set, table};

#[test]
fn every_square_of_every_set_has_a_name_of_its_own_and_every_path_leads_home() {
    for id in ids() {
        let engine = table(id, None);
        let names = engine.squares().map(|square| engine.square_name(square).to_string()).collect::<BTreeSet<_>>();
        assert_eq!(names.len(), usize::from(engine.board.squares), "{id}");
        let steps = engine.path_steps();
        let mut reached = BTreeSet::from([PathPlace::OUT]);
        loop {
            let next = steps.iter().filter(|step| reached.contains(&step.from)).map(|step| step.to);
            let next = next.chain(engine.pawns.start.into_iter().flatten()).collect::<Vec<_>>();
            let before = reached.len();
            reached.extend(next);
            if reached.len() == before {
                break;
            }
        }
        assert!(reached.contains(&engine.board.home()), "{id}: nobody comes home");
    }
}

#[test]
fn a_gate_makes_two_steps_of_one() {
    let engine = table("pagade", None);
    let steps = engine.path_steps().into_iter().filter(|step| step.gate.is_some());
    let label = |place| engine.label(place).to_owned();
    let steps = steps.map(|step| (label(step.from), label(step.to), step.gate.unwrap())).collect::<Vec<_>>();
    let gate = engine.board.gate_at;
    assert_eq!(steps.len(), 2, "{steps:?}");
    assert!(steps.iter().all(|(from, ..)| *from == label(gate)), "{steps:?}");
    assert_eq!((steps[0].2, steps[1].2), (GateState::Open, GateState::Closed));
    assert_ne!(steps[0].1, steps[1].1);
}

#[test]
fn pawns_enter_where_a_line_or_an_effect_puts_them() {
    let entries = |id: &str| {
        let engine = table(id, None);
        let steps = engine.path_steps().into_iter().filter(|step| step.from == PathPlace::OUT);
        steps.map(|step| engine.label(step.to).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(entries("royal-game-of-ur"), ["1"], "pawns walk onto the board");
    for id in ["parchesi-us", "ludo", "parchis-es"] {
        assert_eq!(entries(id).len(), 1, "{id}");
    }
}

#[test]
fn all_tables_that_are_listed_can_be_played_and_no_other() {
    for id in ids() {
        let set = rule_set(id).unwrap();
        let seats = set.document().board.seats.iter().map(|seat| seat.value.clone()).collect::<Vec<_>>();
        let listed = set.playable_tables(&Options::new()).unwrap();
        for chosen in 1u16..1 << seats.len() {
            let players = (0..seats.len()).filter(|seat| chosen >> seat & 1 == 1).map(|seat| seats[seat].clone());
            let players = players.collect::<Vec<_>>();
            let engine = set.table(&Options::new(), Some(&players));
            let found = listed.iter().filter(|table| table.players == players).collect::<Vec<_>>();
            assert_eq!(found.len(), usize::from(engine.is_ok()), "{id}: {players:?}");
            if let (Ok(engine), [found]) = (engine, &found[..]) {
                assert_eq!(
                    found.teams.len(),
                    if engine.seating.teams { players.len() / 2 } else { 0 },
                    "{id}: {players:?}"
                );
            }
        }
        let full = set.table(&Options::new(), None).unwrap();
        let players = full.seating.players.iter().map(|seat| full.seat_name(*seat)).collect::<Vec<_>>();
        assert_eq!(listed.last().unwrap().players, players, "{id}: the full table is the last");
    }
    let unknown = Options::from([("colour".to_owned(), OptionValue::Truth(true))]);
    assert_eq!(rule_set("pagade").unwrap().playable_tables(&unknown).unwrap_err()[0].code, "unknown-option");
}

#[test]
fn the_picture_names_every_square_and_pawn_once() {
    for id in ids() {
        let engine = table(id, None);
        let mut state = engine.opening(engine.first_seat());
        state.at[engine.seating.players[0].index()][0] = engine.board.home();
        let picture = svg(&engine, Some(&state), None);
        let named = picture.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>();
        assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len(), "{id}: an id is there twice");
        let squares = engine.squares().map(|square| engine.square_name(square));
        for square in squares {
            assert!(picture.contains(&format!(r#"data-square="{square}""#)), "{id}: {square}");
        }
        for seat in &engine.seating.players {
            for number in 1..=engine.pawns.count {
                let pawn = format!("{}-{number}", engine.seat_name(*seat));
                assert!(named.contains(&&*format!("pawn-{pawn}")), "{id}: {pawn}");
                assert!(picture.contains(&format!(r#"data-pawn="{pawn}""#)), "{id}: {pawn}");
            }
        }
    }
}

#[test]
fn a_board_with_arms_is_drawn_round_its_middle() {
    let text = "rules: star\nversion: 1.0.0\ntitle: Star\nextends: ludo\nsources: [Tests]\n\
        players: [{any: 2}, {seats: [a, b, c, d, e, f, g, h]}]\nboard:\n  grid: 3 x 6\n  arms: 8\n  \
        seats: [a, b, c, d, e, f, g, h]\n  path:\n    - {zone: loop, squares: 1..103, walk: \"from 0,4 N4";
    let text = format!("{text}{} W1 S5 W1\"}}\n  gate: {{after: 103}}\n", " W1 S5 W2 N5".repeat(7));
    let checked = RuleSet::check(&Source { name: "star.yaml".into(), text }, &Bundled);
    let set = checked.ruleset.unwrap_or_else(|| panic!("{:#?}", checked.problems));
    let tables = set.playable_tables(&Options::new()).unwrap();
    assert_eq!(tables.len(), 8 * 7 / 2 + 1, "every two seats, and all");
    let engine = set.table(&Options::new(), None).unwrap();
    assert_eq!((engine.board.squares, engine.seating.players.len()), (8 * 18, 8));
    let (width, height) = engine.board.grid.size();
    assert_eq!(width, height);
    let middle = engine.middle().unwrap();
    assert!((middle.x + middle.columns / 2.0 - width / 2.0).abs() < 0.01, "{middle:?}");
    let squares = engine.squares().map(|square| engine.drawn(square)).collect::<Vec<_>>();
    for (index, one) in squares.iter().enumerate() {
        assert!(one.turn == 0.0 || one.turn.abs() == 45.0, "{one:?}");
        let nearest = squares[..index].iter().map(|other| (one.x - other.x).hypot(one.y - other.y));
        assert!(nearest.into_iter().all(|distance| distance > 0.99), "{one:?} overlaps");
    }
    let picture = svg(&engine, Some(&engine.opening(engine.first_seat())), None);
    assert!(picture.contains("rotate(45 ") && picture.contains("8 arms of 3 by 6"));
}

#[test]
fn a_seat_that_is_named_like_a_colour_is_painted_so() {
    let paints = |seats: [&str; 2], paints: &str| {
        let text = include_str!("../semantics/sets/run-over.yaml").replacen(
            "seats: [south, north]",
            &format!("seats: [south, north]{paints}"),
            1,
        );
        let text = text.replace("south", seats[0]).replace("north", seats[1]);
        let checked = RuleSet::check(&Source { name: "run-over.yaml".into(), text }, &Bundled);
        let set = checked.ruleset.unwrap_or_else(|| panic!("{:#?}", checked.problems));
        let engine = set.table(&Options::new(), None).unwrap();
        engine.seating.seats.iter().map(|seat| seat.paint.clone()).collect::<Vec<_>>()
    };
    assert_eq!(paints(["green", "gold"], ""), ["#1e8449", "#d4ac0d"]);
    assert_eq!(paints(["hill", "red"], ""), ["#1f618d", "#b03a2e"], "the other has the first colour that is left");
    assert_eq!(paints(["red", "blue"], "\n  paints: [black, pink]"), ["black", "pink"]);
}
