//! Suggestions for misspelled words.

/// Finds the word of `known` that needs the fewest edits to become `word`. At most a third of the letters may differ,
/// but one edit is always allowed. A word of one or two letters has no suggestion, because one edit would change half
/// of it.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if !(SHORTEST..=LONGEST).contains(&word.len()) {
        return None;
    }
    let allowed = (word.len() / 3).max(1);
    // Each edit changes the length by at most one, so a word whose length differs by more than `allowed` is too far
    // away.
    let is_near = |candidate: &&str| candidate.chars().take(LONGEST + 1).count().abs_diff(word.len()) <= allowed;
    known
        .into_iter()
        .filter(is_near)
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|&(edits, candidate)| edits <= allowed && edits < candidate.chars().count())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Words with fewer letters get no suggestion.
const SHORTEST: usize = 3;
/// Words with more letters get no suggestion. No name is longer, and the bound limits the work that a hostile file can
/// cause.
const LONGEST: usize = 40;

/// Counts the edits between two words. One edit inserts, removes or replaces a letter, or swaps two neighbours.
fn distance(from: &[char], to: &str) -> usize {
    let to: Vec<char> = to.chars().take(LONGEST + 1).collect();
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(from[i - 1] != to[j - 1]);
                let mut least = (rows[i - 1][j - 1] + same).min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_swapped_or_missing_letter_is_forgiven_and_another_word_is_not() {
        let known = ["landing", "passing", "id"];
        assert_eq!(nearest("lanidng", known), Some("landing"));
        assert_eq!(nearest("pasing", known), Some("passing"));
        assert_eq!(nearest("throw", known), None);
        assert_eq!(nearest("x", known), None);
        assert_eq!(nearest("do", ["to", "id"]), None);
        assert_eq!(nearest("tot", ["to", "id"]), Some("to"));
    }
}
