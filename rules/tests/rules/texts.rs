//! Texts for people: every name of the bundled rule sets has an English text, and the translations fit these texts.
//!
//! `REWRITE=1 cargo test -p pagade-rules --test rules texts` writes the table of `rules/sets/texts/README.md`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use pagade_rules::bundled::{self, Bundled, SETS, TRANSLATIONS};
use pagade_rules::document::Document;
use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::{Problem, Source};
use pagade_rules::texts::{NamedText, Translation, names, placeholders};

/// The language tags of all bundled translations.
const LANGUAGES: [&str; 7] = ["es", "gu", "hi", "kn", "mr", "pt", "ta"];
fn sets() -> Vec<RuleSet> {
    SETS.iter().map(|(id, _)| bundled::ruleset(id).unwrap()).collect()
}

fn source(text: &str) -> Source {
    Source { name: "t.yaml".to_owned(), text: text.to_owned() }
}

/// Code, line and column of each problem.
fn places(problems: &[Problem]) -> Vec<(&str, u32, u32)> {
    problems.iter().map(|problem| (problem.code, problem.span.line, problem.span.column)).collect()
}

#[test]
fn every_name_of_a_bundled_set_has_an_english_text() {
    for set in sets() {
        let document = set.document();
        assert_eq!(pagade_rules::texts::language(document), "en", "{}", set.id());
        let missing = names(document).into_iter().filter(|name| name.text.is_none()).map(|name| name.path);
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<String>::new(), "{} has names without a text", set.id());
    }
}

#[test]
fn the_bundled_translations_are_sound_and_translate_texts_that_exist() {
    assert_eq!(TRANSLATIONS.iter().map(|(tag, _)| *tag).collect::<Vec<_>>(), LANGUAGES);
    let sets = sets();
    let documents = sets.iter().map(RuleSet::document).collect::<Vec<&Document>>();
    for (tag, text) in TRANSLATIONS {
        let (translation, problems) = Translation::of_rule_sets(&source(text));
        assert_eq!(problems, [], "{tag}");
        let translation = translation.unwrap();
        assert_eq!(translation.language(), *tag);
        assert!(!translation.checked().is_empty(), "{tag} says who has checked it");
        assert_eq!(translation.unused(&documents), [], "{tag}");
    }
}

