//! Compares facts that documents state about the project with the files that decide them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Runs a Cargo command and returns its output.
fn cargo(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The packages that the lock file names for this kind of machine. Packages for other systems are left out, because
/// they may not be downloaded.
fn packages() -> Vec<Value> {
    let about = String::from_utf8(cargo(&["-vV"])).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("Cargo names its host");
    let metadata = cargo(&["metadata", "--offline", "--locked", "--filter-platform", host, "--format-version", "1"]);
    let mut metadata: Value = serde_json::from_slice(&metadata).unwrap();
    metadata["packages"].as_array_mut().unwrap().drain(..).collect()
}

/// The major and the minor number of a Rust version.
fn rust(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|number| number.parse().expect("a number"));
    (numbers.next().expect("a major number"), numbers.next().expect("a minor number"))
}

#[test]
fn the_stated_rust_version_is_the_highest_that_a_dependency_needs() {
    let packages = packages();
    assert!(packages.len() > 200, "{} packages", packages.len());
    let needed = packages.iter().filter_map(|package| Some((rust(package["rust_version"].as_str()?), &package["id"])));
    let (own, others): (Vec<_>, Vec<_>) = needed.partition(|(_, id)| id.as_str().unwrap().starts_with("path+"));
    let (highest, by) = others.into_iter().max_by_key(|(version, _)| *version).expect("some packages name a version");
    assert_eq!(own.len(), 5, "{own:?}");
    assert!(own.iter().all(|(stated, _)| *stated == highest), "{by} needs {highest:?}, {own:?}");
}

#[test]
fn documents_image_and_workflow_name_the_stated_rust_version() {
    let manifest = text("Cargo.toml");
    let stated = manifest.split("\nrust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    for (path, named) in [
        ("README.md", format!("a Rust toolchain ({stated} or newer)")),
        ("deploy/Dockerfile", format!("FROM rust:{stated}-")),
        (".github/workflows/ci.yml", format!("RUST: \"{stated}\"")),
    ] {
        assert!(text(path).contains(&named), "{path} does not say `{named}`");
    }
}

/// The words of the numbers from 0 to 40.
const NUMBERS: [&str; 41] = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "twenty-one",
    "twenty-two",
    "twenty-three",
    "twenty-four",
    "twenty-five",
    "twenty-six",
    "twenty-seven",
    "twenty-eight",
    "twenty-nine",
    "thirty",
    "thirty-one",
    "thirty-two",
    "thirty-three",
    "thirty-four",
    "thirty-five",
    "thirty-six",
    "thirty-seven",
    "thirty-eight",
    "thirty-nine",
    "forty",
];

fn yaml_files(folder: &str) -> usize {
    let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "yaml")).count()
}

#[test]
fn documents_count_the_games_and_variants_that_are_there() {
    let [games, variants] = ["rules/sets", "rules/sets/variants"].map(|folder| NUMBERS[yaml_files(folder)]);
    let counted = format!("{games} games and {variants} variants");
    for path in ["README.md", "CHANGELOG.md"] {
        assert!(text(path).to_lowercase().contains(&counted), "{path} does not say `{counted}`");
    }
}

#[test]
fn the_readme_counts_the_languages_of_problems() {
    let counted = format!("; {} languages", NUMBERS[yaml_files("api/texts")]);
    assert!(text("README.md").contains(&counted), "README.md does not say `{counted}`");
}

/// Reads the number of a constant from the line that declares it.
fn constant(path: &str, name: &str) -> String {
    let text = text(path);
    let lines = text.lines().filter_map(|line| line.split_once(&format!("const {name}: "))?.1.split_once(" = "));
    let values: Vec<_> = lines.map(|(_, value)| value.trim_end_matches(';').to_owned()).collect();
    assert_eq!(values.len(), 1, "{path} declares `{name}` {} times", values.len());
    values.concat()
}

