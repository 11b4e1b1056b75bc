//! Packs events for storage: phrases that are in almost every event take one or two bytes.
//!
//! Events are short JSON texts with nearly the same keys. A game has hundreds of events, which take most of the space
//! of the game in the store. Compact JSON has no control characters, so control characters can stand for phrases. An
//! event that contains control characters is stored without packing.
//!
//! The store knows no words of events: the caller that opens it hands in the phrases. A store reads only what was
//! packed with the same phrases, so their order is part of its layout.

use std::cmp::Reverse;

use crate::store::StoreError;

/// The byte before the index of a phrase that is stored as two bytes.
const LONG_MARK: u8 = 31;

/// The first byte of an event that is stored without packing.
const PLAIN: u8 = 0;

/// Number of bytes of a text that are compared with a phrase at once.
const HEAD: usize = 8;

/// A phrase, and the bytes that stand for it.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    text: &'static [u8],
    /// The first [`HEAD`] bytes of the phrase; zeros behind a shorter phrase.
    head: u64,
    /// Has a one for each bit of `head` that belongs to the phrase.
    mask: u64,
    code: [u8; 2],
    /// The length of the code, 1 or 2.
    length: u8,
}

/// How the search for a phrase continues when the first byte of the text is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// No phrase begins with the byte.
    Other,
    /// Only phrases of at least four bytes begin with the byte.
    Phrase,
    /// Phrases of any length may begin with the byte.
    AnyPhrase,
    /// The byte is a control character. An event that contains it is stored without packing.
    Control,
}

impl Phrase {
    fn new(text: &'static str, code: [u8; 2], length: u8) -> Self {
        let (text, mask) = (text.as_bytes(), [u8::MAX; HEAD]);
        let mask = head(&mask[..text.len().min(HEAD)]);
        Self { text, head: head(text), mask, code, length }
    }

    /// Tells whether a text begins with the phrase. `head` are the first bytes of the text.
    fn begins(&self, text: &[u8], head: u64) -> bool {
        (head ^ self.head) & self.mask == 0 && (self.text.len() <= HEAD || text.starts_with(self.text))
    }
}

/// The phrases with which events are packed, and the tables for the search of a phrase.
///
/// The search finds the longest phrase with which a text begins. Events are packed after every step of every game, so
/// the search has to be fast: its tables are small, and it compares few phrases. First come the phrases whose first
/// four bytes have the same hash as the first four bytes of the text, then the phrases of two or three bytes, which
/// have no hash. Most comparisons end with the first eight bytes.
#[derive(Debug)]
pub struct Phrases {
    /// Phrases that are stored as one byte: the phrase with index N as N + 1.
    short: &'static [&'static str],
    /// Phrases that are stored as two bytes: [`LONG_MARK`] and the index.
    long: &'static [&'static str],
    /// How the search continues, for each first byte of a text.
    starts: [Start; 256],
    /// For each hash, where the phrases of at least four bytes whose first four bytes have this hash begin and end in
    /// `phrases`.
    by_four: [(u8, u8); HASHES],
    /// The index in `phrases` at which the phrases of two and three bytes begin.
    tiny: u8,
    /// All phrases. Those with the same hash stand together, longest first; those without a hash are at the end.
    phrases: Vec<Phrase>,
}

/// The number of hashes of four bytes.
const HASHES: usize = 1024;

/// The first [`HEAD`] bytes of a text; zeros behind a shorter text. No phrase has a zero.
fn head(text: &[u8]) -> u64 {
    let mut head = [0; HEAD];
    match text.first_chunk() {
        Some(first) => head = *first,
        None => head[..text.len()].copy_from_slice(text),
    }
    u64::from_le_bytes(head)
}

/// The hash of the first four bytes of a text, which are the lowest bytes of `head`.
fn hash_of(head: u64) -> usize {
    ((head as u32).wrapping_mul(0x9e37_79b1) >> 22) as usize
}

