//! Checks rule files with errors. Beside every file in `rejected/` stands a list of the expected problems: a line with
//! code and position for each.
//!
//! `REWRITE=1 cargo test -p pagade-rules --test rules rejected` writes new lists; read the difference before you commit
//! it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pagade_rules::read::read;
use pagade_rules::ruleset::RuleFiles;
use pagade_rules::source::{Problem, Source};

/// Finds the files of the folder by name. Also finds `chain-1`, `chain-2`, .., each of which extends the next without
/// end.
struct Folder(PathBuf);

impl Folder {
    fn open() -> Self {
        Self(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rejected"))
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter_map(|name| Some(name.strip_suffix(".yaml")?.to_owned())).collect();
        names.sort();
        names
    }
}

impl RuleFiles for Folder {
    fn find(&self, name: &str) -> Option<Source> {
        let text = match name.strip_prefix("chain-") {
            Some(link) => {
                let next = link.parse::<u32>().ok()? + 1;
                format!("rules: y{next}\nversion: 1.0.0\ntitle: Y\nextends: chain-{next}\n")
            }
            None => fs::read_to_string(self.0.join(format!("{name}.yaml"))).ok()?,
        };
        let name = format!("{name}.yaml");
        Some(Source { name, text })
    }
}

fn problems(source: &Source) -> Vec<Problem> {
    read(source, &Folder::open()).report.finish().1
}

#[test]
fn every_rejected_file_has_exactly_its_problems() {
    let folder = Folder::open();
    let mut differences = String::new();
    for name in folder.names() {
        let found: String = problems(&folder.find(&name).unwrap())
            .iter()
            .map(|problem| {
                let (line, column) = (problem.span.line, problem.span.column);
                format!("{}:{line}:{column} {}\n", problem.file, problem.code)
            })
            .collect();
        let path = folder.0.join(format!("{name}.expected"));
        if std::env::var_os("REWRITE").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            differences += &format!("{name}: expected\n{expected}found\n{found}\n");
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn messages_show_the_line_and_what_would_help() {
    let folder = Folder::open();
    let all: Vec<_> = problems(&folder.find("unknown-keys").unwrap()).iter().map(ToString::to_string).collect();
    assert_eq!(
        all[0],
        "error[unknown-key]: a rule file has no key `spned`\n  --> unknown-keys.yaml:9:1\n9 | spned: []\n  | ^^^^^\n  help: did you mean `spend`?"
    );
}

fn quickly(what: &str, text: String) -> Vec<&'static str> {
    let name = "large.yaml".to_owned();
    let begun = Instant::now();
    let found = problems(&Source { name, text });
    assert!(begun.elapsed() < Duration::from_secs(5), "{what}");
    assert!(!found.is_empty() && found.len() <= 100, "{what}: {}", found.len());
    found.iter().map(|problem| problem.code).collect()
}

#[test]
fn large_files_are_refused_before_any_work() {
    let line = "  - {id: go, move: pawn, from: way, with: die}\n";
    let text = format!("spend:\n{}", line.repeat(10_000_000 / line.len()));
    assert_eq!(quickly("ten megabytes", text), ["file-too-large"]);
}

#[test]
fn hostile_files_of_the_allowed_size_cost_little() {
    const SIZE: usize = 250_000;
    let fill = |head: &str, piece: &str| format!("{head}{}", piece.repeat(SIZE / piece.len()));
    let numbered = |head: &str, line: &dyn Fn(usize) -> String| {
        let mut text = head.to_owned();
        for number in 0.. {
            text += &line(number);
            if text.len() > SIZE {
                break;
            }
        }
        text
    };
    quickly("many lines", numbered("spend:\n", &|n| format!("  - {{id: a{n}}}\n")));
    quickly("many keys", numbered("rules: x\n", &|n| format!("k{n}: 1\n")));
    quickly("one key", fill("", "a: 1\n"));
    quickly("many clauses", numbered("rules: x # ", &|n| format!("A-{n} ")));
    quickly("many comments", numbered("spend:\n", &|n| format!("  # A-{n}\n")));
    quickly("commented lines", numbered("spend:\n", &|n| format!(" - {{id: a{n}}} # A-{n}\n")));
    quickly("a long line", fill("rules: ", "x "));
    quickly("a long expression", fill("teams: {opposite: '", "a + "));
    quickly("a long key", fill("", "k"));
    quickly("a long quoted text", fill("about: \"", "\\u00e9"));
    quickly("a folded text", fill("about: >\n", "  word\n"));
    quickly("flow brackets", fill("sources: ", "["));
    quickly("block dashes", fill("sources:\n ", "- "));
    quickly("question marks", fill("", "? "));
    quickly("one long list", fill("sources: [", "x,"));
    quickly("empty lines", fill("rules:", "\n"));
    quickly("anchors", fill("sources: [", "&a x,"));
    quickly("directives", fill("%TAG ! x\n", "%X y\n"));
}
