//! Sentences for people: a text in English with the values that stand in it. With the values, a client or a translation
//! can say the sentence in other words.

use std::fmt;

use super::fill;

/// A sentence with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The sentence with names in place of its values, such as ``there is no option `{field}` ``.
    pub template: &'static str,
    /// The values by name.
    pub values: Vec<(&'static str, Given)>,
}

/// A value in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
    /// A list of texts.
    List(Vec<String>),
}

impl fmt::Display for Sentence {
    /// Writes the sentence in English, with its values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value =
            |name: &str| self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
        f.write_str(&fill(self.template, value))
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Text(text) => f.write_str(text),
            Given::Number(number) => number.fmt(f),
            Given::List(items) => {
                let quoted: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
                f.write_str(&quoted.join(", "))
            }
        }
    }
}

impl From<&str> for Given {
    fn from(text: &str) -> Given {
        Given::Text(text.to_owned())
    }
}

impl From<i64> for Given {
    fn from(number: i64) -> Given {
        Given::Number(number)
    }
}

impl From<Vec<String>> for Given {
    fn from(items: Vec<String>) -> Given {
        Given::List(items)
    }
}

/// A sentence with values: ``sentence!("no seat is called `{seat}`", seat = name)``.
macro_rules! sentence {
    ($template:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::Sentence {
            template: $template,
            values: vec![$((stringify!($name), $crate::texts::Given::from($value))),*],
        }
    };
}

pub(crate) use sentence;

#[cfg(test)]
mod tests {
    #[test]
    fn a_sentence_is_written_with_its_values() {
        let seats = vec!["south".to_owned(), "north".to_owned()];
        let said = sentence!("{seats} are {count} of {name}", seats = seats, count = 2, name = "x");
        assert_eq!(said.to_string(), "`south`, `north` are 2 of x");
    }
}
