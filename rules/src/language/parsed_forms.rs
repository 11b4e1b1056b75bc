//! Forms of texts that are parsed further: ranges of labels, and grids.

use super::forms::{MOST_LABEL, TextForm, TextValue, is_word, word_pattern};
use crate::units::MAX_PLACES;

/// Maximum number of columns of a grid, and maximum number of rows.
const MOST_SIDE: u8 = 60;

/// A label, or a range of labels such as `h3..h1`. The parsed value lists all labels of the range.
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

/// The size of a grid in columns and rows, such as `19 x 19`.
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

/// Makes a regular expression for the numbers from 1 to `most`, which has two digits.
pub(crate) fn up_to(most: u8) -> String {
    let (tens, ones) = (most / 10, most % 10);
    let full_tens = if tens > 1 { format!("[1-{}][0-9]|", tens - 1) } else { String::new() };
    format!("(0?[1-9]|{full_tens}{tens}[0-{ones}])")
}

/// Parses a number of one or two digits.
pub(crate) fn two_digits(text: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_for_numbers_up_to_19_has_no_full_tens() {
        assert_eq!(up_to(60), "(0?[1-9]|[1-5][0-9]|6[0-0])");
        assert_eq!(up_to(20), "(0?[1-9]|[1-1][0-9]|2[0-0])");
        assert_eq!(up_to(19), "(0?[1-9]|1[0-9])");
        assert_eq!(up_to(10), "(0?[1-9]|1[0-0])");
    }

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
