//! Wrong clocks for processes.

use std::path::Path;

/// The library that replaces the system's clock: the package `faketime`.
const OTHER_CLOCK: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];

/// The environment of a process whose clock is wrong by this number of seconds. Its timers are right.
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
