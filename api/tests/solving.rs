//! Tests the command `pagade solve`: its result, its file, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The Royal Game of Ur with two pieces, in a new folder.
fn two_pieces(folder: &str) -> (PathBuf, PathBuf) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (rules, solution) = (folder.join("ur-of-two.yaml"), folder.join("ur.solution"));
    let text = "rules: ur-of-two\nversion: 1.0.0\ntitle: Two\nextends: royal-game-of-ur\n\
                remove: {options: [pieces]}\npawns: {each: 2, start: [{pawns: [out, out]}]}\n";
    fs::write(&rules, text).unwrap();
    (rules, solution)
}

fn pagade(command: &str, rules: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pagade")).arg(command).arg(rules).args(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_table_is_solved_into_a_file_by_which_perfect_plays() {
    let (rules, solution) = two_pieces("solved");
    let file = solution.to_str().unwrap();
    let solved = json(&pagade("solve", &rules, &["--out", file, "--verify", "--json"]));
    assert_eq!(solved["positions"], 12_869);
    assert_eq!(solved["mirrored"], true);
    assert_eq!(solved["check"]["unlike"], 0);
    assert!(solved["check"]["residual"].as_f64().unwrap() < 3e-9, "{solved}");
    for begins in solved["wins"].as_array().unwrap() {
        assert!((begins["wins"].as_f64().unwrap() - 0.518_572_907).abs() < 1e-8, "{solved}");
    }
    // A second run has nothing to compute.
    let written = fs::metadata(&solution).unwrap().modified().unwrap();
    let again = json(&pagade("solve", &rules, &["--out", file, "--json"]));
    assert_eq!((&again["sweeps"], &again["wins"]), (&solved["sweeps"], &solved["wins"]));
    assert_eq!(fs::metadata(&solution).unwrap().modified().unwrap(), written);

    let games = ["--robots", "perfect,random", "--solution", file, "--games", "400", "--seed", "1", "--json"];
    let played = json(&pagade("simulate", &rules, &games));
    let rate = played["robot_wins"][0]["rate"].as_f64().unwrap();
    assert!((0.66..0.86).contains(&rate), "{rate}, where 0.76 is expected: four standard errors");
}

#[test]
fn a_smaller_tolerance_goes_on_with_the_values_of_a_greater_one() {
    let (rules, solution) = two_pieces("finer");
    let file = solution.to_str().unwrap();
    let wins = |tolerance: &str| {
        let solved = json(&pagade("solve", &rules, &["--out", file, "--tolerance", tolerance, "--verify", "--json"]));
        solved["wins"][0]["wins"].as_f64().unwrap()
    };
    assert!((wins("0.05") - 0.518_572_907).abs() > 1e-6, "so the next run has something to do");
    assert!((wins("1e-9") - 0.518_572_907).abs() < 1e-8);
    assert!((wins("0.05") - 0.518_572_907).abs() < 1e-8, "better values stay");
    for tolerance in ["0", "-1", "nan", "inf", "1", "1e-13", "x"] {
        let refused = pagade("solve", &rules, &["--tolerance", tolerance]);
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && text.contains("a number from 1e-12 to below 1"), "{text}");
    }
}

#[test]
fn perfect_does_not_play_by_an_unfinished_file() {
    let (rules, solution) = two_pieces("unfinished");
    let file = solution.to_str().unwrap();
    json(&pagade("solve", &rules, &["--out", file, "--json"]));
    let bytes = fs::read(&solution).unwrap();
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let stopped = String::from_utf8(bytes[..head].to_vec()).unwrap().replace("\"done\":12869", "\"done\":9000");
    fs::write(&solution, [stopped.as_bytes(), &bytes[head..]].concat()).unwrap();
    let refused = pagade("simulate", &rules, &["--robots", "perfect,random", "--solution", file, "--games", "4"]);
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && text.contains("the values of 9000 of 12869 positions"), "{text}");
}

