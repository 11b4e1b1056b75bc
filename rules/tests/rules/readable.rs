//! Checks that people can read the bundled rule sets beside the printed rules: no line is too wide, and the sections
//! come in a fixed order.

use pagade_rules::bundled::SETS;

/// Maximum number of characters of a line.
const WIDEST: usize = 120;

#[test]
fn no_line_of_a_bundled_set_is_wider_than_a_page() {
    let mut wide = Vec::new();
    for (id, text) in SETS {
        let lines = text.lines().enumerate().filter(|(_, line)| line.chars().count() > WIDEST);
        wide.extend(lines.map(|(index, line)| format!("{id}, line {}: {} columns", index + 1, line.chars().count())));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn the_games_begin_with_the_board_and_end_with_the_options() {
    for (id, text) in SETS.iter().filter(|(_, text)| !text.contains("\nextends:")) {
        let section = |name: &str| text.lines().position(|line| line.split(':').next() == Some(name));
        let (board, spend, options) = (section("board"), section("spend"), section("options"));
        assert!(board.is_some() && board < spend, "{id}: the board comes before the moves");
        assert!(options.is_none_or(|options| Some(options) > section("finish")), "{id}: the options come last");
    }
}
