//! The description of a mistake in one request: an English sentence and its values. With the values, translations and
//! clients can describe the mistake in other words.

use std::collections::BTreeMap;

use pagade_rules::texts::{Given, Sentence, fill};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The values in a sentence, by name.
pub(crate) type DetailArgs = BTreeMap<String, Value>;

/// The description of a mistake in one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Detail {
    /// The sentence, with its values: lower case, no full stop, input in backticks.
    pub text: String,
    /// The sentence with names in place of its values, by which its translations are found. Empty if the sentence is
    /// never translated.
    pub template: &'static str,
    /// The values in the sentence, by name.
    pub args: DetailArgs,
}

impl Detail {
    /// Makes a description from a sentence and its values. Callers use the macro `detail!` instead.
    pub(crate) fn of(template: &'static str, args: impl IntoIterator<Item = (&'static str, Value)>) -> Self {
        let args = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { text: said(template, &args), template, args }
    }
}

/// Fills the values into a sentence.
fn said(template: &str, args: &DetailArgs) -> String {
    fill(template, |name| args.get(name).map(shown))
}

/// Writes a value as it stands in a sentence.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(|item| format!("`{}`", shown(item))).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Converts a sentence of the rules.
impl From<Sentence> for Detail {
    fn from(Sentence { template, values }: Sentence) -> Self {
        let value = |given| match given {
            Given::Text(text) => Value::from(text),
            Given::Number(number) => Value::from(number),
            Given::List(items) => Value::from(items),
        };
        Self::of(template, values.into_iter().map(|(name, given)| (name, value(given))))
    }
}

/// Writes the sentence; its values are not written.
impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Reads a sentence, without its values.
impl<'de> Deserialize<'de> for Detail {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

/// Converts a sentence that has no translations, such as the message of a parser.
impl From<String> for Detail {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&'static str> for Detail {
    fn from(text: &'static str) -> Self {
        Self { text: text.to_owned(), template: text, args: DetailArgs::new() }
    }
}

/// A sentence with values: `detail!("somebody sits at `{seat}`", seat)`. A value is written as the name of a variable,
/// or as `name = expression`.
macro_rules! detail {
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::error::Detail::of($template, [$((stringify!($name), $crate::error::value!($name $(= $value)?))),*])
    };
}

/// Converts one value of [`detail!`] to JSON.
macro_rules! value {
    ($name:ident) => {
        serde_json::json!($name)
    };
    ($name:ident = $value:expr) => {
        serde_json::json!($value)
    };
}

pub(crate) use {detail, value};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_carries_its_values() {
        let (seats, most) = (["a", "b"], 3);
        let detail = detail!("the seats are {seats}, of {most}, for `{who}`", seats, most, who = "c".to_owned());
        assert_eq!(detail.text, "the seats are `a`, `b`, of 3, for `c`");
        assert_eq!(Value::from_iter(detail.args), serde_json::json!({"seats": ["a", "b"], "most": 3, "who": "c"}));
    }
}
