//! The board as a picture.

mod common;

use common::{play_at_random, table};
use pagade_rules::picture::svg;

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
