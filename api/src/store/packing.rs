//! Packs events for storage: phrases that are in almost every event take one or two bytes.
//!
//! Events are short JSON texts with nearly the same keys. A game has hundreds of events, which take most of the space
//! of the game in the store. Compact JSON has no control characters, so control characters can stand for phrases. An
//! event that contains control characters is stored without packing.
//!
//! The order of [`SHORT`] and [`LONG`] is part of the layout of the stores. A change of the order needs new layout
//! numbers.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::store::StoreError;

/// Phrases that are stored as one byte: the phrase with index N as N + 1.
const SHORT: [&str; 30] = [
    r#"{"id":"#,
    r#","event":""#,
    r#"","at":"20"#,
    r#"Z","version":"#,
    r#","step":"#,
    r#","seat":""#,
    r#"","pawn":""#,
    r#"","from":""#,
    r#"","to":""#,
    r#"","path":[""#,
    r#""],"number":"#,
    r#","action":""#,
    r#"","rule":""#,
    r#"","clauses":[""#,
    r#""],"because":""#,
    r#","next":{"awaits":"throw","turn":""#,
    r#","next":{"awaits":"action","turn":""#,
    r#"","throw":""#,
    r#"","hand":[""#,
    r#"","hand":[]}}"#,
    r#""]}}"#,
    r#"",""#,
    r#""]"#,
    r#""}"#,
    "moved",
    "turn",
    "thrown",
    "home",
    r#","game_id":""#,
    r#"","game_event":{"id":"#,
];

/// The byte before the index of a phrase in [`LONG`].
const LONG_MARK: u8 = 31;

/// Phrases that are stored as two bytes: [`LONG_MARK`] and the index.
const LONG: [&str; 49] = [
    r#"","counter":""#,
    r#"","value":"#,
    r#"","mark":""#,
    r#"","set":"#,
    r#"","choice":""#,
    r#"","number":"#,
    r#"","action":""#,
    r#"","with":[""#,
    r#""],"with":[""#,
    r#"","by":[""#,
    r#""],"by":[""#,
    r#","rule":""#,
    r#","because":""#,
    r#"","moves":""#,
    r#"","name":""#,
    r#"","contribution":""#,
    r#"","reason":""#,
    r#","ranking":[{"place":"#,
    r#"},{"place":"#,
    r#","pawns":[{"id":""#,
    r#"},{"id":""#,
    r#"","place":""#,
    r#"","square":""#,
    r#","counters":{"#,
    "true",
    "false",
    "spend.",
    "on.",
    "created",
    "joined",
    "started",
    "entered",
    "captured",
    "cut",
    "lost",
    "passed",
    "bonus",
    "throw_granted",
    "mark_changed",
    "counter_changed",
    "choice_made",
    "choice",
    "put_back",
    "banked",
    "time_over",
    "player_won",
    "game_over",
    "action",
    "throw",
];

/// The first byte of an event that is stored without packing.
const PLAIN: u8 = 0;

static PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::new);

/// A phrase, and the bytes that stand for it.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    text: &'static [u8],
    code: [u8; 2],
    /// The length of the code, 1 or 2.
    length: u8,
}

/// Finds the phrase with which a text begins. Events are packed after every step of every game, so the search has to be
/// fast: its tables are small, and it compares few phrases. These are the phrases whose first four bytes have the same
/// hash as the first four bytes of the text, and then the phrases of two or three bytes.
#[derive(Debug)]
struct Phrases {
    /// Whether a phrase begins with this byte.
    begins: [bool; 256],
    /// Whether a phrase of two or three bytes begins with this byte.
    begins_tiny: [bool; 256],
    /// For each hash, where the phrases of at least four bytes whose first four bytes have this hash begin and end in
    /// `phrases`.
    by_four: [(u8, u8); SLOTS],
    /// Where the phrases of two and three bytes begin in `phrases`.
    tiny: u8,
    /// All phrases: those with one hash together, longest first.
    phrases: Vec<Phrase>,
}

/// The number of hashes of four bytes.
const SLOTS: usize = 1024;

/// The hash of the first four bytes of a text; `None` if it is shorter.
fn slot(text: &[u8]) -> Option<usize> {
    let four = u32::from_le_bytes(*text.first_chunk()?);
    Some((four.wrapping_mul(0x9e37_79b1) >> 22) as usize)
}

