//! Clocks that are wrong.

use std::path::Path;

/// Replaces what the system's clock says, where it is installed: the package `faketime`.
const OTHER_CLOCK: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];

/// The variables that let a process have a clock that is wrong by so many seconds; how time passes is right.
pub fn wrong_by(seconds: i32) -> Vec<(&'static str, String)> {
    let installed = OTHER_CLOCK.into_iter().find(|file| Path::new(file).is_file());
    let file = installed.expect("faketime is not installed: `tests/run` does it");
    let variables = [
        ("LD_PRELOAD", file.to_owned()),
        ("FAKETIME", format!("{seconds:+}s")),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    variables.into()
}
