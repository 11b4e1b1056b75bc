//! Throws and actions that the engine refuses, as problems of the API.

use pagade_rules::notation::{ActionError, ThrowError};
use pagade_rules::play::Refusal;

use crate::error::{Code, Detail, Problem, ProblemPart, detail};

/// Maximum number of legal actions that the help text of a refusal lists.
const SHOWN: usize = 12;

/// A throw or an action that was refused, with the reason.
#[derive(Debug)]
pub(crate) struct Refused {
    code: Code,
    detail: Detail,
    help: Option<String>,
    /// Why an action is not legal.
    reasons: Vec<ProblemPart>,
}

impl Refused {
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
        parts[0].help = self.help;
        parts.iter_mut().for_each(|part| part.pointer = Some(pointer.to_owned()));
        Problem::new(self.code, self.detail).with(parts)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Problem::new(refused.code, refused.detail)
    }
}

impl From<Refusal> for Refused {
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

impl From<ThrowError> for Refused {
    fn from(error: ThrowError) -> Self {
        let detail = match error {
            ThrowError::Malformed(throw) => {
                detail!("`{throw}` is not a throw; write the dice as `3+6`, lots as `12(0)`", throw)
            }
            ThrowError::Count { text, found, wanted } => {
                detail!("`{throw}` shows {found} dice, {wanted} are thrown", throw = text, found, wanted)
            }
            ThrowError::Impossible { text, why } => {
                detail!("`{throw}` cannot be thrown: {reason}", throw = text, reason = why)
            }
        };
        Self::new(Code::ThrowUnreadable, detail)
    }
}

impl From<ActionError> for Refused {
    fn from(error: ActionError) -> Self {
        let message = error.to_string();
        match error {
            ActionError::NotLegal { text, legal } => {
                let help = (!legal.is_empty()).then(|| format!("legal are {}", list(&legal)));
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
            ActionError::Malformed(_) | ActionError::UnknownSquare(_) => {
                Self::new(Code::ActionUnreadable, detail!("the action cannot be read: {reason}", reason = message))
            }
        }
    }
}

/// Lists the first texts, and says how many more there are.
fn list(texts: &[String]) -> String {
    let shown = texts.iter().take(SHOWN).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    if texts.len() > SHOWN { format!("{shown} and {} more", texts.len() - SHOWN) } else { shown }
}
