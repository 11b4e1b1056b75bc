//! Throws and actions that the engine refuses, as problems of the API.

use pagade_rules::notation::{ActionError, Malformed, ThrowError};
use pagade_rules::play::Refusal;

use crate::error::{Code, Detail, Problem, ProblemPart, detail};

/// Maximum number of legal actions that the help text of a refusal lists.
const SHOWN: usize = 12;

/// A throw or an action that was refused, with the reason.
#[derive(Debug)]
pub(crate) struct RefusedStep {
    code: Code,
    detail: Detail,
    // Boxed, because a large error would make all results large.
    help: Option<Box<Detail>>,
    /// Why an action is not legal.
    reasons: Vec<ProblemPart>,
}

impl RefusedStep {
    /// Makes a refusal that comes from the service and not from the engine.
    pub(crate) fn new(code: Code, detail: impl Into<Detail>) -> Self {
        Self { code, detail: detail.into(), help: None, reasons: Vec::new() }
    }

    /// Adds the reasons why an action is not legal.
    #[must_use]
    pub(crate) fn because(self, reasons: Vec<ProblemPart>) -> Self {
        Self { reasons, ..self }
    }

    /// Converts the refusal to a problem, with a JSON Pointer into the body. Each reason is a part of its own.
    pub(crate) fn at(self, pointer: &str) -> Problem {
        let mut parts = self.reasons;
        if parts.is_empty() {
            parts.push(ProblemPart::of(self.detail.clone()));
        }
        parts[0].help = self.help.map(|help| *help);
        parts.iter_mut().for_each(|part| part.pointer = Some(pointer.to_owned()));
        Problem::new(self.code, self.detail).with(parts)
    }
}

impl From<RefusedStep> for Problem {
    fn from(refused: RefusedStep) -> Self {
        Problem::new(refused.code, refused.detail)
    }
}

impl From<Refusal> for RefusedStep {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoThrowDue => Self::new(Code::ThrowNotExpected, "no throw is due: an action must be played first"),
            Refusal::ThrowDue => Self::new(Code::ThrowExpected, "a throw is due before any action"),
            Refusal::Over => Self::new(Code::GameOver, "the game is over"),
            Refusal::NotLegal => Self::new(Code::ActionNotLegal, "the action is not legal in this position"),
            Refusal::NoSuchThrow => Self::new(Code::ThrowUnreadable, "these dice do not give this throw"),
        }
    }
}

impl From<ThrowError> for RefusedStep {
    fn from(error: ThrowError) -> Self {
        let detail = match error {
            ThrowError::Malformed(throw) => {
                detail!("`{throw}` is not a throw; write the dice as `3+6`, lots as `12(0)`", throw)
            }
            ThrowError::Count { text, found, wanted } => {
                detail!("`{throw}` shows {found} dice, {wanted} are thrown", throw = text, found, wanted)
            }
            ThrowError::NoFace { text, face, faces } => {
                let faces = listed(&faces);
                detail!("`{throw}` cannot be thrown: no die shows {face}, only {faces}", throw = text, face, faces)
            }
            ThrowError::NoFall { text, values } => {
                let values = listed(&values);
                detail!(
                    "`{throw}` cannot be thrown: with 0, 1, .. mouths up the lots count {values}",
                    throw = text,
                    values
                )
            }
            ThrowError::SeveralFalls { text } => {
                detail!("`{throw}` may be one of several falls; say how many lots lie mouth up", throw = text)
            }
        };
        Self::new(Code::ThrowUnreadable, detail)
    }
}

impl From<ActionError> for RefusedStep {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::NotLegal { text, legal } => {
                let help = (!legal.is_empty()).then(|| Box::new(shown(legal)));
                Self {
                    code: Code::ActionNotLegal,
                    detail: detail!("`{action}` is not legal here", action = text),
                    help,
                    reasons: Vec::new(),
                }
            }
            ActionError::Ambiguous { text, candidates } => {
                let detail = detail!("`{action}` may mean one of {actions}", action = text, actions = candidates);
                Self::new(Code::ActionNotLegal, detail)
            }
            ActionError::UnknownWord { word, .. } => {
                Self::new(Code::ActionUnreadable, detail!("no action is called `{word}`", word))
            }
            // The reason is a phrase. Translations list it in their section `values`.
            ActionError::Malformed(Malformed { text, why }) => {
                let detail = detail!("`{action}` is not an action: {reason}", action = text, reason = why);
                Self::new(Code::ActionUnreadable, detail)
            }
            ActionError::UnknownSquare(unknown) => Self::new(Code::ActionUnreadable, unknown.message),
        }
    }
}

/// Names the first legal actions, and says how many more there are.
fn shown(mut actions: Vec<String>) -> Detail {
    let count = actions.len().saturating_sub(SHOWN);
    actions.truncate(SHOWN);
    match count {
        0 => detail!("legal are {actions}", actions),
        count => detail!("legal are {actions} and {count} more", actions, count),
    }
}

fn listed(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}
