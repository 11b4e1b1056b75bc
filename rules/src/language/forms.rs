//! Texts of a fixed form: each with its parser, its description and its pattern for editors.

use crate::document::{Direction, Pattern, Walk, Who};
use crate::expr::RESERVED;
use crate::language::Word;
use crate::nearest::nearest;
use crate::play::state::MAX_PLACES;
use crate::read::clauses::is_clause_id;

/// Most characters of an id or a name.
const MOST_NAME: usize = 40;
/// Most characters of a label.
const MOST_LABEL: usize = 16;
/// Most columns and most rows of a grid.
const MOST_SIDE: u8 = 60;

/// How texts of a form are described.
#[derive(Debug)]
pub(crate) struct TextForm {
    /// The problem code of a text that is not of the form.
    pub(crate) code: &'static str,
    /// What it is, after "is not".
    pub(crate) described: &'static str,
    /// What would fit.
    pub(crate) example: fn() -> String,
    /// A regular expression for editors, which fits the same texts as the parser.
    pub(crate) pattern: fn() -> String,
    /// Whether a bare number is such a text.
    pub(crate) is_number: bool,
}

/// A form of texts.
pub(crate) trait TextValue {
    /// What a text of the form becomes.
    type Parsed;
    const FORM: TextForm;

    fn parse_text(text: &str) -> Option<Self::Parsed>;

    /// What a misspelled text was probably meant to be.
    fn meant(_: &str) -> Option<String> {
        None
    }

    /// Whether the text is of the form but stands for something else.
    fn is_reserved(_: &str) -> bool {
        false
    }
}

