//! A variant is compared with the rule set that it extends.

use pagade_rules::bundled::{self, Bundled};
use pagade_rules::compare::{DifferenceKind, compare};
use pagade_rules::ruleset::RuleSet;
use pagade_rules::source::Source;

fn village(more: &str) -> RuleSet {
    let text = format!("rules: village\nversion: 1.0.0\ntitle: A village\nextends: pagade\n{more}");
    let checked = RuleSet::check(&Source { name: "village".to_owned(), text }, &Bundled);
    checked.ruleset.unwrap_or_else(|| panic!("{:?}", checked.problems))
}

#[test]
fn a_variant_differs_from_its_base_by_what_it_says() {
    let base = bundled::ruleset("pagade").unwrap();
    assert_eq!(compare(&base, &base), []);
    let variant = village("dice: {count: 3}\noptions: {if_closed: {default: wait}}\nremove: [spend.joint]\n");
    let found = compare(&base, &variant);
    let paths: Vec<&str> = found.iter().map(|difference| difference.path.as_str()).collect();
    for path in ["rules", "title", "dice.count", "options.if_closed", "spend.joint"] {
        assert!(paths.contains(&path), "{path} in {paths:?}");
    }
    let of = |path: &str| found.iter().find(|difference| difference.path == path).unwrap().change.clone();
    assert_eq!(of("dice.count"), DifferenceKind::Changed("2".to_owned(), "3".to_owned()));
    assert!(matches!(of("spend.joint"), DifferenceKind::Removed(text) if text.starts_with("{id: joint")));
    assert!(matches!(of("options.if_closed"), DifferenceKind::Changed(_, text) if text.contains("default: wait")));
}