#[test]
fn perfect_does_not_play_by_a_file_that_is_coarser_than_the_default() {
    let (rules, solution) = two_pieces("coarse");
    let file = solution.to_str().unwrap();
    let play = || pagade("simulate", &rules, &["--robots", "perfect,random", "--solution", file, "--games", "4"]);
    let solve = |tolerance: &[&str]| json(&pagade("solve", &rules, &[&["--out", file, "--json"], tolerance].concat()));
    for tolerance in ["0.05", "1e-6"] {
        let change = solve(&["--tolerance", tolerance])["change"].as_f64().unwrap();
        let refused = play();
        let text = String::from_utf8(refused.stderr).unwrap();
        let says = format!("is too coarse: its values still changed by {change:.1e} in the last sweep");
        assert!(refused.status.code() == Some(2) && text.contains(&says), "{text}");
        assert!(text.contains("`perfect` needs 1e-9 or less") && text.contains("help: `pagade solve`"), "{text}");
    }
    solve(&[]);
    assert!(play().status.success(), "the command of the help has helped");
    solve(&["--tolerance", "0.05"]);
    assert!(play().status.success(), "a coarser tolerance does not spoil finer values");
}

#[test]
fn what_cannot_be_solved_is_refused_with_a_reason() {
    let (rules, solution) = two_pieces("refused");
    let refused = |arguments: &[&str]| {
        let output = pagade("solve", &rules, arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let seven = pagade("solve", Path::new("royal-game-of-ur"), &["--memory", "1"]);
    assert_eq!(seven.status.code(), Some(2), "{seven:?}");
    let text = String::from_utf8(seven.stderr).unwrap();
    assert!(text.contains("too many positions: ") && text.contains("when 1 MB were full"), "{text}");
    assert!(text.contains("help: `--memory MB` allows more"), "{text}");

    let file = solution.to_str().unwrap();
    fs::write(&solution, "{\"format\":\"pagade-solution 1\",\"ruleset\":\"ur-of-two\"}\n").unwrap();
    let text = refused(&["--out", file]);
    assert!(text.contains("it has the layout 1, and this program reads layout 2"), "{text}");
    fs::write(&solution, "values\n").unwrap();
    let text = refused(&["--out", file]);
    assert!(text.contains("it is no file that `pagade solve` writes"), "{text}");
    assert_eq!(fs::read(&solution).unwrap(), b"values\n", "the file of somebody else stays as it is");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_search() {
    let (rules, solution) = two_pieces("unwritable");
    let folder = solution.parent().unwrap();
    // The whole game has too many positions for this memory, so a search would fail with another error.
    for path in [folder.join("missing/ur.solution"), folder.to_owned(), PathBuf::from("/dev/null")] {
        let out = path.to_str().unwrap();
        let refused = pagade("solve", Path::new("royal-game-of-ur"), &["--memory", "1", "--out", out]);
        let text = String::from_utf8(refused.stderr).unwrap();
        assert!(refused.status.code() == Some(2) && refused.stdout.is_empty(), "{text}");
        assert!(text.contains(&format!("{out}: the values cannot be written: ")), "{text}");
    }
    // The check whether the file can be written leaves no file behind when the search is refused.
    let file = solution.to_str().unwrap();
    let refused = pagade("solve", Path::new("royal-game-of-ur"), &["--memory", "1", "--out", file]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("too many positions"));
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 1, "only the rules: {names:?}");
    assert_eq!(names.pop().unwrap(), rules.file_name().unwrap());
}

#[test]
fn an_empty_file_is_begun_and_a_finished_one_needs_no_new_file() {
    let (rules, solution) = two_pieces("empty");
    let file = solution.to_str().unwrap();
    fs::write(&solution, "").unwrap();
    let solved = json(&pagade("solve", &rules, &["--out", file, "--json"]));
    assert_eq!(solved["positions"], 12_869);
    // A folder in the place of the new file keeps it from being written.
    fs::create_dir(solution.with_extension("solution.new")).unwrap();
    let again = json(&pagade("solve", &rules, &["--out", file, "--json"]));
    assert_eq!((&again["sweeps"], &again["wins"]), (&solved["sweeps"], &solved["wins"]));
    let refused = pagade("solve", &rules, &["--out", file, "--tolerance", "1e-12"]);
    assert!(refused.status.code() == Some(2), "finer values would be written: {refused:?}");
    assert_eq!(json(&pagade("solve", &rules, &["--out", file, "--json"]))["wins"], solved["wins"]);
}
