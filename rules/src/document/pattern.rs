//! Patterns of the pawns on a square: `enemy pair`, `two friends`, `no own`.

use crate::language::{TextForm, TextValue};
use crate::nearest::nearest;
use crate::word::{Word, words};

/// The pawns that a line of `landing` or `passing` expects on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    pub(crate) who: Who,
    pub(crate) many: Many,
}

/// The owner of the pawns, as seen by the colour that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Own,
    Partner,
    Friend,
    Enemy,
    Anyone,
}

/// The number of pawns that a pattern expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Many {
    /// At least this number of pawns.
    Least(u8),
    /// Exactly one pawn.
    Single,
    /// Two or more pawns of one colour.
    Pair,
    None,
}

words! {
    Who {
        "own" => Who::Own, "partner" => Who::Partner, "friend" => Who::Friend, "enemy" => Who::Enemy,
        "pawn" => Who::Anyone,
    }
    Many { "single" => Many::Single, "pair" => Many::Pair }
}

impl Pattern {
    /// The words for the numbers 2, 3 and 4 before a plural: `two friends`.
    pub(crate) const LEAST: [&'static str; 3] = ["two", "three", "four"];
    /// The word before an owner who has no pawn there: `no enemy`.
    const NO: &'static str = "no";
    /// The plurals of the owners. `own` may stand for its plural, too: `two own`.
    pub(crate) const PLURALS: [&'static str; 6] = ["own", "owns", "partners", "friends", "enemies", "pawns"];

    pub(crate) fn parse(text: &str) -> Option<Pattern> {
        let (who, many) = match text.split_once(' ').map(|(first, last)| (first, last, Many::from_word(last))) {
            None => (text, Many::Least(1)),
            Some((Self::NO, who, _)) => (who, Many::None),
            Some((who, _, Some(many))) => (who, many),
            Some((count, plural, None)) => {
                let least = Self::LEAST.iter().position(|word| *word == count)? as u8 + 2;
                let plural = Self::PLURALS.iter().find(|known| **known == plural)?;
                let who = if *plural == "enemies" { "enemy" } else { plural.strip_suffix('s').unwrap_or(plural) };
                (who, Many::Least(least))
            }
        };
        Some(Pattern { who: Who::from_word(who)?, many })
    }
}

/// The form of patterns: `own`, `enemy pair`, `two friends`.
pub(super) struct PatternForm;

impl TextValue for PatternForm {
    type Parsed = Pattern;
    const FORM: TextForm = TextForm {
        code: "bad-pattern",
        described: "a pattern of who stands there",
        example: || {
            let (last, others) = Who::NAMES.split_last().unwrap_or((&"", &[]));
            let who = format!("{} or {last}", others.join(", "));
            let many = Many::NAMES.iter().map(|many| format!("`WHO {many}`, ")).collect::<String>();
            let (least, no) = (Pattern::LEAST.join("|"), Pattern::NO);
            format!("WHO, {}, `{least} WHOs` or `{no} WHO`; WHO is {who}", many.trim_end_matches(", "))
        },
        pattern: || {
            let (who, least, plural) = (Who::NAMES.join("|"), Pattern::LEAST.join("|"), Pattern::PLURALS.join("|"));
            let (many, no) = (Many::NAMES.join("| "), Pattern::NO);
            format!("^(({who})( {many})?|({least}) ({plural})|{no} ({who}))$")
        },
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<Pattern> {
        Pattern::parse(text)
    }

    fn meant(text: &str) -> Option<String> {
        let all_words = || {
            let who = Who::NAMES.iter().chain(&Pattern::PLURALS).chain(Many::NAMES);
            who.chain([Pattern::NO].iter()).chain(&Pattern::LEAST).copied()
        };
        let words: Option<Vec<&str>> = text.split_whitespace().map(|word| nearest(word, all_words())).collect();
        words.map(|words| words.join(" ")).filter(|meant| Pattern::parse(meant).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_no_pattern() {
        for text in ["", "foe", "own two", "five enemies", "enemy pair here", "two enemy"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
    }
}
