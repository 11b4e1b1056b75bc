//! Tests reading: a file without errors becomes a document with the span of every value.

use pagade_rules::document::{Binary, Node, OptionKind, Setting};
use pagade_rules::read::{Reading, read};
use pagade_rules::ruleset::{RuleFiles, RuleSet};
use pagade_rules::source::{Source, Span};

/// Finds the rule sets in the folder `sets` by id.
struct Sets;

impl RuleFiles for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let path = format!("{}/sets/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).ok()?;
        let name = format!("sets/{name}.yaml");
        Some(Source { name, text })
    }
}

fn variant(text: &str) -> Source {
    Source { name: "variant.yaml".into(), text: text.into() }
}

fn problems(reading: Reading) -> Vec<String> {
    let (_, problems) = reading.report.finish();
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn the_first_rule_set_reads_without_a_problem() {
    let reading = read(&Sets.find("pagade").unwrap(), &Sets);
    let document = reading.document.clone().expect("it reads");
    assert_eq!(problems(reading), Vec::<String>::new());

    assert_eq!(document.rules.value, "pagade");
    let options = Sets.find("pagade").unwrap().text.matches("text: ").count();
    assert_eq!(document.options.len(), options);
    assert!(matches!(&document.options[0].kind, OptionKind::OneOf { words, .. } if words.len() == 2));
    assert_eq!(document.options[2].clauses, ["PG-23", "S-02"]);
    assert_eq!(document.board.grid.value, (19, 19));
    assert_eq!(document.board.path.len(), 6);
    assert_eq!(document.board.path[1].squares[0].value, ["1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(document.board.pairs_on.len(), 2);
    assert_eq!(document.board.gate.as_ref().unwrap().clauses, ["PG-54", "S-08", "S-10"]);
    assert_eq!(document.pawns.start[0].pawns.len(), 4);
    assert_eq!(document.turn.order.as_ref().unwrap().value, Setting::Option("turn_order".into()));
    let by_pair = document.landing.iter().find(|line| line.id.value == "pair-by-pair").unwrap();
    assert_eq!(by_pair.clauses, ["PG-47"]);
    let missed = document.on.iter().find(|line| line.id.value == "miss").unwrap();
    assert_eq!(missed.effects.len(), 2);
    assert_eq!(document.finish.clauses, ["PG-57", "PG-61", "PG-62", "S-05"]);
    let whats: Vec<_> =
        document.other_clauses.iter().map(|(clauses, _, what)| (what.as_str(), clauses.len())).collect();
    assert!(whats.contains(&("board.seats", 2)), "{whats:?}");
    assert!(whats.contains(&("passing", 1)), "{whats:?}");
}

#[test]
fn places_inside_expressions_are_exact() {
    let source = Sets.find("pagade").unwrap();
    let document = read(&source, &Sets).document.unwrap();
    let joint = document.spend.iter().find(|line| line.id.value == "joint").unwrap();
    let steps = joint.steps.as_ref().unwrap();
    let line = source.text.lines().nth(steps.span.line as usize - 1).unwrap();
    let (begins, then_begins) = (line.find("if pair").unwrap() + 1, line.find(" then").unwrap() + 1);
    assert_eq!(steps.span.column as usize, begins);
    let Node::If(condition, then, _) = &steps.node else {
        panic!("{steps:?}");
    };
    assert_eq!(condition.span.column as usize, begins + 3);
    assert_eq!((condition.span.column + condition.span.width) as usize, then_begins);
    assert!(matches!(then.node, Node::Binary(Binary::Mul, ..)));
}

/// The characters of a text that lie in a span.
fn source_text(span: &Span, text: &'static str) -> &'static str {
    let line = text.lines().nth(span.line as usize - 1).unwrap();
    &line[span.column as usize - 1..][..span.width as usize]
}

#[test]
fn a_variant_says_only_what_differs() {
    let text = "rules: long\nversion: 2.0.0\ntitle: Long\nextends: pagade\nremove: [landing.partner, options.play_on]\n\
        options:\n  min_cuts: {default: 2}\npawns: {each: 2, start: [6, 7]}\nlanding:\n\
        \x20 - {id: single, on: enemy single, then: cut}   # V-1\n\
        \x20 - {id: early, on: pawn, then: refuse, before: belly}\nfinish: {play_on: no}\n";
    let base = read(&Sets.find("pagade").unwrap(), &Sets).document.unwrap();
    let reading = read(&variant(text), &Sets);
    let document = reading.document.clone().expect("it reads");
    assert_eq!(problems(reading), Vec::<String>::new());
    assert_eq!(document.title.value, "Long");
    assert_eq!(document.extends.unwrap().value, "pagade");
    assert_eq!(document.options.len(), base.options.len() - 1);
    let ids: Vec<_> = document.landing.iter().map(|line| line.id.value.as_str()).collect();
    assert_eq!(ids[..2], ["early", "belly"]);
    assert_eq!(ids.len(), base.landing.len(), "one more, one less");
    let single = document.landing.iter().find(|line| line.id.value == "single").unwrap();
    assert_eq!(source_text(&single.on.span, text), "enemy single");
    assert_eq!((single.span.file, single.clauses.as_slice()), (0, &["V-1".to_owned()][..]));
    assert_eq!(document.landing[1].span.file, 1);
}

#[test]
fn flattened_text_reads_as_the_same_rules() {
    let once = read(&Sets.find("pagade").unwrap(), &Sets).flattened;
    let again = read(&variant(&once), &Sets);
    assert_eq!(again.flattened, once);
    assert_eq!(problems(again), Vec::<String>::new());
}

#[test]
fn the_digest_does_not_depend_on_comments_and_spacing() {
    let source = Sets.find("pagade").unwrap();
    let digest = |text: String| {
        let checked = RuleSet::check(&variant(&text), &Sets);
        checked.ruleset.map(|set| set.digest().to_owned())
    };
    let plain = digest(source.text.clone());
    assert_eq!(plain.as_ref().map(String::len), Some(64));
    assert_eq!(digest(source.text.replace("      #", " #")), plain);
    assert_ne!(digest(source.text.replace("turn_cap: 20000", "turn_cap: 2000")), plain);
}

#[test]
fn a_variant_takes_parts_away_and_begins_new_tables() {
    let text = "rules: short\nversion: 1.0.0\ntitle: Short\nextends: pagade\nremove: [board.gate, board.path.return]\n\
        board:\n  tags:\n    - {tag: safe, squares: 8, for: owner}\n    - {tag: first, squares: 9, for: owner, before: safe}\n\
        dice: {lots: 2, values: [4, 1, 2]}\n";
    let reading = read(&variant(text), &Sets);
    let document = reading.document.clone().expect("it reads");
    assert!(!reading.flattened.contains("before:"), "{}", reading.flattened);
    assert_eq!(problems(reading), Vec::<String>::new());
    assert!(document.board.gate.is_none());
    assert_eq!(document.board.path.len(), 5);
    let tags: Vec<_> = document.board.tags.iter().map(|tag| tag.id.value.as_str()).collect();
    assert_eq!(tags, ["first", "safe"]);
    assert!(matches!(document.dice, pagade_rules::document::DiceSection::Lots { .. }));
}
