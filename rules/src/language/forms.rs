//! Texts of a fixed form: each with its parser, its description and its pattern for editors.

use super::readable::{MOST_WORDS, is_one_line};
use crate::expr::RESERVED;
use crate::yaml::clauses::is_clause_id;

/// Maximum number of characters in an id or a name.
const MOST_NAME: usize = 40;
/// Maximum number of characters in a label.
pub(super) const MOST_LABEL: usize = 16;

/// The description of a form of texts, for messages, help texts and editors.
#[derive(Debug)]
pub(crate) struct TextForm {
    /// The problem code of a text that is not of the form.
    pub(crate) code: &'static str,
    /// A noun phrase that ends the message "`x` is not ..", such as `a clause id`.
    pub(crate) described: &'static str,
    /// An example for help texts.
    pub(crate) example: fn() -> String,
    /// A regular expression for editors. It fits the same texts as the parser.
    pub(crate) pattern: fn() -> String,
    /// Whether a number without quotes, such as the label in `squares: [12]`, has this form.
    pub(crate) is_number: bool,
}

/// A form that texts in rule files can have, such as an id or a label.
pub(crate) trait TextValue {
    /// The type of the parsed text.
    type Parsed;
    const FORM: TextForm;

    fn parse_text(text: &str) -> Option<Self::Parsed>;

    /// Suggests a correction for a misspelled text.
    fn meant(_: &str) -> Option<String> {
        None
    }

    /// Whether the text has this form but is a reserved word.
    fn is_reserved(_: &str) -> bool {
        false
    }
}

/// Declares forms of texts that are not parsed further: the value is the text itself.
macro_rules! text_form {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident {
            code: $code:literal,
            described: $described:literal,
            example: $example:expr,
            pattern: $pattern:expr,
            fits: $fits:expr,
            $(is_number: $is_number:literal,)?
        }
    )+) => {$(
        $(#[doc = $doc])+
        pub(crate) struct $name;

        impl TextValue for $name {
            type Parsed = String;
            const FORM: TextForm = TextForm {
                code: $code,
                described: $described,
                example: || String::from($example),
                pattern: || format!("^{}$", $pattern),
                is_number: false $(|| $is_number)?,
            };

            fn parse_text(text: &str) -> Option<String> {
                let fits: fn(&str) -> bool = $fits;
                fits(text).then(|| text.to_owned())
            }
        }
    )+};
}

