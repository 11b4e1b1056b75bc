//! Starts processes whose clock is wrong.

use std::path::Path;

/// The paths at which the library of the package `faketime` may be installed. The library gives a process another
/// clock.
const OTHER_CLOCK: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
];

/// The environment variables for a process whose clock is to be wrong by this number of seconds. Its timers stay right.
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
