//! Checks that the bounds of the language are the same in the check, in the JSON Schema and in the reference.

use pagade_rules::bundled::Bundled;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::schema::schema;
use pagade_rules::source::Source;
use serde_json::Value;

const REFERENCE: &str = include_str!("../../README.md");

/// A bound of the language: for a number of lines or items, or for a value.
struct Bound {
    /// The row in the table of limits of the reference, and a text in this row.
    row: &'static str,
    phrase: &'static str,
    /// The JSON pointer to the bound in the JSON Schema.
    pointer: &'static str,
    most: usize,
    /// Makes the text of a variant. Its lines and the lines of the file that it extends are together this many.
    text: fn(usize) -> String,
    /// The problem code that the check gives for one line or item too many.
    code: &'static str,
}

/// Writes `count` items of a YAML list. `item` writes an item from its number.
fn repeat(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

fn bound(row: &'static str, phrase: &'static str, pointer: &'static str, most: usize, code: &'static str) -> Bound {
    Bound { row, phrase, pointer, most, text: |_| String::new(), code }
}

impl Bound {
    fn written(self, text: fn(usize) -> String) -> Bound {
        Bound { text, ..self }
    }
}

const SMALL_TABLES: &str = "`must`, `choices`, `players`, `path`, `tags`";
const SPEND: &str = "`spend`; ways to spend: each `move` with each `with` of a line";
const BOARD: &str = "the board";
const THROW: &str = "a throw";
const COUNTERS: &str = "counters of seats, of the game; marks";
const LINES: &str = "too-many-lines";
const ITEMS: &str = "too-many-items";

fn bounds() -> Vec<Bound> {
    vec![
        bound(SPEND, "64 lines", "/properties/spend/maxItems", 64, LINES).written(|count| {
            let line = |id| format!("{{id: x{id}, move: pawn, from: loop, with: bonus}}");
            format!("spend: [{}]\n", repeat(count - 5, line))
        }),
        bound(SMALL_TABLES, "32 lines each", "/properties/must/maxItems", 32, LINES)
            .written(|count| format!("must: [{}]\n", repeat(count - 1, |id| format!("{{id: x{id}, actions: die}}")))),
        bound(SMALL_TABLES, "32 lines each", "/properties/choices/maxItems", 32, LINES).written(|count| {
            let line = |id| format!("{{id: x{id}, ask: before_throw, do: []}}");
            format!("choices: [{}]\n", repeat(count, line))
        }),
        bound(SMALL_TABLES, "32 lines each", "/properties/players/maxItems", 32, LINES)
            .written(|count| format!("players: [{}]\n", repeat(count, |_| "{any: 2}".into()))),
        bound(SMALL_TABLES, "32 lines each", "/$defs/the-board/properties/tags/maxItems", 32, LINES).written(|count| {
            let line = |id| format!("{{tag: x{id}, squares: 12, for: owner}}");
            format!("board: {{tags: [{}]}}\n", repeat(count, line))
        }),
        bound("`landing`, `passing`", "64 lines each", "/properties/passing/maxItems", 64, LINES).written(|count| {
            let line = |id| format!("{{id: x{id}, over: enemy, then: pass}}");
            format!("passing: [{}]\n", repeat(count - 1, line))
        }),
        bound("`on`; `numbers`", "128 lines", "/properties/on/maxItems", 128, LINES).written(|count| {
            let line = |id| format!("{{id: x{id}, event: throw, do: []}}");
            format!("on: [{}]\n", repeat(count - 5, line))
        }),
        bound("`on`; `numbers`", "200 lines", "/properties/numbers/maxItems", 200, LINES)
            .written(|count| format!("numbers: [{}]\n", repeat(count, |id| format!("{{id: x{id}, numbers: []}}")))),
        bound("effects of a line", "16 |", "/$defs/a-line-of-on/properties/do/anyOf/1/maxItems", 16, ITEMS).written(
            |count| format!("on: [{{id: x, event: throw, do: [{}]}}]\n", repeat(count, |_| "throw again".into())),
        ),
        bound("options; words of one", "64; 16", "/$defs/an-option/properties/one_of/anyOf/1/maxItems", 16, ITEMS)
            .written(|count| {
                let words = repeat(count, |id| format!("w{id}"));
                format!("options: {{x: {{one_of: [{words}], default: w0, text: X}}}}\n")
            }),
        bound(COUNTERS, "8, 8; 8", "/$defs/the-counters/properties/game/maxProperties", 8, LINES).written(|count| {
            format!("counters: {{game: {{{}}}}}\n", repeat(count, |id| format!("x{id}: {{truth: yes}}")))
        }),
        bound(COUNTERS, "8, 8; 8", "/$defs/the-counters/properties/pawn/maxProperties", 8, LINES).written(|count| {
            format!("counters: {{pawn: {{{}}}}}\n", repeat(count, |id| format!("x{id}: {{truth: yes}}")))
        }),
        bound("terms", "64 |", "/properties/terms/maxProperties", 64, LINES)
            .written(|count| format!("terms: {{{}}}\n", repeat(count, |id| format!("x{id}: 1 < 2")))),
        bound(BOARD, "8 seats", "/$defs/the-board/properties/seats/maxItems", 8, ITEMS)
            .written(|count| format!("board: {{seats: [{}]}}\n", repeat(count, |id| format!("s{id}")))),
        bound(BOARD, "16 pawns each", "/$defs/the-pawns/properties/each/maximum", 16, "out-of-range")
            .written(|each| format!("pawns: {{each: {each}}}\n")),
        bound("the arms of a board", "8,", "/$defs/the-board/properties/arms/maximum", 8, "out-of-range")
            .written(|arms| format!("board: {{grid: 3 x 60, arms: {arms}}}\n")),
        bound(THROW, "4 dice", "/$defs/the-dice/properties/count/maximum", 4, "out-of-range")
            .written(|count| format!("dice: {{count: {count}}}\n")),
        bound(THROW, "16 lots", "/$defs/the-dice/properties/lots/maximum", 16, "out-of-range")
            .written(|lots| format!("dice: {{lots: {lots}, values: [{}]}}\n", repeat(lots + 1, |id| id.to_string()))),
        bound(THROW, "20 faces", "/$defs/the-dice/properties/faces/anyOf/1/maxItems", 20, ITEMS)
            .written(|count| format!("dice: {{faces: [{}]}}\n", repeat(count, |id| id.to_string()))),
        bound(THROW, "each from 0 to 32", "/$defs/the-dice/properties/faces/anyOf/0/maximum", 32, "out-of-range")
            .written(|face| format!("dice: {{faces: [1, {face}]}}\n")),
        bound(THROW, "4 numbers", "/$defs/a-line-of-numbers/properties/numbers/anyOf/1/maxItems", 4, ITEMS)
            .written(|count| format!("numbers: [{{id: x, numbers: [{}]}}]\n", repeat(count, |_| "1".into()))),
        bound(
            THROW,
            "`exactly` up to 60",
            "/$defs/a-line-of-spend/properties/exactly/anyOf/0/maximum",
            60,
            "out-of-range",
        )
        .written(|number| {
            format!("spend: [{{id: x, move: pawn, from: loop, with: die, exactly: {number}, to: 12}}]\n")
        }),
        bound("a game", "1000000 turns", "/$defs/the-turn/properties/turn_cap/maximum", 1_000_000, "out-of-range")
            .written(|turns| format!("turn: {{turn_cap: {turns}}}\n")),
        bound("numbers", "from -30000 to 30000", "/$defs/a-counter/properties/to/maximum", 30_000, "out-of-range")
            .written(|to| format!("counters: {{seat: {{x: {{from: 0, to: {to}}}}}}}\n")),
        bound("a text; the text of a name", "2000 characters", "/properties/about/maxLength", 2000, "text-too-long")
            .written(|length| format!("about: {}\n", "x".repeat(length))),
    ]
}

/// The problem codes of a variant of a bundled rule set. `text` is the variant without its head.
fn errors(text: &str) -> Vec<&'static str> {
    let text = format!("rules: x\nversion: 1.0.0\ntitle: X\nextends: pagade\n{text}");
    let checked = RuleSet::check(&Source { name: "x.yaml".into(), text }, &Bundled);
    checked.problems.iter().map(|problem| problem.code).collect()
}

