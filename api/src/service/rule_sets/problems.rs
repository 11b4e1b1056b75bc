//! The problems of requests for rule sets.

use pagade_rules::source::{Problem as Found, Severity};

use crate::error::{Code, Detail, Problem, ProblemPart, detail};

/// Makes the sentence which says that no rule set has this id and version.
pub(crate) fn no_rule_set(id: &str, version: Option<&str>) -> Detail {
    match version {
        Some(version) => detail!("there is no rule set `{id}` of version `{version}`", id, version),
        None => detail!("there is no rule set `{id}`", id),
    }
}

/// Makes the sentence which says that none of these seats has this name.
pub(in crate::service) fn no_seat(seat: &str, seats: &[String]) -> Detail {
    let shown: String = seat.chars().take(32).collect();
    detail!("no seat is named `{seat}`; the seats are {seats}", seat = shown, seats)
}

/// Makes the problem that no rule set has this id and version.
pub(super) fn not_found(id: &str, version: Option<&str>) -> Problem {
    Problem::new(Code::RuleSetNotFound, no_rule_set(id, version))
}

/// Makes the problem of a rule text or translation that has errors.
pub(super) fn refuse(problems: &[Found], pointer: &str) -> Problem {
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    let parts = errors.map(|problem| ProblemPart {
        pointer: Some(pointer.to_owned()),
        code: Some(problem.code.to_owned()),
        detail: problem.message.clone(),
        help: problem.help.clone().map(Detail::from),
        line: Some(problem.span.line),
        column: Some(problem.span.column),
        ..ProblemPart::default()
    });
    let parts = parts.collect::<Vec<_>>();
    let detail = parts.first().map(ProblemPart::detail).unwrap_or_default();
    Problem::new(Code::RuleTextInvalid, detail).with(parts)
}
