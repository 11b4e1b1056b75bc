//! Forms of single values: what fits, how it is described, its pattern for editors.

use crate::language::Form;
use crate::nearest::nearest;
use crate::read::clauses::is_clause_id;

impl Form {
    /// What it is, after "is not".
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Truth => "`yes` or `no`",
            Self::Id => "an id of lower case letters, digits, `-` and `_`",
            Self::Name => "a name of lower case letters, digits and `_`",
            Self::File => "an id or a path of a rule file",
            Self::Version => "a version of three numbers",
            Self::Language => "a language tag",
            Self::Grid => "a grid of columns and rows",
            Self::Paint => "a CSS colour",
            Self::Label => "a label",
            Self::Places => "a label, a range of labels, a zone or a tag",
            Self::Walk => "a walk over the grid",
            Self::Pattern => "a pattern of who stands there",
            Self::Expression => "an expression",
            Self::Path => "a line or setting `section.id`",
            Self::Clause => "a clause id",
        }
    }

    /// What would fit.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Truth => "write `yes` or `no`",
            Self::Id => "such as `two-hops`, a letter first, 40 characters at most",
            Self::Name => "such as `two_hops`, a letter first, 40 characters at most",
            Self::File => "such as `base` or `sets/base.yaml`",
            Self::Version => "such as `1.0.0`",
            Self::Language => "such as `en` or `pt-BR`",
            Self::Grid => "such as `19 x 19`, at most `60 x 60`",
            Self::Paint => "such as \"#c0392b\" (in quotes) or a colour name",
            Self::Label => "such as `12`, `8r`, `h7` or `home`",
            Self::Places => "such as `12`, `h7..h1` or the name of a zone",
            Self::Walk => "such as `from 9,11 S6 E1 NE2`: directions N S E W NE NW SE SW, a count each",
            Self::Pattern => {
                "WHO, `WHO single`, `WHO pair`, `two|three|four WHOs` or `no WHO`; WHO is own, partner, friend, enemy or pawn"
            }
            Self::Expression => "such as `doublet and total >= 7`",
            Self::Path => "such as `landing.single` or `board.gate`",
            Self::Clause => "such as `XY-47`",
        }
    }

    /// The problem code where it does not fit.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Truth => "not-a-truth-value",
            Self::Id => "bad-id",
            Self::Name => "bad-name",
            Self::File => "bad-file-name",
            Self::Version => "bad-version",
            Self::Language => "bad-language",
            Self::Grid => "bad-grid",
            Self::Paint => "bad-paint",
            Self::Label | Self::Places => "bad-label",
            Self::Walk => "bad-walk",
            Self::Pattern => "bad-pattern",
            Self::Expression => "bad-expression",
            Self::Path => "bad-path",
            Self::Clause => "bad-clause",
        }
    }

    /// What a misspelled text was probably meant to be.
    pub(crate) fn meant(self, text: &str) -> Option<String> {
        let Self::Pattern = self else { return None };
        let known = || WHO.into_iter().chain(MANY).chain(["single", "pair", "no", "two", "three", "four"]);
        let words: Option<Vec<&str>> = text.split_whitespace().map(|word| nearest(word, known())).collect();
        words.map(|words| words.join(" ")).filter(|meant| is_pattern(meant))
    }

    /// A regular expression for editors; [`Form::fits`] says the same in code.
    pub(crate) fn pattern(self) -> Option<&'static str> {
        Some(match self {
            Self::Truth | Self::Expression => return None,
            Self::Id => "^[a-z][a-z0-9_-]{0,39}$",
            Self::Name => "^[a-z][a-z0-9_]{0,39}$",
            Self::File => "^[A-Za-z0-9_./-]{1,200}$",
            Self::Version => "^(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}$",
            Self::Language => "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
            Self::Grid => "^[1-9][0-9]? x [1-9][0-9]?$",
            Self::Paint => "^(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})|[a-zA-Z]{3,30})$",
            Self::Label => "^[A-Za-z0-9_]{1,16}$",
            Self::Places => "^[A-Za-z0-9_]{1,40}(\\.\\.[A-Za-z0-9_]{1,16})?$",
            Self::Walk => "^(from [0-9]{1,2},[0-9]{1,2}( |$))?((N|S|E|W|NE|NW|SE|SW)[0-9]{1,2}( |$))*$",
            Self::Pattern => {
                "^((own|partner|friend|enemy|pawn)( single| pair)?|(two|three|four) (owns?|partners|friends|enemies|pawns)|no (own|partner|friend|enemy|pawn))$"
            }
            Self::Path => "^[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*){1,3}$",
            Self::Clause => "^[A-Z]+-[A-Z]?[0-9]+$",
        })
    }

    /// Whether a text has this form (an expression is parsed elsewhere).
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Truth => matches!(text, "yes" | "no" | "true" | "false"),
            Self::Expression => true,
            Self::Id => is_name(text, "-_"),
            Self::Name => is_name(text, "_"),
            Self::File => {
                let allowed = |b: u8| b.is_ascii_alphanumeric() || b"_./-".contains(&b);
                (1..=200).contains(&text.len()) && text.bytes().all(allowed)
            }
            Self::Version => text.split('.').count() == 3 && text.split('.').all(is_version_number),
            Self::Language => {
                let mut parts = text.split('-');
                let language = parts.next().unwrap_or_default();
                (2..=8).contains(&language.len())
                    && language.bytes().all(|byte| byte.is_ascii_alphabetic())
                    && parts.all(|part| is_word(part, 8) && !part.contains('_'))
            }
            Self::Grid => grid(text).is_some(),
            Self::Paint => match text.strip_prefix('#') {
                Some(digits) => matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit()),
                None => (3..=30).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphabetic()),
            },
            Self::Label => is_word(text, 16),
            Self::Places => match text.split_once("..") {
                Some((first, last)) => is_word(first, 16) && is_word(last, 16),
                None => is_word(text, 40),
            },
            Self::Walk => is_walk(text),
            Self::Pattern => is_pattern(text),
            Self::Path => (2..=4).contains(&text.split('.').count()) && text.split('.').all(|part| is_name(part, "-_")),
            Self::Clause => is_clause_id(text),
        }
    }
}