impl Phrases {
    /// Makes the tables for these phrases: at most 30 `short` ones, which are stored as one byte, and at most 256
    /// `long` ones, which are stored as two bytes. Each phrase has at least two bytes.
    ///
    /// # Panics
    /// There are more phrases.
    pub fn new(short: &'static [&'static str], long: &'static [&'static str]) -> Self {
        assert!(short.len() < usize::from(LONG_MARK) && long.len() <= 256, "so many phrases have no codes");
        let one_byte = short.iter().zip(1..).map(|(text, code)| Phrase::new(text, [code, 0], 1));
        let two_bytes = long.iter().zip(0..=u8::MAX).map(|(text, index)| Phrase::new(text, [LONG_MARK, index], 2));
        let mut phrases = one_byte.chain(two_bytes).collect::<Vec<_>>();
        let hash_of_phrase = |phrase: &Phrase| (phrase.text.len() >= 4).then(|| hash_of(phrase.head));
        // Phrases of two and three bytes have no hash, and are sorted to the end.
        phrases.sort_by_key(|phrase| (hash_of_phrase(phrase).unwrap_or(HASHES), Reverse(phrase.text.len())));
        let (mut starts, mut by_four, mut tiny) = ([Start::Other; 256], [(0, 0); HASHES], 0);
        starts[..=usize::from(LONG_MARK)].fill(Start::Control);
        for (phrase, index) in phrases.iter().zip(0..) {
            let start = &mut starts[usize::from(phrase.text[0])];
            match hash_of_phrase(phrase).map(|hash| &mut by_four[hash]) {
                Some((begin, end)) => {
                    *begin = if *end == 0 { index } else { *begin };
                    (*end, tiny, *start) = (index + 1, index + 1, Start::Phrase);
                }
                None => *start = Start::AnyPhrase,
            }
        }
        Self { short, long, starts, by_four, tiny, phrases }
    }

    /// Returns the longest phrase with which a text begins. `start` is the entry of the first byte of the text in
    /// `starts`.
    fn at_start(&self, text: &[u8], start: Start) -> Option<&Phrase> {
        let head = head(text);
        let begins = |phrase: &&Phrase| phrase.begins(text, head);
        let (begin, end) = self.by_four[hash_of(head)];
        let of_four = self.phrases[usize::from(begin)..usize::from(end)].iter().find(begins);
        let of_tiny = || self.phrases[usize::from(self.tiny)..].iter().find(begins);
        of_four.or_else(|| if start == Start::AnyPhrase { of_tiny() } else { None })
    }

    pub(crate) fn pack(&self, event: &[u8]) -> Vec<u8> {
        let mut packed = Vec::with_capacity(event.len());
        let mut rest = event;
        while let Some((&byte, after)) = rest.split_first() {
            let start = self.starts[usize::from(byte)];
            let phrase = match start {
                Start::Other => None,
                Start::Phrase | Start::AnyPhrase => self.at_start(rest, start),
                Start::Control => return [&[PLAIN], event].concat(),
            };
            let Some(phrase) = phrase else {
                packed.push(byte);
                rest = after;
                continue;
            };
            packed.push(phrase.code[0]);
            if phrase.length == 2 {
                packed.push(phrase.code[1]);
            }
            rest = &rest[phrase.text.len()..];
        }
        packed
    }

    /// Unpacks a stored event.
    ///
    /// # Errors
    /// The bytes are not a packed event.
    pub(crate) fn unpack(&self, packed: &[u8]) -> Result<Vec<u8>, StoreError> {
        if let Some((&PLAIN, event)) = packed.split_first() {
            return Ok(event.to_vec());
        }
        let mut event = Vec::with_capacity(packed.len() * 3);
        let mut bytes = packed.iter();
        while let Some(&byte) = bytes.next() {
            let phrase = match byte {
                LONG_MARK => bytes.next().and_then(|&index| self.long.get(usize::from(index))),
                PLAIN..LONG_MARK => usize::from(byte).checked_sub(1).and_then(|index| self.short.get(index)),
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lamps() -> Phrases {
        Phrases::new(&[r#"{"id":"#, r#","event":""#, r#""}"#], &["is_lit", "lamp", r#",""#])
    }

    fn packed_length(event: &[u8]) -> usize {
        let packed = lamps().pack(event);
        assert_eq!(lamps().unpack(&packed).unwrap(), event, "{}", String::from_utf8_lossy(event));
        packed.len()
    }

    #[test]
    fn phrases_take_one_or_two_bytes_and_the_longest_one_counts() {
        assert_eq!(lamps().pack(br#"{"id":1,"event":"is_lit"}"#), [&[1][..], b"1", &[2, LONG_MARK, 0, 3]].concat());
        assert_eq!(packed_length(br#"{"id":12,"lamp":"a lamp"}"#), 15);
    }

    #[test]
    fn any_bytes_come_back() {
        for other in ["", "{}", "\u{0}", "\u{1}", "a\u{1f}b", "\u{7f}", "\u{10ffff} {\"id\":", "{\"id\":{\"id\":"] {
            packed_length(other.as_bytes());
        }
        for byte in 0..=u8::MAX {
            packed_length(&[byte]);
            packed_length(&[b'"', byte, b'"', b'}']);
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        for damaged in [&[LONG_MARK][..], &[LONG_MARK, 255], &[b'a', PLAIN], &[b'a', LONG_MARK]] {
            assert!(lamps().unpack(damaged).is_err(), "{damaged:?}");
        }
    }
}
