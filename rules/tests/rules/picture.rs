//! Tests the picture of the board.

use pagade_rules::picture::svg;
use pagade_rules::ruleset::{OptionValue, Options};
use pagade_rules::units::PawnIndex;

use crate::common::{play_at_random, rule_set, table};

#[test]
fn the_board_has_every_label_of_the_seat_and_a_description() {
    let rules = table("pagade", None);
    let picture = svg(&rules, None, None);
    for label in ["12", "75", "8r", "h1", "home"] {
        assert!(picture.contains(&format!(">{label}<")), "{label}");
    }
    assert!(picture.contains(r#"role="img""#) && picture.contains("<title") && picture.contains("<desc"));
    assert_eq!(picture.matches("<rect").count(), picture.matches("</rect>").count());
}

/// `REWRITE=1 cargo test -p pagade-rules --test rules picture` writes a new picture.
#[test]
fn the_picture_of_the_readme_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sets/pagade.svg");
    let rules = table("pagade", None);
    let picture = svg(&rules, Some(&rules.opening(rules.first_seat())), None) + "\n";
    if std::env::var_os("REWRITE").is_some() {
        std::fs::write(path, &picture).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == picture, "the picture is old: run this with REWRITE=1");
}

#[test]
fn every_pawn_is_drawn_once() {
    let rules = table("pagade", None);
    let board = svg(&rules, Some(&rules.opening(rules.first_seat())), None).matches("<circle").count();
    let later = play_at_random(&rules, 0, 3, 400, |_, _| {});
    let picture = svg(&rules, Some(&later), None);
    let (off, home) = (picture.matches("out: ").count(), picture.matches("home: ").count());
    assert_eq!((off, home), (4, 4));
    assert!(picture.matches("<circle").count() >= board);
}

#[test]
fn a_mark_of_a_pawn_is_seen_and_named() {
    let rules = table("chopat", None);
    let mut state = rules.opening(rules.first_seat());
    let seat = rules.seating.players[0];
    assert!(!svg(&rules, Some(&state), None).contains("<title>"));
    let bit = rules.counters.marks.iter().position(|mark| mark.name == "returned").unwrap();
    state.marks[seat.index()][1] = 1 << bit;
    assert_eq!(rules.marks_shown(&state, seat, PawnIndex::new(1)), ["returned"]);
    assert!(rules.marks_shown(&state, seat, PawnIndex::FIRST).is_empty());
    assert!(svg(&rules, Some(&state), None).contains("<title>black: returned</title>"));
}

#[test]
fn tags_of_squares_are_in_the_legend_and_short_names_are_not() {
    let picture = svg(&table("chopat", None), None, None);
    assert!(picture.contains(">sthal<") && !picture.contains("lifted_to"), "{picture}");
}

#[test]
fn on_a_small_board_the_heading_and_home_have_room() {
    for id in ["ashta-chamma-5", "chaukabara-7"] {
        let rules = table(id, None);
        let mut state = rules.opening(rules.first_seat());
        state.at[rules.seating.players[0].index()][0] = rules.board.home();
        let picture = svg(&rules, Some(&state), None);
        let heading = picture.split("<text").nth(2).unwrap();
        assert!(heading.contains("turn: "), "what may be long has a line of its own: {heading}");
        let home = picture.split("<text").find(|text| text.contains(">home<")).unwrap();
        assert!(home.contains(r#"font-size="10."#), "{home}");
    }
}

#[test]
fn jumps_are_arrows_and_are_named_in_the_description() {
    assert!(!svg(&table("pagade", None), None, None).contains("jump"));
    let picture = svg(&table("chopat", None), None, None);
    assert_eq!(picture.matches(r#"class="jump""#).count(), 1, "the jump that two lines name is drawn once");
    assert!(picture.contains("Jumps: 12 to 24."), "{picture}");
    let cells = Options::from([("home_cells".to_owned(), OptionValue::Word("four".to_owned()))]);
    let ludo = rule_set("ludo").unwrap().table(&cells, None).unwrap();
    assert_eq!(svg(&ludo, None, None).matches(r#"class="jump""#).count(), 4, "a jump home ends in the middle");
    // The board has eleven flights of four squares, and one long flight that is drawn in two parts.
    let flights = svg(&table("aeroplane-chess", None), None, None);
    assert_eq!(flights.matches(r#"class="jump""#).count(), 13, "a jump that is computed from where pawns stand");
    assert!(flights.contains("2 to 6, 6 to 10"), "{flights}");
}