impl Phrases {
    fn new() -> Self {
        let short = SHORT.iter().zip(1..).map(|(text, code)| (text, [code, 0], 1));
        let long = LONG.iter().zip(0..).map(|(text, index)| (text, [LONG_MARK, index], 2));
        let all = short.chain(long).map(|(text, code, length)| Phrase { text: text.as_bytes(), code, length });
        let mut phrases = all.collect::<Vec<_>>();
        // Phrases without a hash are the last.
        phrases.sort_by_key(|phrase| (slot(phrase.text).unwrap_or(SLOTS), Reverse(phrase.text.len())));
        let (mut begins, mut begins_tiny, mut by_four) = ([false; 256], [false; 256], [(0, 0); SLOTS]);
        let mut tiny = 0;
        for (phrase, index) in phrases.iter().zip(0..) {
            begins[usize::from(phrase.text[0])] = true;
            match slot(phrase.text).map(|slot| &mut by_four[slot]) {
                Some((begin, end)) => {
                    *begin = if *end == 0 { index } else { *begin };
                    (*end, tiny) = (index + 1, index + 1);
                }
                None => begins_tiny[usize::from(phrase.text[0])] = true,
            }
        }
        Self { begins, begins_tiny, by_four, tiny, phrases }
    }

    /// The longest phrase with which a text begins.
    fn at_start(&self, text: &[u8]) -> Option<&Phrase> {
        let first = usize::from(*text.first()?);
        if !self.begins[first] {
            return None;
        }
        let fits = |phrase: &&Phrase| text.starts_with(phrase.text);
        let (begin, end) = slot(text).map_or((0, 0), |slot| self.by_four[slot]);
        let of_four = self.phrases[usize::from(begin)..usize::from(end)].iter().find(fits);
        let of_tiny = || self.phrases[usize::from(self.tiny)..].iter().find(fits);
        of_four.or_else(|| if self.begins_tiny[first] { of_tiny() } else { None })
    }
}

/// Packs an event.
pub(super) fn pack(event: &[u8]) -> Vec<u8> {
    if event.iter().any(|&byte| byte <= LONG_MARK) {
        return [&[PLAIN], event].concat();
    }
    let phrases = &*PHRASES;
    let mut packed = Vec::with_capacity(event.len());
    let mut rest = event;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match phrases.at_start(rest) {
            Some(phrase) => {
                packed.extend_from_slice(&phrase.code[..usize::from(phrase.length)]);
                &rest[phrase.text.len()..]
            }
            None => {
                packed.push(byte);
                after
            }
        };
    }
    packed
}

/// Unpacks a stored event.
///
/// # Errors
/// The bytes are not a packed event.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, StoreError> {
    if let Some((&PLAIN, event)) = packed.split_first() {
        return Ok(event.to_vec());
    }
    let mut event = Vec::with_capacity(packed.len() * 3);
    let mut bytes = packed.iter();
    while let Some(&byte) = bytes.next() {
        let phrase = match byte {
            LONG_MARK => bytes.next().and_then(|&index| LONG.get(usize::from(index))),
            PLAIN..LONG_MARK => usize::from(byte).checked_sub(1).and_then(|index| SHORT.get(index)),
            _ => {
                event.push(byte);
                continue;
            }
        };
        let damaged = || StoreError::Damaged("a packed event has an unknown phrase".to_owned());
        event.extend_from_slice(phrase.ok_or_else(damaged)?.as_bytes());
    }
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(event: &[u8]) -> usize {
        let packed = pack(event);
        assert_eq!(unpack(&packed).unwrap(), event, "{}", String::from_utf8_lossy(event));
        packed.len()
    }

    #[test]
    fn an_event_takes_less_than_half_of_its_bytes() {
        let event = br#"{"id":8,"event":"moved","at":"2026-11-23T12:17:43.323Z","version":6,"step":5,"seat":"east","pawn":"east-1","from":"6","to":"9","path":["7","8","9"],"number":3,"action":"6-9:3","rule":"spend.die","clauses":["PG-28"],"next":{"awaits":"action","turn":"east","throw":"1+3","hand":["1"]}}"#;
        assert!(is_kept(event) * 2 < event.len(), "{}", is_kept(event));
    }

    #[test]
    fn any_bytes_come_back() {
        for phrase in SHORT.iter().chain(&LONG) {
            assert_eq!(is_kept(phrase.as_bytes()), pack(phrase.as_bytes()).len());
            assert!(pack(phrase.as_bytes()).len() <= 2, "{phrase} is one phrase");
        }
        for other in ["", "{}", "\u{0}", "\u{1}", "a\u{1f}b", "\u{7f}", "\u{10ffff} {\"id\":", "{\"id\":{\"id\":"] {
            is_kept(other.as_bytes());
        }
        for byte in 0..=u8::MAX {
            is_kept(&[byte]);
            is_kept(&[b'"', byte, b'"', b'}']);
        }
    }

    #[test]
    fn no_phrase_stands_twice() {
        let mut phrases: Vec<_> = SHORT.iter().chain(&LONG).collect();
        let all = phrases.len();
        phrases.sort_unstable();
        phrases.dedup();
        assert_eq!(phrases.len(), all);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        for damaged in [&[LONG_MARK][..], &[LONG_MARK, 255], &[b'a', PLAIN], &[b'a', LONG_MARK]] {
            assert!(unpack(damaged).is_err(), "{damaged:?}");
        }
    }
}
