//! Progress bars of long commands. They are hidden if standard error is not a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Makes a bar for work of known length.
pub(super) fn bar(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left"));
    ProgressBar::new(length).with_style(style.expect("the template is well formed"))
}

/// Makes a counter for work of unknown length.
pub(super) fn counter(unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {unit}, {{elapsed}}"));
    let bar = ProgressBar::new_spinner().with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