/// Finds the limits in a row of the table in the reference.
fn limit(row: &str) -> &'static str {
    let head = format!("| {row} | ");
    let (_, limits) = REFERENCE.split_once("\n## Limits\n").expect("the reference has its limits");
    let line = limits.lines().find_map(|line| line.strip_prefix(&head));
    line.unwrap_or_else(|| panic!("no limit of `{row}`"))
}

#[test]
fn check_schema_and_reference_have_the_same_bounds() {
    let schema = schema();
    // The codes of all bounds. A text at the bound itself must have none of them.
    let codes = ["too-many", LINES, ITEMS, "too-few-items", "out-of-range", "text-too-long", "bad-grid"];
    for Bound { row, phrase, pointer, most, text, code } in bounds() {
        assert!(limit(row).contains(phrase), "{row}: {phrase}");
        assert_eq!(schema.pointer(pointer).and_then(Value::as_u64), Some(most as u64), "{pointer}");
        let inside: Vec<_> = errors(&text(most)).into_iter().filter(|code| codes.contains(code)).collect();
        assert!(inside.is_empty(), "{pointer}: {inside:?}");
        let outside = errors(&text(most + 1));
        assert!(outside.contains(&code), "{pointer}: {outside:?}");
    }
}

#[test]
fn a_grid_is_bounded_alike_in_check_schema_and_reference() {
    let bad = |grid: &str| errors(&format!("board: {{grid: {grid}}}\n")).contains(&"bad-grid");
    assert_eq!(["60 x 60", "61 x 61", "64 x 64", "0 x 5", "99 x 99"].map(bad), [false, true, true, true, true]);
    assert!(limit("the board").starts_with("60 x 60,"));
    let schema = schema();
    let pattern = schema.pointer("/$defs/the-board/properties/grid/pattern").and_then(Value::as_str);
    assert_eq!(pattern, Some("^(0?[1-9]|[1-5][0-9]|6[0-0]) x (0?[1-9]|[1-5][0-9]|6[0-0])$"));
}

#[test]
fn the_reference_calls_required_what_the_schema_requires() {
    let schema = schema();
    let mut compared = 0;
    let mut definition = None;
    for line in REFERENCE.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let name = match heading {
                "options" => "an-option",
                "board" => "the-board",
                "pawns" => "the-pawns",
                "turn" => "the-turn",
                "spend" => "a-line-of-spend",
                "finish" => "the-finish",
                _ => "",
            };
            definition = schema["$defs"].get(name);
        }
        let (Some(definition), Some(item)) = (definition, line.strip_prefix("- `")) else { continue };
        let Some((keys, said)) = item.split_once([':', '(']) else { continue };
        for key in keys.split('`').step_by(2).filter(|key| definition["properties"][*key].is_object()) {
            let required = definition["required"].as_array().is_some_and(|keys| keys.iter().any(|known| known == key));
            assert_eq!(said.starts_with("required"), required, "{key}");
            compared += 1;
        }
    }
    assert!(compared > 35, "{compared}");
}
