//! The progress of a run: a bar for each round if standard error is a terminal, and otherwise a line for each event.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};
use pagade::TournamentEventKind;

use super::answer::{EventAnswer, TournamentAnswer};

/// Shows how far a tournament is.
#[derive(Debug)]
pub(super) struct Show {
    bar: ProgressBar,
    is_terminal: bool,
}

impl Show {
    pub(super) fn new() -> Self {
        Self { bar: ProgressBar::hidden(), is_terminal: io::stderr().is_terminal() }
    }

    /// Prints a line that stays on the screen.
    pub(super) fn say(&self, text: &str) {
        if self.is_terminal && !self.bar.is_hidden() {
            self.bar.println(text);
        } else {
            eprintln!("{text}");
        }
    }

    /// Shows the newest round with the number of its tables that have results.
    pub(super) fn round(&mut self, tournament: &TournamentAnswer) {
        let Some(last) = tournament.rounds.last() else { return };
        self.clear();
        if !self.is_terminal || last.results == last.tables {
            return;
        }
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} tables, {elapsed}");
        let style = style.expect("the template is well formed");
        self.bar = ProgressBar::new(last.tables as u64).with_style(style).with_prefix(format!("Round {}", last.round));
        self.bar.set_position(last.results as u64);
    }

    /// Shows an event.
    pub(super) fn event(&self, event: &EventAnswer, names: &BTreeMap<u32, String>) {
        if event.event == Some(TournamentEventKind::Result) {
            self.bar.inc(1);
        }
        if let Some(line) = line(event, names) {
            self.say(&line);
        }
    }

    /// Removes the bar.
    pub(super) fn clear(&mut self) {
        self.bar.finish_and_clear();
        self.bar = ProgressBar::hidden();
    }
}

/// Describes an event in a line. `None` for events that the organiser causes.
fn line(event: &EventAnswer, names: &BTreeMap<u32, String>) -> Option<String> {
    let name = |number: u32| names.get(&number).map_or_else(|| format!("entrant {number}"), Clone::clone);
    let round = event.round.unwrap_or(0);
    let result = || {
        let mut places: Vec<_> = event.result.iter().map(|seat| (seat.place, name(seat.entrant))).collect();
        places.sort();
        places.iter().map(|(place, name)| format!("{place}. {name}")).collect::<Vec<_>>().join(", ")
    };
    let because = event.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let table = event.table.unwrap_or(0);
    Some(match event.event? {
        TournamentEventKind::Result => format!("Round {round}, table {table}: {}{because}", result()),
        TournamentEventKind::ResultCorrected => {
            format!("Round {round}, table {table}, corrected: {}{because}", result())
        }
        TournamentEventKind::GameVoid => {
            format!("Round {round}, table {table}: a game ended without a result, an arbiter decides")
        }
        TournamentEventKind::RoundPaired => format!("Round {round} begins"),
        TournamentEventKind::RoundOver => format!("Round {round} is over"),
        TournamentEventKind::RoundTakenBack => format!("Round {round} was taken back"),
        TournamentEventKind::Entered => format!("{} has entered", name(event.entrant?)),
        TournamentEventKind::Waiting => format!("{} waits for a place", name(event.entrant?)),
        TournamentEventKind::Withdrawn => format!("{} has left", name(event.entrant?)),
        TournamentEventKind::Returned => format!("{} is back", name(event.entrant?)),
        TournamentEventKind::Over => format!("The tournament is over{because}"),
        _ => return None,
    })
}
