//! Runs every program in tests/ with `--help`: it prints what it does, at once, and does nothing else.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Longest time that a program takes to print its help, with some room for a busy machine.
const AT_ONCE: Duration = Duration::from_secs(10);

/// Runs a program with `--help`, and returns what it prints.
fn help(interpreter: &str, program: &str) -> String {
    let began = Instant::now();
    let ran = Command::new(interpreter).args([program, "--help"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let ran = ran.unwrap_or_else(|error| panic!("{interpreter} {program}: {error}"));
    let (told, complained) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    assert!(ran.status.success() && complained.is_empty(), "{program}: {told}{complained}");
    assert!(began.elapsed() < AT_ONCE, "{program} takes {:?}", began.elapsed());
    told
}

#[test]
fn every_program_explains_itself_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = 0;
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()) {
        let interpreter = match file.as_str() {
            "load" | "run" | "interface.sh" => "bash",
            script if script.ends_with(".py") => "python3",
            _ => continue,
        };
        programs += 1;
        let told = help(interpreter, &file);
        assert!(told.contains(&file) && !told.contains("#!") && told.lines().count() > 2, "{file}: {told}");
    }
    assert_eq!(programs, 13, "load, run, interface.sh and those in Python");
    let has_node = Command::new("node").arg("--version").output().is_ok();
    if has_node {
        assert!(help("node", "web/run.mjs").contains("TOOLS PROGRAM"));
    }
}

#[test]
fn the_help_of_the_load_test_names_every_option() {
    let told = help("bash", "load");
    let source = include_str!("../../src/load/main.rs");
    let fields = source.split("#[arg(long").skip(1).map(|after| {
        let field = after.split_once("]\n").unwrap().1.trim_start();
        field.split(':').next().unwrap().replace('_', "-")
    });
    let fields: Vec<_> = fields.collect();
    assert!(fields.len() > 5, "{fields:?}");
    for field in fields {
        assert!(told.contains(&format!("--{field}")), "{field}: {told}");
    }
}