/// Declares a form of texts that stay text.
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
    /// Lower case letters, digits, `-`, `_`.
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
    /// `1.0.0`.
    Version {
        code: "bad-version",
        described: "a version of three numbers",
        example: "such as `1.0.0`",
        pattern: "(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}",
        fits: is_version,
    }
    /// `en`, `pt-BR`.
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
    /// `12`, `8r`, `home`.
    Label {
        code: "bad-label",
        described: "a label",
        example: "such as `12`, `8r`, `h7` or `home`",
        pattern: word_pattern(MOST_LABEL),
        fits: |text| is_word(text, MOST_LABEL),
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
    /// A line or setting to remove: `section.id`.
    PathForm {
        code: "bad-path",
        described: "a line or setting `section.id`",
        example: "such as `landing.single` or `board.gate`",
        pattern: format!("{0}(\\.{0}){{1,3}}", id_pattern()),
        fits: |text| (2..=4).contains(&text.split('.').count()) && text.split('.').all(is_id),
    }
    /// `XY-47`.
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

/// The labels of a zone: one, or a range of them written out.
pub(crate) struct RangeForm;

impl TextValue for RangeForm {
    type Parsed = Vec<String>;
    const FORM: TextForm = TextForm {
        code: "bad-label",
        described: "a label or a range of labels",
        example: || "such as `12`, `8..75` or `h7..h1`".to_owned(),
        pattern: || format!("^({}|[A-Za-z]*[0-9]+\\.\\.[A-Za-z]*[0-9]+)$", word_pattern(MOST_LABEL)),
        is_number: true,
    };

    fn parse_text(text: &str) -> Option<Vec<String>> {
        let Some((first, last)) = text.split_once("..") else {
            return is_word(text, MOST_LABEL).then(|| vec![text.to_owned()]);
        };
        let digits = |label: &str| label.find(|c: char| c.is_ascii_digit()).unwrap_or(label.len());
        let (prefix, from) = first.split_at(digits(first));
        let (other, to) = last.split_at(digits(last));
        let is_numbered =
            |label: &str, number: &str| label.len() <= MOST_LABEL && number.bytes().all(|byte| byte.is_ascii_digit());
        let (from, to): (u16, u16) = (from.parse().ok()?, to.parse().ok()?);
        let fits = prefix == other
            && prefix.bytes().all(|byte| byte.is_ascii_alphabetic())
            && is_numbered(first, &first[prefix.len()..])
            && is_numbered(last, &last[other.len()..]);
        if !fits || usize::from(from.abs_diff(to)) > MAX_PLACES {
            return None;
        }
        let label = |number: u16| format!("{prefix}{number}");
        Some(if from <= to { (from..=to).map(label).collect() } else { (to..=from).rev().map(label).collect() })
    }
}

/// Columns and rows: `19 x 19`.
pub(crate) struct GridForm;

impl TextValue for GridForm {
    type Parsed = (u8, u8);
    const FORM: TextForm = TextForm {
        code: "bad-grid",
        described: "a grid of columns and rows",
        example: || format!("such as `19 x 19`, at most `{MOST_SIDE} x {MOST_SIDE}`"),
        pattern: || format!("^{0} x {0}$", up_to(MOST_SIDE)),
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<(u8, u8)> {
        let (columns, rows) = text.split_once(" x ")?;
        let side = |text: &str| two_digits(text).filter(|side| (1..=MOST_SIDE).contains(side));
        Some((side(columns)?, side(rows)?))
    }
}

/// A walk over the grid: `from 9,11 S6 E1`.
pub(crate) struct WalkForm;

impl TextValue for WalkForm {
    type Parsed = Walk;
    const FORM: TextForm = TextForm {
        code: "bad-walk",
        described: "a walk over the grid",
        example: || format!("such as `from 9,11 S6 E1 NE2`: directions {}, a count each", Direction::NAMES.join(" ")),
        pattern: || {
            let leg = format!("({}){}", Direction::NAMES.join("|"), up_to(Walk::LONGEST_LEG));
            let from = "from [0-9]{1,2},[0-9]{1,2}";
            format!("^({from}|({from} +)?{leg}( +{leg}){{0,{}}})$", Walk::MOST_LEGS - 1)
        },
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<Walk> {
        Walk::parse(text)
    }
}

/// Who stands on a square: `own`, `enemy pair`, `two friends`.
pub(crate) struct PatternForm;

impl TextValue for PatternForm {
    type Parsed = Pattern;
    const FORM: TextForm = TextForm {
        code: "bad-pattern",
        described: "a pattern of who stands there",
        example: || {
            let (last, others) = Who::NAMES.split_last().unwrap_or((&"", &[]));
            let who = format!("{} or {last}", others.join(", "));
            format!("WHO, `WHO single`, `WHO pair`, `{} WHOs` or `no WHO`; WHO is {who}", Pattern::LEAST.join("|"))
        },
        pattern: || {
            let (who, least, plural) = (Who::NAMES.join("|"), Pattern::LEAST.join("|"), Pattern::PLURALS.join("|"));
            format!("^(({who})( {})?|({least}) ({plural})|no ({who}))$", Pattern::SUFFIXES.join("| "))
        },
        is_number: false,
    };

    fn parse_text(text: &str) -> Option<Pattern> {
        Pattern::parse(text)
    }

    fn meant(text: &str) -> Option<String> {
        let known = || {
            let who = Who::NAMES.iter().chain(&Pattern::PLURALS).chain(&Pattern::SUFFIXES);
            who.chain(["no"].iter()).chain(&Pattern::LEAST).copied()
        };
        let words: Option<Vec<&str>> = text.split_whitespace().map(|word| nearest(word, known())).collect();
        words.map(|words| words.join(" ")).filter(|meant| Pattern::parse(meant).is_some())
    }
}

fn id_pattern() -> String {
    format!("[a-z][a-z0-9_-]{{0,{}}}", MOST_NAME - 1)
}

/// The pattern of a name, without what it begins and ends with.
pub(super) fn name_pattern() -> String {
    format!("[a-z][a-z0-9_]{{0,{}}}", MOST_NAME - 1)
}

fn word_pattern(most: usize) -> String {
    format!("[A-Za-z0-9_]{{1,{most}}}")
}

/// The pattern of the numbers from 1 to one of two digits.
fn up_to(most: u8) -> String {
    let (tens, ones) = (most / 10, most % 10);
    format!("(0?[1-9]|[1-{}][0-9]|{tens}[0-{ones}])", tens - 1)
}

fn is_id(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    text.len() <= MOST_NAME && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(is_inner)
}

fn is_word(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_place_name(text: &str) -> bool {
    match text.split_once("..") {
        Some((first, last)) => is_word(first, MOST_LABEL) && is_word(last, MOST_LABEL),
        None => is_word(text, MOST_NAME),
    }
}

/// A number of one or two digits.
pub(crate) fn two_digits(text: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_labels_run_both_ways() {
        let labels = |text: &str| RangeForm::parse_text(text);
        assert_eq!(labels("h3..h1").unwrap(), ["h3", "h2", "h1"]);
        assert_eq!(labels("8..10").unwrap(), ["8", "9", "10"]);
        assert_eq!(labels("8r").unwrap(), ["8r"]);
        assert_eq!(labels("h3..k1"), None);
        assert_eq!(labels("1..65000"), None);
    }
}