/// Compares the table in `rules/sets/texts/README.md` with the translations. Every language must have all texts of
/// every rule set.
#[test]
fn the_table_of_translations_is_true() {
    let mut table = format!("| rule set | texts | {} |\n| --- | --- |{}\n", LANGUAGES.join(" | "), " --- |".repeat(7));
    for set in sets() {
        let names = names(set.document());
        write!(table, "| `{}` | {} |", set.id(), names.len()).unwrap();
        for translation in bundled::translations() {
            let missing = translation.missing(&names);
            assert_eq!(missing, Vec::<&NamedText<'_>>::new(), "{} in {}", set.id(), translation.language());
            table.push_str(" all |");
        }
        table.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sets/texts/README.md");
    let page = fs::read_to_string(&path).unwrap();
    let head = page.split("| rule set |").next().unwrap();
    if std::env::var_os("REWRITE").is_some() {
        fs::write(&path, format!("{head}{table}")).unwrap();
        return;
    }
    assert_eq!(page, format!("{head}{table}"), "REWRITE=1 writes the table");
}

#[test]
fn a_translation_names_every_mistake_with_its_place() {
    let text = "translation: kn\nchecked: nobody yet\ntexts:\n  seats:\n    One: \"\\u202Eeno\"\n    Two: ''\n  chairs: {a: b}\n  options:\n    \"{seat} begins\": begins\n    Who: \"{seat}\"\n";
    let (translation, problems) = Translation::of_rule_sets(&source(text));
    assert!(translation.is_none());
    assert_eq!(
        places(&problems),
        [
            ("bad-text", 5, 10),
            ("bad-text", 6, 10),
            ("unknown-key", 7, 3),
            ("bad-placeholder", 9, 22),
            ("bad-placeholder", 10, 10)
        ]
    );
    let (_, problems) =
        Translation::of_rule_sets(&source("translation: kn\nchecked: nobody\ntexts: {chairs: {a: b}}\n"));
    assert_eq!(places(&problems), [("unknown-key", 3, 9)]);
    let long = format!("translation: kn\nchecked: nobody\ntexts: {{seats: {{a: {}}}}}\n", "x".repeat(301));
    assert_eq!(places(&Translation::of_rule_sets(&source(&long)).1)[0].0, "text-too-long");
    let many = (0..600).map(|n| format!("    text {n}: t\n")).collect::<String>();
    let many = format!("translation: kn\nchecked: nobody\ntexts:\n  names:\n{many}");
    assert_eq!(places(&Translation::of_rule_sets(&source(&many)).1)[0].0, "too-many-items");
    let missing = Translation::of_rule_sets(&source("translation: k\n")).1;
    let codes = missing.iter().map(|problem| problem.code).collect::<BTreeSet<_>>();
    assert_eq!(codes, BTreeSet::from(["bad-language", "missing-key"]));
}

#[test]
fn a_translation_is_compared_with_the_texts_of_a_rule_set() {
    let text = "translation: fr\nchecked: a friend\ntexts:\n  seats: {Red: Rouge}\n  values: {Eachfor themselves: Chacun pour soi}\n";
    let (translation, problems) = Translation::of_rule_sets(&source(text));
    assert_eq!(problems, []);
    let translation = translation.unwrap();
    let set = bundled::ruleset("pagade").unwrap();
    let unused = translation.unused(&[set.document()]);
    assert_eq!(places(&unused), [("text-unused", 5, 12)]);
    assert_eq!(unused[0].help.as_deref(), Some("did you mean `Each for themselves`?"));
    let names = names(set.document());
    let missing = translation.missing(&names);
    assert!(
        missing.iter().any(|name| name.path == "seats.black") && missing.iter().all(|name| name.path != "seats.red")
    );
    assert_eq!(translation.get("options", "Red"), Some("Rouge"), "a text of another section is taken");
}

#[test]
fn texts_name_what_the_rule_set_has() {
    let check = |texts: &str| {
        let text = format!("rules: x\nversion: 1.0.0\ntitle: X\nextends: pagade\ntexts: {{{texts}}}\n");
        RuleSet::check(&source(&text), &Bundled)
    };
    let problems = |texts: &str| {
        let found = check(texts).problems;
        found.iter().map(|problem| format!("{} {}", problem.code, problem.message)).collect::<Vec<_>>()
    };
    assert_eq!(problems("seats: {red: Crimson}"), Vec::<String>::new());
    for (texts, message) in [
        ("seats: {rde: Red}", "there is no seat `rde`"),
        ("options: {moed: {team: T}}", "there is no option `moed`"),
        ("options: {mode: {teams: T}}", "there is no value of the option `mode` `teams`"),
        ("options: {miss_turns: {9: T}}", "there is no value of the option `miss_turns` `9`"),
        ("counters: {seat: {cut: T}}", "there is no counter of a seat `cut`"),
        ("places: {bely: T}", "there is no zone or label `bely`"),
        ("spend: {dye: T}", "there is no line of `spend` `dye`"),
        ("events: {cuts: T}", "there is no event `cuts`"),
    ] {
        assert_eq!(problems(texts), [format!("unknown-text {message}")]);
    }
    assert_eq!(problems("seats: {red: \"R\\u202Eed\"}")[0].split(' ').next(), Some("bad-text"));
    // A variant keeps the texts of the file that it extends, except the texts of names that it removes.
    let text = "rules: x\nversion: 1.0.0\ntitle: X\nextends: pagade\nremove: [spend.joint, options.pair_distance]\ntexts: {seats: {red: Crimson}}\n";
    let set = RuleSet::check(&source(text), &Bundled).ruleset.unwrap();
    let names = names(set.document());
    let text = |path: &str| names.iter().find(|name| name.path == path).and_then(|name| name.text);
    assert_eq!((text("seats.red"), text("seats.black")), (Some("Crimson"), Some("Black")));
    assert_eq!((text("spend.die"), text("spend.joint")), (Some("A pawn takes one die"), None));
}

#[test]
fn no_text_of_a_bundled_set_has_placeholders() {
    for set in sets() {
        for name in names(set.document()) {
            assert!(placeholders(name.text.unwrap_or_default()).is_empty(), "{} {}", set.id(), name.path);
        }
    }
}
