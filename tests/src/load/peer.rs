//! boardgame.io with its store in memory, where its packages are installed: see `tests/tools/boardgame`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::wire::Broken;

/// Where the tools and what they install are.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn modules() -> PathBuf {
    root().join("target/tools/boardgame/node_modules")
}

/// Its packages are installed; it is said where they are not.
pub fn is_there() -> bool {
    let is_there = modules().is_dir();
    if !is_there {
        println!("  no boardgame.io: it could not be installed");
    }
    is_there
}

/// Moves a second over its own transport, as its program prints them.
pub fn moves(seconds: u64) -> Result<f64, Broken> {
    let mut program = Command::new("node");
    program.arg(root().join("tests/tools/boardgame/moves.js")).arg(seconds.to_string());
    let output = program.env("NODE_PATH", modules()).stderr(Stdio::inherit()).output()?;
    let printed = String::from_utf8(output.stdout)?;
    printed.trim().parse().map_err(|_| format!("boardgame.io printed `{}`", printed.trim()).into())
}
