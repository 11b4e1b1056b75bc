//! Names of entities: a kind and an id.

use std::fmt;

use uuid::Uuid;

/// Maximum number of letters in the word of a kind.
const LONGEST: usize = 12;

/// Number of bytes in the name of an entity: kind and id.
pub(crate) const ID_BYTES: usize = LONGEST + 16;

/// A sort of entity: a short word, such as `player`. The module that owns a kind declares it; the store has no list of
/// kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(/* the word, then zeros */ [u8; LONGEST]);

impl Kind {
    /// Returns the kind with this word. In a constant, a wrong word is a compile error.
    ///
    /// # Panics
    /// The word does not consist of 1 to 12 lower-case letters.
    pub const fn named(word: &str) -> Self {
        match Self::read(word.as_bytes()) {
            Some(kind) => kind,
            None => panic!("a kind is a word of 1 to 12 lower-case letters"),
        }
    }

    /// Reads the word of a kind. Zeros after the word are allowed. Returns `None` if the word is wrong.
    pub const fn read(word: &[u8]) -> Option<Self> {
        let mut bytes = [0; LONGEST];
        let mut length = 0;
        while length < word.len() && word[length] != 0 {
            if length == LONGEST || !word[length].is_ascii_lowercase() {
                return None;
            }
            bytes[length] = word[length];
            length += 1;
        }
        if length == 0 { None } else { Some(Self(bytes)) }
    }

    /// Returns the word of the kind.
    pub fn word(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The name of an entity: its kind and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId {
    /// The kind of the entity.
    pub kind: Kind,
    /// A UUID. In general it is a UUIDv7, so that ids of one kind sort by time of creation. An id that is computed from
    /// other data is a UUIDv8, which contains no time.
    pub id: Uuid,
}

impl EntityId {
    /// Makes the name of the entity with this kind and this id.
    pub const fn new(kind: Kind, id: Uuid) -> Self {
        Self { kind, id }
    }

    /// Encodes the name: the kind's word filled up with zeros, then the id. The bytes of names sort as the names do.
    pub(crate) fn to_bytes(self) -> [u8; ID_BYTES] {
        let mut bytes = [0; ID_BYTES];
        bytes[..LONGEST].copy_from_slice(&self.kind.0);
        bytes[LONGEST..].copy_from_slice(self.id.as_bytes());
        bytes
    }

    /// Decodes bytes that [`EntityId::to_bytes`] has made.
    pub(crate) fn from_bytes(bytes: &[u8; ID_BYTES]) -> Option<Self> {
        let (kind, id) = bytes.split_at(LONGEST);
        Some(Self { kind: Kind::read(kind)?, id: Uuid::from_slice(id).ok()? })
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_a_short_word() {
        assert_eq!(Kind::named("lamp").word(), "lamp");
        assert_eq!(Kind::read(b"lamp\0\0"), Some(Kind::named("lamp")));
        assert_eq!(Kind::named("twelveletter").to_string(), "twelveletter");
        for word in ["", "Lamp", "a lamp", "thirteenmoons", "{lamp}"] {
            assert_eq!(Kind::read(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn bytes_sort_by_kind_then_by_time() {
        let (early, late) = (Uuid::now_v7(), Uuid::now_v7());
        let mut names = [("b", early), ("a", late), ("ab", early), ("a", early)]
            .map(|(word, id)| EntityId::new(Kind::named(word), id));
        names.sort_by_key(|name| name.to_bytes());
        assert!(names.is_sorted());
        assert_eq!(EntityId::from_bytes(&names[0].to_bytes()), Some(names[0]));
        assert_eq!(EntityId::from_bytes(&[0; ID_BYTES]), None);
    }
}