/// Columns and rows of `19 x 19`.
pub(crate) fn grid(text: &str) -> Option<(u8, u8)> {
    let (columns, rows) = text.split_once(" x ")?;
    let side = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let side = text.parse::<u8>().ok()?;
        (digits && (1..=60).contains(&side)).then_some(side)
    };
    Some((side(columns)?, side(rows)?))
}

fn is_name(text: &str, signs: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_ascii_lowercase())
        && text.len() <= 40
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || signs.contains(c))
}

fn is_word(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_version_number(part: &str) -> bool {
    let leading_zero = part.len() > 1 && part.starts_with('0');
    (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()) && !leading_zero
}

fn is_walk(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    let count = |digits: &str| (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if words.next_if_eq(&"from").is_some() {
        let start = words.next().and_then(|start| start.split_once(','));
        if !start.is_some_and(|(column, row)| count(column) && count(row)) {
            return false;
        }
    }
    !text.trim().is_empty()
        && words.all(|word| {
            let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let direction = &word[..word.len() - digits.len()];
            count(digits) && matches!(direction, "N" | "S" | "E" | "W" | "NE" | "NW" | "SE" | "SW")
        })
}

const WHO: [&str; 5] = ["own", "partner", "friend", "enemy", "pawn"];
const MANY: [&str; 6] = ["own", "owns", "partners", "friends", "enemies", "pawns"];

fn is_pattern(text: &str) -> bool {
    match text.split_once(' ') {
        None => WHO.contains(&text),
        Some(("no", who)) => WHO.contains(&who),
        Some(("two" | "three" | "four", many)) => MANY.contains(&many),
        Some((who, "single" | "pair")) => WHO.contains(&who),
        Some(_) => false,
    }
}