#[test]
fn the_changelog_has_the_layouts_of_data_and_the_bounds_of_boards() {
    let layout = |room: &str| constant(&format!("api/src/{room}/stored.rs"), "LAYOUT");
    let [games, groups, players, tables, tournaments, bank] =
        ["game", "group", "player", "table", "tournament", "bank"].map(layout);
    let embedded = constant("api/src/store/embedded/tables.rs", "FORMAT");
    let redis = constant("api/src/store/redis/stored.rs", "LAYOUT");
    let archive = constant("api/src/archive/mod.rs", "FORMAT");
    let [seats, pawns, squares] =
        ["MAX_SEATS", "MAX_PAWNS", "MAX_SQUARES"].map(|name| constant("rules/src/units.rs", name));
    assert_eq!([&*seats, &*pawns], ["8", "16"], "the CHANGELOG writes these numbers as words");
    let changelog = text("CHANGELOG.md");
    for stated in [
        format!(
            "games {games}, groups {groups}, players {players}, tables {tables}, tournaments {tournaments}, bank \
             {bank}, embedded store {embedded}, Redis {redis}, archive {archive}."
        ),
        format!("up to eight seats, sixteen pawns of a colour and {squares} squares"),
    ] {
        assert!(changelog.contains(&stated), "CHANGELOG does not say `{stated}`");
    }
}

/// Finds the number before this word in a text. Returns `None` if the word is missing.
fn number_before(word: &str, text: &str) -> Option<f64> {
    Some(number(text.split_once(word)?.0.trim_end().rsplit(' ').next()?))
}

#[test]
fn the_faults_of_a_long_run_are_counted_where_the_documents_say_it() {
    let run = text("tests/run");
    // The name of each step with faults contains the numbers of faults. The step also passes the number of each kind to
    // the test.
    let steps = run.split("step \"").skip(1).filter_map(|step| step.split_once('"'));
    let mut sum = 0.0;
    for (name, rest) in steps.filter(|(name, _)| name.contains(" faults ")) {
        let passed = rest.split_once("PAGADE_FAULTS=").and_then(|(_, rest)| rest.split_once(' ')).expect("a number").0;
        let named: Vec<f64> = name.split(' ').filter(|word| word.starts_with(char::is_numeric)).map(number).collect();
        assert!(!named.is_empty() && named.iter().all(|faults| *faults == number(passed)), "{name}: {passed}");
        sum += named.iter().sum::<f64>();
    }
    let readme = text("README.md");
    let long = readme.lines().find(|line| line.starts_with("tests/run --long")).expect("a line about `--long`");
    let head = run.split_once("\nset ").expect("the head ends with a setting").0;
    for (path, told) in [("README.md", long), ("tests/run", head)] {
        assert_eq!(number_before(" faults", told), Some(sum), "{path}");
    }
    assert!(sum > 1_000.0, "{sum}");
}

/// The rows of the README's table that has this heading, each as a list of its cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let readme = text("README.md");
    let lines = readme.lines().skip_while(|line| *line != heading).skip(2).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.map(cells).collect()
}

/// Parses a number that may have a comma between its thousands.
fn number(cell: &str) -> f64 {
    cell.replace(',', "").parse().unwrap_or_else(|_| panic!("`{cell}` is not a number"))
}

#[test]
fn ratios_of_random_play_are_quotients_of_the_rates_beside_them() {
    let lines = table("| | million | of Pagade |");
    let base = lines.iter().find(|line| line[0].starts_with("`pagade`")).expect("a line of `pagade`");
    assert_eq!(base[2], "1");
    for line in &lines {
        let decimals = line[2].split_once('.').map_or(0, |(_, decimals)| decimals.len());
        assert_eq!(line[2], format!("{:.decimals$}", number(&line[1]) / number(&base[1])), "{line:?}");
    }
    assert!(lines.len() > 5, "{lines:?}");
}

/// The shares in the table are medians over rounds, so they may differ a little from the quotient of the two rates.
#[test]
fn shares_over_http_are_near_the_quotients_of_the_rates_beside_them() {
    let lines = table("| | Pagade | least possible | share |");
    for line in &lines {
        let [own, least, share] = [1, 2, 3].map(|cell| number(&line[cell]));
        assert!((share - own / least).abs() < 0.06, "{line:?}");
    }
    assert_eq!(lines.len(), 4, "{lines:?}");
}

/// The README's number of times is a median over rounds, so it may differ a little from the quotient of the two rates.
#[test]
fn moves_are_compared_with_those_of_boardgame_by_the_rates_beside_them() {
    let readme = text("README.md");
    let [peer, times] = [" moves a second; moves on Redis are", " times as many (a median"]
        .map(|words| number_before(words, &readme).unwrap_or_else(|| panic!("README.md does not say `{words}`")));
    let own = number(&table("| | Pagade | least possible | share |")[0][1]);
    assert!((times - own / peer).abs() < 0.1 * times, "{own} / {peer} is not {times}");
}
