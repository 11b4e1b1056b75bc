//! Checks that no text makes the reader panic, hang, or report a span outside of the file.

use pagade_rules::ruleset::{RuleFiles, RuleSet};
use pagade_rules::schema::schema;
use pagade_rules::source::Source;
use proptest::prelude::*;

const GOOD: &str = include_str!("../../sets/pagade.yaml");

/// A library that returns the same file without errors for any name.
struct Good;

impl RuleFiles for Good {
    fn find(&self, name: &str) -> Option<Source> {
        Some(Source { name: format!("{name}.yaml"), text: GOOD.to_owned() })
    }
}

/// Checks a text, and that the span of every problem lies in its file.
fn check(text: String) {
    let lines = text.lines().count();
    let source = Source { name: "try.yaml".into(), text };
    let checked = RuleSet::check(&source, &Good);
    for problem in &checked.problems {
        let _ = problem.to_string();
        if problem.span.file == 0 {
            let line = problem.span.line as usize;
            assert!((1..=lines + 1).contains(&line), "{problem}");
        }
        assert!(problem.span.column >= 1 && problem.span.width >= 1, "{problem:?}");
    }
}

fn near(text: &str, index: usize) -> usize {
    let mut index = index % (text.len() + 1);
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_text_is_refused_politely(text in "\\PC{0,200}|[a-z:\\[\\]{}&*!|>'\"#,\\n\\t -]{0,200}") {
        check(text);
    }

    #[test]
    fn a_good_file_with_one_piece_changed_is_read_or_refused(
        at in any::<usize>(),
        length in 0_usize..40,
        piece in "[a-z0-9:\\[\\]{}&*!|>'\"#,.$=() \\n\\t-]{0,8}|\\PC{0,4}",
    ) {
        let start = near(GOOD, at);
        let end = near(GOOD, (start + length).min(GOOD.len())).max(start);
        check(format!("{}{piece}{}", &GOOD[..start], &GOOD[end..]));
    }

    #[test]
    fn a_good_file_with_two_lines_swapped_is_read_or_refused(one in any::<usize>(), two in any::<usize>()) {
        let mut lines: Vec<_> = GOOD.lines().collect();
        let (one, two) = (one % lines.len(), two % lines.len());
        lines.swap(one, two);
        check(lines.join("\n"));
    }

    #[test]
    fn any_variant_is_read_or_refused(body in "[a-z0-9:{}, \\n-]{0,120}") {
        check(format!("rules: v\nversion: 1.0.0\ntitle: V\nextends: base\n{body}"));
    }
}

#[test]
fn line_ends_of_other_systems_change_nothing() {
    let digest = |text: String| {
        let name = "try.yaml".to_owned();
        let checked = RuleSet::check(&Source { name, text }, &Good);
        checked.ruleset.map(|set| set.digest().to_owned())
    };
    let plain = digest(GOOD.to_owned());
    assert!(plain.is_some());
    assert_eq!(digest(GOOD.replace('\n', "\r\n")), plain);
    assert_eq!(digest(format!("\u{feff}{GOOD}")), plain);
}

/// Editors read the file `language.schema.json`. `REWRITE=1 cargo test -p pagade-rules --test rules robust` writes it
/// anew.
#[test]
fn the_written_schema_is_the_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/language.schema.json");
    let schema = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("REWRITE").is_some() {
        std::fs::write(path, &schema).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), schema);
}

#[test]
fn the_schema_describes_every_section_of_a_good_file() {
    let schema = schema();
    let properties = schema["properties"].as_object().unwrap();
    for line in GOOD.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase())) {
        let key = line.split(':').next().unwrap();
        assert!(properties[key]["description"].is_string(), "{key}");
    }
    let definitions = schema["$defs"].as_object().unwrap();
    let text = schema.to_string();
    for part in text.split("#/$defs/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(definitions.contains_key(name), "{name}");
    }
}
