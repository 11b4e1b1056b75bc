//! Tests.
use crate::ruleset::{Library, Options, RuleSet};
use crate::source::Source;

struct Sets;

impl Library for Sets {
    fn find(&self, name: &str) -> Option<Source> {
        let path = format!("{}/sets/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).ok()?;
        Some(Source { name: format!("sets/{name}.yaml"), text })
    }
}

#[test]
fn scratch() {
    let source = Sets.find("pagade").unwrap();
    for _ in 0..3 {
        let before = std::time::Instant::now();
        let checked = RuleSet::check(&source, &Sets);
        println!("check {:?}", before.elapsed());
        for problem in &checked.problems {
            println!("{problem}");
        }
        let before = std::time::Instant::now();
        let rules = checked.ruleset.unwrap().table(&Options::new(), None).unwrap();
        println!("table {:?} squares {} quick {}", before.elapsed(), rules.board.squares, rules.quick.is_some());
        println!("{:?} {:?}", rules.spend, rules.must);
    }
}