text_form! {
    /// An id: lower case letters, digits, `-`, `_`.
    Id {
        code: "bad-id",
        described: "an id of lower case letters, digits, `-` and `_`",
        example: format!("such as `two-hops`, a letter first, {MOST_NAME} characters at most"),
        pattern: id_pattern(),
        fits: is_id,
    }
    /// An id or a path of a rule file.
    FileName {
        code: "bad-file-name",
        described: "an id or a path of a rule file",
        example: "such as `base` or `sets/base.yaml`",
        pattern: "[A-Za-z0-9_./-]{1,200}",
        fits: is_file_name,
    }
    /// The version of a rule set, such as `1.0.0`.
    Version {
        code: "bad-version",
        described: "a version of three numbers",
        example: "such as `1.0.0`",
        pattern: "(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}",
        fits: is_version,
    }
    /// A language tag, such as `en` or `pt-BR`.
    LanguageTag {
        code: "bad-language",
        described: "a language tag",
        example: "such as `en` or `pt-BR`",
        pattern: "[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
        fits: is_language_tag,
    }
    /// A CSS colour.
    Paint {
        code: "bad-paint",
        described: "a CSS colour",
        example: "such as \"#c0392b\" (in quotes) or a colour name",
        pattern: "(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})|[a-zA-Z]{3,30})",
        fits: is_paint,
    }
    /// A label, or a zone or tag that has one place only.
    OnePlace {
        code: "bad-label",
        described: "a label",
        example: "such as `12`, `8r`, `home`, or the name of a zone or tag of one place",
        pattern: word_pattern(MOST_NAME),
        fits: |text| is_word(text, MOST_NAME),
        is_number: true,
    }
    /// A label, a range of labels, a zone or a tag.
    PlaceName {
        code: "bad-label",
        described: "a label, a range of labels, a zone or a tag",
        example: "such as `12`, `h7..h1` or the name of a zone",
        pattern: format!("({}|{1}\\.\\.{1})", word_pattern(MOST_NAME), word_pattern(MOST_LABEL)),
        fits: is_place_name,
        is_number: true,
    }
    /// The path of a line or setting that a variant removes: `section.id`.
    PathForm {
        code: "bad-path",
        described: "a line or setting `section.id`",
        example: "such as `landing.single` or `board.gate`",
        pattern: format!("{0}(\\.{0}){{1,3}}", id_pattern()),
        fits: |text| (2..=4).contains(&text.split('.').count()) && text.split('.').all(is_id),
    }
    /// A value of an option: a word, `yes`, `no` or a number.
    ValueName {
        code: "bad-word",
        described: "a value of an option",
        example: "such as `two_hops`, `yes` or `3`",
        pattern: "(-?[0-9]{1,5}|[a-z][a-z0-9_]{0,39})",
        fits: is_value_name,
        is_number: true,
    }
    /// A throw: its value, or the faces of its dice.
    ThrowName {
        code: "bad-word",
        described: "a throw",
        example: "such as `8`, or the faces of the dice in ascending order, such as `1+3`",
        pattern: "[0-9]{1,2}(\\+[0-9]{1,2}){0,3}",
        fits: is_throw_name,
        is_number: true,
    }
    /// The text that a translation translates.
    SourceText {
        code: "bad-text",
        described: "a text for people",
        example: "on one line, with visible letters, without characters that change the direction of writing",
        pattern: "[^\\n]{1,300}",
        fits: |text| is_one_line(text, MOST_WORDS),
    }
    /// The id of a clause, such as `XY-47`.
    Clause {
        code: "bad-clause",
        described: "a clause id",
        example: "such as `XY-47`",
        pattern: "[A-Z]+-[A-Z]?[0-9]+",
        fits: is_clause_id,
    }
}

/// A name that expressions can use: lower case letters, digits, `_`.
pub(crate) struct Name;

impl TextValue for Name {
    type Parsed = String;
    const FORM: TextForm = TextForm {
        code: "bad-name",
        described: "a name of lower case letters, digits and `_`",
        example: || format!("such as `two_hops`, a letter first, {MOST_NAME} characters at most"),
        pattern: || format!("^{}$", name_pattern()),
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<String> {
        (is_id(text) && !text.contains('-')).then(|| text.to_owned())
    }

    fn is_reserved(text: &str) -> bool {
        RESERVED.contains(&text)
    }
}

fn id_pattern() -> String {
    format!("[a-z][a-z0-9_-]{{0,{}}}", MOST_NAME - 1)
}

/// The pattern of a name, without its anchors `^` and `$`.
pub(crate) fn name_pattern() -> String {
    format!("[a-z][a-z0-9_]{{0,{}}}", MOST_NAME - 1)
}

pub(super) fn word_pattern(most: usize) -> String {
    format!("[A-Za-z0-9_]{{1,{most}}}")
}

fn is_id(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    text.len() <= MOST_NAME && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(is_inner)
}

pub(super) fn is_word(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_place_name(text: &str) -> bool {
    match text.split_once("..") {
        Some((first, last)) => is_word(first, MOST_LABEL) && is_word(last, MOST_LABEL),
        None => is_word(text, MOST_NAME),
    }
}

fn is_value_name(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number || is_id(text) && !text.contains('-')
}

fn is_throw_name(text: &str) -> bool {
    let is_face = |face: &str| matches!(face.len(), 1 | 2) && face.bytes().all(|byte| byte.is_ascii_digit());
    text.split('+').count() <= 4 && text.split('+').all(is_face)
}

fn is_file_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte);
    (1..=200).contains(&text.len()) && text.bytes().all(is_allowed)
}

fn is_version(text: &str) -> bool {
    let is_number = |part: &str| {
        let leading_zero = part.len() > 1 && part.starts_with('0');
        (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()) && !leading_zero
    };
    text.split('.').count() == 3 && text.split('.').all(is_number)
}

fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    (2..=8).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| is_word(part, 8) && !part.contains('_'))
}

fn is_paint(text: &str) -> bool {
    match text.strip_prefix('#') {
        Some(digits) => matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => (3..=30).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic()),
    }
}
