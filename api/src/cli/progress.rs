//! Progress bars of long commands. They are hidden if standard error is not a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Makes a progress bar for work with a known number of steps.
pub(super) fn bar(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left"));
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}

/// Makes a progress display for work with an unknown number of steps. It counts the steps that are done.
pub(super) fn counter(unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {unit}, {{elapsed}}"));
    let bar = ProgressBar::new_spinner().with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
