//! Qualities: the weights (`q`) that a client gives to media types and codings in `Accept` and `Accept-Encoding` (RFC
//! 9110, section 12.4.2).

/// Quality of a choice without a weight, in thousandths. It is the highest quality.
const HIGHEST: u32 = 1_000;

/// Returns the quality of one choice of a header, in thousandths, from its parameters. 1000 if it has no weight; 0 if
/// the weight is not a number.
pub(super) fn quality<'a>(mut parameters: impl Iterator<Item = &'a str>) -> u32 {
    let weight = parameters.find_map(|parameter| parameter.strip_prefix("q=").or(parameter.strip_prefix("Q=")));
    weight.map_or(HIGHEST, |weight| thousandths(weight).unwrap_or(0))
}

/// Converts a number such as `0.25` to thousandths, at most [`HIGHEST`]. RFC 9110 allows three decimals; further ones
/// are cut off.
fn thousandths(number: &str) -> Option<u32> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && decimals.is_empty() || !whole.bytes().chain(decimals.bytes()).all(|it| it.is_ascii_digit()) {
        return None;
    }
    if whole.bytes().any(|digit| digit != b'0') {
        return Some(HIGHEST);
    }
    let digits = decimals.bytes().map(|digit| u32::from(digit - b'0')).chain(std::iter::repeat(0));
    Some(digits.take(3).fold(0, |sum, digit| 10 * sum + digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quality_with_three_decimals_is_exact() {
        for number in 0..=1000 {
            let weight = format!("q={}.{:03}", number / 1000, number % 1000);
            assert_eq!(quality([weight.as_str()].into_iter()), number, "{weight}");
        }
    }

    #[test]
    fn other_weights_have_the_nearest_quality_or_none() {
        for (parameter, expected) in [
            ("q=1", 1000),
            ("Q=0.5", 500),
            ("q=.25", 250),
            ("q=0.", 0),
            ("q=0.33333", 333),
            ("q=7.1", 1000),
            ("level=1", 1000),
            ("q=x", 0),
            ("q=-1", 0),
            ("q=0.5x", 0),
            ("q=", 0),
            ("q=.", 0),
            ("q=NaN", 0),
        ] {
            assert_eq!(quality([parameter].into_iter()), expected, "{parameter}");
        }
    }
}
