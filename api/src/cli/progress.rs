//! Progress bars of long commands. They are hidden if standard error is not a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use pagade_robots::solving::{Progress, SolveStage};

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

/// Interval between two lines about long work, where standard error is not a terminal.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// Shows the progress of long work: in a terminal by a line that changes, elsewhere by a new line every half minute.
pub(super) struct ProgressLine {
    bar: Option<ProgressBar>,
    told: Instant,
    /// The present stage, the time of its first report, and the number of positions that were done then. `None` before
    /// the first report.
    begun: Option<(SolveStage, Instant, usize)>,
}

impl ProgressLine {
    pub(super) fn new() -> ProgressLine {
        let bar = io::stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{spinner} {msg}, {elapsed}").expect("the template is well formed");
            ProgressBar::new_spinner().with_style(style)
        });
        ProgressLine { bar, told: Instant::now(), begun: None }
    }

    /// Shows how far the work has come. `text` writes the line; it gets an estimate of the time that is left, if there
    /// is one.
    pub(super) fn show(&mut self, progress: &Progress, text: impl Fn(&Progress, Option<Duration>) -> String) {
        let (begun, before) = match self.begun {
            Some((stage, begun, before)) if stage == progress.stage => (begun, before),
            _ => {
                let now = Instant::now();
                self.begun = Some((progress.stage, now, progress.done));
                (now, progress.done)
            }
        };
        if self.bar.is_none() && self.told.elapsed() < TOLD_EVERY {
            return;
        }
        let done = progress.done - before;
        let left = begun.elapsed().as_secs_f64() * (progress.positions - progress.done) as f64 / done as f64;
        let left = Duration::try_from_secs_f64(left).ok();
        match &self.bar {
            Some(bar) => {
                bar.set_message(text(progress, left));
                bar.tick();
            }
            None => {
                // The error is ignored: standard error may be closed.
                let _ = writeln!(io::stderr(), "{}", text(progress, left));
                self.told = Instant::now();
            }
        }
    }

    /// Removes the line from a terminal.
    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time as hours, minutes and seconds.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
