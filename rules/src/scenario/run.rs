//! Runs a scenario: makes the table, sets up the position, and performs the script.

use std::sync::Arc;

use super::check::Checker;
use super::file::{Pieces, ReadError, Scenario, ScenarioFile};
use super::report::{Failure, FileReport, ScenarioReport};
use crate::play::Engine;
use crate::play::watch::{Happening, HappeningKind, Watch};
use crate::position::{ByName, PositionSetup, SetupPart};
use crate::ruleset::{Options, RuleSet, TableProblem};
use crate::tables::LineId;

/// A function that finds the rule set that a scenario file names, by id or path. Its error is a message.
pub type RuleSets<'f> = dyn Fn(&str) -> Result<Arc<RuleSet>, String> + 'f;

/// Runs the scenarios of a file. `name` is the file's name in messages. A scenario that fails is part of the report and
/// not an error of this function.
///
/// # Errors
/// The text is not a scenario file (see [`ScenarioFile::read`]), or `rule_sets` does not find the rule set that the
/// file names.
pub fn run(name: &str, text: &str, rule_sets: &RuleSets<'_>) -> Result<FileReport, ReadError> {
    let file = ScenarioFile::read(text)?;
    let rule_set = rule_sets(&file.ruleset).map_err(|message| ReadError::new(1, message))?;
    let outcomes = file.scenarios.iter().filter_map(|scenario| run_one(name, &file, scenario, &rule_set, &|| true));
    Ok(FileReport { outcomes: outcomes.collect() })
}

/// Runs the scenarios of a file with a rule set, whatever rule set the file names. Calls `may_go_on` before each
/// throw, action and expectation. If it returns false, the run stops and the result is `None`.
pub fn run_while(
    name: &str,
    file: &ScenarioFile,
    rule_set: &RuleSet,
    may_go_on: &dyn Fn() -> bool,
) -> Option<FileReport> {
    let outcomes = file.scenarios.iter().map(|scenario| run_one(name, file, scenario, rule_set, may_go_on));
    Some(FileReport { outcomes: outcomes.collect::<Option<_>>()? })
}

/// Runs one scenario of a file. `None`: `may_go_on` returned false, so the scenario was not run to its end.
fn run_one(
    name: &str,
    file: &ScenarioFile,
    scenario: &Scenario,
    rule_set: &RuleSet,
    may_go_on: &dyn Fn() -> bool,
) -> Option<ScenarioReport> {
    if !may_go_on() {
        return None;
    }
    let mut log = Log::default();
    let mut options = file.options.clone();
    options.extend(scenario.options.clone());
    let (engine, result) = match lay(rule_set, &rule_set.typed(&options), scenario) {
        Ok(engine) => {
            let result = follow(&engine, scenario, &mut log, may_go_on);
            (Some(engine), result)
        }
        Err(problems) => {
            let lines = scenario.lines;
            let line = match problems.iter().all(|problem| problem.field == "players") {
                true => lines.players.or(lines.of(SetupPart::Pieces)),
                false => lines.options.or(file.options_line),
            };
            let line = line.unwrap_or(scenario.line);
            (None, Err(Miss::at(line, "options and seats that the rule set allows", told(&problems)).into()))
        }
    };
    let failure = match result {
        Ok(()) => None,
        Err(Halt::Stopped) => return None,
        Err(Halt::Missed(miss)) => Some(Failure {
            file: name.to_string(),
            line: miss.line,
            scenario: scenario.name.clone(),
            expected: miss.expected,
            found: miss.found,
        }),
    };
    Some(ScenarioReport {
        name: scenario.name.clone(),
        line: scenario.line,
        clauses: scenario.clauses.clone(),
        fired: engine.map_or_else(Vec::new, |engine| log.fired_names(&engine)),
        failure,
    })
}

/// The reason why a scenario is not run further.
pub(super) enum Halt {
    /// A line failed.
    Missed(Miss),
    /// The caller stopped the run.
    Stopped,
}

impl From<Miss> for Halt {
    fn from(miss: Miss) -> Halt {
        Halt::Missed(miss)
    }
}

/// A line of a scenario file that failed, with its expectation and the actual result.
pub(super) struct Miss {
    pub(super) line: u64,
    pub(super) expected: String,
    pub(super) found: String,
}

impl Miss {
    pub(super) fn at(line: u64, expected: impl Into<String>, found: impl Into<String>) -> Miss {
        Miss { line, expected: expected.into(), found: found.into() }
    }
}

/// The events of a scenario, and the rule lines that have fired.
#[derive(Default)]
pub(super) struct Log {
    happenings: Vec<Happening>,
    checked: usize,
    fired: Vec<LineId>,
}

impl Watch for Log {
    fn event(&mut self, happening: Happening) {
        self.happenings.push(happening);
    }

    fn fired(&mut self, line: LineId) {
        if !self.fired.contains(&line) {
            self.fired.push(line);
        }
    }

    fn hears_refusals(&self) -> bool {
        true
    }
}

impl Log {
    /// Returns the events since the last call.
    pub(super) fn unchecked(&mut self) -> Vec<HappeningKind> {
        let new = self.happenings[self.checked..].iter().map(|happening| happening.kind).collect();
        self.checked = self.happenings.len();
        new
    }

    fn fired_names(&self, engine: &Engine) -> Vec<String> {
        self.fired.iter().map(|line| engine.lines[line.index()].name.clone()).collect()
    }
}

/// Makes the table of a scenario. Colours whose pieces are `none` do not play.
fn lay(rule_set: &RuleSet, options: &Options, scenario: &Scenario) -> Result<Engine, Vec<TableProblem>> {
    let off: Vec<&str> =
        (scenario.pieces.iter()).filter(|(_, pieces)| *pieces == Pieces::None).map(|(seat, _)| seat.as_str()).collect();
    let players = scenario.players.as_deref();
    if off.is_empty() {
        return rule_set.table(options, players);
    }
    let seated = match players {
        Some(players) => players.to_vec(),
        None => {
            let full = rule_set.rules(options, None)?;
            full.seating.players.iter().map(|&seat| full.seat_name(seat).to_string()).collect()
        }
    };
    let left: Vec<String> = seated.into_iter().filter(|seat| !off.contains(&seat.as_str())).collect();
    rule_set.table(options, Some(&left))
}

/// The messages of some problems, each with its help.
fn told(problems: &[TableProblem]) -> String {
    let one = |problem: &TableProblem| match &problem.help {
        Some(help) => format!("{} ({help})", problem.message),
        None => problem.message.to_string(),
    };
    problems.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn follow(engine: &Engine, scenario: &Scenario, log: &mut Log, may_go_on: &dyn Fn() -> bool) -> Result<(), Halt> {
    let pieces = scenario.pieces.iter().filter_map(|(seat, pieces)| match pieces {
        Pieces::At(squares) => Some((seat.clone(), squares.clone())),
        Pieces::None => None,
    });
    let setup = PositionSetup {
        pieces: ByName(pieces.collect()),
        counters: scenario.state.clone(),
        marks: scenario.marks.clone(),
        turn: scenario.turn.clone(),
    };
    let state = engine.set_up_by_part(&setup, log).map_err(|(part, error)| {
        let line = scenario.lines.of(part).unwrap_or(scenario.line);
        Miss::at(line, "a position that can be set up", error.to_string())
    })?;
    let mut checker = Checker::new(engine, state, log, may_go_on);
    scenario.script.iter().try_for_each(|line| checker.step(line))
}
