//! Measures boardgame.io with its store in memory, if it is installed (see `tests/tools/boardgame`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::connection::LoadError;

/// The top folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn modules() -> PathBuf {
    root().join("target/tools/boardgame/node_modules")
}

/// Whether boardgame.io is installed. Prints a line if it is not.
pub(crate) fn is_installed() -> bool {
    let is_installed = modules().is_dir();
    if !is_installed {
        println!("  no boardgame.io: it could not be installed");
    }
    is_installed
}

/// Measures how many moves a second boardgame.io makes over its own transport.
pub(crate) fn moves(seconds: u64) -> Result<f64, LoadError> {
    let mut program = Command::new("node");
    program.arg(root().join("tests/tools/boardgame/moves.js")).arg(seconds.to_string());
    let output = program.env("NODE_PATH", modules()).stderr(Stdio::inherit()).output()?;
    let printed = String::from_utf8(output.stdout)?;
    printed.trim().parse().map_err(|_| format!("boardgame.io printed `{}`", printed.trim()).into())
}
