//! Checks tournament files with mistakes. Each file in `tournament_files/` has a file `.expected` beside it, with the
//! text that `pagade tournament check` prints.
//!
//! `REWRITE=1 cargo test -p pagade-tests --test processes tournament_files` writes new texts; read the difference
//! before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pagade_tests::service::{NO_VARIABLES, Service, program};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tournament_files")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace")
}

/// Runs `pagade tournament` with these arguments, in the folder of the files.
fn tournament(arguments: &[&str]) -> Output {
    let command = Command::new(program()).arg("tournament").args(arguments).current_dir(folder()).output();
    command.expect("the program runs")
}

fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).expect("the folder of the files").map(|file| file.expect("a file").file_name());
    let mut names: Vec<String> = files.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".yaml"));
    names.sort();
    names
}

#[test]
fn every_file_with_mistakes_is_told_them_with_line_and_column() {
    let mut differences = String::new();
    for name in names() {
        let output = tournament(&["check", &name]);
        let found = String::from_utf8(output.stdout).expect("text");
        assert!(output.stderr.is_empty(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let is_warned = found.contains(" 0 errors, ");
        assert_eq!(output.status.code(), Some(i32::from(!is_warned)), "{name}");
        let path = folder().join(name.replace(".yaml", ".expected"));
        if std::env::var_os("REWRITE").is_some() {
            fs::write(&path, &found).expect("it can be written");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            differences += &format!("{name}: expected\n{expected}\nfound\n{found}\n");
        }
    }
    assert!(names().len() > 15);
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn all_problems_are_there_as_json_too() {
    let output = tournament(&["check", "names.yaml", "waiting.yaml", "--json"]);
    let files: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(files[0]["file"], "names.yaml");
    assert!(files[0]["errors"].as_u64() > Some(2), "{files}");
    assert_eq!(files[0]["problems"][0]["line"], 5);
    assert_eq!((&files[1]["errors"], &files[1]["problems"][0]["code"]), (&0.into(), &"entrants-wait".into()));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_examples_have_no_mistakes_with_or_without_a_server() {
    let data = std::env::temp_dir().join(format!("pagade-tournament-files-{}", std::process::id()));
    let server = Service::start(&["--data", &data.display().to_string()], NO_VARIABLES);
    let examples = root().join("openapi/examples");
    let mut seen = 0;
    for path in fs::read_dir(examples).expect("the examples").map(|file| file.expect("a file").path()) {
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let path = path.display().to_string();
        for more in [&[][..], &["--server", server.address.as_str()]] {
            let output = tournament(&[&["check", path.as_str()], more].concat());
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success() && text.ends_with("0 errors, 0 warnings\n"), "{text}");
        }
        seen += 1;
    }
    assert!(seen >= 3, "{seen} examples");
    // The server checks a rule file of the organiser, too, and publishes nothing.
    let own = folder().join("../tournament_rules/village-cup.yaml").display().to_string();
    let output = tournament(&["check", &own, "--server", &server.address]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let output = tournament(&["check", "rule-set-unknown.yaml", "--server", &server.address]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("the server has no rule set `pagadee`"));
    drop(server);
    fs::remove_dir_all(data).expect("the data can be removed");
}

#[test]
fn a_simulation_is_repeatable_and_compares_forms() {
    let file = |name: &str| root().join(format!("openapi/examples/{name}")).display().to_string();
    let (swiss, arena) = (file("tournament-swiss.yaml"), file("tournament-arena.yaml"));
    let simulated = |threads: &str, seed: &str| {
        let settings = ["--tournaments", "4", "--threads", threads, "--seed", seed, "--json"];
        let output = tournament(&[&["simulate", swiss.as_str(), arena.as_str()][..], &settings].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let first = simulated("1", "7");
    assert_eq!(first, simulated("3", "7"), "the number of threads makes no difference");
    assert_ne!(first, simulated("2", "8"), "another seed gives other tournaments");
    let swiss_summary = &first[0]["summary"];
    assert_eq!(swiss_summary["rounds"]["mean"], 5.0);
    assert_eq!(swiss_summary["games"]["mean"], 40.0);
    let wins = swiss_summary["strengths"].as_array().expect("a list").iter().map(|one| one["wins"].as_f64());
    assert!((wins.flatten().sum::<f64>() - 1.0).abs() < 1e-9, "somebody wins every tournament");
    let places = swiss_summary["each"].as_array().expect("a list");
    assert!(places.iter().all(|one| one["places"].as_array().is_some_and(|all| all.len() == 16)));
    assert!(
        first[1]["summary"]["hours"]["mean"].as_f64() >= Some(0.5),
        "an arena lasts at least as long as it is open"
    );
    let compared = tournament(&["simulate", &swiss, &arena, "--tournaments", "2"]);
    let text = String::from_utf8_lossy(&compared.stdout).into_owned();
    assert!(text.contains("strongest wins") && text.contains("nine of ten"), "{text}");
    let wrong = tournament(&["simulate", &swiss, "--field", "thinker:3"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("`--field` names 3 robots for 16 entrants"));
    for (field, count) in
        [("hunter:99999999999", "99999999999"), ("hunter:18446744073709551615,random:2", "18446744073709551617")]
    {
        let huge = tournament(&["simulate", &swiss, "--field", field]);
        let told = String::from_utf8_lossy(&huge.stderr).into_owned();
        assert_eq!(huge.status.code(), Some(2), "{told}");
        assert!(told.contains(&format!("`--field` names {count} robots for 16 entrants")), "{told}");
    }
}

#[test]
fn the_strongest_wins_more_often_than_by_chance() {
    let swiss = root().join("openapi/examples/tournament-swiss.yaml").display().to_string();
    let settings = ["--field", "hunter:1,random:15", "--tournaments", "60", "--json"];
    let output = tournament(&[&["simulate", swiss.as_str()][..], &settings].concat());
    let simulated: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let strongest = &simulated[0]["summary"]["strongest"];
    assert_eq!((&strongest["robot"], &strongest["fair"]), (&"hunter".into(), &(1.0 / 16.0).into()));
    assert!(strongest["interval"][0].as_f64() > Some(1.0 / 16.0), "{strongest}");
}

#[test]
fn the_page_for_organisers_names_every_key_and_its_files_have_no_mistakes() {
    let page = fs::read_to_string(root().join("openapi/tournaments.md")).expect("the page");
    let description = fs::read_to_string(root().join("openapi/openapi.json")).expect("the description");
    let description: Value = serde_json::from_str(&description).expect("JSON");
    let fields =
        description["components"]["schemas"]["CreateTournament"]["properties"].as_object().expect("the fields");
    for key in fields.keys().map(String::as_str).chain(["entrants", "pause"]) {
        let row = page
            .lines()
            .find(|line| line.starts_with('|') && line.split('|').nth(1).unwrap_or("").contains(&format!("`{key}`")));
        assert!(row.is_some(), "openapi/tournaments.md has no row for `{key}`");
    }
    let file = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a file on the page");
    let path = std::env::temp_dir().join(format!("pagade-page-{}.yaml", std::process::id()));
    fs::write(&path, file).expect("it can be written");
    let output = tournament(&["check", &path.display().to_string()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    fs::remove_file(path).expect("it can be removed");
}
