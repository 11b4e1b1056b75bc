//! boardgame.io with its store in memory, where its packages are installed: see `tests/tools/boardgame`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Moves a second over its own transport, as its program prints them; `None` where it is not installed.
pub fn moves(seconds: u64) -> Option<f64> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let modules = root.join("target/tools/boardgame/node_modules");
    if !modules.is_dir() {
        println!("  no boardgame.io: it could not be installed");
        return None;
    }
    let output = Command::new("node")
        .arg(root.join("tests/tools/boardgame/moves.js"))
        .arg(seconds.to_string())
        .env("NODE_PATH", modules)
        .stderr(Stdio::inherit())
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.lines().last()?.trim().parse().ok()
}
