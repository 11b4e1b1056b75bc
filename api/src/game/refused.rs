//! Throws and actions that the engine refuses, as problems of the API.

use pagade_rules::notation::{ActionError, ThrowError};
use pagade_rules::play::Refusal;

use crate::error::{Code, Problem, ProblemPart};

/// Maximum number of legal actions that the help lists.
const SHOWN: usize = 12;

/// A refused throw or action.
#[derive(Debug)]
pub(crate) struct Refused {
    code: Code,
    detail: String,
    help: Option<String>,
}

impl Refused {
    /// A refusal for a reason of the service's own.
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), help: None }
    }

    /// The problem, with a JSON Pointer into the body.
    pub(crate) fn at(self, pointer: &str) -> Problem {
        let part = ProblemPart { help: self.help, ..ProblemPart::at(pointer, self.detail.clone()) };
        Problem::new(self.code, self.detail).with(vec![part])
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Problem::new(refused.code, refused.detail)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal {
            Refusal::NoThrowDue => Code::ThrowNotExpected,
            Refusal::ThrowDue => Code::ThrowExpected,
            Refusal::Over => Code::GameOver,
            Refusal::NotLegal => Code::ActionNotLegal,
            Refusal::NoSuchThrow => Code::ThrowUnreadable,
        };
        Self::new(code, refusal.to_string())
    }
}

impl From<ThrowError> for Refused {
    fn from(error: ThrowError) -> Self {
        Self::new(Code::ThrowUnreadable, error.to_string())
    }
}

impl From<ActionError> for Refused {
    fn from(error: ActionError) -> Self {
        let detail = error.to_string();
        match error {
            ActionError::NotLegal { legal, .. } => {
                let help = (!legal.is_empty()).then(|| format!("legal are {}", list(&legal)));
                Self { code: Code::ActionNotLegal, detail, help }
            }
            ActionError::Ambiguous { .. } => Self::new(Code::ActionNotLegal, detail),
            ActionError::Malformed(_) | ActionError::UnknownWord { .. } | ActionError::UnknownSquare(_) => {
                Self::new(Code::ActionUnreadable, detail)
            }
        }
    }
}

/// The first items of a list, and the count of the others.
fn list(texts: &[String]) -> String {
    let shown = texts.iter().take(SHOWN).map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    if texts.len() > SHOWN { format!("{shown} and {} more", texts.len() - SHOWN) } else { shown }
}
